"""Methods of Python's texts, lists and maps, and its formatting of texts."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.encodings import decode
from cc_safety_net.guard.interpret.inline.python_library import LONGEST, MANY, first_of, items_of
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Value,
    choices_of,
    constant,
    listed,
    number,
    one_of,
    text,
    texts,
    truth,
    unknown,
)
from cc_safety_net.guard.interpret.values import concat, concat_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.inline.calls import Call
    from cc_safety_net.guard.interpret.values import Choices

_TEXT_METHODS = frozenset(
    (
        "capitalize", "casefold", "decode", "encode", "endswith", "expandtabs", "find", "format",
        "format_map", "hex", "isdigit", "join", "lower", "lstrip", "partition", "removeprefix",
        "removesuffix", "replace", "rpartition", "rsplit", "rstrip", "split", "splitlines",
        "startswith", "strip", "swapcase", "title", "translate", "upper", "zfill",
    )
)  # fmt: skip
#: Methods that are Python's own when all is known.
_OWN = frozenset(
    (
        "capitalize", "casefold", "endswith", "lower", "lstrip", "removeprefix", "removesuffix",
        "replace", "rstrip", "startswith", "strip", "swapcase", "title", "upper", "find",
    )
)  # fmt: skip
_CUTTING = frozenset(("split", "rsplit", "partition", "rpartition", "splitlines"))
#: Name of what stands for the items that a full list was given.
_FULL = "full"
_KEEPING = frozenset(("strip", "rstrip", "lstrip", "lower", "encode", "decode", "expandtabs"))


def method(receiver: Value, name: str, call: Call) -> Value | None:
    """The result of a method of a text, list or map."""
    if receiver.kind == "list":
        return _of_list(receiver, name, call)
    if receiver.kind == "map":
        return _of_map(receiver, name, call)
    if name in _TEXT_METHODS:
        return _of_text(receiver, name, call)
    return None


def _of_text(receiver: Value, name: str, call: Call) -> Value:
    if name in ("encode", "decode"):
        how = call.arguments[0].text if call.arguments else ""
        known = receiver.text
        if known is not None and (how or "").replace("-", "").replace("_", "") in ("hex", "rot13"):
            return decode(known, (how or "").replace("-", "").replace("_", ""))
        return texts(choices_of(receiver))
    if name == "join":
        return _joined_by(receiver, first_of(call))
    if name in ("format", "format_map"):
        return formatted(receiver, call.arguments, call.named)
    known = receiver.text
    arguments = [_plain(argument) for argument in call.arguments]
    if known is None or any(argument is None for argument in arguments):
        if name in _KEEPING and receiver.kind == "text":
            return texts(receiver.choices)
        if name in _CUTTING:
            return _cut_unknown(receiver)
        return unknown(name)
    if name in _OWN and len(known) * 64 <= LONGEST * 64:
        return _own(known, name, arguments)
    if name in _CUTTING:
        try:
            cut = [text(part) for part in getattr(known, name)(*arguments)]
        except (TypeError, ValueError):
            return unknown(name)
        made = listed(())
        _extend(made, cut)
        return made
    return unknown(name)


def _own(known: str, name: str, arguments: list[object]) -> Value:
    if name == "replace" and len(arguments) >= 2:
        grown = known.count(str(arguments[0])) * len(str(arguments[1])) if arguments[0] else 0
        if grown > LONGEST or not arguments[0]:
            return unknown(name)
    try:
        result = getattr(known, name)(*arguments)
    except (TypeError, ValueError):
        return unknown(name)
    if isinstance(result, bool):
        return truth(result)
    return number(result) if isinstance(result, int) else text(result)


def _cut_unknown(receiver: Value) -> Value:
    """`("git reset " + x).split()`: words of the known parts, the unknown ones as one word."""
    if receiver.kind != "text" or len(receiver.choices) != 1:
        return listed([unknown("split")])
    words: list[Value] = []
    for piece in receiver.choices[0]:
        if isinstance(piece, str):
            words.extend(text(part) for part in piece.split())
        else:
            words.append(Value("text", ((piece,),)))
    return listed(words)


def _plain(argument: Value) -> object:
    """The argument as Python has it, None if it isn't known."""
    if argument.kind == "number":
        return int(argument.number)
    if argument.kind == "list":
        return tuple(item.text or "\0" for item in argument.items)
    return argument.text


