"""`python -m NAME`: a module or package of the project; those of the installation are not read."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

#: Where a project keeps its packages: beside the call, or installed from `src`.
_FOLDERS = ("", "src/")


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Hands the module's file to the reader of Python."""
    for name in inner.path.texts or ():
        if not all(part.isidentifier() for part in name.split(".")):
            continue
        for package in _packages(m, state, name):
            _run(m, state, execution, inner, known(package, inner.path.start, inner.path.end))
        path = _find(m, state, name.replace(".", "/"))
        if path:
            _run(m, state, execution, inner, known(path, inner.path.start, inner.path.end))


def _run(m: Machine, state: State, execution: Execution, inner: InnerFile, path: Word) -> None:
    from cc_safety_net.guard.interpret.scripts import run_file
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

    file = InnerFile(inner.label, "python", path, positionals=inner.positionals)
    run_file(m, state, execution, file)


def _packages(m: Machine, state: State, name: str) -> list[str]:
    """The packages that hold the module run first, and the module's own package."""
    parts = name.split(".")
    for cwd in state.cwds:
        for folder in _FOLDERS if cwd is not None else ():
            base = join(cwd or "/", folder)
            names = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
            paths = [join(base, f"{each}/__init__.py") for each in names]
            found = [path for path in paths if path in m.files or m.world.is_file(path)]
            if found:
                return found
    return []


def _find(m: Machine, state: State, module: str) -> str:
    for cwd in state.cwds:
        for folder in _FOLDERS if cwd is not None else ():
            for ending in ("/__main__.py", ".py"):
                path = join(cwd or "/", folder + module + ending)
                if path in m.files or m.world.is_file(path):
                    return path
    return ""
