"""Policy files: what is invalid, what a project may set, what the environment raises."""

from __future__ import annotations

import json
import sys

import pytest
from tests.guard.worlds import HOME, FakeWorld, Link

from cc_safety_net.guard.policy.load import load
from cc_safety_net.guard.world import Status

CONFIG = f"{HOME}/.config/cc-safety-net"
FILE = f"{CONFIG}/policy.json"
ROOT = f"{HOME}/proj"
PROJECT_FILE = f"{ROOT}/.cc-safety-net/policy.json"


def _permission(expires):
    entry = {"command": "x", "match": "exact", "reason": "r", "expires": expires}
    return json.dumps({"version": 2, "allow_commands": [entry]})


def _world(user=None, project=None, environment=None, **more):
    files = {ROOT: None}
    if user is not None:
        files[FILE] = user if isinstance(user, (str, bytes)) else json.dumps(user)
    if project is not None:
        files[PROJECT_FILE] = project if isinstance(project, str) else json.dumps(project)
    files.update(more)
    return FakeWorld(files, environment=environment)


def _load(user=None, project=None, agent="claude-code", environment=None, **more):
    return load(_world(user, project, environment, **more), agent, ROOT)


def _action(policy, rule, level="standard", off="Y", pack="", stage="commands"):
    return policy.action(rule, level=level, off=off, pack=pack, stage=stage)


def test_without_files_the_defaults_hold():
    policy = _load()

    assert (policy.level, policy.problem, policy.commands_enabled) == ("standard", None, True)
    assert _action(policy, "git.reset-hard") == "deny"
    assert _action(policy, "rm.file-outside-workspace", "strict") == "allow"
    assert _action(policy, "kubernetes.delete", pack="kubernetes", stage="packs") == "deny"


@pytest.mark.parametrize(
    ("text", "line", "key", "what"),
    [
        ("", 1, "", "no text"),
        ("{", 1, "", "property name"),
        ('{"version": 2,\n "version": 2}', 2, "version", "twice"),
        ("[]", 0, "", "object"),
        ("{}", 0, "", "missing"),
        ('{"version": true}', 1, "version", "whole number"),
        ('{"version": 3}', 1, "version", "update cc-safety-net"),
        ('{"version": 1}', 1, "version", "policy import"),
        ('{"version": 2,\n\n"levle": 1}', 3, "levle", "unknown key"),
        ('{"version": 2, "safety": {\n"level": "high"}}', 2, "safety.level", "one of"),
        ('{"version": 2, "safety": {"overrides": {"x": true}}}', 1, "safety.overrides.x", "key"),
        ('{"version": 2, "safety": {"loss_budget": 9}}', 1, "safety.loss_budget", "10 to 500"),
        ('{"version": 2, "safety": {"loss_aware": 1}}', 1, "safety.loss_aware", "true or false"),
        ('{"version": 2, "rules": {"git.x": "warn"}}', 1, "rules.git.x", "one of"),
        ('{"version": 2, "rules": {"self.policy": "ask"}}', 1, "rules.self.policy", "switched off"),
        (
            '{"version": 2, "rules": {"rm.git-metadata": "off"}}',
            1,
            "rules.rm.git-metadata",
            "switched off",
        ),
        ('{"version": 2, "packs": {"k8s": "on"}}', 1, "packs.k8s", "no such pack"),
        ('{"version": 2, "agents": {"aider": {}}}', 1, "agents.aider", "no such agent"),
        ('{"version": 2, "agents": {"pi": {"audit": {}}}}', 1, "agents.pi.audit", "unknown"),
        ('{"version": 2, "deny_paths": "x"}', 1, "deny_paths", "list"),
        ('{"version": 2, "deny_paths": ["x"]}', 1, "deny_paths", "must start"),
        ('{"version": 2, "allow_paths": ["/"]}', 1, "allow_paths", "holds /"),
        ('{"version": 2, "allow_paths": ["/**"]}', 1, "allow_paths", "holds"),
        ('{"version": 2, "allow_paths": ["~"]}', 1, "allow_paths", "holds"),
        ('{"version": 2, "allow_paths": ["~/**"]}', 1, "allow_paths", "holds"),
        ('{"version": 2, "allow_paths": ["/home"]}', 1, "allow_paths", "holds"),
        ('{"version": 2, "allow_paths": ["/etc"]}', 1, "allow_paths", "holds"),
        ('{"version": 2, "allow_paths": ["/usr/**"]}', 1, "allow_paths", "holds"),
        ('{"version": 2, "allow_paths": ["~/.config"]}', 1, "allow_paths", "holds"),
        ('{"version": 2, "allow_paths": ["~/.cl*"]}', 1, "allow_paths", "holds"),
        (
            '{"version": 2, "allow_commands": [{"command": "x", "match": "regex"}]}',
            1,
            "allow_commands.reason",
            "required",
        ),
        (
            _permission("soon"),
            1,
            "allow_commands.expires",
            "date",
        ),
        (
            _permission("2200-01-01"),
            1,
            "allow_commands.expires",
            "365 days",
        ),
        (b'{"version": 2, \xff}', 1, "", "UTF-8"),
        ('{"version": 2}' + " " * 1_048_576, 0, "", "larger"),
    ],
)
def test_an_invalid_file_is_named_with_line_and_key(text, line, key, what):
    problem = _load(text).problem

    assert problem is not None
    assert (problem.file, problem.line, problem.key, problem.rule) == (
        FILE,
        line,
        key,
        "guard.policy-invalid",
    )
    assert what in problem.what


