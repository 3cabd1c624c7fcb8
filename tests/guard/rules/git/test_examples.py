"""The rules about git and about code that can't be read, by their own examples."""

from __future__ import annotations

import pytest
from tests.guard.examples import allowed, denied, rules
from tests.guard.verdicts import verdict

from cc_safety_net.guard.refusal import fill

FAMILIES = (
    "git.discard",
    "git.checkout",
    "git.branches",
    "git.push",
    "git.history",
    "git.config",
    "shell_code",
    "shell_wrapper",
    "shell_interactive",
)


@pytest.mark.parametrize(("rule", "command"), denied(FAMILIES))
def test_denied_examples_are_denied_by_their_rule(rule, command):
    decision = verdict(command, rule.level)

    assert rule.id in [finding.rule for finding in decision.findings]


@pytest.mark.parametrize(("rule", "command"), allowed(FAMILIES))
def test_allowed_examples_pass(rule, command):
    decision = verdict(command, rule.level)

    assert decision.verdict == "allow", decision.text


@pytest.mark.parametrize(("rule", "command"), denied(FAMILIES))
def test_what_is_offered_instead_is_allowed(rule, command):
    findings = verdict(command, rule.level).findings
    finding = next(finding for finding in findings if finding.rule == rule.id)
    instead = fill(rule.instead, {"part": finding.part, **finding.values})

    decision = verdict(instead, rule.level)

    assert "{" not in instead.replace("@{", "")
    assert decision.verdict == "allow", (instead, decision.text)


@pytest.mark.parametrize("rule", rules(FAMILIES), ids=lambda rule: rule.id)
def test_a_rule_without_a_command_is_left_to_the_person(rule):
    assert rule.instead or rule.intent in ("hard_stop", "manual_only")
    assert len(rule.denied) >= 2
    assert len(rule.allowed) >= 2
