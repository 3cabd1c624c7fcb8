"""The reference of the policy names every key that a file may have."""

from __future__ import annotations

from pathlib import Path

from cc_safety_net.guard.policy import document
from cc_safety_net.guard.policy.settings import PACKS

REFERENCE = Path(__file__).parents[3] / "docs/reference/policy.md"


def _keys(table, start=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _keys(value, f"{start}{key}.")
        else:
            yield start + key


def test_every_key_and_pack_is_named():
    text = REFERENCE.read_text()
    listed = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}

    assert set(_keys(document._TOP)) <= listed
    assert set(document._COMMAND_KEYS) <= listed
    assert all(pack in text for pack in PACKS)
