"""Kimi Code: the directory of a Bash call must be named as a non-empty text, if at all."""

from __future__ import annotations

from cc_safety_net.agents.decoding import decode_call
from cc_safety_net.agents.encoding import encode_verdict
from cc_safety_net.agents.kimi_code.spec import SPEC
from cc_safety_net.guard.call import BadCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.decision import Reply


def decode(payload: Any, environment: Mapping[str, str], directory: str) -> ToolCall | None:
    call = decode_call(SPEC, payload, environment, directory)
    if call is not None and call.tool in SPEC.shell_tools:
        own = call.arguments.get("cwd", ".")
        if not isinstance(own, str) or not own.strip():
            raise BadCall("guard.directory-outside-root", "tool_input.cwd is no directory")
    return call


def encode(verdict: str, text: str) -> Reply:
    return encode_verdict(SPEC, verdict, text)
