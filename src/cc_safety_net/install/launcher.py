"""The launcher's text, and the command of an entry that calls it.

The launcher stays until the guard has ended, so that any death of the guard is a denial in the
form of the agent that asked. Its table is made from the agents' descriptions.
"""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING

from cc_safety_net.agents.catalogue import FLAGS, PACKAGES
from cc_safety_net.agents.encoding import filled, merged_denial

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cc_safety_net.agents.spec import AgentSpec

#: Tried in this order when the recorded interpreter has gone. PATH is never looked at.
OTHER_INTERPRETERS = (
    "/usr/bin/python3",
    "/usr/local/bin/python3",
    "/opt/homebrew/bin/python3",
)

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
_GONE = "its launcher is missing. To mend it run: cc-safety-net install"

_TEXT = """\
#!/bin/sh
# cc-safety-net managed launcher. Remove it with: cc-safety-net uninstall
# version {version}
deny() {{
  why="Blocked by cc-safety-net (guard.runtime-unavailable): $1. To mend it run: {mend}"
  case $flag in
{table}
  esac
  printf '%s\\n' "$why" >&2
  exit $block
}}
case $1 in [Hh][Oo][Oo][Kk]) flag=$2 ;; *) flag=$1 ;; esac
for python in {interpreters}; do
  [ -x "$python" ] || continue
  out=$("$python" -I -S -B {launch} "$@")
  status=$?
  case $status in
  64 | 66)
    [ -z "$out" ] || printf '%s\\n' "$out" || exit 2
    exit $((status - 64)) ;;
  97 | 126 | 127) continue ;;
  98) deny 'the runtime is damaged or incomplete' ;;
  *) deny "the guard ended with status $status" ;;
  esac
done
deny 'no Python 3.11 or newer was found'
"""


def launcher_text(root: str, interpreter: str, version: str) -> str:
    """The launcher of the runtime in `root`."""
    interpreters = dict.fromkeys((interpreter, *OTHER_INTERPRETERS))
    return _TEXT.format(
        version=version,
        mend="cc-safety-net update",
        table="\n".join(_table_rows(specs())),
        interpreters=" ".join(quote(path) for path in interpreters),
        launch=quote(root + "/launch.py"),
    )


def specs() -> list[AgentSpec]:
    """Every agent's description, in the catalogue's order."""
    found = []
    for package in PACKAGES.values():
        spec: AgentSpec = importlib.import_module(f"{package}.spec").SPEC
        found.append(spec)
    return found


def _table_rows(every: Iterable[AgentSpec]) -> Iterable[str]:
    for spec in every:
        flags = " | ".join(flag for flag, name in FLAGS.items() if name == spec.name)
        if flags:
            yield f"  {flags}) block={_block(spec)}\n    {_printf(filled(spec.deny, '%s'))} ;;"
    merged = json.loads(merged_denial(every, "%s").stdout)
    yield f"  *) block=2\n    {_printf(merged)} ;;"


def _block(spec: AgentSpec) -> int:
    """Exit status of a denial: 2 where the agent obeys it, also if its document is not read."""
    return spec.block_status or 0


def _printf(document: Mapping[str, object]) -> str:
    form = json.dumps(document, separators=(",", ":"))
    if "'" in form or "\\" in form:
        raise ValueError(f"no form for a shell's printf: {form}")
    return f"printf '{form}\\n'" + ' "$why"' * form.count("%s")


def quote(text: str) -> str:
    """A word for a POSIX shell, always in quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


def entry_command(launcher: str, spec: AgentSpec, *, home: str = "") -> str:
    """What an entry of the agent says: the launcher, and a denial for the case that it is gone.

    home: for an entry in a project, that holds no path of this machine where the launcher lies
    below the home. No `$` but that of HOME: Grok Build refuses an entry with a variable that it
    does not know, and then lets the call pass.
    """
    word = quote(launcher)
    if home and launcher.startswith(home.rstrip("/") + "/"):
        rest = launcher[len(home.rstrip("/")) :]
        for special in '\\"$`':
            rest = rest.replace(special, "\\" + special)
        word = f'"$HOME{rest}"'
    if spec.entry is not None and not spec.entry.shell:
        # Nobody knows who takes such a text apart: no quotes unless they are needed. What can't
        # be started is denied there.
        plain = "$" not in word and _PLAIN.issuperset(launcher)
        return f"{launcher if plain else word} hook {spec.flags[0]}"
    call = f"{word} hook {spec.flags[0]}"
    text = f"Blocked by cc-safety-net (guard.runtime-unavailable): {_GONE} {spec.install_flag}"
    form = json.dumps(filled(spec.deny, text), separators=(",", ":"))
    if not spec.block_status:
        # The launcher itself ends with 0 whenever it has answered.
        return f"{call} || {{ echo '{form}'; echo '{text}' >&2; }}"
    return f"{call} || {{ [ -x {word} ] || {{ echo '{form}'; echo '{text}' >&2; }}; exit 2; }}"
