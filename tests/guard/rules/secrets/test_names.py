"""Paths against the table of secrets."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, FakeWorld, place

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.interpret.facts import Reading
from cc_safety_net.guard.limits import Effort
from cc_safety_net.guard.rules.context import Context
from cc_safety_net.guard.rules.secrets import _is_suspicious, names, table
from cc_safety_net.guard.rules.secrets_rules import RULES


def _context(**environment):
    world = FakeWorld({}, environment=environment)
    return Context(ToolCall("codex", "Bash", "shell", {}), place(), world, Reading(), Effort())


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("/w/.env", "secret.basename.env"),
        ("/w/.env.local", "secret.pattern.env-variant"),
        ("/w/id_rsa.old", "secret.variant.id-rsa.old"),
        ("/w/id_rsa-work", "secret.variant.id-rsa.separator"),
        ("/w/id_ed25519_backup", "secret.variant.id-ed25519.backup"),
        ("/w/store.p12", "secret.ext.p12"),
        ("/w/my.kubeconfig", "secret.pattern.kubeconfig"),
        (f"{HOME}/.kube/config.save", "secret.home.kube-config.save"),
        (f"{HOME}/.docker/config.json-old", "secret.home.docker-config.old"),
        ("/root/.aws/config", "secret.home.aws"),
        ("/home/other/.ssh/x", "secret.home.ssh"),
        ("/users/other/library/keychains/x", "secret.home.keychains"),
        ("/etc/gshadow", "secret.system.shadow"),
        ("/proc/42/environ", "secret.system.proc-environ"),
        (f"{HOME}/.openclaw/agents/main/agent/auth.json", "secret.cli.openclaw"),
        (f"{HOME}/.hermes/profiles/work/auth.json", "secret.cli.hermes-agent"),
    ],
)
def test_a_path_of_the_table_has_its_rule(path, rule):
    found = names.of_path(path, _context())

    assert found is not None
    assert found[0] == rule


@pytest.mark.parametrize(
    "path",
    [
        "/w/.env.example",
        "/w/.env.local.sample",
        "/w/.env.d.ts",
        "/w/src/.env.test.ts",
        "/w/credentials_test.go",
        "/w/docs/credentials",
        "/w/node_modules/a/.env",
        "/w/vendor/a/server.key",
        "/w/id_rsa.pub",
        "/w/id_rsa_test.py",
        "/w/keys.json",
        "/w/prod.tfvars.example",
        f"{HOME}/.kube/cache/x",
        f"{HOME}/.gitconfig",
    ],
)
def test_what_only_looks_like_a_secret_is_none(path):
    assert names.of_path(path, _context()) is None


@pytest.mark.parametrize(
    ("variable", "path", "rule"),
    [
        ("CODEX_HOME", "/opt/x/auth.json", "secret.cli.codex"),
        ("GEMINI_CLI_HOME", "/opt/x/.gemini/oauth_creds.json", "secret.cli.gemini"),
        ("GROK_HOME", "/opt/x/auth.json", "secret.cli.grok-build"),
        ("HERMES_HOME", "/opt/x/auth.json", "secret.cli.hermes-agent"),
        ("PI_CODING_AGENT_DIR", "/opt/x/auth.json", "secret.cli.pi"),
        ("KIMI_CODE_HOME", "/opt/x/credentials/a.json", "secret.cli.kimi-code"),
        ("XDG_DATA_HOME", "/opt/x/opencode/auth.json", "secret.cli.opencode"),
        ("CLAUDE_CONFIG_DIR", "/opt/x/.credentials.json", "secret.cli.claude-code"),
        ("OPENCLAW_STATE_DIR", "/opt/x/credentials/oauth.json", "secret.cli.openclaw"),
    ],
)
def test_a_moved_home_is_followed(variable, path, rule):
    found = names.of_path(path, _context(**{variable: "/opt/x"}))

    assert found is not None
    assert found[0] == rule


@pytest.mark.parametrize(
    ("path", "public"),
    [
        ("/w/cert.pem", True),
        ("/w/ca.pem", True),
        ("/w/rootCA.pem", True),
        ("/w/fullchain.pem", True),
        ("/w/public-key.pem", True),
        ("/w/certs/a.pem", True),
        ("/w/server.pem", False),
        ("/w/cert-key.pem", False),
        ("/w/private-cert.pem", False),
    ],
)
def test_an_absent_certificate_is_told_by_its_name(path, public):
    assert names.has_public_name(path) is public


def test_the_cheap_look_passes_nothing_of_the_table():
    for rule in RULES:
        for example in rule.denied if rule.id != "secret.deny-path" else ():
            if isinstance(example, str) and example.startswith("cat "):
                path = example[4:].replace("~", HOME).replace('"$HOME"/', "").strip("'")
                assert _is_suspicious("/w/" + path), rule.id
    for entry, _ in (*table.STORES, *table.AGENTS, *table.SYSTEM):
        assert _is_suspicious("/h/" + entry), entry
    for name in (*table.NAMES, *table.REPRESENTATIVES):
        assert _is_suspicious("/w/" + name), name


def test_every_entry_of_the_table_has_its_texts():
    ids = {rule.id for rule in RULES}
    used = {rule for _, rule in (*table.STORES, *table.AGENTS, *table.AGENT_CONFIGS) if rule}
    used |= {rule for rule, _ in table.NAMES.values()}
    used |= {rule for _, rule in table.SYSTEM}

    assert used - ids == set()