def _joined_by(separator: Value, value: Value) -> Value:
    choices: Choices = ((),)
    parts = items_of(value)
    if len(parts) > MANY:
        return unknown("join")
    between = choices_of(separator)
    known = [part.text for part in parts]
    if separator.text is not None and all(part is not None for part in known):
        whole = separator.text.join(part or "" for part in known)
        return text(whole) if len(whole) <= LONGEST else unknown("join")
    if len(parts) > 64:
        return unknown("join")
    for index, part in enumerate(parts):
        if index:
            choices = concat(choices, between)
        choices = concat(choices, choices_of(part))
    return texts(choices)


def formatted(pattern: Value, arguments: Sequence[Value], named: dict[str, Value]) -> Value:
    """`'{} {name}'.format(…)`."""
    known = pattern.text
    if known is None:
        return unknown("format")
    whole: list[Choices] = []
    at = 0
    following = 0
    while at < len(known):
        start = known.find("{", at)
        if start < 0:
            start = len(known)
        plain = known[at:start].replace("}}", "}")
        whole.append(((plain,),) if plain else ((),))
        if start >= len(known):
            break
        if known.startswith("{{", start):
            whole.append((("{",),))
            at = start + 2
            continue
        end = known.find("}", start)
        if end < 0:
            return unknown("format")
        field = known[start + 1 : end].partition(":")[0].partition("!")[0]
        value = named.get(field)
        if value is None and not field and following < len(arguments):
            value = arguments[following]
            following += 1
        elif value is None and field.isdigit() and int(field) < len(arguments):
            value = arguments[int(field)]
        whole.append(choices_of(value if value is not None else unknown(field)))
        at = end + 1
    return texts(concat_all(whole))


def percent(pattern: Value, value: Value) -> Value:
    """`'%s %s' % (…)`."""
    known = pattern.text
    if known is None:
        return unknown("%")
    arguments = value.items if value.kind == "list" else [value]
    whole: list[Choices] = []
    following = 0
    at = 0
    while at < len(known):
        start = known.find("%", at)
        if start < 0:
            whole.append(((known[at:],),))
            break
        if start > at:
            whole.append(((known[at:start],),))
        if known.startswith("%%", start):
            whole.append((("%",),))
            at = start + 2
            continue
        end = start + 1
        name = ""
        if known[end : end + 1] == "(":
            close = known.find(")", end)
            if close < 0:
                return unknown("%")
            name = known[end + 1 : close]
            end = close + 1
        while end < len(known) and known[end] in "0123456789.+-# ":
            end += 1
        if name and value.kind == "map":
            found = value.fields.get(name)
        else:
            found = arguments[following] if following < len(arguments) else None
            following += 1
        whole.append(choices_of(found if found is not None else unknown("%")))
        at = end + 1
    return texts(concat_all(whole))


def _extend(receiver: Value, more: Sequence[Value]) -> None:
    """What a list that is full is given is not followed: it holds something unknown then."""
    items = receiver.items
    room = MANY - len(items)
    items.extend(more[: max(room, 0)])
    if len(more) > room and items[-1].name != _FULL:
        items.append(unknown(_FULL, "limit"))


def _of_list(receiver: Value, name: str, call: Call) -> Value | None:
    if name in ("append", "add") and call.arguments:
        _extend(receiver, call.arguments[:1])
    elif name in ("extend", "update") and call.arguments:
        _extend(receiver, items_of(call.arguments[0]))
    elif name == "insert" and len(call.arguments) > 1:
        at = call.arguments[0]
        index = int(at.number) if at.kind == "number" else 0
        receiver.items.insert(index, call.arguments[1])
    elif name == "pop":
        return one_of(receiver.items) if receiver.items else unknown("pop")
    elif name == "copy":
        return listed(receiver.items)
    elif name == "clear":
        receiver.items.clear()
    elif name == "reverse":
        receiver.items.reverse()
    elif name in ("sort", "remove"):
        return constant(NONE)
    else:
        return None
    return constant(NONE)


def _of_map(receiver: Value, name: str, call: Call) -> Value | None:
    if name in ("get", "pop", "setdefault"):
        key = first_of(call).text
        default = call.arguments[1] if len(call.arguments) > 1 else constant(NONE)
        if key is None:
            return one_of([*receiver.fields.values(), default])
        return receiver.fields.get(key, default)
    if name == "keys":
        return listed([text(key) for key in receiver.fields])
    if name == "values":
        return listed(receiver.fields.values())
    if name == "items":
        return listed([listed([text(key), value]) for key, value in receiver.fields.items()])
    if name == "copy":
        return Value("map", fields=dict(receiver.fields))
    if name == "update" and call.arguments and call.arguments[0].kind == "map":
        receiver.fields.update(call.arguments[0].fields)
        return constant(NONE)
    return None
