"""Values of programs in other languages, as far as they are known without running them."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, literal
from cc_safety_net.guard.interpret.values import concat, merge, unite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.values import Choices

#: Alternatives that are kept apart.
_ALTERNATIVES = 16
#: Numbers from here on are not followed.
_LARGEST = 10**18
_TEXTUAL = frozenset(("text", "path", "number"))


class Value:
    """A value of any language.

    kind: `text`; `path` (an object that stands for a path); `number`; `constant` (None, True,
    False, by `name`); `list`; `map` (`fields`); `ref` (a module, function or global by its dotted
    name); `function` and `class` of the code itself (`node`); `partial` (a function, `node`, with
    arguments in `items`); `object` (an instance: `name` of its class, attributes in `fields`);
    `file` (opened: `choices` its path, `node` the access); `either` (one of `items`); `unknown`.
    """

    __slots__ = ("choices", "fields", "items", "kind", "name", "node", "number", "scope")

    def __init__(
        self,
        kind: str,
        choices: Choices = (),
        *,
        name: str = "",
        items: list[Value] | None = None,
        fields: dict[str, Value] | None = None,
        node: Any = None,
        scope: Any = None,
        number: float = 0,
    ) -> None:
        self.kind = kind
        self.choices = choices
        self.name = name
        self.items = [] if items is None else items
        self.fields = {} if fields is None else fields
        self.node = node
        self.scope = scope
        self.number = number

    @property
    def text(self) -> str | None:
        """The one text that it has, None if it is none or not wholly known."""
        if self.kind in ("text", "path") and len(self.choices) == 1:
            return literal(self.choices[0])
        return str(self.number) if self.kind == "number" else None

    @property
    def callable(self) -> bool:
        return self.kind in ("function", "partial")


class Scope:
    """Names of one function, branch or module, above those of the one around it."""

    __slots__ = ("own", "parent")

    def __init__(self, parent: Scope | None = None) -> None:
        self.own: dict[str, Value] = {}
        self.parent = parent

    def look(self, name: str) -> Value | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.own:
                return scope.own[name]
            scope = scope.parent
        return None


def text(content: str) -> Value:
    return Value("text", ((content,) if content else (),))


def texts(choices: Choices) -> Value:
    return Value("text", choices)


def path(choices: Choices) -> Value:
    return Value("path", choices)


def number(value: float) -> Value:
    if not -_LARGEST < value < _LARGEST:
        # What grows without end, infinity, and what is no number.
        return unknown("number")
    return Value("number", number=value)


def listed(items: Iterable[Value]) -> Value:
    return Value("list", items=list(items))


def constant(name: str) -> Value:
    return Value("constant", name=name)


def truth(value: object) -> Value:
    return constant("True" if value else "False")


NONE = "None"


def unknown(name: str = "", why: str = "command", *, may_be_empty: bool = False) -> Value:
    return Value("unknown", ((Unknown(why, name, may_be_empty=may_be_empty),),), name=name)


def ref(name: str) -> Value:
    return Value("ref", name=name)


def is_textual(value: Value) -> bool:
    return value.kind in _TEXTUAL


def choices_of(value: Value) -> Choices:
    """The texts that the value may be."""
    if value.kind in ("text", "path", "unknown", "file"):
        return value.choices
    if value.kind == "number":
        return ((str(value.number),),)
    if value.kind == "either":
        return unite([choice for item in value.items for choice in choices_of(item)])
    if value.kind == "object" and value.choices:
        return value.choices
    return ((Unknown("command", value.name, may_be_empty=False),),)


def word(value: Value) -> Word:
    return Word(choices_of(value))


def added(first: Value, second: Value) -> Value:
    """Two texts after one another."""
    return texts(concat(choices_of(first), choices_of(second)))


def one_of(values: Sequence[Value]) -> Value:
    """A value that is one of several."""
    kept: list[Value] = []
    seen: set[int] = set()
    for value in values:
        if value.kind == "either":
            kept.extend(value.items)
        elif id(value) not in seen:
            seen.add(id(value))
            kept.append(value)
    if not kept:
        return constant(NONE)
    if len(kept) == 1:
        return kept[0]
    whole = [value for value in kept if value.kind != "constant"] or kept[:1]
    if len(whole) == 1:
        return whole[0]
    if all(value.kind in ("text", "unknown", "number") for value in whole):
        choices = unite([choice for value in whole for choice in choices_of(value)])
        return texts(choices)
    if all(value.kind in ("text", "unknown", "number", "path") for value in whole):
        return path(unite([choice for value in whole for choice in choices_of(value)]))
    return Value("either", items=whole[:_ALTERNATIVES])


def alternatives(value: Value) -> list[Value]:
    return value.items if value.kind == "either" else [value]


def truthiness(value: Value) -> bool | None:
    """Whether the value counts as true, None if that can't be known."""
    if value.kind == "constant":
        return value.name == "True" if value.name in ("True", "False", NONE) else None
    if value.kind == "number":
        return value.number != 0
    if value.kind == "text":
        known = {bool(choice) if literal(choice) is not None else None for choice in value.choices}
        return known.pop() if len(known) == 1 else None
    if value.kind == "list" and value.items:
        return True
    if value.kind in ("function", "class", "path", "ref"):
        return None if value.kind == "ref" else True
    return None


def globbed(pattern: str) -> tuple[str | Unknown | Glob, ...]:
    """The pieces of a pattern as a search function reads it."""
    pieces: list[str | Unknown | Glob] = []
    run: list[str] = []
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        end = at + 1
        if sign == "[":
            close = pattern.find("]", at + 2)
            if close > 0:
                end = close + 1
        if sign in "*?" or end > at + 1:
            pieces.append("".join(run))
            run = []
            pieces.append(Glob(pattern[at:end]))
        else:
            run.append(sign)
        at = end
    pieces.append("".join(run))
    return merge(pieces)


def matching(pattern: Value) -> Value:
    """What a search for `pattern` may find: a list whose one item stands for all."""
    found = []
    for choice in choices_of(pattern):
        pieces: list[str | Unknown | Glob] = []
        for piece in choice:
            pieces.extend(globbed(piece) if isinstance(piece, str) else (piece,))
        found.append(merge(pieces))
    return listed([texts(unite(found))])
