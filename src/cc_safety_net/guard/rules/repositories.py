"""Repositories on the disk that a deletion would take, and those that the text itself makes."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.paths import basename, is_inside, join, normalise
from cc_safety_net.guard.rules.repository import is_linked_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces, Word
    from cc_safety_net.guard.rules.context import Context

#: Options of `git clone` that take the next word.
_CLONE_VALUES = frozenset(
    (
        "-b",
        "--branch",
        "-o",
        "--origin",
        "-u",
        "--upload-pack",
        "-c",
        "--config",
        "-j",
        "--jobs",
        "--depth",
        "--reference",
        "--reference-if-able",
        "--separate-git-dir",
        "--shallow-since",
        "--shallow-exclude",
        "--template",
        "--filter",
        "--server-option",
        "--bundle-uri",
    )
)
_GIT_VALUES = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace"))


def held_in(path: str, context: Context, start: int, no_look: Collection[str]) -> tuple[str, str]:
    """The `.git` directory and the linked worktree that a directory is or holds in a child.

    "" for each that there is none of. Of directories with a name of `no_look` no child counts.
    """
    world = context.world
    if not world.is_directory(path):
        return "", ""
    own = join(path, ".git")
    if world.is_directory(own) and not cloned_here(path, context, start):
        return own, ""
    worktree = path if is_linked_worktree(path, world) else ""
    if basename(path) in no_look:
        return "", worktree
    for name in world.names(path) or ():
        context.effort.spend(2, "the entries of a directory")
        child = join(path, name)
        git = join(child, ".git")
        if world.is_directory(git) and not cloned_here(child, context, start):
            return git, worktree
        if not worktree and world.is_file(git) and is_linked_worktree(child, world):
            worktree = child
    return "", worktree


def cloned_here(directory: str, context: Context, start: int) -> bool:
    """A `git clone` or `git init` earlier in the text makes the repository at `directory`."""
    for execution, destination in _made(context, start):
        text = destination if isinstance(destination, str) else destination.text
        if text is None:
            continue
        for cwd in execution.cwds:
            if cwd is not None or text.startswith("/"):
                made = normalise(join(cwd or "/", text))
                if made == directory or (is_inside(directory, made) and made != "/"):
                    return True
    return False


def makes_any(context: Context, start: int) -> bool:
    """The text makes a repository before this place."""
    return bool(_made(context, start))


def cloned_to(parts: Sequence[Pieces], context: Context, start: int) -> bool:
    """The same for a destination that is not wholly known: it must be written alike."""
    written = "/".join(shown(part) for part in parts)
    for _, destination in _made(context, start):
        if isinstance(destination, str):
            continue
        if any(shown(choice).rstrip("/") == written for choice in destination.choices):
            return True
    return False


def _made(context: Context, start: int) -> list[tuple[Execution, Word | str]]:
    known: list[tuple[Execution, Word | str]] | None = context.memo.get("clones")
    if known is None:
        known = []
        for execution in context.reading.executions:
            destination = _destination(execution)
            if destination is not None:
                known.append((execution, destination))
        context.memo["clones"] = known
    context.effort.spend(len(known) // 8, "repositories that the text clones")
    return [(e, d) for e, d in known if e.start <= start]


def _destination(execution: Execution) -> Word | str | None:
    """Where a command makes a repository; None if it makes none."""
    if execution.program not in ("git", "gh", "glab", "hub"):
        return None
    words = execution.argv[1:]
    texts = [word.text for word in words]
    at = 0
    while at < len(texts) and (texts[at] or "-").startswith("-"):
        at += 2 if texts[at] in _GIT_VALUES else 1
    verb = texts[at] if at < len(texts) else ""
    if verb == "repo" and execution.program != "git":
        at += 1
        verb = texts[at] if at < len(texts) else ""
    if verb not in ("clone", "init"):
        return None
    operands: list[Word] = []
    at += 1
    while at < len(texts):
        text = texts[at]
        if text == "--" and execution.program != "git":
            break
        if text is not None and text.startswith("-") and text != "-":
            at += 2 if text in _CLONE_VALUES else 1
            continue
        operands.append(words[at])
        at += 1
    if verb == "init":
        return operands[0] if operands else "."
    if len(operands) > 1:
        return operands[1]
    source = operands[0].text if operands else None
    if source is None:
        return None
    name = basename(source.rstrip("/").replace(":", "/"))
    return name.removesuffix(".git") or None
