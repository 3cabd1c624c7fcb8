"""Paths that cmdlets take: from values of PowerShell to words of the guard."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value, without_empty
from cc_safety_net.guard.interpret.values import concat, merge, text_choice
from cc_safety_net.guard.interpret.windows_paths import is_no_file, posix_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces


def path_words(value: Value, home: str, start: int, end: int, *, wild: bool = True) -> list[Word]:
    """A word for each path; what belongs to another provider than the file system is left out."""
    out = []
    for item in value.items:
        choices = tuple(
            posix_pieces(choice, wild=wild, home=home) for choice in item if not _elsewhere(choice)
        )
        choices = tuple(choice for choice in choices if choice)
        if choices:
            out.append(Word(choices, start, end))
    if not value.items and value.more:
        piece = Unknown("command", origin=value.origin, may_be_empty=False)
        out.append(Word(((piece,),), start, end))
    return out


def _elsewhere(choice: Pieces) -> bool:
    return bool(choice) and isinstance(choice[0], str) and is_no_file(choice[0])


def below(value: Value, child: Value) -> Value:
    """`Join-Path`: every path with every name below it."""
    items = []
    for item in value.items or (((),),):
        for name in child.items or (((),),):
            between = "" if _ends_with_slash(item) or not any(name) else "\\"
            items.append(concat(concat(item, text_choice(between)), name))
    return Value(items[:64], more=value.more or child.more, origin=value.origin)


def _ends_with_slash(item: tuple[Pieces, ...]) -> bool:
    last = item[0][-1] if item and item[0] else ""
    return isinstance(last, str) and last.endswith(("\\", "/"))


def listed(value: Value, pattern: Value, *, narrowed: bool) -> Value:
    """What `Get-ChildItem` finds: the names below each path, or those that a pattern takes."""
    items = []
    for item in value.items:
        name: tuple[Pieces, ...]
        names = tuple(_as_pattern(choice) for each in pattern.items for choice in each)
        if names:
            name = names
        elif narrowed:
            name = ((Unknown("input", may_be_empty=False),),)
        else:
            name = ((Glob("*"),),)
        if not names and _has_pattern(item):
            items.append(without_empty(item))
            continue
        lead = without_empty(item)
        between = "" if _ends_with_slash(item) else "\\"
        items.append(concat(concat(lead, text_choice(between)), name))
    return Value(items, kind="file", found=True, more=False)


def _as_pattern(choice: Pieces) -> Pieces:
    return posix_pieces(choice, wild=True)


def _has_pattern(item: tuple[Pieces, ...]) -> bool:
    return any(
        isinstance(piece, Glob) or (isinstance(piece, str) and ("*" in piece or "?" in piece))
        for choice in item
        for piece in choice
    )


def narrowed(value: Value) -> Value:
    """Some of the paths only: a pattern for all names becomes an unknown name."""
    items = []
    for item in value.items:
        choices = []
        for choice in item:
            last = choice[-1] if choice else ""
            if isinstance(last, Glob) and last.text == "*":
                unknown = Unknown("input", may_be_empty=False)
                choices.append((*choice[:-1], unknown))
            else:
                choices.append(choice)
        items.append(tuple(choices))
    return Value(
        items, more=value.more, kind=value.kind, origin=value.origin, found=value.found,
        table=value.table,
    )  # fmt: skip


def parent_of(value: Value) -> Value:
    """The directory of each path."""
    items = []
    for item in value.items:
        choices: list[Pieces] = []
        for choice in item:
            parent = _parent(choice)
            choices.append(parent)
        items.append(tuple(choices))
    return Value(items, more=value.more, origin=value.origin) if items else NOTHING


def _parent(choice: Pieces) -> Pieces:
    """Up to the last separator, as far as it stands in a known part."""
    pieces = list(choice)
    while pieces:
        last = pieces.pop()
        if isinstance(last, str):
            text = last.rstrip("\\/") if not pieces else last
            cut = max(text.rfind("\\"), text.rfind("/"))
            if cut >= 0:
                head = text[:cut]
                if len(head) == 2 and head[1] == ":":
                    head += "\\"
                return merge((*pieces, head or text[:1]))
        elif not isinstance(last, Glob) and not pieces:
            return (Unknown(last.why, last.name, may_be_empty=False, origin=last.origin),)
    return ()


def leaf_of(value: Value) -> Value:
    """The last component of each path, as far as it is known."""
    items = []
    for item in value.items:
        choices: list[Pieces] = []
        for choice in item:
            last = choice[-1] if choice else ""
            if isinstance(last, str) and ("\\" in last or "/" in last or len(choice) == 1):
                choices.extend(text_choice(last.replace("\\", "/").rstrip("/").rpartition("/")[2]))
            else:
                choices.append((Unknown("variable", may_be_empty=False),))
        items.append(tuple(choices))
    return Value(items, more=value.more, origin=value.origin)
