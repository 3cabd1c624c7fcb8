"""What the guard answers: findings, the decision, the trace, and an agent's reply."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ALLOW = "allow"
DENY = "deny"
ASK = "ask"


class Finding:
    """One rule that objects.

    rule: stable id. start, end: span in the text of the call (0, 0 where there is none).
    part: the offending part as text, not yet redacted. chain: wrappers that led to it, outermost
    first (`("sudo", "bash -c")`). values: fills the holes of the rule's texts ({path}, {branch}).
    why: replaces the rule's own reason where the sentence depends on the call; else "".
    target: the path, ref or object concerned, for repeat detection; else "".
    level: lowest level at which this finding acts, where it differs from its rule's; else "".
    lost: lines of what would be lost (the refusal's "Would be lost:").
    """

    __slots__ = (
        "chain",
        "end",
        "level",
        "lost",
        "part",
        "rule",
        "start",
        "target",
        "values",
        "why",
    )

    def __init__(
        self,
        rule: str,
        part: str = "",
        start: int = 0,
        end: int = 0,
        *,
        chain: Sequence[str] = (),
        values: Mapping[str, str] | None = None,
        why: str = "",
        target: str = "",
        level: str = "",
        lost: Sequence[str] = (),
    ) -> None:
        self.rule = rule
        self.part = part
        self.start = start
        self.end = end
        self.chain = tuple(chain)
        self.values = values or {}
        self.why = why
        self.target = target
        self.level = level
        self.lost = tuple(lost)


class StageResult:
    """A line of the trace: `result` is `ok`, `deny`, `off` or `skipped`; ns is its duration."""

    __slots__ = ("findings", "name", "note", "ns", "result")

    def __init__(
        self, name: str, result: str, ns: int, findings: Sequence[Finding] = (), note: str = ""
    ) -> None:
        self.name = name
        self.result = result
        self.ns = ns
        self.findings = tuple(findings)
        self.note = note


class Decision:
    """verdict: ALLOW, DENY or ASK. finding: the deciding one (None for allow).

    findings: all of them in stage order. text: the whole refusal, redacted; "" for allow.
    """

    __slots__ = ("audit_id", "finding", "findings", "level", "policy", "stages", "text", "verdict")

    def __init__(
        self,
        verdict: str,
        *,
        finding: Finding | None = None,
        findings: Sequence[Finding] = (),
        stages: Sequence[StageResult] = (),
        text: str = "",
        audit_id: str = "",
        level: str = "standard",
        policy: str = "",
    ) -> None:
        self.verdict = verdict
        self.finding = finding
        self.findings = tuple(findings)
        self.stages = tuple(stages)
        self.text = text
        self.audit_id = audit_id
        self.level = level
        self.policy = policy


class Reply:
    """Bytes for the agent. No encoder ever puts tool input into it."""

    __slots__ = ("status", "stderr", "stdout")

    def __init__(self, stdout: str = "", stderr: str = "", status: int = 0) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.status = status
