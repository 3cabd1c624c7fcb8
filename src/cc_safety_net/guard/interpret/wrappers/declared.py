"""Wrappers that a person or a project declares: programs that run their later words as a command.

`transparent_wrappers` of `rules/rule.json`, the person's and the project's. A name there makes the
guard read more, never less, so a file that can't be read declares none.
"""

from __future__ import annotations

from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.world import World

_FILE = "rules/rule.json"
_BYTES = 65_536
_NAMES = 256


def declared(world: World, folders: Sequence[str]) -> frozenset[str]:
    """The names that are declared in these folders of configuration."""
    found: list[str] = []
    for folder in folders:
        text = world.text(join(folder, _FILE), _BYTES)
        if text is not None and "transparent_wrappers" in text:
            found += _names(text)
    return frozenset(found[:_NAMES])


def _names(text: str) -> list[str]:
    # Rare: only where wrappers are declared.
    from cc_safety_net.guard.json_text import JsonError, decode_json

    try:
        content = decode_json(text)
    except JsonError:
        return []
    names = content.get("transparent_wrappers") if isinstance(content, dict) else None
    if not isinstance(names, list):
        return []
    return [name for name in names if isinstance(name, str) and name]
