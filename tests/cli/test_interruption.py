"""Ctrl-C and its like take a running change back: nothing half done, exit code 1, a message."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.install import claude_program
from tests.install.stand_in import everything
from tests.terminal import SOURCE

if TYPE_CHECKING:
    from pathlib import Path

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def started(home: Path, verb: str, *words: str) -> subprocess.Popen[str]:
    """The program, once it waits for `claude` with that verb."""
    folder = home.parent / "bin"
    claude_program.put(folder)
    (folder / "claude.trouble").write_text(json.dumps({verb: "asks"}))
    process = subprocess.Popen(
        [sys.executable, "-m", "cc_safety_net", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PATH": f"{folder}:/usr/bin:/bin"},
        text=True,
    )
    log = folder / "claude.log"
    deadline = time.monotonic() + 60
    while not (log.exists() and f"plugin {verb}" in log.read_text()):
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process


def left(home: Path) -> dict[str, object]:
    """Without what the agent keeps for itself."""
    return {name: v for name, v in everything(home).items() if ".claude/plugins" not in name}


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_takes_the_running_change_back(home: Path, number: signal.Signals) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text('{ "mine":1 }')
    before = left(home)
    process = started(home, "install", "install", "--cursor", "--claude-code")

    process.send_signal(number)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 1
    assert err.splitlines()[-1] == "error: interrupted"
    assert "Everything was taken back" in out
    assert left(home) == before


def test_with_json_the_interruption_is_the_document(home: Path) -> None:
    process = started(home, "install", "install", "--claude-code", "--json")

    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)

    document = json.loads(out)
    assert (process.returncode, document["result"]) == (1, "rolled-back")
    assert document["error"]["code"] == "interrupted"


def test_a_plan_and_an_examination_end_at_once(home: Path) -> None:
    """And so do the programs that they have started."""
    folder = home.parent / "bin"
    claude_program.put(folder)
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PATH": f"{folder}:/usr/bin:/bin"}
    install = [sys.executable, "-m", "cc_safety_net", "install", "--claude-code"]
    subprocess.run(install, env=environment, check=True, capture_output=True)
    (folder / "claude.log").unlink()
    process = started(home, "list", "install", "--claude-code")

    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)

    assert (process.returncode, err) == (1, "error: interrupted\n")


def test_a_signal_that_is_ignored_stays_ignored(home: Path) -> None:
    """As nohup has it."""
    code = (
        "import signal; from cc_safety_net.install import interruption\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with interruption.heeded(): signal.raise_signal(signal.SIGHUP)\n"
        "print('went on')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stdout) == (0, "went on\n")
