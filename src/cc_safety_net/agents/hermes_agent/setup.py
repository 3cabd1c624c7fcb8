"""Hermes Agent: a managed plugin of two files in every home, enabled in its `config.yaml`.

Its program resolves only a plugin that is on the disk, and writes `config.yaml` anew whenever it
enables or disables one: the person's own text is put back afterwards.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net import __version__
from cc_safety_net.agents.hermes_agent.spec import SPEC
from cc_safety_net.errors import Refused, SafetyNetError, VerifyFailed
from cc_safety_net.install import links, ownership
from cc_safety_net.install.edit import yaml
from cc_safety_net.install.edit.editor import at_path
from cc_safety_net.install.installed import folders_of
from cc_safety_net.install.launcher import quote
from cc_safety_net.install.placement import launcher_path
from cc_safety_net.install.plan import (
    DELETE,
    EDIT,
    WRITE,
    AgentPlan,
    Edited,
    FileChange,
    KeepForm,
    RemoveTree,
    RunChange,
)
from cc_safety_net.install.recovery import same_meaning
from cc_safety_net.install.setup import Obstacle, Setup
from cc_safety_net.install.templates import filled, template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cc_safety_net.agents.spec import ConfigFile
    from cc_safety_net.install.site import Site

NAME = "cc-safety-net"
ENABLED = ("plugins", "enabled")
DISABLED = ("plugins", "disabled")
#: What the program adds or leaves.
FORGET = (
    ("_config_version",),
    ("plugins", "entries", NAME),
    (*ENABLED, NAME),
    (*DISABLED, NAME),
)

_FILES = {"plugin.yaml": "plugin.yaml", "__init__.py": "plugin.py.in"}
_PROVE_SECONDS = 20.0
#: Loads the plugin as Hermes does and calls it once; argv: the folder, the command.
_PROOF = """\
import importlib.util, json, sys, types
terminal = types.ModuleType("tools.terminal_tool")
terminal.get_session_cwd = lambda key: None
sys.modules["tools"] = types.ModuleType("tools")
sys.modules["tools.terminal_tool"] = terminal
found = importlib.util.spec_from_file_location("plugin", sys.argv[1] + "/__init__.py")
plugin = importlib.util.module_from_spec(found)
found.loader.exec_module(plugin)
hooks = {}
plugin.register(types.SimpleNamespace(register_hook=hooks.__setitem__))
call = {"tool_name": "terminal", "args": {"command": sys.argv[2]}, "task_id": "probe"}
print(json.dumps(hooks["pre_tool_call"](session_id="cc-safety-net-probe", **call)))
"""


def payload(command: str, directory: str) -> Mapping[str, object]:
    """What the plugin asks for a call of the shell tool."""
    return {
        "hook_event_name": "pre_tool_call",
        "tool_name": "terminal",
        "tool_input": {"command": command},
        "session_id": "cc-safety-net-probe",
        "cwd": directory,
    }


@dataclass(frozen=True)
class Home:
    """One home of Hermes: the person's own, or a profile, which is a full home of its own."""

    path: str
    profile: str = ""

    @property
    def folder(self) -> str:
        return os.path.join(self.path, "plugins", NAME)

    @property
    def config(self) -> str:
        return os.path.join(self.path, "config.yaml")


