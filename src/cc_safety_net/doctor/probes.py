"""Runs an installed command as its agent would, with calls whose answer is known.

The command is the text found in the agent's own config. What is judged is the agent's contract:
one document in its form, the exit code it obeys.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from cc_safety_net.doctor.report import ProbeResult
from cc_safety_net.install import verify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.agents.spec import AgentSpec
    from cc_safety_net.install.setup import Probe
    from cc_safety_net.install.system import System

#: For one call; agents wait longer, people who wait for doctor do not.
SECONDS = 5.0
_REPLY_CHARACTERS = 2_000


def run_probes(
    system: System,
    spec: AgentSpec,
    probe: Probe,
    command: str,
    environment: Mapping[str, str],
) -> dict[str, ProbeResult]:
    """deny: the canary. allow: `echo ok`. malformed: the payload cut in half, to be denied."""
    harmless = verify.payload_of(probe, verify.HARMLESS)
    canary = verify.payload_of(probe, verify.canary(secrets.token_hex(8)))
    cases = (
        ("deny", canary, verify.DENY),
        ("allow", harmless, verify.ALLOW),
        ("malformed", harmless[: len(harmless) // 2], verify.DENY),
    )
    results: dict[str, ProbeResult] = {}
    for name, payload, expected in cases:
        if any(result.exit is None for result in results.values()):
            # One that hangs would hang again.
            results[name] = ProbeResult(False, 0, None, "", "not asked after that")
            continue
        answer = verify.ask_raw(system, spec, probe, command, payload, environment, SECONDS)
        right = answer.verdict == expected
        wrong = "" if right else answer.wrong or f"it answered {answer.verdict}, not {expected}"
        reply = answer.ended.stdout.decode("utf-8", "replace")[:_REPLY_CHARACTERS]
        results[name] = ProbeResult(right, answer.ms, answer.ended.status, reply, wrong)
    return results
