"""Operators of parameter expansion that edit a value: `# % / : ^ , @`."""

from __future__ import annotations

from cc_safety_net.guard.interpret import words
from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.patterns import Pattern
from cc_safety_net.guard.interpret.values import (
    known_texts,
    text_choice,
    unite,
    unknown_choice,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.posix import nodes

#: Longer values are not edited by patterns.
_CHARACTERS = 8_192


def edited(m: Machine, state: State, param: nodes.Param, choices: Choices) -> Choices:
    """The choices after the operator; what can't be known becomes unknown."""
    op = param.op
    if op == "@":
        from cc_safety_net.guard.interpret.transformations import transformed

        done = transformed(m, state, param, choices)
        if done is not None:
            return done
    if op == ":" and m.zsh:
        from cc_safety_net.guard.interpret.zsh_words import modified

        ways = modified(param, choices)
        if ways is not None:
            return ways
    edit = _EDITS[op[0]]
    arguments = _arguments(m, state, param)
    if op == ":" and arguments is not None and len(arguments[0]) > 1:
        _look_for_failure(m, choices, arguments[0])
    out: list[Pieces] = []
    for choice in choices:
        text = literal(choice)
        if arguments is None or text is None or len(text) > _CHARACTERS:
            out.extend(choice_unknown(param, choice))
            continue
        for argument in arguments:
            found = edit(m, op, text, argument)
            out.extend(
                unknown_choice("variable", param.name) if found is None else text_choice(found)
            )
    return unite(out)


def _look_for_failure(m: Machine, choices: Choices, argument: tuple[str | int | None, ...]) -> None:
    """A negative length that reaches before the offset is an error: the command is not run."""
    offset, length = int(argument[0] or 0), int(argument[1] or 0)
    if length >= 0:
        return
    for choice in choices:
        text = literal(choice)
        size = len(text) if text is not None else 0
        begin = offset if offset >= 0 else offset + size
        if text is None or (0 <= begin <= size and size + length < begin):
            m.failed_expansion()


def choice_unknown(param: nodes.Param, choice: tuple[object, ...]) -> Choices:
    """An edited value of which only the unedited one is known, in part."""
    if param.op == "@" and literal(choice) is None:  # type: ignore[arg-type]  # pieces
        return (choice,)  # type: ignore[return-value]  # pieces
    return unknown_choice("variable", param.name)


def _arguments(
    m: Machine, state: State, param: nodes.Param
) -> list[tuple[str | int | None, ...]] | None:
    """The operator's arguments, a tuple for each way they may turn out; None: not known."""
    kind = param.op[0]
    if kind == ":":
        from cc_safety_net.guard.interpret.integers import evaluate

        numbers = [evaluate(m, state, word) for word in param.args]
        if None in numbers or not numbers:
            return None
        return [tuple(numbers)]
    if kind == "@":
        names = known_texts(words.single(m, state, param.args[0])) if param.args else None
        return None if names is None else [(name,) for name in names]
    if not param.args:
        return [("?" if kind in "^," else "",)]
    found = words.pattern(m, state, param.args[0])
    if found is None:
        return None
    if kind in "^,":
        return [(text or "?",) for text in found]
    if kind != "/":
        return [(text,) for text in found]
    new = known_texts(words.single(m, state, param.args[1])) if len(param.args) > 1 else [""]
    if new is None or len(new) * len(found) > 16:
        return None
    return [(text, by) for text in found for by in new]


def _cut_start(m: Machine, op: str, text: str, argument: tuple[object, ...]) -> str | None:
    ends = Pattern(str(argument[0]), m.effort).prefixes(text, m.effort)
    if not ends:
        return text
    return text[max(ends) if op == "##" else min(ends) :]


def _cut_end(m: Machine, op: str, text: str, argument: tuple[object, ...]) -> str | None:
    pattern = Pattern(str(argument[0]), m.effort)
    starts = range(len(text) + 1) if op == "%%" else range(len(text), -1, -1)
    for start in starts:
        m.effort.spend(1, "a pattern")
        if len(text) in pattern.ends(text, start, m.effort):
            return text[:start]
    return text


def _replace(m: Machine, op: str, text: str, argument: tuple[object, ...]) -> str | None:
    pattern, new = Pattern(str(argument[0]), m.effort), str(argument[1])
    if not pattern.elements and op not in ("/#", "/%"):
        return text
    if op == "/#":
        ends = pattern.ends(text, 0, m.effort)
        return new + text[max(ends) :] if ends else text
    if op == "/%":
        for start in range(len(text) + 1):
            if len(text) in pattern.ends(text, start, m.effort):
                return text[:start] + new
        return text
    out = []
    at = 0
    while at <= len(text):
        ends = pattern.ends(text, at, m.effort)
        longest = max(ends, default=at)
        if longest > at:
            out.append(new)
            at = longest
            if op == "/":
                break
            continue
        out.append(text[at : at + 1])
        at += 1
    return "".join(out) + text[at:]


def _substring(m: Machine, op: str, text: str, argument: tuple[object, ...]) -> str | None:
    del m, op
    offset = int(str(argument[0]))
    if offset < 0:
        offset += len(text)
        if offset < 0:
            return ""
    if len(argument) == 1:
        return text[offset:]
    length = int(str(argument[1]))
    end = offset + length if length >= 0 else len(text) + length
    return text[offset:end] if end >= offset else ""


def _case(m: Machine, op: str, text: str, argument: tuple[object, ...]) -> str | None:
    pattern = Pattern(str(argument[0]), m.effort)
    change = str.upper if op[0] == "^" else str.lower
    first = text if len(op) == 2 else text[:1]
    out = [change(c) if pattern.matches(c, m.effort) else c for c in first]
    return "".join(out) + text[len(first) :]


def _transform(m: Machine, op: str, text: str, argument: tuple[object, ...]) -> str | None:
    del m, op
    kind = argument[0]
    if kind == "U":
        return text.upper()
    if kind == "L":
        return text.lower()
    if kind == "u":
        return text[:1].upper() + text[1:]
    if kind in ("Q", "K", "k"):
        return "'" + text.replace("'", "'\\''") + "'"
    if kind == "E":
        from cc_safety_net.guard.interpret.escapes import ansi_c

        return ansi_c(text)
    if isinstance(kind, str) and kind[:1] == "(":
        return _flagged(kind[1:-1], text)
    return None


#: Flags of zsh that cut a value into words, which an unquoted one becomes anyway.
_CUTTING = frozenset("zfFsjpw@=~")


def _flagged(flags: str, text: str) -> str | None:
    """A value behind flags of zsh, `${(L)name}`."""
    if flags in ("U", "L"):
        return text.upper() if flags == "U" else text.lower()
    letter = flags[:1]
    if letter in ("s", "j") and len(flags) > 2:
        between = flags[2:].removesuffix(flags[1])
        return text.replace(between, " ") if letter == "s" and between else text
    return text if flags and all(flag in _CUTTING for flag in flags) else None


_EDITS = {
    "#": _cut_start,
    "%": _cut_end,
    "/": _replace,
    ":": _substring,
    "^": _case,
    ",": _case,
    "@": _transform,
}
