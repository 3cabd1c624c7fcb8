"""Reads a call out of an agent's JSON by the key paths of its description.

What is missing or has the wrong type is a BadCall, never a guess: the agent may see a call there.
"""

from __future__ import annotations

from cc_safety_net.guard.call import BadCall, ToolCall
from cc_safety_net.guard.tool_names import (
    COMMAND_KEYS,
    DIRECTORY_KEYS,
    TYPED_KEYS,
    dialect_of,
    find,
    kind_of,
    typed_text,
    unwrap_dispatcher,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeGuard

    from cc_safety_net.agents.spec import AgentSpec, Payload

MALFORMED = "guard.malformed-input"
#: Keys whose list holds several commands, not the words of one.
_SEVERAL = ("commands", "script")
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%"


def decode_call(
    spec: AgentSpec, payload: Any, environment: Mapping[str, str], directory: str
) -> ToolCall | None:
    """The call in `payload`, None for an event that is not the one before a tool.

    `directory` is that of the hook process: the session's, where the payload names none.
    """
    if not isinstance(payload, dict):
        raise BadCall(MALFORMED, "the payload is no JSON object")
    keys = spec.payload
    if not is_event(payload, keys):
        return None
    name = field(payload, keys.tool)
    if not isinstance(name, str) or not name.strip():
        raise BadCall(MALFORMED, f"{shown(keys.tool)} is missing or no text")
    arguments = field(payload, keys.input)
    if not isinstance(arguments, dict):
        raise BadCall(MALFORMED, f"{shown(keys.input)} is missing or no object")
    return build_call(spec, payload, name, arguments, environment, directory)


def is_event(payload: Mapping[str, Any], keys: Payload) -> bool:
    """The payload's event is the one before a tool; BadCall if it names none and should."""
    event = field(payload, keys.event)
    if event is None and (keys.event_optional or not keys.event_values):
        return True
    if not isinstance(event, str) or not event:
        raise BadCall(MALFORMED, f"{shown(keys.event)} is missing or no text")
    return event in keys.event_values


def build_call(
    spec: AgentSpec,
    payload: Mapping[str, Any],
    name: str,
    arguments: Mapping[str, Any],
    environment: Mapping[str, str],
    directory: str,
) -> ToolCall:
    """The call of the tool `name` with these arguments; the rest comes from the payload."""
    keys = spec.payload
    tool, inner = unwrap_dispatcher(name, arguments)
    kind = spec.tools.get(tool) or ("shell" if tool in spec.shell_tools else kind_of(tool))
    command = None
    own_directory = ""
    if kind in ("shell", "typed"):
        command = _command(kind, inner, required=tool in spec.shell_tools)
        if command is None:
            kind = "other"
        else:
            own_directory = _own_directory(inner)
    session_directory = optional_text(payload, keys.session_directory)
    workspaces = _workspaces(payload, keys.workspaces)
    rooted = bool(workspaces)
    for variable in spec.project_variables:
        if environment.get(variable):
            workspaces = workspaces or [environment[variable]]
            # Devin names no directory at all, and its hooks may run elsewhere.
            session_directory = session_directory or environment[variable]
            break
    if rooted and not session_directory.strip():
        session_directory = workspaces[0]
    return ToolCall(
        spec.name,
        tool,
        kind,
        inner,
        command=command,
        dialect=spec.shell_tools.get(tool) or dialect_of(tool),
        directory=own_directory,
        session_directory=session_directory.strip() or directory,
        workspaces=workspaces,
        contained=spec.contained,
        rooted=rooted,
        session=_identifier(payload, keys.session),
        call_id=_identifier(payload, keys.call_id),
    )


def field(payload: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> Any:
    """The value at the first key path that leads to one; null counts as absent."""
    for path in paths:
        value: Any = payload
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            return value
    return None


def shown(paths: Sequence[Sequence[str]]) -> str:
    return " or ".join(".".join(path) for path in paths)


def optional_text(payload: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> str:
    value = field(payload, paths)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadCall(MALFORMED, f"{shown(paths)} is no text")
    return value


def _identifier(payload: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> str:
    """An id decides nothing: one of another type is none."""
    value = field(payload, paths)
    return value if isinstance(value, str) else ""


def _workspaces(payload: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> list[str]:
    value = field(payload, paths)
    if value is None:
        return []
    roots = [value] if isinstance(value, str) else value
    if not isinstance(roots, list) or not all(isinstance(root, str) for root in roots):
        raise BadCall(MALFORMED, f"{shown(paths)} is no list of directories")
    return [root for root in roots if root.strip()]


def _command(kind: str, arguments: Mapping[str, Any], *, required: bool) -> str | None:
    """The text of a shell tool; None where a tool of another host means something else by it."""
    keys = COMMAND_KEYS if kind == "shell" else TYPED_KEYS
    value = find(arguments, keys)
    if isinstance(value, str):
        # `{"command": "rm", "args": ["-rf", "x"]}`
        rest = find(arguments, ("args", "arguments")) if kind == "shell" else None
        return " ".join((value, *map(_quoted, rest))) if _are_words(rest) else value
    if kind == "typed" and _are_words(value):
        return typed_text(value)
    if _are_words(value):
        several = find(arguments, keys[:1]) is None and find(arguments, _SEVERAL) is value
        return "\n".join(value) if several else " ".join(map(_quoted, value))
    if required:
        raise BadCall(MALFORMED, "the command is missing or no text")
    return None


def _own_directory(arguments: Mapping[str, Any]) -> str:
    value = find(arguments, DIRECTORY_KEYS)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadCall(MALFORMED, "the call's directory is no text")
    return value


def _are_words(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def _quoted(word: str) -> str:
    """A word of an argument list as shell text."""
    if word and not word.strip(_PLAIN):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
