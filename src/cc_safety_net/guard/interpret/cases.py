"""Which arms of a `case` may be taken."""

from __future__ import annotations

from cc_safety_net.guard.interpret import words
from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.patterns import Pattern
from cc_safety_net.guard.limits import BRANCH_STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.posix import nodes


def reachable(
    m: Machine, state: State, node: nodes.Case, choices: Choices
) -> tuple[list[list[int]], bool]:
    """(ways through the arms as lists of indexes, one of them is taken for certain)."""
    verdicts = [[_matches(m, state, arm, choice) for arm in node.arms] for choice in choices]
    ways: list[list[int]] = []
    complete = True
    for verdict in verdicts:
        m.effort.spend(1 + len(verdict), "a case")
        firsts = _candidates(verdict, 0)
        for index in firsts:
            ways.extend(way for way in _through(m, node, verdict, index) if way not in ways)
        complete = complete and bool(firsts) and verdict[firsts[-1]] is True
    return ways, complete


def _through(
    m: Machine, node: nodes.Case, verdict: list[bool | None], index: int
) -> list[list[int]]:
    """The arms that may run when `index` is the first that matches: `;&` falls through, `;;&`
    goes on to the next that matches."""
    ways: list[list[int]] = []
    todo = [[index]]
    for way in todo:
        m.effort.spend(len(way), "a case")
        at = way[-1]
        terminator = node.arms[at].terminator
        if at == len(node.arms) - 1 or terminator not in (";&", ";;&"):
            ways.append(way)
            continue
        if len(todo) > BRANCH_STATES:
            # Too many to be told apart: all that may run, one after the other.
            rest = [i for i in range(at + 1, len(node.arms)) if verdict[i] is not False]
            ways.append([*way, *rest])
        elif terminator == ";&":
            todo.append([*way, at + 1])
        else:
            following = _candidates(verdict, at + 1)
            todo.extend([*way, i] for i in following)
            if not following or verdict[following[-1]] is not True:
                ways.append(way)
    return ways


def _candidates(verdict: list[bool | None], start: int) -> list[int]:
    """The arms from `start` on that may match, up to the first that does."""
    found = []
    for index in range(start, len(verdict)):
        if verdict[index] is not False:
            found.append(index)
        if verdict[index] is True:
            break
    return found


def _matches(m: Machine, state: State, arm: nodes.CaseArm, choice: Pieces) -> bool | None:
    text = literal(choice)
    unsure = False
    for pattern in arm.patterns:
        found = words.pattern(m, state, pattern)
        if found == ["*"]:
            return True
        if found is None or text is None:
            unsure = True
            continue
        results = [Pattern(one, m.effort).matches(text, m.effort) for one in found]
        if all(results):
            return True
        unsure = unsure or any(results)
    return None if unsure else False
