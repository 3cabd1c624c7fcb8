"""Tasks of a project's files, by the names that their runners give them."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import ETC, rule
from tests.guard.verdicts import cases, check


@pytest.mark.parametrize("case", cases("tasks"))
def test_a_task_is_judged_by_what_it_runs(case):
    check(case)


@pytest.mark.parametrize("runner", ["poe", "pdm run", "rye run", "task", "pixi run", "hatch run"])
def test_a_broken_table_of_tasks_is_opaque(runner):
    assert rule(f"{runner} x", {"pyproject.toml": "[tool\n"}) == ""
    assert rule(f"{runner} x", {"pyproject.toml": "[tool\n"}, "paranoid") != ""


def test_tasks_that_need_one_another_end():
    text = "version: '3'\ntasks:\n  a:\n    deps: [b]\n  b:\n    deps: [a]\n    cmds:\n      - "

    assert rule("task a", {"Taskfile.yml": text + ETC}) == "rm.system-path"
