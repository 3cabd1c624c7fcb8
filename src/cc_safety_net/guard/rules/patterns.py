"""Shell patterns: does a name match `*`, `?`, `[a-z]`, and does a pattern hold literal text."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Piece

_CLASSES = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "xdigit": frozenset("0123456789abcdefABCDEF").__contains__,
    "punct": frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").__contains__,
}


def matches(pattern: str, text: str, *, fold: bool = False) -> bool:
    """`text` matches the whole pattern (`fnmatch` without flags: `*` also matches `/`)."""
    if fold:
        pattern, text = pattern.lower(), text.lower()
    at = where = 0
    star = -1
    retry = 0
    while where < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, retry = at, where
            at += 1
            continue
        step = _one(pattern, at, text[where]) if at < len(pattern) else 0
        if step:
            at += step
            where += 1
        elif star >= 0:
            # Only the last star is tried again: earlier ones already took the shortest text.
            retry += 1
            at, where = star + 1, retry
        else:
            return False
    while at < len(pattern) and pattern[at] == "*":
        at += 1
    return at == len(pattern)


def _one(pattern: str, at: int, character: str) -> int:
    """Length of the pattern's element at `at` if it matches the character, else 0."""
    first = pattern[at]
    if first == "?":
        return 1
    if first == "\\" and at + 1 < len(pattern):
        return 2 if pattern[at + 1] == character else 0
    if first == "[":
        end = _bracket_end(pattern, at)
        if end:
            return end - at if _in_bracket(pattern[at + 1 : end - 1], character) else 0
    return 1 if first == character else 0


def _bracket_end(pattern: str, at: int) -> int:
    """Index behind the `]` that closes the bracket at `at`; 0 if nothing does."""
    where = at + 1
    if where < len(pattern) and pattern[where] in "!^":
        where += 1
    if where < len(pattern) and pattern[where] == "]":
        where += 1
    while where < len(pattern):
        if pattern[where] == "]":
            return where + 1
        if pattern.startswith("[:", where):
            close = pattern.find(":]", where + 2)
            if close > 0:
                where = close + 2
                continue
        where += 1
    return 0


def _in_bracket(body: str, character: str) -> bool:
    negated = body[:1] in ("!", "^")
    at = 1 if negated else 0
    found = False
    while at < len(body):
        if body.startswith("[:", at):
            close = body.find(":]", at + 2)
            test = _CLASSES.get(body[at + 2 : close]) if close > 0 else None
            if test is not None:
                found = found or test(character)
                at = close + 2
                continue
        if at + 2 < len(body) and body[at + 1] == "-":
            found = found or body[at] <= character <= body[at + 2]
            at += 3
            continue
        found = found or body[at] == character
        at += 1
    return found != negated


def has_literal(pattern: str) -> bool:
    """The pattern holds a character that stands for itself."""
    at = 0
    while at < len(pattern):
        first = pattern[at]
        if first == "[":
            end = _bracket_end(pattern, at)
            if end:
                at = end
                continue
        if first not in "*?":
            return True
        at += 1
    return False


def escape(text: str) -> str:
    """The text as a pattern that matches it alone."""
    for special in "\\*?[":
        text = text.replace(special, "\\" + special)
    return text


def pattern_of(pieces: Sequence[Piece]) -> str:
    """A path component as a pattern; an unknown part may be any text."""
    out = []
    for piece in pieces:
        if isinstance(piece, str):
            out.append(escape(piece))
        elif isinstance(piece, Glob):
            # An extended pattern is read generously, as any text.
            out.append("*" if "(" in piece.text else piece.text)
        else:
            out.append("*")
    return "".join(out)


def literal_free(pieces: Sequence[Piece]) -> bool:
    """The component is a wildcard without a literal character, a leading dot not counted."""
    found = False
    hidden = bool(pieces) and pieces[0] == "."
    for index, piece in enumerate(pieces):
        if isinstance(piece, Glob):
            # `!(keep)` takes all but one.
            if "(" in piece.text and not piece.text.startswith("!"):
                return False
            # `.[a-f]*` takes some of the hidden names only.
            if hidden and piece.text[0] == "[" and piece.text[1] not in "!^":
                return False
            found = True
        elif isinstance(piece, str):
            if piece != "." or index:
                return False
        else:
            return False
    return found
