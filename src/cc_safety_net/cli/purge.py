"""`uninstall --purge`: the guard out of every agent, then what a plain uninstall leaves.

Only a person at a terminal of their own can do it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cc_safety_net.cli import change, output
from cc_safety_net.cli.output import tilde
from cc_safety_net.cli.presence import confirmed, require_person
from cc_safety_net.cli.result import Result
from cc_safety_net.errors import SafetyNetError, Usage
from cc_safety_net.install import purge as removal
from cc_safety_net.install.detection import installed_agents
from cc_safety_net.install.directories import find_directories

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def purge(request: change.Request) -> Result:
    """Shows all that goes, asks once, removes."""
    if request.targets or request.scope != "user":
        raise Usage("--purge takes the guard out everywhere", "cc-safety-net uninstall --purge")
    directories = find_directories(os.environ)
    agents = installed_agents(os.environ)
    paths = removal.remains(directories)
    data: dict[str, Any] = {"result": "planned", "agents": agents, "paths": paths, "notes": []}
    if request.dry_run:
        return Result("uninstall", data, _lines)
    require_person("uninstall --purge", os.environ)
    if not agents and not paths:
        return Result("uninstall", {**data, "result": "unchanged"}, _lines)
    for text in _lines(data):
        output.line(text, sys.stderr)
    if not confirmed("All of this goes, and can't be brought back."):
        raise SafetyNetError("nothing was changed", code="declined")
    if agents:
        outcome = change.change(replace(request, every=True, yes=True))
        if outcome.exit_code:
            return outcome
        data["notes"] = outcome.data["notes"]
    data["paths"] = removal.purge(directories)
    return Result("uninstall", {**data, "result": "applied"}, partial(_lines, done=True))


def _lines(data: Mapping[str, Any], *, done: bool = False) -> Iterator[str]:
    state = "removed" if done else "would be removed"
    for name in data["agents"]:
        yield f"  {name:15}  {state}"
    for path in data["paths"]:
        yield f"  {tilde(path)}  {state}"
    for note in data["notes"]:
        yield f"note: {tilde(note)}"
    if not data["agents"] and not data["paths"]:
        yield "nothing is there"