class _HermesAgent(Setup):
    run_seconds = 120.0
    list_seconds = 30.0

    def homes(self, site: Site) -> list[Home]:
        root = site.agent_home(self.spec)
        profiles = os.path.join(root, "profiles")
        names = [
            name
            for name in site.system.listdir(profiles)
            if os.path.isdir(os.path.join(profiles, name)) and not name.startswith(".")
        ]
        return [Home(root), *(Home(os.path.join(profiles, name), name) for name in names)]

    def plan_entry(self, site: Site, scope: str, plan: AgentPlan) -> None:
        program = site.find_program(self.spec.executable)
        record = self._record(site, scope)
        plan.folders = folders_of(record)
        forms = dict(_mapping(record.get("forms")))
        for home in self.homes(site):
            changes = self._files(site, home)
            before, target = self._config(site, home)
            wanted = _listed(before, home.config)
            plan.changes.extend(changes)
            if wanted != before:
                if not _present(before):
                    forms.setdefault(home.path, _text(before))
                plan.changes.extend(self._enabling(site, home, program, before, target))
        if plan.changes:
            plan.record["forms"] = forms
            if program is None:
                plan.notes.append("`hermes` is not on PATH: only its files were edited")

    def plan_removal(self, site: Site, scope: str, plan: AgentPlan) -> None:
        record = self._record(site, scope)
        forms = _mapping(record.get("forms"))
        program = site.find_program(self.spec.executable)
        plan.folders = folders_of(record)
        for home in self.homes(site):
            deletions = self._deletions(site, home)
            before, target = self._config(site, home)
            if not deletions and _unlisted(before, home.config) == before:
                continue
            if program is not None and deletions:
                plan.changes.append(KeepForm(target, FORGET))
                plan.changes.append(self._run(site, home, program, "disable", "enable"))
            originals = [_bytes(forms[home.path])] if home.path in forms else []
            plan.changes.append(self._restored(home, before, target, originals))
            plan.changes.extend(deletions)
            plan.folders = [*plan.folders, home.folder]
        if plan.changes:
            plan.notes.append(self.spec.restart)

    def commands(self, site: Site, scope: str) -> list[str]:
        """What the plugins call, in every home where the plugin is switched on."""
        found: list[str] = []
        for home in self.homes(site):
            content = site.read(os.path.join(home.folder, "__init__.py"))
            if content is None or not ownership.has_header(content):
                continue
            launcher = _launcher(content.decode("utf-8", "replace"))
            command = f"{quote(launcher)} hook {self.spec.flags[0]}"
            if launcher == launcher_path(site.directories.data):
                command = site.command(self.spec, scope)
            found.append(command)
        return list(dict.fromkeys(found))

    def path(self, site: Site, scope: str) -> str:
        del scope
        return Home(site.agent_home(self.spec)).folder

    def folders(self, site: Site, scope: str) -> list[str]:
        del scope
        return [
            folder
            for home in self.homes(site)
            for folder in (home.folder, os.path.dirname(self._config(site, home)[1]))
        ]

    def displaced(self, site: Site, scope: str) -> list[str]:
        del site, scope
        return []

    def require_loaded(self, site: Site, scope: str) -> None:
        del scope
        program = site.find_program(self.spec.executable)
        for home in self.homes(site):
            self._prove(site, home)
            if program is not None and not self._enabled(site, home, program):
                raise VerifyFailed(
                    f"Hermes Agent does not list our plugin in {home.path} as enabled",
                    f"run `{program} plugins list --user` to see why; nothing was changed",
                )

    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        del scope
        found = []
        fix = "cc-safety-net install --hermes-agent"
        for home in self.homes(site):
            missing = [
                name
                for name in _FILES
                if site.system.lstat(os.path.join(home.folder, name)) is None
            ]
            if missing:
                what = f"{home.folder}: {', '.join(missing)} is missing"
                found.append(Obstacle(what, fix))
                continue
            value = yaml.model(_text(self._config(site, home)[0]) or "", home.config)
            if NAME in _names(value, DISABLED):
                found.append(Obstacle(f"{home.config}: {NAME} is listed as disabled", fix))
            elif NAME not in _names(value, ENABLED):
                found.append(Obstacle(f"{home.config}: {NAME} is not enabled", fix))
        return found

    def _other_ways(self, site: Site, scope: str) -> list[str]:
        del site, scope
        return []

    def _others(self, site: Site, scope: str) -> list[tuple[ConfigFile, str]]:
        del site, scope
        return []

    # The two files

    def _contents(self, site: Site) -> dict[str, bytes]:
        launcher = json.dumps(launcher_path(site.directories.data))
        found = {}
        for name, source in _FILES.items():
            text = template(self.spec.name, source)
            values = {"version": __version__}
            if "{{launcher}}" in text:
                values["launcher"] = launcher
            found[name] = filled(text, values).encode()
        return found

    def _files(self, site: Site, home: Home) -> list[FileChange]:
        changes = []
        self._require_no_links(site, home)
        for name, content in self._contents(site).items():
            path = os.path.join(home.folder, name)
            before = site.read(path)
            if before == content:
                continue
            _require_ours(path, before)
            site.require_writable(path)
            edit = _writes(path, content)
            changes.append(FileChange(WRITE, path, path, edit, "plugin", before, content))
        return changes

    def _deletions(self, site: Site, home: Home) -> list[FileChange | RemoveTree]:
        changes: list[FileChange | RemoveTree] = []
        self._require_no_links(site, home)
        for name in _FILES:
            path = os.path.join(home.folder, name)
            before = site.read(path)
            if before is None:
                continue
            _require_ours(path, before)
            site.require_writable(path)
            edit = _writes(path, None)
            changes.append(FileChange(DELETE, path, path, edit, "plugin", before, None))
        cache = os.path.join(home.folder, "__pycache__")
        if changes and site.system.lstat(cache) is not None:
            changes.append(RemoveTree(cache, "what Python made of it"))
        return changes

    def _require_no_links(self, site: Site, home: Home) -> None:
        for path in (home.folder, *(os.path.join(home.folder, name) for name in _FILES)):
            links.refuse_link(site.system, path)

    # The list in config.yaml

    def _config(self, site: Site, home: Home) -> tuple[bytes | None, str]:
        target = site.resolve(self.spec, home.config).path
        return site.read(target), target

    def _enabling(
        self, site: Site, home: Home, program: str | None, before: bytes | None, target: str
    ) -> list[FileChange | RunChange | KeepForm]:
        changes: list[FileChange | RunChange | KeepForm] = []
        site.require_writable(target)
        after = _listed(before, home.config)

        def edit(content: bytes | None) -> Edited:
            if _explained(content, before, target):
                return Edited(after)
            return Edited(_listed(content, home.config))

        if program is not None:
            changes.append(KeepForm(target, FORGET))
            changes.append(self._run(site, home, program, "enable", "disable"))
        summary = f"+ {NAME} under plugins.enabled"
        changes.append(FileChange(EDIT, home.config, target, edit, summary, before, after))
        return changes

    def _restored(
        self, home: Home, before: bytes | None, target: str, originals: Sequence[bytes | None]
    ) -> FileChange:
        """The person's own text where it says the same without us."""

        def edit(content: bytes | None) -> Edited:
            for wanted in (*originals, _unlisted(before, home.config)):
                if _explained(content, wanted, target):
                    return Edited(wanted)
            return Edited(_unlisted(content, home.config))

        after = edit(before).content
        kind = DELETE if after is None else EDIT
        return FileChange(kind, home.config, target, edit, f"- {NAME}", before, after)

    # The program

    def _run(self, site: Site, home: Home, program: str, verb: str, undo: str) -> RunChange:
        options = {"enable": ("--no-allow-tool-override",)}
        start = (program, *self._profile(site, home), "plugins")
        return RunChange(
            (*start, verb, NAME, *options.get(verb, ())),
            f"{verb} the plugin",
            ((*start, undo, NAME, *options.get(undo, ())),),
            site.environment,
            site.directories.home,
            self.run_seconds,
            needless=("is not installed or bundled",) if verb == "disable" else (),
        )

    def _profile(self, site: Site, home: Home) -> tuple[str, ...]:
        if home.profile:
            return ("-p", home.profile)
        sticky = os.path.join(home.path, "active_profile")
        return ("-p", "default") if site.system.lstat(sticky) is not None else ()

    def _enabled(self, site: Site, home: Home, program: str) -> bool:
        ended = site.system.run(
            (program, *self._profile(site, home), "plugins", "list", "--user", "--json"),
            environment=site.environment,
            directory=site.directories.home,
            timeout=self.list_seconds,
            changes=False,
        )
        try:
            plugins = json.loads(ended.stdout)
        except ValueError:
            plugins = None
        return ended.status == 0 and any(
            plugin.get("name") == NAME and plugin.get("status") == "enabled"
            for plugin in (plugins if isinstance(plugins, list) else [])
            if isinstance(plugin, dict)
        )

    def _prove(self, site: Site, home: Home) -> None:
        """The plugin itself, loaded as Hermes loads it, refuses and lets pass."""
        for command, blocked in ((": cc-safety-net-canary plugin", True), ("echo ok", False)):
            ended = site.system.run(
                (sys.executable, "-I", "-B", "-c", _PROOF, home.folder, command),
                environment=site.environment,
                directory=site.directories.home,
                timeout=_PROVE_SECONDS,
                changes=False,
            )
            try:
                reply = json.loads(ended.stdout) if ended.status == 0 else "failed"
            except ValueError:
                reply = "failed"
            message = reply.get("message", "") if isinstance(reply, dict) else ""
            right = bool(message) and "guard.runtime-unavailable" not in message
            if (blocked and not right) or (not blocked and reply is not None):
                raise VerifyFailed(
                    f"{home.folder}: the plugin must {'block' if blocked else 'let pass'} "
                    f"`{command}`, but it gave {message or ended.tail(300)!r}",
                    "run `cc-safety-net doctor` to see what is in the way; nothing was changed",
                )


