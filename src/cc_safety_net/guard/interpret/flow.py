"""Control flow: lists, pipes, branches, loops, groups, functions.

A runner gets a state that it may change, and returns an `Outcome` whose states are that state or
layers above it. A branch that can't be decided counts as taken and as not taken.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret import calls, commands, words
from cc_safety_net.guard.interpret.facts import Execution, Unknown, known
from cc_safety_net.guard.interpret.loops import run_arithmetic_for, run_for, run_while
from cc_safety_net.guard.interpret.machine import Frame, Input, Outcome
from cc_safety_net.guard.interpret.state import State, joined, settle
from cc_safety_net.guard.interpret.values import EMPTY, stripped, unite, without_nul
from cc_safety_net.guard.shell.posix import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices

#: Executions kept as having succeeded before a command.
_AFTER = 32


class Function:
    """A function's body, and where its text stands."""

    __slots__ = ("base", "name", "node", "script", "span")

    def __init__(
        self,
        name: str,
        node: nodes.Command,
        span: tuple[int, int] | None,
        base: int,
        script: str,
    ) -> None:
        self.base = base
        self.name = name
        self.node = node
        self.span = span
        self.script = script


def run(m: Machine, node: nodes.Command, state: State) -> Outcome:
    m.enter("a command")
    outcome = _RUNNERS[type(node).__name__](m, node, state)
    m.depth -= 1
    return outcome


def run_script(m: Machine, script: nodes.Script, state: State) -> Outcome:
    """A list of commands. Its outcome is that of the last one."""
    outcome = Outcome(state, None)
    last = len(script.items) - 1
    for index, (command, terminator) in enumerate(script.items):
        if terminator == "&":
            _run_aside(m, command, state)
            outcome = Outcome(state, None)
            continue
        outcome = run(m, command, state)
        if index == last:
            break
        ok, fail = outcome.ok, outcome.fail
        if fail is not None and not m.tested and _ends_on_failure(state, command):
            fail = None
            m.jumped = 3
        if m.jumped:
            m.certain = False
        if ok is state and (fail is state or fail is None):
            continue
        if not settle(state, (ok, fail)):
            return Outcome(None, None)
    return outcome


def _ends_on_failure(state: State, command: nodes.Command) -> bool:
    return type(command) is nodes.SimpleCommand and state.option("errexit")


def _run_aside(m: Machine, command: nodes.Command, state: State) -> Outcome:
    """In a subshell of its own, beside what follows."""
    m.parallel += 1
    frames, m.frames = m.frames, []
    outcome = run(m, command, State(state))
    m.frames = frames
    m.parallel -= 1
    return outcome


def capture(m: Machine, script: nodes.Script, state: State) -> Choices:
    """What a command substitution yields."""
    saved = (m.output, m.captured, m.frames, m.after, m.jumped, m.certain)
    m.output, m.captured, m.frames = EMPTY, True, []
    run_script(m, script, State(state))
    output = m.output
    m.output, m.captured, m.frames, m.after, m.jumped, m.certain = saved
    return unite([short for choice in output for short in stripped(without_nul(choice))])


def process_substitution(m: Machine, state: State, part: nodes.ProcessSub) -> Unknown:
    """Runs the body; the unknown stands for the path of its pipe."""
    saved = (m.output, m.captured, m.frames, m.input, m.feeds)
    m.enter("a process substitution")
    before = len(m.reading.executions)
    m.output, m.captured, m.frames = EMPTY, True, []
    if part.direction == ">":
        m.input, m.feeds = Input(None), ()
    run_script(m, part.body, State(state))
    output = m.output
    m.output, m.captured, m.frames, m.input, m.feeds = saved
    m.depth -= 1
    origin = m.reading.executions[before:] if part.direction != ">" else ()
    path = Unknown("command", part.direction + "(…)", may_be_empty=False, origin=origin)
    if part.direction != ">":
        m.substituted[path] = output
    return path


# --- lists and pipes -----------------------------------------------------------------------------


def _and_or(m: Machine, node: nodes.AndOr, state: State) -> Outcome:
    after, certain, tested = m.after, m.certain, m.tested
    m.tested = True
    outcome = run(m, node.commands[0], state)
    last = node.commands[-1]
    for operator, command in zip(node.operators, node.commands[1:], strict=True):
        m.tested = tested or command is not last
        start = outcome.ok if operator == "&&" else outcome.fail
        other = outcome.fail if operator == "&&" else outcome.ok
        if start is None:
            continue
        m.after = (after + outcome.done)[-_AFTER:] if operator == "&&" else after
        marked = operator == "&&" and outcome.done  # `after` tells what it hangs on
        m.certain = certain and (other is None or bool(marked))
        output = m.output
        branch = start if other is None else State(start)
        result = run(m, command, branch)
        ok, fail = result.ok, result.fail
        if branch is not start and not branch.own:
            ok = start if ok is branch else ok
            fail = start if fail is branch else fail
        if other is not None and output is not None and m.output is not output:
            m.output = unite([*output, *(m.output or ())])
        if operator == "&&":
            done = (*outcome.done, *result.done)[-_AFTER:]
            outcome = Outcome(ok, _either(state, other, fail), done)
        else:
            done = result.done if other is None else ()
            outcome = Outcome(_either(state, other, ok), fail, done)
    m.after, m.certain, m.tested = after, certain, tested
    return outcome


