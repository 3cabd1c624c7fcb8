"""Long inputs that are no shell text of POSIX: they end in an answer, in proportion to length."""

from __future__ import annotations

import pytest
from tests.guard.other_constructs import HARM, ROWS, call_of

from cc_safety_net.guard import limits
from cc_safety_net.guard.engine import Judgement, judge
from cc_safety_net.guard.limits import Effort

#: Text that the language's own reader takes for no code at all runs nothing, whatever follows.
_BROKEN = frozenset(
    (
        "python: a huge number", "python: lists in lists", "powershell: loops in loops",
        "python: parentheses", "python: nested calls", "python: broken",
        "javascript: nested templates", "javascript: open text", "perl: nested q",
        "ruby: many here-documents", "ruby: dos", "applescript: open comments", "sed: a class",
        "sql: open block comments", "tcl: braces",
    )
)  # fmt: skip
#: Each of these commands is given all that those before it set, and each bar a copy of its rest:
#: counted for what it costs, and ended by the budget.
_PRODUCTS = frozenset(("cmd: sets", "vim: bars"))


@pytest.fixture
def efforts(monkeypatch: pytest.MonkeyPatch) -> list[Effort]:
    """The counters of the decisions that are made, without the clock."""
    made: list[Effort] = []
    before = Effort.__init__

    def init(self: Effort, steps: int = limits.STEPS, _: int = 0) -> None:
        before(self, steps, 10**12)
        made.append(self)

    monkeypatch.setattr(Effort, "__init__", init)
    return made


def _judged(row: str, size: int, behind: str = "") -> Judgement:
    judgement = judge(*call_of(row, size, behind=behind))
    finding = judgement.decision.finding
    assert judgement.error == ""
    assert finding is None or finding.rule != "guard.internal-error"
    return judgement


def _steps(row: str, size: int, efforts: list[Effort]) -> int:
    efforts.clear()
    _judged(row, size)
    return sum(effort.total - effort.left for effort in efforts)


@pytest.mark.parametrize("row", [row for row in ROWS if row not in _PRODUCTS])
def test_twice_the_text_takes_about_twice_the_steps(row: str, efforts: list[Effort]) -> None:
    small = _steps(row, 3_000, efforts)
    large = _steps(row, 6_000, efforts)

    # The end of the budget may come first: that is bounded anyhow.
    assert large <= small * 2.3 + 200 or large > limits.STEPS


@pytest.mark.parametrize("row", ROWS)
def test_a_limit_is_named(row: str, efforts: list[Effort]) -> None:
    finding = _judged(row, 30_000).decision.finding

    assert efforts
    if finding is not None and finding.rule in ("guard.time-budget", "guard.input-limit"):
        assert finding.values["what"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.partition(": ")[0] in HARM and row not in _BROKEN]
)
def test_nothing_passes_because_it_stands_behind_much(row: str) -> None:
    behind = HARM[row.partition(": ")[0]]

    assert _judged(row, 20_000, behind).decision.verdict == "deny"


def test_names_behind_many_are_not_forgotten() -> None:
    names = ", ".join(f"'a{number}'" for number in range(100))
    for text, dialect in (
        (f"foreach ($i in {names}, '/etc') {{ Remove-Item -Recurse -Force $i }}", "powershell"),
        (f"for %i in ({names.replace(chr(39), '')} C:\\Windows) do rd /s /q %i", "cmd"),
    ):
        call, world = call_of("cmd: commands", 10)
        call.command, call.dialect = text, dialect
        assert judge(call, world).decision.verdict == "deny", text
