"""Effort ends a reading, and the reference lists every limit with its value."""

from __future__ import annotations

from pathlib import Path

import pytest

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import Effort, LimitReached

REFERENCE = Path(__file__).parents[2] / "docs/reference/limits.md"


def test_the_reference_lists_every_limit_with_its_value():
    listed = {}
    for line in REFERENCE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[2].startswith("`"):
            digits = "".join(c for c in cells[1] if c.isdigit())
            listed[cells[2].strip("`")] = int(digits)

    constants = {name for name in vars(limits) if name.isupper() and name[0] != "_"}
    assert listed == {name: getattr(limits, name) for name in constants - {"TYPE_CHECKING"}}


def test_effort_that_is_spent_names_the_construct():
    effort = Effort(steps=10_000)
    effort.spend(9_000, "a loop")

    with pytest.raises(LimitReached) as caught:
        effort.spend(9_000, "a loop")

    assert (caught.value.rule, caught.value.what) == ("guard.time-budget", "a loop")


def test_the_clock_is_the_last_fence():
    effort = Effort(time_ns=-1)

    with pytest.raises(LimitReached):
        effort.spend(5_000, "x")
