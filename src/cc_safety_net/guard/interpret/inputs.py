"""`read` and `mapfile`: variables from standard input."""

from __future__ import annotations

from cc_safety_net.guard.interpret import programs, variables, words
from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.machine import Outcome
from cc_safety_net.guard.interpret.state import State
from cc_safety_net.guard.interpret.values import merge, text_choice, unite, without_nul

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Input, Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.posix import nodes

_TAKES_VALUE = "adinNptu"
_LINES = 1_024


class _Options:
    __slots__ = ("array", "delimiter", "descriptor", "known", "names", "raw")

    def __init__(self, words: Sequence[object]) -> None:
        self.array = ""
        self.descriptor = "0"
        self.delimiter = "\n"
        self.raw = False
        self.known = True
        self.names: list[str] = []
        texts = [getattr(word, "text", None) for word in words]
        index = 0
        while index < len(texts):
            text = texts[index]
            index += 1
            if text is None:
                self.known = False
                continue
            if self.names or text[:1] != "-" or text in ("-", "--"):
                if text != "--":
                    self.names.append(text)
                continue
            for at, letter in enumerate(text[1:], 1):
                if letter not in _TAKES_VALUE:
                    self.raw = self.raw or letter == "r"
                    continue
                value = text[at + 1 :]
                if not value and index < len(texts):
                    value = texts[index] or ""
                    index += 1
                self._take(letter, value)
                break

    def _take(self, letter: str, value: str) -> None:
        if letter == "a":
            self.array = value
        elif letter == "d":
            self.delimiter = value[:1] or "\0"
        elif letter == "u":
            self.descriptor = value
        elif letter in "nN":
            self.known = False


def read(
    m: Machine, state: State, execution: Execution, _node: nodes.SimpleCommand | None
) -> Outcome:
    programs.touch(m, execution)
    options = _Options(execution.argv[1:])
    given = _given(m, options)
    names = [name for name in options.names if variables.is_name(name.partition("[")[0])]
    if given is None or given.choices is None or not options.known:
        unknown = Unknown("input", names[0] if names else "", origin=given.origin if given else ())
        _assign_all(m, state, options, names, ((unknown,),))
        return Outcome(state, state, (execution,))
    lines: list[Pieces] = []
    left: list[Pieces] = []
    ended: list[bool] = []
    for choice in given.choices:
        line, rest, end = _cut(choice, options)
        lines.append(without_nul(line))
        left.append(rest)
        ended.append(end)
    given.choices = unite(left)
    _assign_all(m, state, options, names, unite(lines))
    if all(ended):
        return Outcome(None, state)
    if not _is_open(lines):
        return Outcome(state, state if any(ended) else None, (execution,))
    # The last line may have been read before: then nothing is left.
    layer = State(state)
    _assign_all(m, layer, options, names, unite([*lines, ()]))
    return Outcome(state, layer, (execution,))


def _given(m: Machine, options: _Options) -> Input | None:
    """What is read: standard input, or a descriptor that the text opened."""
    if options.descriptor == "0":
        return m.input
    return m.descriptors.get(f"/dev/fd/{options.descriptor}")


def _is_open(lines: Sequence[Pieces]) -> bool:
    return any(literal(line) is None for line in lines)


def _cut(choice: Pieces, options: _Options) -> tuple[Pieces, Pieces, bool]:
    """(first line, what is left, the input ended before the line did)."""
    out: list[object] = []
    for index, piece in enumerate(choice):
        if not isinstance(piece, str):
            out.append(piece)
            continue
        end = _line_end(piece, options)
        if end < 0:
            out.append(piece)
            continue
        rest = (piece[end + 1 :], *choice[index + 1 :])
        out.append(piece[:end])
        return _unescaped(out, options), merge(rest), False
    # Unknown parts hold an unknown number of lines: they stay.
    if any(not isinstance(piece, str) for piece in choice):
        return _unescaped(out, options), choice, False
    return _unescaped(out, options), (), True


def _line_end(text: str, options: _Options) -> int:
    at = text.find(options.delimiter)
    if options.raw:
        return at
    while at > 0 and _is_escaped(text, at):
        at = text.find(options.delimiter, at + 1)
    return at


