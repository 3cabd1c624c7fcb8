"""Which path is one of ours: the guard's directories, the agents' files, what lies below a path.

Names are compared as spelled; without case where the disk that holds the home ignores it.
"""

from __future__ import annotations

from cc_safety_net.guard.limits import SNIFF_BYTES
from cc_safety_net.guard.paths import basename, is_below, is_inside, join, normalise, parent
from cc_safety_net.guard.rules.patterns import matches
from cc_safety_net.guard.rules.self_protection import agent_files as tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.world import World

    #: A pattern cut at its slashes, with the agent and the form of what it stands for.
    Entry = tuple[tuple[str, ...], str, str]

HOOK = "self.hook-file"
#: The npm edition's directory in the home, and a project's own in any directory.
_PROJECT = ".cc-safety-net"
#: Folders of the system that hold more than an agent's files.
_SHARED = frozenset(("/", "/etc", "/library", "/library/application support"))
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/opt", "/System", "/Library", "/nix")
_LISTED = 200


class Guarded:
    """What a path is: the rule that protects it, the agent it belongs to, its form.

    path: as it was found. form: "" for our own directories.
    """

    __slots__ = ("agent", "form", "path", "rule")

    def __init__(self, rule: str, path: str, agent: str = "", form: str = "") -> None:
        self.rule = rule
        self.path = path
        self.agent = agent
        self.form = form


