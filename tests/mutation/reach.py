"""Which rows run which line, and which tests mirror which module.

Recorded once on the unchanged tree, so that a mutant meets first, and only, what can notice it.
"""

from __future__ import annotations

import os
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.mutation import rows as table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.mutation.mutants import Mutant

_ROOT = Path(__file__).parent.parent.parent
_SOURCE = str(_ROOT / "src") + os.sep
_GUARD = _SOURCE + os.path.join("cc_safety_net", "guard", "")
#: They try lengths, or what the rows hold already.
_LEFT_OUT = ("test_examples.py", "test_windows_limits.py")
#: Tests of one module that a mutant is tried with at most.
_OF_A_MODULE = 60


class Rows:
    """reached: module's path below `src` -> line -> places of the rows that run it."""

    def __init__(self) -> None:
        self.reached: dict[str, dict[int, array[int]]] = {}
        self.wrong: list[int] = []

    def record(self, rows: Sequence[table.Row]) -> Rows:
        lines: dict[str, set[int]] = {}
        tracers: dict[str, Any] = {}

        def tracer(path: str) -> Any:
            seen = lines.setdefault(path, set())

            def local(frame: Any, _event: str, _value: object) -> Any:
                seen.add(frame.f_lineno)
                return local

            return local

        def enter(frame: Any, _event: str, _value: object) -> Any:
            code = frame.f_code
            path = code.co_filename
            if not path.startswith(_GUARD) or code.co_name == "<module>":
                return None
            if path not in tracers:
                tracers[path] = tracer(path)
            return tracers[path]

        for at, row in enumerate(rows):
            sys.settrace(enter)
            wrong = table.first_wrong([row], lambda: None)
            sys.settrace(None)
            if wrong is not None:
                self.wrong.append(at)
            for path, seen in lines.items():
                places = self.reached.setdefault(path.removeprefix(_SOURCE), {})
                for line in seen:
                    places.setdefault(line, array("H")).append(at)
                seen.clear()
        return self

    def of(self, path: str, found: Mutant) -> set[int]:
        """The rows that run the statement, or anything of the module if that is not in one."""
        places = self.reached.get(path.removeprefix(_SOURCE), {})
        first, last = found.statement if found.function else (0, sys.maxsize)
        wanted = [at for line, at in places.items() if first <= line <= last]
        return {row for rows in wanted for row in rows}


def _mirrored(path: str) -> list[str]:
    """The test module that mirrors a module, else those of its folder, or of the next one up."""
    inside = Path(path).relative_to(_ROOT / "src" / "cc_safety_net")
    folder = _ROOT / "tests" / inside.parent
    if (folder / f"test_{inside.name}").exists():
        return [str(folder / f"test_{inside.name}")]
    while not (found := sorted(folder.glob("test_*.py"))):
        folder = folder.parent
    return [str(module) for module in found if module.name not in _LEFT_OUT]


_QUIET = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(_ROOT)]


class _Some:
    """Evenly spaced tests of each module."""

    def __init__(self, before: Any) -> None:
        self._before = before
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        modules: dict[str, list[Any]] = {}
        for item in items:
            modules.setdefault(item.nodeid.partition("::")[0], []).append(item)
        items[:] = [i for m in modules.values() for i in m[:: -(-len(m) // _OF_A_MODULE)]]

    def pytest_runtest_setup(self) -> None:
        self._before()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def failing_test(path: str, before: Any) -> str:
    """The first of the mirrored tests that fails, ""; `before` is called ahead of each."""
    some = _Some(before)
    status = pytest.main(["-x", *_QUIET, *_mirrored(path)], plugins=[some])
    return some.failed or ("" if status in (0, 5) else f"pytest ends with {status}")
