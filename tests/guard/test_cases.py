"""The shared list of commands with their verdicts, family by family."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.guard.worlds import workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import examine

_FILE = Path(__file__).parent.parent / "data" / "cases" / "commands.jsonl"
PROJECT = "/home/dev/project"
FAMILIES = frozenset(
    (
        "cwd",
        "data-mention",
        "device",
        "find",
        "git-metadata",
        "glob",
        "heredoc",
        "obfuscation",
        "quoting",
        "rm",
        "self-protection",
        "substitution",
        "variable",
        "wrapper",
        "xargs",
    )
)
#: Cases of these families that other rules than those for deletions decide.
_ELSEWHERE = frozenset(("cat $P1/$P2",))


def _cases():
    cases = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
    return [
        pytest.param(case, id=case["id"])
        for case in cases
        if case["family"] in FAMILIES
        and case["shell"] == "posix"
        and not case["command"].endswith(tuple(_ELSEWHERE))
    ]


@pytest.mark.parametrize("case", _cases())
def test_a_command_is_decided_as_listed(case):
    inside = case["cwd"].startswith(PROJECT)
    root = PROJECT if inside else case["cwd"]
    world = workspace(PROJECT, case["home"])
    world.add("/tmp/job-17", None)
    call = ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": case["command"]},
        command=case["command"],
        dialect="posix",
        directory=case["cwd"],
        session_directory=case["cwd"],
        workspaces=(root,),
    )

    decision, _, _ = examine(call, world, level=case["level"])

    got = "allow" if decision.verdict == "allow" else "block"
    assert got == case["expect"], (case["command"], case["why"])
