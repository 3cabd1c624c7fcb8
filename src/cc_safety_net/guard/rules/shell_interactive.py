"""A shell or console that waits for typed input, from an agent whose input reaches no hook."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

#: Agents that keep a program running and type into it by a tool that their hooks don't see.
_AGENTS = frozenset(("codex",))
#: Options that only ask, or that hold the code themselves.
_ENDS = frozenset(("--version", "--help", "-V", "-h", "-v", "--eval", "--print", "-e", "-p", "-c"))
#: Options of interpreters and consoles that take the next word.
_VALUED = frozenset(("-O", "+O", "-o", "--rcfile", "--init-file", "-W", "-X", "-r", "--require"))
#: Consoles of databases take names as operands, the commands by option or input.
_CONSOLES = {
    "psql": ("-c", "-f", "--command", "--file", "-l", "--list"),
    "mysql": ("-e", "--execute"),
    "mariadb": ("-e", "--execute"),
    "mongosh": ("--eval", "--file", "-f"),
}


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    if context.call.agent not in _AGENTS or _is_fed(execution) or execution.script:
        return ()
    words = [word.text for word in execution.argv[1:]]
    if None in words or not _waits(execution.program, [word or "" for word in words]):
        return ()
    return [
        Finding(
            "shell.interactive",
            " ".join(word.text or "?" for word in execution.argv),
            execution.start,
            execution.end,
            chain=execution.chain,
            values={"program": execution.program},
        )
    ]


def _is_fed(execution: Execution) -> bool:
    return bool(
        execution.feeds
        or execution.stdin is not None
        or any(redirection.op.startswith("<") for redirection in execution.redirects)
    )


def _waits(program: str, words: list[str]) -> bool:
    if program in _CONSOLES:
        given = (*_CONSOLES[program], "--version", "--help", "-V")
        return not any(word.startswith(given) for word in words)
    asked = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in _VALUED:
            at += 1
        elif word in ("-i", "--interactive"):
            asked = True
        elif word.startswith(("-", "+")) and word != "-":
            if word in _ENDS or (not word.startswith("--") and set(word) & set("cmeE")):
                return asked
        elif word != "-":
            return asked
    return True
