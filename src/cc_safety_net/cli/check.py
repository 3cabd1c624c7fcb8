"""`update --check`: installed runtime, entries and package against the newest; changes nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cc_safety_net import __version__
from cc_safety_net.cli.output import tilde
from cc_safety_net.cli.result import Result
from cc_safety_net.install import placement, release
from cc_safety_net.install.detection import installed_agents
from cc_safety_net.install.directories import find_directories
from cc_safety_net.install.operations import UPDATE, Operation
from cc_safety_net.install.result import error_json
from cc_safety_net.install.system import ReadOnly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cc_safety_net.cli.change import Request
    from cc_safety_net.install.result import Result as Outcome


def check(request: Request) -> Result:
    """Exit code 1 if something is old, or can't be judged because it is broken."""
    directories = find_directories(os.environ)
    targets = list(request.targets) or installed_agents(os.environ, scope=request.scope)
    outcome = Operation(
        UPDATE, targets, dict(os.environ), scope=request.scope, project=os.getcwd(), dry_run=True
    ).run()
    placed = placement.current(directories.data)
    newest, why = release.newest(ReadOnly(), os.environ, directories.home)
    data: dict[str, Any] = {
        "runtime": {
            "installed": None if placed is None else placed.manifest.get("version"),
            "old": outcome.runtime is not None,
            "change": outcome.runtime.summary if outcome.runtime is not None else None,
        },
        "agents": _agents(outcome),
        "package": {
            "installed": __version__,
            "newest": newest or None,
            "old": bool(newest) and release.older(__version__, newest),
            "update": release.upgrade_command(),
            "note": why or None,
        },
    }
    if outcome.error is not None:
        data["error"] = error_json(outcome.error)
    old = data["runtime"]["old"] or data["package"]["old"] or outcome.error is not None
    old = old or any(agent["state"] != "current" for agent in data["agents"])
    data["result"] = "old" if old else "current"
    return Result("update", data, _lines, exit_code=1 if old else 0)


def _agents(outcome: Outcome) -> list[dict[str, Any]]:
    found = []
    for agent in outcome.agents:
        state = "failed" if agent.error is not None else "old" if agent.changes else "current"
        entry: dict[str, Any] = {"name": agent.name, "scope": agent.scope, "state": state}
        if agent.error is not None:
            entry["error"] = error_json(agent.error)
        found.append(entry)
    return found


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    runtime, package = data["runtime"], data["package"]
    said = runtime["change"] or runtime["installed"] or "not installed"
    yield f"  {'runtime':15}  {'old' if runtime['old'] else 'current':8}  {said}"
    for agent in data["agents"]:
        why = tilde(agent["error"]["message"]) if "error" in agent else agent["scope"]
        yield f"  {agent['name']:15}  {agent['state']:8}  {why}"
    newest = package["newest"]
    word = "old" if package["old"] else "current" if newest else "unknown"
    said = f"newest {newest}" if newest else f"the newest can't be told: {package['note']}"
    yield f"  {'package':15}  {word:8}  {package['installed']}, {said}"
    if package["old"]:
        yield f"run: {package['update']}"
    if data["result"] == "old":
        yield "then: cc-safety-net update" if package["old"] else "run: cc-safety-net update"
