"""One machine, one person, one project: all that a plan looks at."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.errors import Refused, Usage
from cc_safety_net.install import atomic, links

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cc_safety_net.agents.spec import AgentSpec, ConfigFile
    from cc_safety_net.install.directories import Directories
    from cc_safety_net.install.installed import Installed
    from cc_safety_net.install.system import System

USER = "user"
PROJECT = "project"


@dataclass(frozen=True)
class Site:
    """command: the text of an entry for an agent and a scope."""

    system: System
    directories: Directories
    environment: Mapping[str, str]
    project: str
    installed: Installed
    command: Callable[[AgentSpec, str], str]

    def agent_home(self, spec: AgentSpec) -> str:
        """Where the agent keeps its files."""
        moved = self.environment.get(spec.home_variable, "") if spec.home_variable else ""
        if moved:
            if moved.startswith("~/"):
                moved = os.path.join(self.directories.home, moved[2:])
            if not os.path.isabs(moved):
                raise Refused(
                    f"{spec.home_variable} is no absolute path: {moved}",
                    f"set {spec.home_variable} to an absolute path, or unset it",
                )
            return os.path.normpath(os.path.join(moved, spec.home_below))
        return os.path.join(self.directories.home, spec.home)

    def config(self, spec: AgentSpec, scope: str) -> tuple[ConfigFile, str]:
        """The agent's config for our entry in that scope, and its path."""
        for config in spec.configs:
            if config.scope == scope:
                base = {"project": self.project, "absolute": "/"}.get(
                    config.base, self.agent_home(spec)
                )
                return config, os.path.join(base, config.path)
        raise Usage(f"{spec.title} has no {scope} scope", "use `--scope user`")

    def key(self, spec: AgentSpec, scope: str) -> str:
        """The name of an installation in our record."""
        return f"{spec.name}/{scope}" + (f":{self.project}" if scope == PROJECT else "")

    def resolve(self, spec: AgentSpec, path: str, *, managed: bool = False) -> links.Target:
        """The file without links, with all that must hold before it may be written."""
        if managed:
            links.refuse_link(self.system, path)
        base = self.project if path.startswith(self.project + "/") else self.agent_home(spec)
        while not os.path.isdir(base):
            # Below what is there no link can stand in the way.
            base = os.path.dirname(base)
        target = links.resolve_config(self.system, path, self.directories.home, base)
        links.check_parents(self.system, target.path, self.directories.home)
        return target

    def require_writable(self, target: str) -> None:
        """The file, if there is one, and the folder in which a file would be made."""
        if self.system.lstat(target) is not None and not self.system.writable(target):
            raise Refused(
                f"{target}: is read-only",
                f"chmod u+w '{target}', then run the command again",
                code="not_writable",
            )
        folder = os.path.dirname(target)
        while self.system.lstat(folder) is None:
            folder = os.path.dirname(folder)
        if not os.path.isdir(folder):
            raise Refused(f"{folder}: is no directory", "move it away, then try again")
        if not self.system.writable(folder):
            raise Refused(
                f"{folder}: can't be written",
                f"chmod u+w '{folder}', then run the command again",
                code="not_writable",
            )

    def read(self, target: str) -> bytes | None:
        return atomic.read(self.system, target).content

    def find_program(self, name: str) -> str | None:
        """The agent's program on the person's PATH, absolute."""
        for folder in self.environment.get("PATH", "").split(os.pathsep):
            path = os.path.join(folder, name)
            if os.path.isabs(path) and self.system.executable(path):
                return path
        return None
