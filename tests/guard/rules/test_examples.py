"""Every rule of the catalogue: its texts, its examples through the whole engine, its *instead*."""

from __future__ import annotations

import pkgutil
import sys

import pytest
from tests.guard.worlds import HOME, workspace

import cc_safety_net.guard.rules as package
from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.policy.settings import CATASTROPHIC, PACKS, Policy
from cc_safety_net.guard.refusal import ADVICE
from cc_safety_net.guard.rules import catalogue
from cc_safety_net.guard.rules.rule import INTENTS, LEVELS
from cc_safety_net.guard.tool_names import kind_of

ROOT = f"{HOME}/proj"


def _modules():
    """All text modules that lie in the package, whether the catalogue knows them or not."""
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if found.name.endswith("_rules"):
            yield found.name


def _load(name):
    __import__(name)
    return sys.modules[name]


RULES = [rule for name in _modules() for rule in _load(name).RULES]
IDS = [rule.id for rule in RULES]


def _call(example):
    """An example that holds for one agent only names it among its arguments."""
    tool, arguments = ("Bash", {"command": example}) if isinstance(example, str) else example
    agent = arguments.get("agent", "claude-code")
    arguments = {key: value for key, value in arguments.items() if key != "agent"}
    command = arguments.get("command")
    kind = kind_of(tool)
    return ToolCall(
        agent,
        tool,
        kind,
        arguments,
        command=command if kind == "shell" and isinstance(command, str) else None,
        dialect="auto",
        session_directory=ROOT,
    )


def _policy(rule):
    """Defaults, and what a rule needs that does nothing by itself."""
    policy = Policy()
    if rule.listed:
        policy.rules[rule.id] = "deny"
    if rule.id == "secret.deny-path":
        policy.deny_paths = [f"{HOME}/closed/**"]
    return policy


def _judge(example, level, rule):
    return judge(_call(example), workspace(), level=level, policy=_policy(rule))


def _name(example):
    return example if isinstance(example, str) else f"{example[0]} {example[1]}"


def _cases(attribute):
    return [
        pytest.param(rule, example, id=f"{rule.id}: {_name(example)[:80]}")
        for rule in RULES
        for example in getattr(rule, attribute)
    ]


def test_every_id_is_unique_and_leads_to_its_rule():
    assert len(set(IDS)) == len(IDS)
    for rule in RULES:
        assert catalogue.rule(rule.id) is rule


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_every_rule_has_its_texts_and_its_place(rule):
    assert rule.reason
    assert rule.do_not
    assert rule.instead or rule.intent in ("hard_stop", "manual_only")
    assert rule.intent in INTENTS
    assert rule.intent in ADVICE
    assert rule.level in LEVELS
    assert rule.pack in ("", *PACKS)
    assert (rule.off == "C") is (rule.id in CATASTROPHIC)
    assert (rule.off == "N") is rule.id.startswith(("self.", "guard."))
    if not rule.id.startswith("guard."):
        assert len(rule.denied) >= 2
        assert len(rule.allowed) >= 2


@pytest.mark.parametrize(("rule", "example"), _cases("denied"))
def test_a_denied_example_is_denied_by_its_rule(rule, example):
    judgement = _judge(example, rule.level, rule)

    assert judgement.decision.verdict == "deny"
    assert rule.id in [finding.rule for finding in judgement.decision.findings]


@pytest.mark.parametrize(("rule", "example"), _cases("allowed"))
def test_an_allowed_example_is_not_denied_by_its_rule(rule, example):
    judgement = _judge(example, rule.level, rule)

    found = [finding.rule for finding in judgement.decision.findings]
    assert rule.id not in found
    # What a rule calls permitted should pass as a whole.
    assert judgement.decision.verdict == "allow", found


