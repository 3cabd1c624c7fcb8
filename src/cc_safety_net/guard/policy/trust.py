"""The trust records with which a person lets one repository's policy loosen theirs."""

from __future__ import annotations

from cc_safety_net.guard import clock
from cc_safety_net.guard.digests import sha256
from cc_safety_net.guard.json_text import JsonError, decode_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.world import World

FILE = "trust.json"
_SIZE = 1024 * 1024


def granted(world: World, root: str, policy: bytes) -> Mapping[str, Any]:
    """Dotted key -> value of what the record of this repository permits; {} if none counts.

    The file is `{"version": 1, "records": [{root, policy_sha256, rulebooks_sha256, keys, created,
    expires}]}`. A record counts only if root, both digests and the date fit; a file that can't be
    read permits nothing.
    """
    text = world.text(f"{world.config}/{FILE}", _SIZE)
    if text is None:
        return {}
    try:
        document = decode_json(text)
    except JsonError:
        # No record means no loosening: the safe side, and `doctor` names the file.
        return {}
    records = document.get("records") if isinstance(document, dict) else None
    for record in records if isinstance(records, list) else ():
        if _fits(record, world, root, policy):
            keys = record.get("keys")
            return keys if isinstance(keys, dict) else {}
    return {}


def _fits(record: Any, world: World, root: str, policy: bytes) -> bool:
    if not isinstance(record, dict) or record.get("root") != world.resolve(root):
        return False
    if record.get("policy_sha256") != sha256(policy):
        return False
    if record.get("rulebooks_sha256") != rulebooks_digest(world, root):
        return False
    expires = record.get("expires")
    until = clock.parse(expires) if isinstance(expires, str) else None
    return until is not None and world.now_ns() // 1_000_000_000 < until


def rulebooks_digest(world: World, root: str) -> str:
    """Digest of the project's lock, which holds the digest of each book; "" without one."""
    lock = world.read(f"{root}/.cc-safety-net/rules.lock.json", _SIZE)
    return "" if lock is None else sha256(lock)
