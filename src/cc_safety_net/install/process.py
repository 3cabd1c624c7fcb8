"""One process with its input, its output up to a limit, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from typing import IO

#: What is kept of each stream. The rest is read and dropped, so that nobody waits for us.
OUTPUT_LIMIT = 64 * 1024
_PIECE = 64 * 1024
#: A grandchild in a group of its own may keep the pipes open for ever.
_AFTER_THE_KILL = 1.0


def finish(
    process: subprocess.Popen[bytes], stdin: bytes | None, timeout: float
) -> tuple[int | None, bytes, bytes]:
    """Exit status (None after a time-out), standard output and standard error.

    It has ended when its streams are closed, as for an agent that reads them to the end. After
    `timeout` seconds, and when we are interrupted, its whole process group is killed.
    """
    streams = [process.stdout, process.stderr]
    kept = [bytearray(), bytearray()]
    threads = [
        threading.Thread(target=_read, args=(stream, into), daemon=True)
        for stream, into in zip(streams, kept, strict=True)
    ]
    if stdin is not None:
        threads.append(threading.Thread(target=_write, args=(process.stdin, stdin), daemon=True))
    status: int | None = None
    deadline = time.monotonic() + timeout
    try:
        for thread in threads:
            thread.start()
        if _joined(threads, deadline):
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(max(0.0, deadline - time.monotonic()))
    finally:
        if status is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            _joined(threads, time.monotonic() + _AFTER_THE_KILL)
    out, err = kept
    return status, bytes(out), bytes(err)


def _joined(threads: list[threading.Thread], deadline: float) -> bool:
    # An interruption may come before all of them have begun.
    begun = [thread for thread in threads if thread.ident is not None]
    for thread in begun:
        thread.join(max(0.0, deadline - time.monotonic()))
    return not any(thread.is_alive() for thread in begun)


def _read(stream: IO[bytes], into: bytearray) -> None:
    with stream:
        while piece := os.read(stream.fileno(), _PIECE):
            into += piece[: OUTPUT_LIMIT - len(into)]


def _write(stream: IO[bytes], text: bytes) -> None:
    # A program that does not read its input closes the pipe: its answer counts, not that.
    with contextlib.suppress(BrokenPipeError), stream:
        stream.write(text)
