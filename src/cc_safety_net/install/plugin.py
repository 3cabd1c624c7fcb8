"""Agents that get the guard as a plugin, through their own program, from a folder of ours.

The folder stands in our data directory at a path without a version; the program either reads it
in place or copies it. Without the program, and for a project, an entry in a file is written
instead, never both.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net import __version__
from cc_safety_net.errors import AgentCliFailed, Refused, Unreadable, VerifyFailed
from cc_safety_net.install import links, ownership
from cc_safety_net.install.edit.jsonc import EDITOR
from cc_safety_net.install.entries import EDITORS, Host, decoded, entry_value, host_for
from cc_safety_net.install.installed import folders_of
from cc_safety_net.install.peek import peek
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
from cc_safety_net.install.setup import Lint, Setup
from cc_safety_net.install.site import USER, Site
from cc_safety_net.install.templates import filled, template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NAME = "cc-safety-net"
MARKETPLACE = "cc-marketplace"
PLUGIN = f"{NAME}@{MARKETPLACE}"
#: Of a marketplace that is known, but not from where.
UNKNOWN = "unknown"

SKILL = f"skills/{NAME}/SKILL.md"


@dataclass(frozen=True)
class Layout:
    """The plugin's files, and the agent's file that its program writes anew.

    folder: below our data directory. hooks, guide: below that. templates: path -> template with
    the holes `entry` and `version`. form: what the files say as their version; "" for ours.
    rewritten: below the agent's home, "" if the program leaves the person's files alone.
    forget: keys of that file which the program leaves behind.
    """

    folder: str
    hooks: str
    guide: str
    templates: Mapping[str, str]
    form: str = ""
    rewritten: str = ""
    forget: tuple[tuple[str, ...], ...] = ()


class PluginSetup(Setup):
    """What the plugin agents share; an agent adds its program's verbs and its state's form."""

    layout: Layout
    #: Time limits of a run that changes something, and of one that lists.
    run_seconds = 120.0
    list_seconds = 30.0

    # What an agent must say

    def recorded(self, site: Site) -> bool:
        """The agent has a plugin of our name, enabled or not, from wherever."""
        raise NotImplementedError

    def source(self, site: Site) -> str | None:
        """Where the agent has our plugin from: a path or what else; None: it knows none."""
        raise NotImplementedError

    def loaded(self, site: Site, program: str) -> bool:
        """The program itself says that the plugin is there, enabled and read."""
        raise NotImplementedError

    def install_runs(self, site: Site, program: str) -> list[RunChange]:
        raise NotImplementedError

    def enable_runs(self, site: Site, program: str) -> list[RunChange]:
        """For a plugin from our folder that the program does not list as loaded."""
        raise NotImplementedError

    def removal_runs(self, site: Site, program: str) -> list[RunChange]:
        raise NotImplementedError

    def other_runs(self, site: Site, program: str, plan: AgentPlan) -> list[RunChange]:
        """What removes other plugins of the guard (the npm edition's), each named in the plan."""
        del site, program, plan
        return []

    def neighbours(self, site: Site) -> Sequence[str]:
        """Other plugins from the marketplace of our name, which go if that is replaced."""
        del site
        return ()

    def variables_of_runs(self) -> Mapping[str, str]:
        """Added to the environment of the program's runs."""
        return {}

    # The plan

    def plan_entry(self, site: Site, scope: str, plan: AgentPlan) -> None:
        program = site.find_program(self.spec.executable) if scope == USER else None
        if program is not None:
            self._plan_plugin(site, program, plan)
            return
        if scope == USER and self.recorded(site):
            raise self._no_program("knows our plugin")
        if scope == USER:
            file = os.path.basename(site.config(self.spec, USER)[1])
            plan.notes.append(f"`{self.spec.executable}` is not on PATH: the hook goes into {file}")
        super().plan_entry(site, scope, plan)

    def plan_removal(self, site: Site, scope: str, plan: AgentPlan) -> None:
        super().plan_removal(site, scope, plan)
        if scope != USER:
            return
        entry = plan.changes[:]
        plan.changes.clear()
        present = self.recorded(site)
        if present:
            program = site.find_program(self.spec.executable)
            if program is None:
                raise self._no_program("has our plugin")
            self._require_readable(site)
            if self.source(site) in {self.root(site), None}:
                plan.changes.extend(self._keep_form(site))
                plan.changes.extend(self.removal_runs(site, program))
            else:
                present = False
                plan.notes.append(f"the plugin {NAME} of another source stays: {self.source(site)}")
        plan.changes.extend(entry)
        if present:
            plan.changes.extend(self._form_restored(site))
        plan.changes.extend(self._folder_removal(site))

    def commands(self, site: Site, scope: str) -> list[str]:
        """Of the agent's file, and of the plugin as far as the agent has it installed."""
        found = super().commands(site, scope)
        if scope == USER and self.recorded(site):
            content = site.read(self.hooks_path(site))
            if content is not None:
                found.extend(self._plugin_host(site).commands(content))
        return found

    def require_accepted(self, site: Site, scope: str) -> None:
        """Where the plugin stands its own file counts: the host file drops only its own hooks."""
        plugin = scope == USER and self.recorded(site)
        if not plugin or super().commands(site, scope):
            super().require_accepted(site, scope)
        if plugin:
            host = self._plugin_host(site)
            content = site.read(self.hooks_path(site))
            if content is not None:
                host.checked(host.decode(content)[0])

    def lint(self, site: Site) -> Sequence[Lint]:
        """A neighbour's bad entry, which voids the person's other hooks and not our plugin."""
        if not self.recorded(site):
            return ()
        try:
            super().require_accepted(site, USER)
        except Unreadable as error:
            path = super().path(site, USER)
            return [Lint("host.rejected-config", "warning", error.message, error.hint, path)]
        return ()

    def path(self, site: Site, scope: str) -> str:
        if scope == USER and self.recorded(site):
            return self.hooks_path(site)
        return super().path(site, scope)

    def folders(self, site: Site, scope: str) -> list[str]:
        found = super().folders(site, scope)
        if scope == USER:
            root = self.root(site)
            files = [os.path.join(root, name) for name in self.contents(site)]
            files += [self._rewritten(site)[1]] if self.layout.rewritten else []
            found += [os.path.dirname(file) for file in files]
        return found

    def require_loaded(self, site: Site, scope: str) -> None:
        program = site.find_program(self.spec.executable)
        if scope != USER or program is None or not self.recorded(site):
            return
        if not self.loaded(site, program):
            raise VerifyFailed(
                f"{self.spec.title} does not list our plugin as enabled and loaded",
                f"run `{' '.join(self.list_argv(program))}` to see why; nothing was changed",
            )

    def list_argv(self, program: str) -> tuple[str, ...]:
        return (program, "plugin", "list", "--json")

    def root(self, site: Site) -> str:
        return os.path.join(site.directories.data, self.layout.folder)

    def hooks_path(self, site: Site) -> str:
        """The hooks file that the agent reads."""
        return os.path.join(self.root(site), self.layout.hooks)

    def needs_runs(self, site: Site, program: str, files: Sequence[FileChange]) -> bool:
        """Our plugin is there; does the program have to do something?"""
        del files
        return not self.loaded(site, program)

    def _plan_plugin(self, site: Site, program: str, plan: AgentPlan) -> None:
        record = self._record(site, USER)
        plan.folders = folders_of(record)
        files = self._folder_changes(site)
        self._require_readable(site)
        super().plan_removal(site, USER, plan)
        if self.layout.rewritten:
            plan.record["settings"] = (
                record["settings"] if "settings" in record else self._form(site, plan)
            )
        runs = self.other_runs(site, program, plan)
        source = self.source(site)
        if source is not None and source != self.root(site):
            self._require_alone(site, source)
            plan.notes.append(f"replaces {NAME} of another source: {source}")
            runs += [*self.removal_runs(site, program), *self.install_runs(site, program)]
        elif source is None or not self.recorded(site):
            runs += self.install_runs(site, program)
        elif self.needs_runs(site, program, files):
            runs += self.enable_runs(site, program)
        plan.changes.extend(files)
        if runs:
            plan.changes.extend(self._keep_form(site))
            plan.changes.extend(runs)

    def _require_alone(self, site: Site, source: str) -> None:
        others = self.neighbours(site)
        if others:
            raise Refused(
                f"{self.spec.title} knows the marketplace {MARKETPLACE} from {source}, and has "
                f"more from it: {', '.join(others)}",
                f"remove {', '.join(others)} in {self.spec.title}, then run the command again",
                code="name_taken",
            )

    def _no_program(self, what: str) -> Refused:
        return Refused(
            f"{self.spec.title} {what}, but its program `{self.spec.executable}` is not on PATH",
            f"put `{self.spec.executable}` on PATH, then run the command again",
            code="agent_cli_missing",
        )

    # The folder

    def _plugin_host(self, site: Site) -> Host:
        config = site.config(self.spec, USER)[0]
        command = site.command(self.spec, USER)
        return host_for(self.spec, config, self.hooks_path(site), command, self.validate)

    def contents(self, site: Site) -> dict[str, bytes]:
        """Path below our folder -> bytes."""
        assert self.spec.entry is not None, self.spec.name
        entry = entry_value(self.spec.entry, site.command(self.spec, USER))
        version = self.layout.form or __version__
        lines = json.dumps(entry, indent=2, ensure_ascii=False).replace("\n", "\n      ")
        holes = {"version": json.dumps(version), "entry": lines}
        found = {}
        for path, name in self.layout.templates.items():
            text = template(self.spec.name, name)
            used = {hole: value for hole, value in holes.items() if f"{{{{{hole}}}}}" in text}
            found[path] = filled(text, used).encode()
        values = {
            "agent": self.spec.name,
            "flag": self.spec.install_flag,
            "version": version,
        }
        found[self.layout.guide] = filled(template("guide", "SKILL.md"), values).encode()
        return found

    def _folder_changes(self, site: Site) -> list[FileChange]:
        root = self.root(site)
        changes = []
        for name, content in self.contents(site).items():
            path = os.path.join(root, name)
            _require_no_links(site, root, name)
            before = site.read(path)
            if before == content:
                continue
            require_ours(path, before)
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
        root = self.root(site)
        changes = []
        for name in self.contents(site):
            path = os.path.join(root, name)
            _require_no_links(site, root, name)
            before = site.read(path)
            if before is not None:
                require_ours(path, before)
                changes.append(
                    FileChange(DELETE, path, path, _writes(path, None), "plugin file", before, None)
                )
        return changes

    # What the agent knows

    def state(self, site: Site, name: str) -> Mapping[str, object]:
        """A JSON file of the agent's own, {} if it is missing or in another form."""
        return peek(site, os.path.join(site.agent_home(self.spec), name)).model

    def listed(self, site: Site, program: str) -> object:
        """What the program lists, as plain values."""
        argv = self.list_argv(program)
        ended = site.system.run(
            argv,
            environment={**site.environment, **self.variables_of_runs()},
            directory=site.directories.home,
            timeout=self.list_seconds,
            changes=False,
        )
        # One agent prints its list on standard error.
        for output in (ended.stdout, ended.stderr) if ended.status == 0 else ():
            try:
                return json.loads(output)
            except ValueError:
                continue
        raise AgentCliFailed(
            f"`{' '.join(argv)}` gave no list: {ended.tail() or 'no output'}",
            f"run it by hand; update {self.spec.title} if it does not know the command",
        )

    def run_of(
        self,
        site: Site,
        argv: tuple[str, ...],
        summary: str,
        *undo: tuple[str, ...],
        needless: tuple[str, ...] = (),
    ) -> RunChange:
        environment = {**site.environment, **self.variables_of_runs()}
        home = site.directories.home
        return RunChange(argv, summary, undo, environment, home, self.run_seconds, needless)

    # The form of the file which the program writes anew

    def _rewritten(self, site: Site) -> tuple[str, str]:
        path = os.path.join(site.agent_home(self.spec), self.layout.rewritten)
        return path, site.resolve(self.spec, path).path

    def _require_readable(self, site: Site) -> None:
        """What the program would make of a file that it can't read is not to be found out."""
        if not self.layout.rewritten:
            return
        path, target = self._rewritten(site)
        site.require_writable(target)
        content = site.read(target)
        form = EDITORS["toml" if path.endswith(".toml") else "jsonc"]
        form.model(decoded(content, path)[0], path)

    def _form(self, site: Site, plan: AgentPlan) -> str | None:
        """The file as it is without our entry."""
        target = self._rewritten(site)[1]
        content = site.read(target)
        for change in plan.changes:
            if isinstance(change, FileChange) and change.target == target:
                content = change.after
        return None if content is None else content.decode("utf-8", "surrogateescape")

    def _keep_form(self, site: Site) -> list[KeepForm]:
        if not self.layout.rewritten:
            return []
        return [KeepForm(self._rewritten(site)[1], self.layout.forget)]

    def _form_restored(self, site: Site) -> list[FileChange]:
        """The person's own form of the file, if it says the same without us."""
        record = self._record(site, USER)
        if "settings" not in record or not self.layout.rewritten:
            return []
        form = record["settings"]
        wanted = None if form is None else str(form).encode("utf-8", "surrogateescape")
        path, target = self._rewritten(site)
        forget = self.layout.forget

        def edit(content: bytes | None) -> Edited:
            if same_meaning(content, wanted, target, forget):
                return Edited(wanted)
            return Edited(_without(content, forget, wanted))

        return [FileChange(EDIT, path, target, edit, "as it was written before")]


def _without(
    content: bytes | None, forget: Sequence[tuple[str, ...]], wanted: bytes | None
) -> bytes | None:
    """A JSON file without what the program leaves behind where plugins stood."""
    if content is None or not forget:
        return content
    text, original = content.decode(), (wanted or b"{}").decode("utf-8", "replace")
    for keys in forget:
        model = EDITOR.model(text.removeprefix("\ufeff"), "settings.json")
        for key in keys[:-1]:
            model = model.get(key) if isinstance(model, dict) else None
        if not isinstance(model, dict) or keys[-1] not in model:
            continue
        if len(keys) > 1 or (model[keys[-1]] == {} and f'"{keys[-1]}"' not in original):
            text = EDITOR.drop(text, keys)
    return text.encode()


def _writes(path: str, content: bytes | None) -> Callable[[bytes | None], Edited]:
    def edit(before: bytes | None) -> Edited:
        require_ours(path, before)
        return Edited(content)

    return edit


def _require_no_links(site: Site, root: str, name: str) -> None:
    path = root
    links.refuse_link(site.system, path)
    for part in name.split("/"):
        path = os.path.join(path, part)
        links.refuse_link(site.system, path)


def require_ours(path: str, content: bytes | None) -> None:
    """A file in our folder that we did not write is not overwritten."""
    if content is None or _is_ours(path, content):
        return
    raise Refused(
        f"{path}: is not ours", f"move {path} away, then run the command again", code="foreign_file"
    )


def _is_ours(path: str, content: bytes) -> bool:
    if not path.endswith(".json"):
        return ownership.has_header(content)
    try:
        model = json.loads(content)
    except ValueError:
        return False
    if not isinstance(model, dict):
        return False
    if "hooks" in model and not isinstance(model["hooks"], str):
        hooks = model["hooks"]
        entries = [entry for group in hooks.values() for entry in group]
        handlers = [handler for entry in entries for handler in entry.get("hooks", [entry])]
        return bool(handlers) and all(ownership.is_ours(handler) for handler in handlers)
    return model.get("name") in {NAME, MARKETPLACE}
