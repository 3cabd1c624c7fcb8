"""Writes a verdict in an agent's form. It knows a verdict and a text, and nothing of the call."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT
from cc_safety_net.guard.decision import ALLOW, ASK, Reply
from cc_safety_net.guard.json_text import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cc_safety_net.agents.spec import AgentSpec


def encode_verdict(spec: AgentSpec, verdict: str, text: str) -> Reply:
    """ALLOW is the agent's way to say nothing; ASK is a denial where no question holds."""
    if verdict == ALLOW:
        return Reply("" if spec.allow is None else encode_json(spec.allow) + "\n")
    if verdict == ASK and spec.ask is not None:
        return Reply(encode_json(filled(spec.ask, text)) + "\n")
    # Some agents take a denial without a reason for none.
    text = text.strip() or "Blocked by cc-safety-net."
    shown = encode_json(filled(spec.deny, text)) + "\n"
    return Reply(shown, text + "\n" if spec.deny_status else "", spec.deny_status)


def filled(form: Mapping[str, object], text: str) -> dict[str, object]:
    """A reply's form with the text in its holes."""
    found: dict[str, object] = {}
    for key, value in form.items():
        if isinstance(value, dict):
            found[key] = filled(value, text)
        else:
            found[key] = text if value == TEXT else value
    return found


def merged_denial(specs: Iterable[AgentSpec], text: str) -> Reply:
    """One document that holds the denial of every agent; where two disagree the first stands.

    Exit status 2 blocks in most agents, also in those whose word lost.
    """
    found: dict[str, object] = {}
    for spec in specs:
        _merge(found, filled(spec.deny, text))
    return Reply(encode_json(found) + "\n", text + "\n", 2)


def _merge(into: dict[str, object], form: Mapping[str, object]) -> None:
    for key, value in form.items():
        if key not in into:
            into[key] = value
            continue
        old = into[key]
        if isinstance(old, dict) and isinstance(value, dict):
            _merge(old, value)
