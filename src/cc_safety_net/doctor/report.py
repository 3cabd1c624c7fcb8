"""What doctor found: states, probes and findings, as data for both renderers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

ERROR = "error"
WARNING = "warning"
INFO = "info"

#: State of an agent -> severity (docs/reference/doctor.md).
STATES: Mapping[str, str] = {
    "protected": INFO,
    "not-detected": INFO,
    "not-installed": WARNING,
    "installed-but-disabled": ERROR,
    "installed-but-untrusted": ERROR,
    "installed-but-old": WARNING,
    "guard-not-executable": ERROR,
    "wrong-answer": ERROR,
    "rejected-config": ERROR,
    "registered-twice": WARNING,
    "n/a": INFO,
}
#: States in which the installed entry gave all the right answers.
PROVED = frozenset({"protected", "installed-but-old", "registered-twice"})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person should know. id: stable. fix: a command or an edit, or ""."""

    id: str
    severity: str
    title: str
    detail: str = ""
    fix: str = ""
    agent: str = ""
    path: str = ""

    def to_json(self) -> dict[str, str]:
        found = {
            "id": self.id,
            "severity": self.severity,
            "title": self.title,
            "detail": self.detail,
            "fix": self.fix,
        }
        if self.agent:
            found["agent"] = self.agent
        if self.path:
            found["path"] = self.path
        return found


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """One run of the installed command. exit: None after a time-out. wrong: "" if it is right."""

    ok: bool
    ms: int
    exit: int | None
    reply: str
    wrong: str

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "ms": self.ms,
            "exit": self.exit,
            "reply": self.reply,
            "wrong": self.wrong,
        }


@dataclass(slots=True)
class AgentReport:
    """One agent in one scope. command: the entry as its own config holds it."""

    name: str
    title: str
    detected: bool
    state: str
    scope: str = "user"
    version: str = ""
    path: str = ""
    command: str = ""
    probes: dict[str, ProbeResult] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "detected": self.detected,
            "state": self.state,
            "scope": self.scope,
            "version": self.version or None,
            "path": self.path or None,
            "command": self.command or None,
            "probes": {name: probe.to_json() for name, probe in self.probes.items()},
            "findings": [finding.id for finding in self.findings],
        }


@dataclass(slots=True)
class Report:
    """The whole examination."""

    agents: list[AgentReport]
    runtime: dict[str, Any]
    system: dict[str, str]
    findings: list[Finding]

    @property
    def ok(self) -> bool:
        return all(finding.severity != ERROR for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "agents": [agent.to_json() for agent in self.agents],
            "runtime": self.runtime,
            "system": self.system,
            "findings": [finding.to_json() for finding in self.findings],
        }
