"""Stage 9: standing permissions of the policy, and the one that a person gave for one call."""

from __future__ import annotations

from cc_safety_net.guard import clock
from cc_safety_net.guard.policy.patterns import expand, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cc_safety_net.guard.engine import Judged, Judgement
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.world import World


def permission_for(judgement: Judgement, world: World) -> str:
    """What lets the call pass: `allow_commands[N]` or a permission's audit id; "" if nothing."""
    standing = _standing(judgement, world)
    if standing:
        return standing
    # A later step: one-time permissions, consumed by rename (policy specification, section 4).
    return ""


def _standing(judgement: Judgement, world: World) -> str:
    """All findings are lifted by entries of `allow_commands`; names the first entry used."""
    now = world.now_ns() // 1_000_000_000
    used = ""
    left = list(judgement.findings)
    for index, entry in enumerate(judgement.policy.allow_commands):
        until = clock.parse(entry["expires"])
        if until is None or until <= now or not _fits_call(entry, judgement, world):
            continue
        lifted = [judged for judged in left if _lifts(entry, judged, judgement)]
        if lifted:
            used = used or f"allow_commands[{index}]"
            left = [judged for judged in left if judged not in lifted]
    return used if not left else ""


def _fits_call(entry: Mapping[str, Any], judgement: Judgement, world: World) -> bool:
    agents = entry.get("agents")
    if agents and judgement.call.agent not in agents:
        return False
    where = entry.get("cwd")
    if not where:
        return True
    place = judgement.place
    pattern = expand(where, world.home)
    return bool(pattern) and place is not None and _same(pattern, place.directory)


def _same(pattern: str, directory: str) -> bool:
    """The directory itself, or for a pattern with a wildcard what it stands for."""
    return matches(pattern, directory) if "*" in pattern else pattern == directory


def _lifts(entry: Mapping[str, Any], judged: Judged, judgement: Judgement) -> bool:
    if entry["match"] == "exact":
        command = judgement.call.command
        return command is not None and command.strip() == entry["command"].strip()
    wanted = entry["command"].split()
    return any(
        execution.start <= judged.finding.start
        and judged.finding.end <= execution.end
        and _same_words(wanted, execution)
        for execution in judgement.reading.executions
    )


def _same_words(wanted: Sequence[str], execution: Execution) -> bool:
    """Word by word; a trailing `*` stands for any further ones. An unknown word fits nothing."""
    words = [word.text for word in execution.argv]
    if wanted and wanted[-1] == "*":
        return len(words) >= len(wanted) - 1 and words[: len(wanted) - 1] == list(wanted[:-1])
    return words == list(wanted)
