"""Agents that can't be driven, with the reason; what our `install` wrote for them is run instead.

The agent's file is read and its command run as the agent's documents say, with a captured call of
each kind; the judge that knows the agent's contract alone reads the reply. Where the agent's
program is on PATH, what it says of its own is shown too.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.agents.golden import payloads
from tests.agents.judge import BLOCKED, RUN, judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class Undriven:
    """An agent that is not run here. payload: a captured shell call; path: its command's place."""

    flag: str
    why: str
    file: str
    payload: str
    path: Sequence[str]
    program: str
    view: Sequence[str]


UNDRIVEN = {
    "cursor": Undriven(
        flag="--cursor",
        why="its command line is in no registry and needs a login",
        file=".cursor/hooks.json",
        payload="shell",
        path=("tool_input", "command"),
        program="cursor-agent",
        view=("--version",),
    ),
    "antigravity-cli": Undriven(
        flag="--antigravity-cli",
        why="its program is in no registry and needs a login",
        file=".gemini/config/hooks.json",
        payload="run_command",
        path=("toolCall", "args", "CommandLine"),
        program="agy",
        view=("inspect", "--json"),
    ),
    "devin": Undriven(
        flag="--devin",
        why="its program is in no registry and needs a login",
        file=".config/devin/config.json",
        payload="exec",
        path=("tool_input", "command"),
        program="devin",
        view=("doctor",),
    ),
}
_CASES = (("git reset --hard", BLOCKED), ("touch mark", RUN))


def check_undriven(guard: str) -> list[str]:
    """Install each into a home of its own and run what stands in its file; what was wrong."""
    wrong = []
    for name, agent in UNDRIVEN.items():
        print(f"{name}: not driven: {agent.why}")
        with tempfile.TemporaryDirectory(prefix="real-agent-") as scratch:
            home = Path(scratch) / "home"
            project = home / "project"
            subprocess.run(["git", "init", "-q", project], check=True)
            # A captured call names it.
            (project / "src").mkdir()
            environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
            _guard(guard, "install", agent, environment)
            commands = sorted(set(_commands(json.loads((home / agent.file).read_text("utf-8")))))
            for command in commands:
                wrong += _run(name, agent, command, environment, project)
            if not commands:
                wrong.append(f"{name}: no command in {agent.file}")
            wrong += _view(name, agent, environment)
            _guard(guard, "uninstall", agent, environment)
            left = home / agent.file
            if left.exists() and "cc-safety-net" in left.read_text("utf-8"):
                wrong.append(f"{name}: {agent.file} still names ours after uninstall")
    return wrong


def _guard(guard: str, verb: str, agent: Undriven, environment: dict[str, str]) -> None:
    subprocess.run(
        [guard, verb, agent.flag, "--yes"],
        check=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=120,
    )


def _commands(value: Any) -> Iterator[str]:
    """Every hook command in the file."""
    if isinstance(value, dict):
        if isinstance(value.get("command"), str):
            yield value["command"]
        for inner in value.values():
            yield from _commands(inner)
    for inner in value if isinstance(value, list) else ():
        yield from _commands(inner)


def _run(
    name: str, agent: Undriven, command: str, environment: dict[str, str], project: Path
) -> list[str]:
    wrong = []
    for text, verdict in _CASES:
        payload = payloads(name)[agent.payload]
        inner = payload
        for key in agent.path[:-1]:
            inner = inner[key]
        inner[agent.path[-1]] = text
        run = subprocess.run(
            ["/bin/sh", "-c", command],
            check=False,
            input=json.dumps(payload).replace("/home/dev/proj", str(project)),
            capture_output=True,
            text=True,
            env=environment,
            cwd=project,
            timeout=60,
        )
        found = judge(name, run.stdout, run.stderr, run.returncode)
        print(f"  its entry, with {text!r}: {found.verdict}")
        if found.verdict != verdict:
            wrong.append(f"{name}: {text!r} is {found.verdict}: {run.stdout} {run.stderr}")
    return wrong


def _view(name: str, agent: Undriven, environment: dict[str, str]) -> list[str]:
    program = shutil.which(agent.program)
    if program is None:
        print(f"  its own view: {agent.program} is not on this machine")
        return []
    run = subprocess.run(
        [program, *agent.view],
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    print(f"  {agent.program} {' '.join(agent.view)}: {(run.stdout + run.stderr)[:400].strip()}")
    return [f"{name}: {agent.program} fails"] if run.returncode else []
