"""Which arms of a `case` may be taken."""

from __future__ import annotations

from cc_safety_net.guard.interpret import words
from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.patterns import Pattern

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
        certain = False
        for index, matched in enumerate(verdict):
            if matched is False:
                continue
            way = _through(node, verdict, index)
            if way not in ways:
                ways.append(way)
            if matched is True:
                certain = True
                break
        complete = complete and certain
    return ways, complete


def _through(node: nodes.Case, verdict: list[bool | None], index: int) -> list[int]:
    """The arms that run when `index` is the first that matches (`;&` falls, `;;&` goes on)."""
    way = [index]
    at = index
    while at < len(node.arms) - 1 and node.arms[at].terminator in (";&", ";;&"):
        falls = node.arms[at].terminator == ";&"
        at += 1
        if falls or verdict[at] is not False:
            way.append(at)
        elif not falls:
            rest = [i for i in range(at, len(node.arms)) if verdict[i] is not False]
            if not rest:
                break
            at = rest[0]
            way.append(at)
    return way


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
        results = [Pattern(one).matches(text, m.effort) for one in found]
        if all(results):
            return True
        unsure = unsure or any(results)
    return None if unsure else False
