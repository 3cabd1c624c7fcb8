"""Runs one command of the manager on a home, as a process of its own: HOME COMMAND AGENT….

`--project` stands for the project scope. An update brings another runtime and other entries.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.install.stand_in import Machine, Newer  # noqa: E402 - the path comes first

from cc_safety_net.agents.hermes_agent import setup as hermes  # noqa: E402
from cc_safety_net.install import plugin  # noqa: E402


def tell(phase: str, agent: str, detail: str) -> None:
    """Where it is: read by who looks on, and one more point to be killed at."""
    del detail
    with contextlib.suppress(OSError):
        os.write(2, f"at: {phase} {agent}\n".encode())


def main() -> int:
    home, command, *words = sys.argv[1:]
    # The scripted programs of the agents, where a scene has put some there.
    machine = Machine(Path(home), f"{home}/bin:/usr/bin:/bin")
    if command == "update":
        machine.artifact = Newer(machine.data, machine.home)
        hermes.__version__ = plugin.__version__ = Newer.version
    scope = "project" if "--project" in words else "user"
    agents = [word for word in words if word != "--project"]
    result = machine.run(command, *agents, scope=scope, report=tell)
    if result.error is not None:
        sys.stderr.write(f"{result.error.code}: {result.error.message}\n")
    return result.exit_code


if __name__ == "__main__":
    sys.exit(main())
