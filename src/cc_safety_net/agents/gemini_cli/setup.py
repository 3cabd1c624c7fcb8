"""Gemini CLI: an extension linked from our folder, which it reads in place; what it sends.

Its program trusts the folder it is run in unless a variable says that it need not ask.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from cc_safety_net.agents.gemini_cli.spec import SPEC
from cc_safety_net.install.entries import Problem
from cc_safety_net.install.peek import peek
from cc_safety_net.install.plugin import NAME, SKILL, UNKNOWN, Layout, PluginSetup
from cc_safety_net.install.setup import Obstacle, distinct
from cc_safety_net.install.site import USER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.plan import AgentPlan, RunChange
    from cc_safety_net.install.site import Site

#: The npm edition's extension.
_OTHER = "gemini-safety-net"
_SYSTEM_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
_TRUSTED_FOLDERS = "GEMINI_CLI_TRUSTED_FOLDERS_PATH"
_RECORD = "extensions/{}/.gemini-extension-install.json"
_EVENTS = frozenset(
    {"BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel"}
    | {"BeforeToolSelection", "SessionStart", "SessionEnd", "Notification", "PreCompress"}
)


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool."""
    return {
        "session_id": "cc-safety-net-probe",
        "transcript_path": os.path.join(directory, "cc-safety-net-probe.jsonl"),
        "cwd": directory,
        "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "tool_name": "run_shell_command",
        "tool_input": {"command": command, "description": "probe"},
    }


def validate(model: object) -> Sequence[Problem]:
    """A bad neighbour does little harm here, but an event of another agent never runs."""
    hooks = model.get("hooks", {}) if isinstance(model, dict) else {}
    return [
        Problem(
            ("hooks", event),
            f'"{event}" is no event of Gemini CLI: what stands there does not run',
            fatal=False,
        )
        for event, groups in (hooks.items() if isinstance(hooks, dict) else ())
        if event not in _EVENTS and isinstance(groups, list)
    ]


