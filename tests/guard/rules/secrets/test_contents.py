"""Credential lines, and searches compared with text."""

from __future__ import annotations

import pytest

from cc_safety_net.guard.rules.secrets.contents import is_credential_line
from cc_safety_net.guard.rules.secrets.environment import is_secret_name
from cc_safety_net.guard.rules.secrets.searching import Search


@pytest.mark.parametrize(
    "line",
    [
        "API_KEY=sk-live-1234",
        "export DB_PASSWORD='hunter22'",
        "password: hunter22",
        '  "client_secret": "abcdef",',
        "//registry.npmjs.org/:_authToken=npm_abcdef",
        'api_key: "abc="',
    ],
)
def test_a_literal_value_of_a_secret_name_is_a_credential(line):
    assert is_credential_line(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "# API_KEY=abc",
        "API_KEY=",
        "API_KEY=changeme",
        "API_KEY=<your key>",
        "API_KEY=${API_KEY}",
        "password: {{ vault_password }}",
        "password = var.password",
        "registry=https://npm.example.org",
        "PORT=3000",
        "author: me",
    ],
)
def test_a_placeholder_a_reference_and_another_name_are_none(line):
    assert not is_credential_line(line)


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("API_KEY", True),
        ("GITHUB_TOKEN", True),
        ("DB_PASSWORD", True),
        ("PGPASSWORD", True),
        ("AWS_SECRET_ACCESS_KEY", True),
        ("AWS_ACCESS_KEY_ID", False),
        ("TOKEN_FILE", False),
        ("KEY", False),
        ("key", False),
        ("MAX_TOKENS", False),
        ("SSH_AUTH_SOCK", False),
        ("PASSENGER_ROOT", False),
    ],
)
def test_a_variable_is_secret_by_the_words_of_its_name(name, secret):
    assert is_secret_name(name) is secret


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("", True),
        (".", True),
        (".*", True),
        ("KEY", True),
        ("API.*sk-", True),
        ("^API_KEY=", True),
        ("FOO|API", True),
        ("[A-Z_]+=", True),
        ("import foo", False),
        ("FOO|BAR", False),
        ("sk-.*API", False),
    ],
)
def test_a_pattern_is_compared_as_plain_text(pattern, found):
    assert Search((pattern,), "rg").finds("PORT=1\nAPI_KEY=sk-live\n") is found
