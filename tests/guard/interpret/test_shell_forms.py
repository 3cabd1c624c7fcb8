"""What the engine says about forms that only one shell has, or that few people type."""

from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("shell_forms"))
def test_a_form_of_the_shell_is_read_as_the_shell_reads_it(case: dict[str, str]) -> None:
    check(case)
