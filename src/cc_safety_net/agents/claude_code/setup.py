"""Claude Code: what it accepts in its settings, what it sends, and its plugin commands.

Its program reads our plugin folder in place and writes `settings.json` anew.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cc_safety_net.agents.claude_code.spec import SPEC
from cc_safety_net.install.entries import Problem
from cc_safety_net.install.peek import peek
from cc_safety_net.install.plugin import (
    MARKETPLACE,
    PLUGIN,
    SKILL,
    UNKNOWN,
    Layout,
    PluginSetup,
)
from cc_safety_net.install.setup import Obstacle, distinct
from cc_safety_net.install.site import USER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.plan import RunChange
    from cc_safety_net.install.site import Site

_KINDS = frozenset({"command", "prompt", "agent", "http", "mcp_tool"})


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool."""
    return {
        "session_id": "cc-safety-net-probe",
        "transcript_path": os.path.join(directory, "cc-safety-net-probe.jsonl"),
        "cwd": directory,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "probe"},
        "tool_use_id": "cc-safety-net-probe",
    }


def validate(model: object) -> Sequence[Problem]:
    """What makes Claude Code drop every hook of a file, with only a warning."""
    hooks = model.get("hooks", {}) if isinstance(model, dict) else {}
    problems: list[Problem] = []
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for index, group in enumerate(groups if isinstance(groups, list) else []):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            path = ("hooks", event, index)
            if not isinstance(handlers, list):
                problems.append(Problem(path, _dropped('the list "hooks" is missing')))
                continue
            problems.extend(
                Problem((*path, "hooks", number), _dropped(what))
                for number, handler in enumerate(handlers)
                for what in _complaints(handler)
            )
    return problems


def _complaints(handler: object) -> list[str]:
    if not isinstance(handler, dict):
        return ["a hook is not an object"]
    found = []
    if handler.get("type") not in _KINDS:
        found.append(f'unknown "type": {json.dumps(handler.get("type"))}')
    timeout = handler.get("timeout", 1)
    if not isinstance(timeout, int | float) or isinstance(timeout, bool) or timeout <= 0:
        found.append('"timeout" must be a number above 0')
    if handler.get("onFailure", "block") not in {"block", "allow", "continue", "ignore"}:
        found.append(f'unknown "onFailure": {json.dumps(handler["onFailure"])}')
    return found


def _dropped(what: str) -> str:
    return f"a hook that Claude Code does not accept, so it drops all hooks of the file: {what}"


class _ClaudeCode(PluginSetup):
    layout = Layout(
        folder="claude-code",
        hooks="plugins/cc-safety-net/hooks/hooks.json",
        guide=f"plugins/cc-safety-net/{SKILL}",
        templates={
            ".claude-plugin/marketplace.json": "marketplace.json",
            "plugins/cc-safety-net/.claude-plugin/plugin.json": "plugin.json",
            "plugins/cc-safety-net/hooks/hooks.json": "hooks.json",
        },
        rewritten="settings.json",
        forget=(("enabledPlugins",), ("extraKnownMarketplaces",)),
    )

    def source(self, site: Site) -> str | None:
        known = self.state(site, "plugins/known_marketplaces.json").get(MARKETPLACE)
        if known is None:
            settings = self.state(site, "settings.json").get("extraKnownMarketplaces")
            known = settings.get(MARKETPLACE) if isinstance(settings, dict) else None
        if not isinstance(known, dict):
            return None
        source = known.get("source")
        if not isinstance(source, dict):
            return UNKNOWN
        return str(source.get("path") or source.get("repo") or source.get("url") or UNKNOWN)

    def recorded(self, site: Site) -> bool:
        return PLUGIN in self._plugins(site)

    def neighbours(self, site: Site) -> Sequence[str]:
        return [
            plugin
            for plugin in self._plugins(site)
            if plugin.endswith(f"@{MARKETPLACE}") and plugin != PLUGIN
        ]

    def loaded(self, site: Site, program: str) -> bool:
        plugins = self.listed(site, program)
        return any(
            plugin.get("id") == PLUGIN and plugin.get("enabled") and not plugin.get("errors")
            for plugin in (plugins if isinstance(plugins, list) else [])
            if isinstance(plugin, dict)
        )

    def install_runs(self, site: Site, program: str) -> list[RunChange]:
        plugin = (program, "plugin")
        return [
            self.run_of(
                site,
                (*plugin, "marketplace", "add", self.root(site)),
                "make our plugin folder known",
                (*plugin, "marketplace", "remove", MARKETPLACE),
            ),
            self.run_of(
                site,
                (*plugin, "install", PLUGIN),
                "install the plugin",
                (*plugin, "uninstall", PLUGIN),
            ),
        ]

    def enable_runs(self, site: Site, program: str) -> list[RunChange]:
        return [self.run_of(site, (program, "plugin", "enable", PLUGIN), "enable it")]

    def removal_runs(self, site: Site, program: str) -> list[RunChange]:
        plugin = (program, "plugin")
        source = self.source(site)
        runs = []
        if self.recorded(site):
            runs.append(
                self.run_of(
                    site,
                    (*plugin, "uninstall", PLUGIN),
                    "remove the plugin",
                    (*plugin, "install", PLUGIN),
                    needless=("not installed", "not found"),
                )
            )
        if source is not None:
            undo = [(*plugin, "marketplace", "add", source)] if source != UNKNOWN else []
            runs.append(
                self.run_of(
                    site,
                    (*plugin, "marketplace", "remove", MARKETPLACE),
                    "forget the plugin folder",
                    *undo,
                    needless=("not found", "unknown marketplace"),
                )
            )
        return runs

    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        """A repository's settings can switch the person's hooks off, too."""
        configs = {
            config.scope: site.config(self.spec, config.scope)[1] for config in self.spec.configs
        }
        found = []
        for path in distinct(*configs.values()):
            document = peek(site, path)
            if document.at("disableAllHooks") is True:
                what = f'{path}: "disableAllHooks" is true'
                found.append(Obstacle(what, "remove the key", path=path))
            managed = path == configs["managed"]
            if managed and document.at("allowManagedHooksOnly") is True:
                what = f'{path}: "allowManagedHooksOnly" is true'
                found.append(Obstacle(what, "ask who manages this machine", path=path))
            if scope == USER and document.table("enabledPlugins").get(PLUGIN) is False:
                what = f"{path}: the plugin {PLUGIN} is switched off"
                found.append(Obstacle(what, f"claude plugin enable {PLUGIN}", path=path))
        return found

    def _plugins(self, site: Site) -> list[str]:
        """Plugins that Claude Code has, enabled or not."""
        installed = self.state(site, "plugins/installed_plugins.json").get("plugins")
        enabled = self.state(site, "settings.json").get("enabledPlugins")
        return [name for found in (installed, enabled) if isinstance(found, dict) for name in found]


SETUP = _ClaudeCode(SPEC, payload, validate=validate)
