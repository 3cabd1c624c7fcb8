"""Stage 9: standing permissions of the policy, and the one that a person gave for one call."""

from __future__ import annotations

import posix

from cc_safety_net.guard import clock
from cc_safety_net.guard.denials import call_digest
from cc_safety_net.guard.json_text import JsonError, decode_json, encode_json
from cc_safety_net.guard.policy.patterns import expand, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cc_safety_net.guard.engine import Judged, Judgement
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.world import World

DIRECTORY = "permissions"
#: An agent may deliver one call twice.
REPEAT_SECONDS = 5
_SIZE = 64 * 1024


def permission_for(judgement: Judgement, world: World) -> str:
    """What lets the call pass: `allow_commands[N]` or a permission's audit id; "" if nothing."""
    standing = _standing(judgement, world)
    if standing:
        return standing
    return _once(judgement, world)


def _once(judgement: Judgement, world: World) -> str:
    """The person's permission for this very call, taken out of the way before it is used.

    `<state>/permissions/<digest>` holds `{"version": 1, "id": <audit id>, "rules": [ids],
    "expires": <seconds>}`. `<digest>.used` remembers session and time for a second delivery.
    """
    path = f"{world.state}/{DIRECTORY}/{call_digest(judgement)}"
    now = world.now_ns() // 1_000_000_000
    found = {judged.rule.id for judged in judgement.findings}
    record = _record(world, path)
    if record is not None and _covers(record, found) and now < record["expires"]:
        return _consume(path, record, judgement, now)
    again = _record(world, path + ".used")
    if again is not None and _covers(again, found):
        same = again.get("session") == judgement.call.session
        if same and 0 <= now - again["expires"] <= REPEAT_SECONDS:
            return str(again["id"])
    return ""


def _record(world: World, path: str) -> dict[str, Any] | None:
    if world.status(path) is None:
        return None
    text = world.text(path, _SIZE)
    try:
        record = decode_json(text or "")
    except JsonError:
        # A record that can't be read permits nothing.
        return None
    whole = (
        isinstance(record, dict)
        and isinstance(record.get("id"), str)
        and isinstance(record.get("rules"), list)
        and isinstance(record.get("expires"), int)
    )
    return record if whole else None


def _covers(record: Mapping[str, Any], found: set[str]) -> bool:
    return found.issubset(rule for rule in record["rules"] if isinstance(rule, str))


def _consume(path: str, record: Mapping[str, Any], judgement: Judgement, now: int) -> str:
    """Move the record away: only one of two calls at once can do that."""
    claim = f"{path}.{posix.getpid()}"
    try:
        posix.rename(path, claim)
    except OSError:
        return ""
    used = {
        "version": 1,
        "id": record["id"],
        "rules": record["rules"],
        "expires": now,
        "session": judgement.call.session,
    }
    try:
        _write(claim, encode_json(used).encode("utf-8", "backslashreplace"))
        posix.rename(claim, path + ".used")
    except OSError:
        # It is used up all the same; only a second delivery of the call will be refused.
        return str(record["id"])
    return str(record["id"])


def _write(path: str, data: bytes) -> None:
    descriptor = posix.open(path, posix.O_WRONLY | posix.O_TRUNC | posix.O_CLOEXEC)
    try:
        posix.write(descriptor, data)
    finally:
        posix.close(descriptor)


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
