"""A built runtime in a scratch home, called as an agent calls it: `/bin/sh -c ENTRY`."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from cc_safety_net.install import placement, runtime
from cc_safety_net.install.launcher import entry_command, specs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SPECS = {spec.name: spec for spec in specs()}


@dataclass(frozen=True)
class Answer:
    stdout: str
    stderr: str
    status: int


@dataclass(frozen=True)
class Artifact:
    """home: holds config, state and data below it. folder: the placed version. project: a cwd."""

    home: Path
    folder: Path
    project: Path
    config: str
    state: str
    data: str

    @property
    def launcher(self) -> str:
        return placement.launcher_path(self.data)

    def entry(self, agent: str) -> str:
        return entry_command(self.launcher, SPECS[agent])

    def call(
        self,
        command: str,
        stdin: bytes,
        environment: Mapping[str, str] | None = None,
        **options: Any,
    ) -> Answer:
        """The answer of a command text, with a nearly empty environment."""
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=stdin,
            capture_output=True,
            timeout=60,
            check=False,
            cwd=self.project,
            env={"HOME": str(self.home), "PATH": "/usr/bin:/bin", **(environment or {})},
            **options,
        )
        return Answer(done.stdout.decode(), done.stderr.decode(), done.returncode)

    def ask(self, agent: str, payload: Any, environment: Mapping[str, str] | None = None) -> Answer:
        stdin = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self.call(self.entry(agent), stdin, environment)

    def shell_call(self, agent: str, command: str) -> dict[str, Any]:
        """The smallest payload of the agent for a shell command in the project."""
        spec = SPECS[agent]
        keys = spec.payload
        found: dict[str, Any] = {"cwd": str(self.project)}
        fields = (
            (keys.event[0], keys.event_values[0]),
            (keys.tool[0], next(iter(spec.shell_tools))),
            (keys.input[0], {"command": command}),
        )
        for path, value in fields:
            inner = found
            for key in path[:-1]:
                inner = inner.setdefault(key, {})
            inner[path[-1]] = value
        if keys.workspaces:
            several = keys.workspaces[0][0].endswith("s")
            found[keys.workspaces[0][0]] = [str(self.project)] if several else str(self.project)
        return found


@cache
def packed() -> runtime.Packed:
    """Compiling takes a second: once for all tests of a process."""
    return runtime.pack()


def make(home: Path) -> Artifact:
    """Build, place and activate the runtime below `home`; the project is a repository in it."""
    project = home / "my proj"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    made = {name: str(home / ".own" / name) for name in ("config", "state", "data")}
    artifact = Artifact(home, home, project, **made)
    folder = placement.place(runtime.build(artifact, packed=packed()), artifact.data)
    placement.activate(folder, artifact.data)
    return Artifact(home, home.__class__(folder), project, **made)
