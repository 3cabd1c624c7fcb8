"""Directories, roots and containment of each agent: from the payload's text to the reply."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.agents import golden
from tests.guard.worlds import HOME, Link, repository, workspace

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.guard.call import BadCall
from cc_safety_net.guard.engine import judge, refuse_unread
from cc_safety_net.guard.json_text import decode_json

W = f"{HOME}/proj"
OTHER = f"{HOME}/other"
OUT = "guard.directory-outside-root"
UNUSABLE = "guard.directory-unusable"
MALFORMED = "guard.malformed-input"

#: Name of the shell tool, event, and how the payload says where it is.
SHELLS = {
    "claude-code": ("Bash", "PreToolUse"),
    "codex": ("Bash", "PreToolUse"),
    "gemini-cli": ("run_shell_command", "BeforeTool"),
    "cursor": ("Shell", "preToolUse"),
    "kimi-code": ("Bash", "PreToolUse"),
    "devin": ("exec", "PreToolUse"),
    "hermes-agent": ("terminal", "pre_tool_call"),
}


def _payload(agent: str, command: str, own: dict[str, Any], session: dict[str, Any]) -> Any:
    """A shell call of an agent: `own` beside the command, `session` beside the call."""
    arguments = {"command": command, **own}
    if agent == "antigravity-cli":
        arguments = {"CommandLine": command, **own}
        return {"toolCall": {"name": "run_command", "args": arguments}, **session}
    if agent == "grok-build":
        return {
            "hookEventName": "pre_tool_use",
            "toolName": "run_terminal_command",
            "toolInput": arguments,
            "toolInputTruncated": False,
            **session,
        }
    if agent == "copilot-cli":
        return {"toolName": "bash", "toolArgs": json.dumps(arguments), **session}
    tool, event = SHELLS[agent]
    return {"hook_event_name": event, "tool_name": tool, "tool_input": arguments, **session}


def _world() -> Any:
    world = workspace(W)
    for path, content in repository(f"{HOME}/second", {"g": "1\n"}).items():
        world.add(path, content)
    world.add(f"{W}/away", Link(OTHER))
    return world


def _reply(agent: str, payload: Any, environment: dict[str, str], process: str = W) -> str:
    """All of the reply: what is written to both streams."""
    protocol = golden.protocol(agent)
    world = _world()
    world.environment = {**world.environment, **environment}
    try:
        call = protocol.decode(decode_json(json.dumps(payload)), world.environment, process)
        assert call is not None
        decision = judge(call, world).decision
    except BadCall as caught:
        decision = refuse_unread(agent, caught.rule, caught.what, world).decision
    answer = protocol.encode(decision.verdict, decision.text)
    return str(answer.stdout + answer.stderr)


#: agent, beside the command, beside the call, environment, command, rule ("" = allowed).
DELETE = "rm -rf build"
CASES: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, str], str, str]] = [
    # Kimi: its `cwd` is the execution directory, inside the session's.
    ("kimi-code", {"cwd": "src"}, {"cwd": W}, {}, "rm -rf ../build", ""),
    ("kimi-code", {"cwd": f"{W}/src"}, {"cwd": W}, {}, "rm -rf ../build", ""),
    ("kimi-code", {}, {"cwd": W}, {}, DELETE, ""),
    ("kimi-code", {"cwd": OTHER}, {"cwd": W}, {}, "echo ok", OUT),
    ("kimi-code", {"cwd": ".."}, {"cwd": W}, {}, "echo ok", OUT),
    ("kimi-code", {"cwd": "away"}, {"cwd": W}, {}, "echo ok", OUT),
    ("kimi-code", {"cwd": ""}, {"cwd": W}, {}, "echo ok", OUT),
    ("kimi-code", {"cwd": "  "}, {"cwd": W}, {}, "echo ok", OUT),
    ("kimi-code", {"cwd": 7}, {"cwd": W}, {}, "echo ok", MALFORMED),
    ("kimi-code", {"cwd": "missing"}, {"cwd": W}, {}, "echo ok", UNUSABLE),
    # Grok: the root is workspaceRoot, without one cwd.
    ("grok-build", {}, {"workspaceRoot": W + "/", "cwd": W}, {}, DELETE, ""),
    ("grok-build", {}, {"workspaceRoot": W, "cwd": f"{W}/src"}, {}, "rm -rf ../build", ""),
    ("grok-build", {}, {"workspaceRoot": W, "cwd": ""}, {}, DELETE, ""),
    ("grok-build", {}, {"workspaceRoot": W, "cwd": " "}, {}, DELETE, ""),
    ("grok-build", {}, {"workspaceRoot": W}, {}, DELETE, ""),
    ("grok-build", {}, {"cwd": W}, {}, DELETE, ""),
    ("grok-build", {}, {"workspaceRoot": W, "cwd": OTHER}, {}, "echo ok", OUT),
    ("grok-build", {}, {"workspaceRoot": W, "cwd": f"{W}/away"}, {}, "echo ok", OUT),
    ("grok-build", {}, {"workspaceRoot": W, "cwd": "../other"}, {}, "echo ok", OUT),
    ("grok-build", {}, {"workspaceRoot": f"{HOME}/gone", "cwd": W}, {}, "echo ok", OUT),
    ("grok-build", {}, {}, {}, "echo ok", UNUSABLE),
    # Cursor: inside a workspace root; blank means the first.
    ("cursor", {}, {"workspace_roots": [W], "cwd": ""}, {}, DELETE, ""),
    ("cursor", {"working_directory": " "}, {"workspace_roots": [W]}, {}, DELETE, ""),
    ("cursor", {"cwd": f"{W}/src"}, {"workspace_roots": [W]}, {}, "rm -rf ../build", ""),
    ("cursor", {"working_directory": "src"}, {"workspace_roots": [W]}, {}, "rm -rf ../build", ""),
    (
        "cursor",
        {"cwd": f"{HOME}/second"},
        {"workspace_roots": [W, f"{HOME}/second"]},
        {},
        DELETE,
        "",
    ),
    ("cursor", {"cwd": OTHER}, {"workspace_roots": [W]}, {}, "echo ok", OUT),
    ("cursor", {"working_directory": f"{W}/away"}, {"workspace_roots": [W]}, {}, "echo ok", OUT),
    (
        "cursor",
        {"cwd": W, "working_directory": OTHER},
        {"workspace_roots": [W]},
        {},
        "echo ok",
        OUT,
    ),
    # Antigravity: `Cwd` inside one of the paths.
    ("antigravity-cli", {"Cwd": W}, {"workspacePaths": [W]}, {}, DELETE, ""),
    ("antigravity-cli", {"Cwd": f"{W}/src"}, {"workspacePaths": [W]}, {}, "rm -rf ../build", ""),
    ("antigravity-cli", {}, {"workspacePaths": [W]}, {}, DELETE, ""),
    ("antigravity-cli", {"Cwd": OTHER}, {"workspacePaths": [W]}, {}, "echo ok", OUT),
    ("antigravity-cli", {"Cwd": f"{W}/away"}, {"workspacePaths": [W]}, {}, "echo ok", OUT),
    # Gemini: the call's directory is the execution directory, anywhere.
    ("gemini-cli", {"directory": "src"}, {"cwd": W}, {}, "rm -rf ../build", ""),
    ("gemini-cli", {"dir_path": "src"}, {"cwd": W}, {}, "rm -rf ../build", ""),
    ("gemini-cli", {"dir_path": "/etc"}, {"cwd": W}, {}, "rm -rf ssl", "rm.system-path"),
    ("gemini-cli", {"directory": OTHER}, {"cwd": W}, {}, "echo ok", ""),
    ("gemini-cli", {"dir_path": "missing"}, {"cwd": W}, {}, "echo ok", UNUSABLE),
    # Hermes: a usable directory, which may leave the workspace.
    ("hermes-agent", {"workdir": OTHER}, {"cwd": W}, {}, "echo ok", ""),
    ("hermes-agent", {"workdir": "src"}, {"cwd": W}, {}, "rm -rf ../build", ""),
    ("hermes-agent", {"workdir": "/etc"}, {"cwd": W}, {}, "rm -rf ssl", "rm.system-path"),
    ("hermes-agent", {"workdir": f"{W}/missing"}, {"cwd": W}, {}, "echo ok", UNUSABLE),
    ("hermes-agent", {"workdir": f"{W}/f"}, {"cwd": W}, {}, "echo ok", UNUSABLE),
    # Devin names none: the project's variable says where.
    ("devin", {}, {}, {"DEVIN_PROJECT_DIR": W}, DELETE, ""),
    (
        "devin",
        {},
        {},
        {"DEVIN_PROJECT_DIR": W},
        "rm -rf ../other",
        "rm.recursive-force-outside-cwd",
    ),
    ("devin", {}, {}, {"DEVIN_PROJECT_DIR": f"{HOME}/gone"}, "echo ok", UNUSABLE),
    # None beyond a usable directory.
    ("claude-code", {}, {"cwd": W}, {}, DELETE, ""),
    ("claude-code", {}, {"cwd": OTHER}, {}, "echo ok", ""),
    ("claude-code", {}, {"cwd": f"{W}/src"}, {"CLAUDE_PROJECT_DIR": W}, "rm -rf ../build", ""),
    # A variable that names another project makes nothing inside.
    (
        "claude-code",
        {},
        {"cwd": W},
        {"CLAUDE_PROJECT_DIR": f"{HOME}/second"},
        "rm -rf ../second",
        "rm.git-metadata",
    ),
    ("claude-code", {}, {"cwd": f"{HOME}/gone"}, {}, "echo ok", UNUSABLE),
    ("claude-code", {}, {"cwd": f"{HOME}/gone"}, {}, f"cd {W} && rm -rf build", ""),
    ("codex", {"workdir": "src"}, {"cwd": W}, {}, "rm -rf ../build", ""),
    ("codex", {}, {"cwd": f"{HOME}/gone"}, {}, "echo ok", UNUSABLE),
    ("copilot-cli", {}, {"cwd": W}, {}, DELETE, ""),
    ("copilot-cli", {}, {"cwd": f"{HOME}/gone"}, {}, "echo ok", UNUSABLE),
]


@pytest.mark.parametrize(("agent", "own", "session", "environment", "command", "rule"), CASES)
def test_a_call_runs_where_its_agent_lets_it(
    agent: str,
    own: dict[str, Any],
    session: dict[str, Any],
    environment: dict[str, str],
    command: str,
    rule: str,
) -> None:
    text = _reply(agent, _payload(agent, command, own, session), environment)

    if rule:
        assert rule in text
    else:
        assert "Rule:" not in text


@pytest.mark.parametrize("agent", PACKAGES)
def test_a_directory_that_is_no_text_is_refused(agent: str) -> None:
    if agent == "devin":
        return  # it names none
    key = {"antigravity-cli": "workspacePaths", "grok-build": "cwd"}.get(agent, "cwd")
    text = _reply(agent, _payload(agent, "echo ok", {}, {key: {"a": 1}}), {})

    assert "Rule: guard." in text


@pytest.mark.parametrize("agent", PACKAGES)
def test_the_home_is_no_workspace_for_any_agent(agent: str) -> None:
    session: dict[str, Any] = {"cwd": HOME}
    if agent == "antigravity-cli":
        session = {"workspacePaths": [HOME]}
    if agent == "cursor":
        session = {"workspace_roots": [HOME]}
    text = _reply(
        agent,
        _payload(agent, "rm -r other", {}, session),
        {"DEVIN_PROJECT_DIR": HOME} if agent == "devin" else {},
        HOME,
    )

    assert "rm.recursive-force-home-cwd" in text
