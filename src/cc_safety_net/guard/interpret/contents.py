"""What files hold: those that the text wrote, and small ones on disk."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Execution, Unknown, Word
from cc_safety_net.guard.interpret.values import (
    concat,
    signature,
    size,
    text_choice,
    unite,
    unknown_choice,
    word_of,
)
from cc_safety_net.guard.limits import SNIFF_BYTES, WORD_VALUES
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices

_FILES = 256
_NONE: dict[object, Pieces] = {}


def paths_of(cwds: Sequence[str | None], path: Word) -> list[str] | None:
    """Where `path` may lie; None if part of it is unknown."""
    texts = path.texts
    if texts is None:
        return None
    out = []
    for text in texts:
        for cwd in cwds:
            if cwd is None and not text.startswith("/"):
                return None
            out.append(normalise(join(cwd or "/", text)))
    return list(dict.fromkeys(out))


def contents_of(
    m: Machine, cwds: Sequence[str | None], path: Word
) -> tuple[Choices | None, tuple[Execution, ...]]:
    """(what the file holds, None if that can't be known; executions it comes from)."""
    for choice in path.choices:
        if len(choice) == 1 and isinstance(choice[0], Unknown) and choice[0] in m.substituted:
            return m.substituted[choice[0]], choice[0].origin
    paths = paths_of(cwds, path)
    if paths is None:
        return None, ()
    out: list[tuple[object, ...]] = []
    origin: list[Execution] = []
    for one in paths:
        choices = content_at(m, one)
        if choices is None:
            return None, ()
        out.extend(choices)
        for choice in choices:
            for piece in choice:
                if isinstance(piece, Unknown):
                    origin.extend(piece.origin)
    return (unite(out) if out else None), tuple(origin)  # type: ignore[arg-type]  # pieces


def content_at(m: Machine, path: str) -> Choices | None:
    """What the file at a normalised path holds."""
    if path in m.files:
        return m.files[path]
    if path == "/dev/null":
        return ((),)
    if path in m.descriptors:
        return m.descriptors[path].choices
    if path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        return m.input.choices if m.input is not None else None
    text = m.world.text(path, SNIFF_BYTES)
    return None if text is None else text_choice(text)


def write(
    m: Machine, cwds: Sequence[str | None], path: Word, content: Choices, *, append: bool
) -> None:
    """Note that a file now holds `content`."""
    # Only a command that writes a file needs it.
    from cc_safety_net.guard.interpret.startup import is_run_later, run_later

    paths = paths_of(cwds, path)
    if paths is None or len(m.files) >= _FILES:
        return
    for one in paths:
        m.effort.spend(4 + len(content), "what a file holds")
        if one.startswith("/dev/") and not one.startswith("/dev/shm/"):  # noqa: S108 - a rule
            continue
        new = content
        if append:
            held = content_at(m, one) or ((),)
            m.effort.spend(size(held[0]) // 1024, "what a file holds")
            new = concat(held, content)
        if len(paths) > 1 or not m.certain:
            new = _also(m, one, new)
        m.files[one] = new
        m.reading.written[one] = word_of(new)
        fill_content(m, one, cwds, new)
        if is_run_later(one):
            run_later(m, one, content)


def _also(m: Machine, path: str, new: Choices) -> Choices:
    """`new`, or what the file may have held; what that is remembered, so that it need not be
    compared with itself each time."""
    before = m.files.get(path, ())
    held, seen = m.held.get(path, (None, _NONE))
    if held is not before:
        seen = {signature(choice): choice for choice in before}
    seen = {**{signature(choice): choice for choice in new}, **seen}
    if len(seen) > WORD_VALUES:
        seen = {signature(choice): choice for choice in unknown_choice("limit")}
    found = tuple(seen.values())
    m.held[path] = (found, seen)
    return found


def fill_content(m: Machine, path: str, cwds: Sequence[str | None], content: Choices) -> None:
    """Tell the access that was already found for this write what it writes."""
    for access in reversed(m.reading.accesses[-8:]):
        if access.mode in ("write", "append") and access.content is None:
            found = paths_of(access.cwds, access.path)
            if found is not None and path in found:
                access.content = word_of(content)
                return
    del cwds
