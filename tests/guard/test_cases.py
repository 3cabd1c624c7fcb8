"""The shared list of commands with their verdicts, none left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.guard.worlds import workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import examine

_FILE = Path(__file__).parent.parent / "data" / "cases" / "commands.jsonl"
PROJECT = "/home/dev/project"
#: A database that a case empties: one that is not there has nothing to lose.
_DATABASE = f"{PROJECT}/app.db"


def _cases():
    cases = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in cases]


def _decided(case, dialect):
    inside = case["cwd"].startswith(PROJECT)
    root = PROJECT if inside else case["cwd"]
    world = workspace(PROJECT, case["home"])
    world.add("/tmp/job-17", None)
    world.add(_DATABASE, b"SQLite format 3\0")
    call = ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": case["command"]},
        command=case["command"],
        dialect=dialect,
        directory=case["cwd"],
        session_directory=case["cwd"],
        workspaces=(root,),
    )

    decision, _, _ = examine(call, world, level=case["level"])

    return "allow" if decision.verdict == "allow" else "block"


@pytest.mark.parametrize("case", _cases())
def test_a_command_is_decided_as_listed(case):
    assert _decided(case, case["shell"]) == case["expect"], (case["command"], case["why"])


#: Without a sign of cmd: in a POSIX shell it asks what a name means.
_NO_SIGN = frozenset(("type .env",))


@pytest.mark.parametrize("case", [c for c in _cases() if c.values[0]["command"] not in _NO_SIGN])
def test_a_tool_that_does_not_tell_its_shell_is_decided_alike(case):
    assert _decided(case, "auto") == case["expect"], (case["command"], case["why"])
