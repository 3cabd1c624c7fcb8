"""Antigravity CLI: names no workspace in its print mode."""

from __future__ import annotations

from cc_safety_net.agents.antigravity_cli.spec import SPEC
from cc_safety_net.agents.decoding import decode_call
from cc_safety_net.agents.encoding import encode_verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.decision import Reply


def decode(payload: Any, environment: Mapping[str, str], directory: str) -> ToolCall | None:
    call = decode_call(SPEC, payload, environment, directory)
    if call is not None and not call.rooted:
        # Without a workspace there is nothing that the directory could lie outside of.
        call.contained = False
    return call


def encode(verdict: str, text: str) -> Reply:
    return encode_verdict(SPEC, verdict, text)
