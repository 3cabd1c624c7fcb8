"""Section 15's lines on tools, and more of their kinds, through the whole engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.guard.worlds import HOME, workspace

from cc_safety_net.agents.claude_code.protocol import decode
from cc_safety_net.guard.engine import decide

_TABLE = Path(__file__).parents[2] / "data" / "verdicts" / "tools.jsonl"
ROOT = f"{HOME}/proj"


def _cases():
    found = [json.loads(line) for line in _TABLE.read_text("utf-8").splitlines()]
    return [pytest.param(case, id=f"{case['tool']} {case['arguments']}") for case in found]


@pytest.mark.parametrize("case", _cases())
def test_a_tool_is_decided_as_specified(case):
    payload = {
        "hook_event_name": "PreToolUse",
        "cwd": ROOT,
        "tool_name": case["tool"],
        "tool_input": json.loads(json.dumps(case["arguments"]).replace("<W>", ROOT)),
    }
    call = decode(payload, {}, ROOT)
    assert call is not None

    decision = decide(call, workspace())

    rule = decision.finding.rule if decision.finding is not None else ""
    assert decision.verdict == case["expect"], rule
    assert case.get("rule", rule) == rule
