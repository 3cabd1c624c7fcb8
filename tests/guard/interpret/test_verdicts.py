from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("reading"))
def test_what_a_shell_would_do_decides(case):
    check(case)
