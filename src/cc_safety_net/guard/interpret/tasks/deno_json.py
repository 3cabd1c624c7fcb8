"""Tasks of deno.json (`deno task X`): texts, or objects with a command and what comes before."""

from __future__ import annotations

from cc_safety_net.guard.interpret.scripts import nearest, opaque, read, within
from cc_safety_net.guard.interpret.state import ARGUMENTS, State
from cc_safety_net.guard.interpret.tasks.shell_lines import run_line
from cc_safety_net.guard.json_text import JsonError, decode_json
from cc_safety_net.guard.paths import parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

_TASKS = 32


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Run the task that `inner.target` names: of deno.json, else a script of package.json."""
    if inner.target is None:
        return
    for path in nearest(m, state.cwds, ("deno.json", "deno.jsonc", "package.json")):
        within(m, execution, inner.path, path, _run, m, state, execution, inner, path)


def _run(m: Machine, state: State, execution: Execution, inner: InnerFile, path: str) -> None:
    from cc_safety_net.guard.interpret.calls import positionals

    text = read(m, path)
    try:
        content: Any = None if text is None else decode_json(plain(text))
    except JsonError:
        content = None
    if not isinstance(content, dict) or inner.target is None or inner.target.texts is None:
        opaque(m, execution, inner.path, path)
        return
    tasks = content.get("tasks", content.get("scripts"))
    if not isinstance(tasks, dict):
        return
    layer = State(state)
    layer.put(ARGUMENTS, positionals(inner.positionals))
    arguments = ' "$@"' if inner.positionals else ""
    todo = list(inner.target.texts)
    done: set[str] = set()
    while todo and len(done) < _TASKS:
        name = todo.pop(0)
        task = tasks.get(name)
        if name in done:
            continue
        done.add(name)
        if isinstance(task, dict):
            before = task.get("dependencies")
            todo.extend(each for each in before or () if isinstance(each, str))
            task = task.get("command")
        if isinstance(task, str):
            run_line(m, layer, execution, (task + arguments,), "", directory=parent(path))


def plain(text: str) -> str:
    """JSON with comments and trailing commas as plain JSON."""
    out: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == '"':
            end = _string_end(text, at)
            out.append(text[at:end])
            at = end
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            at = len(text) if end < 0 else end + 2
        else:
            if sign in "]}":
                _drop_comma(out)
            out.append(sign)
            at += 1
    return "".join(out)


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _drop_comma(out: list[str]) -> None:
    at = len(out) - 1
    while at >= 0 and out[at].isspace():
        at -= 1
    if at >= 0 and out[at] == ",":
        del out[at]