def test_an_unknown_rule_id_is_no_error():
    assert _load({"version": 2, "rules": {"git.no-such": "allow"}}).problem is None


def test_an_invalid_project_file_is_named():
    problem = _load(project='{"version": 2, "x": 1}').problem

    assert problem is not None
    assert (problem.file, problem.key) == (PROJECT_FILE, "x")


class _Owned(FakeWorld):
    """The policy file belongs to somebody else, or others may write it."""

    def __init__(self, owner=None, mode=None):
        super().__init__({FILE: '{"version": 2}'})
        self.owner, self.mode = owner, mode

    def status(self, path):
        found = super().status(path)
        if found is None or path != FILE:
            return found
        owner = found.owner if self.owner is None else self.owner
        mode = found.mode if self.mode is None else self.mode
        return Status(found.kind, found.size, mode, owner, found.device, found.inode)


def test_unsafe_owner_or_mode_makes_the_file_invalid():
    other = load(_Owned(owner=12345), "pi", "").problem
    writable = load(_Owned(mode=0o100666), "pi", "").problem
    linked = load(
        FakeWorld({CONFIG: Link("/tmp/c"), "/tmp/c/policy.json": '{"version": 2}'}), "pi", ""
    ).problem

    assert other is not None
    assert "another user" in other.what
    assert writable is not None
    assert "written by others" in writable.what
    assert linked is not None
    assert "symbolic link" in linked.what


def test_a_directory_that_can_not_be_entered_is_no_absent_policy():
    class Locked(FakeWorld):
        def status(self, path):
            return None if path.startswith(f"{CONFIG}/") else super().status(path)

    problem = load(Locked({FILE: '{"version": 2}'}), "pi", "").problem

    assert problem is not None
    assert "can't be entered" in problem.what


def test_settings_of_the_agent_stand_over_the_general_ones():
    user = {
        "version": 2,
        "rules": {"git.push-force": "allow"},
        "packs": {"docker": "off"},
        "agents": {"codex": {"rules": {"git.push-force": "deny"}, "packs": {"docker": "ask"}}},
    }

    codex = _load(user, agent="codex")
    claude = _load(user)

    assert _action(codex, "git.push-force") == "deny"
    assert _action(claude, "git.push-force") == "allow"
    assert _action(codex, "docker.prune", pack="docker", stage="packs") == "ask"
    assert _action(claude, "docker.prune", pack="docker", stage="packs") == "allow"


