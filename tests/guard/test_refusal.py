"""The refusal's blocks, their order, and its length."""

from __future__ import annotations

import pytest

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.refusal import ADVICE, fill, write
from cc_safety_net.guard.rules.rule import INTENTS, Rule

ID = "3f9c21ab55e0d417"


def _rule(**changes):
    values = {
        "reason": "It throws away {path}.",
        "instead": "git stash push -- {path}",
        "do_not": "Do not delete {path} by another program.",
        "intent": "use_alternative",
        "denied": (),
        "allowed": (),
    }
    values.update(changes)
    return Rule("git.reset-hard", **values)


def _finding(**changes):
    return Finding("git.reset-hard", "git reset --hard", values={"path": "src/a"}, **changes)


def _write(finding=None, rule=None, **options):
    return write(finding or _finding(), rule or _rule(), audit_id=ID, **options)


def test_all_blocks_stand_in_their_order():
    text = _write(
        _finding(chain=("sudo", "bash -c"), lost=("modified: src/a",)),
        text="sudo bash -c 'git reset --hard'",
        level="strict",
        permit=True,
    )

    assert text == (
        "Blocked by cc-safety-net: git reset --hard\n"
        "In: sudo bash -c 'git reset --hard' (sudo → bash -c → git)\n\n"
        "Rule: git.reset-hard (level strict)\n\n"
        "Why: It throws away src/a.\n\n"
        "Would be lost:\n  modified: src/a\n\n"
        "Instead: git stash push -- src/a\n\n"
        "Do not: delete src/a by another program.\n\n"
        "Use the alternative above.\n\n"
        "Permit once: The person can run `cc-safety-net allow 3f9c21ab` in their own terminal; "
        "valid 15 minutes, once, this call only.\n\n"
        f"Audit: {ID}"
    )


def test_absent_blocks_are_dropped():
    text = _write(rule=_rule(instead="", intent="hard_stop"), text="git reset --hard", tool="Write")

    assert "Instead" not in text
    assert "In:" not in text
    assert "Permit" not in text
    assert "Rule: git.reset-hard, tool Write" in text


def test_a_repeat_replaces_the_advice():
    text = _write(repeat=3)

    assert "Refused 3 times in this session. Stop and ask the person." in text
    assert ADVICE["use_alternative"] not in text


@pytest.mark.parametrize("intent", INTENTS)
def test_every_intent_has_advice(intent):
    assert ADVICE[intent] in _write(rule=_rule(intent=intent))


def test_the_reason_of_the_call_replaces_that_of_the_rule():
    assert "Why: It is 3 < 4." in _write(_finding(why="It is 3 < 4"))


def test_secrets_are_redacted_in_every_block():
    finding = Finding(
        "git.reset-hard",
        "API_KEY=hunter2hunter2 git reset --hard",
        values={"path": "https://u:hunter2hunter2@h/x"},
        lost=("token=hunter2hunter2",),
        chain=("env TOKEN=hunter2hunter2",),
    )

    assert "hunter2hunter2" not in _write(finding, text="PASS=hunter2hunter2 x")


def test_the_text_stays_below_its_length_and_keeps_its_end():
    finding = _finding(lost=["x" * 80] * 30, why="w" * 3_000)
    long = _write(finding, _rule(instead="i" * 3_000), text="t" * 9_000, permit=True)

    assert len(long) <= 2_000
    assert long.endswith(f"Audit: {ID}")
    assert "Rule: git.reset-hard" in long


def test_what_would_be_lost_is_cut_at_900_characters():
    text = _write(_finding(lost=["y" * 96] * 20))
    block = text[text.index("Would be lost") : text.index("Instead")]

    assert len(block) < 930
    assert "…" in block


def test_control_characters_do_not_reach_the_screen():
    text = _write(Finding("git.reset-hard", "git\x1b[2Jreset\r\n--hard", values={"path": "a"}))

    assert "\x1b" not in text
    assert "Blocked by cc-safety-net: git [2Jreset --hard" in text


def test_braces_that_are_no_hole_stay():
    assert fill("find . -exec ls {} + {path} {", {"path": "x"}) == "find . -exec ls {} + x {"
