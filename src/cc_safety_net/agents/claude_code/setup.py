"""Claude Code: a plugin from a folder of ours through its own program, or an entry in a file.

The entry stands in the project's settings, and in the user's where the `claude` program is
missing; never beside the plugin. The program reads our folder in place, so its path holds no
version.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cc_safety_net import __version__
from cc_safety_net.agents.claude_code.spec import SPEC
from cc_safety_net.errors import AgentCliFailed, Refused, VerifyFailed
from cc_safety_net.install import links, ownership
from cc_safety_net.install.edit.json import EDITOR
from cc_safety_net.install.entries import Host, Problem, entry_value
from cc_safety_net.install.installed import folders_of
from cc_safety_net.install.plan import (
    DELETE,
    EDIT,
    WRITE,
    AgentPlan,
    Edited,
    FileChange,
    KeepForm,
    RunChange,
)
from cc_safety_net.install.recovery import same_meaning
from cc_safety_net.install.setup import Setup
from cc_safety_net.install.site import USER, Site
from cc_safety_net.install.templates import filled, template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MARKETPLACE = "cc-marketplace"
PLUGIN = f"cc-safety-net@{MARKETPLACE}"
FOLDER = "claude-code"

_HOOKS = "plugins/cc-safety-net/hooks/hooks.json"
_SKILL = "plugins/cc-safety-net/skills/cc-safety-net/SKILL.md"
RUN_SECONDS = 120.0
_UNKNOWN = "unknown"
_LIST_SECONDS = 30.0
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


class _ClaudeCode(Setup):
    def plan_entry(self, site: Site, scope: str, plan: AgentPlan) -> None:
        program = site.find_program(self.spec.executable) if scope == USER else None
        if program is None:
            if scope == USER and self._plugin_recorded(site):
                raise Refused(
                    "Claude Code knows our plugin, but its program `claude` is not on PATH",
                    "put `claude` on PATH, then run the command again",
                    code="agent_cli_missing",
                )
            if scope == USER:
                plan.notes.append("`claude` is not on PATH: the hook goes into settings.json")
            super().plan_entry(site, scope, plan)
            return
        self._plan_plugin(site, program, plan)

    def plan_removal(self, site: Site, scope: str, plan: AgentPlan) -> None:
        super().plan_removal(site, scope, plan)
        if scope != USER:
            return
        settings = plan.changes[:]
        plan.changes.clear()
        present = self._plugin_recorded(site)
        if present:
            program = self._require_program(site)
            plan.changes.append(self._keep_form(site))
            plan.changes.extend(self._removal_runs(site, program))
        plan.changes.extend(settings)
        if present:
            plan.changes.extend(self._settings_restored(site))
        plan.changes.extend(self._folder_removal(site))

    def commands(self, site: Site, scope: str) -> list[str]:
        """Of the settings file, and of the plugin as far as Claude Code has it installed."""
        found = super().commands(site, scope)
        if scope == USER and self._plugin_recorded(site):
            content = site.read(os.path.join(self._folder(site), _HOOKS))
            if content is not None:
                found.extend(self._plugin_host(site).commands(content))
        return found

    def require_loaded(self, site: Site, scope: str) -> None:
        program = site.find_program(self.spec.executable)
        if scope != USER or program is None or not self._plugin_recorded(site):
            return
        if not self._loaded(site, program):
            raise VerifyFailed(
                "Claude Code does not list our plugin as enabled and loaded",
                f"run `{program} plugin list` to see why; nothing was changed",
            )

    # The plugin

    def _plan_plugin(self, site: Site, program: str, plan: AgentPlan) -> None:
        record = self._record(site, USER)
        plan.folders = folders_of(record)
        files = self._folder_changes(site)
        super().plan_removal(site, USER, plan)
        plan.record["settings"] = (
            record["settings"] if "settings" in record else self._settings_form(site, plan)
        )
        known = self._known_marketplace(site)
        present = known == self._folder(site) and self._plugin_recorded(site)
        if present and self._loaded(site, program):
            # The program reads the files in place.
            plan.changes.extend(files)
            return
        if known is not None and known != self._folder(site):
            plan.notes.append(f"replaces the marketplace {MARKETPLACE} of another source: {known}")
            runs = [*self._removal_runs(site, program), *self._install_runs(site, program)]
        elif present:
            runs = [_run(site, (program, "plugin", "enable", PLUGIN), "enable it")]
        else:
            runs = self._install_runs(site, program)
        plan.changes.extend(files)
        plan.changes.append(self._keep_form(site))
        plan.changes.extend(runs)

    def _install_runs(self, site: Site, program: str) -> list[RunChange]:
        plugin = (program, "plugin")
        return [
            _run(
                site,
                (*plugin, "marketplace", "add", self._folder(site)),
                "make our plugin folder known",
                (*plugin, "marketplace", "remove", MARKETPLACE),
            ),
            _run(
                site,
                (*plugin, "install", PLUGIN),
                "install the plugin",
                (*plugin, "uninstall", PLUGIN),
            ),
        ]

    def _folder(self, site: Site) -> str:
        return os.path.join(site.directories.data, FOLDER)

    def _plugin_host(self, site: Site) -> Host:
        name = os.path.join(self._folder(site), _HOOKS)
        host, _, _ = self._host(site, USER)
        return Host(name, host.editor, host.place, host.entry, validate)

    def _contents(self, site: Site) -> dict[str, bytes]:
        """Path below our folder -> bytes."""
        assert self.spec.entry is not None, self.spec.name
        entry = entry_value(self.spec.entry, site.command(self.spec, USER))
        version = json.dumps(__version__)
        lines = json.dumps(entry, indent=2, ensure_ascii=False).replace("\n", "\n      ")
        texts = {
            ".claude-plugin/marketplace.json": ("marketplace.json", {"version": version}),
            "plugins/cc-safety-net/.claude-plugin/plugin.json": (
                "plugin.json",
                {"version": version},
            ),
            _HOOKS: ("hooks.json", {"entry": lines}),
        }
        found = {
            path: filled(template(FOLDER, name), values).encode()
            for path, (name, values) in texts.items()
        }
        guide = filled(template("guide", "SKILL.md"), {"version": __version__})
        return {**found, _SKILL: guide.encode()}

    def _folder_changes(self, site: Site) -> list[FileChange]:
        root = self._folder(site)
        changes = []
        for name, content in self._contents(site).items():
            path = os.path.join(root, name)
            self._require_no_links(site, root, name)
            before = site.read(path)
            if before == content:
                continue
            _require_ours(path, before)
            changes.append(
                FileChange(
                    WRITE,
                    path,
                    path,
                    _writes(path, content),
                    "plugin file",
                    before,
                    content,
                    folder_mode=0o700,
                )
            )
        return changes

    def _folder_removal(self, site: Site) -> list[FileChange]:
        root = self._folder(site)
        changes = []
        for name in self._contents(site):
            path = os.path.join(root, name)
            self._require_no_links(site, root, name)
            before = site.read(path)
            if before is not None:
                _require_ours(path, before)
                changes.append(
                    FileChange(DELETE, path, path, _writes(path, None), "plugin file", before, None)
                )
        return changes

    def _require_no_links(self, site: Site, root: str, name: str) -> None:
        path = root
        links.refuse_link(site.system, path)
        for part in name.split("/"):
            path = os.path.join(path, part)
            links.refuse_link(site.system, path)

    # What Claude Code knows

    def _known_marketplace(self, site: Site) -> str | None:
        """The source of `cc-marketplace`: a path, or what else it came from; None: unknown."""
        known = self._state(site, "plugins/known_marketplaces.json").get(MARKETPLACE)
        if known is None:
            settings = self._state(site, "settings.json").get("extraKnownMarketplaces")
            known = settings.get(MARKETPLACE) if isinstance(settings, dict) else None
        if not isinstance(known, dict):
            return None
        source = known.get("source")
        if not isinstance(source, dict):
            return _UNKNOWN
        return str(source.get("path") or source.get("repo") or source.get("url") or _UNKNOWN)

    def _plugin_recorded(self, site: Site) -> bool:
        """Claude Code has a plugin of our name, enabled or not."""
        plugins = self._state(site, "plugins/installed_plugins.json").get("plugins")
        enabled = self._state(site, "settings.json").get("enabledPlugins")
        return any(isinstance(found, dict) and PLUGIN in found for found in (plugins, enabled))

    def _state(self, site: Site, name: str) -> Mapping[str, object]:
        """A file of Claude Code's own, {} if it is missing or in another form."""
        path = os.path.join(site.agent_home(self.spec), name)
        try:
            target = links.resolve_config(site.system, path, site.directories.home)
            content = site.read(target.path)
            model = json.loads(content) if content else {}
        except (ValueError, Refused):
            return {}
        return model if isinstance(model, dict) else {}

    def _loaded(self, site: Site, program: str) -> bool:
        """The program itself says that the plugin is enabled and read without an error."""
        argv = (program, "plugin", "list", "--json")
        ended = site.system.run(
            argv,
            environment=site.environment,
            directory=site.directories.home,
            timeout=_LIST_SECONDS,
            changes=False,
        )
        try:
            plugins = json.loads(ended.stdout) if ended.status == 0 else None
        except ValueError:
            plugins = None
        if not isinstance(plugins, list):
            raise AgentCliFailed(
                f"`{' '.join(argv)}` gave no list: {ended.tail() or 'no output'}",
                "run it by hand; update Claude Code if it does not know the command",
            )
        return any(
            plugin.get("id") == PLUGIN and plugin.get("enabled") and not plugin.get("errors")
            for plugin in plugins
            if isinstance(plugin, dict)
        )

    def _require_program(self, site: Site) -> str:
        program = site.find_program(self.spec.executable)
        if program is None:
            raise Refused(
                "Claude Code has our plugin, but its program `claude` is not on PATH",
                "put `claude` on PATH, then run the command again",
                code="agent_cli_missing",
            )
        return program

    def _removal_runs(self, site: Site, program: str) -> list[RunChange]:
        plugin = (program, "plugin")
        known = self._known_marketplace(site)
        runs = []
        if self._plugin_recorded(site):
            runs.append(
                _run(
                    site,
                    (*plugin, "uninstall", PLUGIN),
                    "remove the plugin",
                    (*plugin, "install", PLUGIN),
                    needless=("not installed", "not found"),
                )
            )
        if known is not None:
            runs.append(
                _run(
                    site,
                    (*plugin, "marketplace", "remove", MARKETPLACE),
                    "forget the plugin folder",
                    *([(*plugin, "marketplace", "add", known)] if known != _UNKNOWN else []),
                    needless=("not found", "unknown marketplace"),
                )
            )
        return runs

    # The form of settings.json, which the program writes anew

    def _settings(self, site: Site) -> str:
        return site.resolve(self.spec, site.config(self.spec, USER)[1]).path

    def _settings_form(self, site: Site, plan: AgentPlan) -> str | None:
        """The file as it is without our entry."""
        target = self._settings(site)
        content = site.read(target)
        for change in plan.changes:
            if isinstance(change, FileChange) and change.target == target:
                content = change.after
        return None if content is None else content.decode("utf-8", "surrogateescape")

    def _keep_form(self, site: Site) -> KeepForm:
        return KeepForm(self._settings(site))

    def _settings_restored(self, site: Site) -> list[FileChange]:
        """The person's own form of the file, if it says the same without us."""
        record = self._record(site, USER)
        if "settings" not in record:
            return []
        form = record["settings"]
        wanted = None if form is None else str(form).encode("utf-8", "surrogateescape")
        target = self._settings(site)

        def edit(content: bytes | None) -> Edited:
            if same_meaning(content, wanted):
                return Edited(wanted)
            return Edited(_without_empty(content, wanted))

        path = site.config(self.spec, USER)[1]
        return [FileChange(EDIT, path, target, edit, "as it was written before")]


