"""Arithmetic expansion: an expression's words, variables and assignments in a state."""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables, words
from cc_safety_net.guard.interpret.arithmetic import Evaluation
from cc_safety_net.guard.interpret.values import only_text, text_choice, unknown_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.shell.posix import nodes


def evaluate(m: Machine, state: State, expression: nodes.Word) -> int | None:
    """The value of `$((…))`, `((…))`, a subscript or an offset; None if it is not known."""
    text = only_text(words.single(m, state, expression))
    return None if text is None else evaluate_text(m, state, text)


def evaluate_text(m: Machine, state: State, text: str) -> int | None:
    m.effort.spend(1 + len(text) // 4, "an arithmetic expression")

    def read(name: str) -> int | None:
        return variables.integer(m, state, name)

    def write(name: str, value: int | None) -> None:
        if value is None:
            variables.assign(m, state, name, unknown_choice("arithmetic", name, may_be_empty=False))
        else:
            variables.assign(m, state, name, text_choice(str(value)))

    return Evaluation(text, read, write).value()
