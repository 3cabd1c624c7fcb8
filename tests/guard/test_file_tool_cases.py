"""The shared list of file-tool calls with their verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.guard.worlds import workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import examine
from cc_safety_net.guard.tool_names import kind_of

_FILE = Path(__file__).parent.parent / "data" / "cases" / "file_tools.jsonl"
PROJECT = "/home/dev/project"
#: Files that the cases speak of as being there.
_FILES = {
    f"{PROJECT}/.env.production": "DB_PASSWORD=hunter22\n",
    f"{PROJECT}/.env.local": "STRIPE_SECRET_KEY=sk_live_1234\n",
}


def _cases():
    cases = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in cases]


@pytest.mark.parametrize("case", _cases())
def test_a_file_tool_is_decided_as_listed(case):
    world = workspace(PROJECT, case["home"])
    for path, content in _FILES.items():
        world.add(path, content)
    arguments = {"path": case["path"]}
    arguments.update({key: case[key] for key in ("pattern", "glob") if key in case})
    call = ToolCall(
        "claude-code",
        case["tool"],
        kind_of(case["tool"]),
        arguments,
        directory=case["cwd"],
        session_directory=case["cwd"],
        workspaces=(PROJECT,),
    )

    decision, _, _ = examine(call, world, level=case["level"])

    got = "allow" if decision.verdict == "allow" else "block"
    assert got == case["expect"], (case["path"], case["why"])