def _without_empty(content: bytes | None, wanted: bytes | None) -> bytes | None:
    """The file without the empty objects that the program leaves where plugins stood."""
    text, original = (content or b"").decode(), (wanted or b"{}").decode("utf-8", "replace")
    for key in ("enabledPlugins", "extraKnownMarketplaces"):
        model = EDITOR.model(text, "settings.json")
        if isinstance(model, dict) and model.get(key) == {} and f'"{key}"' not in original:
            text = EDITOR.drop(text, (key,))
    return text.encode() if content is not None else None


def _run(
    site: Site,
    argv: tuple[str, ...],
    summary: str,
    *undo: tuple[str, ...],
    needless: tuple[str, ...] = (),
) -> RunChange:
    return RunChange(
        argv, summary, undo, site.environment, site.directories.home, RUN_SECONDS, needless
    )


def _writes(path: str, content: bytes | None) -> Callable[[bytes | None], Edited]:
    def edit(before: bytes | None) -> Edited:
        _require_ours(path, before)
        return Edited(content)

    return edit


def _require_ours(path: str, content: bytes | None) -> None:
    """A file in our folder that we did not write is not overwritten."""
    if content is None or _is_ours(os.path.basename(path), content):
        return
    raise Refused(
        f"{path}: is not ours", f"move {path} away, then run the command again", code="foreign_file"
    )


def _is_ours(name: str, content: bytes) -> bool:
    if name == "SKILL.md":
        return ownership.has_header(content)
    try:
        model = json.loads(content)
    except ValueError:
        return False
    if not isinstance(model, dict):
        return False
    if name == "hooks.json":
        groups = [group for groups in model.get("hooks", {}).values() for group in groups]
        handlers = [handler for group in groups for handler in group.get("hooks", [])]
        return bool(handlers) and all(ownership.is_ours(handler) for handler in handlers)
    return model.get("name") in {"cc-safety-net", MARKETPLACE}


SETUP = _ClaudeCode(SPEC, payload, validate=validate)
