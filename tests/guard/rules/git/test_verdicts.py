from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("git") + cases("git_more"))
def test_git_is_decided_as_specified(case):
    check(case)