def _either(base: State, first: State | None, second: State | None) -> State | None:
    if first is second or second is None:
        return first
    return second if first is None else joined(base, (first, second))


def _pipeline(m: Machine, node: nodes.Pipeline, state: State) -> Outcome:
    if len(node.commands) == 1:
        tested, m.tested = m.tested, m.tested or node.negated
        outcome = run(m, _timed(node) if node.timed else node.commands[0], state)
        m.tested = tested
        return Outcome(outcome.fail, outcome.ok) if node.negated else outcome
    saved = (m.input, m.feeds, m.output, m.frames)
    m.parallel += 1
    m.frames = []
    left: list[Execution] = []
    outcome = Outcome(state, state)
    for index, command in enumerate(node.commands):
        last = index == len(node.commands) - 1
        m.output = saved[2] if last else EMPTY
        before = len(m.reading.executions)
        outcome = run(m, command, State(state))
        made = m.reading.executions[before:]
        _link(left, made)
        left = [e for e in made if e.captured is m.captured and e.fed is None]
        if not last:
            m.feeds = tuple(left)
            m.input = Input(m.output, m.feeds)
    output = m.output
    m.input, m.feeds, m.output, m.frames = saved
    m.output = output
    m.parallel -= 1
    ok = state if outcome.ok is not None else None
    fail = state if outcome.fail is not None else None
    if ok is None and fail is None:
        ok = fail = state
    return Outcome(fail, ok) if node.negated else Outcome(ok, fail, outcome.done)


def _timed(node: nodes.Pipeline) -> nodes.Command:
    """`time -f …`: no keyword to shells that have none, nor with options that it does not know."""
    command = node.commands[0]
    first = command.words[0] if isinstance(command, nodes.SimpleCommand) and command.words else None
    if first is None or isinstance(first, nodes.Assignment) or not first.parts:
        return command
    lit = first.parts[0]
    if not isinstance(lit, nodes.Lit) or not lit.text.startswith("-"):
        return command
    assert isinstance(command, nodes.SimpleCommand), command
    name = nodes.Word([nodes.Lit("time", True, node.start, first.start)], node.start, first.start)
    words = [name, *command.words]
    return nodes.SimpleCommand(
        command.assignments, words, command.redirects, node.start, command.end
    )


def _link(left: list[Execution], made: list[Execution]) -> None:
    """The first execution that reads the pipe is what the left ones feed."""
    reader = next((e for e in made if e.feeds), None)
    for execution in left:
        if execution.fed is None:
            execution.fed = reader


# --- groups and branches -------------------------------------------------------------------------


def _subshell(m: Machine, node: nodes.Subshell, state: State) -> Outcome:
    def body(inner: State) -> Outcome:
        frames, m.frames = m.frames, []
        traps, m.traps = m.traps, {}
        jumped, certain = m.jumped, m.certain
        layer = State(inner)
        outcome = run_script(m, node.body, layer)
        commands.run_traps(m, layer)
        m.frames, m.traps, m.jumped, m.certain = frames, traps, jumped, certain
        ends = outcome.ok is None and outcome.fail is None
        return Outcome(
            inner if ends or outcome.ok is not None else None,
            inner if ends or outcome.fail is not None else None,
            outcome.done,
        )

    return commands.redirected(m, node, state, body)


def _group(m: Machine, node: nodes.Group, state: State) -> Outcome:
    return commands.redirected(m, node, state, lambda inner: run_script(m, node.body, inner))


def _if(m: Machine, node: nodes.If, state: State) -> Outcome:
    return commands.redirected(m, node, state, lambda inner: _branches(m, node, inner))


def _branches(m: Machine, node: nodes.If, state: State) -> Outcome:
    certain = m.certain
    ends: list[Outcome] = []
    outputs: list[Choices | None] = []
    current: State | None = state
    for condition, body in node.arms:
        if current is None:
            break
        tested, m.tested = m.tested, True
        outcome = run_script(m, condition, current)
        m.tested = tested
        output = m.output
        if outcome.ok is not None:
            branch = outcome.ok if outcome.fail is None else State(outcome.ok)
            m.certain = certain and outcome.fail is None and not ends
            ends.append(run_script(m, body, branch))
            outputs.append(m.output)
            m.output = output
        current = None if outcome.fail is None else State(outcome.fail)
        m.certain = certain and not ends
    if current is not None:
        if node.otherwise is not None:
            ends.append(run_script(m, node.otherwise, current))
        else:
            ends.append(Outcome(current, None))
        outputs.append(m.output)
    m.certain = certain
    m.output = either_output(outputs)
    return merged(state, ends)


