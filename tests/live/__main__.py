"""Real agents, driven headlessly: `python -m tests.live [--agent NAME] [--folder DIR]`.

Each agent is installed from its registry. In a scratch home a model on the loopback interface
asks it for four calls: a command that must be refused, one that must run, the reading of a secret
and of a plain file. It is asked three times: without the guard, where all four must go through, so
that a refusal of the agent's own is not counted as ours; after our `install`; and after our
`uninstall`, where all four go through again. Between these its own command line says what it
thinks is installed. The refused command calls a stub named `git` by its path, which only writes a
mark: an agent may put the system's directories first on PATH.
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

from tests.live.agents import AGENTS, LiveAgent, installed
from tests.live.model import Model
from tests.live.undriven import check_undriven

_SECRET = "bonjour 0b5f7e"
_PLAIN = "the plain file was read"
#: The calls in their order, with the rule that refuses them.
CASES = (
    ("refused command", "git.reset-hard"),
    ("harmless command", ""),
    ("secret", "secret."),
    ("plain file", ""),
)


@dataclass(frozen=True)
class Outcome:
    """Whether each call of `CASES` went through, and what the agent was given back."""

    through: tuple[bool, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """A real agent with a home and a project of its own."""

    agent: LiveAgent
    program: Path
    base: Path
    model: Model

    def set_up(self) -> None:
        self.base.mkdir()
        for name in ("home", "stubs", "state"):
            (self.base / name).mkdir()
        subprocess.run(["git", "init", "-q", self.project], check=True)
        (self.project / ".env").write_text(f"GREETING={_SECRET}\n")
        (self.project / "notes.txt").write_text(f"{_PLAIN}\n")
        stub = self.base / "stubs" / "git"
        stub.write_text(f'#!/bin/sh\n: > "{self._refused_mark}"\n')
        stub.chmod(0o700)
        self.agent.prepare(self.base / "home", self.model)

    @property
    def project(self) -> Path:
        return self.base / "project"

    @property
    def _refused_mark(self) -> Path:
        return self.base / "state" / "refused"

    @property
    def _harmless_mark(self) -> Path:
        return self.project / "harmless"

    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.base / "home"),
            "PATH": f"{self.program.parent}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            **self.agent.environment(self.model),
        }

    def ask(self) -> Outcome:
        """One headless run of the agent, in which the model asks for all calls."""
        for mark in (self._refused_mark, self._harmless_mark):
            mark.unlink(missing_ok=True)
        read_secret = self.agent.read_secret or self.agent.read
        calls = (
            self.agent.shell(f"{self.base / 'stubs' / 'git'} reset --hard"),
            self.agent.shell(f"touch {self._harmless_mark}"),
            read_secret(str(self.project / ".env")),
            self.agent.read(str(self.project / "notes.txt")),
        )
        self.model.begin(calls)
        run = subprocess.run(
            self.agent.command(str(self.program)),
            check=False,
            env=self.environment(),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
        )
        results = (*self.model.results, *[""] * len(calls))[: len(calls)]
        if not any(results):
            print(f"  no call was answered; the agent said: {(run.stdout + run.stderr)[-600:]}")
        through = (
            self._refused_mark.exists(),
            self._harmless_mark.exists(),
            _SECRET in results[2],
            _PLAIN in results[3],
        )
        return Outcome(through, results)

    def guard(self, program: str, verb: str) -> None:
        subprocess.run(
            [program, verb, self.agent.flag, "--yes"],
            check=True,
            env=self.environment(),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            timeout=240,
        )

    def view(self) -> tuple[int, str]:
        """What the agent's own command line says about what is installed."""
        run = subprocess.run(
            [self.program, *self.agent.view],
            check=False,
            env=self.environment(),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return run.returncode, run.stdout + run.stderr


def check(agent: LiveAgent, program: Path, guard: str) -> list[str]:
    """All cases of one agent; returns what was wrong."""
    wrong = []
    with tempfile.TemporaryDirectory(prefix="real-agent-") as scratch:
        with Model() as model:
            scene = Scene(agent, program, Path(scratch) / "bare", model)
            scene.set_up()
            bare = scene.ask()
        with Model() as model:
            scene = Scene(agent, program, Path(scratch) / "guarded", model)
            scene.set_up()
            scene.guard(guard, "install")
            wrong += _view(scene, ours=True)
            guarded = scene.ask()
            scene.guard(guard, "uninstall")
            wrong += _view(scene, ours=False)
            after = scene.ask()
    for at, (case, rule) in enumerate(CASES):
        reason = bool(rule) and f"Rule: {rule}" in guarded.results[at]
        print(
            f"  {case:17} without: {_did(bare, at):8} guarded: {_did(guarded, at):8} "
            f"uninstalled: {_did(after, at):8}{' our reason was received' if reason else ''}"
        )
        if not bare.through[at]:
            wrong.append(f"{case}: not even without the guard: {bare.results[at][:300]!r}")
        if guarded.through[at] == bool(rule) or reason != bool(rule):
            wrong.append(f"{case} with the guard: the agent got {guarded.results[at][:300]!r}")
        if not after.through[at]:
            wrong.append(f"{case} after uninstall: the agent got {after.results[at][:300]!r}")
    return [f"{agent.name}: {text}" for text in wrong]


def _did(outcome: Outcome, at: int) -> str:
    return "through" if outcome.through[at] else "stopped"


def _view(scene: Scene, *, ours: bool) -> list[str]:
    """The agent's own view must name ours after install, and not after uninstall."""
    agent = scene.agent
    status, text = scene.view()
    shown = "cc-safety-net" in text and all(part in text for part in agent.view_says)
    shell = " ".join((agent.program, *agent.view))
    if agent.view_names:
        print(f"  {shell}: {'shows' if shown else 'does not show'} cc-safety-net")
    else:
        print(f"  {shell}: exit code {status}")
    if status or (agent.view_names and shown != ours):
        return [f"{shell} says, with ours {'in' if ours else 'out'}: {text[-400:]!r}"]
    return []


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
        folder = options.folder.absolute()
        program = installed(agent, folder)
        version = subprocess.run(
            [program, "--version"],
            check=True,
            capture_output=True,
            text=True,
            env={
                "HOME": str(folder / "installer-home"),
                "PATH": f"{program.parent}:{os.environ['PATH']}",
            },
        )
        print(f"{agent.name} {version.stdout.strip()}", flush=True)
        wrong += check(agent, program, guard)
    if not options.agent:
        wrong += check_undriven(guard)
    for text in wrong:
        print(f"FAILED {text}", file=sys.stderr)
    print(f"{'failed' if wrong else 'passed'}: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
