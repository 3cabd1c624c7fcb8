"""Commands that overwrite or delete files of the work tree: reset, restore, clean, rm, plumbing."""

from __future__ import annotations

from cc_safety_net.guard.paths import is_below
from cc_safety_net.guard.rules.git.exemptions import after_stash, only_lock_files
from cc_safety_net.guard.rules.git.invocation import is_literal, is_magic
from cc_safety_net.guard.rules.git.paths import only_conflicted, saving
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.git.invocation import Invocation
    from cc_safety_net.guard.rules.git.options import Argument

_MODES = ("mixed", "soft", "hard", "merge", "keep")
_FALSE = frozenset(("false", "no", "off", "0", ""))


def reset(call: Invocation) -> Iterator[Finding]:
    options = call.options
    modes = [name for name, positive, _ in options.given if positive and name in _MODES]
    mode = modes[-1] if modes and options.last(modes[-1]) else "mixed"
    if mode not in ("hard", "merge"):
        return
    revision = options.operands[0] if options.operands else None
    here = revision is None or revision.text in ("HEAD", "@")
    if here and after_stash(call):
        return
    move = ""
    if revision is not None and revision.text and not here:
        move = f" && {_git(call)} reset --keep {quote(revision.text)}"
    yield call.finding("git.reset-" + mode, move=move)


def restore(call: Invocation) -> Iterator[Finding]:
    options = call.options
    if options.on("patch") and not call.fed:
        return
    source = options.value("source")
    paths = [*options.operands, *options.paths]
    listed = options.value("pathspec-from-file") is not None or options.on("patch")
    staged = options.on("staged")
    worktree = options.on("worktree")
    if (staged and not worktree) or not (paths or listed):
        return
    if only_lock_files(paths) and not listed:
        return
    here = source is None or source.text in ("HEAD", "@")
    if here and after_stash(call):
        return
    if options.on("ours", "theirs") and not listed and only_conflicted(call, paths):
        return
    rule = "git.restore-worktree" if worktree or source is not None else "git.restore-unstaged"
    yield call.finding(rule, saving=saving(call, None if here else source, paths))


def clean(call: Invocation) -> Iterator[Finding]:
    options = call.options
    answered = options.on("interactive") and call.fed
    if options.on("dry-run") or (options.on("interactive") and not answered):
        return
    if not options.on("force") and not answered and not _needs_no_force(call):
        return
    paths = [*options.operands, *options.paths]
    if only_lock_files(paths) or _below_root(call, paths):
        return
    yield call.finding("git.clean-force", paths=call.names(paths))


def _needs_no_force(call: Invocation) -> bool:
    return any(
        key == "clean.requireforce" and value is not None and (value.text or "").lower() in _FALSE
        for key, value in call.config
    )


def remove(call: Invocation) -> Iterator[Finding]:
    options = call.options
    if options.on("dry-run", "cached") or not options.on("force"):
        return
    paths = [*options.operands, *options.paths]
    if options.value("pathspec-from-file") is None and (
        not paths or all(_names_part(call, path) for path in paths)
    ):
        return
    yield call.finding("git.rm-force", paths=call.names(paths))


def _names_part(call: Invocation, path: Argument) -> bool:
    """The path, or the literal directory of a pattern, lies below the root of the work tree."""
    if is_literal(path):
        return _below_root(call, [path])
    text = path.text
    if text is None or is_magic(text):
        return False
    directory = text
    for sign in ("*", "?", "["):
        directory = directory.partition(sign)[0]
    directory = directory.rpartition("/")[0]
    if not directory and not text.startswith("/"):
        start, root = call.directory(), call.work_tree_root()
        return start is not None and root is not None and is_below(start, root)
    from cc_safety_net.guard.rules.git.options import Argument

    return _below_root(call, [Argument(directory, directory, directory, (directory,))])


def _below_root(call: Invocation, paths: Sequence[Argument]) -> bool:
    """All paths are literal and lie strictly below the work tree's root: a delete of just them."""
    if not paths or not all(is_literal(path) for path in paths):
        return False
    root = call.work_tree_root()
    for path in paths:
        full = call.path(path)
        if full is None or root is None:
            # The directory is unknown or on another machine: a plain name still names a part.
            text = path.text or ""
            if text.startswith("/") or ".." in text.split("/") or not text.strip("./"):
                return False
        elif not is_below(full, root) and not is_below(call.context.world.resolve(full), root):
            return False
    return True


def checkout_index(call: Invocation) -> Iterator[Finding]:
    options = call.options
    if not options.on("force") or options.on("temp"):
        return
    prefix = options.value("prefix")
    if prefix is not None and prefix.text not in ("", "./"):
        # An export to another place.
        return
    paths = [*options.operands, *options.paths]
    if not (paths or options.on("all", "stdin")) or only_lock_files(paths) or after_stash(call):
        return
    yield call.finding("git.checkout-index-force", paths=call.names(paths, "-a"))


def read_tree(call: Invocation) -> Iterator[Finding]:
    options = call.options
    if options.on("reset") and not options.on("dry-run"):
        trees = options.operands or options.paths
        yield call.finding("git.read-tree-reset", tree=call.names(trees, "HEAD"))


def _git(call: Invocation) -> str:
    return " ".join(["git", *call.globals])
