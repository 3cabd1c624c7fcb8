"""Claude Code, and which other agent sent a payload to its entry.

Grok Build, Devin and Cursor load Claude's hooks and obey another form than Claude's.
"""

from __future__ import annotations

from cc_safety_net.agents.claude_code.spec import SPEC
from cc_safety_net.agents.decoding import decode_call
from cc_safety_net.agents.encoding import encode_verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.decision import Reply

#: Variables that an agent sets for its hooks alone, for a payload that can't be read.
_HOOK_VARIABLES = {
    "GROK_HOOK_EVENT": "grok-build",
    "DEVIN_PROJECT_DIR": "devin",
    "CURSOR_VERSION": "cursor",
}


def host(payload: Any, environment: Mapping[str, str]) -> str:
    """Name of the agent that sent this payload to Claude's entry, "" for Claude itself."""
    if not isinstance(payload, dict):
        for variable, name in _HOOK_VARIABLES.items():
            if environment.get(variable):
                return name
        return ""
    if "hookEventName" in payload or "toolName" in payload:
        return "grok-build"
    if "cursor_version" in payload or "workspace_roots" in payload:
        return "cursor"
    # Claude always names its directory and its transcript, and has no tool `exec`.
    bare = "cwd" not in payload and "transcript_path" not in payload
    in_devin = bool(environment.get("DEVIN_PROJECT_DIR"))
    if (in_devin or bare) and payload.get("tool_name") == "exec":
        return "devin"
    return "devin" if in_devin and bare else ""


def decode(payload: Any, environment: Mapping[str, str], directory: str) -> ToolCall | None:
    return decode_call(SPEC, payload, environment, directory)


def encode(verdict: str, text: str) -> Reply:
    return encode_verdict(SPEC, verdict, text)
