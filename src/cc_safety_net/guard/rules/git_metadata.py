"""Changes of git's own data by anything but git: `rm.git-metadata`, writes, hooks."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.paths import basename, is_inside, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import FileAccess
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.targets import Target

CHANGING = frozenset(("delete", "move", "write", "append", "truncate", "permissions", "link"))
#: Files of a git directory that people and tools may write: messages, to-do lists, left-overs.
_MESSAGES = frozenset(
    (
        "COMMIT_EDITMSG",
        "MERGE_MSG",
        "SQUASH_MSG",
        "TAG_EDITMSG",
        "NOTES_EDITMSG",
        "EDIT_DESCRIPTION",
        "PULLREQ_EDITMSG",
        "git-rebase-todo",
        "git-rebase-todo.backup",
        "gc.log",
        "gc.pid",
    )
)
_OPERATIONS = ("rebase-merge/", "rebase-apply/", "sequencer/")
_OPERATION_FILES = frozenset(("message", "todo", "msg", "final-commit", "msg-clean"))


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """Findings for one path that is changed."""
    if access.mode not in CHANGING or access.scope.kind != "local":
        return ()
    if _is_elsewhere(access, context):
        return ()
    # An everyday write does not come here, and does not load what a deletion needs.
    from cc_safety_net.guard.rules.deletion import is_searched

    if is_searched(access) or (access.via == "git" and access.mode == "delete"):
        # What a search reaches has rules of its own; `git clean` and `git rm` spare git's data.
        return ()
    return _findings(access, context)


def _is_elsewhere(access: FileAccess, context: Context) -> bool:
    """A known path that is written, with no `.git` in it as spelled or as resolved."""
    if access.mode not in ("write", "append", "truncate", "link"):
        return False
    for choice in access.path.choices:
        text = literal(choice)
        if text is None:
            return False
        for cwd in access.cwds:
            if cwd is None and not text.startswith("/"):
                return False
            path = join(cwd or "/", text)
            if ".git" in path.lower() or ".git" in context.world.resolve(path).lower():
                return False
    memo = context.memo.get("git-under-any-name")
    if memo is None:
        memo = context.memo["git-under-any-name"] = _lies_under_any_name(context)
    return not memo


def _lies_under_any_name(context: Context) -> bool:
    """The text makes a link, or a root's `.git` is a file: a path need not say `.git`."""
    if any(access.mode == "link" for access in context.reading.accesses):
        return True
    return any(context.world.is_file(join(root, ".git")) for root in context.place.roots)


def _findings(access: FileAccess, context: Context) -> Iterator[Finding]:
    from cc_safety_net.guard.rules import targets
    from cc_safety_net.guard.rules.deletion import finding

    for target in targets.classify(access, context):
        if target.kind != targets.GIT:
            continue
        rule = _rule(target, access, context)
        if rule:
            yield finding(rule, access, target, context, why=target.reason)
            return


def _rule(target: Target, access: FileAccess, context: Context) -> str:
    from cc_safety_net.guard.rules.grounds import grounds

    if target.holds:
        # Only a deletion takes what a directory holds.
        if access.mode != "delete" or not access.recursive:
            return ""
        return "rm.nested-repository" if target.nested else "rm.git-metadata"
    part = grounds(context).git_part(target.path)
    rest = part[1] if part is not None else target.path.partition(".git")[2].lstrip("/")
    if access.mode == "delete" and (access.recursive or target.glob):
        return "rm.nested-repository" if target.nested else "rm.git-metadata"
    if may_change(rest):
        return ""
    return "git.hooks-write" if _in_hooks(rest) else "git.metadata-write"


def may_change(rest: str) -> bool:
    """A file below a git directory that is no part of the repository's state."""
    name = basename(rest)
    if name.endswith(".lock") or name in _MESSAGES or rest == "info/exclude":
        return True
    if rest.startswith("worktrees/"):
        return may_change(rest.partition("/")[2].partition("/")[2])
    return rest.startswith(_OPERATIONS) and name in _OPERATION_FILES


def _in_hooks(rest: str) -> bool:
    if is_inside(rest, "hooks"):
        return True
    return rest.startswith(("modules/", "worktrees/")) and "hooks" in rest.split("/")
