"""What each stage of a judgement looked at, in words, for `explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cc_safety_net.guard.rules import catalogue

if TYPE_CHECKING:
    from cc_safety_net.guard.engine import Judgement
    from cc_safety_net.guard.rules.catalogue import Family


def saw(stage: str, judgement: Judgement) -> str:
    """One line; "" where the stage did not run or has nothing to say."""
    if stage in catalogue.STAGES:
        return _families(stage, judgement)
    if stage == "rulebooks":
        return "no rulebook is loaded"
    if stage == "permissions":
        return "explain uses no permission"
    say = {"input": _input, "directories": _directories, "policy": _policy}[stage]
    return say(judgement)


def _input(judgement: Judgement) -> str:
    call = judgement.call
    if call.command is not None:
        return f"{len(call.command)} characters for a shell, dialect {call.dialect}"
    names = ", ".join(sorted(str(key) for key in call.arguments)) or "none"
    return f"tool {call.tool}, kind {call.kind}, arguments: {names}"


def _directories(judgement: Judgement) -> str:
    place = judgement.place
    if place is None:
        return "no usable directory"
    roots = ", ".join(place.roots) or "none"
    return f"runs in {place.directory}, workspace {roots}"


def _policy(judgement: Judgement) -> str:
    policy, reading = judgement.policy, judgement.reading
    found = f"level {policy.level}"
    if policy.problem is not None:
        found = f"invalid: {policy.problem}"
    counts = [
        _count(len(reading.executions), "execution"),
        _count(len(reading.accesses), "file access", "file accesses"),
    ]
    if reading.codes:
        counts.append(_count(len(reading.codes), "piece of opaque code", "pieces of opaque code"))
    return f"{found}; read: {', '.join(counts)}"


def _families(stage: str, judgement: Judgement) -> str:
    """The families that were asked, since something of theirs is in the call."""
    asked = [f.name for f in catalogue.FAMILIES if f.stage == stage and _concerned(f, judgement)]
    return f"asked: {', '.join(asked)}" if asked else "nothing in the call concerns it"


def _concerned(family: Family, judgement: Judgement) -> bool:
    reading, policy = judgement.reading, judgement.policy
    if family.level != "standard" and not policy.acts(family.ids[0], family.level):
        return False
    present = (
        (family.programs, {execution.program for execution in reading.executions}),
        (family.modes, {access.mode for access in reading.accesses}),
        (family.codes, {code.how for code in reading.codes}),
    )
    return any(found and ("*" in wanted or wanted & found) for wanted, found in present)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
