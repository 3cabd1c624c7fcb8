"""Backticks with backslashes inside: the text is unescaped first, the offsets mapped back."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.nodes import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.posix.nodes import Script
    from cc_safety_net.guard.shell.posix.words import Words


def read_escaped(words: Words, start: int, end: int, quoted: bool) -> Script:
    """The commands of a backtick substitution between two offsets of the text."""
    inner, origins = _unescaped(words.text, start, end, quoted)
    text = (words.text, words.stops, words.quoted_stops)
    outer = (words.end, words.pairs, words.pending, words.closing, words.rest)
    unclosed, words.unclosed = words.unclosed, {}
    known = len(words.problems)
    words.read(inner)
    words.pairs = {}
    words.pending = []
    words.closing = False
    body = words.whole_script()
    words.failed = False
    found = words.rest
    words.text, words.stops, words.quoted_stops = text
    words.end, words.pairs, words.pending, words.closing, words.rest = outer
    words.unclosed = unclosed
    problems = words.problems[known:]
    if problems:
        words.rest = min(words.rest, _origin(origins, found))
    _move([body, *problems], origins)
    return body


def _unescaped(text: str, start: int, end: int, quoted: bool) -> tuple[str, list[tuple[int, int]]]:
    """The text without one level of backslashes; (offset inside, offset outside) of each run."""
    removable = '$`\\"' if quoted else "$`\\"
    pieces: list[str] = []
    origins = [(0, start)]
    size = 0
    at = start
    while True:
        slash = text.find("\\", at, end)
        if slash < 0 or slash + 1 >= end:
            pieces.append(text[at:end])
            break
        follows = text[slash + 1]
        if follows in removable:
            pieces.append(text[at:slash])
            size += slash - at
            origins.append((size, slash + 1))
            pieces.append(follows)
            size += 1
        else:
            pieces.append(text[at : slash + 2])
            size += slash + 2 - at
        at = slash + 2
    return "".join(pieces), origins


def _origin(origins: list[tuple[int, int]], offset: int) -> int:
    low = 0
    high = len(origins)
    while high - low > 1:
        middle = (low + high) // 2
        if origins[middle][0] <= offset:
            low = middle
        else:
            high = middle
    inside, outside = origins[low]
    return outside + offset - inside


def _move(found: list[object], origins: list[tuple[int, int]]) -> None:
    """Map the spans of all nodes below, without recursion."""
    while found:
        item = found.pop()
        if isinstance(item, Node):
            empty = item.end <= item.start
            item.start = _origin(origins, item.start)
            item.end = item.start if empty else _origin(origins, item.end - 1) + 1
            for kind in type(item).__mro__:
                for slot in getattr(kind, "__slots__", ()):
                    value = getattr(item, slot)
                    if isinstance(value, (Node, list, tuple)):
                        found.append(value)
        elif isinstance(item, (list, tuple)):
            found.extend([inner for inner in item if not isinstance(inner, (str, bool, int))])
