"""Codex: copies our plugin, and runs no hook that the person has not trusted.

Any changed file of the plugin takes the trust away, so its files say the number of their form
and not our version.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from cc_safety_net.agents.codex.spec import SPEC
from cc_safety_net.install.entries import Problem
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
from cc_safety_net.install.setup import Obstacle, distinct
from cc_safety_net.install.site import USER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.plan import AgentPlan, FileChange, RunChange
    from cc_safety_net.install.site import Site

#: Raised only when the plugin's files change: every change asks the person for trust again.
FORM = "1"
TRUST = "codex runs no hook that is not trusted. In Codex: /hooks, select cc-safety-net, press t."

_ROOT = f"plugins/{NAME}"
_HOOKS = "hooks/codex.json"
_KINDS = frozenset({"command", "prompt", "agent"})
_TOP = frozenset({"description", "hooks"})


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool."""
    return {
        "session_id": "cc-safety-net-probe",
        "turn_id": "cc-safety-net-probe",
        "transcript_path": os.path.join(directory, "cc-safety-net-probe.jsonl"),
        "cwd": directory,
        "hook_event_name": "PreToolUse",
        "model": "probe",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "cc-safety-net-probe",
    }


def validate(model: object) -> Sequence[Problem]:
    """What makes Codex drop the whole `hooks.json`, with only a warning."""
    if not isinstance(model, dict):
        return ()
    problems = [
        Problem((key,), _dropped(f'the key "{key}" beside "hooks"'))
        for key in model
        if key not in _TOP
    ]
    hooks = model.get("hooks", {})
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        if not isinstance(groups, list):
            problems.append(Problem(("hooks", event), _dropped(f'"{event}" is not a list')))
            continue
        for index, group in enumerate(groups):
            handlers = group.get("hooks", []) if isinstance(group, dict) else None
            if not isinstance(handlers, list):
                problems.append(Problem(("hooks", event, index), _dropped("a group is no object")))
                continue
            problems.extend(
                Problem(("hooks", event, index, "hooks", number), _dropped(what))
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
    if not isinstance(timeout, int) or isinstance(timeout, bool) or timeout < 0:
        found.append('"timeout" must be a whole number of seconds')
    return found


def _dropped(what: str) -> str:
    return f"something that Codex does not accept, so it drops all hooks of the file: {what}"


class _Codex(PluginSetup):
    layout = Layout(
        folder="codex",
        hooks=f"{_ROOT}/{_HOOKS}",
        guide=f"{_ROOT}/{SKILL}",
        templates={
            ".agents/plugins/marketplace.json": "marketplace.json",
            f"{_ROOT}/.codex-plugin/plugin.json": "plugin.json",
            f"{_ROOT}/{_HOOKS}": "hooks.json",
        },
        form=FORM,
        rewritten="config.toml",
    )

    def plan_install(self, site: Site, scope: str) -> AgentPlan:
        plan = super().plan_install(site, scope)
        if plan.changes or self.obstacles(site, scope):
            plan.notes.append(TRUST)
        return plan

    def hooks_path(self, site: Site) -> str:
        """Codex runs the copy that it has made."""
        return os.path.join(self._copy(site), _HOOKS)

    def source(self, site: Site) -> str | None:
        known = self._table(site, "marketplaces").get(MARKETPLACE)
        if known is None:
            return None
        return str(known.get("source") or UNKNOWN) if isinstance(known, dict) else UNKNOWN

    def recorded(self, site: Site) -> bool:
        return PLUGIN in self._table(site, "plugins")

    def neighbours(self, site: Site) -> Sequence[str]:
        plugins = self._table(site, "plugins")
        return [name for name in plugins if name.endswith(f"@{MARKETPLACE}") and name != PLUGIN]

    def loaded(self, site: Site, program: str) -> bool:
        listed = self.listed(site, program)
        plugins = listed.get("installed") if isinstance(listed, dict) else None
        return any(
            plugin.get("pluginId") == PLUGIN and plugin.get("installed") and plugin.get("enabled")
            for plugin in (plugins if isinstance(plugins, list) else [])
            if isinstance(plugin, dict)
        )

    def needs_runs(self, site: Site, program: str, files: Sequence[FileChange]) -> bool:
        return bool(files) or not self._copied(site) or not self.loaded(site, program)

    def install_runs(self, site: Site, program: str) -> list[RunChange]:
        plugin = (program, "plugin")
        return [
            self.run_of(
                site,
                (*plugin, "marketplace", "add", self.root(site), "--json"),
                "make our plugin folder known",
                (*plugin, "marketplace", "remove", MARKETPLACE),
            ),
            self.run_of(
                site,
                (*plugin, "add", PLUGIN, "--json"),
                "install the plugin",
                (*plugin, "remove", PLUGIN),
            ),
        ]

    def enable_runs(self, site: Site, program: str) -> list[RunChange]:
        """Adding copies anew; only removing forgets that it was switched off."""
        add = (program, "plugin", "add", PLUGIN, "--json")
        state = self._table(site, "plugins").get(PLUGIN)
        runs = []
        if isinstance(state, dict) and state.get("enabled") is False:
            remove = (program, "plugin", "remove", PLUGIN, "--json")
            runs.append(self.run_of(site, remove, "it is switched off", add))
        return [*runs, self.run_of(site, add, "install the plugin again")]

    def removal_runs(self, site: Site, program: str) -> list[RunChange]:
        plugin = (program, "plugin")
        source = self.source(site)
        runs = []
        if self.recorded(site):
            runs.append(
                self.run_of(
                    site,
                    (*plugin, "remove", PLUGIN, "--json"),
                    "remove the plugin",
                    (*plugin, "add", PLUGIN),
                    needless=("not found", "not installed"),
                )
            )
        if source is not None:
            undo = [(*plugin, "marketplace", "add", source)] if source != UNKNOWN else []
            runs.append(
                self.run_of(
                    site,
                    (*plugin, "marketplace", "remove", MARKETPLACE, "--json"),
                    "forget the plugin folder",
                    *undo,
                    needless=("is not configured",),
                )
            )
        return runs

    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        """Hooks switched off, and what the person has not trusted."""
        found = []
        project = os.path.join(site.project, ".codex/config.toml")
        managed = site.config(self.spec, "managed")[1]
        for path in distinct(self._config(site), project, managed):
            if peek(site, path).at("features", "hooks") is False:
                what = f'{path}: "hooks" is false under [features]'
                found.append(Obstacle(what, "remove it", path=path))
        level = self._table(site, "projects").get(site.project)
        trusted = isinstance(level, dict) and level.get("trust_level") == "trusted"
        if scope != USER and not trusted:
            what = f"{site.project} is no trusted project: Codex does not look at its hooks"
            fix = "start codex there once and trust the project"
            found.append(Obstacle(what, fix, "installed-but-untrusted"))
        plugin = scope == USER and self.recorded(site)
        state = self._table(site, "plugins").get(PLUGIN)
        if plugin and isinstance(state, dict) and state.get("enabled") is False:
            found.append(Obstacle(f"{PLUGIN} is switched off", "cc-safety-net install --codex"))
        trust = self._table(site, "hooks").get("state")
        for key, digest in self._keys(site, scope, plugin=plugin):
            entry = trust.get(key) if isinstance(trust, dict) else None
            entry = entry if isinstance(entry, dict) else {}
            if entry.get("enabled") is False:
                found.append(Obstacle(f"the hook {key} is switched off", "in Codex: /hooks"))
            elif str(entry.get("trusted_hash", "")).partition("/")[0] != digest:
                what = "has changed since it was trusted" if entry else "is not trusted yet"
                fix = f"in Codex run /hooks, select {NAME}, press t"
                found.append(Obstacle(f"the hook {what}", fix, "installed-but-untrusted"))
        return found

    def _keys(self, site: Site, scope: str, *, plugin: bool) -> list[tuple[str, str]]:
        """Under which key Codex keeps the trust in each of our hooks, and for which hash."""
        if plugin:
            host, path = self._plugin_host(site), self.hooks_path(site)
            name = f"{PLUGIN}:{_HOOKS}"
        else:
            host, path, target = self._host(site, scope)
            name, path = path, target
        content = site.read(path)
        if content is None:
            return []
        text, _ = host.decode(content)
        model = host.editor.model(text, path)
        found = []
        for where, value in host.find(model):
            if where[1] != self._event or not isinstance(value, dict):
                continue
            index = where[2]
            number = where[4] if len(where) > 4 else 0
            group = model["hooks"][self._event][index] if isinstance(model, dict) else {}
            handlers = group["hooks"][number:] if len(where) > 4 else group["hooks"]
            for offset, handler in enumerate(handlers[: 1 if len(where) > 4 else None]):
                key = f"{name}:pre_tool_use:{index}:{int(number) + offset}"
                found.append((key, trusted_hash(group.get("matcher"), handler)))
        return found

    @property
    def _event(self) -> str:
        assert self.spec.entry is not None, self.spec.name
        return self.spec.entry.event

    def _copy(self, site: Site) -> str:
        home = site.agent_home(self.spec)
        return os.path.join(home, "plugins/cache", MARKETPLACE, NAME, FORM)

    def _copied(self, site: Site) -> bool:
        """Codex's copy holds the same bytes as our folder will."""
        for name, content in self.contents(site).items():
            if name.startswith(_ROOT + "/"):
                path = os.path.join(self._copy(site), name[len(_ROOT) + 1 :])
                if site.read(path) != content:
                    return False
        return True

    def _config(self, site: Site) -> str:
        return os.path.join(site.agent_home(self.spec), "config.toml")

    def _table(self, site: Site, name: str) -> Mapping[str, object]:
        """A table of `config.toml`, {} if it is missing or in another form."""
        return peek(site, self._config(site)).table(name)


def trusted_hash(matcher: object, handler: Mapping[str, object]) -> str:
    """What Codex records for a hook that the person trusts."""
    hook = {
        "async": False,
        "command": handler.get("command"),
        "timeout": handler.get("timeout", 600),
        "type": "command",
    }
    value: dict[str, object] = {"event_name": "pre_tool_use", "hooks": [hook]}
    if matcher is not None:
        value["matcher"] = matcher
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


SETUP = _Codex(SPEC, payload, validate=validate)
