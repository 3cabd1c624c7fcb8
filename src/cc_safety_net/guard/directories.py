"""Stage 2: where a call runs, which roots are its workspace, and whether it may run there."""

from __future__ import annotations

from cc_safety_net.guard.paths import is_below, is_inside, join, normalise, parent
from cc_safety_net.guard.place import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.world import World

#: The system's temp directories and their twins on macOS; `$TMPDIR` comes beside them.
TEMPS = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp")  # noqa: S108 - a table
SYSTEM = (
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/var",
    "/System",
    "/Library",
    "/Applications",
)
#: System directories below which projects live.
_PROJECTS = ("/opt", "/srv", "/var/www", "/usr/src", "/usr/local/src")
_HOMES = ("/home", "/Users")
_WINDOWS_NAMESPACE = ("\\\\?\\", "\\\\.\\", "//?/", "//./", "\\??\\")


class Unfit(Exception):
    """The call may not run where it wants to.

    rule: `guard.directory-unusable`, `guard.directory-outside-root`. path: the directory.
    why: one sentence. instead: a command that works, or what to do.
    """

    def __init__(self, rule: str, path: str, why: str, instead: str) -> None:
        super().__init__(why)
        self.rule = rule
        self.path = path
        self.why = why
        self.instead = instead


def find_place(call: ToolCall, world: World) -> Place:
    """The place of a call; Unfit if it has no usable directory or leaves its container."""
    named = _named(call, world)
    directory = _usable(named, call, world)
    if call.contained:
        _contain(directory, call, world)
    temps = temp_roots(world)
    return Place(directory, _roots(call, directory, world, temps), world.home, temps)


def _named(call: ToolCall, world: World) -> str:
    """The directory that the call, the payload, the agent's variable or the process names."""
    base = call.session_directory or (call.workspaces[0] if call.workspaces else world.directory)
    if call.directory.startswith(_WINDOWS_NAMESPACE):
        return call.directory
    if call.directory.strip():
        return join(base, call.directory)
    return base


def _usable(named: str, call: ToolCall, world: World) -> str:
    """The absolute form of an existing, readable, searchable directory."""
    if named.startswith(_WINDOWS_NAMESPACE):
        raise Unfit(
            "guard.directory-unusable",
            named,
            f"{named} is a path of the Windows object namespace",
            "Use an ordinary absolute path.",
        )
    why = unusable(named, world)
    if not why:
        # Only `..` behind a link makes the text differ from what the kernel does.
        return world.resolve(named) if ".." in named.split("/") else normalise(named)
    way_out = _way_out(call, world)
    if way_out:
        return way_out
    existing = _existing(named, call, world)
    raise Unfit(
        "guard.directory-unusable",
        named,
        f"the directory {named or '(none)'} {why}",
        f"cd {existing}",
    )


def unusable(path: str, world: World) -> str:
    """Why nothing can run in `path`; "" if it can."""
    if not path.startswith("/"):
        return "is no absolute path" if path else "is not known"
    kind = world.kind(path)
    if not kind:
        return "does not exist"
    if kind != "directory":
        return "is no directory"
    # A look at `.` needs the search permission, a listing the read permission.
    if world.status(path.rstrip("/") + "/.") is None:
        return "can't be entered"
    if world.names(path, 1) is None:
        return "can't be read"
    return ""


def _way_out(call: ToolCall, world: World) -> str:
    """The target of a plain `cd /existing` at the start of the command; "" if there is none.

    A shell whose directory was deleted would otherwise be stuck for good.
    """
    first = plain_cd(call.command or "")
    return normalise(first) if first and not unusable(first, world) else ""


def plain_cd(command: str) -> str:
    """The absolute operand of a `cd` that a command begins with, "" if it begins otherwise."""
    text = command.strip()
    end = len(text)
    for separator in ("&&", ";", "\n"):
        found = text.find(separator)
        if 0 <= found < end:
            end = found
    words = text[:end].split(None, 1)
    if len(words) != 2 or words[0] != "cd":
        return ""
    path = words[1].strip()
    if len(path) > 2 and path[0] == path[-1] and path[0] in "'\"":
        path = path[1:-1]
    elif " " in path or "\t" in path:
        return ""
    special = set("\\$`\"'*?[]{}|&<>()~;#!")
    return path if path.startswith("/") and special.isdisjoint(path) else ""


