"""Brace expansion: one word's parts to the parts of the words that it makes."""

from __future__ import annotations

from cc_safety_net.guard.limits import BRACE_RESULTS
from cc_safety_net.guard.shell.posix.nodes import BraceExpansion, Lit, Param

#: Parts of all the words that one word makes.
_PARTS = 8_192

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.shell.posix.nodes import WordPart


def expand(parts: Sequence[WordPart]) -> list[Sequence[WordPart]]:
    """The words, in order; the braces become a pattern `*` where they make too many."""
    for part in parts:
        if type(part) is BraceExpansion:
            break
    else:
        return [parts]
    found: list[list[WordPart]] = [[]]
    for part in parts:
        if type(part) is not BraceExpansion:
            for at, word in enumerate(found):
                if type(part) is Lit and word and type(word[-1]) is Param:
                    found[at] = _joined(word, [part])
                else:
                    word.append(part)
            continue
        options = _options(part)
        if not options or len(options) * len(found) > BRACE_RESULTS:
            return [[_star(p) if type(p) is BraceExpansion else p for p in parts]]
        found = [_joined(word, option) for word in found for option in options]
        if len(found) * len(found[0]) > _PARTS:
            return [[_star(p) if type(p) is BraceExpansion else p for p in parts]]
    return list(found)


def _joined(word: list[WordPart], option: Sequence[WordPart]) -> list[WordPart]:
    """`$X{a,b}` is `$Xa $Xb`: braces are expanded before names are read."""
    last = word[-1] if word else None
    first = option[0] if option else None
    if type(last) is Param and type(first) is Lit and not first.quoted:
        # `$1` is not made longer: its name is one digit.
        name = "" if last.name[:1].isdigit() else first.text[: _name_length(first.text)]
        if name and last.end - last.start == len(last.name) + 1 and _name_length(last.name):
            longer = Param(last.name + name, last.start, last.end + len(name))
            rest: list[WordPart] = []
            if first.text[len(name) :]:
                rest.append(Lit(first.text[len(name) :], False, first.start, first.end))
            return [*word[:-1], longer, *rest, *option[1:]]
    return [*word, *option]


def _name_length(text: str) -> int:
    """Characters at the start of `text` that a name may go on with."""
    length = 0
    while length < len(text) and text[length].isascii():
        if not (text[length].isalnum() or text[length] == "_"):
            break
        length += 1
    return length


def _star(part: WordPart) -> WordPart:
    return Lit("*", quoted=False, start=part.start, end=part.end)


def _options(brace: BraceExpansion) -> list[Sequence[WordPart]]:
    if brace.sequence is None:
        out: list[Sequence[WordPart]] = []
        for item in brace.items:
            out.extend(expand(item.parts))
            if len(out) > BRACE_RESULTS:
                return []
        return out
    return [
        [Lit(text, quoted=False, start=brace.start, end=brace.end)]
        for text in sequence(*brace.sequence)
    ]


def sequence(first: str, last: str, step: str) -> list[str]:
    """`{first..last..step}`; an empty list if it is too long."""
    try:
        by = abs(int(step)) if step else 1
        if _is_number(first) and _is_number(last):
            return _numbers(first, last, by or 1)
    except ValueError:
        return []
    a, b = ord(first[:1] or "a"), ord(last[:1] or "a")
    by = by or 1
    codes = range(a, b + 1, by) if a <= b else range(a, b - 1, -by)
    return [] if len(codes) > BRACE_RESULTS else [chr(code) for code in codes]


def _numbers(first: str, last: str, by: int) -> list[str]:
    if max(len(first), len(last)) > 19:
        return []
    a, b = int(first), int(last)
    values = range(a, b + 1, by) if a <= b else range(a, b - 1, -by)
    if len(values) > BRACE_RESULTS:
        return []
    width = 0
    for text in (first, last):
        digits = text.lstrip("+-")
        if len(digits) > 1 and digits[0] == "0":
            width = max(len(first), len(last))
    return [_padded(value, width) for value in values]


def _padded(value: int, width: int) -> str:
    return str(value) if not width else str(value).zfill(width)


def _is_number(text: str) -> bool:
    digits = text[1:] if text[:1] in ("+", "-") else text
    return digits.isascii() and digits.isdigit()
