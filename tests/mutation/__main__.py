"""Mutation testing of the rules and the interpreter: `python -m tests.mutation`.

A sample of mutants, drawn with a seed, as many from `guard/rules` as from `guard/interpret`. Each
runs in processes of its own: first the rows that run the changed line (tables, cases, examples,
everyday commands, commands that bash has run), then the tests that mirror the module.
Prints one JSON line a mutant, and the share that was killed.

--sample N --seed N --folder PATH   which mutants; --only MODULE:NUMBER   one of them
--again FILE   those that survived in an earlier output, found by what they change
--map FOLDER   keeps the record of what reaches what; only good for the tree it was made from
"""

from __future__ import annotations

import argparse
import gc
import importlib.abc
import importlib.machinery
import json
import os
import pickle
import pkgutil
import random
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tests.mutation import rows as table
from tests.mutation.mutants import Mutant, count, described, mutant
from tests.mutation.reach import Rows, failing_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ROOT = Path(__file__).parent.parent.parent
_SOURCE = _ROOT / "src"
_FOLDERS = ("guard/rules", "guard/interpret")
#: Seconds of processor time for one row, for one test, and bytes of memory.
_ROW_SECONDS = 10
_TEST_SECONDS = 60
_MEMORY = 4 << 30
#: A mutant meets so many rows at most, the likeliest first; one of a table so many that say none
#: of the words of its line.
_ROWS = 1_500
_UNLIKELY_ROWS = 200
_TIME = "time"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the mutant in place of its module."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self._name = name
        self._path = path
        self._code = code

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> Any:
        if fullname != self._name:
            return None
        package = self._path.name == "__init__.py"
        return importlib.machinery.ModuleSpec(fullname, self, is_package=package)

    def exec_module(self, module: Any) -> None:
        exec(self._code, module.__dict__)


class Record:
    """The rows, and what they run on the unchanged tree.

    new: rows that came after the record was made; nobody knows what they run. telling: places of
    those that have an outcome in a golden file.
    """

    def __init__(self, rows: list[table.Row], reach: Rows, new: list[table.Row]) -> None:
        self.rows = rows
        self.reach = reach
        self.new = new
        self.telling = pickle.loads(_in_child(lambda: pickle.dumps(_telling(rows))))

    def rows_for(self, path: Path, found: Mutant) -> list[table.Row]:
        """Those that can notice the change, the likeliest first."""
        reached = self.reach.of(str(path), found)
        words = [found.literal, *([] if found.function else found.beside)]
        words = [word for word in words if len(word) > 1]
        if not found.function:
            reached |= {at for word in words for at in self._naming(word)} or self._all()
        chosen = sorted(reached - set(self.reach.wrong))
        random.Random(0).shuffle(chosen)
        named = {word: self._naming(word) for word in words}
        # Rows with an outcome tell most: first among those as likely.
        chosen.sort(key=lambda at: at not in self.telling)
        chosen.sort(key=lambda at: next((n for n, w in enumerate(words) if at in named[w]), 99))
        likely = sum(1 for at in chosen if any(at in named[w] for w in words))
        most = _ROWS if found.function else likely + _UNLIKELY_ROWS
        return [*self.new, *(self.rows[at] for at in chosen[: min(most, _ROWS)])]

    def _all(self) -> set[int]:
        return set(range(len(self.rows)))

    def _naming(self, word: str) -> set[int]:
        if len(word) < 2:
            return set()
        return {at for at, row in enumerate(self.rows) if word in table.text(row)}


def _telling(rows: list[table.Row]) -> frozenset[int]:
    known = table.outcomes()
    return frozenset(at for at, row in enumerate(rows) if table.outcome_key(row) in known)


def modules(folders: Sequence[str]) -> list[Path]:
    found = []
    for folder in folders:
        base = _SOURCE / "cc_safety_net" / folder
        found += sorted(base.rglob("*.py")) if base.is_dir() else [base]
    return [p for p in found if not p.name.endswith("_rules.py")]


