"""Shell text: parsed and run, with what could not be parsed reported."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import CodeRun, known
from cc_safety_net.guard.shell.posix.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.machine import Machine, Outcome
    from cc_safety_net.guard.interpret.state import State


def run_source(m: Machine, state: State, text: str) -> Outcome:
    """Run POSIX text in `state`."""
    result = parse(text, m.effort)
    saved, m.dialect = m.dialect, "posix"
    outcome = m.run_script(m, result.script, state)
    m.dialect = saved
    if result.problems:
        problem = result.problems[0]
        start, end = m.span or (problem.start + m.base, len(text) + m.base)
        rest = text[min(result.rest, problem.start) :]
        m.reading.codes.append(
            CodeRun("unparseable", known(rest, start, end), start, end, chain=m.chain)
        )
    return outcome
