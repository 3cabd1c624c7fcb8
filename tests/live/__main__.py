"""Real agents, driven headlessly: `python -m tests.live [--agent NAME] [--folder DIR]`.

Each agent is installed from its registry, our `install` is run against it in a scratch home, and
a model on the loopback interface asks it for one command. A case passes only if the command runs
without the guard, and with the guard is stopped with our reason (or runs, for the harmless one).
The refused command calls a stub named `git` by its path, which only writes a mark: an agent may
put the system's directories first on PATH.
Ends with 1 if a case fails or an agent could not be driven.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.live.agents import AGENTS, LiveAgent, npm_install
from tests.live.model import Model

#: Commands with the mark that each leaves in the project; `{stub}` is the stub's path.
REFUSED = "{stub}/git reset --hard"
HARMLESS = "touch mark"
#: Agents that can't be driven here, with the reason; a skip that is not listed is a failure.
NOT_DRIVEN = {
    "cursor": "its command line needs a login, and its installer is not in a registry",
    "kimi-code": "needs Node 22.19 or newer",
    "antigravity-cli": "not in a registry, and it needs a login",
    "devin": "not in a registry, and it needs a login",
    "hermes-agent": "the test does not install from PyPI yet",
}


@dataclass(frozen=True)
class Outcome:
    ran: bool
    result: str


def stub_git(folder: Path, mark: Path) -> None:
    """A `git` that does nothing but write a mark."""
    folder.mkdir()
    stub = folder / "git"
    stub.write_text(f'#!/bin/sh\n: > "{mark}"\n')
    stub.chmod(0o700)


def run_agent(agent: LiveAgent, program: Path, command: str, *, guard: str) -> Outcome:
    """One run of the real agent in a home of its own; `guard` is our program, or "" for none."""
    with tempfile.TemporaryDirectory(prefix="cc-safety-net-live-") as scratch:
        base = Path(scratch)
        home, project = base / "home", base / "project"
        home.mkdir()
        project.mkdir()
        text = command.format(stub=base / "stubs")
        subprocess.run(["git", "init", "-q", project], check=True)
        stub_git(base / "stubs", project / "mark")
        arguments = {agent.command_argument: text}
        if agent.command_argument == "command":
            arguments["description"] = "live test"
        with Model(agent.shell_tool, arguments) as model:
            environment = {
                "HOME": str(home),
                "PATH": f"{program.parent}:{os.environ['PATH']}",
                "LANG": "C.UTF-8",
                "TERM": "dumb",
                **agent.environment(model),
            }
            agent.prepare(home, model)
            if guard:
                subprocess.run(
                    [guard, "install", agent.flag, "--yes"],
                    check=True,
                    env=environment,
                    cwd=project,
                    stdin=subprocess.DEVNULL,
                    timeout=120,
                )
            subprocess.run(
                agent.command(str(program)),
                check=False,
                env=environment,
                cwd=project,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=120,
            )
            return Outcome((project / "mark").exists(), "\n".join(model.results))


def check(agent: LiveAgent, program: Path, guard: str) -> list[str]:
    """All cases of one agent; returns what was wrong."""
    wrong = []
    for command, must_run in ((REFUSED, False), (HARMLESS, True)):
        bare = run_agent(agent, program, command, guard="")
        guarded = run_agent(agent, program, command, guard=guard)
        reason = "Rule: git.reset-hard" in guarded.result
        print(
            f"  {command:26} without guard: {'ran' if bare.ran else 'DID NOT RUN'}"
            f"   with guard: {'ran' if guarded.ran else 'stopped'}"
            f"{', our reason received' if reason else ''}"
        )
        if not bare.ran:
            wrong.append(f"{agent.name}: {command!r} does not even run without the guard")
        if guarded.ran != must_run:
            wrong.append(f"{agent.name}: {command!r} with the guard: ran={guarded.ran}")
        if reason == must_run:
            wrong.append(f"{agent.name}: {command!r}: the agent got {guarded.result[:300]!r}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.live", description=__doc__)
    parser.add_argument("--agent", action="append", choices=[a.name for a in AGENTS])
    parser.add_argument("--folder", type=Path, default=Path(".live"), help="keeps installed agents")
    options = parser.parse_args()
    guard = shutil.which("cc-safety-net", path=str(Path(sys.executable).parent))
    if guard is None:
        print("error: cc-safety-net is not installed beside this Python", file=sys.stderr)
        return 1
    wrong: list[str] = []
    for agent in AGENTS:
        if options.agent and agent.name not in options.agent:
            continue
        program = npm_install(agent, options.folder.absolute())
        version = subprocess.run(
            [program, "--version"],
            check=True,
            capture_output=True,
            text=True,
            env={"HOME": str(options.folder.absolute() / "npm-home"), "PATH": os.environ["PATH"]},
        )
        print(f"{agent.name} {version.stdout.strip()}")
        wrong += check(agent, program, guard)
    for name, reason in NOT_DRIVEN.items():
        print(f"{name}: not driven: {reason}")
    for text in wrong:
        print(f"FAILED {text}", file=sys.stderr)
    print(f"{'failed' if wrong else 'passed'}: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
