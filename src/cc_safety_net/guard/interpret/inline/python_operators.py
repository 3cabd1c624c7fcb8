"""Operators of Python on values."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import path_values
from cc_safety_net.guard.interpret.inline.python_library import LONGEST, items_of
from cc_safety_net.guard.interpret.inline.python_methods import percent
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    added,
    is_textual,
    listed,
    number,
    path,
    ref,
    text,
    unknown,
)

#: Items of a list that is repeated.
_ITEMS = 64


def operate(operator: str, left: Value, right: Value) -> Value:
    if operator == "Add":
        if left.kind == "list" and right.kind == "list":
            return listed([*left.items, *right.items])
        if left.kind == "number" and right.kind == "number":
            return number(left.number + right.number)
        if is_textual(left) or is_textual(right):
            return added(left, right)
        if left.kind == "list" or right.kind == "list":
            return listed([*items_of(left), *items_of(right)])
        return added(left, right)
    if operator == "Div" and (left.kind in ("path", "either") or right.kind == "path"):
        return path(path_values.joined((left, right)))
    if operator == "Mod" and left.kind == "text":
        return percent(left, right)
    if operator == "Mult":
        return _multiplied(left, right)
    if operator in ("BitOr", "BitXor") and left.kind == right.kind == "ref":
        return ref(f"{left.name}|{right.name}")
    if operator == "BitOr" and left.kind == right.kind == "map":
        return Value("map", fields={**left.fields, **right.fields})
    if left.kind == "number" and right.kind == "number":
        return _calculated(operator, left.number, right.number)
    if operator == "Div":
        return path(path_values.joined((left, right)))
    return unknown(operator)


def _multiplied(left: Value, right: Value) -> Value:
    if left.kind == "number" and right.kind != "number":
        left, right = right, left
    if right.kind != "number":
        return unknown("*")
    if left.kind == "number":
        return number(left.number * right.number)
    times = int(right.number)
    known = left.text
    if left.kind == "text" and known is not None and len(known) * max(times, 0) <= LONGEST:
        return text(known * times)
    if left.kind == "list" and len(left.items) * max(times, 0) <= _ITEMS:
        return listed(left.items * times)
    return unknown("*")


def _calculated(operator: str, left: float, right: float) -> Value:
    if operator == "Sub":
        return number(left - right)
    if operator == "FloorDiv" and right:
        return number(left // right)
    if operator == "Mod" and right:
        return number(left % right)
    if operator == "BitXor" and isinstance(left, int) and isinstance(right, int):
        return number(left ^ right)
    return unknown(operator)
