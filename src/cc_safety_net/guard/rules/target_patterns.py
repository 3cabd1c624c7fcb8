"""What a path with an open part, wildcards or unknown, can lead to below a known directory."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown
from cc_safety_net.guard.paths import is_below, join
from cc_safety_net.guard.rules import patterns
from cc_safety_net.guard.rules.targets import (
    ANY,
    GIT,
    HOME,
    INSIDE,
    OUTSIDE,
    ROOT,
    SELF,
    TEMP,
    Look,
    Target,
    judge_git,
    known_target,
    plain_kind,
    worst,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces


def patterned(directory: str, rest: list[Pieces], look: Look) -> Target:
    """A known directory and an open rest: wildcards, unknown parts, names behind them."""
    if rest == [(".",)]:
        return known_target(directory, look)
    first = rest[0]
    if any(isinstance(piece, Unknown) for piece in first):
        lead = first[0] if isinstance(first[0], str) else ""
        base = _known_start(directory, lead, look)
        if not lead:
            return base
    else:
        base = _known_start(directory, "", look)
        if all(patterns.literal_free(part) for part in rest):
            base = _everything_in(directory, look) or base
    if base.kind != TEMP and (".git",) in rest and not _may_be_cloned(look):
        # A repository's data, whichever directory the pattern takes.
        base = Target(GIT, base.path)
        base.nested = look.ground.is_inside(directory)
    found = [base, *_taken_landmarks(directory, rest, look)]
    if look.tree and base.kind in (INSIDE, OUTSIDE) and len(rest) == 1:
        found.extend(_taken_repositories(directory, first, look))
    best = worst(found)
    best.worktree = next((target.worktree for target in found if target.worktree), "")
    if best.kind == GIT and _only_locks(rest):
        best = Target(TEMP, best.path)
    return best


def _may_be_cloned(look: Look) -> bool:
    from cc_safety_net.guard.rules import repositories

    return repositories.makes_any(look.context, look.start)


def _known_start(directory: str, lead: str, look: Look) -> Target:
    """The class of any name in `directory` that begins with `lead`."""
    path = join(directory, lead + ANY)
    target = Target(plain_kind(path, look.ground), path)
    if target.kind == GIT:
        judge_git(target, look)
    return target


def _only_locks(rest: list[Pieces]) -> bool:
    last = rest[-1]
    return bool(last) and isinstance(last[-1], str) and last[-1].endswith(".lock")


def _everything_in(directory: str, look: Look) -> Target | None:
    """The class of `*` in a directory that matters as a whole; None elsewhere."""
    ground = look.ground
    if directory == "/" or is_drive(directory):
        return Target(ROOT, directory)
    if directory in ground.homes:
        return Target(HOME, directory)
    if directory in ground.roots:
        return Target(SELF, directory)
    return None


def is_drive(path: str) -> bool:
    return len(path) == 3 and path[2] == ":" and path[1].isalpha()


def _taken_landmarks(directory: str, rest: list[Pieces], look: Look) -> list[Target]:
    """The classes of the well-known paths that the pattern takes, holds or leads into."""
    found = []
    shapes = [patterns.pattern_of(part) for part in rest]
    for mark in look.ground.landmarks():
        look.context.effort.spend(len(shapes), "a pattern over well-known paths")
        if not is_below(mark, directory):
            continue
        names = mark[len(directory.rstrip("/")) + 1 :].split("/")
        count = min(len(names), len(shapes))
        if not all(_takes(shapes[i], names[i]) for i in range(count)):
            continue
        path = join(directory, "/".join(names[:count]))
        if len(shapes) > count:
            tail = shapes[count:]
            known = all("*" not in shape and "?" not in shape for shape in tail)
            path = join(path, "/".join(tail) if known else ANY)
        elif not look.tree and look.context.world.is_directory(path):
            # `rm *` leaves directories alone.
            continue
        target = Target(plain_kind(path, look.ground), path)
        if target.kind == HOME and not look.tree:
            continue
        if target.kind == GIT or (target.kind == SELF and look.tree):
            judge_git(target, look)
        found.append(target)
    return found


def _takes(shape: str, name: str) -> bool:
    if name.startswith(".") and not shape.startswith("."):
        return False
    return patterns.matches(shape, name)


def _taken_repositories(directory: str, part: Pieces, look: Look) -> list[Target]:
    """Repositories among the existing directories that the pattern takes."""
    if any(isinstance(piece, Unknown) for piece in part):
        return []
    shape = patterns.pattern_of(part)
    found = []
    for name in look.context.world.names(directory) or ():
        look.context.effort.spend(4, "the names that a pattern takes")
        path = join(directory, name)
        if _takes(shape, name) and look.context.world.is_directory(path):
            target = known_target(path, look)
            if target.kind == GIT or target.worktree:
                found.append(target)
    return found
