"""What we have installed, as recorded in our state folder: `installed.json`.

The record helps uninstall to give the same bytes back. It proves nothing: what is ours is read
from the agents' own files.
"""

from __future__ import annotations

import copy
import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.install.system import System

Record = dict[str, object]
_NAME = "installed.json"


class Installed:
    """The record as it was read, and as it will be written."""

    def __init__(self, agents: Mapping[str, Record], runtime: Record) -> None:
        self.agents: dict[str, Record] = dict(copy.deepcopy(dict(agents)))
        self.runtime: Record = copy.deepcopy(runtime)

    def record(self, key: str) -> Record:
        return self.agents.get(key, {})

    def content(self) -> bytes | None:
        """The bytes to write; None when nothing is installed any more."""
        if not self.agents:
            return None
        document = {"v": 1, "agents": self.agents, "runtime": self.runtime}
        return (json.dumps(document, indent=1, sort_keys=True) + "\n").encode()


def path_of(state: str) -> str:
    return os.path.join(state, _NAME)


def load(system: System, state: str) -> Installed:
    """A record that can't be read counts as none: we then look at the agents' files only."""
    found = system.read(path_of(state))
    try:
        document = json.loads(found[0]) if found else {}
    except (ValueError, RecursionError):
        document = {}
    agents = document.get("agents") if isinstance(document, dict) else None
    runtime = document.get("runtime") if isinstance(document, dict) else None
    return Installed(
        {key: value for key, value in agents.items() if isinstance(value, dict)}
        if isinstance(agents, dict)
        else {},
        runtime if isinstance(runtime, dict) else {},
    )


def folders_of(record: Mapping[str, object]) -> list[str]:
    """Folders that an installation made."""
    found = record.get("folders")
    return [str(folder) for folder in found] if isinstance(found, list) else []
