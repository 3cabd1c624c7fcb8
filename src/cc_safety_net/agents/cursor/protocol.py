"""Cursor: several events before a tool, directories in URI-like drive form, blank ones."""

from __future__ import annotations

from cc_safety_net.agents.cursor.spec import SPEC
from cc_safety_net.agents.decoding import MALFORMED, build_call, decode_call, field
from cc_safety_net.agents.encoding import encode_verdict
from cc_safety_net.guard.call import BadCall
from cc_safety_net.guard.json_text import JsonError, decode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.decision import Reply


def decode(payload: Any, environment: Mapping[str, str], directory: str) -> ToolCall | None:
    event = payload.get("hook_event_name") if isinstance(payload, dict) else None
    if event == "beforeShellExecution":
        arguments = {"command": payload.get("command")}
        call = build_call(SPEC, payload, "Shell", arguments, environment, directory)
    elif event in ("beforeReadFile", "beforeTabFileRead"):
        path = payload.get("file_path")
        if not isinstance(path, str) or not path:
            raise BadCall(MALFORMED, "file_path is missing or no text")
        call = build_call(SPEC, payload, "Read", {"file_path": path}, environment, directory)
    elif event == "beforeMCPExecution":
        call = _decode_mcp(payload, environment, directory)
    else:
        found = decode_call(SPEC, payload, environment, directory)
        if found is None:
            return None
        call = found
    _set_directories(call)
    return call


def _decode_mcp(
    payload: Mapping[str, Any], environment: Mapping[str, str], directory: str
) -> ToolCall:
    """The event of an MCP server's tool, whose input is a JSON text."""
    name = payload.get("tool_name")
    arguments = field(payload, SPEC.payload.input)
    if isinstance(arguments, str):
        try:
            arguments = decode_json(arguments) if arguments.strip() else {}
        except JsonError as error:
            raise BadCall(MALFORMED, f"tool_input: {error.what}") from None
    if not isinstance(name, str) or not name or not isinstance(arguments, dict):
        raise BadCall(MALFORMED, "tool_name or tool_input is missing or of a wrong type")
    name = name if name.upper().startswith("MCP:") else f"MCP:{name}"
    return build_call(SPEC, payload, name, arguments, environment, directory)


def _set_directories(call: ToolCall) -> None:
    """A blank directory means the first root; a call with two directories is refused."""
    call.workspaces = tuple(_plain(root) for root in call.workspaces)
    call.directory = _plain(call.directory)
    call.session_directory = _plain(call.session_directory)
    if call.kind == "shell":
        named = {
            _plain(value)
            for key in ("cwd", "working_directory")
            if isinstance(value := call.arguments.get(key), str) and value.strip()
        }
        if len(named) > 1:
            raise BadCall(
                "guard.directory-outside-root", "cwd and working_directory name two directories"
            )
        if named:
            call.directory = named.pop()
    if not call.session_directory and call.workspaces:
        call.session_directory = call.workspaces[0]


def _plain(path: str) -> str:
    """`/C:/proj` as `C:/proj`; blanks around a path are none of it."""
    path = path.strip()
    if len(path) > 2 and path[0] == "/" and path[2] == ":" and path[1].isalpha():
        return path[1:]
    return path


def encode(verdict: str, text: str) -> Reply:
    return encode_verdict(SPEC, verdict, text)
