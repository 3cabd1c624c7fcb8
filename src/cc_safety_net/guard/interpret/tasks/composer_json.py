"""Scripts of composer.json (`composer run X`): texts, lists, and `@` references."""

from __future__ import annotations

from cc_safety_net.guard.interpret.scripts import nearest, opaque, read, within
from cc_safety_net.guard.interpret.state import ARGUMENTS, State
from cc_safety_net.guard.interpret.tasks.shell_lines import run_line
from cc_safety_net.guard.json_text import JsonError, decode_json
from cc_safety_net.guard.paths import parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

#: Scripts that refer to one another.
_REFERENCES = 32


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Run the script that `inner.target` names."""
    if inner.target is None:
        return
    for path in nearest(m, state.cwds, ("composer.json",)):
        within(m, execution, inner.path, path, _run, m, state, execution, inner, path)


def _run(m: Machine, state: State, execution: Execution, inner: InnerFile, path: str) -> None:
    from cc_safety_net.guard.interpret.calls import positionals

    text = read(m, path)
    try:
        content: Any = None if text is None else decode_json(text)
    except JsonError:
        content = None
    if not isinstance(content, dict) or inner.target is None or inner.target.texts is None:
        opaque(m, execution, inner.path, path)
        return
    scripts = content.get("scripts")
    if not isinstance(scripts, dict):
        return
    layer = State(state)
    layer.put(ARGUMENTS, positionals(inner.positionals))
    arguments = ' "$@"' if inner.positionals else ""
    todo = list(inner.target.texts)
    seen: set[str] = set()
    while todo and len(seen) < _REFERENCES:
        name = todo.pop(0)
        if name in seen:
            continue
        seen.add(name)
        for line in _lines(scripts, name):
            if line.startswith("@") and line[1:].partition(" ")[0] in scripts:
                todo.append(line[1:].partition(" ")[0])
                continue
            command = _command(line)
            if command:
                run_line(m, layer, execution, (command + arguments,), "", directory=parent(path))


def _lines(scripts: Mapping[str, Any], name: str) -> list[str]:
    found = scripts.get(name)
    lines = found if isinstance(found, list) else [found]
    return [line for line in lines if isinstance(line, str)]


def _command(line: str) -> str:
    """The text for a shell; "" for a method of a class."""
    if line.startswith("@putenv "):
        return "export " + line[8:]
    if line.startswith(("@php ", "@composer ")):
        return line[1:]
    return "" if "::" in line and " " not in line else line
