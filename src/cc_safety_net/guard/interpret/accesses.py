"""Puts what a builtin or a cmdlet touches into the reading, with all that its execution knows."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import FileAccess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.interpret.machine import Machine


def touch(
    m: Machine,
    execution: Execution,
    word: Word,
    mode: str,
    *,
    via: str = "",
    recursive: bool = False,
    found: bool = False,
    content: Word | None = None,
    source: Word | None = None,
    destination: Word | None = None,
) -> None:
    """The arguments are FileAccess's; `via` is the program if it is left out."""
    m.effort.spend(4, "the paths of a command")
    m.reading.accesses.append(
        FileAccess(
            word,
            mode,
            via or execution.program,
            execution.cwds,
            execution.start,
            execution.end,
            recursive=recursive,
            found=found,
            execution=execution,
            chain=execution.chain,
            scope=execution.scope,
            content=content,
            source=source,
            destination=destination,
        )
    )
