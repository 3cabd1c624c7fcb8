"""Deletions, files, devices and the machine through the whole engine: tables and examples."""

from __future__ import annotations

import pytest
from tests.guard.examples import allowed, denied, rules
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
def test_a_denied_example_is_found_by_its_rule(rule, command):
    decision = verdict(command, rule.level)

    assert decision.verdict == "deny"
    assert rule.id in [finding.rule for finding in decision.findings]


@pytest.mark.parametrize(("rule", "command"), allowed(FAMILIES))
def test_an_allowed_example_passes_at_the_level_of_its_rule(rule, command):
    decision = verdict(command, rule.level)

    assert decision.verdict == "allow", [finding.rule for finding in decision.findings]


@pytest.mark.parametrize(("rule", "command"), denied(FAMILIES))
def test_what_is_suggested_instead_passes_at_every_level_that_denies(rule, command):
    found = [f for f in verdict(command, rule.level).findings if f.rule == rule.id]
    suggested = fill(rule.instead, {**found[0].values, "part": found[0].part})

    for level in ("standard", "strict", "paranoid"):
        if suggested:
            assert verdict(suggested, level).verdict == "allow", (level, suggested)


@pytest.mark.parametrize("rule", rules(FAMILIES), ids=lambda rule: rule.id)
def test_a_rule_has_all_its_texts(rule):
    assert rule.reason.endswith(".")
    assert rule.do_not.startswith("Do not ")
    assert rule.instead or rule.intent in ("hard_stop", "manual_only")
    assert len(rule.denied) > 1 < len(rule.allowed)
