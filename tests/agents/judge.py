"""What an agent does with a hook's answer, from its contract alone: `run` or `blocked`.

A contract is data out of the agent's fact sheet; the judge knows nothing of our encoders. `told`
is what the model gets to read, "" where nothing reaches it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

RUN = "run"
BLOCKED = "blocked"


@dataclass(frozen=True)
class Form:
    """A document that denies. values: key path -> the values that count. reason: its key path."""

    values: Mapping[tuple[str, ...], frozenset[str]]
    reason: tuple[str, ...]
    reason_required: bool = False


@dataclass(frozen=True)
class Contract:
    """statuses: exit codes at which a document is read. blocking: codes that block by themselves.

    blocking_needs_text: such a code blocks only with text on standard error. strict: keys allowed
    in a document (None: any). garbage: what a standard output that is no single document does.
    empty: what an empty one does at exit code 0. limit: bytes of standard output that are read.
    missing: what a document does that has none of the form's keys. other: what any other exit
    code does. bom: a byte order mark in front is accepted.
    """

    forms: tuple[Form, ...]
    statuses: frozenset[int] | None
    blocking: frozenset[int] = frozenset()
    blocking_needs_text: bool = False
    strict: Mapping[tuple[str, ...], frozenset[str]] | None = None
    garbage: str = RUN
    empty: str = RUN
    missing: str = RUN
    other: str = RUN
    limit: int = 1 << 20
    bom: bool = True
    ignored_at_blocking: bool = False


@dataclass(frozen=True)
class Judgement:
    verdict: str
    told: str = ""
    problems: tuple[str, ...] = field(default=())


_CLAUDE_FORM = Form(
    {
        ("hookSpecificOutput", "hookEventName"): frozenset(("PreToolUse",)),
        ("hookSpecificOutput", "permissionDecision"): frozenset(("deny",)),
    },
    ("hookSpecificOutput", "permissionDecisionReason"),
)

CONTRACTS: dict[str, Contract] = {
    # Without `onFailure`, the weaker case: older versions ignore it.
    "claude-code": Contract(
        forms=(_CLAUDE_FORM,), statuses=None, blocking=frozenset((2,)), limit=32 * 1024
    ),
    # Recent builds: anything but a document with `permission` is blocked without a reason.
    "cursor": Contract(
        forms=(Form({("permission",): frozenset(("deny",))}, ("agent_message",)),),
        statuses=frozenset((0,)),
        blocking=frozenset((2,)),
        garbage=RUN,
        empty=BLOCKED,
        missing=BLOCKED,
    ),
    "grok-build": Contract(
        forms=(Form({("decision",): frozenset(("deny",))}, ("reason",)),),
        statuses=None,
        blocking=frozenset((2,)),
        limit=64 * 1024,
    ),
    "kimi-code": Contract(
        forms=(
            Form(
                {("hookSpecificOutput", "permissionDecision"): frozenset(("deny",))},
                ("hookSpecificOutput", "permissionDecisionReason"),
            ),
        ),
        statuses=frozenset((0,)),
        blocking=frozenset((2,)),
        ignored_at_blocking=True,
    ),
    # One key too many voids the document; so does a byte order mark.
    "codex": Contract(
        forms=(Form(_CLAUDE_FORM.values, _CLAUDE_FORM.reason, reason_required=True),),
        statuses=frozenset((0,)),
        blocking=frozenset((2,)),
        blocking_needs_text=True,
        strict={
            (): frozenset(("hookSpecificOutput", "systemMessage")),
            ("hookSpecificOutput",): frozenset(
                ("hookEventName", "permissionDecision", "permissionDecisionReason")
            ),
        },
        bom=False,
    ),
    "gemini-cli": Contract(
        forms=(Form({("decision",): frozenset(("deny", "block"))}, ("reason",)),),
        statuses=None,
        blocking=frozenset((2, 3, 127)),
        blocking_needs_text=True,
    ),
    # An exit status other than 0 blocks, without a reason.
    "copilot-cli": Contract(
        forms=(
            Form({("permissionDecision",): frozenset(("deny",))}, ("permissionDecisionReason",)),
        ),
        statuses=frozenset((0, 2)),
        blocking=frozenset((2,)),
        other=BLOCKED,
    ),
    "antigravity-cli": Contract(
        forms=(Form({("decision",): frozenset(("deny",))}, ("reason",)),),
        statuses=frozenset((0,)),
        garbage=BLOCKED,
        missing=BLOCKED,
        other=BLOCKED,
    ),
    # Our own plugin reads the answer, and blocks whatever it does not know.
    "hermes-agent": Contract(
        forms=(Form({("action",): frozenset(("block",))}, ("message",), reason_required=True),),
        statuses=frozenset((0,)),
        garbage=BLOCKED,
        missing=BLOCKED,
        other=BLOCKED,
    ),
    "devin": Contract(
        forms=(Form({("decision",): frozenset(("block",))}, ("reason",)),),
        statuses=frozenset((0, 2)),
        blocking=frozenset((2,)),
    ),
}


def judge(agent: str, stdout: str, stderr: str, status: int) -> Judgement:
    """What the agent would do, and what its model would read."""
    contract = CONTRACTS[agent]
    document = _document(contract, stdout)
    if contract.statuses is None or status in contract.statuses:
        for form in contract.forms:
            told = _denied(contract, form, document)
            if told is not None and not (contract.ignored_at_blocking and status):
                return Judgement(BLOCKED, told)
    if status in contract.blocking and (stderr.strip() or not contract.blocking_needs_text):
        return Judgement(BLOCKED, stderr.strip())
    if status != 0:
        return Judgement(contract.other)
    if not stdout.strip():
        return Judgement(contract.empty)
    if document is None:
        return Judgement(contract.garbage)
    known = {path[0] for form in contract.forms for path in form.values}
    return Judgement(RUN if known & set(document) else contract.missing)


def _document(contract: Contract, stdout: str) -> dict[str, Any] | None:
    """The single JSON object on standard output, None if that is not what stands there."""
    text = stdout[: contract.limit]
    if text.startswith("\ufeff"):
        if not contract.bom:
            return None
        text = text[1:]
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _denied(contract: Contract, form: Form, document: dict[str, Any] | None) -> str | None:
    """The reason of a denial in this form, None if the document is none."""
    if document is None:
        return None
    if contract.strict is not None and not _only_known_keys(contract.strict, document):
        return None
    for path, values in form.values.items():
        value = _at(document, path)
        if not isinstance(value, str) or value not in values:
            return None
    reason = _at(document, form.reason)
    if form.reason_required and not (isinstance(reason, str) and reason.strip()):
        return None
    return reason if isinstance(reason, str) else ""


def _only_known_keys(
    strict: Mapping[tuple[str, ...], frozenset[str]], document: dict[str, Any]
) -> bool:
    for path, keys in strict.items():
        value = _at(document, path)
        if isinstance(value, dict) and not set(value) <= keys:
            return False
    return True


def _at(document: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document
