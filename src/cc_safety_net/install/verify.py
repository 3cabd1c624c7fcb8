"""Runs what was installed, as the agent would, and judges the answer.

The judge knows the agent's contract only: one document on standard output, the form that the
agent obeys, the exit code that it reads.
"""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.agents.spec import TEXT, AgentSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.install.setup import Probe
    from cc_safety_net.install.system import Ended, System

TIMEOUT = 20.0
#: What stands for the session in the payloads of the agents' setups.
SESSION = "cc-safety-net-probe"
HARMLESS = "echo ok"

DENY = "deny"
ALLOW = "allow"


@dataclass(frozen=True)
class Answer:
    """What came back. verdict: `deny`, `allow`, or "" for what no agent would take as either.

    wrong: why it is neither, for people. ms: how long it took.
    """

    verdict: str
    wrong: str
    ms: int
    ended: Ended


def canary(nonce: str) -> str:
    """The command that every policy denies and that does nothing."""
    return f": cc-safety-net-canary {nonce}"


def ask(
    system: System,
    spec: AgentSpec,
    probe: Probe,
    command: str,
    shell_command: str,
    environment: Mapping[str, str],
) -> Answer:
    """Run the entry's `command` with a call that wants to run `shell_command`."""
    payload = payload_of(probe, shell_command)
    return ask_raw(system, spec, probe, command, payload, environment)


def payload_of(probe: Probe, shell_command: str) -> bytes:
    """What the agent would send, in a session of its own: no answer speaks of earlier ones."""
    text = json.dumps(probe.payload(shell_command))
    return text.replace(SESSION, f"{SESSION}-{secrets.token_hex(4)}").encode()


def ask_raw(
    system: System,
    spec: AgentSpec,
    probe: Probe,
    command: str,
    payload: bytes,
    environment: Mapping[str, str],
    timeout: float = TIMEOUT,
) -> Answer:
    """The same with any bytes on standard input."""
    start = time.monotonic()
    ended = system.run(
        [*probe.shell, command],
        environment={**environment, **probe.environment},
        directory=probe.directory,
        timeout=timeout,
        stdin=payload,
        changes=False,
    )
    ms = round((time.monotonic() - start) * 1000)
    if ended.status is None:
        return Answer("", f"no answer in {timeout:g} s", ms, ended)
    verdict, wrong = judge(spec, ended)
    return Answer(verdict, wrong, ms, ended)


def judge(spec: AgentSpec, ended: Ended) -> tuple[str, str]:
    """Verdict and complaint; exactly one of them is empty."""
    if ended.status is None:
        return "", "no answer in time"
    try:
        text = ended.stdout.decode("utf-8")
        document = json.loads(text) if text.strip() else None
    except ValueError:
        return "", f"standard output is not one JSON document: {_shown(ended.stdout)}"
    if document is not None and _fits(spec.deny, document):
        if ended.status in {spec.deny_status, spec.block_status}:
            return DENY, ""
        return "", f"a denial with exit code {ended.status}, which {spec.title} does not obey"
    if document == spec.allow and ended.status == 0:
        return ALLOW, ""
    if document is None and ended.status == 0:
        return "", f"empty output, which {spec.title} does not take as permission"
    if ended.status != 0:
        return "", f"exit code {ended.status}: {ended.tail(200) or 'no output'}"
    return "", f"a reply in a form that {spec.title} ignores: {_shown(ended.stdout)}"


def _fits(form: Mapping[str, object], document: object) -> bool:
    """The document is the form with text in its holes, no key more and no key less."""
    if not isinstance(document, dict) or set(document) != set(form):
        return False
    for key, value in form.items():
        found = document[key]
        if isinstance(value, dict):
            if not _fits(value, found):
                return False
        elif value == TEXT:
            if not isinstance(found, str) or not found.strip():
                return False
        elif found != value:
            return False
    return True


def _shown(output: bytes) -> str:
    text = output.decode("utf-8", "replace").strip()
    return text if len(text) <= 200 else text[:200] + "…"
