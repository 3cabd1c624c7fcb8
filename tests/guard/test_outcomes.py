from __future__ import annotations

import pytest
from tests.guard.outcomes import golden, outcome


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case['command'][:80]}") for case in golden()]
)
def test_a_command_is_seen_as_the_golden_file_says(case):
    # `python -m tests.guard.outcomes` writes the files anew; their diff is to be read.
    assert outcome(case) == case["outcome"]
