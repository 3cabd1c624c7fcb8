"""What a search deletes: `find -delete`, `find -exec rm`, `find | xargs rm`, `fd -x rm`.

The expression is tried on sample paths: git's own files below the start, and ordinary names.
"""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.paths import join
from cc_safety_net.guard.rules import targets
from cc_safety_net.guard.rules.deletion import command_text, destinations, searched, values
from cc_safety_net.guard.rules.find_expression import MAYBE, YES, Sample
from cc_safety_net.guard.rules.find_reach import (
    ORDINARY,
    Reach,
    is_bare,
    is_narrowed,
    reach_of,
    reached_git,
    takes_start,
)
from cc_safety_net.guard.rules.grounds import grounds
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, FileAccess
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.targets import Target

FIND = frozenset(("find", "gfind", "bfs"))
_LISTED_WORDS = 64
_ACTIONS = frozenset(
    ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch")
)


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """`find … -delete`."""
    if execution.program not in FIND or execution.scope.kind != "local":
        return ()
    if not any(word.text == "-delete" for word in execution.argv):
        return ()
    return _judged(execution, "delete", "", execution, None, context)


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """A path that another program deletes because a search named it."""
    if access.mode not in ("delete", "move") or access.scope.kind != "local":
        return ()
    search = searched(access)
    if search is None or search.scope.kind != "local":
        return ()
    inside = any(label.startswith(("find -", "gfind -", "fd")) for label in access.chain)
    return _judged(
        search, "command" if inside else "print", access.via, access.execution, access, context
    )


def _judged(
    search: Execution,
    action: str,
    program: str,
    execution: Execution | None,
    access: FileAccess | None,
    context: Context,
) -> Iterable[Finding]:
    reach = reach_of(search, action, program, context)
    reach.listed = action == "print"
    tree = access is None or access.recursive
    found: dict[str, Finding] = {}
    for choice, written in reach.starts:
        for cwd in search.cwds or (context.place.directory,):
            context.effort.spend(200, "what a search reaches")
            target = targets.classify_choice(choice, cwd, context, start=search.start)
            rule, why = _verdict(target, written, reach, tree, access, context)
            rules = (rule,) if rule != _CATASTROPHIC else (rule, _named(access))
            for each in rules:
                if each and each not in found:
                    place = execution or search
                    found[each] = _finding(each, why, target, search, place, context)
    return list(found.values())


def _finding(
    rule: str,
    why: str,
    target: Target,
    search: Execution,
    place: Execution,
    context: Context,
) -> Finding:
    return Finding(
        rule,
        command_text(search),
        place.start,
        place.end,
        chain=place.chain,
        values={**values(target, context), "listing": _listing(search)},
        why=why,
        target=target.path,
    )


def _named(access: FileAccess | None) -> str:
    """The rule for what the search does with what it finds."""
    return "find.delete" if access is None or not access.recursive else _EXEC


def _listing(search: Execution) -> str:
    """The same search, only printing what it finds."""
    words: list[str] = []
    for word in search.argv:
        if word.text in _ACTIONS or len(words) > _LISTED_WORDS:
            break
        text = shown(word.choices[0])
        words.append(quote(text) if word.text is not None else text)
    return " ".join(words)


def taken_files(access: FileAccess, context: Context) -> Iterator[str]:
    """Existing files that a search hands to the program of `access`, as far as they are looked at.

    Breadth first, within the limit on directory entries, not into `.git` and `node_modules`.
    """
    search = searched(access)
    if search is None:
        return
    action = "command" if any(label.startswith("find -") for label in access.chain) else "print"
    yield from files_of(search, action, access.via, context)


