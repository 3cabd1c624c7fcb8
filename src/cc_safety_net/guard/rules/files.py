"""Emptying, overwriting, shredding and re-permissioning files, whatever program does it."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import FileAccess, Glob, Unknown, Word, prefix
from cc_safety_net.guard.paths import is_inside, join, normalise
from cc_safety_net.guard.rules.system_paths import (
    ACCOUNT_FILES,
    ESSENTIAL_DIRECTORIES,
    ESSENTIAL_FILES,
    NO_ESSENTIAL,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.targets import Target

_CHANGING = frozenset(("write", "append", "truncate", "link"))
#: Programs that overwrite what they delete.
SHREDDERS = frozenset(("shred", "gshred", "srm", "wipe", "sdelete", "sdelete64"))


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """Findings for one path that is changed, and shredding of one that is deleted."""
    if access.scope.kind != "local":
        return ()
    if _is_shred(access):
        return _shredded(access, context)
    if access.mode == "permissions":
        return _permissions(access, context)
    if access.mode in _CHANGING:
        return _changed(access, context)
    return ()


def _is_shred(access: FileAccess) -> bool:
    execution = access.execution
    if execution is None or execution.program not in SHREDDERS:
        return False
    return access.mode in ("delete", "truncate", "write")


# What the functions below need is loaded by them: an everyday write is only compared with names.


def _shredded(access: FileAccess, context: Context) -> Iterator[Finding]:
    from cc_safety_net.guard.rules import targets
    from cc_safety_net.guard.rules.deletion import finding

    for target in targets.classify(access, context):
        if target.kind not in (targets.TEMP, targets.NOTHING):
            why = f"Shredding {target.shown} leaves nothing to bring back."
            yield finding("shred.target", access, target, context, why=why)
            return


def _permissions(access: FileAccess, context: Context) -> Iterator[Finding]:
    from cc_safety_net.guard.rules import targets
    from cc_safety_net.guard.rules.deletion import finding, searched

    guarded_kinds = (targets.ROOT, targets.HOME, targets.SYSTEM)
    if searched(access) is not None:
        # What a search finds below its start is as good as recursive.
        access = _below_start(access)
    for target in targets.classify(access, context):
        empty = target.empty
        guarded = target.kind in guarded_kinds or (
            empty is not None and empty.kind in guarded_kinds
        )
        if (access.recursive and guarded) or _names(target.path, ACCOUNT_FILES):
            reason = empty.reason if empty is not None and target.kind not in guarded_kinds else ""
            why = reason or target.reason
            yield finding("file.permissions-recursive", access, target, context, why=why)
            return


def _below_start(access: FileAccess) -> FileAccess:
    starts = []
    for choice in access.path.choices:
        start: list[str | Unknown | Glob] = []
        for piece in choice:
            if isinstance(piece, Unknown):
                break
            start.append(piece)
        starts.append(tuple(start))
    return FileAccess(
        Word(starts, access.path.start, access.path.end),
        access.mode,
        access.via,
        access.cwds,
        access.start,
        access.end,
        recursive=True,
        execution=access.execution,
        chain=access.chain,
    )


def _changed(access: FileAccess, context: Context) -> Iterator[Finding]:
    if access.mode == "truncate" and _is_found(access):
        yield from _emptied_by_search(access, context)
        return
    for choice in access.path.choices:
        for cwd in access.cwds or (context.place.directory,):
            lead = prefix(choice)
            if not lead or (cwd is None and not lead.startswith("/")):
                continue
            path = join(cwd or "/", lead)
            whole = len(choice) == 1
            if is_essential(normalise(path)) or is_essential(context.world.resolve(path)):
                from cc_safety_net.guard.rules import targets
                from cc_safety_net.guard.rules.deletion import finding

                target = targets.classify_choice(choice, cwd, context)
                why = f"{target.shown} is essential to the system."
                yield finding("file.system-overwrite", access, target, context, why=why)
                return
            if _empties(access) and whole and not access.keeps:
                from cc_safety_net.guard.rules import targets
                from cc_safety_net.guard.rules.deletion import finding

                target = targets.classify_choice(choice, cwd, context)
                rule = _emptied(target, context)
                if rule:
                    why = f"{target.shown} holds something, and that would be gone."
                    yield finding(rule, access, target, context, why=why)
                    return


def _empties(access: FileAccess) -> bool:
    """Nothing is left in the file: by its mode, or because nothing is what is written."""
    if access.mode == "truncate":
        return True
    return access.mode == "write" and access.content is not None and access.content.text == ""


def _is_found(access: FileAccess) -> bool:
    from cc_safety_net.guard.rules.deletion import searched

    return searched(access) is not None


def _emptied_by_search(access: FileAccess, context: Context) -> Iterator[Finding]:
    from cc_safety_net.guard.rules import targets
    from cc_safety_net.guard.rules.deletion import finding
    from cc_safety_net.guard.rules.find import taken_files

    for path in taken_files(access, context):
        target = targets.classify_choice((path,), None, context)
        rule = _emptied(target, context)
        if rule:
            why = f"The search finds {path}, which holds something that would be gone."
            yield finding(rule, access, target, context, why=why)
            return


def _names(path: str, files: frozenset[str]) -> bool:
    return path.removeprefix("/private") in files


def is_essential(path: str) -> bool:
    """An account, sudo, boot, loader or PAM file, or a program or library of the system."""
    path = path.removeprefix("/private") if path.startswith("/private/etc") else path
    if path in ACCOUNT_FILES or path in ESSENTIAL_FILES:
        return True
    if path[2:3] == ":":
        from cc_safety_net.guard.rules import windows_places

        return windows_places.is_essential(path)
    if any(is_inside(path, free) for free in NO_ESSENTIAL):
        return False
    return any(is_inside(path, directory) for directory in ESSENTIAL_DIRECTORIES)


def _emptied(target: Target, context: Context) -> str:
    """The rule against emptying a file; "" if nothing would be lost."""
    from cc_safety_net.guard.rules import targets
    from cc_safety_net.guard.rules.grounds import grounds
    from cc_safety_net.guard.rules.repository import tracked

    if target.kind not in (targets.INSIDE, targets.OUTSIDE, targets.SYSTEM):
        return ""
    world = context.world
    resolved = world.resolve(target.path)
    status = world.status(resolved)
    if status is None or status.kind != "file" or status.size == 0:
        return ""
    if target.kind == targets.INSIDE:
        known = tracked(resolved, world)
        return "file.truncate" if known else ""
    if target.kind == targets.OUTSIDE and targets.is_home_config(target.path, context):
        return "rm.home-config"
    # The class looked at the link; the file behind it may be ours.
    ground = grounds(context)
    return "" if ground.is_inside(resolved) and not tracked(resolved, world) else "file.truncate"
