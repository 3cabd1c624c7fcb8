"""What becomes of a result that can't be written, and of messages that nobody can read."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import IO

import pytest
from tests.terminal import SOURCE

PROGRAM = [sys.executable, "-m", "cc_safety_net"]


def run(
    *words: str, stdout: int | IO[str] | None = None, stderr: int | IO[str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE if stderr is None else stderr,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PATH": "/usr/bin:/bin"},
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "words", [["--help"], ["help", "agents"], ["explain", "ls", "--json"], ["--nope", "--json"]]
)
def test_a_full_disk_behind_stdout_is_named_and_no_bug_of_ours(words: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = run(*words, stdout=full)

    assert ended.stderr.splitlines()[:1] == [
        "error: the output can't be written: no space left on device"
    ]
    assert (ended.returncode, "Exception ignored" in ended.stderr) == (1, False)


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        ended = run("--help", stdout=write_end)
    finally:
        os.close(write_end)

    assert (ended.returncode, ended.stderr) == (1, "")


def test_messages_that_can_not_be_written_stop_nothing() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = run("install", "--grok-build", "--json", stderr=full)

    assert (ended.returncode, '"applied"' in ended.stdout) == (0, True)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_matter(closed: str) -> None:
    command = f'exec "$0" -m cc_safety_net explain ls {closed}'
    ended = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=False,
    )

    assert (ended.returncode, b"Traceback" in ended.stderr) == (0, False)