def _through(agent, command, rule):
    """The reply of an agent's protocol to a shell call, from payload to bytes."""
    payloads = {
        "claude-code": {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "transcript_path": "t",
            "cwd": ROOT,
            "tool_name": "Bash",
            "tool_input": {"command": command},
        },
        "grok-build": {
            "hookEventName": "pre_tool_use",
            "sessionId": "s",
            "cwd": ROOT,
            "workspaceRoot": ROOT + "/",
            "toolName": "run_terminal_command",
            "toolInput": {"command": command},
            "toolInputTruncated": False,
        },
    }
    protocol = _load(PACKAGES[agent] + ".protocol")
    call = protocol.decode(payloads[agent], {}, ROOT)
    decision = judge(call, workspace(), level="paranoid", policy=_policy(rule)).decision
    return protocol.encode(decision.verdict, decision.text).stdout


@pytest.mark.parametrize("agent", ["claude-code", "grok-build"])
@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_examples_are_answered_in_the_form_of_two_agents(agent, rule):
    for example in rule.denied:
        if isinstance(example, str):
            assert '"deny"' in _through(agent, example, rule), example


def _commands_of(text):
    """The *instead* as a command, [] if it is a sentence.

    A sentence is known by its full stop; of one, the parts in backquotes are commands.
    """
    quoted = text.split("`")[1::2]
    if quoted:
        return quoted
    return [] if text.rstrip().endswith(".") or not text else [text]


#: Rules whose *Instead* changes the thing itself, in a way that the rule is not about.
_CHANGING_TOO = {
    "shred.target": "a plain deletion leaves what backups and git hold",
    "file.move-to-null": "a rename keeps the content",
}
_CHANGES = ("append", "delete", "move", "permissions", "truncate", "write")


def _changed(judgement):
    """The paths that a call changes, as far as they are known."""
    directory = judgement.place.directory if judgement.place is not None else "/"
    return {
        normalise(join(cwd or directory, access.path.text))
        for access in judgement.reading.accesses
        if access.mode in _CHANGES and access.path.text is not None
        for cwd in access.cwds or (directory,)
    }


@pytest.mark.parametrize(("rule", "example"), _cases("denied"))
def test_what_is_permitted_instead_passes_and_changes_nothing_of_the_same(rule, example):
    judgement = _judge(example, rule.level, rule)
    text = judgement.decision.text
    if judgement.deciding is None or judgement.deciding.rule is not rule:
        return
    if "Instead: " not in text:
        assert not rule.instead
        return
    instead = text.split("Instead: ")[1].split("\n\n")[0]
    assert "{" not in instead.replace("{}", "").replace("@{", ""), "a hole was not filled"
    for command in _commands_of(instead):
        after = _judge(command, rule.level, rule)
        assert after.decision.verdict == "allow", (
            command,
            [finding.rule for finding in after.decision.findings],
        )
        for level in LEVELS[LEVELS.index(rule.level) :]:
            found = [finding.rule for finding in _judge(command, level, rule).decision.findings]
            family = rule.id.partition(".")[0]
            assert not [one for one in found if one.partition(".")[0] == family], (command, level)
        if rule.id not in _CHANGING_TOO:
            assert not _changed(after) & _changed(judgement), command


def test_what_the_guard_names_for_itself_may_be_run_by_an_agent():
    for rule in RULES:
        for command in rule.instead.split("`")[1::2] if rule.id.startswith("guard.") else ():
            assert _judge(command, "paranoid", rule).decision.verdict == "allow", command


def test_the_text_of_a_rule_goes_on_behind_the_name_of_its_block():
    """`Do not: Do not …` reads as if it had been doubled by mistake."""
    for rule in RULES:
        assert not rule.do_not.lower().startswith(("do not", "don't", "never")), rule.id
        assert not rule.instead.lower().startswith("instead"), rule.id


def test_without_a_command_instead_is_for_what_stops_or_is_the_persons_to_do(capsys):
    bare = [rule for rule in RULES if not _commands_of(rule.instead)]
    with capsys.disabled():
        print(f"\n{len(bare)} of {len(RULES)} rules have an instead without a command")
    assert {rule.id for rule in bare if rule.intent not in ("hard_stop", "manual_only")} == set()


def test_a_pack_names_a_command_of_the_calls_own():
    for rule in RULES:
        for example in rule.denied if rule.pack else ():
            text = _judge(example, rule.level, rule).decision.text
            instead = text.split("Instead: ")[1].split("\n\n")[0]
            assert not instead.endswith("--help"), (rule.id, example)
