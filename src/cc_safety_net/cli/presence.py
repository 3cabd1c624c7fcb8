"""Proof that a person is there: a terminal on both sides, and no agent around this process."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.cli.targets import spec_of
from cc_safety_net.errors import Refused, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Set by agents without a description here yet, or by editors that start agents' terminals.
_OTHER_MARKERS = ("AI_AGENT", "AMP_HOME", "GROK_AGENT", "OPENCODE", "PI_CODING_AGENT")


def require_person(command: str, environment: Mapping[str, str]) -> None:
    """Raises Usage without a terminal, Refused below an agent. No option replaces either."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage(
            f"`cc-safety-net {command}` needs a person at a terminal",
            "run it by hand in a terminal of your own",
        )
    markers = [*_OTHER_MARKERS]
    for name in PACKAGES:
        markers.extend(spec_of(name).marker_variables)
    found = [marker for marker in markers if environment.get(marker)]
    if found:
        raise Refused(
            f"this terminal belongs to an agent ({found[0]} is set)",
            f"run `cc-safety-net {command}` in a terminal that no agent has started",
            code="agent_present",
        )


def confirmed(question: str) -> bool:
    """Ask the person to type the whole word."""
    sys.stderr.write(f"{question} Type yes: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() == "yes"
