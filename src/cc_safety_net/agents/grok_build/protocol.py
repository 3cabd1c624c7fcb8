"""Grok Build: cuts long input short, and names its root with a slash at the end."""

from __future__ import annotations

from cc_safety_net.agents.decoding import MALFORMED, decode_call, optional_text
from cc_safety_net.agents.encoding import encode_verdict
from cc_safety_net.agents.grok_build.spec import SPEC
from cc_safety_net.guard.call import BadCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.decision import Reply


def decode(payload: Any, environment: Mapping[str, str], directory: str) -> ToolCall | None:
    if isinstance(payload, dict):
        _refuse_truncated(payload)
    call = decode_call(SPEC, payload, environment, directory)
    if call is None:
        return None
    working = optional_text(payload, SPEC.payload.session_directory).strip()
    root = optional_text(payload, SPEC.payload.workspaces).strip()
    call.rooted = bool(root or working)
    root = root or working or "".join(call.workspaces)
    if not root.startswith("/"):
        raise BadCall("guard.directory-unusable", "neither workspaceRoot nor cwd is absolute")
    root = root.rstrip("/") or "/"
    call.workspaces = (root,)
    call.session_directory = working if working.startswith("/") else root
    if working and not working.startswith("/"):
        call.session_directory = root.rstrip("/") + "/" + working
    return call


def _refuse_truncated(payload: Mapping[str, Any]) -> None:
    """Above 128 KiB the input is a text cut in the middle, and a flag says so."""
    flag = payload.get("toolInputTruncated", payload.get("tool_input_truncated", False))
    if flag is None or flag is False:
        cut = any(isinstance(payload.get(key), str) for key in ("toolInput", "tool_input"))
    elif flag is True:
        cut = True
    else:
        raise BadCall(MALFORMED, "toolInputTruncated is neither true nor false")
    if cut:
        raise BadCall("guard.truncated-input", "the agent cut the input short")


def encode(verdict: str, text: str) -> Reply:
    return encode_verdict(SPEC, verdict, text)
