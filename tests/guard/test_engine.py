"""Stages in order, the trace, levels and policy over findings, and failures that deny."""

from __future__ import annotations

import json
import sys
import types

import pytest
from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.engine import STAGES, examine, judge
from cc_safety_net.guard.interpret.facts import Execution, Reading, known
from cc_safety_net.guard.limits import LimitReached
from cc_safety_net.guard.policy.settings import Policy
from cc_safety_net.guard.rules import catalogue
from cc_safety_net.guard.rules.catalogue import Family
from cc_safety_net.guard.rules.rule import Rule

ROOT = f"{HOME}/proj"
CONFIG = f"{HOME}/.config/cc-safety-net"


def _read_shell(text, dialect, place, world, effort):
    """A stand-in for the interpreter: a program for each `;`-separated part."""
    reading = Reading()
    at = 0
    for part in text.split(";"):
        words = part.split()
        if words:
            reading.executions.append(
                Execution(
                    [known(word) for word in words],
                    words[0],
                    (place.directory,),
                    at,
                    at + len(part),
                )
            )
        at += len(part) + 1
    return reading


#: program -> (stage, rule id, options of the rule)
_TABLE = {
    "selfish": ("self", "self.policy", {"off": "N", "intent": "hard_stop"}),
    "hooker": ("git", "git.hooks-write", {}),
    "leak": ("secrets", "secret.x", {}),
    "wipe": ("commands", "rm.recursive-force-root-or-home", {"off": "C"}),
    "discard": ("commands", "git.reset-hard", {}),
    "careful": ("commands", "git.tag-delete", {"level": "strict"}),
    "tidy": ("commands", "rm.recursive-force-paranoid", {"level": "paranoid"}),
    "prune": ("packs", "docker.prune", {"pack": "docker"}),
    "crash": ("packs", "packs.crash", {}),
    "slow": ("packs", "packs.slow", {}),
}


@pytest.fixture(autouse=True)
def families(monkeypatch):
    """One family for each program of the table; `crash` raises and `slow` uses up its effort."""
    families = [f for f in catalogue.FAMILIES if f.name == "guard"]
    for program, (stage, rule_id, options) in _TABLE.items():
        values = {
            "reason": "It is bad.",
            "instead": "git status",
            "do_not": "Try again.",
            "intent": "use_alternative",
            "denied": (),
            "allowed": (),
        }
        name = f"family_{program}"
        families.append(Family(name, stage, ids=(rule_id,), programs=(program,)))
        finder = types.ModuleType(name)
        finder.check_execution = _check(rule_id, program)
        texts = types.ModuleType(name + "_rules")
        texts.RULES = (Rule(rule_id, **{**values, **options}),)
        monkeypatch.setitem(sys.modules, f"cc_safety_net.guard.rules.{name}", finder)
        monkeypatch.setitem(sys.modules, f"cc_safety_net.guard.rules.{name}_rules", texts)
    monkeypatch.setattr(catalogue, "FAMILIES", tuple(families))


def _check(rule_id, program):
    def check(execution, context):
        if program == "crash":
            raise ZeroDivisionError
        if program == "slow":
            raise LimitReached("guard.time-budget", "a slow thing")
        part = " ".join(word.text for word in execution.argv)
        return [Finding(rule_id, part, execution.start, execution.end)]

    return check


def _call(command="ls", agent="claude-code", **options):
    arguments = {"command": command}
    return ToolCall(agent, "Bash", "shell", arguments, command=command, **options)


def _world(policy=None, project=None):
    world = workspace()
    if policy is not None:
        world.add(
            f"{CONFIG}/policy.json", policy if isinstance(policy, str) else json.dumps(policy)
        )
    if project is not None:
        world.add(f"{ROOT}/.cc-safety-net/policy.json", json.dumps(project))
    return world


def _judge(command="ls", world=None, **options):
    call = _call(command, **{k: options.pop(k) for k in ("agent", "session") if k in options})
    return judge(call, world or _world(), read_shell=_read_shell, **options)


def _rule(command, world=None, **options):
    finding = _judge(command, world, **options).decision.finding
    return finding.rule if finding else ""


