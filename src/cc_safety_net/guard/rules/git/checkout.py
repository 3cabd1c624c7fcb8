"""`git checkout` and `git switch`: two commands in one, told apart as git tells them apart."""

from __future__ import annotations

from cc_safety_net.guard.rules.git.branches import moves_ref
from cc_safety_net.guard.rules.git.exemptions import after_stash, only_lock_files
from cc_safety_net.guard.rules.git.paths import is_path, names_commit, only_conflicted, saving
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.git.invocation import Invocation
    from cc_safety_net.guard.rules.git.options import Argument


def checkout(call: Invocation) -> Iterator[Finding]:
    options = call.options
    if options.on("patch"):
        # Questions that nobody answers discard nothing.
        if call.fed:
            paths = [*options.operands, *options.paths]
            yield call.finding("git.checkout-double-dash", saving=saving(call, None, paths))
        return
    yield from moves_ref(call, options.value("B"), "checkout -b")
    paths = [*options.operands, *options.paths]
    if options.on("force"):
        if not _is_saved(call, paths):
            yield call.finding("git.checkout-force", then=_then(call, "checkout"))
        return
    listed = options.value("pathspec-from-file")
    if listed is not None:
        yield call.finding(
            "git.checkout-pathspec-from-file", file=quote(listed.text or listed.shown)
        )
        return
    if options.on("ours", "theirs"):
        if paths and not only_lock_files(paths) and not only_conflicted(call, paths):
            yield call.finding("git.checkout-conflict-side", saving=_sides(call, paths))
        return
    yield from _of_paths(call)


def _is_saved(call: Invocation, paths: Sequence[Argument]) -> bool:
    """`checkout -f` loses nothing: only lock files, or a stash with the untracked files is made."""
    return only_lock_files(paths) or after_stash(call, untracked=True)


def _of_paths(call: Invocation) -> Iterator[Finding]:
    options = call.options
    operands = options.operands
    if options.dashes and options.paths:
        revision = operands[0] if operands else None
        if only_lock_files(options.paths) or (_is_here(revision) and after_stash(call)):
            return
        rule = "git.checkout-double-dash" if revision is None else "git.checkout-ref-path"
        yield call.finding(rule, saving=saving(call, revision, options.paths))
        return
    if options.dashes:
        return
    certain = [operand for operand in operands if not operand.optional]
    if len(certain) >= 2:
        first = certain[0]
        lead = first if first.text and names_commit(call, first.text) else None
        rest = certain if lead is None else certain[1:]
        if not only_lock_files(rest) and not (_is_here(lead) and after_stash(call)):
            yield call.finding("git.checkout-ambiguous", saving=saving(call, lead, rest))
        return
    if len(operands) != 1 or _creates(call) or not is_path(call, operands[0]):
        return
    if not only_lock_files(operands) and not after_stash(call):
        yield call.finding("git.checkout-double-dash", saving=saving(call, None, operands))


def _is_here(revision: Argument | None) -> bool:
    return revision is None or revision.text in ("HEAD", "@")


def _creates(call: Invocation) -> bool:
    options = call.options
    return options.value("b", "B", "orphan") is not None or options.on("track", "detach")


def _sides(call: Invocation, paths: Sequence[Argument]) -> str:
    side, number = ("ours", 2) if call.options.on("ours") else ("theirs", 3)
    git = " ".join(["git", *call.globals])
    text = paths[0].text
    if len(paths) != 1 or not text or text.strip("./") == "" or text.startswith(("/", ":")):
        return f"{git} diff --name-only --diff-filter=U"
    return f"{git} show {quote(f':{number}:./{text}')} > {quote(f'{text}.{side}')}"


def switch(call: Invocation) -> Iterator[Finding]:
    options = call.options
    yield from moves_ref(call, options.value("force-create", "C"), "switch -c")
    if not options.on("force", "discard-changes") or after_stash(call, untracked=True):
        return
    rule = "git.switch-force" if options.on("force") else "git.switch-discard-changes"
    yield call.finding(rule, then=_then(call, "switch"))


def _then(call: Invocation, command: str) -> str:
    """The rest of the suggestion: switch without force, once the edits are put aside."""
    options = call.options
    branch = options.operands[0] if len(options.operands) == 1 else None
    if branch is None or not branch.text or options.paths or _creates(call):
        return ""
    if command == "checkout" and is_path(call, branch):
        return ""
    return f" && {' '.join(['git', *call.globals])} {command} {quote(branch.text)}"