class Protected:
    """The protected paths of one call."""

    def __init__(self, context: Context) -> None:
        world = context.world
        self._world = world
        self._effort = context.effort
        self._roots = context.place.roots or (context.place.directory,)
        self._fold: bool | None = None
        self._interpreter: str | None = None
        self._ours = tuple(
            (form, rule)
            for path, rule in (
                (join(world.state, "logs"), "self.audit-log"),
                (world.state, "self.state"),
                (world.config, "self.policy"),
                (world.data, "self.runtime"),
                (join(world.home, _PROJECT), "self.policy"),
            )
            for form in _forms(world, path)
        )
        self._bases = _bases(world)
        self._project = _entries(tables.PROJECT_FILES)

    def match(self, path: str) -> Guarded | None:
        """What a normalised path itself is."""
        self._effort.spend(20, "the guard's own files")
        for directory, rule in self._ours:
            if self._inside(path, directory):
                return Guarded(rule, path)
        parts = path.split("/")
        if self._among(_PROJECT, parts):
            return Guarded("self.project-policy", path)
        for base, entries in self._bases:
            if self._inside(path, base):
                entry = self._entry(path[len(base) :].strip("/").split("/"), entries)
                if entry is not None:
                    return Guarded(HOOK, path, entry[1], entry[2])
        return self._in_project(path, parts) or self._elsewhere(path, parts)

    def _in_project(self, path: str, parts: Sequence[str]) -> Guarded | None:
        if not any(is_below(path, root) for root in self._roots):
            return None
        for start in range(1, len(parts)):
            entry = self._entry(parts[start:], self._project)
            if entry is not None:
                return Guarded(HOOK, path, entry[1], entry[2])
        return None

    def _elsewhere(self, path: str, parts: Sequence[str]) -> Guarded | None:
        """Amp's plugin in a clone of the person's repository; the interpreter that runs us."""
        for index, part in enumerate(parts):
            if part.startswith("cc-safety-net") and index > 1:
                clone = "/".join(parts[:index])
                config = self._world.text(join(clone, ".git/config"), SNIFF_BYTES) or ""
                if "amp git-credential-helper" in config or "ampcode.com" in config:
                    return Guarded(HOOK, path, "amp", tables.OURS)
        if "python" in basename(path) and path in (
            self.interpreter(),
            self._world.resolve(self.interpreter() or "/"),
        ):
            return Guarded("self.runtime", path)
        return None

    def below(self, path: str) -> Guarded | None:
        """What lies below a directory that is taken away or replaced as a whole.

        The home and what is above it are left to other rules.
        """
        if self._inside(self._world.home, path):
            return None
        for directory, rule in self._ours:
            if self._inside(directory, path):
                return Guarded(rule, directory)
        for base, entries in self._bases:
            if self._inside(base, path) and path.lower() not in _SHARED:
                if not base.startswith("/etc/") and not base.startswith("/Library/"):
                    return Guarded(HOOK, base, entries[0][1])
                found = next(self._existing(base, entries, path), None)
                if found is not None:
                    return found
            elif self._inside(path, base):
                found = next(self._existing(base, entries, path), None)
                if found is not None:
                    return found
        for root in self._roots:
            if is_below(path, root):
                found = next(self._existing(root, self._project, path), None)
                if found is not None:
                    return found
        interpreter = self.interpreter()
        if interpreter and is_below(interpreter, path):
            return Guarded("self.runtime", interpreter)
        return None

    def inside(self, path: str) -> Iterator[tuple[str, Guarded]]:
        """(path below a directory, what it is) for all that could be put into it."""
        for directory, rule in self._ours:
            if self._inside(directory, path):
                yield directory[len(path) :].strip("/"), Guarded(rule, directory)
        groups = [*self._bases, *((root, self._project) for root in self._roots)]
        for base, entries in groups:
            for pattern, agent, form in entries:
                whole = [*base.strip("/").split("/"), *(p for p in pattern if p != "**")]
                above = path.strip("/").split("/") if path != "/" else []
                if len(whole) > len(above) and self._leads(above, whole):
                    yield (
                        "/".join(whole[len(above) :]),
                        Guarded(HOOK, "/" + "/".join(whole), agent, form),
                    )
        # A copy of the whole project elsewhere takes its policy with it.
        if any(is_inside(path, root) for root in self._roots):
            yield _PROJECT, Guarded("self.project-policy", join(path, _PROJECT))

    def is_folder(self, path: str) -> bool:
        """A directory that holds files of ours or of an agent directly, and is no one's alone."""
        if path in self._roots or path == "/":
            return False
        for directory, _ in self._ours:
            if path == parent(directory):
                return True
        for base, entries in self._bases:
            for pattern, _, _ in entries:
                folder = [*base.strip("/").split("/"), *(p for p in pattern if p != "**")][:-1]
                above = path.strip("/").split("/")
                if len(folder) == len(above) and self._leads(above, folder):
                    return True
        return any(
            is_below(path, root) and self._is_project_folder(path, root) for root in self._roots
        )

    def _is_project_folder(self, path: str, root: str) -> bool:
        parts = path[len(root) :].strip("/").split("/")
        return any(
            len(pattern) > 1 and len(parts) == len(pattern) - 1 and self._leads(parts, pattern)
            for pattern, _, _ in self._project
        )

    def candidates(self, *, new: bool = False) -> Iterator[Guarded]:
        """Every path for patterns to be compared with; of names with a star those that are there.

        new: the names with a star themselves too.
        """
        for directory, rule in self._ours:
            yield Guarded(rule, directory)
        for root in self._roots:
            yield Guarded("self.project-policy", join(root, _PROJECT))
        for base, entries in (*self._bases, *((root, self._project) for root in self._roots)):
            for pattern, agent, form in entries:
                names = [p for p in pattern if p != "**"]
                if new or "*" not in "".join(names):
                    yield Guarded(HOOK, join(base, "/".join(names)), agent, form)
                else:
                    for path in _expand(self._world, base, names):
                        yield Guarded(HOOK, path, agent, form)

    def interpreter(self) -> str:
        """The recorded interpreter, "" if it is the system's or unknown."""
        if self._interpreter is None:
            self._interpreter = _recorded(self._world)
        return self._interpreter

    def _existing(self, base: str, entries: Sequence[Entry], path: str) -> Iterator[Guarded]:
        for pattern, agent, form in entries:
            names = [p for p in pattern if p != "**"]
            for found in _expand(self._world, base, names):
                self._effort.spend(2, "the guard's own files")
                if self._inside(found, path):
                    yield Guarded(HOOK, found, agent, form)

    def _entry(self, parts: Sequence[str], entries: Sequence[Entry]) -> Entry | None:
        for entry in entries:
            pattern = entry[0]
            if pattern[-1] == "**":
                if len(parts) >= len(pattern) - 1 and self._leads(pattern[:-1], parts):
                    return entry
            elif len(parts) == len(pattern) and self._leads(pattern, parts):
                return entry
        return None

    def _leads(self, first: Sequence[str], second: Sequence[str]) -> bool:
        """The components of `first` are the first ones of `second`; either may hold `*`."""
        return all(self._same(a, b) for a, b in zip(first, second, strict=False))

    def _same(self, one: str, other: str) -> bool:
        if one == other:
            return True
        if "*" in one or "*" in other:
            pattern, name = (one, other) if "*" in one else (other, one)
            return matches(pattern, name, fold=self._folds(pattern, name))
        return one.lower() == other.lower() and self._ignores_case()

    def _folds(self, pattern: str, name: str) -> bool:
        return (
            not matches(pattern, name)
            and matches(pattern, name, fold=True)
            and (self._ignores_case())
        )

    def _among(self, name: str, parts: Sequence[str]) -> bool:
        return name in parts or (name in [part.lower() for part in parts] and self._ignores_case())

    def _inside(self, path: str, directory: str) -> bool:
        if is_inside(path, directory):
            return True
        return is_inside(path.lower(), directory.lower()) and self._ignores_case()

    def _ignores_case(self) -> bool:
        if self._fold is None:
            home = self._world.home
            one, other = self._world.status(home), self._world.status(home.swapcase())
            self._fold = (
                one is not None
                and other is not None
                and (one.device, one.inode) == (other.device, other.inode)
            )
        return self._fold


