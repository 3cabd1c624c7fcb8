"""Builtins that change the directory: `cd`, `pushd`, `popd`, `dirs`."""

from __future__ import annotations

from cc_safety_net.guard.interpret import programs, variables
from cc_safety_net.guard.interpret.facts import Unknown, literal, shown
from cc_safety_net.guard.interpret.machine import Outcome
from cc_safety_net.guard.interpret.state import CWDS, STACK, State
from cc_safety_net.guard.interpret.values import choices_of, known_texts
from cc_safety_net.guard.limits import BRANCH_STATES
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.posix import nodes


def cd(
    m: Machine, state: State, execution: Execution, _node: nodes.SimpleCommand | None
) -> Outcome:
    programs.touch(m, execution)
    operands, physical = _operands(execution)
    if len(operands) > 1:
        return Outcome(None, state)
    if not operands:
        return _enter(m, state, choices_of(variables.settings(m, state, "HOME")), execution)
    choices = operands[0]
    if known_texts(choices) == ["-"]:
        return _enter(
            m, state, choices_of(variables.settings(m, state, "OLDPWD")), execution, sure=True
        )
    return _enter(m, state, choices, execution, physical=physical)


def pushd(
    m: Machine, state: State, execution: Execution, _node: nodes.SimpleCommand | None
) -> Outcome:
    operands, _ = _operands(execution)
    stack = state.look(STACK)
    before = state.cwds
    if not operands or (known_texts(operands[0]) or ["x"])[0][:1] in "+-":
        if not stack or operands:
            state.put(CWDS, (None,) if operands or stack is None else before)
            return Outcome(state, state, (execution,))
        variables.change_directory(state, stack[0])
        state.put(STACK, (before, *stack[1:]))
        return Outcome(state, None, (execution,))
    outcome = _enter(m, state, operands[0], execution)
    if outcome.ok is not None and stack is not None:
        outcome.ok.put(STACK, (before, *stack))
    elif outcome.ok is not None and state.look(STACK) is None:
        outcome.ok.put(STACK, (before,))
    return outcome


def popd(
    m: Machine, state: State, execution: Execution, _node: nodes.SimpleCommand | None
) -> Outcome:
    stack = state.look(STACK)
    operands, _ = _operands(execution)
    if operands:
        state.put(CWDS, (None,))
        return Outcome(state, state, (execution,))
    if stack is None:
        # It is known in some of the ways only that lead here.
        before = tuple(dict.fromkeys((*state.cwds, m.place.directory, None)))
        variables.change_directory(state, before[:BRANCH_STATES])
        return Outcome(state, state, (execution,))
    if not stack:
        return Outcome(None, state)
    variables.change_directory(state, stack[0])
    state.put(STACK, stack[1:])
    return Outcome(state, None, (execution,))


def dirs(
    m: Machine, state: State, execution: Execution, _node: nodes.SimpleCommand | None
) -> Outcome:
    del m
    if any(word.text == "-c" for word in execution.argv):
        state.put(STACK, ())
    return Outcome(state, state, (execution,))


def _operands(execution: Execution) -> tuple[list[Choices], bool]:
    """(operands, `-P` was given)."""
    out = []
    physical = False
    options = True
    for word in execution.argv[1:]:
        text = word.text
        if options and text is not None and text[:1] == "-" and len(text) > 1:
            if text == "--":
                options = False
                continue
            if not text[1:].isdigit():
                physical = text.endswith("P")
                continue
        out.append(word.choices)
    return out, physical


def _enter(
    m: Machine,
    state: State,
    choices: Choices,
    execution: Execution,
    *,
    physical: bool = False,
    sure: bool = False,
) -> Outcome:
    """Follow `choices` from every directory that the shell may be in."""
    reached: list[str | None] = []
    may_fail = False
    must_fail = True
    for choice in choices:
        text = literal(choice)
        made = text is None and _is_made(choice)
        if made:
            text = shown(choice)
        for cwd in state.cwds:
            m.effort.spend(4, "a change of directory")
            path = None if text is None else _target(m, state, cwd, text)
            m.effort.spend(len(path or "") // 32, "a change of directory")
            kind = "directory" if sure or made or path is None else _kind(m, path)
            if path is not None and kind not in ("directory", ""):
                may_fail = True  # a file is no directory
                continue
            must_fail = False
            may_fail = may_fail or path is None or kind == ""
            if sure and path is not None:
                may_fail = may_fail or _kind(m, path) != "directory"
            reached.append(m.world.resolve(path) if physical and path is not None else path)
    if must_fail:
        return Outcome(None, state)
    found = tuple(dict.fromkeys(reached))[:BRANCH_STATES]
    if not may_fail:
        variables.change_directory(state, found)
        return Outcome(state, None, (execution,))
    layer = State(state)
    variables.change_directory(layer, found)
    return Outcome(layer, state, (execution,))


def _is_made(choice: Pieces) -> bool:
    """The directory that `mktemp -d` has just made: it is there, only its name is not known."""
    first = choice[0] if choice else ""
    return (
        isinstance(first, str)
        and first.startswith("/")
        and all(
            isinstance(piece, str) or (isinstance(piece, Unknown) and piece.name == "mktemp")
            for piece in choice
        )
    )


def _target(m: Machine, state: State, cwd: str | None, text: str) -> str | None:
    if not text:
        return cwd
    if text.startswith("/"):
        return normalise(text)
    if cwd is None:
        return None
    if text.partition("/")[0] not in (".", "..") and state.look("CDPATH") is not None:
        for entry in known_texts(choices_of(variables.settings(m, state, "CDPATH"))) or ():
            for base in entry.split(":"):
                path = normalise(join(join(cwd, base or "."), text))
                if _kind(m, path) == "directory":
                    return path
    return normalise(join(cwd, text))


def _kind(m: Machine, path: str) -> str:
    return "directory" if path in m.made else m.world.kind(path)
