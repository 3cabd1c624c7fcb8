"""Cursor: what it accepts in `hooks.json`, and what it sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cc_safety_net.agents.cursor.spec import SPEC
from cc_safety_net.install.entries import Problem
from cc_safety_net.install.setup import Probe, Setup
from cc_safety_net.install.site import USER, Site

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool, in the form of a recent build."""
    return {
        "conversation_id": "cc-safety-net-probe",
        "generation_id": "cc-safety-net-probe",
        "model": "probe",
        "hook_event_name": "preToolUse",
        "cursor_version": "3.11.25",
        "workspace_roots": [directory],
        "user_email": None,
        "transcript_path": None,
        "tool_name": "Shell",
        "tool_input": {"command": command},
        "tool_use_id": "cc-safety-net-probe",
        "cwd": directory,
    }


def validate(model: object) -> Sequence[Problem]:
    """`version` must be the integer 1; events hold lists of objects."""
    if not isinstance(model, dict):
        return ()
    problems = []
    version = model.get("version", 1)
    if version != 1 or isinstance(version, bool):
        problems.append(Problem(("version",), '"version" must be 1'))
    hooks = model.get("hooks", {})
    for event, entries in hooks.items() if isinstance(hooks, dict) else ():
        if not isinstance(entries, list):
            problems.append(Problem(("hooks", event), f'"{event}" is not a list'))
            continue
        problems.extend(
            Problem(("hooks", event, index), f'an entry of "{event}" is not an object')
            for index, entry in enumerate(entries)
            if not isinstance(entry, dict)
        )
    return problems


class _Cursor(Setup):
    def probe(self, site: Site, scope: str, directory: str) -> Probe:
        """Cursor runs hooks in the folder of the file: `~/.cursor`, or the project's root."""
        probe = super().probe(site, scope, directory)
        if scope != USER:
            return probe
        return Probe(probe.payload, site.agent_home(self.spec), probe.environment)


SETUP = _Cursor(SPEC, payload, validate=validate)
