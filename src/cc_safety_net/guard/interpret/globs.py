"""Patterns matched against the tree on disk."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown
from cc_safety_net.guard.interpret.patterns import Pattern, escape, is_active
from cc_safety_net.guard.limits import DIRECTORY_ENTRIES
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.world import World

_RESULTS = 256
#: Results of a search that are followed.
_FEW = 12
_FOUND = 32
_NOT_INTO = frozenset((".git", "node_modules"))


def find_matches(m: Machine, pieces: Pieces, cwd: str | None = None) -> list[str] | None:
    """The paths that a pattern matches, sorted; None if part of it is unknown."""
    pattern = []
    for piece in pieces:
        if isinstance(piece, Unknown):
            return None
        pattern.append(_pattern_of(piece))
    text = "".join(pattern)
    absolute = text.startswith("/")
    if not absolute and cwd is None:
        return None
    world = m.present()
    found = ["/"] if absolute else [""]
    for component in text.split("/"):
        if not component or not found:
            continue
        found = _step(m, world, cwd or "/", found, component)
        if len(found) > _RESULTS:
            return None
    return sorted(found)


def find_found(m: Machine, pieces: Pieces, cwd: str) -> tuple[list[str], bool]:
    """(paths of files that a search may have found by this name, whether they are all of them).

    Of names that are not known only files that the text wrote are looked at, and those of a folder
    with few.
    """
    head = pieces[0] if isinstance(pieces[0], str) else ""
    named = isinstance(pieces[-1], Glob) or (len(pieces) > 1 and isinstance(pieces[-1], str))
    base = normalise(join(cwd, head or "."))
    start = head.rstrip("/") + "//" if head else ""
    texts = ["*" if isinstance(p, Unknown) else _pattern_of(p) for p in pieces]
    pattern = Pattern("".join(texts), m.effort)
    below = base.rstrip("/") + "/"
    found: list[str] = []
    complete = named
    paths = [path for path in m.files if path.startswith(below)]
    if named or (head and base != normalise(cwd)):
        on_disk = _below(m, base)
        complete = on_disk is not None
        if named or len(on_disk or ()) <= _FEW:
            paths += on_disk or ()
    for path in dict.fromkeys(paths):
        m.effort.spend(2, "a search")
        if pattern.matches(start + path[len(below) :], m.effort):
            found.append(path)
    return found[:_FOUND], complete and len(found) <= _FOUND


def _below(m: Machine, base: str) -> list[str] | None:
    """The files below a directory; None if they are too many to be looked at."""
    found: list[str] = []
    folders = [base]
    for folder in folders:
        names = m.world.names(folder)
        if names is None:
            continue
        m.effort.spend(len(names), "a search")
        if len(found) + len(folders) + len(names) > DIRECTORY_ENTRIES:
            return None
        for name in names:
            path = folder.rstrip("/") + "/" + name
            status = m.world.status(path)
            if status is None or name in _NOT_INTO:
                continue
            (folders if status.kind == "directory" else found).append(path)
    return found


def _pattern_of(piece: str | Glob) -> str:
    return piece.text if isinstance(piece, Glob) else escape(piece)


def _step(m: Machine, world: World, cwd: str, bases: list[str], component: str) -> list[str]:
    out = []
    if not is_active(component) and "(" not in component:
        name = component.replace("\\", "")
        for base in bases:
            path = _joined(base, name)
            if world.status(join(cwd, path)) is not None:
                out.append(path)
        return out
    pattern = Pattern(component, m.effort)
    hidden = component.startswith((".", "\\."))
    for base in bases:
        for name in world.names(join(cwd, base) or cwd) or ():
            m.effort.spend(1, "a pattern of names")
            if (hidden or not name.startswith(".")) and pattern.matches(name, m.effort):
                out.append(_joined(base, name))
    return out


def _joined(base: str, name: str) -> str:
    if not base or base.endswith("/"):
        return base + name
    return base + "/" + name