def _name(path: Path) -> str:
    parts = path.relative_to(_SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _all(paths: list[Path]) -> list[tuple[Path, int]]:
    return [(path, n) for path in paths for n in range(count(path.read_text("utf-8")))]


def _sample(folders: Sequence[str], size: int, seed: int) -> list[tuple[Path, int]]:
    """As many of each folder, in the order drawn: a run that is cut short is a fair sample too."""
    generator = random.Random(seed)
    drawn = []
    for folder in folders:
        everything = _all(modules([folder]))
        print(f"{len(everything)} mutants in {folder}", file=sys.stderr)
        drawn.append(generator.sample(everything, min(size // len(folders), len(everything))))
    return [entry for several in zip(*drawn, strict=False) for entry in several]


def _again(file: Path) -> list[tuple[Path, int]]:
    """The survivors of an earlier run, wherever they stand now; those that are gone are told."""
    entries = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    wanted = [entry for entry in entries if not entry["killer"]]
    found = []
    for entry in wanted:
        name = entry["mutant"].partition(":")[0]
        base = _SOURCE / Path(*name.split("."))
        path = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        told = described(path.read_text("utf-8")) if path.exists() else []
        wanted_one = (entry["text"], entry["what"])
        here = [(path, n) for n, one in enumerate(told) if one == wanted_one]
        if len(here) > entry["nth"]:
            found.append(here[entry["nth"]])
        else:
            print(f"gone: {entry['mutant']} {entry['what']}: {entry['text']}", file=sys.stderr)
    return found


def _record(folder: Path) -> Record:
    """Each part in a child, so that nothing of the guard is loaded here."""
    rows, reach = _kept(folder / "rows", lambda: _recorded_rows(folder / "bash"))
    known = {json.dumps(row, sort_keys=True) for row in rows}
    all_rows = pickle.loads(_in_child(lambda: pickle.dumps(table.rows())))
    new = [row for row in all_rows if json.dumps(row, sort_keys=True) not in known]
    right = _in_child(lambda: pickle.dumps([row for row in new if not _is_wrong(row)]))
    return Record(rows, reach, pickle.loads(right))


def _is_wrong(row: table.Row) -> bool:
    wrong = table.first_wrong([row], lambda: None)
    if wrong is not None:
        print(f"left out, wrong as it is: {table.name(row)}", file=sys.stderr)
    return wrong is not None


def _kept(file: Path, make: Callable[[], Any]) -> Any:
    if not file.exists():
        start = time.monotonic()
        file.write_bytes(pickle.dumps(make()))
        print(f"{file.name} recorded in {time.monotonic() - start:.0f} s", file=sys.stderr)
    return pickle.loads(file.read_bytes())


def _recorded_rows(scratch: Path) -> tuple[list[table.Row], Rows]:
    rows = pickle.loads(_in_child(lambda: pickle.dumps(table.rows())))
    rows += pickle.loads(_in_child(lambda: pickle.dumps(table.bash_rows(scratch))))
    random.Random(0).shuffle(rows)
    reach = pickle.loads(_in_child(lambda: pickle.dumps(Rows().record(rows))))
    print(f"{len(rows)} rows", file=sys.stderr)
    for at in reach.wrong:
        print(f"left out, wrong as it is: {table.name(rows[at])}", file=sys.stderr)
    return rows, reach


def _killer(path: Path, found: Mutant, record: Record) -> str:
    """The row or test that notices, "time" if one does not end, "" if none does."""
    rows = record.rows_for(path, found)

    def by_row() -> bytes:
        _prepare(path, found)
        wrong = table.first_wrong(rows, lambda: _seconds(_ROW_SECONDS))
        return table.name(wrong).encode() if wrong is not None else b""

    def by_test() -> bytes:
        _prepare(path, found)
        failed = failing_test(str(path), lambda: _seconds(_TEST_SECONDS))
        return f"test: {failed}".encode() if failed else b""

    if rows and (killer := _in_child(by_row).decode()):
        return killer
    return _in_child(by_test).decode()


def _prepare(path: Path, found: Mutant) -> None:
    """The mutant takes effect: a function gets its new code, another change a fresh start."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    code = compile(found.tree, str(path), "exec")
    if found.outer and _replaced(sys.modules[_name(path)], found.outer, code):
        return
    for name in list(sys.modules):
        if name.startswith(("cc_safety_net", "tests.")) and not name.startswith("tests.mutation"):
            del sys.modules[name]
    sys.meta_path.insert(0, _Finder(_name(path), path, code))


def _replaced(module: ModuleType, name: tuple[str, ...], code: CodeType) -> bool:
    """The function with this name, of the module or of a class, now runs the mutant's code."""
    holder: Any = module
    for part in name:
        holder = vars(holder).get(part)
        inner = [c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == part]
        if holder is None or len(inner) != 1:
            return False
        code = inner[0]
    function = getattr(holder, "fget", None) or getattr(holder, "__func__", holder)
    if not isinstance(function, FunctionType):
        return False
    function.__code__ = code
    return True


def _load_all() -> None:
    """The whole guard, so that a mutant's process begins with all of it."""
    from cc_safety_net import guard

    for found in pkgutil.walk_packages(guard.__path__, guard.__name__ + "."):
        importlib.import_module(found.name)
    for name in ("agents.claude_code.protocol", "agents.catalogue"):
        importlib.import_module(f"cc_safety_net.{name}")
    importlib.import_module("tests.guard.verdicts")
    importlib.import_module("tests.differential.compare")


def _seconds(seconds: int) -> None:
    """The process ends when this much processor time is used."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _in_child(work: Callable[[], bytes]) -> bytes:
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
            with os.fdopen(target, "wb") as stream:
                stream.write(work())
            status = 0
        finally:
            os._exit(status)
    os.close(target)
    with os.fdopen(source, "rb") as stream:
        result = stream.read()
    _, status = os.waitpid(child, 0)
    if status and not result:
        return _TIME.encode() if os.WIFSIGNALED(status) else b"crash"
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", action="append")
    parser.add_argument("--only", action="append")
    parser.add_argument("--again", type=Path)
    parser.add_argument("--map", type=Path)
    options = parser.parse_args()
    folders = options.folder or _FOLDERS
    if options.only:
        chosen = [(p, n) for p, n in _all(modules(folders)) if f"{_name(p)}:{n}" in options.only]
    elif options.again:
        chosen = _again(options.again)
    else:
        chosen = _sample(folders, options.sample, options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.map or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        record = _record(folder)
        _load_all()
        gc.freeze()
        killed = _try(chosen, record)
    late = killed.count(_TIME)
    total = len(killed) - killed.count("")
    print(f"{total} of {len(killed)} killed, {late} of them by time", file=sys.stderr)
    return 0


def _try(chosen: list[tuple[Path, int]], record: Record) -> list[str]:
    killers = []
    for path, number in chosen:
        source = path.read_text("utf-8")
        found = mutant(source, number)
        start = time.monotonic()
        told = described(source)
        text, what = told[number]
        killer = _killer(path, found, record)
        killers.append(killer)
        entry = {
            "mutant": f"{_name(path)}:{number}",
            "line": found.line,
            "what": what,
            "text": text,
            "nth": told[:number].count(told[number]),
            "killer": killer,
            "seconds": round(time.monotonic() - start, 1),
        }
        print(json.dumps(entry), flush=True)
    return killers


if __name__ == "__main__":
    sys.exit(main())
