from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("self"))
def test_what_concerns_the_guard_itself_is_decided_as_specified(case):
    check(case)
