"""Grok Build: a hook file of our own; what it sends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cc_safety_net.agents.grok_build.spec import SPEC
from cc_safety_net.install.peek import peek
from cc_safety_net.install.setup import Obstacle, Setup
from cc_safety_net.install.site import USER, Site

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call as 1.0.41 sends it; the workspace has a trailing slash."""
    call = {"command": command, "description": "probe"}
    return {
        "hookEventName": "pre_tool_use",
        "sessionId": "cc-safety-net-probe",
        "cwd": directory,
        "workspaceRoot": directory.rstrip("/") + "/",
        "permissionMode": "default",
        "toolName": "run_terminal_command",
        "toolUseId": "cc-safety-net-probe",
        "toolInput": call,
        "toolInputTruncated": False,
        "hook_event_name": "PreToolUse",
        "session_id": "cc-safety-net-probe",
        "permission_mode": "default",
        "tool_name": "run_terminal_command",
        "tool_input": call,
        "tool_use_id": "cc-safety-net-probe",
    }


class _GrokBuild(Setup):
    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        """A hook can be switched off by its name; a project must be trusted."""
        found = []
        path = os.path.join(site.agent_home(self.spec), "disabled-hooks")
        names = (site.read(os.path.realpath(path)) or b"").decode("utf-8", "replace").splitlines()
        stem = os.path.basename(self.path(site, scope)).removesuffix(".json")
        source = "global/" if scope == USER else ""
        off = [name for name in names if f"{source}{stem}:pre_tool_use[" in name]
        if off:
            what = f"{path}: the hook {off[0].strip()} is switched off"
            found.append(Obstacle(what, "in Grok Build: /hooks", path=path))
        if scope != USER and not self._trusted(site):
            what = f"{site.project} is not trusted: Grok Build runs none of its hooks"
            fix = "in Grok Build: /hooks-trust"
            found.append(Obstacle(what, fix, "installed-but-untrusted"))
        return found

    def _trusted(self, site: Site) -> bool:
        """By the record, for the folder or one above it."""
        if site.environment.get("GROK_FOLDER_TRUST") == "0":
            return True
        path = os.path.join(site.agent_home(self.spec), "trusted_folders.toml")
        return any(
            (site.project + "/").startswith(folder.rstrip("/") + "/")
            and isinstance(state, dict)
            and state.get("trusted") is True
            for folder, state in peek(site, path).table("folders").items()
        )


SETUP = _GrokBuild(SPEC, payload)
