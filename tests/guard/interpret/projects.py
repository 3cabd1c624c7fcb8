"""Tables of calls in a project that holds some files, judged by the whole engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.guard.verdicts import ROOT, verdict
from tests.guard.worlds import workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.guard.worlds import FakeWorld

ETC = "rm -rf /etc\n"


def project(files: Mapping[str, str | bytes]) -> FakeWorld:
    """The workspace of the tables with these files in it (or anywhere, by absolute path)."""
    world = workspace()
    for path, content in files.items():
        world.add(path if path.startswith("/") else f"{ROOT}/{path}", content)
    return world


def rule(
    command: str,
    files: Mapping[str, str | bytes],
    level: str = "standard",
    directory: str = ROOT,
) -> str:
    """The rule that refuses the command in such a project; "" if it may run."""
    decision = verdict(command, level, directory, world=project(files))
    return "" if decision.finding is None else decision.finding.rule
