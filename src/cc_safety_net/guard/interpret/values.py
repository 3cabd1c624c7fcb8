"""Values of words and variables: sets of choices, each a tuple of known and unknown pieces."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, literal
from cc_safety_net.guard.limits import WORD_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.facts import Pieces

    #: What a value may be; never empty.
    Choices: TypeAlias = tuple[Pieces, ...]
    #: The same for a variable: None stands for "not set".
    Settings: TypeAlias = tuple[Pieces | None, ...]

#: The empty text, and nothing else.
EMPTY: Choices = ((),)
#: Longer values are not followed.
TEXT_CHARACTERS = 131_072
#: Known and unknown parts of one choice.
_PIECES = 64


def text_choice(text: str) -> Choices:
    return ((text,) if text else (),)


def unknown_choice(why: str, name: str = "", *, may_be_empty: bool = True) -> Choices:
    return ((Unknown(why, name, may_be_empty=may_be_empty),),)


def merge(pieces: Iterable[str | Unknown | Glob]) -> Pieces:
    """Pieces with adjacent strings joined and empty ones dropped; two like unknowns are one."""
    out: list[str | Unknown | Glob] = []
    run: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            if piece:
                run.append(piece)
            continue
        if run:
            out.append("".join(run))
            run = []
        elif out and isinstance(piece, Unknown) and _alike(piece, out[-1]):
            continue
        out.append(piece)
    if run:
        out.append("".join(run))
    return tuple(out) if len(out) <= _PIECES else _shortened(out)


def _alike(piece: Unknown, other: str | Unknown | Glob) -> bool:
    """What grows turn by turn in a loop is as unknown as its parts."""
    return isinstance(other, Unknown) and (piece.why, piece.name, piece.origin) == (
        other.why,
        other.name,
        other.origin,
    )


def _shortened(pieces: list[str | Unknown | Glob]) -> Pieces:
    """Only the start of a choice of many pieces."""
    filled = any(isinstance(piece, str) for piece in pieces[1:])
    limit = Unknown("limit", may_be_empty=not filled)
    return (pieces[0], limit) if isinstance(pieces[0], str) else (limit,)


def concat(first: Choices, second: Choices) -> Choices:
    """Every choice of `first` followed by every choice of `second`."""
    if len(first) * len(second) > WORD_VALUES:
        return unknown_choice("limit")
    out = []
    for a in first:
        for b in second:
            joined = merge((*a, *b)) if a and b else a or b
            if size(joined) > TEXT_CHARACTERS:
                return unknown_choice("limit")
            out.append(joined)
    # With one choice on a side, different choices on the other stay different.
    return unite(out) if len(first) > 1 and len(second) > 1 else tuple(out)


def concat_all(parts: Iterable[Choices]) -> Choices:
    """All of them after one another; texts between those with several choices are put together
    once."""
    whole = EMPTY
    run: list[str | Unknown | Glob] = []
    for part in parts:
        if len(part) == 1:
            run.extend(part[0])
        else:
            whole = concat(concat(whole, (merge(run),)), part)
            run = []
    return concat(whole, (merge(run),))


def size(pieces: Pieces) -> int:
    total = 0
    for piece in pieces:
        if isinstance(piece, str):
            total += len(piece)
    return total


def unite(choices: Iterable[Pieces]) -> Choices:
    """The different ones among `choices`, in order; one unknown if they are too many."""
    seen: dict[object, Pieces] = {}
    for choice in choices:
        seen.setdefault(signature(choice), choice)
    if len(seen) > WORD_VALUES:
        return unknown_choice("limit")
    return tuple(seen.values())


def unite_settings(settings: Iterable[Pieces | None]) -> Settings:
    seen: dict[object, Pieces | None] = {}
    for choice in settings:
        seen.setdefault(None if choice is None else signature(choice), choice)
    if len(seen) > WORD_VALUES:
        return unknown_choice("limit")
    return tuple(seen.values())


def signature(choice: Pieces) -> object:
    """Equal for choices that mean the same."""
    if not choice or (len(choice) == 1 and isinstance(choice[0], str)):
        return choice
    out: list[object] = []
    for piece in choice:
        if isinstance(piece, str):
            out.append(piece)
        elif isinstance(piece, Glob):
            out.append((piece.text,))
        else:
            origin = tuple(id(execution) for execution in piece.origin)
            out.append((piece.why, piece.name, piece.may_be_empty, origin))
    return tuple(out)


def may_be_empty(choice: Pieces) -> bool:
    """The whole choice can be the empty text."""
    for piece in choice:
        if isinstance(piece, str):
            return False
        if isinstance(piece, Glob) or not piece.may_be_empty:
            return False
    return True


def filled(choice: Pieces) -> Pieces:
    """The choice, known not to be empty."""
    if len(choice) == 1 and isinstance(choice[0], Unknown) and choice[0].may_be_empty:
        old = choice[0]
        return (Unknown(old.why, old.name, may_be_empty=False, origin=old.origin),)
    return choice


def choices_of(settings: Settings) -> Choices:
    """A variable's settings as a value: what is not set is empty."""
    for choice in settings:
        if choice is None:
            return unite([c or () for c in settings])
    return settings  # type: ignore[return-value]  # no None is left in it


def known_texts(choices: Choices) -> list[str] | None:
    """All texts if every choice is known."""
    out = []
    for choice in choices:
        text = literal(choice)
        if text is None:
            return None
        out.append(text)
    return out


def only_text(choices: Choices) -> str | None:
    """The one text, None if there are several or it is not known."""
    return literal(choices[0]) if len(choices) == 1 else None


def stripped(choice: Pieces) -> list[Pieces]:
    """The choice without trailing newlines, as command substitution takes them away.

    An unknown at its end may be empty, and then the newlines before it go too.
    """
    if not choice:
        return [choice]
    last = choice[-1]
    if isinstance(last, str):
        rest = last.rstrip("\n")
        return [(*choice[:-1], rest)] if rest else stripped(choice[:-1])
    before = choice[-2] if len(choice) > 1 else ""
    ends_line = isinstance(before, str) and before.endswith("\n")
    if ends_line and isinstance(last, Unknown) and last.may_be_empty:
        return [choice, *stripped(choice[:-1])]
    return [choice]


def without_nul(choice: Pieces) -> Pieces:
    """The choice without NUL characters: the shell drops them."""
    if not any(isinstance(piece, str) and "\0" in piece for piece in choice):
        return choice
    return merge(p.replace("\0", "") if isinstance(p, str) else p for p in choice)


def word_of(choices: Choices, start: int = 0, end: int = 0) -> Word:
    return Word(choices, start, end)
