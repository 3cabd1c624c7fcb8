"""Runs the program with a terminal on its three streams, as a person would."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"


def at_terminal(answer: str, *words: str, **environment: str) -> tuple[int, str]:
    """Run the command with a terminal on stdin and stdout, and type `answer`."""
    main_end, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cc_safety_net", *words],
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "dumb", **environment},
    )
    os.close(terminal)
    os.write(main_end, answer.encode())
    shown = b""
    while True:
        if not select.select([main_end], [], [], 60)[0]:
            process.kill()
            raise AssertionError(f"waits for more than it was given: {shown.decode()}")
        try:
            block = os.read(main_end, 4096)
        except OSError:  # the terminal's other end is closed: the program has ended
            break
        if not block:
            break
        shown += block
    os.close(main_end)
    return process.wait(), shown.decode().replace("\r\n", "\n")
