"""Families are found by name, loaded late, and answer in the order of the text."""

from __future__ import annotations

import sys
import types

import pytest
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import CodeRun, Execution, FileAccess, Reading, known
from cc_safety_net.guard.limits import Effort
from cc_safety_net.guard.rules import catalogue
from cc_safety_net.guard.rules.catalogue import Family
from cc_safety_net.guard.rules.context import Context


@pytest.fixture
def families(monkeypatch):
    """Replace the table by families whose modules record what they see."""

    def install(*table):
        monkeypatch.setattr(catalogue, "FAMILIES", table)
        for family in table:
            module = types.ModuleType(family.name)
            for name in ("check_execution", "check_access", "check_code"):
                setattr(module, name, _record(family.name))
            module.check_reading = lambda context, name=family.name: [Finding(f"{name}.reading")]
            monkeypatch.setitem(sys.modules, catalogue._PACKAGE + family.name, module)

    return install


def _record(name):
    return lambda fact, context: [Finding(f"{name}.x", start=fact.start)]


def _context():
    reading = Reading()
    reading.executions = [
        Execution((known("rm"),), "rm", ("/w",), 20, 22),
        Execution((known("git"),), "git", ("/w",), 5, 8),
    ]
    reading.accesses = [FileAccess(known("a"), "delete", "rm", ("/w",), 20, 22)]
    reading.forks = [("f", 0, 1)]
    reading.codes = [CodeRun("eval", known(""), 1, 2)]
    call = ToolCall("claude-code", "Bash", "shell", {})
    return Context(call, place(), workspace(), reading, Effort())


def test_a_family_sees_only_its_programs_modes_and_codes(families):
    families(
        Family("one", "commands", ids=("one.",), programs=("git",)),
        Family("two", "commands", ids=("two.",), modes=("delete",)),
        Family("three", "commands", ids=("three.",), codes=("eval",)),
        Family("four", "commands", ids=("four.",), programs=("docker",), modes=("read",)),
        Family("five", "secrets", ids=("five.",), programs=("*",)),
        Family("six", "commands", ids=("six.",), reading=True),
    )

    found = catalogue.find("commands", _context())

    assert [f.rule for f in found] == ["six.reading", "three.x", "one.x", "two.x"]


def test_the_table_decides_between_findings_at_one_place(families):
    families(
        Family("second", "commands", ids=("second.",), modes=("*",)),
        Family("first", "commands", ids=("first.",), programs=("*",)),
    )

    found = catalogue.find("commands", _context())

    assert [f.rule for f in found] == ["first.x", "second.x", "first.x"]


def test_the_longest_beginning_names_the_texts(families):
    families(
        Family("git", "commands", ids=("git.",)),
        Family("git_metadata", "git", ids=("git.hooks-write", "rm.git-metadata")),
    )

    assert catalogue.texts_of("git.reset-hard") == "git_rules"
    assert catalogue.texts_of("git.hooks-write") == "git_metadata_rules"
    with pytest.raises(KeyError):
        catalogue.texts_of("docker.prune")


def test_every_stage_is_a_known_one():
    assert {family.stage for family in catalogue.FAMILIES} <= {"", *catalogue.STAGES}
    assert len({family.name for family in catalogue.FAMILIES}) == len(catalogue.FAMILIES)
