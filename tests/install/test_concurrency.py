"""Installers at once, and agents that write their files between our reading and our writing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.crash.scene import CASES, Case
from tests.install import in_process
from tests.install.rounds import noted, number_in, parsed, without
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.install.system import System

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]


def test_sixteen_processes_at_once_lose_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.install.rounds", "4", "3"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}/src:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("nothing left over") == 2


#: Agent's file that is written in between, per scene.
FILES: Mapping[str, str] = {
    "cursor": ".cursor/hooks.json",
    "kimi-code": "dotfiles/kimi.toml",
    "antigravity-cli": ".gemini/config/hooks.json",
    "devin": ".config/devin/config.json",
    "devin, project": "project/.devin/hooks.v1.json",
    "claude-code": ".claude/settings.json",
    "claude-code, entry": ".claude/settings.json",
    "codex": ".codex/config.toml",
    "codex, entry": ".codex/hooks.json",
    "gemini-cli, entry": ".gemini/settings.json",
    "copilot-cli": ".copilot/settings.json",
    "hermes-agent": ".hermes/config.yaml",
    "hermes-agent, files": ".hermes/profiles/work/config.yaml",
}


#: State that the agents' programs keep, and folders on the way to ours.
THEIRS = (".local", ".codex/plugins", ".claude/plugins")


class Interferes(System):
    """An agent writes its file between our reading and our writing, `left` times.

    late: after our last look, just before the files change places.
    """

    def __init__(self, home: Path, path: str, *, left: int, late: bool) -> None:
        self.file = home / path
        self.path = path
        self.left = left
        self.late = late
        self.times = 0

    def create(self, path: str, content: bytes, mode: int, owner: tuple[int, int] | None) -> None:
        super().create(path, content, mode, owner)
        if not self.late and path.startswith(f"{self.file.parent}/.cc-safety-net-"):
            self.write()

    def exchange(self, left: str, right: str) -> bool:
        if self.late and right == str(self.file) and left.endswith(".tmp"):
            self.write()
        return super().exchange(left, right)

    def write(self) -> None:
        if not self.left:
            return
        self.left -= 1
        self.times += 1
        other = self.file.with_suffix(".other")
        text = self.file.read_bytes().decode()
        other.write_bytes(noted(self.path, text, self.times).encode())
        other.chmod(0o640)
        other.rename(self.file)


@pytest.mark.parametrize("late", [False, True], ids=["before the last look", "after it"])
@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("times", [1, 3, 99])
def test_what_an_agent_writes_in_between_is_not_lost(
    home: Path, name: str, command: str, times: int, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    case: Case = CASES[name]
    case.without_programs().fill(home)
    (home / FILES[name]).chmod(0o640)
    in_process.put(home.parent / "bin", case.programs, monkeypatch)
    machine = Machine(home, f"{home.parent}/bin:/usr/bin:/bin")
    scope = "project" if case.words else "user"
    original = parsed(FILES[name], (home / FILES[name]).read_bytes())
    if command == "uninstall":
        ok(machine.install(*case.agents, scope=scope))
    before = everything(home)
    system = Interferes(home, FILES[name], left=times, late=late)

    result = machine.run(command, *case.agents, scope=scope, system=system)

    model = parsed(FILES[name], (home / FILES[name]).read_bytes())
    assert without(model) >= without(original)
    if system.times:
        assert number_in(model) == system.times
    if result.error is None:
        ok(machine.uninstall(*case.agents, scope=scope))
        assert "cc-safety-net hook" not in (home / FILES[name]).read_text()
    else:
        # Without end before our last look; after it, theirs is given back until they are done.
        assert times == 99
        assert not late
        assert result.error.code == "conflict"
        assert "changed by another program" in result.error.message
        found = everything(home)
        changed = {path for path in {*found, *before} if found.get(path) != before.get(path)}
        assert {path for path in changed if not path.startswith(THEIRS)} == {FILES[name]}
