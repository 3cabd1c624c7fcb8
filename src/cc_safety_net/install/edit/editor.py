"""What every config editor can do, and the form of an edit.

An editor turns text into text; it knows its format and nothing about agents or files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from cc_safety_net.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Place:
    """Where our entry stands: in the list at `path`.

    nested: members of that list hold an inner list `hooks`. top: keys that the file must have.
    """

    path: tuple[str, ...]
    nested: bool = False
    top: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Splice:
    """`removed` at `offset` of the old text became `inserted`. Everything else is the same."""

    offset: int
    removed: str
    inserted: str


class Editor(Protocol):
    """One format."""

    def model(self, text: str, name: str) -> object:
        """Plain values; None for a text without any. Raises `Unreadable`."""

    def line(self, text: str, path: Sequence[str | int]) -> int:
        """The line on which the value at `path` stands, 0 if it can't be told."""

    def add(self, text: str, place: Place, entry: Mapping[str, object], name: str) -> str:
        """`text` with the entry as the last of its list; lists on the way are made."""

    def replace(self, text: str, path: Path, entry: Mapping[str, object]) -> str:
        """`text` with another value at `path`."""

    def drop(self, text: str, path: Path) -> str:
        """`text` without the value at `path`."""


def splice_between(old: str, new: str) -> Splice:
    """The one change that makes `new` of `old`."""
    limit = min(len(old), len(new))
    start = _common(old, new, limit)
    tail = _common(old[start:][::-1], new[start:][::-1], limit - start)
    return Splice(start, old[start : len(old) - tail], new[start : len(new) - tail])


def _common(left: str, right: str, limit: int) -> int:
    """Length of the common beginning; by halving, because comparing slices is fast."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def take_back(text: str, splice: Splice) -> str | None:
    """`text` without the change; None if the change is not to be found exactly once.

    The text may have changed elsewhere since: what was inserted is looked for as a whole.
    """
    end = splice.offset + len(splice.inserted)
    if not splice.inserted:
        return None
    if text[splice.offset : end] == splice.inserted:
        start = splice.offset
    elif text.count(splice.inserted) == 1:
        start = text.index(splice.inserted)
    else:
        return None
    return text[:start] + splice.removed + text[start + len(splice.inserted) :]


def at_path(model: object, path: Sequence[str | int]) -> object:
    """The value at `path`, None if there is none."""
    for key in path:
        if isinstance(model, dict):
            model = model.get(key)
        elif isinstance(model, list) and isinstance(key, int) and key < len(model):
            model = model[key]
        else:
            return None
    return model


def find_entries(
    model: object, place: Place, ours: Callable[[object], bool]
) -> list[tuple[Path, object]]:
    """Paths and values of what is ours in the list of `place`, in order.

    In a nested place that is a handler, or its whole group if nothing else is in it.
    """
    found: list[tuple[Path, object]] = []
    entries = at_path(model, place.path)
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        path: Path = (*place.path, index)
        if not place.nested:
            if ours(entry):
                found.append((path, entry))
            continue
        handlers = entry.get("hooks") if isinstance(entry, dict) else None
        if not isinstance(handlers, list) or not handlers:
            continue
        mine = [number for number, handler in enumerate(handlers) if ours(handler)]
        if len(mine) == len(handlers):
            found.append((path, entry))
        else:
            found.extend(((*path, "hooks", number), handlers[number]) for number in mine)
    return found


def require_shape(model: object, place: Place, name: str) -> None:
    """The containers on the way to our list have the kinds they must have."""
    if model is not None and not isinstance(model, dict):
        raise _wrong(name, "the whole file", "an object")
    for depth in range(1, len(place.path) + 1):
        keys = place.path[:depth]
        parent = at_path(model, keys[:-1])
        if not isinstance(parent, dict) or keys[-1] not in parent:
            return
        value = parent[keys[-1]]
        last = depth == len(place.path)
        if not isinstance(value, list if last else dict):
            raise _wrong(name, f'"{".".join(keys)}"', "a list" if last else "an object")


def _wrong(name: str, what: str, expected: str) -> Unreadable:
    return Unreadable(
        f"{name}: {what} is not {expected}",
        f"mend {what} in {name}, then run the command again",
        code="wrong_shape",
    )
