"""How one agent is set up: the form of every `agents/*/setup.py`, with what data can say.

A setup plans; it changes nothing. `SETUP` of an agent is a `Setup`, or a class of its own where
the agent is installed in another way than by an entry in a file.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.errors import Refused, SafetyNetError, Usage
from cc_safety_net.install import ownership
from cc_safety_net.install.edit.editor import find_entries
from cc_safety_net.install.entries import Host, Problem, Validate, host_for
from cc_safety_net.install.installed import Record, folders_of
from cc_safety_net.install.plan import DELETE, EDIT, WRITE, AgentPlan, Edited, FileChange
from cc_safety_net.install.site import PROJECT, Site

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cc_safety_net.agents.spec import AgentSpec, ConfigFile

INSTALLED = "installed"
REMOVED = "removed"
UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Probe:
    """How the agent runs a hook: the payload for a shell command, the folder, its variables."""

    payload: Callable[[str], Mapping[str, object]]
    directory: str
    environment: Mapping[str, str] = field(default_factory=dict)
    shell: tuple[str, ...] = ("/bin/sh", "-c")


@dataclass(frozen=True)
class Obstacle:
    """Something that keeps the agent from running our entry. what: for people. fix: an edit.

    state: the agent's, as doctor names it. path: the file that says so, if it is another one.
    """

    what: str
    fix: str
    state: str = "installed-but-disabled"
    path: str = ""


@dataclass(frozen=True)
class Lint:
    """Something doubtful in a host file, ours or not. id: stable. severity: as doctor's."""

    id: str
    severity: str
    what: str
    fix: str
    path: str


def distinct(*paths: str) -> list[str]:
    """Without those that are one file: in the home the project's is the user's."""
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def accept_all(model: object) -> Sequence[Problem]:
    """For an agent that loads the rest of a file whatever one entry says."""
    del model
    return ()


