"""Target classes: what kind of place a path that is deleted, moved or changed leads to.

Specification of the guard, section 4. Text and disk are both asked, the worse answer counts.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, shown
from cc_safety_net.guard.paths import basename, is_below, is_inside, join, normalise, parent
from cc_safety_net.guard.rules import patterns
from cc_safety_net.guard.rules.grounds import grounds
from cc_safety_net.guard.rules.system_paths import (
    OUTPUT_NAMES,
    REBUILDABLE,
    REBUILDABLE_MARKS,
    SYSTEM_DIRECTORIES,
    SYSTEM_TOPS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import FileAccess, Pieces
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.grounds import Grounds

ROOT = "root"
HOME = "home"
TEMP = "temp"
GIT = "git-metadata"
SELF = "workspace-self"
INSIDE = "inside"
SYSTEM = "system"
OUTSIDE = "outside"
UNKNOWN = "unknown"
NOTHING = "nothing"

#: From harmless to worst.
_SEVERITY = {
    NOTHING: 0,
    TEMP: 1,
    INSIDE: 2,
    UNKNOWN: 3,
    OUTSIDE: 4,
    SYSTEM: 5,
    SELF: 6,
    GIT: 7,
    HOME: 8,
    ROOT: 9,
}
_REASONS = {
    ROOT: "{path} is the root of the file system",
    HOME: "{path} is a home directory, or holds one",
    GIT: "{path} is git's own data",
    SELF: "{path} is the workspace itself, or holds it",
    SYSTEM: "{path} belongs to the operating system",
    OUTSIDE: "{path} lies outside the workspace",
    UNKNOWN: "{path} is known only when it runs",
    INSIDE: "{path} lies in the workspace",
    TEMP: "{path} is temporary or a cache",
    NOTHING: "{path} names nothing",
}
#: Links in a row that are followed.
_LINKS = 8
#: Stands for the unknown rest of a name: no path holds it, so it meets no name of a table.
ANY = "\x01"


class Target:
    """One place that a path leads to.

    kind: one of the constants above. path: absolute and normalised, or as shown where parts are
    unknown. shown: as written. glob: it comes from a pattern. relative: written as a relative
    path. nested: the only git data concerned is a repository nested in the workspace.
    holds: the git data lies in it, it is no git data itself. worktree: the linked worktree that
    it is or holds, "" for none.
    rebuildable: a build makes it anew. prefixless: nothing of it is known.
    empty: what it becomes if its unknown parts are empty, None if that can't be.
    """

    __slots__ = (
        "cwd",
        "empty",
        "glob",
        "holds",
        "kind",
        "nested",
        "path",
        "prefixless",
        "rebuildable",
        "relative",
        "shown",
        "worktree",
    )

    def __init__(self, kind: str, path: str, cwd: str | None = None) -> None:
        self.kind = kind
        self.path = path
        self.shown = path
        self.cwd = cwd
        self.glob = False
        self.relative = False
        self.nested = False
        self.holds = ""
        self.worktree = ""
        self.rebuildable = False
        self.prefixless = False
        self.empty: Target | None = None

    @property
    def severity(self) -> int:
        return _SEVERITY[self.kind]

    @property
    def reason(self) -> str:
        """One sentence that is true for this very path."""
        resolved = self.path.replace(ANY, "…")
        same = self.shown.rstrip("/") in (resolved, "") or self.shown == resolved
        path = self.shown if same else f"{self.shown} ({resolved})"
        if self.kind == GIT and self.holds:
            return f"{path} holds a git repository ({self.holds})."
        return _REASONS[self.kind].replace("{path}", path) + "."

    def __repr__(self) -> str:
        return f"Target({self.kind} {self.path!r})"


#: Modes that reach what a link leads to.
_FOLLOWING = frozenset(("append", "permissions", "truncate", "write"))


def classify(access: FileAccess, context: Context) -> list[Target]:
    """The targets of a path: one for each directory and value that it may have."""
    # Several families ask; the access is kept, so that no other can get its id.
    memory: dict[int, tuple[FileAccess, list[Target]]] = context.memo.setdefault("targets", {})
    if id(access) in memory:
        return memory[id(access)][1]
    found: list[Target] = []
    memory[id(access)] = (access, found)
    for choice in access.path.choices:
        for cwd in access.cwds or (context.place.directory,):
            context.effort.spend(20, "the targets of a path")
            found.append(
                classify_choice(
                    choice,
                    cwd,
                    context,
                    tree=access.recursive,
                    start=access.start,
                    followed=access.mode in _FOLLOWING,
                )
            )
    return found


def classify_choice(
    pieces: Pieces,
    cwd: str | None,
    context: Context,
    *,
    tree: bool = False,
    start: int = 0,
    followed: bool = False,
) -> Target:
    """The target of one value in one directory.

    tree: all below it is meant too, so git data that it holds counts. start: where the access
    stands in the text; clones made before it are not counted as repositories.
    """
    ground = grounds(context)
    written = shown(pieces)
    look = Look(context, ground, tree, start, followed=followed)
    if not pieces:
        target = Target(NOTHING, "", cwd)
    elif isinstance(pieces[0], Unknown):
        target = _prefixless(pieces, look)
    else:
        parts = _components(pieces)
        absolute = isinstance(pieces[0], str) and pieces[0].startswith("/")
        if not absolute and cwd is None:
            target = _in_unknown_directory(parts)
        else:
            target = _located(parts, "" if absolute or cwd is None else cwd, look)
        target.relative = not absolute
    target.shown = written
    target.cwd = cwd
    target.empty = _emptied(pieces, cwd, context, tree, start)
    return target


def worst(targets: Sequence[Target]) -> Target:
    """The worst of several, at least one; the first of equals."""
    return max(targets, key=_severity)


def _severity(target: Target) -> int:
    return target.severity


class Look:
    """What the functions below ask with: the call, its grounds, and whether a tree is meant."""

    __slots__ = ("context", "followed", "ground", "start", "tree")

    def __init__(
        self, context: Context, ground: Grounds, tree: bool, start: int, *, followed: bool = False
    ) -> None:
        #: What is changed is what a link leads to, not the link.
        self.followed = followed
        self.context = context
        self.ground = ground
        self.tree = tree
        self.start = start


def _components(pieces: Pieces) -> list[Pieces]:
    """The pieces cut at slashes; an empty first component for an absolute path, an empty last
    one for a trailing slash.
    """
    done: list[Pieces] = []
    current: list[str | Unknown | Glob] = []
    for piece in pieces:
        if not isinstance(piece, str):
            current.append(piece)
            continue
        first, *rest = piece.split("/")
        if first:
            current.append(first)
        for text in rest:
            done.append(tuple(current))
            current = [text] if text else []
    done.append(tuple(current))
    return done


def _is_text(part: Pieces) -> bool:
    return all(isinstance(piece, str) for piece in part)


def _text(part: Pieces) -> str:
    return "".join(piece for piece in part if isinstance(piece, str))


def _located(parts: list[Pieces], cwd: str, look: Look) -> Target:
    """A path whose start is known: `cwd` is "" for an absolute one."""
    known: list[str] = []
    rest: list[Pieces] = []
    for index, part in enumerate(parts):
        if not _is_text(part):
            rest = _folded(parts[index:])
            break
        known.append(_text(part))
    if not rest:
        return _literal("/".join(known), cwd, look)
    while rest and rest[0] == ("..",):
        rest = rest[1:]
        known.append("..")
    directory = join(cwd, "/".join(known)) if cwd else "/".join(known) or "/"
    if not rest:
        return _literal("/".join([*known, ""]), cwd, look)
    forms = dict.fromkeys(
        look.ground.same_place(form)
        for form in (
            normalise(directory),
            look.context.world.resolve(directory or "/"),
            *_through_links(directory + "/", look),
        )
    )
    from cc_safety_net.guard.rules.target_patterns import patterned

    targets = [patterned(form, rest, look) for form in forms]
    found = worst(targets)
    found.glob = any(isinstance(piece, Glob) for part in rest for piece in part)
    return found


def _folded(parts: list[Pieces]) -> list[Pieces]:
    """The components after the first open one, without `.` and, as text, `x/..`."""
    out: list[Pieces] = []
    for part in parts:
        if part in ((), (".",)):
            continue
        if part == ("..",) and out and out[-1] != ("..",):
            out.pop()
            continue
        out.append(part)
    if not out:
        # `*/..` is the directory itself.
        return [(".",)]
    return out


def _literal(text: str, cwd: str, look: Look) -> Target:
    world = look.context.world
    raw = join(cwd, text) if cwd else text or "/"
    last = raw.rpartition("/")[2]
    if last in ("", ".", ".."):
        resolved = world.resolve(raw)
    else:
        resolved = normalise(join(world.resolve(raw.rpartition("/")[0] or "/"), last))
    forms = dict.fromkeys((normalise(raw), resolved, *_through_links(raw, look)))
    targets = [known_target(look.ground.same_place(form), look) for form in forms]
    found = worst(targets)
    if found.kind == OUTSIDE:
        found.rebuildable = all(_is_rebuildable(form, look) for form in forms)
    return found


def _through_links(path: str, look: Look) -> tuple[str, ...]:
    """Where the path leads through symbolic links that the text itself makes before it."""
    links = look.context.memo.get("made-links")
    if links is None:
        links = look.context.memo["made-links"] = _made_links(look.context)
    found = normalise(path)
    if not links or not found.startswith("/"):
        return ()
    followed = look.followed or path.endswith(("/", "/."))
    for _ in range(_LINKS):
        leading = found if followed else parent(found)
        through: list[tuple[int, int, str, str]] = []
        while leading != "/":
            through += links.get(leading, ())
            leading = parent(leading)
        look.context.effort.spend(len(through) // 4, "links that the text makes")
        usable = [link for link in through if link[1] < look.start or not look.start]
        if not usable:
            break
        _, _, link, source = min(usable)
        found = look.context.world.resolve(normalise(source + found[len(link) :]))
    return () if found == normalise(path) else (found,)


#: What names the source of a link as it is seen from where it runs, not from the link.
_SEEN_FROM_HERE = frozenset(
    (
        "cp", "gcp", "ln", "gln", "link", "os.link", "hardlink_to", "File.link", "FileUtils.ln",
        "fs.link", "fs.linkSync",
    )
)  # fmt: skip


def _made_links(context: Context) -> dict[str, list[tuple[int, int, str, str]]]:
    """(number, place in the text, link, what it leads to) of the links that are made, by link."""
    found: dict[str, list[tuple[int, int, str, str]]] = {}
    for number, access in enumerate(context.reading.accesses):
        if access.mode != "link" or access.source is None or len(access.cwds) != 1:
            continue
        link, source, cwd = access.path.text, access.source.text, access.cwds[0]
        if link and source and (cwd is not None or (link + source).startswith("/")):
            at = normalise(join(cwd or "/", link))
            base = cwd or "/" if access.via in _SEEN_FROM_HERE else parent(at)
            leads = normalise(join(base, source))
            found.setdefault(at, []).append((number, access.start, at, leads))
    return found


def known_target(path: str, look: Look) -> Target:
    """The class of an absolute, normalised path."""
    ground = look.ground
    target = Target(plain_kind(path, ground), path)
    if target.kind in (SELF, INSIDE, OUTSIDE, GIT):
        judge_git(target, look)
    return target


def place_kind(path: str, context: Context) -> str:
    """The class of a known path, not counting repositories that it holds."""
    return plain_kind(path, grounds(context))


def plain_kind(path: str, ground: Grounds) -> str:
    if path == "/":
        return ROOT
    if path[2:3] == ":" or path[1:2] == "\\":
        from cc_safety_net.guard.rules import windows_places

        # A root is none: with a home and directories of POSIX a drive is never the workspace.
        found = windows_places.kind(path)
        if found or not ground.is_inside(path):
            return GIT if not found and ground.git_part(path) is not None else found or OUTSIDE
    if ground.is_home(path):
        return HOME
    if ground.is_temp(path):
        return TEMP
    if ground.git_part(path) is not None:
        return GIT
    if ground.is_root(path):
        return SELF
    if ground.is_inside(path):
        return INSIDE
    if ground.is_system(path):
        return SYSTEM
    return OUTSIDE


def judge_git(target: Target, look: Look) -> None:
    """Sets the git marks of a target, and its class where it holds a repository."""
    # A deletion only: the module reads directories, which no other call needs.
    from cc_safety_net.guard.rules import repositories

    ground = look.ground
    path = target.path
    if target.kind == GIT:
        directory = (ground.git_part(path) or (path, ""))[0]
        if directory in ground.git_dirs:
            return
        if repositories.cloned_here(parent(directory), look.context, look.start):
            target.kind = _below_git(path, ground)
            return
        target.nested = _is_nested(directory, ground)
        return
    if not look.tree:
        return
    held, target.worktree = repositories.held_in(path, look.context, look.start, OUTPUT_NAMES)
    if held:
        target.kind = GIT
        target.holds = held
        target.nested = held not in ground.git_dirs and _is_nested(held, ground)


def _below_git(path: str, ground: Grounds) -> str:
    if ground.is_inside(path):
        return INSIDE
    return SYSTEM if ground.is_system(path) else OUTSIDE


def _is_nested(directory: str, ground: Grounds) -> bool:
    """A repository strictly inside the workspace that is no root."""
    return parent(directory) not in ground.roots and ground.is_inside(directory)


def _is_rebuildable(path: str, look: Look) -> bool:
    parts = path.split("/")
    if any(part in REBUILDABLE for part in parts):
        return True
    world = look.context.world
    while parent(path) != "/" and not look.ground.is_home(path):
        if any(world.status(join(path, mark)) is not None for mark in REBUILDABLE_MARKS):
            return True
        path = parent(path)
    return False


def _in_unknown_directory(parts: list[Pieces]) -> Target:
    """A relative path while the directory is not known."""
    names = [part for part in parts if part not in ((), (".",))]
    if any(part == (".git",) for part in names):
        return Target(GIT, _joined(parts))
    if not names or names[0] == ("..",) or all(patterns.literal_free(part) for part in names):
        return Target(OUTSIDE, _joined(parts))
    target = Target(UNKNOWN, _joined(parts))
    target.prefixless = True
    return target


def _joined(parts: list[Pieces]) -> str:
    return "/".join(shown(part) for part in parts)


def _prefixless(pieces: Pieces, look: Look) -> Target:
    """A path that begins with an unknown part."""
    parts = _components(pieces)
    if any(part == (".git",) for part in parts):
        # Wherever it is, it is a repository's data, unless the text itself cloned it there.
        from cc_safety_net.guard.rules import repositories

        if not repositories.cloned_to(parts[: parts.index((".git",))], look.context, look.start):
            return Target(GIT, shown(pieces))
    target = Target(UNKNOWN, shown(pieces))
    target.prefixless = True
    target.glob = any(isinstance(piece, Glob) for piece in pieces)
    return target


def _emptied(
    pieces: Pieces, cwd: str | None, context: Context, tree: bool, start: int
) -> Target | None:
    """What the path becomes if the unknown parts that may be empty are."""
    if not any(isinstance(piece, Unknown) and piece.may_be_empty for piece in pieces):
        return None
    left: list[str | Unknown | Glob] = []
    for piece in pieces:
        if isinstance(piece, Unknown) and piece.may_be_empty:
            continue
        if isinstance(piece, str) and left and isinstance(left[-1], str):
            left[-1] += piece
        else:
            left.append(piece)
    if not left:
        return None
    target = classify_choice(tuple(left), cwd, context, tree=tree, start=start)
    if isinstance(pieces[0], Unknown) and target.kind in (SYSTEM, OUTSIDE):
        # `$X/name` is `/name` only where that is a directory of the system.
        return target if _is_system_directory(target.path) else None
    return target


def _is_system_directory(path: str) -> bool:
    return path in SYSTEM_DIRECTORIES or (path.count("/") == 1 and path[1:] in SYSTEM_TOPS)


def is_home_config(path: str, context: Context) -> bool:
    """A file that configures the person's programs: dotfiles of the home, `.config`, keys."""
    for home in grounds(context).homes:
        if not is_below(path, home):
            continue
        rest = path[len(home) + 1 :]
        first, _, below = rest.partition("/")
        if below:
            return first in (".config", ".ssh", ".gnupg")
        return first.startswith(".") and basename(rest) not in (".DS_Store", ".zcompdump")
    return False


def is_kept(path: str, context: Context) -> bool:
    """A place where a moved thing stays: neither temporary nor a device that swallows it."""
    ground = grounds(context)
    if ground.is_temp(path) or path in ground.temps:
        return False
    if path[2:3] == ":":
        from cc_safety_net.guard.rules import windows_places

        return windows_places.kind(path) != "temp"
    return not is_inside(path, "/dev")
