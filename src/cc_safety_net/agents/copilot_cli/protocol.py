"""Copilot CLI: sends arguments as an object, as a JSON text, or as the bare text of a patch."""

from __future__ import annotations

from cc_safety_net.agents.copilot_cli.spec import SPEC
from cc_safety_net.agents.decoding import MALFORMED, build_call, decode_call, field, is_event
from cc_safety_net.agents.encoding import encode_verdict
from cc_safety_net.guard.call import BadCall
from cc_safety_net.guard.json_text import JsonError, decode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.decision import Reply

_PATCH = "apply_patch"
_EDITORS = frozenset((_PATCH, "edit", "Edit"))


def decode(payload: Any, environment: Mapping[str, str], directory: str) -> ToolCall | None:
    keys = SPEC.payload
    text = field(payload, keys.input) if isinstance(payload, dict) else None
    name = field(payload, keys.tool) if isinstance(payload, dict) else None
    if not isinstance(text, str) or not isinstance(name, str):
        return decode_call(SPEC, payload, environment, directory)
    if not is_event(payload, keys):
        return None
    if name in _EDITORS and not text.lstrip().startswith("{"):
        arguments = {"patch": text}
        return build_call(SPEC, payload, _PATCH, arguments, environment, directory)
    try:
        arguments = decode_json(text)
    except JsonError as error:
        raise BadCall(MALFORMED, f"toolArgs: {error.what}") from None
    if not isinstance(arguments, dict):
        raise BadCall(MALFORMED, "toolArgs is no object")
    return build_call(SPEC, payload, name, arguments, environment, directory)


def encode(verdict: str, text: str) -> Reply:
    return encode_verdict(SPEC, verdict, text)
