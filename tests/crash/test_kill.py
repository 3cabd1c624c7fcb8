"""SIGKILL or an error at each write-class system call: every agent is as before or as after.

Every agent's points are counted and printed. The kills of three agents' install and uninstall
take every point, the others some of them. With CC_SAFETY_NET_CRASH=full the kills take every point
of every agent's install and uninstall, of its recovery, and between agent and agent; updates and
errors of the disk every third.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from tests.crash import traced
from tests.crash.scene import (
    ALL,
    CASES,
    COMMANDS,
    ERRORS,
    FULL,
    NEXT_START,
    THREE,
    Case,
    Scene,
    difference,
    tell,
)
from tests.install.stand_in import seen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.crash.traced import Point

pytestmark = pytest.mark.crash


class Kills:
    """A command on a scene, undisturbed once, then disturbed at one point after the other."""

    def __init__(self, home: Path, case: Case, command: str) -> None:
        self.scene = Scene(home, case, command)
        self.argv = case.argv(command)
        self.before = self.scene.seen()
        self.points = traced.points(home, *self.argv, calls=traced.ALL_CALLS)
        self.after = self.scene.seen()
        assert self.before != self.after

    def at(self, point: Point, effect: str = "signal=KILL") -> None:
        self.scene.back()
        traced.killed(self.scene.home, point, *self.argv, effect=effect)
        self.require_whole(point)

    def require_whole(self, point: Point) -> None:
        """After the next start; the start after that has nothing to do."""
        self.scene.next_start()
        found = self.scene.seen()
        assert found in (self.before, self.after), (
            point,
            difference(found, self.before, self.after),
        )
        self.scene.next_start()
        assert self.scene.seen() == found, point

    def tell(self, capsys: pytest.CaptureFixture[str], name: str) -> None:
        around = sum(point.around_a_process for point in self.points)
        text = f"{name}: {self.scene.command}: {len(self.points)} points, {around} around processes"
        tell(capsys, text)


def spread(points: Sequence[Point], count: int, seed: int, full: int = 1) -> list[Point]:
    """`count` of the points, evenly spread, in the full form each `full`th; `seed` moves them."""
    if FULL or not points:
        return list(points[seed % full :: full])
    step = max(1, len(points) // count)
    return list(points[seed % step :: step][:count])


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_kill_at_any_write_leaves_all_or_nothing(
    home: Path, command: str, part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    kills = Kills(home, THREE, command)
    assert len(kills.points) >= 20 * len(THREE.agents)
    kills.tell(capsys, f"{', '.join(THREE.agents)}, part {part + 1} of 4")

    for point in kills.points[part::4]:
        kills.at(point)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", CASES)
def test_a_kill_leaves_the_agent_before_or_after(
    home: Path, name: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kills = Kills(home, CASES[name], command)
    kills.tell(capsys, name)
    assert len(kills.points) >= 20
    around = [point for point in kills.points if point.around_a_process]
    # The proofs after an installation, and the agent's own program.
    assert bool(around) == (command != "uninstall" or bool(CASES[name].programs))

    seed = 7 * list(CASES).index(name)
    for point in spread(kills.points, 2, seed, 3 if command == "update" else 1):
        kills.at(point)
    for point in () if FULL else spread(around, 1, seed):
        kills.at(point)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_kill_between_agent_and_agent(
    home: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kills = Kills(home, ALL, command)
    counts = {agent: sum(point.agent == agent for point in kills.points) for agent in ALL.agents}
    kills.tell(capsys, f"all agents at once, of these {counts}")
    between = [
        point
        for pair in pairwise(kills.points)
        if pair[1].begins and pair[1].agent
        for point in pair
    ]
    phases = ("apply",) if command == "uninstall" else ("apply", "verify")
    begun = {(point.phase, point.agent) for point in between}
    assert begun >= {(phase, agent) for phase in phases for agent in ALL.agents}

    for point in spread(between, 4, 2 * COMMANDS.index(command)):
        kills.at(point)


@pytest.mark.parametrize("half", ["taken back", "finished"])
@pytest.mark.parametrize("command", COMMANDS if FULL else [""])
@pytest.mark.parametrize("name", [*CASES, "all agents"])
def test_a_kill_during_recovery_recovers_at_the_next_start(
    home: Path, name: str, command: str, half: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = command or COMMANDS[len(name + half) % 3]
    case = CASES.get(name, ALL)
    kills = Kills(home, case, command)
    commits = next(
        index
        for index, point in enumerate(kills.points)
        if point.call == "openat" and "/journal/committed" in point.text
    )
    at = kills.points[commits]
    if half == "finished":
        rest = kills.points[commits + 1 :]
        at = next(point for point in rest if point.call in {"unlink", "rename", "rmdir"})
    kills.scene.back()
    traced.killed(home, at, *kills.argv)
    kills.scene.save()
    recovery = traced.points(home, *NEXT_START, calls=traced.ALL_CALLS)
    tell(capsys, f"{name}: recovery of {command}, {half}: {len(recovery)} points")
    assert len(recovery) >= (20 if half == "taken back" else 10)

    full = 3 if command == "update" else 1
    for point in spread(recovery, 2, 5 * len(name), full if case is not ALL else 8):
        kills.scene.back()
        traced.killed(home, point, *NEXT_START)
        kills.require_whole(point)


@pytest.mark.parametrize("error", ERRORS if FULL else ERRORS[:1])
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_failing_write_leaves_all_or_nothing(home: Path, command: str, error: str) -> None:
    kills = Kills(home, THREE, command)

    for point in spread(kills.points, 8, 3, 3):
        if not point.around_a_process:
            kills.at(point, f"error={error}")


@pytest.mark.parametrize("command", COMMANDS if FULL else [""])
@pytest.mark.parametrize("name", CASES)
def test_an_error_of_the_disk_leaves_the_agent_before_or_after(
    home: Path, name: str, command: str
) -> None:
    """Each point fails in one of six ways."""
    command = command or COMMANDS[list(CASES).index(name) % 3]
    kills = Kills(home, CASES[name], command)
    writes = [point for point in kills.points if not point.around_a_process]
    seed = 11 * list(CASES).index(name)

    for point in spread(writes, 1, seed, 3):
        kills.at(point, f"error={ERRORS[(kills.points.index(point) + seed) % len(ERRORS)]}")


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
    THREE.fill(home)
    if command == "uninstall":
        assert traced.run(home, "install", *THREE.agents).returncode == 0
    scene = Scene(home, Case((), {}), "install")
    before = without_records(home)
    argv = (command, *THREE.agents)
    points = traced.points(home, *argv)
    after = without_records(home)
    assert before != after
    tell(capsys, f"the program: {command}: {len(points)} points")

    for point in spread(points, 4, 0):
        scene.back()
        traced.killed(home, point, *argv)

        done = traced.run(home, "uninstall", "claude-code")
        assert done.returncode == 0, (point, done.stderr)
        found = without_records(home)

        assert found in (before, after), (point, difference(found, before, after))
        assert not (home / ".local/state/cc-safety-net/journal").exists()