def test_a_rule_set_to_deny_wins_over_its_pack_and_its_level():
    policy = _load(
        {
            "version": 2,
            "packs": {"docker": "off"},
            "rules": {"docker.prune": "deny", "git.tag-delete": "on"},
        }
    )

    assert _action(policy, "docker.prune", pack="docker", stage="packs") == "deny"
    assert _action(policy, "git.tag-delete", "strict") == "deny"


def test_disabled_protections_leave_what_is_never_off():
    policy = _load(
        {
            "version": 2,
            "destructive_command_protection": {"enabled": False},
            "secret_protection": {"enabled": False},
        }
    )

    assert _action(policy, "git.reset-hard") == "allow"
    assert _action(policy, "docker.prune", pack="docker", stage="packs") == "allow"
    assert _action(policy, "secret.basename.env", stage="secrets") == "allow"
    assert _action(policy, "git.metadata-write", stage="git") == "deny"
    assert _action(policy, "rm.recursive-force-root-or-home", off="C") == "deny"


@pytest.mark.parametrize(
    ("safety", "expected"),
    [
        ({}, (False, False, False)),
        ({"level": "strict"}, (True, False, False)),
        ({"level": "paranoid"}, (True, True, True)),
        ({"level": "strict", "overrides": {"fail_closed": False}}, (False, False, False)),
        ({"overrides": {"paranoid_rm": True}}, (False, True, False)),
        ({"overrides": {"paranoid_interpreters": True}}, (False, False, True)),
    ],
)
def test_levels_are_sets_of_capabilities(safety, expected):
    policy = _load({"version": 2, "safety": safety})

    assert (
        policy.acts("rm.recursive-force-dynamic-target", "strict"),
        policy.acts("rm.recursive-force-paranoid", "paranoid"),
        policy.acts("interpreter.one-liner-paranoid", "paranoid"),
    ) == expected


def test_a_project_only_tightens():
    user = {
        "version": 2,
        "safety": {"level": "strict"},
        "packs": {"docker": "off"},
        "rules": {"git.stash-drop": "allow", "git.push-force": "allow"},
    }
    project = {
        "version": 1,
        "safety": {"level": "standard", "overrides": {"fail_closed": False, "paranoid_rm": True}},
        "packs": {"docker": "on", "cloud": "off"},
        "rules": {"git.stash-drop": "ask", "git.push-force": "deny", "git.reset-hard": "allow"},
        "secret_protection": {"enabled": False, "overrides": {"secret.basename.env": "off"}},
        "deny_paths": ["vault/**"],
        "allow_paths": ["/srv/x"],
        "allow_commands": [],
        "workflow": {"worktree_mode": True},
        "audit": {"scope": "denied"},
    }

    policy = _load(user, project)

    assert policy.problem is None
    assert (policy.level, policy.fail_closed, policy.paranoid_rm) == ("strict", None, True)
    assert _action(policy, "docker.prune", pack="docker", stage="packs") == "deny"
    assert _action(policy, "cloud.aws-delete", pack="cloud", stage="packs") == "deny"
    assert _action(policy, "git.stash-drop") == "ask"
    assert _action(policy, "git.push-force") == "deny"
    assert _action(policy, "git.reset-hard") == "deny"
    assert policy.secrets_enabled
    assert policy.deny_paths == [f"{ROOT}/vault/**"]
    assert (policy.allow_paths, policy.worktree_mode, policy.audit_scope) == ([], False, "all")
    assert {key for _, key in policy.not_applied} == {
        "safety.level",
        "safety.overrides.fail_closed",
        "packs.cloud",
        "rules.git.reset-hard",
        "secret_protection.enabled",
        "secret_protection.overrides.secret.basename.env",
        "allow_paths",
        "allow_commands",
        "workflow",
        "audit",
    }


def test_a_project_that_asks_does_not_weaken_a_denial():
    assert (
        _action(_load(project={"version": 2, "rules": {"git.reset-hard": "ask"}}), "git.reset-hard")
        == "deny"
    )


