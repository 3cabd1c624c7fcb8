"""Deletions, files, devices and the machine through the whole engine, by tables."""

from __future__ import annotations

import pytest
from tests.guard.examples import denied
from tests.guard.verdicts import cases, check, verdict

from cc_safety_net.guard.refusal import fill

FAMILIES = (
    "deletion",
    "git_metadata",
    "files",
    "rsync",
    "find",
    "remote",
    "devices",
    "machine",
)


@pytest.mark.parametrize("case", cases("deletion"))
def test_the_specification_is_followed(case):
    check(case)


@pytest.mark.parametrize("case", cases("deletion_more"))
def test_other_spellings_are_decided_alike(case):
    check(case)


@pytest.mark.parametrize(("rule", "command"), denied(FAMILIES))
def test_what_is_suggested_instead_passes_at_every_level_that_denies(rule, command):
    found = [f for f in verdict(command, rule.level).findings if f.rule == rule.id]
    suggested = fill(rule.instead, {**found[0].values, "part": found[0].part})

    for level in ("standard", "strict", "paranoid"):
        if suggested:
            assert verdict(suggested, level).verdict == "allow", (level, suggested)