def test_an_ordinary_call_passes_all_stages():
    judgement = _judge()

    decision = judgement.decision
    assert (decision.verdict, decision.text, decision.finding) == ("allow", "", None)
    assert tuple(stage.name for stage in decision.stages) == STAGES
    assert [s.result for s in decision.stages] == ["ok"] * 8 + ["off", "skipped"]
    assert len(decision.audit_id) == 16


def test_the_first_stage_decides_and_all_findings_are_known():
    judgement = _judge("prune; discard; leak; hooker; selfish")

    assert judgement.decision.verdict == "deny"
    assert [f.rule for f in judgement.decision.findings] == [
        "self.policy",
        "git.hooks-write",
        "secret.x",
        "git.reset-hard",
        "docker.prune",
    ]
    assert judgement.decision.finding.rule == "self.policy"
    results = {stage.name: stage.result for stage in judgement.decision.stages}
    assert results["self"] == results["packs"] == "deny"


@pytest.mark.parametrize(
    ("command", "level", "rule"),
    [
        ("careful", "standard", ""),
        ("careful", "strict", "git.tag-delete"),
        ("careful", "paranoid", "git.tag-delete"),
        ("tidy", "strict", ""),
        ("tidy", "paranoid", "rm.recursive-force-paranoid"),
    ],
)
def test_rules_act_from_their_level_on(command, level, rule):
    assert _rule(command, _world({"version": 2, "safety": {"level": level}})) == rule
    assert _rule(command, level=level) == rule


def test_a_finding_may_act_later_than_its_rule(monkeypatch):
    module = sys.modules["cc_safety_net.guard.rules.family_discard"]
    monkeypatch.setattr(
        module, "check_execution", lambda e, c: [Finding("git.reset-hard", level="strict")]
    )

    assert _rule("discard") == ""
    assert _rule("discard", level="strict") == "git.reset-hard"


@pytest.mark.parametrize(
    ("policy", "command", "verdict"),
    [
        ({"rules": {"git.reset-hard": "allow"}}, "discard", "allow"),
        ({"rules": {"git.reset-hard": "ask"}}, "discard", "ask"),
        ({"rules": {"git.tag-delete": "deny"}}, "careful", "deny"),
        ({"packs": {"docker": "off"}}, "prune", "allow"),
        ({"packs": {"docker": "ask"}}, "prune", "ask"),
        ({"packs": {"docker": "ask"}}, "prune; discard", "deny"),
        ({"destructive_command_protection": {"enabled": False}}, "discard; prune", "allow"),
        ({"destructive_command_protection": {"enabled": False}}, "wipe", "deny"),
        ({"destructive_command_protection": {"enabled": False}}, "hooker", "deny"),
        ({"destructive_command_protection": {"enabled": False}}, "selfish", "deny"),
        ({"secret_protection": {"enabled": False}}, "leak", "allow"),
        (
            {"secret_protection": {"enabled": False}, "rules": {"secret.x": "deny"}},
            "leak",
            "deny",
        ),
    ],
)
def test_the_policy_says_what_a_finding_comes_to(policy, command, verdict):
    assert _judge(command, _world({"version": 2, **policy})).decision.verdict == verdict


@pytest.mark.parametrize(
    ("agent", "verdict"),
    [
        ("claude-code", "ask"),
        ("copilot-cli", "ask"),
        ("antigravity-cli", "ask"),
        ("openclaw", "ask"),
        ("pi", "ask"),
        ("codex", "deny"),
        ("grok-build", "deny"),
        ("kimi-code", "deny"),
        ("hermes-agent", "deny"),
        ("cursor", "deny"),
        ("gemini-cli", "deny"),
        ("opencode", "deny"),
        ("amp", "deny"),
        ("devin", "deny"),
    ],
)
def test_a_question_is_a_denial_where_it_would_not_hold(agent, verdict):
    world = _world({"version": 2, "rules": {"git.reset-hard": "ask"}})

    assert _judge("discard", world, agent=agent).decision.verdict == verdict


