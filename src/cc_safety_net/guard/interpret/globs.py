"""Patterns matched against the tree on disk."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown
from cc_safety_net.guard.interpret.patterns import Pattern, escape, is_active
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine

_RESULTS = 256


def find_matches(m: Machine, pieces: Pieces, cwd: str | None = None) -> list[str] | None:
    """The paths that a pattern matches, sorted; None if part of it is unknown."""
    pattern = []
    for piece in pieces:
        if isinstance(piece, Unknown):
            return None
        pattern.append(piece.text if isinstance(piece, Glob) else escape(piece))
    text = "".join(pattern)
    absolute = text.startswith("/")
    if not absolute and cwd is None:
        return None
    found = ["/"] if absolute else [""]
    for component in text.split("/"):
        if not component or not found:
            continue
        found = _step(m, cwd or "/", found, component)
        if len(found) > _RESULTS:
            return None
    return sorted(found)


def _step(m: Machine, cwd: str, bases: list[str], component: str) -> list[str]:
    out = []
    if not is_active(component) and "(" not in component:
        name = component.replace("\\", "")
        for base in bases:
            path = _joined(base, name)
            if m.world.status(join(cwd, path)) is not None:
                out.append(path)
        return out
    pattern = Pattern(component)
    hidden = component.startswith((".", "\\."))
    for base in bases:
        for name in m.world.names(join(cwd, base) or cwd) or ():
            m.effort.spend(1, "a pattern of names")
            if (hidden or not name.startswith(".")) and pattern.matches(name, m.effort):
                out.append(_joined(base, name))
    return out


def _joined(base: str, name: str) -> str:
    if not base or base.endswith("/"):
        return base + name
    return base + "/" + name