class Setup:
    """An agent whose hooks stand in a file: an entry among others, or a file of our own.

    payload: from a shell command and a folder to what the agent would send.
    validate: what in the host file would make the agent drop all of it.
    """

    def __init__(
        self,
        spec: AgentSpec,
        payload: Callable[[str, str], Mapping[str, object]],
        *,
        validate: Callable[[object], Sequence[Problem]] = accept_all,
        variables: Sequence[str] = (),
    ) -> None:
        self.spec = spec
        self.payload = payload
        self.validate = validate
        self.variables = tuple(variables)

    def detected(self, site: Site) -> bool:
        """A trace of the agent on this machine: its program or its home."""
        return site.find_program(self.spec.executable) is not None or os.path.isdir(
            site.agent_home(self.spec)
        )

    def require_scope(self, scope: str) -> None:
        if scope == PROJECT and not self.spec.project_scope:
            raise Usage(f"{self.spec.title} has no project scope", "use `--scope user`")

    def plan_install(self, site: Site, scope: str) -> AgentPlan:
        """All preconditions are checked here; raises what is not fulfilled."""
        self.require_scope(scope)
        plan = AgentPlan(self.spec.name, scope, INSTALLED)
        self.plan_entry(site, scope, plan)
        self._plan_second_ways(site, scope, plan)
        plan.notes.extend(self._other_ways(site, scope))
        if not self.detected(site):
            plan.notes.append(f"{self.spec.title} was not found on this machine; its file is ready")
        if not plan.changes:
            plan.state = UNCHANGED
        elif self.spec.restart:
            plan.notes.append(self.spec.restart)
        return plan

    def second_ways(self, site: Site, scope: str) -> list[tuple[str, str, Host]]:
        """Path, target and host of the other files of the scope that call the guard."""
        found = []
        own = os.path.realpath(self.path(site, scope))
        for config, path in self._others(site, scope):
            try:
                target = site.resolve(self.spec, path).path
                command = site.command(self.spec, scope)
                host = host_for(self.spec, config, path, command, accept_all)
                if target != own and host.commands(site.read(target)):
                    found.append((path, target, host))
            except (SafetyNetError, OSError):
                # What can't be read there is doctor's business.
                continue
        return found

    def _others(self, site: Site, scope: str) -> list[tuple[ConfigFile, str]]:
        """Files that the agent reads beside the one of our entry, as far as they are in reach."""
        found = [
            (config, site.config(self.spec, config.scope)[1])
            for config in self.spec.configs
            if _in_reach(config, scope)
        ]
        config, path = site.config(self.spec, scope)
        if config.ours_alone:
            folder = os.path.dirname(path)
            names = [name for name in site.system.listdir(folder) if name.endswith(".json")]
            others = [os.path.join(folder, name) for name in names]
            found += [(config, other) for other in others if other != path]
        return found

    def _plan_second_ways(self, site: Site, scope: str, plan: AgentPlan) -> None:
        """An agent runs the guard once: the other edition's entry beside ours goes."""
        for path, target, host in self.second_ways(site, scope):
            before = site.read(target)
            site.require_writable(target)
            plan.notes.extend(
                f"{path}: a second call of the guard goes: {command}"
                for command in host.commands(before)
            )

            def edit(content: bytes | None, host: Host = host) -> Edited:
                return host.uninstall(content, {})

            after = edit(before).content
            plan.changes.append(
                FileChange(EDIT, path, target, edit, "- a second entry", before, after)
            )

    def _other_ways(self, site: Site, scope: str) -> list[str]:
        """Calls of the guard that the agent makes besides, and that we leave alone."""
        notes = []
        own = os.path.realpath(self.path(site, scope))
        for config in self.spec.configs:
            path = site.config(self.spec, config.scope)[1]
            if config.scope != scope and os.path.realpath(path) == own:
                continue  # run in the home, where both are one file
            if _in_reach(config, scope):
                continue  # it goes
            try:
                command = site.command(self.spec, scope)
                host = host_for(self.spec, config, path, command, accept_all)
                content = site.read(os.path.realpath(path))
                mixed = host.mixed(content)
                others = [] if config.scope == scope else host.commands(content)
            except SafetyNetError:
                # Another scope's file that can't be read is doctor's business.
                continue
            notes += [f"{path} calls the guard among other things, and stays: {c}" for c in mixed]
            notes += [f"{path} calls the guard too: {c}" for c in others]
        return notes

    def plan_uninstall(self, site: Site, scope: str) -> AgentPlan:
        self.require_scope(scope)
        plan = AgentPlan(self.spec.name, scope, REMOVED)
        self.plan_removal(site, scope, plan)
        self._plan_second_ways(site, scope, plan)
        if not plan.changes:
            plan.state = UNCHANGED
        return plan

    def standing(self, site: Site, scope: str) -> bool | None:
        """Whether something of ours stands where it would be put; None: it can't be told."""
        try:
            return bool(self.commands(site, scope))
        except Usage:
            return False
        except (SafetyNetError, OSError):
            return None

    def installed(self, site: Site, scope: str) -> bool:
        """The same; where it can't be told, our record says what there was."""
        standing = self.standing(site, scope)
        return bool(self._record(site, scope)) if standing is None else standing

    def commands(self, site: Site, scope: str) -> list[str]:
        """The command texts of our entries, read out of the agent's own file."""
        host, _, target = self._host(site, scope)
        return host.commands(site.read(target))

    def require_accepted(self, site: Site, scope: str) -> None:
        """Raises, with the line, if the agent drops the host file, our entry in it or not."""
        if self.validator(scope) is accept_all:
            return
        host, _, target = self._host(site, scope)
        content = site.read(target)
        if content is not None:
            host.checked(host.decode(content)[0])

    def path(self, site: Site, scope: str) -> str:
        """The file in which our entry stands, as the person knows it."""
        return site.config(self.spec, scope)[1]

    def folders(self, site: Site, scope: str) -> list[str]:
        """Where its files are written, and a kill may leave temporary ones."""
        return [os.path.dirname(self._host(site, scope)[2])]

    def displaced(self, site: Site, scope: str) -> list[str]:
        """Commands that stand where ours was put, and that are no call of the guard any more."""
        entry = self.spec.entry
        if entry is None or not self._record(site, scope):
            return []
        host, _, target = self._host(site, scope)
        text, _ = host.decode(site.read(target))
        found = []
        for _, value in find_entries(host.editor.model(text, host.name), host.place, _is_handler):
            for handler in _handlers_of(value):
                rest = {key: handler[key] for key in handler if key not in _SHAPE}
                if rest == {key: entry.options[key] for key in entry.options if key not in _SHAPE}:
                    found.append(str(handler["command"]))
        return found

    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        """What keeps the agent from running an entry that is there."""
        del site, scope
        return ()

    def lint(self, site: Site) -> Sequence[Lint]:
        """What is doubtful in the agent's hook files, whoever has put it there."""
        del site
        return ()

    def require_loaded(self, site: Site, scope: str) -> None:
        """For an agent that can say itself what it has loaded: raises if it has not."""

    def probe(self, site: Site, scope: str, directory: str) -> Probe:
        """How this agent would run what was installed, in a session in `directory`."""
        del site, scope
        environment = dict.fromkeys(self.spec.project_variables, directory)
        environment.update(dict.fromkeys(self.variables, "1"))
        return Probe(lambda command: self.payload(command, directory), directory, environment)

    def plan_entry(self, site: Site, scope: str, plan: AgentPlan) -> None:
        """Adds the change that puts our entry into the file, if one is needed."""
        host, path, target = self._host(site, scope)
        record = self._record(site, scope)
        alone = self._alone(site, scope)

        def edit(content: bytes | None) -> Edited:
            if alone:
                self._require_ours(host, path, content)
            return host.install(content, record)

        before = site.read(target)
        edited = edit(before)
        plan.notes.extend(
            f"replaces the entry of the npm edition: {command}"
            for command in host.other_edition(before)
        )
        plan.notes.extend(host.warnings(before))
        if edited.content == before:
            return
        site.require_writable(target)
        plan.folders = folders_of(record)
        kind = WRITE if alone else EDIT
        plan.changes.append(
            FileChange(
                kind,
                path,
                target,
                edit,
                f"+ {self.spec.entry.event if self.spec.entry else 'hook'} entry",
                before,
                edited.content,
            )
        )

    def plan_removal(self, site: Site, scope: str, plan: AgentPlan) -> None:
        """Adds the change that takes our entry out, if there is one."""
        host, path, target = self._host(site, scope)
        record = self._record(site, scope)
        plan.folders = folders_of(record)
        alone = self._alone(site, scope)

        def edit(content: bytes | None) -> Edited:
            if alone and content is not None and self._only_ours(host, content):
                return Edited(None)
            return host.uninstall(content, record)

        before = site.read(target)
        edited = edit(before)
        if edited.content == before:
            return
        site.require_writable(target)
        kind = DELETE if edited.content is None else EDIT
        plan.changes.append(
            FileChange(kind, path, target, edit, "- our entry", before, edited.content)
        )

    def _host(self, site: Site, scope: str) -> tuple[Host, str, str]:
        config, path = site.config(self.spec, scope)
        target = site.resolve(self.spec, path, managed=config.ours_alone)
        command = site.command(self.spec, scope)
        validate = self.validator(scope)
        return host_for(self.spec, config, path, command, validate), path, target.path

    def validator(self, scope: str) -> Validate:
        """What judges the host file of that scope."""
        del scope
        return self.validate

    def _alone(self, site: Site, scope: str) -> bool:
        return site.config(self.spec, scope)[0].ours_alone

    def _record(self, site: Site, scope: str) -> Record:
        return site.installed.record(site.key(self.spec, scope))

    def _only_ours(self, host: Host, content: bytes) -> bool:
        """Every handler in the file is ours, and there is at least one."""
        text, _ = host.decode(content)
        model = host.editor.model(text, host.name)
        handlers = list(_handlers(model))
        return bool(handlers) and all(ownership.is_ours(handler) for handler in handlers)

    def _require_ours(self, host: Host, path: str, content: bytes | None) -> None:
        if content is not None and not self._only_ours(host, content):
            raise Refused(
                f"{path}: is not ours: it holds handlers that do not call cc-safety-net alone",
                f"move {path} away, then run the command again",
                code="foreign_file",
            )