def _trust(project, keys, **changes):
    import hashlib

    record = {
        "root": ROOT,
        "policy_sha256": hashlib.sha256(json.dumps(project).encode()).hexdigest(),
        "rulebooks_sha256": "",
        "keys": keys,
        "created": "2026-01-01",
        "expires": "2099-01-01",
    }
    record.update(changes)
    return {f"{CONFIG}/trust.json": json.dumps({"version": 1, "records": [record]})}


def test_a_trust_record_loosens_what_it_names_and_nothing_else():
    project = {"version": 2, "rules": {"git.stash-drop": "allow", "git.reset-hard": "allow"}}
    keys = {"rules.git.stash-drop": "allow"}

    fits = _load(project=project, **_trust(project, keys))
    stale = _load(project=project, **_trust(project, keys, policy_sha256="0"))
    expired = _load(project=project, **_trust(project, keys, expires="2020-01-01"))
    elsewhere = _load(project=project, **_trust(project, keys, root="/other"))

    assert _action(fits, "git.stash-drop") == "allow"
    assert _action(fits, "git.reset-hard") == "deny"
    assert fits.trusted == ["rules.git.stash-drop"]
    for policy in (stale, expired, elsewhere):
        assert _action(policy, "git.stash-drop") == "deny"


def test_no_record_loosens_what_the_person_denies_or_may_not_be_loosened():
    project = {
        "version": 2,
        "rules": {"git.stash-drop": "allow", "secret.cli.codex": "allow", "git.hooks-write": "off"},
    }
    keys = {f"rules.{rule}": "allow" for rule in project["rules"]}
    user = {"version": 2, "rules": {"git.stash-drop": "deny"}}

    policy = _load(user, project, **_trust(project, keys))

    for rule in project["rules"]:
        assert _action(policy, rule) == "deny"


def test_project_trust_never_switches_records_off():
    project = {"version": 2, "rules": {"git.stash-drop": "allow"}}
    user = {"version": 2, "project_trust": "never"}
    trust = _trust(project, {"rules.git.stash-drop": "allow"})

    assert _action(_load(user, project, **trust), "git.stash-drop") == "deny"


@pytest.mark.parametrize(
    ("environment", "level", "notes"),
    [
        ({"CC_SAFETY_NET_LEVEL": "paranoid"}, "paranoid", 0),
        ({"CC_SAFETY_NET_LEVEL": "standard"}, "strict", 1),
        ({"CC_SAFETY_NET_LEVEL": "max"}, "strict", 1),
        ({"CC_SAFETY_NET_WORKTREE": "1"}, "strict", 0),
    ],
)
def test_the_environment_only_raises_the_level(environment, level, notes):
    policy = _load({"version": 2, "safety": {"level": "strict"}}, environment=environment)

    assert (policy.level, len(policy.notes), policy.worktree_mode) == (level, notes, False)


def test_switches_of_the_environment_turn_capabilities_on():
    strict = _load(environment={"CC_SAFETY_NET_STRICT": "1"})
    paranoid = _load(environment={"CC_SAFETY_NET_PARANOID": "true"})

    assert strict.acts("rm.file-outside-workspace", "strict")
    assert paranoid.acts("rm.recursive-force-paranoid", "paranoid")
    assert paranoid.acts("script.opaque", "paranoid")


def test_a_changed_setting_changes_the_digest():
    assert _load().digest() != _load({"version": 2, "rules": {"git.x": "allow"}}).digest()
    assert _load().digest() == _load({"version": 2}).digest()


def test_a_small_valid_file_loads_no_slow_module():
    slow = {"json", "re", "datetime", "hashlib", "typing"}
    before = slow & set(sys.modules)
    hidden = {name: sys.modules.pop(name) for name in before}
    try:
        _load({"version": 2, "rules": {"git.push-force": "ask"}, "deny_paths": ["~/a/**"]})
        loaded = slow & set(sys.modules)
    finally:
        sys.modules.update(hidden)

    assert loaded == set()
