"""Nothing of the project runs in the guard: a directory full of traps, and none fires."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.agents.artifact import SPECS, Artifact
from tests.agents.judge import BLOCKED, judge

from cc_safety_net.agents.catalogue import PACKAGES

if TYPE_CHECKING:
    from pathlib import Path

MODULES = (
    "json",
    "os",
    "re",
    "sys",
    "signal",
    "marshal",
    "posix",
    "encodings",
    "site",
    "sitecustomize",
    "usercustomize",
    "zipimport",
    "launch",
    "hashlib",
    "pwd",
)
PROGRAMS = ("python", "python3", "sh", "git", "env", "printf", "cat", "cc-safety-net")


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A project in which everything that could be loaded or run leaves a mark."""
    project = tmp_path / "trapped"
    package = project / "cc_safety_net"
    for folder in (project, package, package / "guard", package / "agents", project / ".git"):
        folder.mkdir()
    mark = tmp_path / "fired"
    spring = f"open({str(mark)!r}, 'a').write(__file__)\n"
    for name in MODULES:
        (project / f"{name}.py").write_text(spring)
    for name in ("__init__", "__main__", "guard/__init__", "guard/hook", "agents/entry"):
        (package / f"{name}.py").write_text(spring)
    (project / "trap.pth").write_text(f"import os; {spring}")
    (project / "pyvenv.cfg").write_text(f"home = {project}\n")
    (project / "python._pth").write_text(f"{project}\n")
    for name in PROGRAMS:
        program = project / name
        program.write_text(f"#!/bin/sh\necho {name} >> '{mark}'\n")
        program.chmod(0o755)
    return project


def environment(project: Path) -> dict[str, str]:
    """Variables with which a project could reach into an interpreter or a shell."""
    text = str(project)
    return {
        "PATH": text,
        "PYTHONPATH": text,
        "PYTHONHOME": text,
        "PYTHONSTARTUP": f"{text}/json.py",
        "PYTHONUSERBASE": text,
        "PYTHONPLATLIBDIR": text,
        "PYTHONEXECUTABLE": f"{text}/python3",
        "PYTHONPYCACHEPREFIX": text,
        "PYTHONINSPECT": "1",
        "PYTHONWARNINGS": "error",
        "PYTHONBREAKPOINT": "json.trap",
        "PYTHONIOENCODING": "utf-16",
        "__PYVENV_LAUNCHER__": f"{text}/python3",
        "VIRTUAL_ENV": text,
        "ENV": f"{text}/sh",
        "BASH_ENV": f"{text}/sh",
        "CDPATH": text,
        "IFS": "/",
        "XDG_CONFIG_HOME": text,
        "XDG_DATA_HOME": text,
        "CC_SAFETY_NET_HOME": text,
    }


@pytest.mark.parametrize("agent", tuple(PACKAGES))
def test_no_trap_of_the_project_fires(artifact: Artifact, trapped: Path, agent: str) -> None:
    inside = Artifact(
        artifact.home, artifact.folder, trapped, artifact.config, artifact.state, artifact.data
    )

    broken = inside.ask(agent, b"{", environment(trapped))
    denied = inside.ask(agent, inside.shell_call(agent, "git reset --hard"), environment(trapped))
    allowed = inside.ask(agent, inside.shell_call(agent, "echo ok"), environment(trapped))

    assert not (trapped.parent / "fired").exists()
    assert [judge(agent, a.stdout, a.stderr, a.status).verdict for a in (broken, denied)] == [
        BLOCKED,
        BLOCKED,
    ]
    assert allowed.status == 0
    assert "deny" not in allowed.stdout


def test_no_file_is_left_beside_the_runtime_or_in_the_project(
    artifact: Artifact, trapped: Path
) -> None:
    before = sorted(p.name for p in (*artifact.folder.iterdir(), *trapped.iterdir()))

    inside = Artifact(
        artifact.home, artifact.folder, trapped, artifact.config, artifact.state, artifact.data
    )
    inside.ask("cursor", inside.shell_call("cursor", "echo ok"), environment(trapped))

    assert sorted(p.name for p in (*artifact.folder.iterdir(), *trapped.iterdir())) == before
    assert SPECS