def _is_escaped(text: str, at: int) -> bool:
    count = 0
    while at - count > 0 and text[at - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def _unescaped(pieces: Sequence[object], options: _Options) -> Pieces:
    if options.raw:
        return merge(pieces)  # type: ignore[arg-type]  # pieces
    out = []
    for piece in pieces:
        if isinstance(piece, str) and "\\" in piece:
            out.append(_without_backslashes(piece))
        else:
            out.append(piece)  # type: ignore[arg-type]  # pieces
    return merge(out)


def _without_backslashes(text: str) -> str:
    out = []
    at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
            if text[at : at + 1] == "\n":
                at += 1
                continue
        out.append(text[at : at + 1])
        at += 1
    return "".join(out)


def _assign_all(
    m: Machine, state: State, options: _Options, names: list[str], lines: Choices
) -> None:
    separators = words.field_separators(m, state)
    if options.array:
        _assign_fields(m, state, options.array, lines, separators)
        return
    if not names:
        variables.assign(m, state, "REPLY", lines)
        return
    columns: list[list[Pieces]] = [[] for _ in names]
    for line in [way for given in lines for way in _trimmed(given, separators)]:
        for index, value in enumerate(_columns(line, separators, len(names))):
            columns[index].append(value)
    for name, found in zip(names, columns, strict=True):
        base, bracket, key = name.partition("[")
        variables.assign(m, state, base, unite(found), key=key.rstrip("]") if bracket else None)


def _trimmed(line: Pieces, separators: str) -> list[Pieces]:
    """A line that is not wholly known without the blanks around it; an unknown at its ends that
    may be empty lets go of those behind it too."""
    blanks = "".join(c for c in separators if c in " \t\n")
    if literal(line) is not None or not blanks:
        return [line]
    found = [line]
    for at in (0, -1):
        for pieces in list(found):
            end = pieces[at] if pieces else ""
            if isinstance(end, str):
                kept = end.lstrip(blanks) if at == 0 else end.rstrip(blanks)
                found.remove(pieces)
                found.append(merge((kept, *pieces[1:]) if at == 0 else (*pieces[:-1], kept)))
            elif isinstance(end, Unknown) and end.may_be_empty and len(pieces) > 1:
                rest = pieces[1:] if at == 0 else pieces[:-1]
                border = rest[at]
                if isinstance(border, str) and border[at] in blanks:
                    found.extend(_trimmed(merge(rest), separators))
    return found


def _columns(line: Pieces, separators: str, count: int) -> list[Pieces]:
    text = literal(line)
    if text is None:
        if count == 1:
            return [line]
        unknown = [p for p in line if isinstance(p, Unknown)] or [Unknown("input")]
        return [(unknown[0],)] * count
    blanks = "".join(c for c in separators if c in " \t\n")
    out: list[str] = []
    rest = text.lstrip(blanks) if blanks else text
    while len(out) < count - 1 and rest:
        at = next((i for i, c in enumerate(rest) if c in separators), len(rest))
        out.append(rest[:at])
        after = rest[at:].lstrip(blanks) if blanks else rest[at:]
        if after and after[0] in separators and after[0] not in blanks:
            after = after[1:].lstrip(blanks) if blanks else after[1:]
        rest = after
    rest = rest.rstrip(blanks) if blanks else rest
    if (
        rest
        and rest[-1] in separators
        and rest[:-1].rstrip(blanks or None)
        and not any(c in separators for c in rest[:-1])
    ):
        rest = rest[:-1]
    out.append(rest)
    out.extend([""] * (count - len(out)))
    return [(value,) if value else () for value in out]


def _assign_fields(m: Machine, state: State, name: str, lines: Choices, separators: str) -> None:
    text = literal(lines[0]) if len(lines) == 1 else None
    if text is None:
        variables.assign_array(m, state, name, None)
        return
    fields = [field for field in words.split(text, separators) if field is not None]
    variables.assign_array(
        m, state, name, {str(index): text_choice(f) for index, f in enumerate(fields)}
    )


def read_lines(
    m: Machine, state: State, execution: Execution, _node: nodes.SimpleCommand | None
) -> Outcome:
    """`mapfile`, `readarray`."""
    programs.touch(m, execution)
    strip = False
    delimiter = "\n"
    name = "MAPFILE"
    plain = True
    texts = [word.text for word in execution.argv[1:]]
    index = 0
    while index < len(texts):
        text = texts[index] or ""
        index += 1
        if text.startswith("-") and len(text) > 1:
            strip = strip or "t" in text
            if text[-1] in "dnOsucC":
                value = texts[index] if index < len(texts) else ""
                index += 1
                if text[-1] == "d":
                    delimiter = (value or "\0")[:1]
                elif text[-1] != "C" and text[-1] != "c":
                    plain = False
            continue
        name = text
    given = m.input
    text_given = None
    if given is not None and given.choices is not None and len(given.choices) == 1:
        text_given = literal(given.choices[0])
        given.choices = ((),)
    if text_given is None or not plain or text_given.count(delimiter) > _LINES:
        variables.assign_array(m, state, name, None)
        return Outcome(state, state, (execution,))
    lines = text_given.split(delimiter)
    ends = delimiter if not strip else ""
    items = {str(i): text_choice(line + ends) for i, line in enumerate(lines[:-1])}
    if lines[-1]:
        items[str(len(lines) - 1)] = text_choice(lines[-1])
    variables.assign_array(m, state, name, items)
    return Outcome(state, None, (execution,))