def _launcher(text: str) -> str:
    """The program that a plugin file calls."""
    for line in text.splitlines():
        if line.startswith("LAUNCHER = "):
            try:
                return str(ast.literal_eval(line.removeprefix("LAUNCHER = ")))
            except (ValueError, SyntaxError):
                return ""
    return ""


def _require_ours(path: str, content: bytes | None) -> None:
    if content is not None and not ownership.has_header(content):
        raise Refused(
            f"{path}: is not ours: it has no `{ownership.HEADER}` line",
            f"move {path} away, then run the command again",
            code="foreign_file",
        )


def _writes(path: str, content: bytes | None) -> Callable[[bytes | None], Edited]:
    def edit(before: bytes | None) -> Edited:
        _require_ours(path, before)
        return Edited(content)

    return edit


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _names(value: object, path: Sequence[str]) -> list[object]:
    found = at_path(value, path)
    return found if isinstance(found, list) else []


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "surrogateescape")


def _bytes(form: object) -> bytes | None:
    return None if form is None else str(form).encode("utf-8", "surrogateescape")


def _decoded(content: bytes | None, path: str) -> tuple[str, str]:
    text = (content or b"").decode("utf-8", "surrogateescape")
    if any("\udc80" <= character <= "\udcff" for character in text):
        raise Refused(f"{path}: is not UTF-8", f"save {path} as UTF-8, then run the command again")
    return (text[1:], "\ufeff") if text.startswith("\ufeff") else (text, "")