def _existing(named: str, call: ToolCall, world: World) -> str:
    """A directory that exists, to go to: a workspace, else the nearest ancestor."""
    for workspace in call.workspaces:
        if not unusable(workspace, world):
            return workspace
    path = normalise(named) if named.startswith("/") else world.home or "/"
    while path != "/" and unusable(path, world):
        path = parent(path)
    return path


def _contain(directory: str, call: ToolCall, world: World) -> None:
    """The execution directory must lie inside a workspace, by its resolved form."""
    containers = call.workspaces if call.rooted else (call.session_directory,)
    resolved = world.resolve(directory)
    usable = [c for c in containers if c.strip() and not unusable(c, world)]
    if any(is_inside(resolved, world.resolve(container)) for container in usable):
        return
    names = ", ".join(normalise(container) for container in usable)
    raise Unfit(
        "guard.directory-outside-root",
        directory,
        f"{directory} lies outside the workspace {names}"
        if usable
        else "the workspace of this call can't be resolved",
        f"cd {normalise(usable[0])}" if usable else "Restart the agent in an existing directory.",
    )


def _roots(call: ToolCall, directory: str, world: World, temps: Sequence[str]) -> tuple[str, ...]:
    """Workspace roots in order, resolved forms after them; () if nothing may be one."""
    named = [normalise(w) for w in call.workspaces if w.startswith("/")]
    if not call.rooted and (call.directory or call.session_directory):
        named = [root for root in named if is_inside(directory, root)]
    for candidates in (named, _repository(directory, world), (directory,)):
        kept = [root for root in candidates if not never_workspace(root, world, temps)]
        if kept:
            resolved = [world.resolve(root) for root in kept]
            return tuple(dict.fromkeys((*kept, *resolved)))
    return ()


def _repository(directory: str, world: World) -> tuple[str, ...]:
    """The nearest ancestor that holds `.git`, a directory or a file."""
    path = directory
    while True:
        if world.status(path.rstrip("/") + "/.git") is not None:
            return (path,)
        if path == "/":
            return ()
        path = parent(path)


def never_workspace(path: str, world: World, temps: Iterable[str]) -> bool:
    """`path` may not be a root, by its spelling or by what it resolves to."""
    return _never(path, world, temps) or _never(world.resolve(path), world, temps)


def _never(path: str, world: World, temps: Iterable[str]) -> bool:
    home = world.home
    if path == "/" or (home and is_inside(home, path)):
        return True
    if any(is_inside(path, ours) for ours in (world.config, world.state, world.data)):
        return True
    if home and is_below(path, home):
        return False
    if parent(path) in _HOMES or path in _HOMES:
        return True
    for temp in temps:
        if path == temp:
            return True
        if is_below(path, temp):
            return False
    if any(is_below(path, place) for place in _PROJECTS):
        return False
    return any(is_inside(path, place) for place in SYSTEM)


def temp_roots(world: World) -> tuple[str, ...]:
    """Temp roots of this machine, normalised and resolved.

    `$TMPDIR` counts unless it names the home, a system directory or something above one: it is
    the environment of an agent, and a repository may have set it.
    """
    named = list(TEMPS)
    own = world.environment.get("TMPDIR", "")
    if own.startswith("/") and _may_be_temp(normalise(own), world):
        named.append(normalise(own))
    resolved = [world.resolve(path) for path in named if world.status(path) is not None]
    return tuple(dict.fromkeys((*named, *(r for r in resolved if _may_be_temp(r, world)))))


def _may_be_temp(path: str, world: World) -> bool:
    if path == "/" or (world.home and is_inside(world.home, path)) or path in _HOMES:
        return False
    if path in SYSTEM:
        return False
    for place in SYSTEM:
        if place not in ("/var", "/run", "/dev") and is_below(path, place):
            return bool(world.home) and is_below(path, world.home)
    return True
