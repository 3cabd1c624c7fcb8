"""Grok Build: a hook file of our own; what it sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cc_safety_net.agents.grok_build.spec import SPEC
from cc_safety_net.install.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Mapping


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call as 1.0.41 sends it; the workspace has a trailing slash."""
    call = {"command": command, "description": "probe"}
    return {
        "hookEventName": "pre_tool_use",
        "sessionId": "cc-safety-net-probe",
        "cwd": directory,
        "workspaceRoot": directory.rstrip("/") + "/",
        "permissionMode": "default",
        "toolName": "run_terminal_command",
        "toolUseId": "cc-safety-net-probe",
        "toolInput": call,
        "toolInputTruncated": False,
        "hook_event_name": "PreToolUse",
        "session_id": "cc-safety-net-probe",
        "permission_mode": "default",
        "tool_name": "run_terminal_command",
        "tool_input": call,
        "tool_use_id": "cc-safety-net-probe",
    }


SETUP = Setup(SPEC, payload)
