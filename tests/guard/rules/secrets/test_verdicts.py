from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("secrets"))
def test_secrets_are_protected_as_listed(case):
    check(case)


@pytest.mark.parametrize("case", cases("secrets_more"))
def test_other_spellings_and_everyday_work_are_decided_alike(case):
    check(case)
