"""Loops: unrolled over known values, else run until nothing new can come of them."""

from __future__ import annotations

from cc_safety_net.guard.interpret import commands, variables, words
from cc_safety_net.guard.interpret.facts import Glob, Unknown
from cc_safety_net.guard.interpret.machine import Frame, Outcome
from cc_safety_net.guard.interpret.state import ARGUMENTS, State, Variable, join, settle
from cc_safety_net.guard.interpret.values import concat, filled, unite, unknown_choice
from cc_safety_net.guard.limits import LOOP_TURNS, LOOP_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.posix import nodes

#: Rounds after which what a loop changes is taken as unknown.
_ROUNDS = 3
#: Turns of the loops around one, above which it starts with what it was seen to change before.
_OFTEN = 8


def _turns(m: Machine) -> int:
    """How many turns of a loop are run one by one; 0: too few would be left to be worth it."""
    turns = min(LOOP_VALUES, LOOP_TURNS // m.turns)
    return turns if turns > 1 else 0


def run_while(m: Machine, node: nodes.While, state: State) -> Outcome:
    def condition(inner: State) -> Outcome:
        tested, m.tested = m.tested, True
        outcome = m.run_script(m, node.condition, inner)
        m.tested = tested
        return Outcome(outcome.fail, outcome.ok) if node.until else outcome

    def body(inner: State) -> Outcome:
        return m.run_script(m, node.body, inner)

    return commands.redirected(
        m, node, state, lambda inner: _conditional(m, node, inner, condition, body)
    )


def run_arithmetic_for(m: Machine, node: nodes.ArithFor, state: State) -> Outcome:
    from cc_safety_net.guard.interpret.integers import evaluate

    def condition(inner: State) -> Outcome:
        if not node.condition.parts:
            return Outcome(inner, None)
        value = evaluate(m, inner, node.condition)
        if value is None:
            return Outcome(inner, inner)
        return Outcome(inner, None) if value else Outcome(None, inner)

    def body(inner: State) -> Outcome:
        frame = m.frames[-1]
        outcome = m.run_script(m, node.body, inner)
        if not settle(inner, (outcome.ok, outcome.fail, *frame.continued)):
            return Outcome(None, None)
        frame.continued.clear()
        evaluate(m, inner, node.step)
        return Outcome(inner, None)

    def whole(inner: State) -> Outcome:
        evaluate(m, inner, node.initial)
        return _conditional(m, node, inner, condition, body)

    return commands.redirected(m, node, state, whole)


def _conditional(
    m: Machine,
    node: object,
    state: State,
    condition: Callable[[State], Outcome],
    body: Callable[[State], Outcome],
) -> Outcome:
    frame = Frame("loop", state)
    m.frames.append(frame)
    certain, jumped = m.certain, m.jumped
    around, turns = m.turns, _turns(m)
    inner = State(state)
    ends: list[State | None] = []
    m.turns = around * max(1, turns)
    while turns > 0:
        before = dict(inner.own)
        outcome = condition(inner)
        if outcome.ok is None or outcome.fail is not None:
            m.turns = around
            ends.append(outcome.fail)
            if outcome.ok is not None:
                ends.extend(_rounds(m, node, frame, outcome.ok, condition, body))
            break
        if not _once(frame, body(inner), inner, outcome.ok):
            break
        m.certain = certain and not frame.left
        # A turn that changes nothing is like all that follow.
        turns = turns - 1 if _differs(before, inner.own) else 0
    else:
        outcome = condition(inner)
        ends.append(outcome.fail)
        if outcome.ok is not None:
            ends.extend(_rounds(m, node, frame, outcome.ok, condition, body))
    m.frames.pop()
    m.turns = around
    m.certain = certain
    m.jumped = m.jumped if m.jumped > 1 else jumped
    return _ended(state, frame, ends)


def _once(frame: Frame, outcome: Outcome, inner: State, started: State) -> bool:
    """Take what one turn of the body did into `inner`; False if it always leaves the loop."""
    del started
    alive = settle(inner, (outcome.ok, outcome.fail, *frame.continued))
    frame.continued.clear()
    return alive


def _ended(state: State, frame: Frame, ends: Sequence[State | None]) -> Outcome:
    left = [jumped for jumped, _ in frame.left]
    if settle(state, (*ends, *left)):
        return Outcome(state, state)
    return Outcome(None, None)


def _rounds(
    m: Machine,
    node: object,
    frame: Frame,
    current: State,
    condition: Callable[[State], Outcome] | None,
    body: Callable[[State], Outcome],
) -> list[State]:
    """Run the body for an unknown number of turns; the states in which the loop may end."""
    ends: list[State] = []
    certain, output = m.certain, m.output
    before = len(m.reading.executions)
    around = m.turns
    m.certain = False
    seen = m.changed.get(node) if around > _OFTEN else None
    if seen is not None:
        current = _changed_before(current, seen)
    m.turns = around * 2
    for turn in range(_ROUNDS):
        layer = State(current)
        if not _once(frame, body(layer), layer, current):
            break
        ends.append(layer)
        changed = {}
        for key, value in layer.own.items():
            old = current.look(key)
            if not _same(old, value) and (seen is None or not _covers(old, value)):
                changed[key] = join(key, [old, value])
        if not changed:
            break
        m.changed.setdefault(node, {}).update(changed)
        following = State(current)
        for key, value in changed.items():
            following.put(key, _widened(key, value) if turn else value)
        current = following
        if condition is not None:
            outcome = condition(following)
            if outcome.ok is None:
                break
            current = outcome.ok
    m.certain = certain
    m.turns = around
    if output is not None and m.output is not output:
        made = m.reading.executions[before:]
        m.output = concat(output, ((Unknown("command", "", origin=made),),))
    return ends


def _changed_before(current: State, seen: dict[str, object]) -> State:
    """The state in which a loop may begin any of its turns, by what it changed when run before."""
    layer = State(current)
    for key, value in seen.items():
        layer.put(key, _widened(key, join(key, [current.look(key), value])))
    return layer


def _covers(old: object, new: object) -> bool:
    """`old` holds all that `new` may be."""
    if isinstance(old, Variable) and isinstance(new, Variable):
        anything = any(c and len(c) == 1 and isinstance(c[0], Unknown) for c in old.settings)
        return anything and old.items == new.items
    return isinstance(old, tuple) and isinstance(new, tuple) and set(new) <= set(old)


def _differs(before: dict[str, object], after: dict[str, object]) -> bool:
    return len(before) != len(after) or any(
        not _same(before.get(key), value) for key, value in after.items()
    )


def _same(old: object, new: object) -> bool:
    if isinstance(old, Variable) and isinstance(new, Variable):
        return set(old.settings) == set(new.settings) and old.items == new.items
    return old is new or old == new


def _widened(key: str, value: object) -> object:
    if isinstance(value, Variable):
        settings = (*value.settings, *unknown_choice("variable", key))
        return Variable(settings, target=value.target, flags=value.flags)
    if key == ARGUMENTS and isinstance(value, tuple):
        return (*value, None)
    return value


# --- for -----------------------------------------------------------------------------------------


def run_for(m: Machine, node: nodes.For, state: State) -> Outcome:
    return commands.redirected(m, node, state, lambda inner: _for(m, node, inner))


def _for(m: Machine, node: nodes.For, state: State) -> Outcome:
    lists = _values(m, node, state)
    if len(lists) == 1:
        return _over(m, node, state, lists[0])
    ends: list[State | None] = []
    for values in lists:
        outcome = _over(m, node, State(state), values)
        ends.extend((outcome.ok, outcome.fail))
    return Outcome(state, state) if settle(state, ends) else Outcome(None, None)


def _values(m: Machine, node: nodes.For, state: State) -> list[list[tuple[Choices, bool]] | None]:
    """The lists that the loop may run over: (value, it stands for any number) each."""
    if node.words is None:
        shapes = state.look(ARGUMENTS) or ((),)
        return [None if s is None else [(value, False) for value in s] for s in shapes]
    out: list[list[tuple[Choices, bool]] | None] = []
    for shape in words.fields(m, state, node.words):
        if m.turns == 1:
            m.count_words(len(shape))
        out.append([(word.choices, word.splits or _is_open(word.choices)) for word in shape])
    return out


def _is_open(choices: Choices) -> bool:
    return any(isinstance(piece, Glob) for choice in choices for piece in choice)


def _over(
    m: Machine, node: nodes.For, state: State, values: list[tuple[Choices, bool]] | None
) -> Outcome:
    frame = Frame("loop", state)
    m.frames.append(frame)
    certain, jumped = m.certain, m.jumped
    around, turns = m.turns, _turns(m)
    inner = State(state)
    ends: list[State | None] = []
    # Text that no shell takes may leave the loop without a name.
    names = [name for name in node.names if variables.is_name(name)] or ["_"]

    def turn(at: State, chosen: Sequence[Choices]) -> Outcome:
        for name, value in zip(names, chosen, strict=False):
            variables.assign(m, at, name, value)
        return m.run_script(m, node.body, at)

    open_ended = values is None or node.select or any(many for _, many in values)
    if open_ended or len(values or ()) > turns * len(names):
        listed = () if open_ended or values is None else values
        # Where all of them can be one value, turns beyond the limit lose nothing.
        many = len(listed) > LOOP_VALUES * len(names)
        first = listed[: turns * len(names)]
        m.turns = around * max(1, len(first))
        alive = _unrolled(m, frame, inner, [value for value, _ in first], len(names), turn)
        m.turns = around
        if alive:
            m.certain = False
            union = _union(values, limited=many)
            ends.append(inner)
            turned = [union] * len(names)
            ends.extend(_rounds(m, node, frame, inner, None, lambda at: turn(at, turned)))
    else:
        texts = [value for value, _ in values or ()]
        m.turns = around * max(1, len(texts))
        if _unrolled(m, frame, inner, texts, len(names), turn):
            ends.append(inner)
        m.turns = around
    m.frames.pop()
    m.certain = certain
    m.jumped = m.jumped if m.jumped > 1 else jumped
    return _ended(state, frame, ends)


def _unrolled(
    m: Machine,
    frame: Frame,
    inner: State,
    values: Sequence[Choices],
    width: int,
    turn: Callable[[State, Sequence[Choices]], Outcome],
) -> bool:
    certain = m.certain
    for at in range(0, len(values), width):
        m.effort.spend(2, "a loop")
        if not _once(frame, turn(inner, values[at : at + width]), inner, inner):
            return False
        m.certain = certain and not frame.left
    return True


def _union(values: list[tuple[Choices, bool]] | None, *, limited: bool) -> Choices:
    if values is None:
        return unknown_choice("argument", "@", may_be_empty=False)
    if limited:
        return unknown_choice("limit", may_be_empty=False)
    found: list[Pieces] = []
    for choices, many in values:
        found.extend(filled(choice) if many else choice for choice in choices)
    return unite(found) if found else unknown_choice("variable", may_be_empty=False)
