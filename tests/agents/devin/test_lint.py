"""What doctor says about Devin's hook files, each line with a neighbour that is left in peace."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.install.stand_in import Machine, everything

from cc_safety_net.install import installed
from cc_safety_net.install.directories import find_directories
from cc_safety_net.install.setup import load_setup
from cc_safety_net.install.site import Site
from cc_safety_net.install.system import ReadOnly

if TYPE_CHECKING:
    from pathlib import Path

OURS = {"type": "command", "command": "/d/cc-safety-net hook --devin", "timeout": 30}
GOOD = {"type": "command", "command": "lint-it", "timeout": 30}


@pytest.fixture
def machine(home: Path) -> Machine:
    (home / "project/.devin").mkdir(parents=True)
    (home / ".config/devin").mkdir(parents=True)
    return Machine(home)


def found(machine: Machine) -> dict[str, str]:
    """Id of each finding -> severity and text."""
    directories = find_directories(machine.environment)
    record = installed.load(ReadOnly(), directories.state)
    command = machine.artifact.command
    site = Site(ReadOnly(), directories, machine.environment, str(machine.project), record, command)
    before = everything(machine.home)
    lints = load_setup("devin").lint(site)
    assert everything(machine.home) == before
    assert all(lint.fix for lint in lints)
    return {lint.id.removeprefix("devin."): f"{lint.severity}: {lint.what}" for lint in lints}


def project(machine: Machine, hooks: object, name: str = "hooks.v1.json") -> None:
    text = hooks if isinstance(hooks, str) else json.dumps(hooks)
    (machine.project / ".devin" / name).write_text(text)


def group(*handlers: object, matcher: object = "^exec$") -> dict[str, Any]:
    fields = {} if matcher is None else {"matcher": matcher}
    return {**fields, "hooks": list(handlers)}


def pre(*handlers: object, matcher: object = "^exec$") -> dict[str, Any]:
    return {"PreToolUse": [group(*handlers, matcher=matcher)]}


@pytest.mark.parametrize(
    "hooks",
    [
        {},
        "// nothing\n{}",
        pre(GOOD),
        pre(OURS, matcher=None),
        pre(OURS, matcher=""),
        pre(OURS, matcher="^(exec|write)$"),
        pre(OURS, matcher=".*"),
        pre(GOOD, matcher="^mcp__github__.*"),
        {"Stop": [group(GOOD, matcher="")]},
        {"PostToolUse": [group({**GOOD, "timeout": 1})]},
        {"SessionStart": [group({**GOOD, "command": "exit 1"}, matcher=None)]},
        pre({**GOOD, "command": "check-it || exit 2"}),
        pre({**GOOD, "command": 'check-it || { echo \'{"decision":"block"}\'; exit 1; }'}),
    ],
)
def test_a_sound_file_is_left_in_peace(machine: Machine, hooks: object) -> None:
    project(machine, hooks)

    assert found(machine) == {}


@pytest.mark.parametrize(
    ("hooks", "name", "says"),
    [
        ({"hooks": pre(GOOD)}, "wrapper", "error: line 1: a key"),
        ({"BeforeTool": []}, "unknown-event", 'error: line 1: unknown event "BeforeTool"'),
        ('{\n"pretooluse": []}', "unknown-event", 'error: line 2: unknown event "pretooluse"'),
        (pre(GOOD, matcher="["), "matcher", "warning: line 1: PreToolUse: \"matcher\" '['"),
        (pre(OURS, matcher="("), "matcher", "error: line 1"),
        (pre(GOOD, matcher="^bash$"), "matcher", "matches no known tool"),
        (pre(GOOD, matcher="read"), "matcher-wide", "also notebook_read, read_subagent"),
        (pre(OURS, matcher="^write$"), "exec-unmatched", "error: line 1"),
        ({"Stop": [group(GOOD)]}, "matcher", "which has no tool"),
        (pre({"command": "x"}), "incomplete", "error: line 1"),
        (pre({"type": "command"}), "incomplete", "error: line 1"),
        (pre({"type": "http", "command": "x"}), "incomplete", "error: line 1"),
        (pre({**GOOD, "timeout": "30"}), "timeout", 'warning: line 1: PreToolUse: "timeout" is no'),
        (pre({**GOOD, "timeout": 2}), "timeout", "warning: line 1: PreToolUse: 2 s is short"),
        (pre({"type": "command", "command": "x"}), "timeout", "info: line 1"),
        (pre({"type": "prompt", "prompt": "safe?", "timeout": 9}), "prompt", "info: line 1"),
        (pre({**GOOD, "command": "/nowhere/x"}), "script", "/nowhere/x: missing"),
        (pre({**GOOD, "command": "./x.sh"}), "script", "project/./x.sh: missing"),
        (pre({**GOOD, "command": "$HOME/x.sh"}), "script", "home/x.sh: missing"),
        (pre({**GOOD, "command": "A=1 bash scripts/x.sh"}), "script", "scripts/x.sh: missing"),
        (pre({**GOOD, "command": "check-it || exit 1"}), "exit-code", "can end with 1 only"),
        (pre(GOOD, GOOD), "", ""),
    ],
)
def test_what_is_doubtful_is_named(machine: Machine, hooks: object, name: str, says: str) -> None:
    project(machine, hooks)

    lints = found(machine)

    assert list(lints) == ([name] if name else [])
    assert says in lints.get(name, "")


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("#!/bin/sh\ngrep -q rm && exit 1\nexit 0\n", "exit-code"),
        ("#!/bin/sh\ngrep -q rm && exit 2\nexit 0\n", ""),
        ("import sys\nsys.exit(3)\n", "exit-code"),
        ("process.exit(1)\n", "exit-code"),
        ('echo \'{"decision":"block"}\'; exit 1\n', ""),
    ],
)
def test_a_script_that_means_to_refuse_must_end_with_2(
    machine: Machine, script: str, name: str
) -> None:
    file = machine.project / "guard.sh"
    file.write_text(script)
    file.chmod(0o755)
    project(machine, pre({**GOOD, "command": "$DEVIN_PROJECT_DIR/guard.sh"}))

    assert list(found(machine)) == ([name] if name else [])


def test_a_script_that_can_not_be_run_is_named(machine: Machine) -> None:
    (machine.project / "guard.sh").write_text("exit 2\n")
    project(machine, pre({**GOOD, "command": "./guard.sh"}, {**GOOD, "command": "sh ./guard.sh"}))

    lints = found(machine)

    assert list(lints) == ["script"]
    assert "guard.sh: not executable" in lints["script"]


def test_a_hook_before_ours_that_rewrites_the_call_is_named(machine: Machine) -> None:
    (machine.project / "fix.py").write_text('print({"updatedInput": 1})\n')
    other = {**GOOD, "command": "python3 ./fix.py"}

    project(machine, pre(OURS, other))
    assert list(found(machine)) == []

    project(machine, pre(other, OURS))
    assert list(found(machine)) == ["rewritten"]


def test_the_same_hook_in_two_files_runs_twice(machine: Machine) -> None:
    project(machine, pre(GOOD))
    project(machine, {"hooks": pre(GOOD)}, "config.local.json")

    assert list(found(machine)) == ["twice"]


@pytest.mark.parametrize("name", ["config.json", "config.local.json"])
def test_events_outside_of_hooks_are_named_in_every_config(machine: Machine, name: str) -> None:
    project(machine, pre(GOOD), name)

    assert found(machine)["missing-wrapper"].startswith("warning: line 1")


@pytest.mark.parametrize("content", ["", "{", "[]", "\0", '{"PreToolUse": 3}', "[" * 9999])
def test_a_file_of_another_form_stops_nothing(machine: Machine, content: str) -> None:
    project(machine, content)

    assert found(machine) == {}
