"""Scripts of package.json (`npm run X`), with the `pre` and `post` scripts around them."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import known, literal
from cc_safety_net.guard.interpret.scripts import nearest, opaque, read, within
from cc_safety_net.guard.interpret.state import ARGUMENTS, State
from cc_safety_net.guard.interpret.tasks.shell_lines import run_line
from cc_safety_net.guard.json_text import JsonError, decode_json
from cc_safety_net.guard.limits import SCRIPT_BYTES, SNIFF_BYTES
from cc_safety_net.guard.paths import join, normalise, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

#: Scripts of one file that a pattern (`run-s build:*`) may name.
_MATCHES = 32
#: Where packages of a project usually lie.
_FOLDERS = ("packages/*", "apps/*")


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Run the script that `inner.target` names in the nearest package, or in the one that
    `inner.path` names; without a target the path is the script's name (`node --run`)."""
    if inner.target is None:
        inner.target, inner.path = inner.path, known(".")
    paths = nearest(m, state.cwds, ("package.json",))
    if inner.path.text not in (".", None):
        paths = _packages(m, paths, state.cwds, inner.path.text or "")
    for path in paths:
        if literal(inner.target.choices[0]) is None:
            opaque(m, execution, inner.path, path)
            continue
        within(m, execution, inner.path, path, _run, m, state, execution, inner, path)


def _packages(
    m: Machine, roots: Sequence[str], cwds: Sequence[str | None], wanted: str
) -> list[str]:
    """The package.json of a workspace, by its folder or its name; `*`: of each."""
    found: list[str] = []
    for cwd in cwds:
        path = normalise(join(cwd or "/", wanted)) + "/package.json"
        if cwd is not None and (path in m.files or m.world.is_file(path)):
            found.append(path)
    if found and wanted != "*":
        return found
    wanted = wanted.lstrip("^").strip(".{}") if wanted != "*" else wanted
    for root in roots:
        if wanted in ("*", name_of(m, root)):
            found.append(root)
        found += [path for path in workspaces(m, root) if _is_wanted(m, wanted, root, path)]
    return found


def _is_wanted(m: Machine, wanted: str, root: str, path: str) -> bool:
    """By its name, with or without the scope, or by its folder; `*` stands for anything."""
    if wanted == "*":
        return True
    name = name_of(m, path)
    folder = parent(path).removeprefix(parent(root)).strip("/")
    plain = wanted.removeprefix("./").strip("/")
    if "*" in plain:
        head, _, tail = plain.partition("*")
        tail = tail.lstrip("*")
        return any(each.startswith(head) and each.endswith(tail) for each in (name, folder))
    return plain in (name, name.rpartition("/")[2], folder)


def workspaces(m: Machine, root: str) -> list[str]:
    """The packages below the usual folders, and those that the root's file lists."""
    patterns = list(_FOLDERS)
    try:
        content = decode_json(m.world.text(root, SCRIPT_BYTES) or "{}")
    except JsonError:
        content = {}
    listed = content.get("workspaces") if isinstance(content, dict) else None
    if isinstance(listed, dict):
        listed = listed.get("packages")
    if isinstance(listed, list):
        patterns += [each for each in listed if isinstance(each, str)]
    out: dict[str, None] = {}
    for pattern in patterns[:_MATCHES]:
        folder = normalise(join(parent(root), pattern.rstrip("*/")))
        names = [folder]
        if pattern.endswith("*"):
            names = [f"{folder}/{name}" for name in m.world.names(folder, _MATCHES) or ()]
        for name in names:
            path = name + "/package.json"
            if m.world.is_file(path):
                out[path] = None
    return list(out)[:_MATCHES]


def name_of(m: Machine, path: str) -> str:
    try:
        content = decode_json(m.world.text(path, SNIFF_BYTES) or "{}")
    except JsonError:
        return ""
    name = content.get("name") if isinstance(content, dict) else ""
    return name if isinstance(name, str) else ""


def scripts_of(text: str | None) -> Mapping[str, str] | None:
    """The scripts of a package.json; None if it can't be read."""
    if text is None:
        return None
    try:
        content = decode_json(text.removeprefix("\ufeff"))
    except JsonError:
        return None
    scripts = content.get("scripts") if isinstance(content, dict) else None
    if not isinstance(scripts, dict):
        return {}
    return {name: value for name, value in scripts.items() if isinstance(value, str)}


def _run(m: Machine, state: State, execution: Execution, inner: InnerFile, path: str) -> None:
    from cc_safety_net.guard.interpret.calls import positionals

    scripts = scripts_of(read(m, path))
    if scripts is None:
        opaque(m, execution, inner.path, path)
        return
    assert inner.target is not None, "looked at by the caller"
    for wanted in inner.target.texts or ():
        for name in _matching(wanted, scripts):
            layer = State(state)
            layer.put(ARGUMENTS, positionals(inner.positionals))
            if name == "start" and name not in scripts:
                run_line(m, layer, execution, ("node server.js",), "", directory=parent(path))
            for part in ("pre" + name, name, "post" + name):
                text = scripts.get(part)
                if text:
                    # What follows the name is put behind the script's text.
                    text += ' "$@"' if inner.positionals and part == name else ""
                    label = "" if part == name else part
                    run_line(m, layer, execution, (text,), label, directory=parent(path))


def _matching(wanted: str, scripts: Mapping[str, str]) -> list[str]:
    if "*" not in wanted:
        return [wanted]
    head, _, tail = wanted.partition("*")
    tail = tail.lstrip("*")
    return [name for name in scripts if name.startswith(head) and name.endswith(tail)]
