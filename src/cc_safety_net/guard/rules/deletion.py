"""Deleting and moving away, by any program or API: the `rm.*` rules, and what fills them.

Git data is judged in `git_metadata`, what `find` reaches in `find`, boxes in `remote`.
"""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import FileAccess, Glob, Unknown, Word, prefix, shown
from cc_safety_net.guard.paths import is_inside, join, normalise
from cc_safety_net.guard.rules import targets
from cc_safety_net.guard.rules.files import SHREDDERS
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.targets import Target

DELETING = frozenset(("delete", "move"))
#: Programs whose deletions can be taken back.
TRASHES = frozenset(
    ("trash", "trash-put", "rmtrash", "trash-cli", "gio", "gvfs-trash", "kioclient")
)
#: Programs that remove empty directories only.
_EMPTY_ONLY = frozenset(
    ("rmdir", "os.rmdir", "os.removedirs", "Path.rmdir", "Dir.rmdir", "rmdirSync")
)
#: Producers whose names lie in a known place: `find` and the like judge them, not these rules.
_SEARCHES = frozenset(("find", "gfind", "fd", "fdfind"))

#: A refusal quotes no more than 200 characters of a command.
_QUOTED_CHARACTERS = 400
_LISTS = frozenset(("xargs", "parallel", "read"))

_BY_KIND = {
    targets.ROOT: "rm.recursive-force-root-or-home",
    targets.HOME: "rm.recursive-force-root-or-home",
    targets.SELF: "rm.recursive-force-cwd-self",
    targets.SYSTEM: "rm.system-path",
}


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """Findings for one path that is deleted or moved away."""
    if access.mode not in DELETING or access.scope.kind != "local":
        return ()
    execution = access.execution
    if execution is not None and execution.program in SHREDDERS:
        return ()
    # What rsync deletes at its target has rules of its own; sources that it removes are moved.
    mirrored = access.mode == "delete" and execution is not None and execution.program == "rsync"
    if mirrored or is_searched(access):
        return ()
    return _findings(access, context)


def _findings(access: FileAccess, context: Context) -> Iterator[Finding]:
    found = targets.classify(_with_listing(access), context)
    # A command with thousands of operands objects once by each rule.
    named: set[tuple[int, str]] = context.memo.setdefault("deletions", set())
    owner = id(access.execution if access.execution is not None else access)
    for target in sorted(found, key=_severity, reverse=True):
        for rule, why in judge(target, access, context):
            if (owner, rule) not in named:
                named.add((owner, rule))
                yield finding(rule, access, target, context, why=why)


def _with_listing(access: FileAccess) -> FileAccess:
    """`ls | xargs rm -r` takes all names: the unknown name is the pattern `*`."""
    choices = []
    for choice in access.path.choices:
        last = choice[-1] if choice else ""
        whole = isinstance(last, Unknown) and any(
            origin.program == "ls" and origin.fed is not None and origin.fed.program in _LISTS
            for origin in last.origin
        )
        choices.append((*choice[:-1], Glob("*")) if whole else choice)
    if tuple(choices) == access.path.choices:
        return access
    return FileAccess(
        Word(choices, access.path.start, access.path.end, splits=access.path.splits),
        access.mode,
        access.via,
        access.cwds,
        access.start,
        access.end,
        recursive=access.recursive,
        execution=access.execution,
        chain=access.chain,
    )


def _severity(target: Target) -> int:
    return target.severity


def judge(target: Target, access: FileAccess, context: Context) -> Iterator[tuple[str, str]]:
    """(rule, why) for each objection to deleting or moving this target."""
    if access.mode == "move" and _moved_to_null(access, context):
        yield "file.move-to-null", f"{target.shown} would be moved to the null device."
        return
    if target.worktree and _destroys(access):
        why = f"{target.worktree} is a linked worktree with files of its own."
        yield "git.worktree-remove-force", why
    wide = access.recursive or target.glob
    by_empty = _by_empty(target, access) if wide else None
    if by_empty is not None:
        yield by_empty
    rule = _rule(target, access, context)
    if rule:
        # At paranoid the place is no reason, the level is; an unknown list has no name.
        own = target.kind == targets.INSIDE or rule.startswith(("xargs.", "parallel."))
        yield rule, "" if own else target.reason


