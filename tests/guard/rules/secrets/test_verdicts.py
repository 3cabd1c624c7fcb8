from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("secrets"))
def test_secrets_are_protected_as_listed(case):
    check(case)
