"""Shell patterns: `*`, `?`, `[…]` and the extended forms, matched without backtracking.

A pattern is a text in which a backslash makes the next character literal.
"""

from __future__ import annotations

from cc_safety_net.guard.limits import SYNTAX_DEPTH, LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cc_safety_net.guard.limits import Effort

_CLASSES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": lambda c: "0" <= c <= "9",
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": lambda c: c in " \t\n\r\f\v",
    "blank": lambda c: c in " \t",
    "punct": lambda c: c.isascii() and c.isprintable() and not c.isalnum() and c != " ",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
    "print": str.isprintable,
    "graph": lambda c: c.isprintable() and c != " ",
    "cntrl": lambda c: ord(c) < 32 or ord(c) == 127,
    "word": lambda c: c.isalnum() or c == "_",
}


class Pattern:
    """A compiled pattern: a list of (kind, argument) elements."""

    __slots__ = ("elements",)

    def __init__(self, text: str, effort: Effort) -> None:
        self.elements: list[tuple[str, Any]] = _Compiler(text, effort).sequence(0, "")[0]

    def matches(self, text: str, effort: Effort) -> bool:
        return len(text) in _ends(self.elements, text, {0}, effort)

    def prefixes(self, text: str, effort: Effort) -> set[int]:
        """Lengths of the prefixes of `text` that match."""
        return _ends(self.elements, text, {0}, effort)

    def ends(self, text: str, start: int, effort: Effort) -> set[int]:
        return _ends(self.elements, text, {start}, effort)


def escape(text: str) -> str:
    """A pattern that matches `text` only."""
    out = []
    for character in text:
        if character in "*?[]\\()|!+@":
            out.append("\\")
        out.append(character)
    return "".join(out)


def is_active(text: str) -> bool:
    """Quick look: the unquoted text holds a pattern character."""
    return "*" in text or "?" in text or "[" in text


def bracket_end(text: str, start: int) -> int:
    """Index behind the bracket expression that begins at `start`, -1 if it is none."""
    at = start + 1
    if at < len(text) and text[at] in "!^":
        at += 1
    if at < len(text) and text[at] == "]":
        at += 1
    kinds = [":", ".", "="]  # those that may still be closed further on
    while at < len(text):
        character = text[at]
        if character == "]":
            return at + 1
        if character == "[" and text[at + 1 : at + 2] in kinds:
            close = text.find(text[at + 1] + "]", at + 2)
            if close >= 0:
                at = close + 2
                continue
            kinds.remove(text[at + 1])
        if character == "\\":
            at += 1
        at += 1
    return -1


class _Compiler:
    """Reads a pattern once: which brackets and groups are closed is found out beforehand, so that
    an open one is not read again and again."""

    __slots__ = ("_brackets", "_closed", "_depth", "_text")

    def __init__(self, text: str, effort: Effort) -> None:
        self._text = text
        self._depth = 0
        #: The end of each bracket expression by its beginning; where groups that end begin.
        self._brackets: dict[int, int] = {}
        self._closed: set[int] = set()
        effort.spend(1 + len(text) // 8, "a pattern")
        if "[" in text or "(" in text:
            self._look_through(effort)

    def _look_through(self, effort: Effort) -> None:
        text = self._text
        last = text.rfind("]")
        opened: list[int] = []
        at = 0
        while at < len(text):
            character = text[at]
            if character == "[" and at < last:
                behind = bracket_end(text, at)
                if behind > 0:
                    self._brackets[at] = at = behind
                    continue
                effort.spend((len(text) - at) // 8, "a pattern")
            elif character == "\\":
                at += 1
            elif character in "?*+@!" and text[at + 1 : at + 2] == "(":
                opened.append(at)
                at += 1
            elif character == ")" and opened:
                self._closed.add(opened.pop())
            at += 1

    def sequence(self, at: int, stop: str) -> tuple[list[tuple[str, Any]], int]:
        """The elements from `at` to a character of `stop` or the end, and where that is."""
        text = self._text
        elements: list[tuple[str, Any]] = []
        while at < len(text):
            character = text[at]
            if character in stop:
                break
            if at in self._closed:
                group, at = self._group(at + 2)
                elements.append((character + "(", group))
                continue
            if character == "*":
                if not elements or elements[-1][0] != "*":
                    elements.append(("*", None))
            elif character == "?":
                elements.append(("?", None))
            elif at in self._brackets:
                behind = self._brackets[at]
                elements.append(("[", text[at + 1 : behind - 1]))
                at = behind
                continue
            elif character == "\\" and at + 1 < len(text):
                at += 1
                elements.append(("=", text[at]))
            else:
                elements.append(("=", character))
            at += 1
        return elements, at

    def _group(self, at: int) -> tuple[list[list[tuple[str, Any]]], int]:
        self._depth += 1
        if self._depth > SYNTAX_DEPTH:
            raise LimitReached("guard.input-limit", f"more than {SYNTAX_DEPTH} nested patterns")
        group = []
        while True:
            elements, at = self.sequence(at, "|)")
            group.append(elements)
            at += 1
            if self._text[at - 1] == ")":
                self._depth -= 1
                return group, at


def _ends(elements: list[tuple[str, Any]], text: str, starts: set[int], effort: Effort) -> set[int]:
    for kind, argument in elements:
        if not starts:
            return starts
        effort.spend(len(starts), "a pattern")
        if kind == "=":
            starts = {at + 1 for at in starts if text[at : at + 1] == argument}
        elif kind == "?":
            starts = {at + 1 for at in starts if at < len(text)}
        elif kind == "*":
            starts = set(range(min(starts), len(text) + 1))
        elif kind == "[":
            starts = {at + 1 for at in starts if at < len(text) and _in_set(text[at], argument)}
        else:
            starts = _group_ends(kind[0], argument, text, starts, effort)
    return starts


def _group_ends(
    kind: str, group: list[list[tuple[str, Any]]], text: str, starts: set[int], effort: Effort
) -> set[int]:
    def once(places: set[int]) -> set[int]:
        found: set[int] = set()
        for elements in group:
            found |= _ends(elements, text, places, effort)
        return found

    if kind == "@":
        return once(starts)
    if kind == "?":
        return starts | once(starts)
    if kind == "!":
        found = set()
        for at in starts:
            effort.spend(len(text) - at + 1, "a pattern")
            found |= set(range(at, len(text) + 1)) - once({at})
        return found
    reached = set(starts) if kind == "*" else set()
    frontier = starts
    while frontier:
        frontier = once(frontier) - reached
        reached |= frontier
    return reached


def _in_set(character: str, body: str) -> bool:
    negated = body[:1] in ("!", "^") and body != ""
    at = 1 if negated else 0
    found = False
    while at < len(body):
        if body[at] == "[" and body[at + 1 : at + 2] == ":":
            close = body.find(":]", at + 2)
            if close >= 0:
                test = _CLASSES.get(body[at + 2 : close])
                found = found or (test is not None and test(character))
                at = close + 2
                continue
        if body[at] == "\\" and at + 1 < len(body):
            at += 1
        low = body[at]
        if body[at + 1 : at + 2] == "-" and at + 2 < len(body):
            high = body[at + 2]
            found = found or low <= character <= high
            at += 3
            continue
        found = found or low == character
        at += 1
    return found != negated
