"""When a discard loses nothing that counts: temp repositories, a stash just made, worktree mode."""

from __future__ import annotations

from cc_safety_net.guard.paths import is_inside, join, normalise
from cc_safety_net.guard.rules.git.invocation import (
    PLACE_VARIABLES,
    Invocation,
    argument,
    invocations,
    is_literal,
    is_temporary,
)
from cc_safety_net.guard.rules.repository import repository_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.git.options import Argument

#: Rules about files of the work tree.
WORK_TREE = frozenset(
    (
        "git.reset-hard",
        "git.reset-merge",
        "git.checkout-force",
        "git.checkout-double-dash",
        "git.checkout-ref-path",
        "git.checkout-pathspec-from-file",
        "git.checkout-ambiguous",
        "git.checkout-conflict-side",
        "git.switch-discard-changes",
        "git.switch-force",
        "git.restore-worktree",
        "git.restore-unstaged",
        "git.clean-force",
        "git.rm-force",
        "git.checkout-index-force",
        "git.read-tree-reset",
    )
)
#: Rules about refs and objects of the local repository: all its work trees share them.
LOCAL_REFS = frozenset(
    (
        "git.stash-drop",
        "git.stash-clear",
        "git.branch-force-delete",
        "git.ref-force",
        "git.tag-delete",
        "git.rebase-abort",
        "git.merge-abort",
        "git.sequence-abort",
        "git.reflog-delete",
        "git.reflog-expire",
        "git.gc-prune",
        "git.history-rewrite",
        "git.update-ref-delete",
        "git.submodule-deinit-force",
    )
)
#: Files that a package manager writes anew.
LOCK_FILES = frozenset(
    (
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "yarn.lock",
        "bun.lock",
        "bun.lockb",
        "deno.lock",
        "Cargo.lock",
        "poetry.lock",
        "uv.lock",
        "pdm.lock",
        "Pipfile.lock",
        "Gemfile.lock",
        "composer.lock",
        "go.sum",
        "mix.lock",
        "pubspec.lock",
        "Podfile.lock",
        "flake.lock",
        ".terraform.lock.hcl",
    )
)
#: Programs that may stand between a stash and the discard: they change no file.
_HARMLESS = frozenset(("echo", "printf", "cd", "pwd", "true", ":", "ls", "cat", "test", "["))
_HARMLESS_GIT = frozenset(("status", "diff", "log", "show", "rev-parse", "fetch", "branch"))


def exempt(call: Invocation, rule: str) -> bool:
    """The finding concerns nothing that is worth keeping, whatever the words are."""
    work_tree = rule in WORK_TREE
    if not work_tree and rule not in LOCAL_REFS:
        return False
    if _temporary(call, refs=not work_tree):
        return True
    return work_tree and call.context.worktree_mode and _in_linked_worktree(call)


def only_lock_files(operands: Sequence[Argument]) -> bool:
    """The operands are lock files of package managers, named one by one."""
    return bool(operands) and all(
        is_literal(operand) and (operand.text or "").rpartition("/")[2] in LOCK_FILES
        for operand in operands
    )


def after_stash(call: Invocation, *, untracked: bool = False) -> bool:
    """`git stash` of the whole work tree has just succeeded, joined by `&&`."""
    if _redirected(call.execution):
        return False
    for before, found in _just_before(call):
        if found is None:
            if before.program == "cd" or _harmless(before):
                continue
            return False
        if found.command == "stash" and _same_repository(call, found):
            return _stashes_all(found, untracked=untracked)
        if found.command not in _HARMLESS_GIT:
            return False
    return False


def succeeded_before(call: Invocation) -> Iterator[Invocation]:
    """Calls of git on the same repository that have succeeded before this one, latest first."""
    for before in reversed(call.execution.after):
        if before.program != "git":
            continue
        found = invocations(before, call.context)
        if len(found) == 1 and _same_repository(call, found[0]):
            yield found[0]


def _just_before(call: Invocation) -> Iterator[tuple[Execution, Invocation | None]]:
    for before in reversed(call.execution.after):
        found = invocations(before, call.context) if before.program == "git" else []
        yield before, found[0] if len(found) == 1 else None


def _harmless(execution: Execution) -> bool:
    return execution.program in _HARMLESS and not any(
        redirection.op.startswith(">") and redirection.target.text != "/dev/null"
        for redirection in execution.redirects
    )


def _stashes_all(call: Invocation, *, untracked: bool) -> bool:
    options = call.options
    operands = options.operands
    first = operands[0].text if operands else "push"
    if first not in ("push", "save") or options.helps:
        return False
    if first == "push" and (len(operands) > 1 or options.paths):
        return False
    if options.on("patch", "staged") or options.value("pathspec-from-file") is not None:
        return False
    return not untracked or options.on("include-untracked", "all")


