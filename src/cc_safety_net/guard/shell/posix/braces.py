"""Brace expansion: which braces of a finished word are one (`{a,b}`, `{1..9}`)."""

from __future__ import annotations

from cc_safety_net.guard.limits import SYNTAX_DEPTH, LimitReached
from cc_safety_net.guard.shell.posix.nodes import BraceExpansion, Lit, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.shell.posix.nodes import WordPart

_MARKS = frozenset("{,}")


class _Open:
    """A brace that is open: where it stands, and the items between its commas so far."""

    __slots__ = ("commas", "items", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.items: list[list[WordPart]] = [[]]
        self.commas: list[int] = []


def brace_parts(parts: Sequence[WordPart], effort: Effort) -> list[WordPart]:
    """The parts with each valid brace expansion as a node; other braces stay literal."""
    stack = [_Open(-1)]
    for part in parts:
        if not isinstance(part, Lit) or part.quoted:
            stack[-1].items[-1].append(part)
            continue
        text = part.text
        # With a continued line in it the offsets inside are off by the removed characters.
        base = part.start
        at = begin = 0
        size = len(text)
        effort.spend(size // 2 + 3, "a brace expansion")
        while at < size:
            mark = text[at]
            if mark not in _MARKS or (mark != "{" and len(stack) == 1):
                at += 1
                continue
            if mark == "{" and begin == at and text.startswith("{}", at):
                before = stack[-1].items[-1]
                if not before or isinstance(before[-1], BraceExpansion):
                    at += 2  # as in bash, a text that begins with `{}` opens no list there
                    continue
            if begin < at:
                stack[-1].items[-1].append(Lit(text[begin:at], False, base + begin, base + at))
            if mark == "{":
                if len(stack) > SYNTAX_DEPTH:
                    raise LimitReached(
                        "guard.input-limit", f"more than {SYNTAX_DEPTH} nested braces"
                    )
                stack.append(_Open(base + at))
            elif mark == ",":
                stack[-1].commas.append(base + at)
                stack[-1].items.append([])
            else:
                _close(stack, base + at + 1)
            at += 1
            begin = at
        if begin < size:
            stack[-1].items[-1].append(Lit(text[begin:], False, base + begin, part.end))
    root = stack[0].items[0]
    for opened in stack[1:]:
        _literal(root, opened)
    return _merged(root)


def _close(stack: list[_Open], end: int) -> None:
    opened = stack[-1]
    if len(stack) == 2 and not opened.commas and not _has_dots(opened.items[0]):
        # As in bash, an outermost list without a comma so far goes on: `{a}b,c}`.
        opened.items[0].append(Lit("}", False, end - 1, end))
        return
    stack.pop()
    into = stack[-1].items[-1]
    if opened.commas:
        first = opened.start + 1
        items = []
        for index, item in enumerate(opened.items):
            last = opened.commas[index] if index < len(opened.commas) else end - 1
            items.append(Word(_merged(item), first, last))
            first = last + 1
        into.append(BraceExpansion(items, None, opened.start, end))
        return
    only = opened.items[0]
    if len(only) == 1 and isinstance(only[0], Lit) and not only[0].quoted:
        sequence = _sequence(only[0].text)
        if sequence is not None:
            into.append(BraceExpansion((), sequence, opened.start, end))
            return
    _literal(into, opened)
    into.append(Lit("}", False, end - 1, end))


def _has_dots(parts: list[WordPart]) -> bool:
    for index, part in enumerate(parts):
        if isinstance(part, Lit) and not part.quoted:
            at = part.text.find("..")
            if at >= 0 and (at + 2 < len(part.text) or index + 1 < len(parts)):
                return True
    return False


def _literal(into: list[WordPart], opened: _Open) -> None:
    """Put back the text of a brace that is none."""
    into.append(Lit("{", False, opened.start, opened.start + 1))
    for index, item in enumerate(opened.items):
        if index:
            comma = opened.commas[index - 1]
            into.append(Lit(",", False, comma, comma + 1))
        into.extend(item)


def _merged(parts: list[WordPart]) -> list[WordPart]:
    """The parts with neighbouring unquoted literals as one."""
    merged: list[WordPart] = []
    run: list[Lit] = []
    for part in parts:
        if isinstance(part, Lit) and not part.quoted:
            run.append(part)
            continue
        if run:
            merged.append(_one(run))
            run = []
        merged.append(part)
    if run:
        merged.append(_one(run))
    return merged


def _one(run: list[Lit]) -> Lit:
    if len(run) == 1:
        return run[0]
    return Lit("".join([part.text for part in run]), False, run[0].start, run[-1].end)


def _sequence(text: str) -> tuple[str, str, str] | None:
    if ".." not in text:
        return None
    fields = text.split("..")
    if len(fields) == 2:
        fields.append("")
    if len(fields) != 3:
        return None
    first, last, step = fields
    if step and not _is_integer(step):
        return None
    if _is_letter(first) and _is_letter(last):
        return first, last, step
    if _is_integer(first) and _is_integer(last):
        return first, last, step
    return None


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isascii() and text.isalpha()


def _is_integer(text: str) -> bool:
    digits = text[1:] if text[:1] in ("-", "+") else text
    return digits.isascii() and digits.isdigit() and len(digits) < 19
