"""What a killed installation left behind without a journal goes at the next start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.install.stand_in import Machine, everything, ok

if TYPE_CHECKING:
    from pathlib import Path

#: A folder of each agent's, by agent, into which temporary files are put.
FOLDERS = {
    "antigravity-cli": ".gemini/config",
    "claude-code": ".claude",
    "codex": ".codex",
    "copilot-cli": ".copilot/hooks",
    "cursor": ".cursor",
    "devin": ".config/devin",
    "gemini-cli": ".gemini",
    "grok-build": ".grok/hooks",
    "hermes-agent": ".hermes/plugins/cc-safety-net",
    "kimi-code": ".kimi-code",
}


def ended() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


def put(home: Path, path: str) -> Path:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"{}")
    return file


@pytest.mark.parametrize("form", ["{}-1.tmp", "{}-12.tmp-undo", "{}-3-__pycache__"])
@pytest.mark.parametrize("agent", FOLDERS)
def test_temporary_files_of_ended_processes_go(machine: Machine, agent: str, form: str) -> None:
    (machine.home / FOLDERS[agent]).mkdir(parents=True)
    before = everything(machine.home)
    file = put(machine.home, f"{FOLDERS[agent]}/.cc-safety-net-{form.format(ended())}")

    result = ok(machine.uninstall("cursor"))

    assert everything(machine.home) == before
    assert any(str(file) in note for note in result.notes)


@pytest.mark.parametrize("name", [".new-{}-1.0.0", ".old-{}-1.0.0", ".new-{}-current"])
def test_half_placed_runtimes_go(machine: Machine, name: str) -> None:
    put(machine.data, f"{name.format(ended())}/file")

    ok(machine.uninstall("cursor"))

    assert not [key for key in everything(machine.home) if "file" in key]


@pytest.mark.parametrize(
    "name",
    [
        f".cursor/.cc-safety-net-{os.getppid()}-1.tmp",
        ".cursor/.cc-safety-net-x-1.tmp",
        ".cursor/.cc-safety-net-1-1.tmp.json",
        ".cursor/.cc-safety-net-999999-.tmp",
        ".cursor/cc-safety-net-999999-1.tmp",
        ".cursor/.new-999999-1.0.0",
        ".cursor/hooks.json.tmp",
        "elsewhere/.cc-safety-net-999999-1.tmp",
    ],
)
def test_what_may_be_somebodys_stays(machine: Machine, name: str) -> None:
    put(machine.home, name)
    before = everything(machine.home)

    ok(machine.uninstall("kimi-code"))

    assert everything(machine.home) == before


def test_a_link_with_such_a_name_stays(machine: Machine) -> None:
    put(machine.home, "mine")
    (machine.home / ".cursor").mkdir()
    (machine.home / f".cursor/.cc-safety-net-{ended()}-1.tmp").symlink_to(machine.home / "mine")
    before = everything(machine.home)

    ok(machine.uninstall("kimi-code"))

    assert everything(machine.home) == before


def test_a_dry_run_removes_nothing(machine: Machine) -> None:
    put(machine.home, f".cursor/.cc-safety-net-{ended()}-1.tmp")
    before = everything(machine.home)

    ok(machine.install("cursor", dry_run=True))

    assert everything(machine.home) == before


def test_while_a_journal_may_name_them_they_are_left_to_it(machine: Machine) -> None:
    file = put(machine.home, f".cursor/.cc-safety-net-{ended()}-1.tmp")
    in_the_way = machine.home / ".cursor/hooks.json"
    in_the_way.mkdir()
    step = {"kind": "file", "path": str(in_the_way), "temporary": f"{in_the_way}.tmp"}
    step |= {"before": "", "after": "0", "mode": 0o644}
    put(machine.home, ".local/state/cc-safety-net/journal/0001.json").write_text(json.dumps(step))
    ok(machine.uninstall("kimi-code"))
    assert file.exists()
    in_the_way.rmdir()

    ok(machine.uninstall("kimi-code"))

    assert not file.exists()
    assert not machine.state.exists()
