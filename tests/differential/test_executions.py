"""The interpreter against real bash.

Sound: every program that bash starts is among the executions. Precise: where the interpreter left
nothing open, its executions are exactly bash's.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.differential.compare import Figures, compare, table
from tests.differential.grammar import COMMANDS, PREAMBLE, WORDS, Grammar
from tests.differential.oracle import Oracle

pytestmark = pytest.mark.differential

_TABLE = Path(__file__).with_name("commands.txt")
_BATCH = 50


@pytest.fixture(scope="module")
def oracle(tmp_path_factory):
    return Oracle(tmp_path_factory.mktemp("oracle") / "o")


def test_the_hand_written_commands_run_as_bash_runs_them(oracle):
    commands = table(_TABLE)
    figures = Figures()
    wrong = []
    for verdict in compare(oracle, commands):
        figures.add(verdict)
        if verdict.missed or (verdict.known and not verdict.exact):
            wrong.append((verdict.text, verdict.ours, verdict.real))
    print(figures)

    assert len(commands) > 500
    assert not wrong


def test_generated_commands_run_as_bash_runs_them(oracle):
    figures = Figures()
    used: Counter[str] = Counter()

    @settings(
        max_examples=40,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(st.integers(0, 2**62), min_size=_BATCH, max_size=_BATCH, unique=True))
    def check(seeds):
        texts = []
        for seed in seeds:
            grammar = Grammar.seeded(seed)
            texts.append(PREAMBLE + grammar.program())
            used.update(grammar.used)
        for verdict in compare(oracle, texts):
            figures.add(verdict)

    check()
    print(figures)

    assert not set(WORDS + COMMANDS) - set(used)
    assert figures.skipped <= figures.commands // 100
    assert figures.missed <= figures.started // 1_000
    assert figures.exact >= 0.99 * figures.known
