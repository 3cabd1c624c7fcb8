"""Kills or fails the real process at one system call, from outside, by strace.

Only the process itself is disturbed, not the agents' programs that it starts: these go on alone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
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
ALL_CALLS = (*CALLS, *PROCESS_CALLS)
_LINE = re.compile(r"^(\w+)\((.*)$")
#: The driver says on standard error what it is doing.
_PHASE = re.compile(r'^2, "at: (\S+) (\S*)\\n"')


@dataclass(frozen=True)
class Point:
    """The call, its number among its kind, in which phase and at which agent it comes, its text."""

    call: str
    number: int
    phase: str
    agent: str
    text: str

    @property
    def begins(self) -> bool:
        """The driver is about to turn to another agent."""
        return _PHASE.match(self.text) is not None

    @property
    def around_a_process(self) -> bool:
        return self.call in PROCESS_CALLS


def strace() -> str:
    found = shutil.which("strace")
    assert found, "strace is not installed: apt-get install strace"
    return found


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command without any disturbance."""
    return subprocess.run(_argv(home, words), capture_output=True, text=True, check=False)


def _argv(home: Path, words: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-B", str(DRIVER), str(home), *words]


def points(home: Path, *words: str, calls: tuple[str, ...] = CALLS) -> list[Point]:
    """Each write-class call of the undisturbed command."""
    log = home.parent / "strace.log"
    argv = [strace(), "-s", "200", "-o", str(log), "-e", f"trace={','.join(calls)}"]
    done = subprocess.run([*argv, *_argv(home, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = []
    seen: dict[str, int] = {}
    phase = agent = ""
    for line in log.read_text(errors="replace").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        call, text = match.groups()
        seen[call] = seen.get(call, 0) + 1
        if call == "openat" and "O_CREAT" not in text:
            continue
        turn = _PHASE.match(text)
        if turn is not None:
            phase, agent = turn.groups()
        found.append(Point(call, seen[call], phase, agent, text))
    return found


def killed(home: Path, point: Point, *words: str, effect: str = "signal=KILL") -> int:
    """Exit code of the command, disturbed at that call."""
    argv = [strace(), "-qq", "-o", "/dev/null", "-e", f"trace={point.call}"]
    argv += ["-e", f"inject={point.call}:{effect}:when={point.number}"]
    done = subprocess.run([*argv, *_argv(home, words)], capture_output=True, text=True, check=False)
    return done.returncode
