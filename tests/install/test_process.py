"""A program that is run can neither fill our memory nor keep us waiting."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from cc_safety_net.install.process import OUTPUT_LIMIT
from cc_safety_net.install.system import Ended, System

if TYPE_CHECKING:
    from pathlib import Path


def run(script: str, folder: Path, stdin: bytes | None = b"", timeout: float = 20) -> Ended:
    return System().run(
        ["/bin/sh", "-c", script],
        environment={"PATH": os.defpath},
        directory=str(folder),
        timeout=timeout,
        stdin=stdin,
    )


@pytest.mark.parametrize("stream", ["", " >&2"], ids=["standard output", "standard error"])
def test_output_without_an_end_is_kept_up_to_the_limit(stream: str, tmp_path: Path) -> None:
    ended = run(f"yes{stream}", tmp_path, timeout=0.3)

    assert ended.status is None
    assert {len(ended.stdout), len(ended.stderr)} == {0, OUTPUT_LIMIT}


def test_long_output_is_drained_so_that_the_program_ends(tmp_path: Path) -> None:
    ended = run("head -c 3000000 /dev/zero; exit 3", tmp_path)

    assert (ended.status, len(ended.stdout)) == (3, OUTPUT_LIMIT)


def test_input_that_is_not_read_and_input_that_comes_back_do_no_harm(tmp_path: Path) -> None:
    text = b"x" * 1_000_000

    assert run("exit 0", tmp_path, text) == Ended(0, b"", b"")
    assert run("cat", tmp_path, text).stdout == text[:OUTPUT_LIMIT]
    assert run("cat", tmp_path, None) == Ended(0, b"", b"")


@pytest.mark.parametrize(
    "script", ["exec sleep 60", "sleep 60 & exit 0", "setsid sleep 5 & exit 0"]
)
def test_a_program_that_does_not_end_is_given_up(script: str, tmp_path: Path) -> None:
    started = time.monotonic()

    assert run(script, tmp_path, timeout=0.2).status is None
    assert time.monotonic() - started < 4
