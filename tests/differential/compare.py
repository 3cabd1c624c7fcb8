"""The interpreter's executions against what bash has started."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tests.differential.oracle import STUBS

from cc_safety_net.guard.interpret.facts import Execution, Glob, Unknown, Word, literal
from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.place import Place
from cc_safety_net.guard.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from tests.differential.oracle import Oracle, Record

    from cc_safety_net.guard.interpret.facts import Reading


class Verdict(NamedTuple):
    """missed: started by bash, not among ours. known: nothing was left open on our side.

    exact: ours are bash's, one for one. skipped: why the command was not compared, "".
    """

    text: str
    missed: list[Record]
    known: bool
    exact: bool
    ours: list[str]
    real: list[Record]
    opaque: bool
    skipped: str = ""


class Figures:
    """Totals over many commands."""

    def __init__(self) -> None:
        self.commands = self.started = self.missed = self.known = self.exact = self.opaque = 0
        self.skipped = 0

    def add(self, verdict: Verdict) -> None:
        self.commands += 1
        self.started += len(verdict.real)
        self.missed += len(verdict.missed)
        self.known += verdict.known
        self.exact += verdict.known and verdict.exact
        self.opaque += verdict.opaque
        self.skipped += bool(verdict.skipped)

    def __str__(self) -> str:
        sound = 1 - self.missed / max(1, self.started)
        precise = self.exact / max(1, self.known)
        return (
            f"{self.commands} commands, {self.started} executions in bash; sound {sound:.4%} "
            f"({self.missed} missed); wholly known {self.known}, of these exact {precise:.4%}; "
            f"{self.opaque} with code that is reported as opaque; {self.skipped} skipped"
        )


def compare(oracle: Oracle, texts: Sequence[str]) -> list[Verdict]:
    """Read the commands, then run them, then compare."""
    oracle.places(len(texts))
    oracle.link()
    readings = [read(oracle, number, text) for number, text in enumerate(texts, 1)]
    records = oracle.run(list(texts))
    return [
        Verdict(text, [], known=False, exact=False, ours=[], real=[], opaque=False, skipped=reading)
        if isinstance(reading, str)
        else _verdict(text, reading, real)
        for text, reading, real in zip(texts, readings, records, strict=True)
    ]


def read(oracle: Oracle, number: int, text: str) -> Reading | str:
    """The reading, or the limit that was met."""
    project = oracle.project(number)
    home = project[: -len("proj")] + "home"
    environment = {"HOME": home, "USER": "dev", "TMPDIR": f"{oracle.root}/tmp"}
    world = World(environment, home, project)
    place = Place(project, (project,), home, (f"{oracle.root}/tmp", "/tmp"))
    try:
        return read_shell(text, "posix", place, world, Effort())
    except LimitReached as limit:
        return limit.what


def _verdict(text: str, reading: Reading, real: list[Record]) -> Verdict:
    ours = [e for e in reading.executions if e.program in STUBS or not e.program]
    missed = [record for record in real if not any(covers(e, record) for e in ours)]
    opaque = bool(reading.codes)
    if opaque:
        missed = []
    known = not opaque and all(_is_known(e) for e in ours)
    exact = known and Counter(_call(e) for e in ours) == Counter((r.argv, r.cwd) for r in real)
    return Verdict(text, missed, known, exact, [repr(e) for e in ours], real, opaque)


def _call(execution: Execution) -> tuple[tuple[str, ...], str | None]:
    argv = tuple(word.text or "" for word in execution.argv)
    name = argv[0].rpartition("/")[2]
    return (name, *argv[1:]), execution.cwds[0]


def _is_known(execution: Execution) -> bool:
    if (
        not execution.certain
        or execution.after
        or len(execution.cwds) != 1
        or execution.cwds[0] is None
    ):
        return False
    return all(word.text is not None and not word.splits for word in execution.argv)


def covers(execution: Execution, record: Record) -> bool:
    """The call of the record is one that the execution allows for."""
    if None not in execution.cwds and record.cwd not in execution.cwds:
        return False
    fed = record.stdin is not None and execution.stdin is not None
    if fed and not _matches(execution.stdin, record.stdin):
        return False
    return _words_cover(execution.argv, record.argv)


def _words_cover(words: Sequence[Word], argv: Sequence[str]) -> bool:
    if not words:
        return not argv
    first, rest = words[0], words[1:]
    for choice in first.choices:
        pattern = list(choice)
        several = first.splits or any(isinstance(piece, Glob) for piece in choice)
        most = len(argv) if several else 1
        for count in range(0 if first.splits else 1, most + 1):
            if count > len(argv):
                break
            joined = " ".join(argv[:count])
            fits = _fits(pattern, joined) if not several or count == 1 else True
            if fits and _words_cover(rest, argv[count:]):
                return True
    return False


def _matches(word: Word, text: str) -> bool:
    """An unknown word among those of `echo` may be none, and its blank with it."""
    return any(_fits([_blank(p) for p in choice], _blank(text)) for choice in word.choices)


def _blank(piece: Any) -> Any:
    return "".join(piece.split()) if isinstance(piece, str) else piece


def _fits(pieces: list[object], text: str) -> bool:
    known = literal(tuple(pieces))  # type: ignore[arg-type]
    if known is not None:
        if "/" in known and text == known.rpartition("/")[2]:
            return True
        return known == text
    first = pieces[0]
    if isinstance(first, str):
        return text.startswith(first) and _fits(pieces[1:], text[len(first) :])
    assert isinstance(first, (Unknown, Glob)), first
    if len(pieces) == 1:
        return True
    return any(_fits(pieces[1:], text[at:]) for at in range(len(text) + 1))


def table(path: Path) -> list[str]:
    """The hand-written commands: one a line, `⏎` for a newline, `##` begins a heading."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.replace("⏎", "\n") for line in lines if line and not line.startswith("##")]
