"""Permissions, a full or read-only disk, and agents' programs that fail at any of their runs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.crash.scene import CASES
from tests.install import in_process
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.install.system import Ended, System

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[2]
#: For root no mode counts, unless it is without these.
_CAPABILITIES = "-dac_override,-dac_read_search,-fowner"
_PERSON = ("setpriv", f"--bounding-set={_CAPABILITIES}", f"--inh-caps={_CAPABILITIES}")
#: Root of its own namespace, or of one that everybody may make.
_MOUNTS = ("unshare", "-m") if os.geteuid() == 0 else ("unshare", "-rm")


def run(before: Sequence[str], module: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*before, sys.executable, "-B", "-m", module, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}/src:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("name", CASES)
def test_without_permission_for_any_path_nothing_is_lost(
    home: Path, name: str, command: str
) -> None:
    done = run(
        _PERSON if os.geteuid() == 0 else (), "tests.install.denied", str(home), name, command
    )

    assert done.returncode == 0, done.stderr
    assert " refused" in done.stdout


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("name", CASES)
def test_on_a_full_or_read_only_disk_nothing_is_lost(name: str, command: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        done = run(_MOUNTS, "tests.install.full_disk", folder, name, command)

    assert done.returncode == 0, done.stderr
    assert " times full" in done.stdout


#: How a run of an agent's program may end.
ENDS = {
    "fails": Ended(1, b"", b"something broke\n"),
    "hangs": Ended(None, b"", b""),
    "is killed": Ended(-9, b"", b""),
    "is gone": Ended(127, b"", b"no such file or directory"),
    "knows no such verb": Ended(2, b"usage: ...", b""),
}


class Troubled(System):
    """The `number`th run of the agent's program ends otherwise, having done its work or not."""

    def __init__(self, folder: Path, number: int, ended: Ended, *, works: bool) -> None:
        self.folder = folder
        self.number = number
        self.outcome = ended
        self.works = works
        self.runs = 0

    def run(self, argv: Sequence[str], **options: object) -> Ended:
        if Path(argv[0]).parent != self.folder:
            return super().run(argv, **options)
        self.runs += 1
        if self.runs != self.number:
            return super().run(argv, **options)
        if self.works:
            super().run(argv, **options)
        return self.outcome


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.programs])
def test_a_program_that_fails_at_any_run_changes_nothing(
    home: Path, name: str, command: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, folder = CASES[name], home.parent / "bin"
    in_process.put(folder, case.programs, monkeypatch)
    case.without_programs().fill(home)
    machine = Machine(home, f"{folder}:/usr/bin:/bin")
    if command == "uninstall":
        ok(machine.install(*case.agents))
    before = seen_by_the_person(home)

    number, runs = 0, 1
    while number < runs:
        number += 1
        system = Troubled(folder, number, ENDS[end], works=number % 2 == list(ENDS).index(end) % 2)
        result = machine.run(command, *case.agents, system=system)
        runs = max(runs, system.runs)

        if result.error is None:
            # Nothing was asked of it, or it said that it was so already.
            assert system.runs < number
            break
        assert result.exit_code == 1
        assert result.error.code in {"agent_cli_failed", "agent_cli_timeout", "verify_failed"}
        assert result.error.hint
        assert case.programs[0] in result.error.message + result.error.hint
        assert seen_by_the_person(home) == before, number
    assert number >= 2


def seen_by_the_person(home: Path) -> dict[str, object]:
    kept = (".claude/plugins", ".codex/plugins", ".gemini/extensions", ".copilot/config")
    found = everything(home)
    return {name: value for name, value in found.items() if not name.startswith(kept)}
