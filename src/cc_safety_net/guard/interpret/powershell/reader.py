"""The door to PowerShell: text in, executions and file accesses into the machine's reading."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import CodeRun, known
from cc_safety_net.guard.interpret.machine import Outcome
from cc_safety_net.guard.interpret.powershell.commands import Commands
from cc_safety_net.guard.interpret.state import ARGUMENTS, ZERO
from cc_safety_net.guard.shell.powershell.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State


def run(m: Machine, state: State, text: str) -> Outcome:
    """Run PowerShell text in `state`."""
    result = parse(text, m.effort)
    shell = Commands(m, state)
    shell.source = text
    lists = state.look(ARGUMENTS) if state.look(ZERO) is not None else None
    if lists:
        # The text is a script; of several lists of arguments the first tells enough.
        shell.take_arguments(result.parameters, lists[0] or ())
    found = shell.statements(result.script)
    if m.output is not None and not found.is_nothing:
        m.emit(found.joined("\n"))
    if result.problems:
        start, end = m.span or (result.rest, len(text))
        rest = text[result.rest :]
        m.reading.codes.append(
            CodeRun("unparseable", known(rest, start, end), start, end, chain=m.chain)
        )
    return Outcome(state, state)