def _rule(target: Target, access: FileAccess, context: Context) -> str:
    kind = target.kind
    if kind == targets.GIT:
        return _without_git(target, access, context)
    if kind in (targets.ROOT, targets.HOME, targets.SELF):
        if access.via in _EMPTY_ONLY and not access.recursive:
            return ""
        if kind == targets.SELF and not (access.recursive or target.glob):
            # A directory is not deleted without the option; moved away it is.
            return _BY_KIND[kind] if access.mode == "move" else ""
        if kind == targets.SELF and target.glob and _stays(access, context):
            return ""
        return _BY_KIND[kind]
    if kind == targets.SYSTEM:
        return _BY_KIND[kind]
    if kind == targets.INSIDE:
        return "rm.recursive-force-paranoid" if _destroys(access) else ""
    if kind == targets.OUTSIDE:
        return _outside(target, access, context)
    if kind == targets.UNKNOWN and _destroys(access):
        return _unknown(access)
    return ""


def _destroys(access: FileAccess) -> bool:
    return access.recursive and access.mode == "delete"


def _without_git(target: Target, access: FileAccess, context: Context) -> str:
    """A moved directory that only holds a repository is judged as any other."""
    if access.mode != "move" or not target.holds:
        return ""
    if target.path == "" or not target.path.startswith("/"):
        return ""
    kind = targets.place_kind(target.path, context)
    if kind == targets.OUTSIDE:
        return _outside(target, access, context)
    return _BY_KIND.get(kind, "")


def _outside(target: Target, access: FileAccess, context: Context) -> str:
    one = not access.recursive or (_recoverable(access) and context.world.is_file(target.path))
    if one and not target.glob and targets.is_home_config(target.path, context):
        return "rm.home-config"
    if access.mode == "move":
        if targets.is_home_config(target.path, context) and not target.glob:
            return "rm.home-config"
        if _kept(access, context):
            return ""
    if _recoverable(access):
        return ""
    if target.rebuildable and not target.glob and not access.found:
        return ""
    if access.recursive:
        if target.relative and target.cwd is not None and _at_home(target.cwd, context):
            return "rm.recursive-force-home-cwd"
        return "rm.recursive-force-outside-cwd"
    walked = any(unknown.why == "find" for unknown in unknowns(access.path))
    if target.glob or access.found or walked:
        return "rm.glob-outside-workspace"
    if access.via in _EMPTY_ONLY:
        return ""
    return "rm.file-outside-workspace"


def _at_home(directory: str, context: Context) -> bool:
    from cc_safety_net.guard.rules.grounds import grounds

    return normalise(directory) in grounds(context).homes


def _recoverable(access: FileAccess) -> bool:
    if access.via == "gio":
        return True
    return access.via.partition(" ")[0] in TRASHES


def _unknown(access: FileAccess) -> str:
    labels = " ".join((*access.chain, *(access.execution.chain if access.execution else ())))
    if _from_list(access.path):
        if "xargs" in labels:
            return "xargs.rm-recursive-force-dynamic"
        if "parallel" in labels:
            return "parallel.rm-recursive-force-dynamic"
    if any(label.startswith("trap") for label in labels.split()) and _is_one_variable(access.path):
        # `trap 'rm -rf "$tmp"' EXIT` clears up what the script itself has made.
        return ""
    return "rm.recursive-force-dynamic-target"


def _is_one_variable(path: Word) -> bool:
    choice = path.choices[0] if len(path.choices) == 1 else ()
    single = len(choice) == 1 and isinstance(choice[0], Unknown) and bool(choice[0].name)
    return single and not path.splits


def _from_list(path: Word) -> bool:
    """The path comes from the lines of standard input, as far as they are not known."""
    return any(unknown.why in ("input", "argument", "command") for unknown in unknowns(path))


def unknowns(path: Word) -> list[Unknown]:
    """The unknown parts of all values of a word."""
    return [piece for choice in path.choices for piece in choice if isinstance(piece, Unknown)]


def _by_empty(target: Target, access: FileAccess) -> tuple[str, str] | None:
    """The objection to what the path becomes if its unknown part is empty."""
    empty = target.empty
    if empty is None or access.mode == "move":
        return None
    if target.kind == targets.TEMP:
        # Below a temp root an unknown tail is fine; strict denies the unknown.
        if access.recursive and empty.kind != targets.TEMP:
            return "rm.recursive-force-dynamic-target", _if_empty(target, empty)
        return None
    if empty.kind in (targets.ROOT, targets.HOME, targets.SELF):
        return "rm.possibly-empty-prefix", _if_empty(target, empty)
    if empty.kind == targets.GIT and empty.holds and access.recursive:
        return "rm.possibly-empty-prefix", _if_empty(target, empty)
    if empty.kind == targets.SYSTEM and target.kind != targets.SYSTEM:
        return "rm.system-path", _if_empty(target, empty)
    return None


def _if_empty(target: Target, empty: Target) -> str:
    return f"If the unknown part of {target.shown} is empty, {empty.reason}"


