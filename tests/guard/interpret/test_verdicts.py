from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("reading"))
def test_what_a_shell_would_do_decides(case):
    check(case)


@pytest.mark.parametrize("case", cases("programs"))
def test_each_program_that_is_known_does_what_its_manual_says(case):
    check(case)


@pytest.mark.parametrize("case", cases("paths"))
def test_each_place_that_is_known_is_guarded_or_free(case):
    check(case)


@pytest.mark.parametrize("case", cases("inline_calls"))
def test_each_function_that_is_known_acts_on_its_argument(case):
    check(case)
