"""A rule that is refused again in a session says so, whatever the tool: payload to reply."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cc_safety_net.agents.claude_code import protocol
from cc_safety_net.guard.audit import record
from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from cc_safety_net.guard.engine import Judgement

_PATCH = "*** Begin Patch\n*** Update File: .git/config\n@@\n-a\n+b\n*** End Patch"
#: (tool, arguments, the same rule by other arguments)
CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("Bash", {"command": "git push --force"}, {"command": "git push -f origin main"}),
    ("Read", {"file_path": ".env"}, {"file_path": "sub/.env"}),
    ("Write", {"file_path": ".git/config", "content": "x"}, {"file_path": ".git/HEAD"}),
    ("apply_patch", {"input": _PATCH}, {"input": _PATCH.replace("config", "index")}),
    ("mcp__sh__run", {"cmd": "git push --force"}, {"cmd": "cd src && git push -f"}),
    ("delete_file", {"path": "/etc/passwd"}, {"path": "/etc/group"}),
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    home = tmp_path / "home"
    (home / "proj" / ".git").mkdir(parents=True)
    (home / "proj" / "src").mkdir()
    (home / "proj" / ".env").write_text("API_KEY=abcdefgh12345678\n")
    return World({"HOME": str(home)}, str(home), str(home / "proj"))


def _ask(world: World, tool: str, arguments: dict[str, Any], session: str) -> Judgement:
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "cwd": world.directory,
        "tool_name": tool,
        "tool_input": arguments,
    }
    call = protocol.decode(payload, {}, world.directory)
    assert call is not None
    judgement = judge(call, world)
    record(judgement, world, "0")
    return judgement


def _blocks(judgement: Judgement) -> list[str]:
    reply = protocol.encode(judgement.decision.verdict, judgement.decision.text)
    text: str = json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    return text.split("\n\n")


@pytest.mark.parametrize(("tool", "arguments", "others"), CASES)
def test_the_second_refusal_of_a_rule_tells_the_agent_to_stop(
    world: World, tool: str, arguments: dict[str, Any], others: dict[str, Any]
) -> None:
    first = _ask(world, tool, arguments, "s")
    second = _ask(world, tool, others, "s")
    elsewhere = _ask(world, tool, arguments, "t")

    assert first.decision.verdict == "deny"
    notice = "Refused 2 times in this session. Stop and ask the person."
    assert notice in _blocks(second)
    assert not any("in this session" in block for block in (*_blocks(first), *_blocks(elsewhere)))
    # The notice stands where the advice stood, behind *Do not* and before what permits.
    plain, again = _blocks(first), _blocks(second)
    assert len(plain) == len(again)
    at = again.index(notice)
    assert again[at - 1].startswith("Do not: ")
    assert all(block.startswith(("Permit once: ", "Audit: ")) for block in again[at + 1 :])
    names = [block.partition(":")[0] for block in again]
    order = ["Blocked by cc-safety-net", "Rule", "Why", "Instead", "Do not"]
    assert [name for name in names if name in order] == [name for name in order if name in names]
