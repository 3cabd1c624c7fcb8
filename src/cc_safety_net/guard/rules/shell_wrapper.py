"""A program nobody knows, called with the words of a denied command (`mywrap rm -rf /etc`)."""

from __future__ import annotations

from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

#: Programs with which a denied command may begin; a word that is none of them ends the search.
_BEGINNINGS = frozenset(
    (
        "aws",
        "bash",
        "blkdiscard",
        "chmod",
        "chown",
        "dd",
        "docker",
        "find",
        "gcloud",
        "git",
        "kill",
        "kubectl",
        "lvremove",
        "mkfs",
        "mkswap",
        "mv",
        "pkill",
        "psql",
        "python",
        "python3",
        "reboot",
        "redis-cli",
        "rm",
        "rmdir",
        "sh",
        "shred",
        "shutdown",
        "terraform",
        "tofu",
        "truncate",
        "unlink",
        "wipefs",
        "zfs",
    )
)
#: Programs that take words as data and run none of them.
_DATA = frozenset(
    (
        "alias",
        "apropos",
        "apt",
        "apt-get",
        "bat",
        "brew",
        "case",
        "cat",
        "cd",
        "command",
        "compgen",
        "complete",
        "cowsay",
        "declare",
        "echo",
        "export",
        "expr",
        "false",
        "figlet",
        "function",
        "hash",
        "help",
        "history",
        "info",
        "local",
        "logger",
        "ls",
        "man",
        "mkdir",
        "notify-send",
        "printf",
        "read",
        "readonly",
        "say",
        "set",
        "tee",
        "test",
        "tldr",
        "touch",
        "true",
        "type",
        "typeset",
        "unset",
        "whatis",
        "whereis",
        "which",
    )
)
#: They take no operands: with one behind it, the word is a verb of the program before it.
_ALONE = frozenset(("reboot",))
_WORDS = 16


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    program = execution.program
    if not program or len(execution.argv) < 2 or program in _DATA or _is_known(program):
        return ()
    for at, word in enumerate(execution.argv[1:_WORDS], 1):
        text = (word.text or "").rpartition("/")[2]
        if text in _BEGINNINGS:
            after = execution.argv[at + 1 :]
            if text in _ALONE and any((word.text or "")[:1] != "-" for word in after):
                return ()
            return _judge(execution, at, context)
    return ()


def _judge(execution: Execution, at: int, context: Context) -> Iterable[Finding]:
    from cc_safety_net.guard.decision import Finding as Found
    from cc_safety_net.guard.rules.nested import is_denied

    words: Sequence[str | None] = [word.text for word in execution.argv[at:]]
    inner = " ".join(quote(text) for text in words if text is not None)
    directory = execution.cwds[0] if len(execution.cwds) == 1 else None
    if not is_denied(inner, context, directory):
        return ()
    return [
        Found(
            "shell.unknown-wrapper",
            " ".join(quote(word.text) if word.text is not None else "?" for word in execution.argv),
            execution.start,
            execution.end,
            chain=execution.chain,
            values={
                "program": execution.program,
                "inner": inner,
                "look": quote(execution.argv[0].text or execution.program),
            },
        )
    ]


def _is_known(program: str) -> bool:
    """What the interpreter and the other rules know they read themselves."""
    from cc_safety_net.guard.interpret.effects import engine as effects
    from cc_safety_net.guard.interpret.wrappers import engine as wrappers
    from cc_safety_net.guard.rules.catalogue import FAMILIES

    return (
        program in effects.PROGRAMS
        or program in effects.TEXT_ONLY
        or program in wrappers.PROGRAMS
        or any(program in family.programs for family in FAMILIES)
    )
