"""Refusals of a session, so that the second one of a rule can say so; and what `allow` needs."""

from __future__ import annotations

from cc_safety_net.guard.digests import sha256
from cc_safety_net.guard.json_text import encode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cc_safety_net.guard.engine import Judgement
    from cc_safety_net.guard.world import World

DIRECTORY = "denials"
SESSIONS = "denials/by-session"
#: Counted for this long; a file that grows beyond the size counts its first part.
SECONDS = 7 * 86_400
_SIZE = 64 * 1024


def call_digest(judgement: Judgement) -> str:
    """What makes two calls the same: agent, tool, exact text or arguments, directory, roots."""
    call = judgement.call
    place = judgement.place
    what = call.command if call.command is not None else _canonical(call.arguments)
    facts = [
        call.agent,
        call.tool,
        call.dialect,
        call.command is not None,
        what,
        place.directory if place is not None else "",
        list(place.roots) if place is not None else [],
    ]
    return sha256(encode_json(facts).encode("utf-8", "surrogatepass"))


def _canonical(value: Any) -> Any:
    """The same value with the members of its objects in order."""
    if isinstance(value, dict):
        return {key: _canonical(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_canonical(item) for item in value]
    return value


def session_file(world: World, judgement: Judgement) -> str:
    """The counter of the call's session; without an id, of its agent and root."""
    call = judgement.call
    if call.session:
        key = f"{call.agent}\0{call.session}"
    else:
        place = judgement.place
        key = f"{call.agent}\0\0{place.roots[0] if place and place.roots else ''}"
    name = sha256(key.encode("utf-8", "surrogatepass"))[:32]
    return f"{world.state}/{SESSIONS}/{name}"


def refused_before(world: World, judgement: Judgement, rule_id: str) -> int:
    """How often this rule was refused in the session during the last days.

    A line is `<seconds> <rule id>`. What can't be read counts as nothing: the counter changes a
    sentence, never a verdict.
    """
    text = world.read(session_file(world, judgement), _SIZE)
    if not text:
        return 0
    oldest = world.now_ns() // 1_000_000_000 - SECONDS
    count = 0
    for line in text.decode("utf-8", "replace").splitlines():
        when, _, name = line.partition(" ")
        if name == rule_id and when.isascii() and when.isdigit() and int(when) >= oldest:
            count += 1
    return count
