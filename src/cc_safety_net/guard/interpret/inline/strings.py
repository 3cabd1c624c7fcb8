"""Methods of texts and lists that languages share, by the names that they have anywhere."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.encodings import decode
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    added,
    choices_of,
    listed,
    number,
    text,
    texts,
    unknown,
)
from cc_safety_net.guard.interpret.values import concat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.inline.calls import Call
    from cc_safety_net.guard.interpret.values import Choices

_LONGEST = 131_072
_SAME = frozenset(
    ("toString", "to_s", "to_str", "valueOf", "trim", "strip", "chomp", "String", "to_a", "flat",
     "freeze", "dup", "clone", "uniq", "sort", "compact", "entries", "values", "sync", "first",
     "trimEnd", "trimStart", "encode", "toList", "as_str", "each_entry", "to_path", "path",
     "sub_ext",     "strip!", "chomp!", "filter", "select", "reject", "grep", "toArray")
)  # fmt: skip
_LOWER = frozenset(("toLowerCase", "downcase", "lower", "lc", "lowercase"))
_UPPER = frozenset(("toUpperCase", "upcase", "upper", "uc", "uppercase"))


def method(receiver: Value, name: str, call: Call) -> Value | None:
    """The result of a method without effects, None if none is known by this name."""
    first = call.arguments[0] if call.arguments else None
    if name in _SAME and receiver.kind in ("text", "path", "list", "number", "unknown", "either"):
        return receiver if first is None or first.kind != "function" else None
    if receiver.kind == "list":
        return _of_list(receiver, name, first, call)
    known = receiver.text
    if receiver.kind != "text":
        return None
    if name in ("concat", "plus"):
        return added(receiver, first) if first is not None else receiver
    if known is None:
        return None
    if name in _LOWER:
        return text(known.lower())
    if name in _UPPER:
        return text(known.upper())
    if name in ("reverse", "reversed"):
        return text(known[::-1])
    if name in ("replace", "replaceAll", "gsub", "sub", "tr", "delete"):
        return _replaced(known, name, call)
    if name in ("split", "tokenize", "chars", "lines"):
        return _split(known, name, first)
    if name == "repeat" and first is not None and first.kind == "number":
        fits = 0 <= first.number * len(known) <= _LONGEST
        return text(known * int(first.number)) if fits else unknown(name)
    if name in ("slice", "substring", "substr"):
        return _slice(known, call)
    if name == "unpack1":
        return unknown(name)
    return None


def _replaced(known: str, name: str, call: Call) -> Value:
    old = call.arguments[0].text if call.arguments else None
    new = call.arguments[1].text if len(call.arguments) > 1 else None
    if not old or new is None or known.count(old) * len(new) > _LONGEST or name == "tr":
        return unknown(name)
    return text(known.replace(old, new, 1 if name in ("replace", "sub") else -1))


def _split(known: str, name: str, first: Value | None) -> Value:
    if name == "chars" or (first is not None and first.text == ""):
        return listed([text(sign) for sign in known[:4_096]])
    if name == "lines":
        return listed([text(line) for line in known.splitlines()])
    if first is None or first.text is None:
        # Without an argument, or by a pattern: at blanks.
        return listed([text(part) for part in known.split()])
    return listed([text(part) for part in known.split(first.text) if part or first.text != " "])


def _slice(known: str, call: Call) -> Value:
    numbers = [int(a.number) for a in call.arguments if a.kind == "number"]
    if len(numbers) != len(call.arguments) or not numbers:
        return unknown("slice")
    return text(known[numbers[0] :] if len(numbers) == 1 else known[numbers[0] : numbers[1]])


def _of_list(receiver: Value, name: str, first: Value | None, call: Call) -> Value | None:
    if name in ("join", "joinToString", "*"):
        separator = choices_of(first) if first is not None else (("",),)
        if first is None:
            separator = ((",",),) if name == "join" and call.name == "join" else ((),)
        return joined(receiver, separator)
    if name in ("push", "append", "unshift", "add", "<<"):
        if len(receiver.items) < 4_096:
            receiver.items.extend(call.arguments)
        return receiver
    if name in ("concat", "plus", "+"):
        more = first.items if first is not None and first.kind == "list" else call.arguments
        return listed([*receiver.items, *more])
    if name in ("reverse", "reversed"):
        return listed(reversed(receiver.items))
    if name in ("slice", "drop"):
        start = int(first.number) if first is not None and first.kind == "number" else 0
        return listed(receiver.items[start:])
    if name in ("shift", "pop", "first", "last"):
        if not receiver.items:
            return unknown(name, "argument")
        return receiver.items[-1 if name in ("pop", "last") else 0]
    if name in ("length", "size", "count"):
        return number(len(receiver.items))
    if name == "pack":
        known = receiver.items[0].text if receiver.items else None
        how = {"H*": "hex", "m": "base64", "m0": "base64"}.get((first.text or "") if first else "")
        return decode(known, how) if known is not None and how else unknown(name)
    return None


def joined(value: Value, separator: Choices) -> Value:
    whole: Choices = ((),)
    for index, item in enumerate(value.items[:256]):
        if index:
            whole = concat(whole, separator)
        whole = concat(whole, choices_of(item))
    return texts(whole)