def protected(context: Context) -> Protected:
    """The protected paths of a call, made once."""
    found: Protected | None = context.memo.get("self-protected")
    if found is None:
        found = context.memo["self-protected"] = Protected(context)
    return found


def _forms(world: World, path: str) -> tuple[str, ...]:
    """A path as text and as resolved."""
    path = normalise(path)
    resolved = world.resolve(path)
    return (path,) if resolved == path else (path, resolved)


def _entries(files: Sequence[tuple[str, str, str]]) -> tuple[Entry, ...]:
    return tuple((tuple(pattern.split("/")), agent, form) for agent, pattern, form in files)


def _bases(world: World) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
    """Directory -> the entries below it, for every home of every agent."""
    out: list[tuple[str, tuple[Entry, ...]]] = []
    entries = _entries(tables.HOME_FILES)
    for agent in tables.HOMES:
        own = tuple(entry for entry in entries if entry[1] == agent)
        for home in homes(agent, world):
            out.extend((form, own) for form in _forms(world, home))
    out.append((world.home, _entries(tables.USER_FILES)))
    for agent, path, kind in tables.SYSTEM_FILES:
        names = path.split("/")
        depth = 4 if names[1] == "Library" else 3
        out.append(("/".join(names[:depth]), ((tuple(names[depth:]), agent, kind),)))
    for agent, variable, kind in tables.FILE_VARIABLES:
        value = world.environment.get(variable, "")
        if value.startswith("/"):
            path = normalise(value)
            out.append((parent(path), (((basename(path),), agent, kind),)))
    return tuple(out)


def homes(agent: str, world: World) -> list[str]:
    """The directories in which an agent may keep its files on this machine."""
    default, moved = tables.HOMES[agent]
    found = [normalise(join(world.home, default))]
    for variable, rest in moved:
        value = world.environment.get(variable, "")
        if value.startswith("/"):
            found.append(normalise(join(value, rest)))
    return found


def _expand(world: World, base: str, names: Sequence[str]) -> Iterator[str]:
    """The paths that are there for a pattern."""
    if not names:
        if world.exists(base):
            yield base
        return
    first = names[0]
    if "*" not in first:
        path = join(base, first)
        if len(names) == 1 or world.is_directory(path):
            yield from _expand(world, path, names[1:])
        return
    for name in world.names(base, _LISTED) or ():
        if matches(first, name):
            yield from _expand(world, join(base, name), names[1:])


def _recorded(world: World) -> str:
    from cc_safety_net.guard.json_text import JsonError, decode_json

    text = world.text(join(world.data, "current/manifest.json"), SNIFF_BYTES)
    if text is None:
        return ""
    try:
        interpreter = decode_json(text)["interpreter"]["path"]
    except (JsonError, KeyError, TypeError):
        return ""
    if not isinstance(interpreter, str) or interpreter.startswith(_SYSTEM):
        return ""
    return normalise(interpreter)
