"""The ground a call stands on: home, workspace roots, temp roots and git directories in each
spelling that leads to them. Read once for a call.
"""

from __future__ import annotations

from cc_safety_net.guard.paths import is_below, is_inside, join, normalise, parent
from cc_safety_net.guard.rules.repository import repository_of
from cc_safety_net.guard.rules.system_paths import (
    HOME_CACHES,
    HOME_PARENTS,
    NO_HOMES,
    PRIVATE_TOPS,
    SYSTEM_CACHES,
    SYSTEM_TOPS,
    TEMP_ROOTS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.world import World


class Grounds:
    """homes, roots, allowed: each in its spelled and its resolved form. temps: valid temp roots.

    caches: re-creatable caches. git_dirs: real git directories of the roots and of the
    execution directory's repository, `.git` itself and what a `.git` file names.
    """

    __slots__ = ("_keys", "allowed", "caches", "git_dirs", "homes", "roots", "temps", "world")

    def __init__(self, context: Context) -> None:
        world = context.world
        place = context.place
        self.world = world
        self.homes = _forms(world, (place.home,) if place.home not in ("", "/") else ())
        self.roots = _forms(world, place.roots)
        self.allowed = _forms(world, context.allow_paths)
        self.temps = tuple(t for t in _temp_roots(context) if self._fit_for_temp(t))
        self.caches = (
            *(join(home, cache) for home in self.homes for cache in HOME_CACHES),
            *SYSTEM_CACHES,
        )
        self.git_dirs = _git_dirs(world, (*place.roots, place.directory))
        self._keys: dict[tuple[int, int], str] | None = None

    def _fit_for_temp(self, path: str) -> bool:
        """A variable that names a home, a workspace or a system folder makes no temp root."""
        if path == "/" or path in self.roots or is_system_top(path):
            return False
        return not any(is_inside(home, path) for home in self.homes)

    def is_home(self, path: str) -> bool:
        """The home, an ancestor of it, or the home of someone else."""
        if any(is_inside(home, path) for home in self.homes):
            return True
        return (
            path == "/root"
            or (parent(path) in HOME_PARENTS and path not in NO_HOMES)
            or (path in HOME_PARENTS)
        )

    def is_temp(self, path: str) -> bool:
        """Below a temp root or in a cache, whose entry holds neither home nor workspace."""
        best = ""
        for root in self.temps:
            if len(root) > len(best) and is_below(path, root):
                best = root
        for cache in self.caches:
            if len(cache) > len(best) and is_inside(path, cache):
                best = cache
        if not best:
            return _is_user_temp(path)
        if path == best:
            return not self._held(path)
        entry = best + "/" + path[len(best) + 1 :].partition("/")[0]
        return not self._held(entry)

    def _held(self, entry: str) -> bool:
        return any(is_inside(place, entry) for place in (*self.homes, *self.roots))

    def is_root(self, path: str) -> bool:
        """A workspace root or an ancestor of one."""
        return any(is_inside(root, path) for root in self.roots)

    def is_inside(self, path: str) -> bool:
        return any(is_inside(path, root) for root in (*self.roots, *self.allowed))

    def is_system(self, path: str) -> bool:
        if path in self.temps:
            return True
        if any(is_below(path, home) for home in self.homes):
            return False
        top, _, rest = path[1:].partition("/")
        if top in SYSTEM_TOPS:
            return True
        if top == "private":
            return rest.partition("/")[0] in PRIVATE_TOPS or not rest
        return path in TEMP_ROOTS

    def git_part(self, path: str) -> tuple[str, str] | None:
        """(git directory, rest below it) if `path` is in or is one, else None."""
        for directory in self.git_dirs:
            if is_inside(path, directory):
                return directory, path[len(directory) + 1 :]
        parts = path.split("/")
        for index, part in enumerate(parts):
            if part == ".git" or (part.lower() == ".git" and self._same_git(parts, index)):
                return "/".join(parts[: index + 1]), "/".join(parts[index + 1 :])
        return None

    def _same_git(self, parts: list[str], index: int) -> bool:
        """`.GIT` is `.git` where the disk ignores case."""
        above = "/".join(parts[:index])
        return _same(self.world, above + "/" + parts[index], above + "/.git")

    def same_place(self, path: str) -> str:
        """`path` with its start spelled as the home, root or git directory that it is.

        The disk may ignore case, and a directory may be mounted twice.
        """
        for key in (*self.roots, *self.homes):
            if is_inside(path, key) or not is_inside(path.lower(), key.lower()):
                continue
            if _same(self.world, path[: len(key)], key):
                return key + path[len(key) :]
        status = self.world.status(path)
        if status is None or status.kind != "directory":
            return path
        return self._directories().get((status.device, status.inode), path)

    def _directories(self) -> dict[tuple[int, int], str]:
        if self._keys is None:
            self._keys = {}
            for key in (*self.git_dirs, *self.homes, *self.roots):
                above = key
                while above not in ("", "/"):
                    found = self.world.status(above)
                    if found is not None and found.kind == "directory":
                        self._keys.setdefault((found.device, found.inode), above)
                    above = parent(above)
        return self._keys

    def landmarks(self) -> tuple[str, ...]:
        """Paths that a pattern must not take unseen."""
        return (
            *("/" + top for top in sorted(SYSTEM_TOPS)),
            *HOME_PARENTS,
            *self.homes,
            *self.roots,
            *(join(root, ".git") for root in self.roots),
            *self.git_dirs,
            *self.temps,
        )


def grounds(context: Context) -> Grounds:
    """The grounds of this call, read at the first question."""
    found = context.memo.get("grounds")
    if not isinstance(found, Grounds):
        found = Grounds(context)
        context.memo["grounds"] = found
    return found


def is_system_top(path: str) -> bool:
    """A system directory itself, not a place below one."""
    return path.count("/") == 1 and path[1:] in SYSTEM_TOPS


def _is_user_temp(path: str) -> bool:
    """Below the per-user temp and cache folders of macOS: `/var/folders/xx/yyyy/T/…`."""
    parts = path.split("/")
    if parts[1:2] == ["private"]:
        del parts[1]
    return parts[1:3] == ["var", "folders"] and len(parts) > 6 and parts[5] in ("T", "C", "0")


def _same(world: World, one: str, other: str) -> bool:
    first, second = world.status(one), world.status(other)
    return (
        first is not None
        and second is not None
        and (first.device, first.inode) == (second.device, second.inode)
    )


def _forms(world: World, paths: Iterable[str]) -> tuple[str, ...]:
    """Each path as spelled and as resolved, without doubles."""
    found: dict[str, None] = {}
    for path in paths:
        if path:
            found[normalise(path)] = None
            found[world.resolve(path)] = None
    return tuple(found)


def _temp_roots(context: Context) -> tuple[str, ...]:
    distrusted = ""
    if "TMPDIR" in context.reading.reassigned:
        distrusted = normalise(context.world.environment.get("TMPDIR", ""))
    variable = context.world.environment.get("TMPDIR", "")
    named = (variable,) if variable.startswith("/") else ()
    found = _forms(context.world, (*TEMP_ROOTS, *context.place.temps, *named))
    resolved = context.world.resolve(distrusted) if distrusted else ""
    return tuple(t for t in found if t in TEMP_ROOTS or t not in (distrusted, resolved))


def _git_dirs(world: World, starts: Sequence[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for start in starts:
        repository = repository_of(start, world)
        if repository is not None:
            if repository.root:
                found[join(repository.root, ".git")] = None
            found[repository.git] = None
            found[repository.common] = None
    for root in starts:
        # A `.git` that git does not take for a repository is still not ours to delete.
        if world.status(join(root, ".git")) is not None:
            found[join(root, ".git")] = None
    return tuple(found)
