"""Modules of the program itself that Python code imports; installed ones are not read."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.values import Scope, Value, text
from cc_safety_net.guard.paths import join, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.python import Run

#: Words behind which `-m` is no option of Python's own.
_OPTIONS = 8


def roots(host: CodeHost) -> list[str]:
    """Where Python looks first: beside the script, or where it runs; then `PYTHONPATH`."""
    named = host.script and not any(w.text == "-m" for w in host.execution.argv[1:_OPTIONS])
    found = host.folders if named else [cwd for cwd in host.cwds if cwd]
    if not named:
        found += [join(each, "src") for each in found]
    given = host.variable("PYTHONPATH")
    for each in (given.text or "").split(":") if given is not None else ():
        found += [join(cwd or "/", each) for cwd in host.cwds if each]
    return found


def load(run: Run, name: str, level: int = 0) -> Value | None:
    """The module `name` after it has run, None if no file of the program holds it.

    level: of a relative import, how many dots stand before the name.
    """
    host = run.host
    if level:
        base = parent(host.script) if host.script else ""
        for _ in range(level - 1):
            base = parent(base)
        bases = [base] if base else []
    else:
        bases = [*host.search, *run.roots]
    parts = [part for part in name.split(".") if part]
    for base in bases:
        paths = [_file(host, join(base, "/".join(parts[: n + 1]))) for n in range(len(parts))]
        if not parts:
            paths = [_file(host, base)]
        if not any(paths):
            continue
        return _run_all(run, parts or [""], paths)
    return None


def _file(host: CodeHost, path: str) -> str:
    return host.first_file((f"{path}/__init__.py", f"{path}.py"))


def _run_all(run: Run, parts: list[str], paths: list[str]) -> Value:
    """The packages run before what lies in them; each is an attribute of the one above."""
    above: Value | None = None
    for index, path in enumerate(paths):
        module = (
            _run(run, ".".join(parts[: index + 1]), path) if path else _folder(run, parts[index])
        )
        if above is not None:
            above.fields[parts[index]] = module
        above = module
    return above or _folder(run, "")


def _folder(run: Run, name: str) -> Value:
    """A folder without code of its own."""
    del run
    return Value("object", name=f"module {name}")


def _run(run: Run, name: str, path: str) -> Value:
    found = run.modules.get(path)
    if found is not None:
        return found
    found = run.modules[path] = Value("object", name="module")
    saved = (run.scope, run.stars, run.calls, run.returned)
    run.scope, run.stars, run.calls, run.returned = Scope(), [], [], []
    run.scope.own["__name__"] = text(name)
    run.scope.own["__file__"] = text(path)
    own = run.scope.own
    run.host.take_in(path, f"import {name}", run.run_text)
    found.fields.update(own)
    run.scope, run.stars, run.calls, run.returned = saved
    return found
