"""Targets of Nx projects (`nx run api:build`): project.json, or the scripts of package.json."""

from __future__ import annotations

from cc_safety_net.guard.interpret.scripts import nearest, opaque, read, within
from cc_safety_net.guard.interpret.state import State
from cc_safety_net.guard.interpret.tasks.package_json import name_of, scripts_of, workspaces
from cc_safety_net.guard.interpret.tasks.shell_lines import run_line
from cc_safety_net.guard.json_text import JsonError, decode_json
from cc_safety_net.guard.paths import basename, join, normalise, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

_FOLDERS = ("packages", "apps", "libs", "tools")
_MANY = 32


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Run `inner.target` of the project `inner.path`, of each for `*`."""
    target = inner.target.text if inner.target is not None else None
    roots = nearest(m, state.cwds, ("nx.json", "package.json"))
    if target is None or inner.path.text is None:
        for root in roots[:1]:
            opaque(m, execution, inner.path, root)
        return
    for root in roots:
        for folder in _projects(m, root):
            for name in ("project.json", "package.json"):
                path = join(folder, name)
                if path in m.files or m.world.is_file(path):
                    within(m, execution, inner.path, path, _run, m, state, execution, inner, path)


def _projects(m: Machine, root: str) -> list[str]:
    top = parent(root)
    found = dict.fromkeys(
        [top, *(parent(path) for path in workspaces(m, join(top, "package.json")))]
    )
    for folder in _FOLDERS:
        for name in m.world.names(join(top, folder), _MANY) or ():
            found[f"{join(top, folder)}/{name}"] = None
    return list(found)[:_MANY]


def _run(m: Machine, state: State, execution: Execution, inner: InnerFile, path: str) -> None:
    wanted = inner.path.text or ""
    folder = parent(path)
    target = (inner.target.text or "") if inner.target is not None else ""
    if wanted not in ("*", name_of(m, path), basename(folder)):
        return
    text = read(m, path)
    if path.endswith("/package.json"):
        script = (scripts_of(text) or {}).get(target)
        lines = [script] if script else []
    else:
        lines = _lines(text, target)
    for line in lines:
        cwd = folder if path.endswith("/package.json") else _root(m, state, folder)
        run_line(m, State(state), execution, (line,), "", directory=cwd)


def _root(m: Machine, state: State, folder: str) -> str:
    found = nearest(m, state.cwds, ("nx.json",))
    return parent(found[0]) if found else normalise(folder)


def _lines(text: str | None, target: str) -> list[str]:
    """What a target of project.json runs by a shell."""
    try:
        content: Any = decode_json(text or "{}")
    except JsonError:
        return []
    targets = content.get("targets") if isinstance(content, dict) else None
    given = targets.get(target) if isinstance(targets, dict) else None
    if not isinstance(given, dict):
        return []
    options = given.get("options")
    options = options if isinstance(options, dict) else {}
    commands = options.get("commands")
    found = [given.get("command"), options.get("command")]
    found += [
        each.get("command") if isinstance(each, dict) else each
        for each in (commands if isinstance(commands, list) else ())
    ]
    return [line for line in found if isinstance(line, str)]
