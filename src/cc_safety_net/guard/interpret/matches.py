"""What `[[ text =~ expression ]]` leaves in BASH_REMATCH.

No expression is run: its literal parts cut the text, and a group may hold what lies between them,
with or without the literal parts beside it.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables
from cc_safety_net.guard.interpret.values import text_choice, unite, unknown_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State

_META = frozenset(".*+?()[]{}|^$\\")
_GROUPS = 10
#: Literal parts of an expression, and characters of a text, that are looked at.
_PARTS = 6
_CHARACTERS = 4_096


def remember(
    m: Machine, state: State, texts: Sequence[str] | None, expressions: Sequence[str] | None
) -> None:
    """Assign BASH_REMATCH as the match may leave it."""
    if not texts or not expressions or len(texts) * len(expressions) > 4:
        variables.assign_array(m, state, "BASH_REMATCH", None)
        return
    found: dict[str, None] = {}
    for text in texts:
        for expression in expressions:
            if len(text) > _CHARACTERS or len(expression) > _CHARACTERS:
                continue
            m.effort.spend(1 + (len(text) + len(expression)) // 16, "a regular expression")
            found.update(dict.fromkeys(_candidates(text, _literals(expression))))
    unknown = unknown_choice("variable", "BASH_REMATCH")
    whole = unite([*(choice for t in texts for choice in text_choice(t)), *unknown])
    group = unite([*(choice for t in found for choice in text_choice(t)), *unknown])
    count = min(_GROUPS, max(expression.count("(") for expression in expressions) + 1)
    items = {str(number): group if number else whole for number in range(count)}
    variables.assign_array(m, state, "BASH_REMATCH", items)


def _literals(expression: str) -> list[str]:
    """The runs of ordinary characters; one that may be left out or repeated is none."""
    out: list[str] = []
    run = ""
    for character in expression:
        if character in _META:
            if character in "*?{" and run:
                run = run[:-1]
            if run:
                out.append(run)
            run = ""
        else:
            run += character
    if run:
        out.append(run)
    return out[:_PARTS]


def _candidates(text: str, literals: Sequence[str]) -> list[str]:
    """The text, and each run of neighbouring pieces that the literals cut it into."""
    pieces: list[str] = []
    rest = text
    for literal in literals:
        head, found, tail = rest.partition(literal)
        if found:
            pieces += [head, found]
            rest = tail
    pieces.append(rest)
    out = [text]
    for start in range(len(pieces)):
        for end in range(start + 1, len(pieces) + 1):
            joined = "".join(pieces[start:end])
            if joined.strip("/"):
                out.append(joined)
    return out
