"""A runtime of six lines for the manager's tests, and what they need to look at a home."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from cc_safety_net.install.launcher import entry_command
from cc_safety_net.install.operations import Operation
from cc_safety_net.install.plan import TreeChange

if TYPE_CHECKING:
    from cc_safety_net.agents.spec import AgentSpec
    from cc_safety_net.install.result import Result
    from cc_safety_net.install.system import System

#: Answers the canary and everything else, in the form of each flag.
LAUNCHER = """\
#!/bin/sh
call=$(cat)
case $2 in
--cursor)
  no='{"permission":"deny","user_message":"no","agent_message":"no"}'
  yes='{"permission":"allow"}' ;;
--grok-build)
  no='{"decision":"deny","reason":"no"}'
  yes='{"decision":"allow"}' ;;
--antigravity-cli)
  no='{"decision":"deny","reason":"no"}'
  yes= ;;
--gemini-cli)
  no='{"decision":"deny","reason":"no","systemMessage":"no"}'
  yes= ;;
--copilot-cli)
  no='{"permissionDecision":"deny","permissionDecisionReason":"no"}'
  yes= ;;
--devin)
  no='{"decision":"block","reason":"no"}'
  yes= ;;
--hermes-agent)
  no='{"action":"block","message":"no"}'
  yes= ;;
*)
  no='"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"'
  no="{\\"hookSpecificOutput\\":{$no}}"
  yes= ;;
esac
case $call in
*cc-safety-net-canary*) echo "$no"; [ $2 != --devin ] || exit 2 ;;
*) [ -z "$yes" ] || echo "$yes" ;;
esac
"""

FILES = ("cursor", "kimi-code", "grok-build")


class StandIn:
    """Places `LAUNCHER` as the real runtime is placed."""

    version = "1.0.0"
    digest = "0" * 64

    def __init__(self, data: Path, home: Path, launcher: str = LAUNCHER) -> None:
        self.data = data
        self.home = home
        self.launcher = launcher
        self.folder = f"{self.version}-00000000"

    def command(self, spec: AgentSpec, scope: str) -> str:
        home = str(self.home) if scope == "project" else ""
        return entry_command(str(self.data / "current" / "cc-safety-net"), spec, home=home)

    def plan(self, system: System) -> TreeChange | None:
        current = self.data / "current"
        if current.is_symlink() and os.readlink(current) == self.folder:
            return None
        return TreeChange(str(self.data), self.make, f"{self.version} new")

    def make(self) -> None:
        folder = self.data / self.folder
        folder.mkdir(mode=0o700, exist_ok=True)
        file = folder / "cc-safety-net"
        file.write_text(self.launcher)
        file.chmod(0o700)
        link = self.data / f".new-{os.getpid()}-current"
        os.symlink(self.folder, link)
        link.rename(self.data / "current")

    def all_names(self) -> list[str]:
        current = ["current"] if os.path.lexists(self.data / "current") else []
        return [*current, *self._folders()]

    def old_names(self) -> list[str]:
        return [name for name in self._folders() if name != self.folder]

    def _folders(self) -> list[str]:
        names = sorted(os.listdir(self.data)) if self.data.is_dir() else []
        return [name for name in names if name.endswith("-00000000")]


class Newer(StandIn):
    """Of a later version, whose entries say something else."""

    version = "2.0.0"
    digest = "1" * 64

    def command(self, spec: AgentSpec, scope: str) -> str:
        return super().command(spec, scope) + " "


class Machine:
    """A home with installers; every method runs one command."""

    def __init__(self, home: Path, path: str = "/usr/bin:/bin") -> None:
        self.home = home
        self.environment = {"HOME": str(home), "PATH": path}
        self.project = home / "project"
        self.data = home / ".local/share/cc-safety-net"
        self.state = home / ".local/state/cc-safety-net"
        self.artifact = StandIn(self.data, home)

    def run(self, command: str, *targets: str, **options: object) -> Result:
        return Operation(
            command,
            targets or FILES,
            self.environment,
            project=str(self.project),
            artifact=self.artifact,
            **options,
        ).run()

    def install(self, *targets: str, **options: object) -> Result:
        return self.run("install", *targets, **options)

    def uninstall(self, *targets: str, **options: object) -> Result:
        return self.run("uninstall", *targets, **options)


def everything(root: Path) -> dict[str, object]:
    """Every name below `root` with its mode, and its bytes or where it leads."""
    found: dict[str, object] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            state = os.lstat(path)
            mode = oct(stat.S_IMODE(state.st_mode))
            key = os.path.relpath(path, root)
            if stat.S_ISLNK(state.st_mode):
                found[key] = ("link", os.readlink(path))
            elif stat.S_ISDIR(state.st_mode):
                found[key] = ("folder", mode)
            elif stat.S_ISREG(state.st_mode):
                found[key] = ("file", mode, state.st_uid, Path(path).read_bytes())
            else:
                found[key] = ("other", mode)
    return found


def seen(home: Path) -> dict[str, object]:
    """All there is, without empty folders on the way to our own."""
    found = everything(home)
    for name in sorted(found, key=len, reverse=True):
        used = any(other.startswith(name + "/") for other in found)
        if name.startswith(".local") and found[name] == ("folder", "0o700") and not used:
            del found[name]
    return found


def ok(result: Result) -> Result:
    """The result, which must be a success."""
    assert result.error is None, (result.error.message, result.error.hint, result.notes)
    return result


def dumped(value: object) -> bytes:
    return json.dumps(value, indent=2).encode()
