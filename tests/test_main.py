"""The console commands: the hook by hand, its old forms, and everything else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cc_safety_net

SOURCE = str(Path(cc_safety_net.__file__).parents[1])


def run(*words: str, stdin: str = "{") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cc_safety_net", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )


@pytest.mark.parametrize("words", [("hook", "--coding-cli"), ("Hook", "-cc"), ("-cc",)])
def test_the_hook_by_hand_answers_in_its_agents_form(words: tuple[str, ...]) -> None:
    done = run(*words)

    output = json.loads(done.stdout)["hookSpecificOutput"]
    assert (done.returncode, output["permissionDecision"]) == (0, "deny")


@pytest.mark.parametrize("words", [("hook",), ("hook", "--nothing"), ("--coding-cli",), ("-cu",)])
def test_an_unknown_form_is_blocked_for_every_agent(words: tuple[str, ...]) -> None:
    done = run(*words)

    document = json.loads(done.stdout)
    assert (done.returncode, document["permission"], document["decision"]) == (2, "deny", "deny")
    assert "error: " in done.stderr
