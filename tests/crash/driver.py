"""Runs one command of the manager on a home, as a process of its own: HOME COMMAND AGENT…"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.install.stand_in import Machine  # noqa: E402 - the path comes first


def main() -> int:
    home, command, *agents = sys.argv[1:]
    # The scripted programs of the agents, where a scene has put some there.
    machine = Machine(Path(home), f"{home}/bin:/usr/bin:/bin")
    result = machine.run(command, *agents)
    if result.error is not None:
        sys.stderr.write(f"{result.error.code}: {result.error.message}\n")
    return result.exit_code


if __name__ == "__main__":
    sys.exit(main())
