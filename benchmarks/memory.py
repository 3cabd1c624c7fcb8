"""Peak memory of the hook process: every long construct, and a short call beside them.

    python -m benchmarks.memory                  100 KB each
    python -m benchmarks.memory --maximum 200    exit 1 when a call took more MB

The process is started by a small one, since a process's peak begins with that of its parent.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.hook import installed_command, payload, set_up
from tests.guard.constructs import REPEATED, SIZES, text_of

from cc_safety_net.install.launcher import specs

#: Prints kilobytes and the exit status.
_STARTER = """
import os, sys
pid = os.posix_spawn("/bin/sh", ["/bin/sh", "-c", sys.argv[1]], {"HOME": sys.argv[3],
    "PATH": "/usr/bin:/bin"}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, sys.argv[2], os.O_RDONLY, 0),
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, used = os.wait4(pid, 0)
print(used.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--maximum", type=float, default=0.0)
    options = parser.parse_args()
    spec = next(spec for spec in specs() if spec.name == "claude-code")
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="memory-") as home:
        scene = set_up(Path(home))
        command = installed_command(scene, spec)
        calls = {"git status": "git status"}
        calls.update((name, text_of(name, SIZES[-1])) for name in REPEATED)
        stdin = Path(home) / "payload"
        for name, text in calls.items():
            stdin.write_bytes(payload(spec, scene, text))
            started = subprocess.run(
                [sys.executable, "-I", "-S", "-c", _STARTER, command, str(stdin), home],
                check=True,
                capture_output=True,
                text=True,
            )
            kilobytes, status = map(int, started.stdout.split())
            found[name] = kilobytes / 1024
            if status not in (0, 2):
                print(f"{name}: exit code {status}", file=sys.stderr)
                return 1
    for name in sorted(found, key=lambda name: found[name], reverse=True)[:10]:
        print(f"{found[name]:8.1f} MB  {name}")
    print(f"{found['git status']:8.1f} MB  git status; {len(found)} calls")
    return 1 if options.maximum and max(found.values()) > options.maximum else 0


if __name__ == "__main__":
    sys.exit(main())
