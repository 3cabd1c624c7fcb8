"""What an installation needs of the runtime: where it is, what entries say, how it is placed."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Protocol

from cc_safety_net.errors import Refused
from cc_safety_net.install import placement, runtime
from cc_safety_net.install.launcher import entry_command
from cc_safety_net.install.plan import TreeChange
from cc_safety_net.install.site import PROJECT

if TYPE_CHECKING:
    from cc_safety_net.agents.spec import AgentSpec
    from cc_safety_net.install.directories import Directories
    from cc_safety_net.install.system import System


class Artifact(Protocol):
    """The part of the runtime that the manager knows."""

    @property
    def version(self) -> str: ...

    @property
    def digest(self) -> str: ...

    def command(self, spec: AgentSpec, scope: str) -> str:
        """The text of an agent's entry."""

    def plan(self, system: System) -> TreeChange | None:
        """The change that makes this runtime the current one; None if it is."""

    def all_names(self) -> list[str]:
        """Everything that placing runtimes has left in the data folder, the link first."""

    def old_names(self) -> list[str]:
        """Names in the data folder that no entry needs any more."""


class Runtime:
    """The real one, built from the installed package when it is first asked for."""

    def __init__(self, directories: Directories) -> None:
        self._directories = directories
        self._built: runtime.Runtime | None = None

    @property
    def built(self) -> runtime.Runtime:
        if self._built is None:
            self._built = runtime.build(self._directories)
        return self._built

    @property
    def version(self) -> str:
        return self.built.version

    @property
    def digest(self) -> str:
        return self.built.digest

    def command(self, spec: AgentSpec, scope: str) -> str:
        launcher = placement.launcher_path(self._directories.data)
        home = self._directories.home if scope == PROJECT else ""
        return entry_command(launcher, spec, home=home)

    def plan(self, system: System) -> TreeChange | None:
        data = self._directories.data
        require_private(system, data)
        final = os.path.join(data, self.built.folder)
        current = placement.current(data)
        if (
            current is not None
            and current.folder == os.path.realpath(final)
            and current.manifest.get("hash") == self.digest
            and not placement.problems(final)
        ):
            return None

        def make() -> None:
            placement.activate(placement.place(self.built, data), data)

        new = f"{self.version} ({self.digest[:8]})"
        if current is None:
            return TreeChange(data, make, f"{new} new")
        old = f"{current.manifest.get('version')} ({str(current.manifest.get('hash'))[:8]})"
        what = f"{old} -> {new}" if old != new else f"{new} repaired"
        return TreeChange(data, make, what)

    def old_names(self) -> list[str]:
        data = self._directories.data
        names = sorted(os.listdir(data)) if os.path.isdir(data) else []
        return [name for name in names if name != self.built.folder and self._placed(name)]

    def all_names(self) -> list[str]:
        """Everything that placing runtimes has left in the data folder, the link first."""
        data = self._directories.data
        names = sorted(os.listdir(data)) if os.path.isdir(data) else []
        current = [placement.CURRENT] if placement.CURRENT in names else []
        return [*current, *(name for name in names if self._placed(name))]

    def _placed(self, name: str) -> bool:
        if name == placement.CURRENT:
            return False
        return os.path.isfile(os.path.join(self._directories.data, name, runtime.MANIFEST))


def require_private(system: System, folder: str) -> None:
    """A folder of ours may not be a link, another's, or no folder."""
    state = system.lstat(folder)
    if state is None:
        return
    if stat.S_ISLNK(state.st_mode):
        raise Refused(
            f"{folder}: is a symbolic link to {system.readlink(folder)}",
            "replace it by a folder of your own",
            code="link",
        )
    if not stat.S_ISDIR(state.st_mode):
        raise Refused(f"{folder}: is no directory", "move it away, then try again")
    if state.st_uid != system.user():
        raise Refused(f"{folder}: belongs to another user (uid {state.st_uid})", code="owner")