class _GeminiCli(PluginSetup):
    layout = Layout(
        folder="gemini-cli",
        hooks="hooks/hooks.json",
        guide=SKILL,
        templates={
            "gemini-extension.json": "gemini-extension.json",
            "hooks/hooks.json": "hooks.json",
        },
    )

    def source(self, site: Site) -> str | None:
        path = os.path.join(site.agent_home(self.spec), "extensions", NAME)
        if not os.path.lexists(path):
            return None
        record = self.state(site, _RECORD.format(NAME))
        source = str(record.get("source") or UNKNOWN)
        # A copy of our folder would not see what changes in it.
        return source if record.get("type") == "link" else f"{source} (a copy)"

    def recorded(self, site: Site) -> bool:
        return self.source(site) is not None

    def loaded(self, site: Site, program: str) -> bool:
        extensions = self.listed(site, program)
        return any(
            extension.get("name") == NAME
            and extension.get("isActive")
            and isinstance(extension.get("hooks"), dict)
            and bool(extension["hooks"].get("BeforeTool"))
            for extension in (extensions if isinstance(extensions, list) else [])
            if isinstance(extension, dict)
        )

    def list_argv(self, program: str) -> tuple[str, ...]:
        return (program, "extensions", "list", "-o", "json")

    def install_runs(self, site: Site, program: str) -> list[RunChange]:
        extensions = (program, "extensions")
        return [
            self._in_folder(
                site,
                self.run_of(
                    site,
                    (*extensions, "link", self.root(site), "--consent"),
                    "link our extension",
                    (*extensions, "uninstall", NAME),
                ),
            )
        ]

    def enable_runs(self, site: Site, program: str) -> list[RunChange]:
        run = self.run_of(site, (program, "extensions", "enable", NAME), "enable it")
        return [self._in_folder(site, run)]

    def removal_runs(self, site: Site, program: str) -> list[RunChange]:
        source = self.source(site)
        extensions = (program, "extensions")
        undo = []
        if source is not None and source != UNKNOWN:
            copy = source.removesuffix(" (a copy)")
            verb = "install" if copy != source else "link"
            undo.append((*extensions, verb, copy, "--consent"))
        run = self.run_of(
            site,
            (*extensions, "uninstall", NAME),
            "remove the extension",
            *undo,
            needless=("extension not found",),
        )
        return [self._in_folder(site, run)]

    def other_runs(self, site: Site, program: str, plan: AgentPlan) -> list[RunChange]:
        path = os.path.join(site.agent_home(self.spec), "extensions", _OTHER)
        if not os.path.lexists(path):
            return []
        record = self.state(site, _RECORD.format(_OTHER))
        extensions = (program, "extensions")
        undo = []
        if record.get("source"):
            verb = "link" if record.get("type") == "link" else "install"
            undo.append((*extensions, verb, str(record["source"]), "--consent"))
        plan.notes.append(f"replaces the npm edition's extension {_OTHER}")
        run = self.run_of(
            site,
            (*extensions, "uninstall", _OTHER),
            "remove the npm edition",
            *undo,
            needless=("extension not found",),
        )
        return [self._in_folder(site, run)]

    def variables_of_runs(self) -> Mapping[str, str]:
        """Nothing is asked, and no folder becomes trusted by our runs."""
        return {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true"}

    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        """A trusted project's settings can switch the person's hooks off, too."""
        configs = [site.config(self.spec, config.scope)[1] for config in self.spec.configs]
        system = site.environment.get(_SYSTEM_SETTINGS, "")
        found = []
        for path in distinct(*configs, *([system] if os.path.isabs(system) else [])):
            document = peek(site, path)
            if document.at("hooksConfig", "enabled") is False:
                what = f'{path}: "enabled" is false under "hooksConfig"'
                found.append(Obstacle(what, "remove it", path=path))
            disabled = document.at("hooksConfig", "disabled")
            if isinstance(disabled, list) and NAME in disabled:
                what = f'{path}: "{NAME}" is listed under "hooksConfig.disabled"'
                found.append(Obstacle(what, "take it out of the list", path=path))
        if scope != USER and not self._trusted(site):
            what = f"{site.project} is no trusted folder: Gemini CLI runs none of its hooks"
            found.append(Obstacle(what, "in Gemini CLI: /permissions", "installed-but-untrusted"))
        if scope == USER and self.recorded(site):
            rules = self.state(site, "extensions/extension-enablement.json").get(NAME)
            overrides = rules.get("overrides") if isinstance(rules, dict) else None
            off = [
                rule
                for rule in (overrides if isinstance(overrides, list) else [])
                if str(rule).startswith("!")
            ]
            if off:
                what = f"the extension is switched off for {', '.join(rule[1:] for rule in off)}"
                found.append(Obstacle(what, f"gemini extensions enable {NAME}"))
        return found

    def _trusted(self, site: Site) -> bool:
        """The project or a folder above it, or nothing is asked about folders."""
        asks = self.state(site, "settings.json").get("security")
        asks = asks.get("folderTrust") if isinstance(asks, dict) else None
        if isinstance(asks, dict) and asks.get("enabled") is False:
            return True
        if site.environment.get("GEMINI_CLI_TRUST_WORKSPACE") == "true":
            return True
        own = os.path.join(site.agent_home(self.spec), "trustedFolders.json")
        moved = site.environment.get(_TRUSTED_FOLDERS, "")
        folders = peek(site, moved if os.path.isabs(moved) else own).model
        trusted = False
        for folder, state in folders.items():
            inside = (site.project + "/").startswith(folder.rstrip("/") + "/")
            if state == "TRUST_PARENT":
                inside = (site.project + "/").startswith(os.path.dirname(folder).rstrip("/") + "/")
            if inside and state == "DO_NOT_TRUST":
                return False
            trusted = trusted or inside
        return trusted

    def _in_folder(self, site: Site, run: RunChange) -> RunChange:
        """Run in a folder that is ours: Gemini CLI makes a project of where it is run."""
        return replace(run, directory=site.directories.data)


SETUP = _GeminiCli(SPEC, payload, validate=validate)
