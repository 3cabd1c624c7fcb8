"""Kimi Code: one bad `[[hooks]]` entry of anybody drops them all; what it sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cc_safety_net.agents.kimi_code.spec import SPEC
from cc_safety_net.install.entries import Problem
from cc_safety_net.install.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Those that are known; a newer Kimi Code may have more, so another one is only a warning.
_EVENTS = frozenset(
    {"PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop"}
    | {"StopFailure", "SessionStart", "SessionEnd", "SubagentStart", "SubagentStop"}
    | {"PreCompact", "PostCompact", "Notification", "PermissionRequest"}
)
_KEYS = frozenset({"event", "matcher", "command", "timeout"})


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool."""
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "cc-safety-net-probe",
        "cwd": directory,
        "client_type": "kimi_code_cli",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_call_id": "cc-safety-net-probe",
    }


def validate(model: object) -> Sequence[Problem]:
    """Exactly four keys are legal, each with its type."""
    hooks = model.get("hooks", []) if isinstance(model, dict) else []
    problems: list[Problem] = []
    for index, entry in enumerate(hooks if isinstance(hooks, list) else []):
        problems.extend(Problem(("hooks", index), what) for what in _complaints(entry))
        event = entry.get("event") if isinstance(entry, dict) else None
        if isinstance(event, str) and event not in _EVENTS:
            what = (
                f'event "{event}" is not known; if Kimi Code does not know it, it drops all hooks'
            )
            problems.append(Problem(("hooks", index), what, fatal=False))
    return problems


def _complaints(entry: object) -> list[str]:
    if not isinstance(entry, dict):
        return ["a hook is not a table, so Kimi Code drops all hooks"]
    found = [f'unknown key "{key}"' for key in entry if key not in _KEYS]
    found += [
        f'"{key}" must be a string'
        for key in ("event", "command")
        if not isinstance(entry.get(key), str) or not entry[key]
    ]
    if not isinstance(entry.get("matcher", ""), str):
        found.append('"matcher" must be a string')
    timeout = entry.get("timeout", 30)
    if not isinstance(timeout, int) or isinstance(timeout, bool) or not 1 <= timeout <= 600:
        found.append('"timeout" must be a whole number from 1 to 600')
    return [
        f"a hook that Kimi Code does not accept, so it drops all hooks: {what}" for what in found
    ]


SETUP = Setup(SPEC, payload, validate=validate)