def merged(state: State, ends: Sequence[Outcome]) -> Outcome:
    """One outcome for several ways to end."""
    if len(ends) == 1:
        return ends[0]
    if not settle(state, [s for end in ends for s in (end.ok, end.fail)]):
        return Outcome(None, None)
    ok = state if any(end.ok is not None for end in ends) else None
    fail = state if any(end.fail is not None for end in ends) else None
    return Outcome(ok, fail)


def either_output(outputs: Sequence[Choices | None]) -> Choices | None:
    found = [output for output in outputs if output is not None]
    if not found:
        return None
    if all(output is found[0] for output in found):
        return found[0]
    return unite([choice for output in found for choice in output])


def _case(m: Machine, node: nodes.Case, state: State) -> Outcome:
    return commands.redirected(m, node, state, lambda inner: _arms(m, node, inner))


def _arms(m: Machine, node: nodes.Case, state: State) -> Outcome:
    from cc_safety_net.guard.interpret.cases import reachable

    choices = words.single(m, state, node.word)
    if len(node.word.parts) > 1 and any(_is_null(m, state, part) for part in node.word.parts):
        # bash 5.2 keeps a mark of the empty part, and patterns may not match then.
        choices = unite([*choices, (Unknown("variable", may_be_empty=False),)])
    certain = m.certain
    taken, complete = reachable(m, state, node, choices)
    ends: list[Outcome] = []
    outputs: list[Choices | None] = []
    output = m.output
    alone = complete and len(taken) == 1
    m.certain = certain and alone
    for arms in taken:
        m.output = output
        branch = state if alone else State(state)
        outcome = Outcome(branch, None)
        for index in arms:
            outcome = run_script(m, node.arms[index].body, branch)
            if not settle(branch, (outcome.ok, outcome.fail)):
                break
        ends.append(outcome)
        outputs.append(m.output)
    if not complete or not taken:
        ends.append(Outcome(state, None))
        outputs.append(output)
    m.certain = certain
    m.output = either_output(outputs)
    return merged(state, ends)


def _is_null(m: Machine, state: State, part: nodes.WordPart) -> bool:
    """An expansion in double quotes that may come to nothing."""
    if not isinstance(part, nodes.DoubleQuoted) or not part.parts:
        return False
    if not all(isinstance(inner, nodes.Param) for inner in part.parts):
        return False
    word = nodes.Word([part], part.start, part.end)
    return () in words.single(m, State(state), word)


# --- functions and the rest ----------------------------------------------------------------------


def _define(m: Machine, node: nodes.FunctionDef, state: State) -> Outcome:
    function = Function(node.name, node.body, m.span, m.base, m.script)
    if not node.name:
        return calls.call(m, state, function, (), known("", *m.span_of(node)))
    state.put("(" + node.name, (function,))
    m.functions.add(node.name)
    return Outcome(state, None)


def _arithmetic(m: Machine, node: nodes.ArithCommand, state: State) -> Outcome:
    from cc_safety_net.guard.interpret.integers import evaluate

    def body(inner: State) -> Outcome:
        value = evaluate(m, inner, node.expression)
        if value is None:
            return Outcome(inner, inner)
        return Outcome(inner, None) if value else Outcome(None, inner)

    return commands.redirected(m, node, state, body)


def _test(m: Machine, node: nodes.TestCommand, state: State) -> Outcome:
    from cc_safety_net.guard.interpret.conditions import double_bracket, filled_where

    def body(inner: State) -> Outcome:
        found = double_bracket(m, inner, node.words)
        if found is None:
            return filled_where(m, inner, node.words, splits=False)
        return decided(inner, found)

    return commands.redirected(m, node, state, body)


def decided(state: State, found: bool | None) -> Outcome:
    return Outcome(None if found is False else state, None if found is True else state)


def _coproc(m: Machine, node: nodes.Coproc, state: State) -> Outcome:
    saved = m.input, m.feeds, m.output
    m.input, m.feeds, m.output = Input(None), (), None
    _run_aside(m, node.command, state)
    m.input, m.feeds, m.output = saved
    return Outcome(state, None)


def new_frame(m: Machine, kind: str, state: State) -> Frame:
    frame = Frame(kind, state)
    m.frames.append(frame)
    return frame


_RUNNERS: dict[str, Callable[[Machine, Any, State], Outcome]] = {
    "SimpleCommand": commands.run_simple,
    "Pipeline": _pipeline,
    "AndOr": _and_or,
    "Subshell": _subshell,
    "Group": _group,
    "If": _if,
    "While": run_while,
    "For": run_for,
    "ArithFor": run_arithmetic_for,
    "Case": _case,
    "FunctionDef": _define,
    "ArithCommand": _arithmetic,
    "TestCommand": _test,
    "Coproc": _coproc,
}
