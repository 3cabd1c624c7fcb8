"""JSON in and out without the `json` package, whose import costs as much as an interpreter start.

Decoding uses the C scanner of the interpreter (a private module, so `json` stands behind it) and
refuses what the guard must not guess about: duplicate keys, NaN, too much depth, too many values.
"""

from __future__ import annotations

from cc_safety_net.guard import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_BLANKS = " \t\n\r"


class JsonError(ValueError):
    """The text is no JSON, or not one that can be trusted.

    what: the fact. position: where in the text, -1 if unknown. key: the key concerned, or "".
    limit: it is too deep or holds too many values, rather than being wrong.
    """

    def __init__(
        self, what: str, position: int = -1, *, key: str = "", limit: bool = False
    ) -> None:
        super().__init__(what)
        self.what = what
        self.position = position
        self.key = key
        self.limit = limit


class _Context:
    """What the C scanner asks for, in the names that it uses."""

    __slots__ = ("memo", "object_hook", "parse_float", "parse_int", "strict")

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}
        self.object_hook = None
        self.parse_float = float
        self.parse_int = int
        self.strict = True

    @staticmethod
    def parse_constant(name: str) -> object:
        raise JsonError(f"{name} is no value of JSON")

    @staticmethod
    def object_pairs_hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            seen = set()
            for key, _ in pairs:
                if key in seen:
                    raise JsonError(f"the key {key!r} stands twice", key=key)
                seen.add(key)
        return found


def decode_json(text: str) -> Any:
    """The value of a JSON text; JsonError if there is none that can be trusted.

    A byte order mark in front is skipped. At most `limits.JSON_DEPTH` nested containers and
    `limits.JSON_NODES` values.
    """
    start = 1 if text.startswith("\ufeff") else 0
    start = _skip_blanks(text, start)
    if start == len(text):
        raise JsonError("there is no text", start)
    openers = text.count("{") + text.count("[")
    crowded = openers + text.count(",") >= limits.JSON_NODES
    if crowded:
        _refuse_crowd(text)
    try:
        value, end = _scanner()(text, start)
    except StopIteration as stop:
        position = stop.value if isinstance(stop.value, int) else start
        raise JsonError("a value is missing", position) from None
    except SystemError:
        # CPython's scanner forgets to set an exception for a text that ends behind a brace.
        raise JsonError("the text is cut short", len(text)) from None
    except RecursionError:
        raise JsonError(f"nested deeper than {limits.JSON_DEPTH}", limit=True) from None
    except JsonError:
        raise
    except ValueError as error:
        # A `json.JSONDecodeError`, which the scanner itself imports.
        what = str(getattr(error, "msg", error))
        raise JsonError(what[:1].lower() + what[1:], getattr(error, "pos", -1)) from None
    end = _skip_blanks(text, end)
    if end != len(text):
        raise JsonError("text after the end of the value", end)
    if crowded or openers > limits.JSON_DEPTH:
        _measure(value)
    return value


def _skip_blanks(text: str, start: int) -> int:
    while start < len(text) and text[start] in _BLANKS:
        start += 1
    return start


def _scanner() -> Callable[[str, int], tuple[Any, int]]:
    try:
        from _json import make_scanner
    except ImportError:
        # An interpreter without the C scanner: slow, but it answers.
        import json

        return json.JSONDecoder(
            object_pairs_hook=_Context.object_pairs_hook, parse_constant=_Context.parse_constant
        ).raw_decode
    return make_scanner(_Context())  # type: ignore[arg-type] # it takes any object of this form


def _refuse_crowd(text: str) -> None:
    """Refuse twice the permitted values before they take memory; text in strings counts for none.

    Backslashes stand only in strings, so that without escapes every second piece is outside.
    """
    pieces = text.replace("\\\\", "").replace('\\"', "").split('"')
    outside = "".join(pieces[::2])
    marks = outside.count(",") + outside.count("{") + outside.count("[")
    if marks > 2 * limits.JSON_NODES:
        raise _too_many()


def _measure(value: Any) -> None:
    """Count values and depth, level by level."""
    level = [value]
    depth = 0
    nodes = 1
    while level:
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                nodes += len(item)
                below.extend(v for v in item.values() if isinstance(v, (dict, list)))
            elif isinstance(item, list):
                nodes += len(item)
                below.extend(v for v in item if isinstance(v, (dict, list)))
        if nodes > limits.JSON_NODES:
            raise _too_many()
        depth += 1
        if depth > limits.JSON_DEPTH:
            raise JsonError(f"nested deeper than {limits.JSON_DEPTH}", limit=True)
        level = below


def _too_many() -> JsonError:
    return JsonError(f"more than {limits.JSON_NODES:,} values", limit=True)


def encode_json(value: Any) -> str:
    """The shortest JSON text of dicts, lists, tuples, strings, numbers, booleans and None.

    Always encodable as UTF-8: lone surrogates are written as escapes.
    """
    out: list[str] = []
    _write(value, out)
    return "".join(out)


def _write(value: Any, out: list[str]) -> None:
    if isinstance(value, str):
        out.append(quote(value))
    elif value is None:
        out.append("null")
    elif value is True:
        out.append("true")
    elif value is False:
        out.append("false")
    elif isinstance(value, int):
        out.append(int.__repr__(value))
    elif isinstance(value, float):
        # Infinity and NaN have no form in JSON.
        out.append(float.__repr__(value) if value - value == 0 else "null")
    elif isinstance(value, dict):
        mark = "{"
        for key, item in value.items():
            out.append(mark)
            out.append(quote(str(key)))
            out.append(":")
            _write(item, out)
            mark = ","
        out.append("}" if value else "{}")
    elif isinstance(value, (list, tuple)):
        mark = "["
        for item in value:
            out.append(mark)
            _write(item, out)
            mark = ","
        out.append("]" if value else "[]")
    else:
        raise TypeError(f"no JSON form for {type(value).__name__}")


def quote(text: str) -> str:
    """A string as JSON."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json.encoder import py_encode_basestring_ascii as encode_basestring_ascii
    return encode_basestring_ascii(text)


def line_of(text: str, position: int) -> int:
    """Line of a position, from 1; 0 for an unknown one."""
    return text.count("\n", 0, position) + 1 if position >= 0 else 0
