from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("shell_code"))
def test_code_that_cannot_be_read_is_decided_as_listed(case):
    check(case)
