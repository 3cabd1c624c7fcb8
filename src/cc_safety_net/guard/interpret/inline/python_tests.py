"""What a test says about a name that stands for all entries of a directory."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown
from cc_safety_net.guard.interpret.inline.values import Value
from cc_safety_net.guard.interpret.values import merge, unite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.inline.python_expressions import Expressions

_LITERALS = 32


def narrowed(run: Expressions, test: Any, *, negated: bool) -> Iterator[tuple[str, Value]]:
    """Names in `test` with what they stand for where it holds."""
    start, end = "", ""
    positive = test
    if type(test).__name__ == "UnaryOp" and type(test.op).__name__ == "Not":
        positive, negated = test.operand, not negated
    if not negated and type(positive).__name__ == "Call":
        function = positive.func
        argument = positive.args[0] if positive.args else None
        literal = getattr(argument, "value", None)
        if type(function).__name__ == "Attribute" and isinstance(literal, str):
            start = literal if function.attr == "startswith" else ""
            end = literal if function.attr == "endswith" else ""
    equal = _equal(positive) if not negated else None
    for name in _names(test):
        value = run.scope.look(name)
        if value is None or value.kind not in ("text", "path"):
            continue
        choices = [new for choice in value.choices for new in _narrow(choice, start, end, equal)]
        if choices != list(value.choices):
            yield name, Value(value.kind, unite(choices), name=value.name)


def _equal(test: Any) -> list[str] | None:
    """The literals that a name is compared with by `==` or `in`."""
    if type(test).__name__ != "Compare" or len(test.ops) != 1:
        return None
    right = test.comparators[0]
    kind = type(test.ops[0]).__name__
    if kind == "Eq":
        found = [getattr(right, "value", None)]
    elif kind == "In":
        found = [getattr(each, "value", None) for each in getattr(right, "elts", ())]
    else:
        return None
    texts = [each for each in found if isinstance(each, str)]
    return texts if texts and len(texts) == len(found) and len(texts) <= _LITERALS else None


def _narrow(choice: Pieces, start: str, end: str, equal: list[str] | None) -> list[Pieces]:
    """An entry that is any (`*`) becomes one that begins and ends in a certain way."""
    last = choice[-1] if choice else ""
    any_entry = isinstance(last, Glob) and last.text == "*"
    if not any_entry and not (isinstance(last, Unknown) and last.why == "find"):
        return [choice]
    before = choice[:-1]
    if equal is not None:
        return [merge((*before, text)) for text in equal]
    if start or end:
        return [merge((*before, start, last, end))]
    return [(*before, Unknown("find", may_be_empty=False))] if any_entry else [choice]


def _names(test: Any) -> list[str]:
    """The names in an expression."""
    found: list[str] = []
    todo = [test]
    while todo:
        node = todo.pop()
        if type(node).__name__ == "Name":
            found.append(node.id)
        for field in getattr(node, "_fields", ()):
            part = getattr(node, field)
            todo.extend(part if isinstance(part, list) else (part,))
    return list(dict.fromkeys(found))
