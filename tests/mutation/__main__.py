"""Mutation testing of the rules and the interpreter: `python -m tests.mutation`.

A sample of mutants, drawn with a seed from all modules below `guard/rules` and `guard/interpret`
but the texts for people. Each runs in a process of its own: first the tables of verdicts until
one decides otherwise, then, if all agree, the tests that mirror the module. Prints one JSON line a
mutant, and the share that was killed.

--sample N --seed N --folder PATH   which mutants; --only MODULE:NUMBER   one of them
"""

from __future__ import annotations

import argparse
import functools
import importlib.abc
import importlib.machinery
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.mutation.mutants import Mutant, count, mutant

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator, Sequence

_ROOT = Path(__file__).parent.parent.parent
_SOURCE = _ROOT / "src"
_FOLDERS = ("guard/rules", "guard/interpret")
_SECONDS = 240


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the mutant in place of its module."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self._name = name
        self._path = path
        self._tree = tree

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> Any:
        if fullname != self._name:
            return None
        package = self._path.name == "__init__.py"
        return importlib.machinery.ModuleSpec(fullname, self, is_package=package)

    def exec_module(self, module: Any) -> None:
        exec(compile(self._tree, str(self._path), "exec"), module.__dict__)


def modules(folders: Sequence[str]) -> list[Path]:
    found = []
    for folder in folders:
        base = _SOURCE / "cc_safety_net" / folder
        found += sorted(base.rglob("*.py")) if base.is_dir() else [base]
    return [p for p in found if not p.name.endswith("_rules.py") and p.name != "__init__.py"]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(_SOURCE).with_suffix("").parts)


def _sample(paths: list[Path], size: int, seed: int) -> list[tuple[Path, int]]:
    everything = [(path, n) for path in paths for n in range(count(path.read_text("utf-8")))]
    print(f"{len(everything)} mutants in {len(paths)} modules", file=sys.stderr)
    if size >= len(everything):
        return everything
    # In the order drawn, so that a run that is cut short is a fair sample too.
    return random.Random(seed).sample(everything, size)


def _tests(path: Path) -> list[str]:
    """The test module that mirrors a module, else the tests of its folder."""
    inside = path.relative_to(_SOURCE / "cc_safety_net").parent
    folder = _ROOT / "tests" / inside
    while not folder.is_dir():
        folder = folder.parent
    mirrored = folder / f"test_{path.stem}.py"
    return [str(mirrored if mirrored.exists() else folder)]


def _cases() -> list[dict[str, str]]:
    tables = sorted((_ROOT / "tests" / "data" / "verdicts").glob("*.jsonl"))
    lines = [line for table in tables for line in table.read_text("utf-8").splitlines()]
    cases = [case for case in map(json.loads, lines) if "command" in case and "dialect" not in case]
    random.Random(0).shuffle(cases)
    return cases


def _disagreements(cases: list[dict[str, str]]) -> Iterator[int]:
    """Places of the cases that are decided otherwise."""
    from tests.guard.verdicts import check

    for at, case in enumerate(cases):
        try:
            check(case)
        except (Exception, AssertionError):  # noqa: BLE001 - whatever happens, it is noticed
            yield at


def _baseline(cases: list[dict[str, str]]) -> list[dict[str, str]]:
    """The cases that hold without a change; found in a child, so that nothing is loaded here."""
    wrong = set(json.loads(_in_child(lambda: json.dumps(list(_disagreements(cases))))))
    for at in sorted(wrong):
        print(f"left out, wrong as it is: {cases[at]}", file=sys.stderr)
    return [case for at, case in enumerate(cases) if at not in wrong]


def _killer(path: Path, found: Mutant, cases: list[dict[str, str]]) -> str:
    sys.meta_path.insert(0, _Finder(_name(path), path, found.tree))
    for at in _disagreements(cases):
        return cases[at]["command"][:200]
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *_tests(path)]
    killed = pytest.main(arguments) not in (0, 5)
    return f"tests of {path.relative_to(_SOURCE).parent}" if killed else ""


def _in_child(work: Callable[[], str], seconds: int = 0) -> str:
    """What the work yields in a process of its own."""
    source, target = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(source)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            signal.alarm(seconds)
            os.write(target, work().encode())
            status = 0
        finally:
            os._exit(status)
    os.close(target)
    with os.fdopen(source, "rb") as stream:
        result = stream.read().decode()
    _, status = os.waitpid(child, 0)
    if status and not result:
        return "time" if os.WIFSIGNALED(status) else "crash"
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", action="append")
    parser.add_argument("--part", default="1/1", help="the n-th of m equal parts of the sample")
    parser.add_argument("--only")
    options = parser.parse_args()
    paths = modules(options.folder or _FOLDERS)
    if options.only:
        name, _, number = options.only.partition(":")
        chosen = [(path, int(number)) for path in paths if _name(path) == name]
    else:
        part, parts = (int(text) for text in options.part.split("/"))
        chosen = _sample(paths, options.sample, options.seed)[part - 1 :: parts]
    cases = _baseline(_cases())
    killed = 0
    for path, number in chosen:
        found = mutant(path.read_text("utf-8"), number)
        start = time.monotonic()
        killer = _in_child(functools.partial(_killer, path, found, cases), _SECONDS)
        killed += bool(killer)
        entry = {
            "mutant": f"{_name(path)}:{number}",
            "line": found.line,
            "what": found.what,
            "killer": killer,
            "seconds": round(time.monotonic() - start, 1),
        }
        print(json.dumps(entry), flush=True)
    print(f"{killed} of {len(chosen)} killed", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
