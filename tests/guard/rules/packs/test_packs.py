from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("packs"))
def test_services_are_protected_as_listed(case):
    check(case)
