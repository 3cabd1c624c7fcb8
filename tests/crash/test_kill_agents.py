"""SIGKILL at the writes and around the program runs of each agent that came after the first four.

Every agent's points are counted and printed; a few of them are killed, spread over the whole
command, and all with CC_SAFETY_NET_CRASH=full.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.crash import traced
from tests.crash.scene import Scene, difference, tell
from tests.install import hermes_program, plugin_programs
from tests.install.stand_in import seen

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.crash

FULL = os.environ.get("CC_SAFETY_NET_CRASH") == "full"
SAMPLE = 4
#: A file of the person's, in a form that no program would write.
FILES = {
    "codex": (".codex/config.toml", '# mine\nmodel="gpt-5.5"   # good\n\n[tui]\nx = 1'),
    "gemini-cli": (".gemini/settings.json", '{\n // mine\n "general":{} }'),
    "copilot-cli": (".copilot/settings.json", '{\n    "theme":"dark",\n\n "x": {} }'),
    "antigravity-cli": (".gemini/config/hooks.json", '{"mine":{"Stop":[]}}'),
    "devin": (".config/devin/config.json", '{\n "version":1, // mine\n}'),
    "hermes-agent": (".hermes/config.yaml", "# mine\nmodel:   {a: b}   # good\n"),
}
PROGRAMS = {"codex": "codex", "gemini-cli": "gemini", "copilot-cli": "copilot"}
#: Changes nothing, but starts like every command that changes something.
NEXT_START = ("uninstall", "kimi-code")
#: What the scripted programs keep for themselves.
THEIRS = ("bin/", ".codex/plugins", ".gemini/extensions", ".copilot/config.json")


def _is_theirs(name: str) -> bool:
    """A temporary file of the scripted program; ours begin with our own name."""
    return name.endswith(".tmp") and not name.rpartition("/")[2].startswith(".cc-safety-net-")


def own(home: Path) -> dict[str, object]:
    # A program that is killed while it writes leaves a temporary file of its own behind.
    return {
        name: value
        for name, value in seen(home).items()
        if not name.startswith(THEIRS) and not _is_theirs(name)
    }


def fill(home: Path, agent: str) -> None:
    path, content = FILES[agent]
    file = home / path
    file.parent.mkdir(parents=True)
    file.write_text(content)
    if agent in PROGRAMS:
        plugin_programs.put(home / "bin", PROGRAMS[agent])
    if agent == "hermes-agent":
        hermes_program.put(home / "bin")


def spread(
    points: list[tuple[str, int]], around: list[tuple[str, int]], start: int
) -> list[tuple[str, int]]:
    """A few of all points, and one of those around a run; `start` differs from agent to agent."""
    step = len(points) // SAMPLE
    one = [around[start % len(around)]] if around else []
    return [*points[start % step :: step][:SAMPLE], *one]


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("agent", FILES)
def test_a_kill_leaves_the_agent_before_or_after(
    home: Path, agent: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(home, agent)
    if command == "uninstall":
        done = traced.run(home, "install", agent)
        assert done.returncode == 0, done.stderr
    here = Scene(home)
    before = own(home)
    points = traced.points(home, command, agent, calls=(*traced.CALLS, *traced.PROCESS_CALLS))
    after = own(home)
    assert before != after
    around = [point for point in points if point[0] in traced.PROCESS_CALLS]
    tell(capsys, f"{agent}: {command}: {len(points)} points, {len(around)} around processes")
    assert len(points) >= 20
    assert len(around) >= (2 if agent in PROGRAMS else 0)

    start = 7 * list(FILES).index(agent)
    for call, number in points if FULL else spread(points, around, start):
        here.back()
        traced.killed(home, call, number, command, agent)

        done = traced.run(home, *NEXT_START)
        assert done.returncode == 0, (call, number, done.stderr)
        found = own(home)

        assert found in (before, after), (call, number, difference(found, before, after))
