"""What an everyday call loads: every module more is paid before each tool call."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cc_safety_net.install import packing, runtime

if TYPE_CHECKING:
    from tests.agents.artifact import Artifact

#: Beyond what a bare `python -I -S -c pass` loads. `gc` and `_signal` are built in.
STANDARD_LIBRARY = frozenset(("gc", "_json", "_sha2", "_sha256", "_signal"))

#: Parts of ours that an everyday call has no business with.
COLD = (
    ".guard.shell.powershell",
    ".guard.shell.cmd",
    ".guard.refusal",
    ".guard.trace",
    ".guard.tools",
    ".guard.interpret.arithmetic",
    ".guard.interpret.parameters",
    ".guard.interpret.loops",
    ".guard.interpret.scripts",
    ".guard.rules.deletion",
    "_rules",
)


def loaded(artifact: Artifact, command: str) -> set[str]:
    """Modules that the guard has loaded when it has answered an allowed command."""
    launch = (artifact.folder / "launch.py").read_text()
    report = "print(*sys.modules, file=sys.stderr); posix._exit(status)"
    probe = artifact.home / "probe.py"
    probe.write_text(launch.replace("posix._exit(status)", report))
    done = subprocess.run(
        [runtime.this_interpreter().path, "-I", "-S", "-B", str(probe), "hook", "--coding-cli"],
        input=json.dumps(artifact.shell_call("claude-code", command)).encode(),
        capture_output=True,
        cwd=artifact.project,
        env={"HOME": str(artifact.home)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (64, b"")
    return set(done.stderr.decode().split())


def bare() -> set[str]:
    done = subprocess.run(
        [runtime.this_interpreter().path, "-I", "-S", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        check=True,
    )
    return set(done.stdout.decode().split())


@pytest.mark.parametrize("command", ["git status", "ls -la", "npm test", "pytest -q | tail -n 5"])
def test_an_everyday_call_loads_nothing_of_the_standard_library_but_this(
    artifact: Artifact, command: str
) -> None:
    loaded(artifact, command)  # the first call of a day looks after old log files

    found = {n for n in loaded(artifact, command) if not n.startswith("cc_safety_net")}

    assert found - bare() - STANDARD_LIBRARY == set()


def test_git_status_loads_none_of_the_cold_parts(artifact: Artifact) -> None:
    loaded(artifact, "git status")

    ours = {n for n in loaded(artifact, "git status") if n.startswith("cc_safety_net")}
    # A promised module stands in the list by its name, without having been loaded.
    ours -= set(packing.PROMISED)

    assert {n for n in ours if any(part in n for part in COLD)} == set()
    assert len(ours) < 100


def test_the_hook_is_answered_before_the_command_line_is_loaded() -> None:
    program = """
import sys
from pathlib import Path
from cc_safety_net import __main__
sys.argv = ["cc-safety-net", "hook", "--help"]
__main__.main()
print(*sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, env=_path()
    )

    found = set(done.stdout.splitlines()[-1].split())
    assert found & {"typer", "click", "rich", "cc_safety_net.cli.app", "dataclasses"} == set()


def _path() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(runtime.__file__).parents[2])}
