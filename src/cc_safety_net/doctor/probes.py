"""Runs an installed command as its agent would, with calls whose answer is known.

The command is the text found in the agent's own config. What is judged is the agent's contract:
one document in its form, the exit code it obeys.
"""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from cc_safety_net.doctor.report import ProbeResult
from cc_safety_net.install import verify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.agents.spec import AgentSpec
    from cc_safety_net.install.setup import Probe
    from cc_safety_net.install.system import System

_REPLY_CHARACTERS = 2_000


def run_probes(
    system: System,
    spec: AgentSpec,
    probe: Probe,
    command: str,
    environment: Mapping[str, str],
) -> dict[str, ProbeResult]:
    """deny: the canary. allow: `echo ok`. malformed: the payload cut in half, to be denied."""
    harmless = json.dumps(probe.payload(verify.HARMLESS)).encode()
    canary = json.dumps(probe.payload(verify.canary(secrets.token_hex(8)))).encode()
    cases = (
        ("deny", canary, verify.DENY),
        ("allow", harmless, verify.ALLOW),
        ("malformed", harmless[: len(harmless) // 2], verify.DENY),
    )
    results = {}
    for name, payload, expected in cases:
        answer = verify.ask_raw(system, spec, probe, command, payload, environment)
        right = answer.verdict == expected
        wrong = "" if right else answer.wrong or f"it answered {answer.verdict}, not {expected}"
        reply = answer.ended.stdout.decode("utf-8", "replace")[:_REPLY_CHARACTERS]
        results[name] = ProbeResult(right, answer.ms, answer.ended.status, reply, wrong)
    return results
