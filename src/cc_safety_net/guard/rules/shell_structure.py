"""A dangerous command with a word from output that may be an option or the verb itself.

`rm $(opts) x`, `kubectl $(f) ns prod`: what a rule would look for is what is not known. Git's own
sub-commands are judged where they are read.
"""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Unknown, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.rules.context import Context

#: Programs whose options decide what is lost: any word may be one of them.
_BY_OPTIONS = frozenset(
    ("chgrp", "chmod", "chown", "dd", "grm", "rm", "rsync", "shred", "truncate")
)
#: Programs, and sub-commands of them, that print names of things and never an option.
_NAMING = frozenset(
    (
        "basename", "date", "dirname", "fd", "fdfind", "find", "hostname", "id", "locate", "ls",
        "lsof", "mktemp", "pgrep", "pwd", "readlink", "realpath", "rg", "stat", "type", "uname",
        "which", "whoami",
    )
)  # fmt: skip
_NAMING_GIT = frozenset(
    ("diff", "grep", "ls-files", "ls-tree", "merge-base", "rev-list", "rev-parse", "show", "status")
)
#: They hand on lines of what they are fed.
_FILTERS = frozenset(
    ("awk", "cut", "egrep", "grep", "head", "sed", "sort", "tac", "tail", "tr", "uniq", "xargs")
)


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    words = execution.argv[1:]
    context.effort.spend(1 + len(words), "the words of a command")
    if execution.program not in _BY_OPTIONS:
        # Up to the verb; an option's value before it is seldom a word of its own.
        at = next((i for i, word in enumerate(words) if not _is_option(word)), None)
        words = words[at : at + 1] if at is not None else ()
    for word in words:
        if word.text == "--":
            break
        if word.splits and _from_output(word):
            from cc_safety_net.guard.rules.unseen import permitted, source_of

            text = " ".join("|".join(shown(c) for c in each.choices) for each in execution.argv)
            look = permitted(source_of(word, context), context)
            yield Finding(
                "shell.dynamic-structure",
                text,
                execution.start,
                execution.end,
                chain=execution.chain,
                values={"look": look or f"{execution.program} --help"},
            )
            return


def _is_option(word: Word) -> bool:
    return (word.text or "").startswith("-")


def _from_output(word: Word) -> bool:
    """The word begins with the output of a program that may print anything."""
    for choice in word.choices:
        first = choice[0] if choice else ""
        if isinstance(first, Unknown) and first.why == "command":
            return not first.origin or not all(_names(each) for each in first.origin)
    return False


def _names(execution: Execution) -> bool:
    program = execution.program
    if program == "git":
        return any(word.text in _NAMING_GIT for word in execution.argv[1:4])
    if program in _FILTERS and execution.feeds:
        return all(_names(feed) for feed in execution.feeds)
    return program in _NAMING