def searched(access: FileAccess) -> Execution | None:
    """The search (`find`, `fd`) that names the paths, if one does."""
    for unknown in unknowns(access.path):
        if unknown.why not in ("find", "input", "command"):
            continue
        for origin in unknown.origin:
            if origin.program in _SEARCHES:
                return origin
    return None


def is_searched(access: FileAccess) -> bool:
    """The path is a search's (`find -delete`, `find | xargs rm`): its module judges it."""
    execution = access.execution
    if execution is not None and execution.program in _SEARCHES and access.found:
        return True
    return searched(access) is not None


def _moved_to_null(access: FileAccess, context: Context) -> bool:
    return any(is_inside(path, "/dev/null") for path in destinations(access, context))


def _stays(access: FileAccess, context: Context) -> bool:
    """All names of a root are moved or renamed to places in the workspace, so none goes away."""
    if access.mode != "move" or access.destination is None:
        return False
    starts = [choice[0] for choice in access.path.choices if choice]
    for choice in access.destination.choices:
        first = choice[0] if choice else ""
        if isinstance(first, Unknown) and not any(first is start for start in starts):
            return False
        for cwd in access.cwds or (context.place.directory,):
            # A name of the directory itself, as `*` or read from its listing, begins with no path.
            path = normalise(join(cwd or "/", prefix(choice)))
            if cwd is None or not (
                path in context.place.roots or targets.place_kind(path, context) == targets.INSIDE
            ):
                return False
    return True


def _kept(access: FileAccess, context: Context) -> bool:
    """The thing stays where it can be found again; an unknown place counts as one."""
    return all(targets.is_kept(path, context) for path in destinations(access, context))


def destinations(access: FileAccess, context: Context) -> list[str]:
    """Where a move puts the thing, as far as that is known."""
    found: list[str] = []
    if access.destination is None:
        return found
    for choice in access.destination.choices:
        for cwd in access.cwds or (context.place.directory,):
            text = prefix(choice)
            if text.startswith("/") or (cwd is not None and text):
                found.append(normalise(join(cwd or "/", text)))
    return found


def plain_name(target: Target) -> bool:
    """The path is known and no pattern, so that it may be quoted."""
    return "$" not in target.shown and not target.glob


def _above_git(path: str) -> str:
    return path.partition("/.git")[0] or "."


def finding(
    rule: str, access: FileAccess, target: Target, context: Context, *, why: str = ""
) -> Finding:
    """The finding of a rule about a path, with the call's own names."""
    if rule == "rm.home-config":
        why = f"{target.path} configures the person's programs."
    holes = values(target, context)
    if rule.startswith(("xargs.", "parallel.")):
        from cc_safety_net.guard.rules.unseen import listing_of, permitted

        look = permitted(listing_of(rule.partition(".")[0], context), context)
        holes = {**holes, "look": look or "cat list.txt"}
    if access.execution is not None and access.execution.dialect != "posix":
        from cc_safety_net.guard.rules.powershell import of_windows

        return of_windows(rule, access, target, context, why)
    return Finding(
        rule,
        part_of(access, target),
        access.start,
        access.end,
        chain=access.chain,
        values=holes,
        why=why,
        target=target.path,
    )


def part_of(access: FileAccess, target: Target) -> str:
    execution = access.execution
    if execution is None or len(access.chain) > len(execution.chain):
        # A file tool, or a call in inline code: the code itself would hide what matters.
        return f"{access.via} {target.shown}"
    text = command_text(execution)
    return text if access.via == execution.program else f"{text} {access.via} {target.shown}"


def command_text(execution: Execution) -> str:
    """The command as the refusal quotes it: only its beginning, however long it is."""
    out: list[str] = []
    size = 0
    for word in execution.argv:
        text = shown(word.choices[0])
        out.append(text or "''")
        size += len(text) + 1
        if size > _QUOTED_CHARACTERS:
            break
    return " ".join(out)


def values(target: Target, context: Context) -> dict[str, str]:
    """What fills the holes of the texts: {path} as written, {workspace} the first root."""
    roots = context.place.roots
    shown_path = target.shown
    # A command's own text can't be repeated in a suggestion, a variable's name can.
    path = shown_path if "$(" not in shown_path and "$?" not in shown_path else "."
    inside = target.kind == targets.INSIDE and plain_name(target)
    if target.worktree:
        path = target.worktree
    return {
        "git": "git",
        "path": quote(path) if plain_name(target) else path,
        "delete": f"rm {quote(path)}" if inside else f"ls -la {path}",
        "workspace": quote(roots[0]) if roots else ".",
        "repository": quote(target.holds.removesuffix("/.git") or _above_git(target.path)),
    }
