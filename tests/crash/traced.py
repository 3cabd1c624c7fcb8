"""Kills or fails the real process at one system call, from outside, by strace."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

DRIVER = Path(__file__).with_name("driver.py")
#: All by which a file system is changed; of `openat` only those that make or write a file.
CALLS = (
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fchmod",
    "ftruncate",
    "mkdir",
    "rename",
    "renameat2",
    "unlink",
    "rmdir",
    "symlink",
)
#: Around every process that is started.
PROCESS_CALLS = ("vfork", "clone", "wait4")
_LINE = re.compile(r"^(\d+) +(\w+)\((.*)$")


def strace() -> str:
    found = shutil.which("strace")
    assert found, "strace is not installed: apt-get install strace"
    return found


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command without any disturbance."""
    return subprocess.run(_argv(home, words), capture_output=True, text=True, check=False)


def _argv(home: Path, words: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-B", str(DRIVER), str(home), *words]


def points(home: Path, *words: str, calls: tuple[str, ...] = CALLS) -> list[tuple[str, int]]:
    """Each write-class call of the undisturbed command: its name and its number among its kind."""
    log = home.parent / "strace.log"
    argv = [strace(), "-f", "-o", str(log), "-e", f"trace={','.join(calls)}"]
    done = subprocess.run([*argv, *_argv(home, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = []
    seen: dict[str, int] = {}
    main = ""
    for line in log.read_text(errors="replace").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        pid, call, rest = match.groups()
        main = main or pid
        if pid != main:
            continue
        seen[call] = seen.get(call, 0) + 1
        if call == "openat" and "O_CREAT" not in rest:
            continue
        found.append((call, seen[call]))
    return found


def killed(home: Path, call: str, number: int, *words: str, effect: str = "signal=KILL") -> int:
    """Exit code of the command, disturbed at that call."""
    argv = [strace(), "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    argv += ["-e", f"inject={call}:{effect}:when={number}"]
    done = subprocess.run([*argv, *_argv(home, words)], capture_output=True, text=True, check=False)
    return done.returncode