def test_the_canary_is_always_refused():
    assert _rule(": cc-safety-net-canary 12ab") == "guard.canary"
    assert _rule("  : cc-safety-net-canary 12ab ") == "guard.canary"
    for command in ("echo : cc-safety-net-canary 1", ": cc-safety-net-canaryx 1", ": x"):
        assert _rule(command) == ""


def test_a_broken_policy_denies_everything_but_gives_the_truer_reason():
    world = _world('{"version": 2,\n "levle": "strict"}')

    judgement = _judge("ls", world)

    assert judgement.decision.finding.rule == "guard.policy-invalid"
    assert f"{CONFIG}/policy.json: line 2: levle: unknown key" in judgement.decision.text
    assert "cc-safety-net policy check" in judgement.decision.text
    results = {stage.name: stage.result for stage in judgement.decision.stages}
    assert (results["policy"], results["rulebooks"]) == ("deny", "off")
    assert _rule("selfish", world) == "self.policy"
    assert _rule("hooker", world) == "git.hooks-write"
    assert _rule("wipe", world) == "rm.recursive-force-root-or-home"
    assert _rule("discard", world) == "guard.policy-invalid"
    assert _rule("leak", world) == "guard.policy-invalid"


@pytest.mark.parametrize(
    ("command", "passes"),
    [
        ("cc-safety-net status", True),
        ("ccsn doctor", True),
        ("cc-safety-net policy check", True),
        ("cd x; cc-safety-net explain ls", True),
        ("cc-safety-net policy apply p", False),
        ("cc-safety-net", False),
        ("cc-safety-net status; ls", False),
        ("cd x", False),
    ],
)
def test_our_own_reports_pass_under_a_broken_policy(command, passes):
    assert (_rule(command, _world("{")) == "") is passes


def test_a_broken_project_policy_is_named():
    judgement = _judge("ls", _world(project={"version": 2, "x": 1}))

    assert f"{ROOT}/.cc-safety-net/policy.json" in judgement.decision.text


def test_an_internal_error_is_a_denial_that_names_the_stage():
    judgement = _judge("crash")

    assert judgement.decision.verdict == "deny"
    assert judgement.decision.finding.rule == "guard.internal-error"
    assert "ZeroDivisionError in stage packs" in judgement.decision.text
    assert judgement.error == "ZeroDivisionError"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
def test_whatever_is_raised_while_reading_is_a_denial(error):
    def read_shell(*_):
        raise error

    judgement = judge(_call(), _world(), read_shell=read_shell)

    assert judgement.decision.finding.rule == "guard.internal-error"


def test_a_refusal_that_can_not_be_written_is_an_internal_error(monkeypatch):
    module = sys.modules["cc_safety_net.guard.rules.family_discard"]
    monkeypatch.setattr(module, "check_execution", lambda e, c: [Finding("git.reset-hard", why=7)])

    judgement = _judge("discard")

    assert judgement.decision.finding.rule == "guard.internal-error"
    assert judgement.error == "TypeError"


def test_a_reason_found_before_a_failure_stays():
    for command in ("discard; crash", "discard; slow"):
        judgement = _judge(command)
        assert judgement.decision.finding.rule == "git.reset-hard"


@pytest.mark.parametrize("rest", ["crash", "slow"])
def test_what_was_not_searched_to_its_end_is_not_permitted(rest, monkeypatch):
    from cc_safety_net.guard.world import World

    monkeypatch.setattr(World, "now_ns", lambda self: 1_790_000_000 * 10**9)
    entry = {**_ENTRY, "command": f"discard; {rest}"}

    judgement = _judge(entry["command"], _world({"version": 2, "allow_commands": [entry]}))

    assert judgement.decision.verdict == "deny"
    assert "Permit once" not in judgement.decision.text


def test_a_spent_budget_is_a_denial():
    assert _rule("slow") == "guard.time-budget"


def test_a_limit_in_the_reading_names_itself():
    def read_shell(*_):
        raise LimitReached("guard.input-limit", "more than 64 nested constructs")

    judgement = judge(_call(), _world(), read_shell=read_shell)

    assert judgement.decision.finding.rule == "guard.input-limit"
    assert "more than 64 nested constructs" in judgement.decision.text
    assert judgement.decision.stages[2].result == "deny"


