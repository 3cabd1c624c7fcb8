"""Assignments as nodes, and the operands of `declare`, `export`, `local`, `readonly`."""

from __future__ import annotations

from cc_safety_net.guard.interpret import parameters, variables, words
from cc_safety_net.guard.interpret.braces import expand
from cc_safety_net.guard.interpret.facts import Word
from cc_safety_net.guard.interpret.values import (
    EMPTY,
    choices_of,
    concat,
    known_texts,
    text_choice,
    unknown_choice,
)
from cc_safety_net.guard.shell.posix import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices


def assign_node(m: Machine, state: State, node: nodes.Assignment) -> None:
    """One assignment as it is written."""
    if isinstance(node.value, nodes.ArrayLiteral):
        assign_literal(m, state, node)
        return
    value = words.single(m, state, node.value, assigned=True)
    if node.index is None:
        variables.assign(m, state, node.name, value, append=node.append)
        return
    keys = parameters.subscripts(m, state, node.name, node.index)
    if keys is None or len(keys) != 1:
        variables.assign_array(m, state, node.name, None)
        return
    variables.assign(m, state, node.name, value, append=node.append, key=keys[0])


def assign_literal(m: Machine, state: State, node: nodes.Assignment, *, flags: str = "") -> None:
    """`name=( … )`."""
    if not isinstance(node.value, nodes.ArrayLiteral):
        return
    old = variables.find(m, state, node.name)
    items: dict[str, Choices] | None = {}
    position = 0
    if node.append and old is not None:
        if old.items is not None:
            items = dict(old.items)
        elif "a" in old.flags or "A" in old.flags:
            items = None  # an array that is not known
        else:
            items = {"0": choices_of(old.settings)}
        position = max((int(k) for k in items or () if k.isdigit()), default=-1) + 1
    if flags and old is None:
        variables.declare(m, state, node.name, flags)
    if old is not None:
        flags += old.flags
    keyed = "A" in flags
    pairs: list[Choices] = []
    for at, (key, word) in enumerate(node.value.elements):
        if key is not None:
            keys = parameters.subscripts(m, state, node.name, key)
            value = words.single(m, state, word, assigned=True)
            if keys is None or len(keys) != 1 or items is None:
                items = None
                continue
            if at in node.value.appended:
                # bash looks for what an associative array held before, for the others goes on.
                before = items
                if keyed and not node.append:
                    before = (old.items if old is not None else None) or {}
                value = variables.appended(before.get(keys[0], EMPTY), value, flags)
            items[keys[0]] = value
            if not keyed and keys[0].isdigit():
                position = int(keys[0]) + 1
            continue
        if keyed:
            pairs.append(words.single(m, state, word))
            continue
        shapes = words.fields(m, state, [word])
        if items is None or len(shapes) != 1 or any(w.splits for w in shapes[0]):
            items = None
            continue
        for field in shapes[0]:
            items[str(position)] = field.choices
            position += 1
    for at in range(0, len(pairs), 2):
        # `( key value … )` of an associative array.
        keys = known_texts(pairs[at])
        if keys is None or len(keys) != 1 or items is None:
            items = None
            break
        items[keys[0]] = pairs[at + 1] if at + 1 < len(pairs) else EMPTY
    m.count_words(len(node.value.elements))
    variables.assign_array(m, state, node.name, items, flags=flags)


def operands(
    m: Machine, state: State, found: Sequence[nodes.Word | nodes.Assignment]
) -> list[list[Word]]:
    """The words of a declaration; an assignment among them is one word, `name=value`."""
    shapes: list[list[Word]] = [[]]
    for word in found:
        if isinstance(word, nodes.Word):
            options = words.fields(m, state, [word])
            shapes = [shape + option for shape in shapes for option in options][:8]
            continue
        each = with_braces(word)
        if len(each) > 1:
            options = words.fields(m, state, [_as_operand(one) for one in each])
            shapes = [shape + option for shape in shapes for option in options][:8]
            continue
        made = _as_word(m, state, word)
        for shape in shapes:
            shape.append(made)
    return shapes


def _as_operand(node: nodes.Assignment) -> nodes.Word:
    """What braces make is no assignment any more: it is split, and a tilde in it stays."""
    head = nodes.Lit(
        node.name + ("+=" if node.append else "="), quoted=True, start=node.start, end=node.start
    )
    parts = node.value.parts if isinstance(node.value, nodes.Word) else []
    return nodes.Word([head, *parts], node.start, node.end)


def with_braces(node: nodes.Assignment) -> list[nodes.Assignment]:
    """The operands that braces in the value of one make (`export X={a,b}` assigns twice)."""
    value = node.value
    if not isinstance(value, nodes.Word):
        return [node]
    found = expand(value.parts)
    if len(found) < 2:
        return [node]
    return [
        nodes.Assignment(
            node.name,
            nodes.Word(parts, value.start, value.end),
            node.start,
            node.end,
            append=node.append,
        )
        for parts in found
    ]


def _as_word(m: Machine, state: State, node: nodes.Assignment) -> Word:
    start, end = m.span_of(node)
    head = text_choice(node.name + ("+=" if node.append else "="))
    if isinstance(node.value, nodes.ArrayLiteral):
        return Word(concat(head, unknown_choice("variable", node.name)), start, end)
    value = words.single(m, state, node.value, assigned=True)
    return Word(concat(head, value), start, end)
