"""Codex: its description says all about its calls."""

from __future__ import annotations

from cc_safety_net.agents.codex.spec import SPEC
from cc_safety_net.agents.decoding import decode_call
from cc_safety_net.agents.encoding import encode_verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.decision import Reply


def decode(payload: Any, environment: Mapping[str, str], directory: str) -> ToolCall | None:
    return decode_call(SPEC, payload, environment, directory)


def encode(verdict: str, text: str) -> Reply:
    return encode_verdict(SPEC, verdict, text)
