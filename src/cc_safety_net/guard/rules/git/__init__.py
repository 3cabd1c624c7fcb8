"""Git: discards, refs, history, configuration. This module finds out which part judges a call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.git.invocation import Invocation

#: Sub-command -> (module of this package, function).
HANDLERS: dict[str, tuple[str, str]] = {
    "reset": ("discard", "reset"),
    "checkout": ("checkout", "checkout"),
    "switch": ("checkout", "switch"),
    "restore": ("discard", "restore"),
    "clean": ("discard", "clean"),
    "rm": ("discard", "remove"),
    "checkout-index": ("discard", "checkout_index"),
    "read-tree": ("discard", "read_tree"),
    "branch": ("branches", "branch"),
    "tag": ("branches", "tag"),
    "update-ref": ("branches", "update_ref"),
    "symbolic-ref": ("branches", "symbolic_ref"),
    "worktree": ("branches", "worktree"),
    "submodule": ("branches", "submodule"),
    "push": ("push", "push"),
    "send-pack": ("push", "push"),
    "stash": ("history", "stash"),
    "reflog": ("history", "reflog"),
    "gc": ("history", "collect"),
    "prune": ("history", "prune"),
    "filter-branch": ("history", "rewrite"),
    "filter-repo": ("history", "rewrite"),
    "rebase": ("history", "abort"),
    "merge": ("history", "abort"),
    "cherry-pick": ("history", "abort"),
    "revert": ("history", "abort"),
    "am": ("history", "abort"),
    "config": ("config", "stored"),
    "clone": ("config", "cloned"),
}

#: Sub-commands of which an unknown word may make a loss (`shell.dynamic-structure`).
DANGEROUS = frozenset(
    (
        "reset",
        "checkout",
        "switch",
        "restore",
        "clean",
        "rm",
        "checkout-index",
        "read-tree",
        "branch",
        "push",
        "stash",
        "update-ref",
        "worktree",
        "reflog",
        "gc",
    )
)
#: Global options that change nothing about what a sub-command does.
_PLAIN_OPTIONS = frozenset(("--no-pager", "-P", "-p", "--paginate", "--no-optional-locks"))
#: Programs, and sub-commands of git, whose output is a name and never an option.
_NAMING = frozenset(
    (
        "rev-parse",
        "merge-base",
        "symbolic-ref",
        "describe",
        "rev-list",
        "name-rev",
        "log",
        "for-each-ref",
        "branch",
        "tag",
        "ls-files",
        "diff",
        "ls-tree",
        "config",
        "status",
        "show",
        "date",
        "id",
        "whoami",
        "hostname",
        "uname",
        "basename",
        "dirname",
        "mktemp",
        "realpath",
    )
)


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    if execution.program in ("bfg", "java"):
        from cc_safety_net.guard.rules.git.history import check_bfg  # rare

        return check_bfg(execution, context)
    if not _concerns(execution):
        return ()
    from cc_safety_net.guard.rules.git.invocation import invocations

    found: dict[tuple[str, str], Finding] = {}
    for call in invocations(execution, context):
        for finding in _judge(call):
            found.setdefault((finding.rule, finding.target), finding)
    return found.values()


def _concerns(execution: Execution) -> bool:
    """Whether the call can be one that a rule is about; the everyday ones end here."""
    if execution.program != "git":
        return True
    for name in execution.env:
        if name.startswith("GIT_"):
            return True
    for word in execution.argv[1:]:
        text = word.text
        if text is None:
            return True
        if not text.startswith("-"):
            return text in HANDLERS
        if text not in _PLAIN_OPTIONS:
            return True
    return False


def _judge(call: Invocation) -> Iterator[Finding]:
    if call.config or any(name.startswith("GIT_") for name in call.execution.env):
        from cc_safety_net.guard.rules.git.config import check_settings  # rare

        yield from check_settings(call)
    command = call.command
    if command is None or call.options.helps:
        return
    handler = HANDLERS.get(command)
    if handler is not None:
        from cc_safety_net.guard.rules.catalogue import load
        from cc_safety_net.guard.rules.git.exemptions import exempt

        for finding in getattr(load("git." + handler[0]), handler[1])(call):
            if not exempt(call, finding.rule):
                yield finding
    if command in DANGEROUS:
        for word in call.options.unclear:
            if _from_output(word.pieces):
                yield call.finding("shell.dynamic-structure", look=_look(word.pieces, call))
                return


def _look(pieces: Iterable[object], call: Invocation) -> str:
    """What prints the output; only for a denial."""
    from cc_safety_net.guard.interpret.facts import Unknown
    from cc_safety_net.guard.rules.unseen import permitted, producers

    for piece in pieces:
        if isinstance(piece, Unknown) and piece.origin:
            text = permitted(producers(piece.origin, call.context), call.context)
            if text:
                return text
    return "git status"


def _from_output(pieces: Iterable[object]) -> bool:
    """The word comes from the output of a program that may print anything, options included."""
    from cc_safety_net.guard.interpret.facts import Unknown

    for piece in pieces:
        if isinstance(piece, Unknown):
            if piece.why != "command":
                return False
            return not piece.origin or not all(_names(origin) for origin in piece.origin)
    return False


def _names(execution: Execution) -> bool:
    if execution.program != "git":
        return execution.program in _NAMING
    return any(word.text in _NAMING for word in execution.argv[1:3])
