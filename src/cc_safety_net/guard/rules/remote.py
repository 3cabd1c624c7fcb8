"""Deletions on another machine or in a box, where there is no workspace (`remote.delete`)."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, prefix, shown
from cc_safety_net.guard.paths import is_below, is_inside, join, normalise
from cc_safety_net.guard.rules.system_paths import REBUILDABLE, SYSTEM_CACHES, TEMP_ROOTS

#: Below these nothing is missed: temporary things and caches of a box's system and user.
_MAY_GO = (*TEMP_ROOTS, *SYSTEM_CACHES, "/var/lib/apt", "/root/.cache", "/root/.npm")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import FileAccess, Pieces
    from cc_safety_net.guard.rules.context import Context


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """Findings for one path that is deleted in a remote or boxed scope."""
    if access.mode != "delete" or access.scope.kind == "local":
        return ()
    for choice in access.path.choices:
        for cwd in access.cwds or (None,):
            context.effort.spend(5, "paths on another machine")
            outer = mounted(choice, cwd, access)
            if outer is not None:
                found = _on_this_machine(outer, access, context)
            else:
                found = _over_there(choice, cwd, access, context)
            if found is not None:
                return (found,)
    return ()


def mounted(choice: Pieces, cwd: str | None, access: FileAccess) -> Pieces | None:
    """The path of this machine that a path in a box leads to; None if it leads to none."""
    mount = _mount_of(choice, cwd, access)
    if mount is None or not mount[1]:
        return None
    there, here, inside = mount
    rest = inside[len(there.rstrip("/")) :].lstrip("/")
    text = join(here, rest) if rest else here
    # An open rest is a name of its own, or goes on with the last one.
    open_rest = choice[1:] if prefix(choice) else choice
    if open_rest and inside.endswith("/") and not text.endswith("/"):
        text += "/"
    return (text, *open_rest)


def _mount_of(choice: Pieces, cwd: str | None, access: FileAccess) -> tuple[str, str, str] | None:
    """(path in the box, path of this machine, the known start inside) of the innermost mount."""
    lead = prefix(choice)
    if not lead and isinstance(choice[0] if choice else "", Unknown):
        return None
    if not lead.startswith("/"):
        if cwd is None:
            return None
        lead = join(cwd, lead) if lead else cwd.rstrip("/") + "/"
    inside = normalise(lead)
    if lead.endswith("/") and inside != "/":
        inside += "/"
    best: tuple[str, str, str] | None = None
    for there, here in access.scope.mounts:
        at = normalise(there)
        if is_inside(inside.rstrip("/") or "/", at) and (best is None or len(at) > len(best[0])):
            best = (at, here, inside)
    return best


def _on_this_machine(pieces: Pieces, access: FileAccess, context: Context) -> Finding | None:
    from cc_safety_net.guard.rules import deletion, targets

    target = targets.classify_choice(
        pieces, context.place.directory, context, tree=access.recursive, start=access.start
    )
    if target.kind == targets.GIT:
        rule = "rm.nested-repository" if target.nested else "rm.git-metadata"
        if access.recursive or target.glob:
            return deletion.finding(rule, access, target, context, why=target.reason)
        return None
    for rule, why in deletion.judge(target, access, context):
        return deletion.finding(rule, access, target, context, why=why)
    return None


def _over_there(
    choice: Pieces, cwd: str | None, access: FileAccess, context: Context
) -> Finding | None:
    from cc_safety_net.guard.rules.deletion import finding
    from cc_safety_net.guard.rules.targets import OUTSIDE, Target

    mount = _mount_of(choice, cwd, access)
    if access.scope.kind == "fresh" and (mount is None or mount[1]):
        # A box that is thrown away afterwards; only its mounts are ours.
        return None
    wild = access.recursive or any(isinstance(piece, Glob) for piece in choice)
    if not wild or not choice:
        return None
    lead = prefix(choice)
    if not lead and isinstance(choice[0], Unknown):
        lead = _emptied(choice)
        if not lead.startswith("/"):
            return None
    if not lead.startswith("/"):
        if cwd is not None:
            lead = join(cwd, lead)
        elif access.scope.kind != "remote":
            return None
        else:
            lead = "./" + lead
    if _may_go(lead):
        return None
    target = Target(OUTSIDE, shown(choice), cwd)
    host = access.scope.host or "the other machine"
    return finding(
        "remote.delete",
        access,
        target,
        context,
        why=f"{shown(choice)} on {host} would be deleted, and nothing here can bring it back.",
    )


def _emptied(choice: Pieces) -> str:
    """The start of a path whose unknown parts are empty, if that ends in a pattern or nothing."""
    left = [piece for piece in choice if not isinstance(piece, Unknown)]
    text = "".join(piece for piece in left if isinstance(piece, str))
    return text if not text.strip("/") else ""


def _may_go(path: str) -> bool:
    parts = path.split("/")
    if any(part in REBUILDABLE for part in parts):
        return True
    if not path.startswith("/"):
        return False
    return any(is_below(normalise(path), root) for root in _MAY_GO)
