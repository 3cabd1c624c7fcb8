"""Verdict tables: commands with the decision the whole engine must reach in the workspace.

A table is a file of JSON lines in `tests/data/verdicts`: `command`, `expect` (`allow` or `deny`),
and, where they matter, `rule`, `level`, `directory`, `files` (path in the workspace -> content).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import decide

if TYPE_CHECKING:
    from tests.guard.worlds import FakeWorld

    from cc_safety_net.guard.decision import Decision

_TABLES = Path(__file__).parent.parent / "data" / "verdicts"
ROOT = f"{HOME}/proj"


def cases(section: str) -> list[Any]:
    """The cases of a table, as parameters of a test."""
    lines = (_TABLES / f"{section}.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [
        pytest.param(case, id=f"{case['command']} at {case.get('level', 'standard')}")
        for case in found
    ]


def verdict(
    command: str,
    level: str = "standard",
    directory: str = ROOT,
    *,
    world: FakeWorld | None = None,
    agent: str = "claude-code",
) -> Decision:
    """The decision about a shell command in the workspace, at a level of the policy."""
    world = world or workspace()
    if level != "standard":
        policy = {"version": 2, "safety": {"level": level}}
        world.add(f"{world.config}/policy.json", json.dumps(policy))
    call = ToolCall(
        agent,
        "Bash",
        "shell",
        {"command": command},
        command=command,
        dialect="posix",
        directory=directory,
        session_directory=directory,
        workspaces=(ROOT,),
    )
    return decide(call, world)


def check(case: dict[str, Any]) -> None:
    """Fails if the engine decides otherwise, or for another reason."""
    world = workspace()
    for path, content in case.get("files", {}).items():
        world.add(f"{ROOT}/{path}", content)
    directory = case.get("directory", ROOT)
    decision = verdict(case["command"], case.get("level", "standard"), directory, world=world)
    rule = decision.finding.rule if decision.finding is not None else ""
    assert decision.verdict == case["expect"], (case["command"], rule)
    if "rule" in case:
        assert rule == case["rule"]
