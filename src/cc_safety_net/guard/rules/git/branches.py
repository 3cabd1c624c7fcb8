"""Refs and what hangs on them: branch, tag, update-ref, worktrees, submodules."""

from __future__ import annotations

from cc_safety_net.guard.rules.git.exemptions import succeeded_before
from cc_safety_net.guard.rules.git.invocation import invocations, is_temporary
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.git.invocation import Invocation
    from cc_safety_net.guard.rules.git.options import Argument

#: Sub-commands that may move the current branch away from where it was.
_MOVING = frozenset(
    (
        "reset",
        "rebase",
        "commit",
        "pull",
        "am",
        "cherry-pick",
        "revert",
        "filter-branch",
        "filter-repo",
        "update-ref",
        "branch",
        "checkout",
        "switch",
        "stash",
        "replace",
        "merge",
    )
)
#: Those that can't take a commit away from the branch they move.
_FORWARD = frozenset(("merge", "cherry-pick", "revert", "am", "stash"))
#: Branches of one call whose tips are looked up; of more than these the form decides.
_LOOKED_UP = 32
_HEADS = "refs/heads/"
_REMOTES = "refs/remotes/"
_TAGS = "refs/tags/"


def branch(call: Invocation) -> Iterator[Finding]:
    options = call.options
    names = [*options.operands, *options.paths]
    if options.on("D") or (options.on("delete") and options.on("force")):
        lost = _lost(call, names)
        if lost or not names:
            yield call.finding(
                "git.branch-force-delete",
                branch=call.names(lost, "BRANCH"),
                saving=_keeping(call, lost),
                target=(lost[0].text or "") if lost else "",
            )
    elif options.on("force") and not options.on("move", "copy", "M", "C", "delete", "list"):
        yield from moves_ref(call, names[0] if names else None, "branch", names[1:])


def _keeping(call: Invocation, lost: Sequence[Argument]) -> str:
    """A command that deletes the branches and keeps their commits under a tag."""
    git = " ".join(["git", *call.globals])
    names = [name.text for name in lost if name.text and not name.pattern]
    if not names or len(names) != len(lost):
        return f"{git} branch --merged"
    tags = [f"{git} tag {quote('keep/' + name)} {quote(name)}" for name in names]
    kind = "-D -r" if call.options.on("remotes") else "-D"
    return " && ".join([*tags, f"{git} branch {kind} {' '.join(quote(name) for name in names)}"])


def _lost(call: Invocation, names: Sequence[Argument]) -> list[Argument]:
    """The branches whose tip no other ref holds, nor was made to hold just before."""
    left = [
        name for name in names if not name.text or name.pattern or not _kept_before(call, name.text)
    ]
    repository = call.repository()
    if not left or repository is None or len(left) > _LOOKED_UP:
        return left
    world = call.context.world
    place = _REMOTES if call.options.on("remotes") else _HEADS
    excluded = {place + (name.text or "") for name in names}
    excluded |= _uncertain_refs(call, repository.branch(world))
    return [
        name
        for name in left
        if not name.text
        or name.pattern
        or not repository.keeper(repository.tip(place + name.text, world), excluded, world)
    ]


def _kept_before(call: Invocation, name: str) -> bool:
    """`git tag keep name &&`, `git branch keep name &&`, `git merge name &&`, `git push r name &&`.

    Each of them has succeeded, so the tip is held by what it made.
    """
    for before in succeeded_before(call):
        options = before.options
        texts = [operand.text for operand in options.operands]
        if before.command in ("tag", "branch"):
            if options.on("delete", "D", "move", "M", "list", "v"):
                continue
            if len(texts) == 2 and texts[1] in (name, _HEADS + name, "heads/" + name):
                return texts[0] != name or before.command == "tag"
        elif before.command == "merge":
            if name in texts and not options.on("squash", "abort", "quit", "no-commit"):
                return options.last("commit") or not _mentions(before, "commit")
        elif before.command == "push":
            if name in texts[1:] and not options.on("dry-run", "delete", "prune"):
                return True
        elif before.command in _MOVING:
            return False
    return False


def _mentions(call: Invocation, option: str) -> bool:
    return any(name == option for name, _, _ in call.options.given)


def _uncertain_refs(call: Invocation, current: str) -> set[str]:
    """Refs that calls of the same text delete or move: what they hold now may be gone."""
    context = call.context
    key = "git.uncertain " + current
    found: set[str] | None = context.memo.get(key)
    if found is None:
        found = context.memo[key] = set()
        for other in context.reading.executions:
            if other.program == "git":
                for other_call in invocations(other, context):
                    found |= _moved_by(other_call, current)
    return found


