"""bash and the parser accept and refuse the same texts (the long form: see bash_agreement)."""

from __future__ import annotations

import pytest
from tests.differential import bash_agreement, bash_words


@pytest.mark.differential
def test_generated_texts_are_accepted_as_by_bash() -> None:
    outcomes, used, unexplained = bash_agreement.run(seed=1, count=400, mutate=False)
    assert unexplained == []
    assert outcomes["same"] >= 390
    assert len(used) >= 100
    assert min(used.values()) > 0


@pytest.mark.differential
def test_changed_texts_are_accepted_as_by_bash() -> None:
    outcomes, _, unexplained = bash_agreement.run(seed=5, count=400, mutate=True)
    assert len(unexplained) <= 2
    assert outcomes["same"] >= 390


@pytest.mark.differential
def test_words_are_split_and_unquoted_as_by_bash() -> None:
    counts, different = bash_words.run(seed=3, count=1_000)
    assert different == []
    assert len(counts) == 11
    assert min(counts.values()) > 100
