"""Calls of functions: positional parameters, locals, and what leaves a construct early."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Word
from cc_safety_net.guard.interpret.machine import Frame, Outcome
from cc_safety_net.guard.interpret.state import ARGUMENTS, State, Variable, above, settle
from cc_safety_net.guard.limits import CALL_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.commands import Job
    from cc_safety_net.guard.interpret.flow import Function
    from cc_safety_net.guard.interpret.machine import Machine

#: Calls of functions that already run, in one text.
_RECURSIONS = 64
#: How far a jump goes: out of a loop, a function, the shell.
_REACH = {"break": 1, "continue": 1, "function": 2, "shell": 3}


def call(
    m: Machine,
    state: State,
    function: Function,
    arguments: Sequence[Word],
    name: Word,
    job: Job | None = None,
) -> Outcome:
    """Call a function: its body with these positional parameters, locals put back afterwards."""
    active = [depth for called, depth in m.calls if called == function.name]
    if active:
        m.recursions += 1
        if m.parallel > active[-1]:
            m.reading.forks.append((function.name, name.start, name.end))
            return Outcome(state, state)
    if len(m.calls) >= CALL_DEPTH or (active and m.recursions > _RECURSIONS):
        return Outcome(state, state)
    saved = (m.span, m.base, m.script, m.certain)
    jumped = m.jumped
    if function.span is not None:
        m.span = function.span
    m.base = function.base
    m.script = function.script
    layer = State(state)
    frame = Frame("function", state)
    frame.saved[ARGUMENTS] = state.look(ARGUMENTS)
    if job is not None:
        for key, word in job.env.items():
            frame.saved[key] = state.look(key)
            layer.put(key, Variable(word.choices, flags="x"))
    layer.put(ARGUMENTS, positionals(arguments))
    m.frames.append(frame)
    m.calls.append((function.name, m.parallel))
    from cc_safety_net.guard.interpret.flow import run

    outcome = run(m, function.node, layer)
    m.calls.pop()
    m.frames.pop()
    m.span, m.base, m.script, m.certain = saved
    m.jumped = m.jumped if m.jumped == 3 else jumped
    return returned(state, frame, outcome)


def returned(state: State, frame: Frame, outcome: Outcome) -> Outcome:
    oks = [outcome.ok, *(s for s, success in frame.left if success is not False)]
    fails = [outcome.fail, *(s for s, success in frame.left if success is not True)]
    may_succeed = any(s is not None for s in oks)
    may_fail = any(s is not None for s in fails)
    if not settle(state, (*oks, *fails)):
        return Outcome(None, None)
    for key, value in frame.saved.items():
        state.put(key, value)
    return Outcome(state if may_succeed else None, state if may_fail else None, outcome.done)


def positionals(arguments: Sequence[Word]) -> tuple[object, ...]:
    """Positional parameters from words; a word that may split makes their number unknown."""
    if any(word.splits or _is_pattern(word) for word in arguments):
        known_part = tuple(word.choices for word in arguments)
        return (known_part, None)
    return (tuple(word.choices for word in arguments),)


def _is_pattern(word: Word) -> bool:
    return any(isinstance(piece, Glob) for choice in word.choices for piece in choice)


def jump(m: Machine, state: State, kind: str, count: int, success: bool | None) -> None:
    """Note the state in which `break`, `continue`, `return` or `exit` leaves its construct."""
    m.jumped = max(m.jumped, _REACH[kind])
    wanted = "loop" if kind in ("break", "continue") else kind
    for frame in reversed(m.frames):
        if frame.kind == "function" and wanted == "loop":
            return
        if frame.kind != wanted:
            continue
        count -= 1
        if count > 0:
            continue
        copy = above(state, frame.base)
        if kind == "continue":
            frame.continued.append(copy)
        else:
            frame.left.append((copy, success))
        return
