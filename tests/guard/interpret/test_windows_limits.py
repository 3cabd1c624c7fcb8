"""Text for PowerShell and cmd.exe costs in proportion to its length and raises nothing else."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort, LimitReached

_POWERSHELL = (
    "ri a;", '"a $x" ', "'a' + ", "a ", "a", "gci | ", "$a += 'x';", "$h.a = 1;", "$(", "(", "{",
    "if ($x) { ri a } ", "@'\nx\n'@\n", "<# #> ", "`", "!", "@(1, ", ".a", "[0]", "cd a;", "[int]",
    "%{", "&{ri a};", "function f{g};", "$env:A = 'b';", "echo a > f;", "@{a=", '"$(',
    "#",
)  # fmt: skip
_CMD = (
    "rd a&", "(", "^", "%A%", "%", "!", "set A=%A%b&", "if a==b rd a&", "for %i in (a b) do ", '"a',
    "echo a|", "a ", "a", "echo a>f&", "rd a\n", "(rd a)\n", "call ", "start ", "cd a&", "@", "<",
    "^\n", "rem a\n", "pushd a&", "if exist a ",
)  # fmt: skip


def _cost(text, dialect):
    effort = Effort(10**9, 10**12)
    try:
        read_shell(text, dialect, place(), workspace(), effort)
    except LimitReached as caught:
        # A limit stops the reading early; it is no measure of the rest.
        return effort.total - effort.left, caught.rule
    return effort.total - effort.left, ""


@pytest.mark.parametrize(
    ("dialect", "unit"),
    [("powershell", unit) for unit in _POWERSHELL] + [("cmd", unit) for unit in _CMD],
)
def test_effort_grows_with_the_length(dialect, unit):
    costs = []
    for size in (12_500, 25_000, 50_000, 100_000):
        cost, stopped = _cost(unit * (size // len(unit)), dialect)
        assert cost < 2_000_000
        if not stopped:
            costs.append(cost)

    # Below this a ratio says nothing about growth.
    grown = [after / before for before, after in pairwise(costs) if before > 5_000]
    assert all(ratio <= 2.3 for ratio in grown), costs


_PIECES = (
    "Remove-Item", "ri", "del", "rd", "/s", "-r", "-Path:", "C:\\", "~", "$x", "$(", ")", "(", "{",
    "}", "@{", "@(", "'", '"', "`", "^", "%x", "%X%", "!", "|", "&", "&&", ";", "\n", "[", "]",
    "::",
    ".Delete(", "iex", "% {", "if", "else", "for", "foreach", "in", "do", "switch", "try", "param",
    "function", "=", "+=", ",", "..", "-f", "-join", ">", ">>", "2>&1", "<", "<#", "@'\n", "\n'@",
    "--%", "call", "start", "set A=", "cd", "echo", "rem", "exist", "==", "\\\\s\\x", "é", "“",
    "\0",
)  # fmt: skip


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(8))
def test_random_text_raises_nothing_but_limits(seed):
    source = random.Random(seed)
    world = workspace()
    for _ in range(250):
        between = source.choice(("", " "))
        text = between.join(source.choice(_PIECES) for _ in range(source.randrange(1, 16)))
        for dialect in ("powershell", "cmd", "auto"):
            try:
                read_shell(text, dialect, place(), world, Effort())
            except LimitReached:
                continue
