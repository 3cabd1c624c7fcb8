"""Values of PowerShell: objects in a row, each a text as far as it is known."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, literal
from cc_safety_net.guard.interpret.values import concat, merge, text_choice, unite, unknown_choice
from cc_safety_net.guard.limits import WORD_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.powershell.nodes import Block


class Value:
    """Objects in a row.

    items: each as the texts it may be. more: there may be others like the last. table: a
    hashtable, by lower-case key. block: a script block. kind: a mark of what the objects are
    (`bytes`: base64 that was decoded; `file`: paths; `client`: something that downloads).
    origin: the executions it comes from. found: the paths come from a search.
    """

    __slots__ = ("block", "found", "items", "kind", "more", "origin", "table")

    def __init__(
        self,
        items: Sequence[Choices] = (),
        *,
        more: bool = False,
        table: dict[str, Value] | None = None,
        block: Block | None = None,
        kind: str = "",
        origin: Sequence[Execution] = (),
        found: bool = False,
    ) -> None:
        self.items = tuple(items)
        self.more = more
        self.table = table
        self.block = block
        self.kind = kind
        self.origin = tuple(origin)
        self.found = found

    @property
    def text(self) -> str | None:
        """The one known text."""
        if self.more or len(self.items) != 1 or len(self.items[0]) != 1:
            return None
        return literal(self.items[0][0])

    @property
    def is_nothing(self) -> bool:
        return not self.items and not self.more and self.table is None and self.block is None

    def joined(self, between: str = " ") -> Choices:
        """The texts of all objects as one."""
        if not self.items:
            return unknown_choice("command") if self.more else ((),)
        out = self.items[0]
        for item in self.items[1:]:
            out = concat(concat(out, text_choice(between)), item)
        if self.more:
            out = concat(out, ((Unknown("command", origin=self.origin),),))
        return out

    def words(self, start: int, end: int) -> list[Word]:
        """A word for each object."""
        return [Word(item, start, end) for item in self.items]


NOTHING = Value()


def known(text: str) -> Value:
    return Value((text_choice(text),))


def truth(value: bool) -> Value:
    return known("True" if value else "False")


def unknown(
    why: str, name: str = "", *, may_be_empty: bool = True, origin: Sequence[Execution] = ()
) -> Value:
    piece = Unknown(why, name, may_be_empty=may_be_empty, origin=origin)
    return Value((((piece,),),), origin=origin)


def both(first: Value, second: Value) -> Value:
    """All objects of one, then of the other."""
    if first.is_nothing:
        return second
    if second.is_nothing:
        return first
    items = first.items + second.items
    more = first.more or second.more
    if len(items) > WORD_VALUES * 8:
        items, more = items[: WORD_VALUES * 8], True
    return Value(
        items,
        more=more,
        origin=first.origin + tuple(e for e in second.origin if e not in first.origin),
        kind=first.kind if first.kind == second.kind else "",
        found=first.found or second.found,
    )


def either(values: Sequence[Value]) -> Value:
    """One of several values."""
    found = [value for value in values if not value.is_nothing]
    if not found:
        return NOTHING
    if len(found) == 1:
        return found[0] if len(values) == 1 else _maybe(found[0])
    if all(len(value.items) == 1 and not value.more for value in found):
        items = (unite([choice for value in found for choice in value.items[0]]),)
        return Value(items, origin=found[0].origin, block=found[0].block, table=found[0].table)
    out = found[0]
    for value in found[1:]:
        out = both(out, value)
    return Value(out.items, more=True, origin=out.origin, found=out.found)


def _maybe(value: Value) -> Value:
    if len(value.items) == 1 and value.block is None and value.table is None:
        items = (unite([*value.items[0], ()]),)
        return Value(items, more=value.more, origin=value.origin, found=value.found)
    return value


def truthiness(value: Value) -> bool | None:
    """True or False where it is certain, else None."""
    if value.is_nothing:
        return False
    if value.text == "True":
        return True
    if value.text in ("False", ""):
        return False
    return None


def without_empty(choices: Choices) -> Choices:
    """The choices, their unknown parts known not to be empty (what does not exist is an error)."""
    return tuple(
        merge(
            Unknown(p.why, p.name, may_be_empty=False, origin=p.origin)
            if isinstance(p, Unknown)
            else p
            for p in choice
        )
        for choice in choices
    )
