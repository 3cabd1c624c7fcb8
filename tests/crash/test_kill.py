"""SIGKILL or an error at each write-class system call: everything is as before or as after.

The kills of three agents' install and uninstall take every point; the other tests some of them,
and all with CC_SAFETY_NET_CRASH=full, which adds the other errors too.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.crash import traced
from tests.crash.scene import Scene, difference, tell
from tests.install import claude_program
from tests.install.stand_in import seen

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.crash

FULL = os.environ.get("CC_SAFETY_NET_CRASH") == "full"
STEP = 1 if FULL else 8
AGENTS = ("cursor", "kimi-code", "grok-build")
#: Changes nothing, but starts like every command that changes something.
NEXT_START = ("uninstall", "claude-code")

CURSOR = b'{\r\n\t"version": 1,\r\n\t"hooks": {"stop": [{"command": "x"}]}\r\n}'
KIMI = b'# mine\nhooks = [ ] # none\n[a]\nb = "\xc3\xa9"\n'


def fill(home: Path) -> None:
    """Files of the person's; Grok Build has none yet."""
    for path, content, mode in (
        (".cursor/hooks.json", CURSOR, 0o600),
        ("dotfiles/kimi.toml", KIMI, 0o644),
    ):
        file = home / path
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
        file.chmod(mode)
    (home / ".kimi-code").mkdir()
    (home / ".kimi-code/config.toml").symlink_to("../dotfiles/kimi.toml")


def scene(home: Path, command: str) -> Scene:
    fill(home)
    if command == "uninstall":
        done = traced.run(home, "install", *AGENTS)
        assert done.returncode == 0, done.stderr
    return Scene(home)


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_kill_at_any_write_leaves_all_or_nothing(
    home: Path, command: str, part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    here = scene(home, command)
    before = seen(home)
    points = traced.points(home, command, *AGENTS)
    after = seen(home)
    assert before != after
    assert len(points) >= 20 * len(AGENTS)
    tell(capsys, f"{', '.join(AGENTS)}: {command}: {len(points)} points, part {part + 1} of 4")

    for call, number in points[part::4]:
        here.back()
        traced.killed(home, call, number, command, *AGENTS)

        done = traced.run(home, *NEXT_START)
        assert done.returncode == 0, (call, number, done.stderr)
        found = seen(home)

        assert found in (before, after), (call, number, difference(found, before, after))
        traced.run(home, *NEXT_START)
        assert seen(home) == found, (call, number)


def test_a_kill_during_recovery_recovers_at_the_next_start(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = scene(home, "install")
    before = seen(home)
    points = traced.points(home, "install", *AGENTS)
    after = seen(home)
    here.back()
    half = [point for point in points if point[0].startswith("rename")][-1]
    traced.killed(home, *half, "install", *AGENTS)
    here.save()
    recovery = traced.points(home, *NEXT_START)
    assert len(recovery) >= 20
    tell(capsys, f"recovery: {len(recovery)} points")

    for call, number in recovery:
        here.back()
        traced.killed(home, call, number, *NEXT_START)

        traced.run(home, *NEXT_START)

        found = seen(home)
        assert found in (before, after), (call, number, difference(found, before, after))


ERRORS = ("ENOSPC", "EIO", "EACCES", "EROFS", "EXDEV", "EMFILE") if FULL else ("ENOSPC",)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_failing_write_leaves_all_or_nothing(home: Path, command: str, error: str) -> None:
    here = scene(home, command)
    before = seen(home)
    points = traced.points(home, command, *AGENTS)
    after = seen(home)

    for call, number in points[:: STEP if FULL else 16]:
        here.back()
        traced.killed(home, call, number, command, *AGENTS, effect=f"error={error}")

        traced.run(home, *NEXT_START)

        found = seen(home)
        assert found in (before, after), (call, number, difference(found, before, after))


CLAUDE = ("cursor", "claude-code")
NO_CHANGE = ("uninstall", "kimi-code")


def _is_theirs(name: str) -> bool:
    """A temporary file of the scripted program; ours begin with our own name."""
    return name.endswith(".tmp") and not name.rpartition("/")[2].startswith(".cc-safety-net-")


def own(home: Path) -> dict[str, object]:
    """Without what the scripted `claude` keeps for itself."""
    skipped = ("bin/", ".claude/plugins")
    # A program that is killed while it writes leaves a temporary file of its own behind.
    return {
        name: value
        for name, value in seen(home).items()
        if not name.startswith(skipped) and not _is_theirs(name)
    }


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_kill_around_the_runs_of_an_agents_program(
    home: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(home)
    claude_program.put(home / "bin")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text('{ "theme":"dark" }')
    if command == "uninstall":
        assert traced.run(home, "install", *CLAUDE).returncode == 0
    here = Scene(home)
    before = own(home)
    calls = (*traced.CALLS, *traced.PROCESS_CALLS)
    points = traced.points(home, command, *CLAUDE, calls=calls)
    after = own(home)
    around = [point for point in points if point[0] in traced.PROCESS_CALLS]
    assert len(around) >= 4
    tell(capsys, f"claude-code: {command}: {len(points)} points, {len(around)} around processes")

    for call, number in points if FULL else [*points[::40], *around[::3]]:
        here.back()
        traced.killed(home, call, number, command, *CLAUDE)

        done = traced.run(home, *NO_CHANGE)
        assert done.returncode == 0, (call, number, done.stderr)
        found = own(home)

        assert found in (before, after), (call, number, difference(found, before, after))


def without_records(home: Path) -> dict[str, object]:
    """Without the audit log and the records of denials, which stay after every proof."""
    kept = ("logs", "denials")
    state = ".local/state/cc-safety-net"
    skipped = (*(f"{state}/{name}" for name in kept), ".local/state")
    return {
        name: value
        for name, value in seen(home).items()
        if not name.startswith(skipped) and name not in {".local", ".local/share"}
    }


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_kill_of_the_program_itself(
    home: Path,
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traced, "DRIVER", traced.DRIVER.with_name("program.py"))
    here = scene(home, command)
    before = without_records(home)
    points = traced.points(home, command, *AGENTS)
    after = without_records(home)
    assert before != after
    tell(capsys, f"the program: {command}: {len(points)} points")

    for call, number in points[:: 1 if FULL else 16]:
        here.back()
        traced.killed(home, call, number, command, *AGENTS)

        done = traced.run(home, *NEXT_START)
        assert done.returncode == 0, (call, number, done.stderr)
        found = without_records(home)

        assert found in (before, after), (call, number, difference(found, before, after))
        assert not (home / ".local/state/cc-safety-net/journal").exists()
