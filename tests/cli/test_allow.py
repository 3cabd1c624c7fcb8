"""A person permits one call once, at a terminal; an agent can't, and nothing else passes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.terminal import SOURCE, at_terminal

from cc_safety_net.cli.app import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(home: Path) -> Path:
    root = home / "proj"
    (root / ".git").mkdir(parents=True)
    return root


def hook(project: Path, command: str) -> dict[str, object]:
    """What Kimi Code would get for this command, {} for an allow."""
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(project),
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    ended = subprocess.run(
        [sys.executable, "-m", "cc_safety_net", "hook", "--kimi-code"],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=True,
    )
    found: dict[str, object] = json.loads(ended.stdout or b"{}")
    return found


def audit_id(reply: dict[str, object]) -> str:
    return json.dumps(reply).partition("Audit: ")[2][:16]


def test_a_permitted_call_passes_once_and_no_other(project: Path) -> None:
    refused = hook(project, "git push --force origin preview")

    code, shown = at_terminal("yes\n", "allow", audit_id(refused)[:8])

    assert (code, "git push --force origin preview" in shown) == (0, True)
    assert "Refused by git.push-force" in shown
    assert hook(project, "git push --force origin main") != {}
    assert hook(project, "git push --force origin preview") == {}


def test_any_other_answer_than_yes_permits_nothing(project: Path) -> None:
    refused = hook(project, "git push --force")

    code, shown = at_terminal("y\n", "allow", audit_id(refused))

    assert (code, "error: not permitted" in shown) == (1, True)
    assert hook(project, "git push --force") != {}


def test_an_agents_terminal_is_refused(project: Path) -> None:
    refused = hook(project, "git push --force")

    code, shown = at_terminal("yes\n", "allow", audit_id(refused), CLAUDECODE="1")

    assert (code, "belongs to an agent (CLAUDECODE is set)" in shown) == (1, True)


def test_a_catastrophic_rule_is_never_permitted(project: Path) -> None:
    refused = hook(project, "rm -rf ~")

    code, shown = at_terminal("yes\n", "allow", audit_id(refused))

    assert (code, "can't be permitted" in shown) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["0123abcd"], 2, "needs a person at a terminal"),
        ([], 2, "allow needs one of"),
        (["--revoke", "0123abcd"], 1, "no permission 0123abcd"),
        (["--list"], 0, "no call is permitted"),
    ],
)
def test_without_a_terminal_or_an_id(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = main(["allow", *words])

    streams = capsys.readouterr()
    assert (found, message in streams.out + streams.err) == (code, True)


@pytest.mark.parametrize("identifier", ["xyz", "0123abc", "../../etc"])
def test_what_is_no_id_is_usage(identifier: str, project: Path) -> None:
    code, shown = at_terminal("yes\n", "allow", identifier)

    assert (code, "is no audit id" in shown) == (2, True)


def test_a_permission_can_be_listed_and_taken_back(project: Path) -> None:
    identifier = audit_id(hook(project, "git push --force"))
    at_terminal("yes\n", "allow", identifier)

    _, listed = at_terminal("", "allow", "--list")
    code, _ = at_terminal("", "allow", "--revoke", identifier[:8])

    assert (identifier in listed, code) == (True, 0)
    assert hook(project, "git push --force") != {}
