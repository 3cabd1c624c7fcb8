"""Paths that the person closes, exempts, or protects by a rule; file tools."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, Link, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.policy.settings import Policy
from cc_safety_net.guard.tool_names import kind_of

ROOT = f"{HOME}/proj"


def _rules(tool, arguments, *, policy=None, world=None):
    kind = kind_of(tool)
    call = ToolCall(
        "claude-code",
        tool,
        kind,
        arguments,
        command=arguments.get("command") if kind == "shell" else None,
        session_directory=ROOT,
        workspaces=(ROOT,),
    )
    judged = judge(call, world or workspace(), policy=policy or Policy())
    return [finding.rule for finding in judged.decision.findings]


@pytest.mark.parametrize(
    "command",
    ["cat ~/archive/a", "ls ~/archive/a", "rm ~/archive/a", "echo x > ~/archive/a", "cat link"],
)
def test_a_closed_path_is_closed_to_every_use(command):
    policy = Policy()
    policy.deny_paths = [f"{HOME}/archive/**"]
    world = workspace()
    world.add(f"{ROOT}/link", Link(f"{HOME}/archive/a"))

    assert "secret.deny-path" in _rules("Bash", {"command": command}, policy=policy, world=world)


def test_an_exempt_path_may_be_read_but_not_an_agents_login():
    policy = Policy()
    policy.secret_allow_paths = [f"{ROOT}/.env", f"{HOME}/.codex/**"]

    assert _rules("Bash", {"command": "cat .env"}, policy=policy) == []
    assert _rules("Bash", {"command": "cat .env.local"}, policy=policy) != []
    assert _rules("Bash", {"command": "cat ~/.codex/auth.json"}, policy=policy) != []


def test_an_agents_settings_are_protected_where_the_policy_says_so():
    policy = Policy()
    policy.rules["secret.cli.codex.config"] = "deny"

    assert _rules("Bash", {"command": "cat ~/.codex/config.toml"}) == []
    assert _rules("Bash", {"command": "cat ~/.codex/config.toml"}, policy=policy) == [
        "secret.cli.codex.config"
    ]


def test_a_link_leads_to_its_secret():
    world = workspace()
    world.add(f"{ROOT}/settings", Link(f"{ROOT}/.env"))

    assert _rules("Bash", {"command": "cat settings"}, world=world) == ["secret.basename.env"]


@pytest.mark.parametrize(
    ("name", "content", "denied"),
    [
        (".envrc", "use flake\n", False),
        (".envrc", "export API_KEY=abcdef\n", True),
        (".env.test", "PORT=1\n", False),
        ("secrets.yml", "password: hunter22\n", True),
        ("secrets.yml", "password: <%= ENV['X'] %>\n", False),
        (".npmrc", "save-exact=true\n", False),
        (".npmrc", "//r/:_authToken=npm_x\n", True),
        ("a.pem", "-----BEGIN CERTIFICATE-----\n", False),
        ("cert.pem", "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n", True),
        ("release.asc", "-----BEGIN PGP SIGNATURE-----\n", False),
    ],
)
def test_what_a_file_holds_decides_where_its_name_does_not(name, content, denied):
    world = workspace()
    world.add(f"{ROOT}/{name}", content)

    assert bool(_rules("Bash", {"command": f"cat {name}"}, world=world)) is denied


@pytest.mark.parametrize(
    ("content", "denied"), [(None, False), ("", False), ("API_KEY=\n", False), ("A=1\n", True)]
)
def test_a_template_is_copied_where_nothing_else_would_be_lost(content, denied):
    world = workspace()
    if content is not None:
        world.add(f"{ROOT}/apps/.env", content)

    rules = _rules("Bash", {"command": "cp .env.example apps/.env"}, world=world)

    assert bool(rules) is denied


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Read", {"file_path": ".env"}),
        ("read_file", {"absolute_path": f"{ROOT}/.env"}),
        ("read_many_files", {"include": [".env"]}),
        ("read_many_files", {"paths": ["a", ".env"]}),
        ("Grep", {"pattern": ".", "path": ROOT}),
        ("Grep", {"pattern": "KEY", "glob": ".env*"}),
        ("Edit", {"file_path": ".env", "old_string": "a", "new_string": "b"}),
        ("Write", {"file_path": ".env", "content": "A=1"}),
        ("mcp__fs__read_file", {"path": ".env"}),
        ("mcp__fs__move_file", {"source": ".env", "destination": "x.txt"}),
        ("unknown", {"cmd": ["cat", ".env"]}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Delete File: .env\n*** End Patch"}),
    ],
)
def test_a_file_tool_does_not_get_what_a_command_does_not(tool, arguments):
    assert any(rule.startswith("secret.") for rule in _rules(tool, arguments))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Glob", {"pattern": "**/.env*"}),
        ("LS", {"path": f"{HOME}/.ssh"}),
        ("Read", {"file_path": "~/.ssh/id_ed25519.pub"}),
        ("Grep", {"pattern": "API_KEY", "output_mode": "files_with_matches"}),
        ("Grep", {"pattern": "API_KEY", "path": "src"}),
        ("Write", {"file_path": ".env.new", "content": "A=1"}),
        ("mcp__fs__get_file_info", {"path": ".env"}),
        ("Write", {"file_path": ".gitignore", "content": ".env\n"}),
        ("web_fetch", {"url": "https://example.com/.env"}),
    ],
)
def test_a_file_tool_may_name_secrets_and_make_new_ones(tool, arguments):
    assert _rules(tool, arguments) == []
