"""Shell dialects other than POSIX: which module reads them."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import CodeRun, known
from cc_safety_net.guard.interpret.machine import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State

#: Dialect -> module with `run(m, state, text) -> Outcome`.
READERS: dict[str, str] = {
    "cmd": "cc_safety_net.guard.interpret.cmd.reader",
    "powershell": "cc_safety_net.guard.interpret.powershell.reader",
}


def run_dialect(m: Machine, state: State, text: str, dialect: str, how: str) -> Outcome:
    """Run text of `dialect`; one that no module reads is code that stays opaque."""
    module = READERS.get(dialect)
    if module is None:
        start, end = m.span or (0, len(text))
        m.reading.codes.append(CodeRun(how, known(text, start, end), start, end, chain=m.chain))
        return Outcome(state, state)
    from importlib import import_module

    saved, m.dialect = m.dialect, dialect
    found: Outcome = import_module(module).run(m, state, text)
    m.dialect = saved
    return found
