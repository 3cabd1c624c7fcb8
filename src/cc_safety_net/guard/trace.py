"""The stages of a call as text for `CC_SAFETY_NET_DEBUG`, redacted."""

from __future__ import annotations

from cc_safety_net.guard.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.engine import Judgement


def trace_of(judgement: Judgement) -> str:
    """One line a stage, its findings below it."""
    decision = judgement.decision
    place = judgement.place
    call = judgement.call
    lines = [
        f"cc-safety-net {decision.verdict} {call.agent} {call.tool}",
        f"  level {decision.level}  audit {decision.audit_id}",
        f"  directory {place.directory if place else '-'}  roots {place.roots if place else ()}",
    ]
    for stage in decision.stages:
        lines.append(f"  {stage.name:<12} {stage.result:<8} {stage.ns / 1e6:.2f} ms")
        for finding in stage.findings:
            chain = " → ".join(finding.chain)
            part = redact(finding.part[:200])
            lines.append(f"    {finding.rule}  {part!r} [{finding.start}:{finding.end}] {chain}")
    return "\n".join(lines) + "\n"
