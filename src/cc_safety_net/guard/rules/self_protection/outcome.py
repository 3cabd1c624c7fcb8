"""Does a change of a shared file leave our entry as it is, where its result can be computed?"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.rules.self_protection.documents import Unreadable, said, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import FileAccess, Word
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.self_protection.protected import Guarded

#: Claude's state file grows to some megabytes.
_BYTES = 4 * 1024 * 1024
_COPYING = frozenset(("cp", "gcp", "mv", "gmv", "install", "ginstall"))
_WRITING = frozenset(("write", "append", "truncate", "move", "delete"))


def leaves_us(guarded: Guarded, access: FileAccess, context: Context) -> bool:
    """After the change the file says of us what it says now."""
    world = context.world
    old = world.text(guarded.path, _BYTES)
    if old is None and world.exists(guarded.path):
        return False
    new = _after(guarded.path, old or "", access, context)
    if new is None or not new.strip():
        return False
    if new == old:
        return True
    context.effort.spend((len(new) + len(old or "")) // 64, "a settings file")
    try:
        before = said(guarded.form, old or "")
        after = said(guarded.form, new)
        return before == after and (not before or sound(guarded.form, new))
    except Unreadable:
        return False


def _after(path: str, old: str, access: FileAccess, context: Context) -> str | None:
    """What the file holds afterwards, None if that can't be computed."""
    if access.mode not in ("write", "append"):
        return None
    if _changes(path, context) > 1:
        return None
    written = _content(access, context)
    if written is not None:
        return old + written if access.mode == "append" else written
    if access.execution is None and access.mode == "write":
        # Tools that change a part of a file.
        from cc_safety_net.guard.tools.edits import edited

        return edited(context.call, path, old, context.place, context.effort)
    return None


def _content(access: FileAccess, context: Context) -> str | None:
    if access.content is not None:
        text = access.content.text
        if text is not None:
            return text
    if access.source is not None and not access.recursive:
        program = access.execution.program if access.execution is not None else "cp"
        if program in _COPYING:
            return _source(access.source, access, context)
    return None


def _source(word: Word, access: FileAccess, context: Context) -> str | None:
    """What a copied file holds: on disk, or as the text wrote it before."""
    if len(word.choices) != 1 or len(access.cwds) != 1:
        return None
    text, cwd = literal(word.choices[0]), access.cwds[0]
    if text is None or (cwd is None and not text.startswith("/")):
        return None
    path = normalise(join(cwd or "/", text))
    written = context.reading.written.get(path)
    if written is not None:
        return written.text
    if _changes(path, context, moved=False):
        return None
    return context.world.text(path, _BYTES)


def _changes(path: str, context: Context, *, moved: bool = True) -> int:
    """How often the call changes a file; more than once is not followed."""
    count = 0
    context.effort.spend(len(context.reading.accesses) // 8, "the paths of a command")
    for access in context.reading.accesses:
        if access.mode not in _WRITING or (access.mode == "move" and not moved):
            continue
        for choice in access.path.choices:
            text = literal(choice)
            for cwd in access.cwds:
                if text is not None and (cwd is not None or text.startswith("/")):
                    count += normalise(join(cwd or "/", text)) == path
    return count