def _redirected(execution: Execution) -> bool:
    return any(name in execution.env for name in PLACE_VARIABLES)


def _same_repository(call: Invocation, other: Invocation) -> bool:
    one, two = call.execution.scope, other.execution.scope
    if (one.kind, one.host) != (two.kind, two.host) or _redirected(other.execution):
        return False
    if (call.git_dir is None) != (other.git_dir is None):
        return False
    if call.git_dir is not None and call.git_dir.text != (other.git_dir and other.git_dir.text):
        return False
    first, second = call.directories(), other.directories()
    if first == second and None not in first:
        return True
    if first == second:
        # An unknown directory stays the same one as long as nothing changes it.
        return not call.changes and not any(
            before.program in ("cd", "pushd", "popd") for before in call.execution.after[-3:]
        )
    repository, stashed = call.repository(), other.repository()
    return (
        repository is not None
        and stashed is not None
        and (repository.root, repository.git) == (stashed.root, stashed.git)
    )


def _temporary(call: Invocation, *, refs: bool) -> bool:
    return all(
        _temporary_at(call, directory, refs=refs)
        if directory is not None
        else _below_temp_by_name(call)
        for directory in call.directories()
    )


def _below_temp_by_name(call: Invocation) -> bool:
    """The directory is unknown, but its beginning is a temp root: `$(mktemp -d)`, `/tmp/$X`."""
    if call.git_dir is not None or call.work_tree is not None:
        return False
    if call.changes:
        return len(call.changes) == 1 and _starts_temporary(call.changes[0], call)
    last: Argument | None = None
    for before in _executions(call):
        if before is call.execution:
            break
        if before.program in ("pushd", "popd"):
            return False
        if before.program == "cd" and before.end <= call.execution.start:
            target = before.argv[1] if len(before.argv) == 2 else None
            if target is None or len(target.choices) != 1:
                return False
            last = argument(target.choices[0])
    return last is not None and _starts_temporary(last, call)


def _starts_temporary(word: Argument, call: Invocation) -> bool:
    start = word.prefix
    known = start.rpartition("/")[0]
    if not start.startswith("/") or ".." in start.split("/"):
        return False
    if any(known == temp.rstrip("/") for temp in call.context.place.temps):
        # The unknown name begins in the temp root itself; it can't be the workspace's entry.
        return is_temporary(start + "\1", call.context)
    return is_temporary(known, call.context)


def _temporary_at(call: Invocation, directory: str, *, refs: bool) -> bool:
    context = call.context
    named = [place for place in (call.git_dir, call.work_tree) if place is not None]
    if named:
        if any(place.text is None for place in named):
            return False
        places = [normalise(join(directory, place.text or "")) for place in named]
        if call.work_tree is None:
            places.append(directory)
        return all(is_temporary(place, context) for place in places)
    if not call.local:
        return is_temporary(directory, context)
    repository = repository_of(directory, context.world)
    if repository is not None and repository.root:
        common = repository.common
        if not is_temporary(repository.root, context):
            return False
        return not refs or is_temporary(common, context) or is_inside(common, repository.root)
    resolved = context.world.resolve(directory)
    if is_temporary(directory, context) and is_temporary(resolved, context):
        # Nothing there yet: made by the text or by a program that runs before.
        return True
    return any(is_inside(directory, temp) for temp in context.place.temps) and any(
        made == directory for made in _made(call)
    )


def _executions(call: Invocation) -> Sequence[Execution]:
    """All executions of the call, to be gone through for one of them."""
    executions = call.context.reading.executions
    call.context.effort.spend(len(executions) // 8, "where a git command runs")
    return executions


def _made(call: Invocation) -> Iterator[str]:
    """Directories in which the text makes a repository before this call."""
    for before in _executions(call):
        if before is call.execution:
            return
        if before.program != "git":
            continue
        for found in invocations(before, call.context):
            directory = found.directory()
            if found.command == "init" and directory is not None:
                named = found.options.operands
                text = named[0].text if named else ""
                if text is not None:
                    yield normalise(join(directory, text))


def _in_linked_worktree(call: Invocation) -> bool:
    environment = call.context.world.environment
    if call.git_dir is not None or call.work_tree is not None or _redirected(call.execution):
        return False
    if any(name in environment for name in PLACE_VARIABLES):
        return False
    if any(word.texts is None for word in call.execution.argv):
        return False
    repository = call.repository()
    return repository is not None and repository.linked
