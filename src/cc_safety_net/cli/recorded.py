"""A call of the past, found in the audit log by its id.

What was recorded is redacted and cut to a length: `exact` says whether it is the whole call.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cc_safety_net.errors import Refused, Usage
from cc_safety_net.guard.audit import LOGS
from cc_safety_net.guard.redact import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHORTEST_ID = 8
_ID = 16
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of the log. command: None for a tool that runs no text."""

    id: str
    time: str
    agent: str
    tool: str
    dialect: str
    directory: str
    root: str
    command: str | None
    arguments: Mapping[str, Any]
    decision: str
    rule: str
    level: str
    exact: bool

    def as_data(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "time": self.time,
            "agent": self.agent,
            "decision": self.decision,
            "rule": self.rule or None,
            "level": self.level,
            "exact": self.exact,
        }


def find(state: str, identifier: str) -> Recorded:
    """The recorded call whose audit id begins so; raises if there is none or more than one."""
    wanted = identifier.lower()
    if not _SHORTEST_ID <= len(wanted) <= _ID or not set(wanted) <= _HEX:
        raise Usage(
            f"{identifier} is no audit id", "it stands at the end of the refusal, 8 to 16 digits"
        )
    found = {line["id"]: line for line in _lines(os.path.join(state, LOGS), wanted)}
    if len(found) > 1:
        raise Refused(f"{identifier} fits {len(found)} calls", "give all 16 digits")
    for line in found.values():
        return _recorded(line)
    raise Refused(
        f"no call {identifier} is in the log",
        "let the agent try again, then use the id of the new refusal",
        code="unknown_id",
    )


def _lines(folder: str, wanted: str) -> Iterator[dict[str, Any]]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))
    except OSError:
        return
    for name in reversed(names):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as stream:
                for raw in stream:
                    if f'"{wanted}' in raw:
                        yield from _parsed(raw, wanted)
        except OSError:
            continue


def _parsed(raw: str, wanted: str) -> Iterator[dict[str, Any]]:
    try:
        line = json.loads(raw)
    except ValueError:
        return
    if isinstance(line, dict) and str(line.get("id", "")).startswith(wanted):
        yield line


def _recorded(line: Mapping[str, Any]) -> Recorded:
    command = line.get("command")
    arguments = line.get("args")
    whole = json.dumps([command, arguments], ensure_ascii=False)
    return Recorded(
        id=str(line["id"]),
        time=str(line.get("ts", "")),
        agent=str(line.get("agent", "")),
        tool=str(line.get("tool", "")),
        dialect=str(line.get("dialect", "")) or "auto",
        directory=str(line.get("cwd", "")),
        root=str(line.get("root", "")),
        command=command if isinstance(command, str) else None,
        arguments=arguments if isinstance(arguments, dict) else {},
        decision=str(line.get("decision", "")),
        rule=str(line.get("rule", "")),
        level=str(line.get("level", "")),
        exact=not line.get("truncated") and HIDDEN not in whole and ", sha256 " not in whole,
    )
