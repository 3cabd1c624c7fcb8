"""Path patterns of a policy: `*` inside one component, `**` across, everything below included."""

from __future__ import annotations

from cc_safety_net.guard.paths import is_inside, normalise


def expand(pattern: str, home: str, root: str = "") -> str:
    """The absolute form of a pattern: `~` filled in, relative ones below `root` (project scope).

    "" if it is relative and there is no root.
    """
    if pattern == "~" or pattern.startswith("~/"):
        pattern = home + pattern[1:]
    elif not pattern.startswith("/"):
        if not root:
            return ""
        pattern = root + "/" + pattern
    return normalise(pattern)


def matches(pattern: str, path: str) -> bool:
    """The absolute pattern stands for `path` or a directory above it."""
    return _match(_parts(pattern), _parts(path), partly=False)


def may_hold(pattern: str, directory: str) -> bool:
    """Something that the pattern stands for may lie in `directory` or below it, or is above it."""
    return _match(_parts(pattern), _parts(directory), partly=True)


def is_literal(pattern: str) -> bool:
    return "*" not in pattern


def fixed_part(pattern: str) -> str:
    """The components before the first wildcard, as a path."""
    kept: list[str] = []
    for part in _parts(pattern):
        if "*" in part:
            break
        kept.append(part)
    return "/" + "/".join(kept)


def literal_inside(pattern: str, directory: str) -> bool:
    """All that the pattern stands for lies in `directory`."""
    return is_inside(fixed_part(pattern), directory)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _match(pattern: list[str], path: list[str], *, partly: bool) -> bool:
    """Component by component; `positions` are the places in the pattern reached so far."""
    positions = _skip(pattern, {0})
    for part in path:
        if len(pattern) in positions:
            return True
        following = set()
        for position in positions:
            if position >= len(pattern):
                continue
            if pattern[position] == "**":
                following.add(position)
            elif component_matches(pattern[position], part):
                following.add(position + 1)
        positions = _skip(pattern, following)
        if not positions:
            return False
    if partly:
        return bool(positions)
    # `dir/**` stands for what is below `dir`, not for `dir` itself.
    return len(pattern) in positions and pattern[-1:] != ["**"]


def _skip(pattern: list[str], positions: set[int]) -> set[int]:
    """`**` may stand for nothing."""
    out = set(positions)
    for position in positions:
        here = position
        while here < len(pattern) and pattern[here] == "**":
            here += 1
            out.add(here)
    return out


def component_matches(pattern: str, name: str) -> bool:
    """`*` stands for any text within the component."""
    pieces = pattern.split("*")
    if len(pieces) == 1:
        return pattern == name
    if not name.startswith(pieces[0]):
        return False
    at = len(pieces[0])
    for piece in pieces[1:-1]:
        found = name.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    last = pieces[-1]
    return len(name) - at >= len(last) and name.endswith(last)
