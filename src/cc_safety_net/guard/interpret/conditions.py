"""`[ … ]`, `test` and `[[ … ]]`: decided where all is known, else None."""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables, words
from cc_safety_net.guard.interpret.arithmetic import number
from cc_safety_net.guard.interpret.machine import Outcome
from cc_safety_net.guard.interpret.patterns import Pattern
from cc_safety_net.guard.interpret.state import State, Variable
from cc_safety_net.guard.interpret.values import filled, known_texts, may_be_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.shell.posix import nodes

_NUMBERS = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))


def single_bracket(m: Machine, state: State, execution: Execution) -> bool | None:
    """`test` and `[`."""
    del m, state
    operands = execution.argv[1:]
    if execution.program == "[" and operands and operands[-1].text == "]":
        operands = operands[:-1]
    if any(word.splits for word in operands):
        return None
    return _simple([word.texts for word in operands])


#: Tests that only a word with characters passes.
_FILLED = frozenset(("-n", "-d", "-e", "-f", "-r", "-s", "-w", "-x", "-L", "-h"))


def filled_where(
    m: Machine,
    state: State,
    found: Sequence[nodes.Node],
    done: tuple[Execution, ...] = (),
    *,
    splits: bool = True,
) -> Outcome:
    """Both ends of a condition that is not known: `[ -n "$X" ]` is true for an X with text only.

    splits: an empty X without quotes leaves no word, and `[ -n ]` is true.
    """
    texts = [_plain(word) for word in found]
    quoted = bool(found) and _is_quoted(found[-2 if texts[-1:] == ["]"] and texts[1:] else -1])
    if texts[-1:] == ["]"]:
        texts = texts[:-1]
    negated = texts[:1] == ["!"]
    texts = texts[1:] if negated else texts
    name = texts[-1][1:] if texts and texts[-1][:1] == "$" else ""
    if not name or not (len(texts) == 1 or (len(texts) == 2 and texts[0] in {*_FILLED, "-z"})):
        return Outcome(state, state, done)
    if splits and not quoted and texts[0] in _FILLED:
        return Outcome(state, state, done)
    settings = variables.settings(m, state, name)
    if not any(choice is None or may_be_empty(choice) for choice in settings):
        return Outcome(state, state, done)
    kept = tuple(filled(choice) for choice in settings if choice)
    if not kept:
        return Outcome(state, state, done)
    old = variables.find(m, state, name)
    if old is not None and (old.items is not None or old.target):
        return Outcome(state, state, done)
    layer = State(state)
    layer.put(name, Variable(kept, flags=old.flags if old is not None else ""))
    if negated != (texts[0] == "-z"):
        return Outcome(state, layer, done)
    return Outcome(layer, state, done)


def _is_quoted(node: nodes.Node) -> bool:
    parts: Sequence[Any] = getattr(node, "parts", ())
    return len(parts) == 1 and type(parts[0]).__name__ == "DoubleQuoted"


def _plain(node: nodes.Node) -> str:
    """A literal word, or `$X` for one that is this variable and nothing else."""
    parts: Sequence[Any] = getattr(node, "parts", ())
    if _is_quoted(node):
        parts = parts[0].parts
    if len(parts) != 1:
        return ""
    part = parts[0]
    if type(part).__name__ == "Lit":
        return str(part.text)
    bare = type(part).__name__ == "Param" and not (
        part.op or part.index or part.indirect or part.length or part.names
    )
    return f"${part.name}" if bare and variables.is_name(part.name) else ""


def _simple(operands: Sequence[tuple[str, ...] | None]) -> bool | None:
    if operands and operands[0] == ("!",) and len(operands) in (2, 3, 4):
        found = _simple(operands[1:])
        return None if found is None else not found
    if not operands:
        return False
    if len(operands) == 1:
        return _each([operands[0]], lambda texts: texts[0] != "")
    if len(operands) == 2 and operands[0] in (("-n",), ("-z",)):
        empty = operands[0] == ("-z",)
        return _each([operands[1]], lambda texts: (texts[0] == "") == empty)
    if len(operands) == 3 and operands[1] is not None and len(operands[1]) == 1:
        operator = operands[1][0]
        pair = [operands[0], operands[2]]
        if operator in ("=", "=="):
            return _each(pair, lambda texts: texts[0] == texts[1])
        if operator == "!=":
            return _each(pair, lambda texts: texts[0] != texts[1])
        if operator in _NUMBERS:
            return _compare(operator, pair)
    return None


