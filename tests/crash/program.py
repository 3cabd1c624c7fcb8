"""The program itself, on a home: HOME COMMAND AGENT…; the runtime is built and placed for real."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))


def main() -> int:
    from cc_safety_net.__main__ import main as program

    home, command, *agents = sys.argv[1:]
    for name in list(os.environ):
        if name.startswith(("XDG_", "CC_SAFETY_NET_")):
            del os.environ[name]
    os.environ["HOME"] = home
    sys.argv = ["cc-safety-net", command, *(f"--{agent}" for agent in agents), "--json"]
    return int(program() or 0)


if __name__ == "__main__":
    sys.exit(main())