def _in_reach(config: ConfigFile, scope: str) -> bool:
    """Another file of the scope, in a form in which an entry can be taken out."""
    return config.scope.startswith(f"{scope}-") and config.format != "toml"


#: Keys of a handler that say nothing about who put it there.
_SHAPE = frozenset({"type", "command", "event", "matcher"})


def _is_handler(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("command"), str)


def _handlers_of(entry: object) -> list[dict[str, object]]:
    inner = entry.get("hooks", [entry]) if isinstance(entry, dict) else []
    return [handler for handler in inner if isinstance(handler, dict) and _is_handler(handler)]


def _handlers(model: object) -> list[object]:
    """All handlers of a hook file, in the flat and in the nested form."""
    found: list[object] = []
    hooks = model.get("hooks") if isinstance(model, dict) else None
    for entries in hooks.values() if isinstance(hooks, dict) else ():
        for entry in entries if isinstance(entries, list) else ():
            inner = entry.get("hooks") if isinstance(entry, dict) else None
            found.extend(inner if isinstance(inner, list) else [entry])
    return found


def installable() -> list[str]:
    """Agents that can be installed, in the catalogue's order."""
    return [name for name in PACKAGES if importlib.util.find_spec(f"{PACKAGES[name]}.setup")]


def load_setup(name: str) -> Setup:
    """The setup of an agent, by its canonical name."""
    if name not in installable():
        raise Usage(f"unknown agent: {name}", f"known: {', '.join(installable())}")
    setup: Setup = importlib.import_module(f"{PACKAGES[name]}.setup").SETUP
    return setup
