"""Devin and Antigravity CLI: what their files may hold besides our entry, and in which form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.install import odd_files
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.agents.devin.setup import EVENTS

if TYPE_CHECKING:
    from pathlib import Path

ANTIGRAVITY = ".gemini/config/hooks.json"
HOOKS_FILE = ".devin/hooks.v1.json"
NPM = "npx -y cc-safety-net hook --antigravity-cli"


@pytest.fixture
def machine(home: Path) -> Machine:
    return Machine(home)


def put(root: Path, path: str, content: bytes) -> Path:
    file = root / path
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("content", odd_files.DEVIN_PROJECT.values(), ids=odd_files.DEVIN_PROJECT)
def test_devins_project_file_is_the_hooks_object_itself(machine: Machine, content: bytes) -> None:
    file = put(machine.project, HOOKS_FILE, content)
    before = everything(machine.home)

    ok(machine.install("devin", scope="project"))
    installed = file.read_bytes()
    assert ok(machine.install("devin", scope="project")).result == "unchanged"
    ok(machine.uninstall("devin", scope="project"))

    assert b"hook --devin" in installed
    assert everything(machine.home) == before


def test_a_new_project_file_of_devin_holds_known_events_only(machine: Machine) -> None:
    machine.project.mkdir()

    ok(machine.install("devin", scope="project"))

    model = json.loads((machine.project / HOOKS_FILE).read_text())
    assert set(model) == {"PreToolUse"}
    assert set(model) <= EVENTS
    (handler,) = model["PreToolUse"][0]["hooks"]
    assert handler["type"] == "command"


@pytest.mark.parametrize("text", ['{"hooks": {}}', '{\n "hooks": {"PreToolUse": []},\n "x": 1}'])
def test_a_wrapper_in_devins_project_file_is_refused_with_the_edit_that_mends_it(
    machine: Machine, text: str
) -> None:
    put(machine.project, HOOKS_FILE, text.encode())
    before = everything(machine.home)

    result = machine.install("devin", scope="project")

    assert result.error is not None
    assert result.error.code == "rejected_config"
    assert "take the wrapper away" in result.error.hint
    assert everything(machine.home) == before


def test_events_outside_of_hooks_in_devins_config_are_named(machine: Machine) -> None:
    put(machine.home, ".config/devin/config.json", b'{\n"PreToolUse": []}')

    result = ok(machine.install("devin"))

    assert any('line 2: "PreToolUse" stands outside' in note for note in result.agents[0].notes)


def test_antigravitys_entry_stands_under_our_own_name(machine: Machine) -> None:
    ok(machine.install("antigravity-cli"))

    model = json.loads((machine.home / ANTIGRAVITY).read_text())
    (group,) = model["cc-safety-net"]["PreToolUse"]
    assert isinstance(group["hooks"][0]["timeout"], int)
    assert group["hooks"][0]["command"].endswith("hook --antigravity-cli")


@pytest.mark.parametrize("name", ["hooks", "safety", "cc-safety-net"])
def test_an_entry_of_the_npm_edition_is_replaced_under_any_name(
    machine: Machine, name: str
) -> None:
    other = {"hooks": [{"type": "command", "command": NPM}]}
    text = json.dumps({name: {"PreToolUse": [other]}, "mine": {"Stop": []}})
    file = put(machine.home, ANTIGRAVITY, text.encode())

    result = ok(machine.install("antigravity-cli"))

    assert any(NPM in note for note in result.agents[0].notes)
    assert "npx" not in file.read_text()
    model = json.loads(file.read_text())
    assert len(model["cc-safety-net"]["PreToolUse"]) == 1
    assert model["mine"] == {"Stop": []}


def test_a_switched_off_hook_of_ours_is_switched_on(machine: Machine) -> None:
    text = b'{"cc-safety-net": {"enabled" : false}, "mine": {"enabled": false}}'
    file = put(machine.home, ANTIGRAVITY, text)

    ok(machine.install("antigravity-cli"))

    model = json.loads(file.read_text())
    assert model["cc-safety-net"]["enabled"] is True
    assert model["mine"]["enabled"] is False


def test_an_event_that_antigravity_does_not_know_is_named(machine: Machine) -> None:
    put(machine.home, ANTIGRAVITY, b'{"mine": {\n"BeforeTool": []}}')

    result = ok(machine.install("antigravity-cli"))

    assert any('line 2: "BeforeTool" is no event' in note for note in result.agents[0].notes)