def _present(content: bytes | None) -> bool:
    """Our name stands in one of the lists."""
    try:
        value = yaml.model(_decoded(content, "config.yaml")[0], "config.yaml")
    except SafetyNetError:
        return False
    return NAME in (*_names(value, ENABLED), *_names(value, DISABLED))


def _listed(content: bytes | None, path: str) -> bytes:
    """The file with our plugin enabled and not disabled."""
    text, mark = _decoded(content, path)
    yaml.require_shape(yaml.model(text, path), ENABLED, path)
    changed = yaml.without_name(text, DISABLED, NAME, path)
    if changed is not None and NAME not in _names(yaml.model(changed, path), ENABLED):
        changed = yaml.with_name(changed, ENABLED, NAME, path)
    return _result(changed, mark, path)


def _unlisted(content: bytes | None, path: str) -> bytes | None:
    """The file with our plugin in neither list."""
    if content is None:
        return None
    text, mark = _decoded(content, path)
    changed: str | None = text
    for names in (ENABLED, DISABLED):
        changed = None if changed is None else yaml.without_name(changed, names, NAME, path)
    return _result(changed, mark, path)


def _result(text: str | None, mark: str, path: str) -> bytes:
    if text is None:
        raise Refused(
            f"{path}: its list of plugins is written in a way that can't be edited without "
            "touching the rest",
            f"write plugins.enabled in {path} as a plain list, then run the command again",
            code="not_understood",
        )
    return (mark + text).encode()


def _explained(content: bytes | None, wanted: bytes | None, path: str) -> bool:
    """The two differ by what Hermes' program and we write, and by nothing else."""
    try:
        left, right = _unlisted(content, path), _unlisted(wanted, path)
    except SafetyNetError:
        return False
    return same_meaning(left, right, path, FORGET)


SETUP = _HermesAgent(SPEC, payload)
