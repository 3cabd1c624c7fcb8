"""A home on a small file system, filled but for a few pages, or mounted read-only.

`python -m tests.install.full_disk FOLDER CASE COMMAND`, in a mount namespace of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.crash.scene import CASES
from tests.install import in_process
from tests.install.stand_in import Machine, everything, ok, seen

#: Also what the scripted programs keep: they stop half way when the disk is full.
THEIRS = (".claude/plugins", ".codex/plugins", ".gemini/extensions", ".copilot/config")
PAGE = 4096


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def state(home: Path) -> dict[str, object]:
    return {
        key: value
        for key, value in seen(home).items()
        if not key.startswith(THEIRS)
        # A program that could not end its write leaves a temporary file of its own.
        and not (key.endswith(".tmp") and "/.cc-safety-net-" not in key)
    }


def main() -> int:
    folder, name, command = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    case = CASES[name]
    scope = "project" if case.words else "user"
    disk = folder / "disk"
    disk.mkdir()
    mount("-t", "tmpfs", "-o", "size=1m,mode=700", "none", str(disk))
    home = disk / "home"
    home.mkdir(mode=0o700)
    refused = done = 0
    with pytest.MonkeyPatch.context() as patch:
        in_process.put(folder / "bin", case.programs, patch)
        case.without_programs().fill(home)
        machine = Machine(home, f"{folder}/bin:/usr/bin:/bin")
        back = "uninstall" if command == "install" else "install"
        if command == "uninstall":
            ok(machine.install(*case.agents, scope=scope))
        before = state(home)
        free = 0
        while done < 2 and free < 200:
            fill(disk, free)
            result = machine.run(command, *case.agents, scope=scope)
            (disk / "ballast").unlink()
            if result.error is None:
                done += 1
                ok(machine.run(back, *case.agents, scope=scope))
            else:
                refused += 1
                assert result.exit_code == 1
                assert result.error.hint, result.error.message
                assert "no space" in result.error.message.lower(), result.error.message
            ok(machine.uninstall("cursor", scope="project"))
            require_same(state(home), before, free)
            free += 1 if free < 40 else 7
        everything_before = everything(home)
        mount("-o", "remount,ro", str(disk))
        result = machine.run(command, *case.agents, scope=scope)
        mount("-o", "remount,rw", str(disk))
        assert result.error is not None
        assert result.exit_code == 1
        assert str(home) in result.error.message
        assert result.error.hint
        assert everything(home) == everything_before
    assert refused
    assert done
    print(f"{name}: {command}: {refused} times full, {done} times room enough")
    return 0


def fill(disk: Path, free: int) -> None:
    """All but `free` pages."""
    with (disk / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * PAGE)
        except OSError:
            pass
        file.truncate(max(0, file.tell() // PAGE - free) * PAGE)


def require_same(found: dict[str, object], before: dict[str, object], free: int) -> None:
    record = ".local/state/cc-safety-net/installed.json"
    changed = {
        key: (before.get(key), found.get(key))
        for key in {*before, *found}
        if before.get(key) != found.get(key) and key != record
    }
    assert not changed, (free, changed)


if __name__ == "__main__":
    sys.exit(main())
