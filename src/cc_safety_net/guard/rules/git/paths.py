"""Operands of checkout and restore: path or revision, conflicted or not, and how to keep them."""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.rules.git.invocation import is_literal, is_magic
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.rules.git.invocation import Invocation
    from cc_safety_net.guard.rules.git.options import Argument

_PSEUDO_REFS = frozenset(
    ("HEAD", "@", "-", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD")
)
_HEX = frozenset("0123456789abcdef")
_REF_PLACES = ("refs/heads/", "refs/tags/", "refs/remotes/", "refs/")


def is_path(call: Invocation, argument: Argument) -> bool:
    """A single operand of `checkout` that git takes as a path."""
    text = argument.text
    if text is None:
        return argument.prefix.startswith(("./", "../", "/", ":"))
    if argument.pattern or any(sign in text for sign in ("*", "?", "[")):
        return True
    if text in (".", "..") or text.startswith(("./", "../", "/")) or text.endswith("/"):
        return True
    if is_magic(text):
        return True
    if not text or not call.local or names_commit(call, text):
        return False
    world = call.context.world
    return any(
        directory is not None and world.status(normalise(join(directory, text))) is not None
        for directory in call.directories()
    )


def names_commit(call: Invocation, text: str) -> bool:
    """The text is a revision: a pseudo-ref, a branch, a tag, a remote branch, or a longer id."""
    base = text
    for sign in ("~", "^", "@{", ":"):
        base = base.partition(sign)[0] if not base.startswith(sign) else base
    if base in _PSEUDO_REFS or text.startswith("@{"):
        return True
    if len(base) >= 7 and not set(base.lower()) - _HEX:
        return True
    repository = call.repository()
    if repository is None:
        return False
    world = call.context.world
    return (base.startswith("refs/") and repository.exists(base, world)) or any(
        repository.exists(place + base, world) for place in _REF_PLACES
    )


def only_conflicted(call: Invocation, paths: Sequence[Argument]) -> bool:
    """The paths are named files that still hold conflict markers: their sides are in the index."""
    if not paths or not call.local:
        return False
    for path in paths:
        full = call.path(path) if is_literal(path) else None
        data = call.context.world.read(full, limits.SNIFF_BYTES) if full is not None else None
        if data is None or not _has_markers(data):
            return False
    return True


def _has_markers(data: bytes) -> bool:
    data = b"\n" + data
    return b"\n<<<<<<< " in data and b"\n>>>>>>> " in data


def saving(call: Invocation, revision: Argument | None, paths: Sequence[Argument]) -> str:
    """A command that gets at the other version, or puts the edits aside, and loses nothing."""
    git = " ".join(["git", *call.globals])
    named = [quote(path.text) for path in paths if path.text]
    if revision is not None and revision.text:
        if len(paths) == 1 and is_literal(paths[0]) and not (paths[0].text or "").startswith("/"):
            return f"{git} show {quote(f'{revision.text}:./{paths[0].text}')}"
        return f"{git} diff {quote(revision.text)} -- {' '.join(named) or '.'}"
    return f"{git} stash push -- {' '.join(named) or '.'}"