def _each(operands: Sequence[tuple[str, ...] | None], test: object) -> bool | None:
    """The verdict if it is the same for all values."""
    lists = [texts for texts in operands if texts is not None]
    if len(lists) != len(operands):
        return None
    pairs = (
        [[a] for a in lists[0]] if len(lists) == 1 else [[a, b] for a in lists[0] for b in lists[1]]
    )
    found = {bool(test(pair)) for pair in pairs}  # type: ignore[operator]  # a predicate
    return found.pop() if len(found) == 1 else None


def _compare(operator: str, operands: Sequence[tuple[str, ...] | None]) -> bool | None:
    values: list[int] = []
    for texts in operands:
        if texts is None or len(texts) != 1:
            return None
        value = number(texts[0])
        if value is None:
            return None
        values.append(value)
    a, b = values
    return {
        "-eq": a == b,
        "-ne": a != b,
        "-lt": a < b,
        "-le": a <= b,
        "-gt": a > b,
        "-ge": a >= b,
    }[operator]


# --- [[ … ]] -------------------------------------------------------------------------------------


def double_bracket(m: Machine, state: State, found: Sequence[nodes.Word]) -> bool | None:
    """The condition; every word is expanded, so that substitutions in it are seen."""
    return _Condition(m, state, found).value()


class _Condition:
    """Recursive descent over the words of one condition."""

    def __init__(self, m: Machine, state: State, found: Sequence[nodes.Word]) -> None:
        self._m = m
        self._state = state
        self._words = found
        self._at = 0

    def value(self) -> bool | None:
        found = self._or()
        while self._at < len(self._words):
            self._expand(self._words[self._at])
            self._at += 1
            found = None
        return found

    def _peek(self) -> str:
        if self._at >= len(self._words):
            return ""
        parts = self._words[self._at].parts
        if len(parts) == 1 and not getattr(parts[0], "quoted", True):
            return str(getattr(parts[0], "text", ""))
        return ""

    def _take(self, text: str) -> bool:
        if self._peek() == text:
            self._at += 1
            return True
        return False

    def _or(self) -> bool | None:
        left = self._and()
        while self._take("||"):
            right = self._and()
            left = True if True in (left, right) else None if None in (left, right) else False
        return left

    def _and(self) -> bool | None:
        left = self._not()
        while self._take("&&"):
            right = self._not()
            left = False if False in (left, right) else None if None in (left, right) else True
        return left

    def _not(self) -> bool | None:
        if self._take("!"):
            found = self._not()
            return None if found is None else not found
        if self._take("("):
            found = self._or()
            return found if self._take(")") else None
        return self._test()

    def _test(self) -> bool | None:
        if self._at >= len(self._words):
            return None
        first = self._words[self._at]
        operator = self._peek()
        self._at += 1
        if operator[:1] == "-" and len(operator) == 2 and self._ends_after(1):
            operand = self._next()
            if operator in ("-n", "-z"):
                empty = operator == "-z"
                return _each([operand], lambda texts: (texts[0] == "") == empty)
            return None
        left = self._expand(first)
        second = self._peek()
        if not second or second in ("&&", "||", ")"):
            return _each([left], lambda texts: texts[0] != "")
        self._at += 1
        if self._at >= len(self._words):
            return None
        if second in ("=", "==", "!="):
            return self._match(left, second)
        right = self._next()
        if second == "=~":
            from cc_safety_net.guard.interpret.matches import remember

            remember(self._m, self._state, left, right)
            return None
        if second in _NUMBERS:
            return _compare(second, [left, right])
        return None

    def _ends_after(self, count: int) -> bool:
        at = self._at + count
        if at >= len(self._words):
            return at == len(self._words)
        saved, self._at = self._at, at
        text = self._peek()
        self._at = saved
        return text in ("&&", "||", ")")

    def _match(self, left: tuple[str, ...] | None, operator: str) -> bool | None:
        patterns = words.pattern(self._m, self._state, self._words[self._at])
        self._at += 1
        if patterns is None or left is None:
            return None
        found = {
            Pattern(pattern, self._m.effort).matches(text, self._m.effort)
            for pattern in patterns
            for text in left
        }
        if len(found) != 1:
            return None
        return found.pop() == (operator != "!=")

    def _next(self) -> tuple[str, ...] | None:
        if self._at >= len(self._words):
            return None
        self._at += 1
        return self._expand(self._words[self._at - 1])

    def _expand(self, word: nodes.Word) -> tuple[str, ...] | None:
        choices = words.single(self._m, self._state, word)
        texts = known_texts(choices)
        return None if texts is None else tuple(texts)
