"""Copilot CLI: reads our plugin folder in place; what it accepts and sends.

For a plugin from a local folder `uninstall` only switches it off; it goes with the marketplace.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cc_safety_net.agents.copilot_cli.spec import SPEC
from cc_safety_net.install.peek import peek
from cc_safety_net.install.plugin import (
    MARKETPLACE,
    NAME,
    PLUGIN,
    SKILL,
    UNKNOWN,
    Layout,
    PluginSetup,
)
from cc_safety_net.install.setup import Obstacle, Probe
from cc_safety_net.install.site import USER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.plan import AgentPlan, RunChange
    from cc_safety_net.install.site import Site

_ROOT = f"plugins/{NAME}"
#: Names under which the npm edition is installed directly, without a marketplace.
_OTHERS = frozenset({NAME, "copilot-safety-net"})


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool."""
    return {
        "sessionId": "cc-safety-net-probe",
        "timestamp": 1796058978533,
        "cwd": directory,
        "toolName": "bash",
        "toolArgs": {"command": command, "description": "probe"},
    }


class _CopilotCli(PluginSetup):
    layout = Layout(
        folder="copilot-cli",
        hooks=f"{_ROOT}/hooks/copilot.json",
        guide=f"{_ROOT}/{SKILL}",
        templates={
            ".claude-plugin/marketplace.json": "marketplace.json",
            f"{_ROOT}/plugin.json": "plugin.json",
            f"{_ROOT}/hooks/copilot.json": "hooks.json",
        },
        rewritten="settings.json",
        forget=(
            ("enabledPlugins", PLUGIN),
            ("enabledPlugins",),
            ("extraKnownMarketplaces",),
        ),
    )

    def source(self, site: Site) -> str | None:
        known = self.state(site, "settings.json").get("extraKnownMarketplaces")
        entry = known.get(MARKETPLACE) if isinstance(known, dict) else None
        if entry is None:
            return None
        source = entry.get("source") if isinstance(entry, dict) else None
        if not isinstance(source, dict):
            return UNKNOWN
        return str(source.get("path") or source.get("repo") or source.get("url") or UNKNOWN)

    def recorded(self, site: Site) -> bool:
        """With its marketplace: what uninstalling leaves of the name does not count."""
        return self.source(site) is not None or self._enabled(site).get(PLUGIN) is True

    def neighbours(self, site: Site) -> Sequence[str]:
        enabled = self._enabled(site)
        return [name for name in enabled if name.endswith(f"@{MARKETPLACE}") and name != PLUGIN]

    def loaded(self, site: Site, program: str) -> bool:
        plugins = self.listed(site, program)
        return any(
            (plugin.get("name"), plugin.get("marketplace")) == (NAME, MARKETPLACE)
            and plugin.get("enabled")
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
        return [self.run_of(site, (program, "plugin", "install", PLUGIN), "enable the plugin")]

    def removal_runs(self, site: Site, program: str) -> list[RunChange]:
        plugin = (program, "plugin")
        source = self.source(site)
        runs = []
        if PLUGIN in self._enabled(site):
            runs.append(
                self.run_of(
                    site,
                    (*plugin, "uninstall", PLUGIN),
                    "switch the plugin off",
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
                    needless=("is not registered",),
                )
            )
        return runs

    def other_runs(self, site: Site, program: str, plan: AgentPlan) -> list[RunChange]:
        runs = []
        installed = self.state(site, "config.json").get("installedPlugins")
        for entry in installed if isinstance(installed, list) else ():
            name = entry.get("name") if isinstance(entry, dict) else None
            marketplace = entry.get("marketplace") if isinstance(entry, dict) else None
            if name not in _OTHERS or marketplace:
                continue
            plan.notes.append(f"replaces the plugin {name}, installed directly")
            runs.append(
                self.run_of(
                    site,
                    (program, "plugin", "uninstall", str(name)),
                    "remove the other edition",
                    needless=("not installed", "not found"),
                )
            )
        return runs

    def variables_of_runs(self) -> Mapping[str, str]:
        return {"COPILOT_AUTO_UPDATE": "false"}

    def probe(self, site: Site, scope: str, directory: str) -> Probe:
        """Copilot CLI runs a plugin's hooks in the plugin's folder."""
        probe = super().probe(site, scope, directory)
        root = os.path.join(self.root(site), _ROOT)
        if scope != USER or not os.path.isdir(root):
            return probe
        return Probe(probe.payload, root, {**probe.environment, "COPILOT_CLI": "1"})

    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        found = []
        if scope == USER and self.source(site) is not None:
            if self._enabled(site).get(PLUGIN) is not True:
                fix = "cc-safety-net install --copilot-cli"
                found.append(Obstacle(f"{PLUGIN} is switched off", fix))
        else:
            path = site.config(self.spec, scope)[1]
            content = site.read(path) if os.path.isfile(path) else None
            host = self._host(site, scope)[0]
            model = host.editor.model(host.decode(content)[0], path)
            if isinstance(model, dict) and model.get("disableAllHooks") is True:
                found.append(Obstacle(f'{path}: "disableAllHooks" is true', "remove the key"))
        path = os.path.join(site.project, ".github/copilot/settings.json")
        if peek(site, path).at("disableAllHooks") is True:
            # In a trusted repository this skips the person's hooks as well.
            what = f'{path}: "disableAllHooks" is true'
            found.append(Obstacle(what, "remove the key", path=path))
        if scope != USER and not self._trusted(site):
            what = f"{site.project} is no trusted folder: Copilot CLI runs none of its hooks"
            fix = "start copilot there once and trust the folder"
            found.append(Obstacle(what, fix, "installed-but-untrusted"))
        return found

    def _trusted(self, site: Site) -> bool:
        config = self.state(site, "config.json")
        for key in ("trustedFolders", "trusted_folders"):
            folders = config.get(key)
            for folder in folders if isinstance(folders, list) else ():
                if (site.project + "/").startswith(str(folder).rstrip("/") + "/"):
                    return True
        return site.environment.get("COPILOT_ALLOW_ALL") == "true"

    def _enabled(self, site: Site) -> Mapping[str, object]:
        enabled = self.state(site, "settings.json").get("enabledPlugins")
        return enabled if isinstance(enabled, dict) else {}


SETUP = _CopilotCli(SPEC, payload)
