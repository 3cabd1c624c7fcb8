"""What the runners of tasks share: one text of a task, handed to a new shell."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word
from cc_safety_net.guard.interpret.state import CWDS, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine


def run_line(
    m: Machine,
    state: State,
    execution: Execution,
    pieces: Pieces,
    label: str,
    *,
    directory: str | None = None,
) -> None:
    """Run a text with unknown parts in a shell of its own, in `directory`."""
    from cc_safety_net.guard.interpret.texts import run_text

    shell = State(state)
    if directory is not None:
        shell.put(CWDS, (directory,))
    word = Word((pieces,), execution.start, execution.end)
    given = m.input
    run_text(m, shell, word, label, how="script", new=True)
    m.input = given