def files_of(search: Execution, action: str, program: str, context: Context) -> Iterator[str]:
    """Existing files for which a search carries out the action (`command`, `print`, `delete`)."""
    reach = reach_of(search, action, program, context)
    left = limits.DIRECTORY_ENTRIES
    for choice, written in reach.starts:
        for cwd in search.cwds or (context.place.directory,):
            target = targets.classify_choice(choice, cwd, context, start=search.start)
            todo: list[tuple[str, ...]] = [()]
            for names in todo:
                path = join(target.path, "/".join(names)) if names else target.path
                for name in context.world.names(path, max(left, 1)) or ():
                    left -= 1
                    if left < 0:
                        return
                    context.effort.spend(20, "the files that a search finds")
                    inner = (*names, name)
                    if context.world.is_directory(join(path, name)):
                        if name not in (".git", "node_modules"):
                            todo.append(inner)
                    elif reach.takes(written, Sample(inner, "f")) >= MAYBE:
                        yield join(path, name)


def aimed_name(
    search: Execution, action: str, program: str, names: Sequence[str], context: Context
) -> str:
    """The first of these names that a search is narrowed to; "" if it takes any file."""
    reach = reach_of(search, action, program, context)
    for _, written in reach.starts:
        if any(reach.takes(written, Sample((name,), "f")) for name in ORDINARY):
            continue
        for name in names:
            if reach.takes(written, Sample((name,), "f")) != YES:
                continue
            # Where it takes the like of it too, it is narrowed to something else.
            likes = (ORDINARY[0] + name[name.rfind(".") :], ".git" + ORDINARY[0])
            if not any(reach.takes(written, Sample((like,), "f")) for like in likes):
                return name
    return ""


def _verdict(
    target: Target,
    written: str,
    reach: Reach,
    tree: bool,
    access: FileAccess | None,
    context: Context,
) -> tuple[str, str]:
    """(rule, why) for one start; ("", "") if the search may delete there."""
    rule = _named(access)
    kind = target.kind
    if kind in (targets.ROOT, targets.HOME):
        bare = tree and not is_narrowed(written, reach, tree) and is_bare(reach)
        return (_CATASTROPHIC if bare else rule), target.reason
    git = reached_git(target, written, reach, tree, context)
    if git and kind != targets.TEMP:
        return "find.delete-git-metadata", f"The search can reach git's own data ({git})."
    kept = access is not None and access.mode == "move" and _keeps(access, context)
    if kind == targets.SYSTEM:
        if target.path in grounds(context).temps and not takes_start(written, reach):
            return "", ""
        return rule, target.reason
    if kind == targets.SELF:
        root = target.path in grounds(context).roots
        if root and (kept or is_narrowed(written, reach, tree)):
            return _paranoid(reach, access)
        return rule, target.reason
    if kind == targets.OUTSIDE:
        if target.rebuildable or kept or _trashed(access):
            return "", ""
        return rule, target.reason
    if kind == targets.INSIDE:
        return _paranoid(reach, access)
    if kind == targets.UNKNOWN:
        return _unknown(target)
    return "", ""


_CATASTROPHIC = "rm.recursive-force-root-or-home"
_EXEC = "find.exec-rm-recursive-force"


def _paranoid(reach: Reach, access: FileAccess | None) -> tuple[str, str]:
    """Inside, paranoid denies what a search deletes by itself, and whole directories."""
    if access is not None and (access.mode == "move" or reach.listed) and not _destroys(access):
        return "", ""
    return "rm.recursive-force-paranoid", ""


def _destroys(access: FileAccess) -> bool:
    return access.mode == "delete" and access.recursive


def _unknown(target: Target) -> tuple[str, str]:
    empty = target.empty
    if empty is not None and empty.kind in (targets.ROOT, targets.HOME, targets.SELF):
        return (
            "rm.possibly-empty-prefix",
            f"If the unknown part of {target.shown} is empty, {empty.reason}",
        )
    return "rm.recursive-force-dynamic-target", target.reason


def _trashed(access: FileAccess | None) -> bool:
    return access is not None and access.via.partition(" ")[0] in ("trash", "trash-put", "gio")


def _keeps(access: FileAccess, context: Context) -> bool:
    return all(targets.is_kept(path, context) for path in destinations(access, context))
