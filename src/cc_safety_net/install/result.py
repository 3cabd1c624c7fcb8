"""The outcome of `install`, `uninstall` and `update`, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cc_safety_net.install.plan import Change, FileChange, RunChange

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.errors import SafetyNetError

APPLIED = "applied"
PLANNED = "planned"
UNCHANGED = "unchanged"
ROLLED_BACK = "rolled-back"
FAILED = "failed"


@dataclass(frozen=True)
class Verified:
    """What the installed command answered. ms: of the slower of the two calls."""

    deny: bool
    allow: bool
    ms: int

    def to_json(self) -> Mapping[str, object]:
        return {"deny": self.deny, "allow": self.allow, "ms": self.ms}


@dataclass
class AgentResult:
    """One agent. state: installed, unchanged, removed, failed."""

    name: str
    scope: str
    state: str
    changes: list[Change] = field(default_factory=list)
    verify: Verified | None = None
    notes: list[str] = field(default_factory=list)
    error: SafetyNetError | None = None

    def to_json(self, *, diff: bool) -> Mapping[str, object]:
        document: dict[str, object] = {
            "name": self.name,
            "scope": self.scope,
            "state": self.state,
            "changes": [change_json(change, diff=diff) for change in self.changes],
            "notes": self.notes,
        }
        if self.verify is not None:
            document["verify"] = self.verify.to_json()
        if self.error is not None:
            document["error"] = error_json(self.error)
        return document


@dataclass
class Result:
    """All agents. error: what stopped it, if it did; the agent's own error says so too."""

    command: str
    result: str
    agents: list[AgentResult] = field(default_factory=list)
    runtime: Change | None = None
    notes: list[str] = field(default_factory=list)
    error: SafetyNetError | None = None

    @property
    def exit_code(self) -> int:
        return 0 if self.error is None else self.error.exit_code

    def to_json(self, *, diff: bool = False) -> Mapping[str, object]:
        document: dict[str, object] = {
            "v": 1,
            "command": self.command,
            "result": self.result,
            "agents": [agent.to_json(diff=diff) for agent in self.agents],
            "notes": self.notes,
        }
        if self.runtime is not None:
            document["runtime"] = change_json(self.runtime, diff=False)
        if self.error is not None:
            document["error"] = error_json(self.error)
        return document


def change_json(change: Change, *, diff: bool) -> Mapping[str, object]:
    """`kind`, then `path` or `argv`."""
    if isinstance(change, RunChange):
        return {"kind": change.kind, "argv": list(change.argv), "summary": change.summary}
    document = {"kind": change.kind, "path": change.path, "summary": change.summary}
    if diff and isinstance(change, FileChange):
        document["diff"] = change.diff()
    return document


def error_json(error: SafetyNetError) -> Mapping[str, object]:
    return {"code": error.code, "message": error.message, "hint": error.hint}
