"""Wrappers that files declare are read through like those that the guard knows."""

from __future__ import annotations

import json

import pytest
from tests.guard.verdicts import ROOT, verdict
from tests.guard.worlds import workspace

FILES = {
    "the person's": lambda world: f"{world.config}/rules/rule.json",
    "the project's": lambda _world: f"{ROOT}/.cc-safety-net/rules/rule.json",
}
DECLARED = json.dumps({"version": 1, "rules": [], "transparent_wrappers": ["rtk"]})
COMMANDS = [
    ("rtk rm -rf /etc", "deny"),
    ("rtk A=1 rm -rf /etc", "deny"),
    ("sudo rtk rm -rf /etc", "deny"),
    ("rtk timeout 5 bash -c 'rm -rf /etc'", "deny"),
    ("ls | xargs rtk rm -rf /etc", "deny"),
    ("find . -name x -exec rtk git reset --hard \\;", "deny"),
    ("bash -c 'rtk git reset --hard'", "deny"),
    ("rtk rm -rf build", "allow"),
    ("rtk git status", "allow"),
    ("rtk echo rm -rf /etc", "allow"),
    ("rtx2 rm -rf /etc", "allow"),
]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(("command", "expected"), COMMANDS, ids=[text for text, _ in COMMANDS])
def test_a_declared_wrapper_hands_on_its_words(file: str, command: str, expected: str) -> None:
    world = workspace()
    world.add(FILES[file](world), DECLARED)

    assert verdict(command, world=world).verdict == expected


@pytest.mark.parametrize("content", ["{", "[]", '{"transparent_wrappers": "rtk"}', "", "\0"])
def test_a_file_that_declares_nothing_changes_nothing(content: str) -> None:
    world = workspace()
    world.add(FILES["the person's"](world), content)

    assert verdict("rtk rm -rf /etc", world=world).verdict == "allow"
