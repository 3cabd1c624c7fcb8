"""What a call costs: the whole hook process against a bare interpreter start, in one run.

    python benchmarks/hook.py                     ratios of CPU time and wall time
    python benchmarks/hook.py --instructions      instructions executed, by valgrind's cachegrind
    python benchmarks/hook.py --agent cursor --command 'git status' --rounds 60
    python benchmarks/hook.py --maximum 2.0       exit 1 when the CPU ratio is above

A runtime is placed in a scratch home and the command is taken from an entry in a config file of
the agent, run by `/bin/sh -c` in a git repository, with a policy file and the audit log.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from cc_safety_net.install import placement, runtime  # noqa: E402
from cc_safety_net.install.launcher import entry_command, specs  # noqa: E402

if TYPE_CHECKING:
    from cc_safety_net.agents.spec import AgentSpec


@dataclass(frozen=True)
class Scene:
    """A home with an installed runtime and a repository beside it."""

    home: Path
    project: Path
    config: str
    state: str
    data: str


def set_up(home: Path, packed: runtime.Packed | None = None) -> Scene:
    project = home / "proj"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    own = {name: str(home / name / "cc-safety-net") for name in ("config", "state", "data")}
    scene = Scene(home, project, **own)
    for folder in own.values():
        os.makedirs(folder, mode=0o700)
    policy = Path(scene.config) / "policy.json"
    policy.write_text('{"version": 2}\n')
    policy.chmod(0o600)
    built = runtime.build(scene, packed=packed)
    placement.activate(placement.place(built, scene.data), scene.data)
    return scene


def installed_command(scene: Scene, spec: AgentSpec) -> str:
    """The command text of an entry, read back out of the file that it was written to."""
    command = entry_command(placement.launcher_path(scene.data), spec)
    config = scene.home / "hooks.json"
    config.write_text(json.dumps({"hooks": {"entry": [{"command": command}]}}))
    text = json.loads(config.read_text())["hooks"]["entry"][0]["command"]
    assert isinstance(text, str)
    return text


def payload(spec: AgentSpec, scene: Scene, command: str) -> bytes:
    keys = spec.payload
    found: dict[str, object] = {
        keys.event[0][0]: keys.event_values[0],
        keys.tool[0][0]: next(iter(spec.shell_tools)),
        keys.input[0][0]: {"command": command, "description": "Look at the state of the work"},
        "cwd": str(scene.project),
        "session_id": "40b418a3-6a51-4d21-9d0e-7a2f6f1c9b10",
        "transcript_path": str(scene.home / "transcript.jsonl"),
    }
    for path in keys.workspaces:
        several = path[0].endswith("s")
        found[path[0]] = [str(scene.project)] if several else str(scene.project)
    return json.dumps(found).encode()


def run(argv: list[str], stdin: Path, scene: Scene) -> tuple[float, float, int]:
    """CPU and wall time in ms of a process with its children, and its exit status."""
    environment = {"HOME": str(scene.home), "PATH": "/usr/bin:/bin"}
    started = time.perf_counter()
    pid = os.posix_spawn(
        argv[0],
        argv,
        environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ],
    )
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    return (used.ru_utime + used.ru_stime) * 1000, wall * 1000, os.waitstatus_to_exitcode(status)


def instructions(argv: list[str], stdin: Path, scene: Scene) -> int:
    """Instructions of a process and its children, as cachegrind counts them."""
    log = scene.home / "cachegrind.%p"
    for old in scene.home.glob("cachegrind.*"):
        old.unlink()
    with stdin.open("rb") as file:
        subprocess.run(
            [
                "valgrind",
                "--tool=cachegrind",
                "--cache-sim=no",
                "--trace-children=yes",
                f"--cachegrind-out-file={log}",
                *argv,
            ],
            stdin=file,
            check=False,
            capture_output=True,
            cwd=scene.project,
            env={"HOME": str(scene.home), "PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0"},
        )
    total = 0
    for path in scene.home.glob("cachegrind.*"):
        for line in path.read_text().splitlines():
            if line.startswith("summary:"):
                total += int(line.split()[1].replace(",", ""))
    return total


def measure(scene: Scene, variants: dict[str, list[str]], stdin: Path, rounds: int) -> float:
    """Print the table; the CPU ratio of the hook."""
    taken: dict[str, list[tuple[float, float, int]]] = {name: [] for name in variants}
    os.chdir(scene.project)
    for _ in range(rounds):
        order = list(variants)
        random.shuffle(order)
        for name in order:
            taken[name].append(run(variants[name], stdin, scene))
    bare = [statistics.median(t[i] for t in taken["bare"]) for i in (0, 1)]
    print(f"{'variant':<12}{'CPU ms':>8}{'ratio':>7}{'wall ms':>9}{'ratio':>7}{'least':>7}  exits")
    ratio = 0.0
    for name, times in taken.items():
        cpu = statistics.median(t[0] for t in times)
        wall = statistics.median(t[1] for t in times)
        least = min(t[1] for t in times)
        exits = sorted({t[2] for t in times})
        print(
            f"{name:<12}{cpu:8.2f}{cpu / bare[0]:7.2f}{wall:9.2f}{wall / bare[1]:7.2f}"
            f"{least:7.2f}  {exits}"
        )
        if name == "hook":
            ratio = cpu / bare[0]
    return ratio


def main() -> int:
    every = {spec.name: spec for spec in specs()}
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--agent", choices=sorted(every), default="claude-code")
    parser.add_argument("--command", default="git status")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--maximum", type=float, default=0.0)
    options = parser.parse_args()
    spec = every[options.agent]
    with tempfile.TemporaryDirectory() as scratch:
        scene = set_up(Path(scratch))
        stdin = scene.home / "payload.json"
        stdin.write_bytes(payload(spec, scene, options.command))
        python = runtime.this_interpreter().path
        variants = {
            "bare": [python, "-I", "-S", "-c", "pass"],
            "hook": ["/bin/sh", "-c", installed_command(scene, spec)],
        }
        run(variants["hook"], stdin, scene)  # the first call of a day looks after old log files
        print(f"{options.agent}: {options.command!r}, Python {sys.version.split()[0]}")
        if options.instructions:
            counts = {n: instructions(argv, stdin, scene) for n, argv in variants.items()}
            for name, count in counts.items():
                million = count / 1e6
                print(f"{name:<12}{million:9.1f} M {count / counts['bare']:6.2f}")
            ratio = counts["hook"] / counts["bare"]
        else:
            ratio = measure(scene, variants, stdin, options.rounds)
    return 1 if options.maximum and ratio > options.maximum else 0


if __name__ == "__main__":
    sys.exit(main())