def test_too_long_a_command_is_refused_before_it_is_read():
    assert _rule("x" * 131_073) == "guard.input-limit"
    assert _rule("x" * 131_072) == ""


def test_an_unusable_directory_is_refused_with_a_way_out():
    judgement = judge(_call(session_directory=f"{ROOT}/gone"), _world(), read_shell=_read_shell)

    assert judgement.decision.finding.rule == "guard.directory-unusable"
    assert f"{ROOT}/gone does not exist" in judgement.decision.text
    assert f"Instead: cd {ROOT}" in judgement.decision.text


def test_the_refusal_names_the_person_s_way_only_where_there_is_one():
    assert "Permit once" in _judge("discard").decision.text
    assert "Permit once" not in _judge("wipe").decision.text
    assert "Permit once" not in _judge("discard; wipe").decision.text


def test_a_second_refusal_in_the_session_says_so():
    from cc_safety_net.guard.denials import session_file

    world = _world()
    first = _judge("discard", world, session="s1")
    now = world.now_ns() // 10**9
    lines = f"{now} git.reset-hard\n{now - 8 * 86_400} git.reset-hard\n{now} git.other\n"
    world.add(session_file(world, first), lines)

    again = _judge("discard", world, session="s1")
    other = _judge("discard", world, session="s2")

    assert (first.repeat, again.repeat, other.repeat) == (1, 2, 1)
    assert "Refused 2 times in this session" in again.decision.text


_ENTRY = {
    "command": "discard x",
    "match": "exact",
    "reason": "r",
    "expires": "2027-01-01",
}


@pytest.mark.parametrize(
    ("change", "command", "verdict"),
    [
        ({}, "discard x", "allow"),
        ({}, " discard x ", "allow"),
        ({}, "discard x y", "deny"),
        ({}, "discard x; ls", "deny"),
        ({"command": "wipe x"}, "wipe x", "deny"),
        ({"match": "argv"}, "ls; discard x", "allow"),
        ({"match": "argv"}, "discard x; prune", "deny"),
        ({"match": "argv"}, "discard x y", "deny"),
        ({"match": "argv", "command": "discard x *"}, "discard x y z", "allow"),
        ({"match": "argv", "command": "discard *"}, "discard", "allow"),
        ({"cwd": ROOT}, "discard x", "allow"),
        ({"cwd": "~/proj"}, "discard x", "allow"),
        ({"cwd": "~/p*"}, "discard x", "allow"),
        ({"cwd": "~/other"}, "discard x", "deny"),
        ({"agents": ["codex"]}, "discard x", "deny"),
        ({"agents": ["claude-code"]}, "discard x", "allow"),
        ({"expires": "2020-01-01"}, "discard x", "deny"),
    ],
)
def test_a_standing_permission_lifts_what_it_names(change, command, verdict, monkeypatch):
    from cc_safety_net.guard.world import World

    monkeypatch.setattr(World, "now_ns", lambda self: 1_790_000_000 * 10**9)
    world = _world({"version": 2, "allow_commands": [{**_ENTRY, **change}]})

    judgement = _judge(command, world)

    assert judgement.decision.verdict == verdict
    assert judgement.permission == ("allow_commands[0]" if verdict == "allow" else "")
    assert _judge(command, world, permissions=False).decision.verdict == "deny"


def test_examine_returns_what_explain_shows(monkeypatch):
    from cc_safety_net.guard import engine

    monkeypatch.setattr(engine, "_interpreter", lambda: _read_shell)

    decision, reading, place = examine(_call("discard"), _world(), level="strict")

    assert (decision.verdict, decision.level) == ("deny", "strict")
    assert len(decision.policy) == 16
    assert reading.executions[0].program == "discard"
    assert place.directory == ROOT


def test_a_policy_can_be_handed_in():
    policy = Policy()
    policy.rules["git.reset-hard"] = "allow"

    assert _rule("discard", policy=policy) == ""


def test_a_command_with_a_nul_character_is_denied():
    assert _rule("git reset\0 --hard") == "guard.malformed-input"
    assert _rule("echo a\0") == "guard.malformed-input"