def _moved_by(call: Invocation, current: str) -> set[str]:
    options = call.options
    names = [operand.text for operand in (*options.operands, *options.paths)]
    known = {text for text in names if text}
    command = call.command
    if command == "branch":
        if not options.on("D", "delete", "force", "move", "M"):
            return set()
        found = {place + text for text in known for place in (_HEADS, _REMOTES)}
        return found | {current} if options.on("move", "M") else found
    if command == "tag":
        return {_TAGS + text for text in known} if options.on("delete", "force") else set()
    if command in ("update-ref", "symbolic-ref"):
        return known
    if command in ("fetch", "remote", "push"):
        return {_REMOTES}
    if command in ("checkout", "switch"):
        made = options.value("B", "C", "force-create")
        return {_HEADS + (made.text or "")} if made is not None else set()
    if command in _MOVING and command not in _FORWARD:
        # Which branch is current by then depends on switches before: none of them counts.
        return {_HEADS}
    return set()


def moves_ref(
    call: Invocation, name: Argument | None, remedy: str, rest: Sequence[Argument] = ()
) -> Iterator[Finding]:
    """An existing branch is forced to another commit (`branch -f`, `checkout -B`, `switch -C`)."""
    if name is None or _is_new(call, _HEADS, name):
        return
    new = f"{name.text or name.shown}-new"
    start = call.names(rest, "") if rest else ""
    saving = f"{' '.join(['git', *call.globals])} {remedy} {quote(new)} {start}".rstrip()
    yield call.finding("git.ref-force", ref=name.text or name.shown, saving=saving)


def _is_new(call: Invocation, place: str, name: Argument) -> bool:
    """The ref is known not to exist."""
    repository = call.repository()
    if repository is None or name.text is None or call.execution.scope.kind != "local":
        return False
    return not repository.exists(place + name.text, call.context.world)


def tag(call: Invocation) -> Iterator[Finding]:
    options = call.options
    names = [*options.operands, *options.paths]
    if options.on("delete"):
        yield call.finding("git.tag-delete", tag=call.names(names, "TAG"))
    elif options.on("force") and names and not _is_new(call, _TAGS, names[0]):
        new = quote(f"{names[0].text or names[0].shown}-new")
        start = call.names(names[1:], "") if names[1:] else ""
        saving = f"{' '.join(['git', *call.globals])} tag {new} {start}".rstrip()
        yield call.finding("git.ref-force", ref=names[0].text or "", saving=saving)


def update_ref(call: Invocation) -> Iterator[Finding]:
    options = call.options
    names = [*options.operands, *options.paths]
    if options.on("stdin"):
        deletes = _feeds_deletes(call)
    else:
        value = names[1].text if len(names) > 1 else None
        # An empty or all-zero new value deletes the ref, too.
        deletes = options.on("delete") or (value is not None and not value.strip("0"))
    if deletes:
        yield call.finding("git.update-ref-delete", ref=call.names(names[:1], ""))


def _feeds_deletes(call: Invocation) -> bool:
    """Standard input holds `delete REF`, or comes from a format that makes such lines."""
    execution = call.execution
    text = (execution.stdin.text if execution.stdin is not None else None) or ""
    if any(line.startswith("delete ") for line in text.replace("\0", "\n").split("\n")):
        return True
    return any(
        (word.text or "").removeprefix("--format=").startswith("delete ")
        for feed in execution.feeds
        for word in feed.argv[1:]
    )


def symbolic_ref(call: Invocation) -> Iterator[Finding]:
    if call.options.on("delete"):
        yield call.finding("git.update-ref-delete", ref=call.names(call.options.operands[:1], ""))


def worktree(call: Invocation) -> Iterator[Finding]:
    options = call.options
    words = options.operands
    if not words or words[0].text != "remove" or not options.on("force"):
        return
    paths = [*words[1:], *options.paths]
    for path in paths:
        full = call.path(path)
        if full is None or not _is_temporary_directory(full, call):
            break
    else:
        if paths:
            return
    # A path is relative to the directory of `-C`, the suggestion is not.
    named = [quote(call.path(path) or path.shown) if call.changes else "" for path in paths]
    yield call.finding(
        "git.worktree-remove-force",
        path=" ".join(named) if named and call.changes else call.names(paths, "PATH"),
    )


def _is_temporary_directory(path: str, call: Invocation) -> bool:
    if not is_temporary(path, call.context):
        return False
    if not call.local:
        return True
    world = call.context.world
    return world.is_directory(path) and is_temporary(world.resolve(path), call.context)


def submodule(call: Invocation) -> Iterator[Finding]:
    options = call.options
    words = options.operands
    if not words or words[0].text != "deinit" or not options.on("force"):
        return
    paths = [*words[1:], *options.paths]
    yield call.finding("git.submodule-deinit-force", path=call.names(paths, "--all"))
