"""Entries of the other edition, of old versions, and half-broken ones become one of ours."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.install import ownership
from cc_safety_net.install.launcher import specs

if TYPE_CHECKING:
    from pathlib import Path

    from cc_safety_net.agents.spec import AgentSpec

ENTRIES = [spec for spec in specs() if spec.entry is not None]
IDS = [spec.name for spec in ENTRIES]
MINE = "./my-own-hook"


def commands_of(flag: str) -> list[tuple[str, bool]]:
    """Command texts that call a guard, and whether they are the other edition's."""
    return [
        (f"npx -y cc-safety-net hook {flag}", True),
        (f"npx --yes cc-safety-net@latest hook {flag}", True),
        (f"bunx cc-safety-net@1.0.0 hook {flag}", True),
        (f"cc-safety-net hook {flag}", False),
        (f"/old/place/current/ccsn hook {flag} || {{ echo gone >&2; exit 2; }}", False),
        (f"exec '/old place/cc-safety-net' hook {flag}", False),
    ]


def handler(spec: AgentSpec, command: str, **more: object) -> dict[str, Any]:
    """As the agent's file holds it, flat or in a group."""
    assert spec.entry is not None
    options = {k: v for k, v in spec.entry.options.items() if k not in ("failClosed", "onFailure")}
    fields: dict[str, Any] = {**options, "command": command, **more}
    if spec.entry.nested:
        return {"matcher": "Bash", "hooks": [{"type": "command", **fields}]}
    event = {} if spec.entry.event in spec.entry.path else {"event": spec.entry.event}
    return {**event, **fields}


def document(spec: AgentSpec, entries: list[dict[str, Any]]) -> str:
    assert spec.entry is not None
    value: Any = entries
    for key in reversed(spec.entry.path):
        value = {key: value}
    if spec.configs[0].format != "toml":
        return json.dumps({**spec.entry.top, **value}, indent=2)
    return "".join(
        "[[hooks]]\n" + "".join(f"{key} = {json.dumps(field)}\n" for key, field in entry.items())
        for entry in entries
    )


def handlers(spec: AgentSpec, file: Path) -> list[str]:
    text = file.read_text()
    model: Any = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    found: list[str] = []
    todo = [model]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            found += [value["command"]] if isinstance(value.get("command"), str) else []
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)
    return found


def put(machine: Machine, spec: AgentSpec, text: str) -> Path:
    file = machine.home / spec.home / spec.configs[0].path
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


def keeps_others(spec: AgentSpec) -> bool:
    return not spec.configs[0].ours_alone


@pytest.fixture
def machine(home: Path) -> Machine:
    return Machine(home)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("spec", ENTRIES, ids=IDS)
def test_an_entry_of_another_make_is_replaced_by_one_of_ours(
    spec: AgentSpec, number: int, machine: Machine
) -> None:
    command, other = commands_of(spec.flags[0])[number]
    entries = [handler(spec, MINE)] if keeps_others(spec) else []
    file = put(machine, spec, document(spec, [*entries, handler(spec, command)]))

    result = ok(machine.install(spec.name))

    found = handlers(spec, file)
    ours = [text for text in found if ownership.owner_of_command(text) != ownership.FOREIGN]
    assert ours == [machine.artifact.command(spec, "user")]
    assert (MINE in found) is keeps_others(spec)
    named = any("npm edition" in note and command in note for note in result.agents[0].notes)
    assert named is other
    assert ok(machine.install(spec.name)).result == "unchanged"

    ok(machine.uninstall(spec.name))
    left = handlers(spec, file) if file.exists() else []
    assert left == ([MINE] if keeps_others(spec) else [])


@pytest.mark.parametrize("spec", ENTRIES, ids=IDS)
def test_two_editions_at_once_become_one_entry(spec: AgentSpec, machine: Machine) -> None:
    entries = [handler(spec, command) for command, _ in commands_of(spec.flags[0])[::3]]
    file = put(machine, spec, document(spec, entries))

    ok(machine.install(spec.name))

    assert handlers(spec, file) == [machine.artifact.command(spec, "user")]


@pytest.mark.parametrize("damage", ["timeout", "matcher", "another event", "doubled"])
@pytest.mark.parametrize("spec", ENTRIES, ids=IDS)
def test_a_half_broken_entry_is_made_whole(spec: AgentSpec, damage: str, machine: Machine) -> None:
    ok(machine.install(spec.name))
    assert spec.entry is not None
    file = machine.home / spec.home / spec.configs[0].path
    whole = file.read_text()
    entry = handler(spec, machine.artifact.command(spec, "user"))
    key = next(k for k in ("timeout", "timeoutSec") if k in spec.entry.options)
    inner = entry["hooks"][0] if spec.entry.nested else entry
    if damage == "timeout":
        inner[key] = 7
    elif damage == "matcher":
        entry["matcher"] = "Write"
    elif damage == "another event" and "event" in entry:
        entry["event"] = "PostToolUse"
    text = document(spec, [entry, entry] if damage == "doubled" else [entry])
    if damage == "another event" and "event" not in entry:
        text = text.replace(f'"{spec.entry.event}"', '"Stop"')
        if spec.name == "antigravity-cli":
            return  # groups are no form of that event: the file is refused
    file.write_text(text)

    ok(machine.install(spec.name))

    found = handlers(spec, file)
    assert found == [machine.artifact.command(spec, "user")]
    assert whole.count(str(spec.entry.options[key])) >= 1
    assert f"{spec.entry.event}" in file.read_text()


#: Agent, another file of the same scope from which the agent runs hooks too.
SECOND = {
    "grok-build": ".grok/hooks/other.json",
    "copilot-cli": ".copilot/hooks/safety.json",
}


@pytest.mark.parametrize("name", SECOND)
def test_a_second_way_in_goes_and_is_named(name: str, machine: Machine) -> None:
    spec = next(spec for spec in specs() if spec.name == name)
    npm = f"npx -y cc-safety-net hook {spec.flags[0]}"
    file = machine.home / SECOND[name]
    file.parent.mkdir(parents=True)
    file.write_text(document(spec, [handler(spec, MINE), handler(spec, npm)]))

    result = ok(machine.install(name))

    assert any(npm in note for note in result.agents[0].notes)
    text = file.read_text()
    assert ("npx" in text, MINE in text) == (False, True)
    assert ok(machine.install(name)).result == "unchanged"
    before = file.read_text()
    ok(machine.uninstall(name))
    assert file.read_text() == before


def test_a_second_way_in_that_can_not_be_edited_is_named(machine: Machine) -> None:
    file = machine.home / ".codex/config.toml"
    file.parent.mkdir(parents=True)
    npm = "npx -y cc-safety-net hook --codex"
    head = "# mine\n[[hooks.PreToolUse]]\n\n[[hooks.PreToolUse.hooks]]\n"
    text = f'{head}type = "command"\ncommand = "{npm}"\n\n[tui]\nx = 1\n'
    file.write_text(text)

    result = ok(machine.install("codex"))

    assert any(f"config.toml calls the guard too: {npm}" in n for n in result.agents[0].notes)
    assert file.read_text() == text


def test_the_projects_other_files_of_devin_are_second_ways_too(machine: Machine) -> None:
    file = machine.project / ".devin/config.local.json"
    file.parent.mkdir(parents=True)
    npm = "npx -y cc-safety-net hook --devin"
    inner = {"hooks": [{"type": "command", "command": npm}]}
    file.write_text(json.dumps({"model": "x", "hooks": {"PreToolUse": [inner]}}))

    ok(machine.install("devin", scope="project"))

    assert ("npx" in file.read_text(), '"model": "x"' in file.read_text()) == (False, True)


def test_a_file_of_somebody_else_beside_ours_is_left_alone(machine: Machine) -> None:
    file = machine.home / ".grok/hooks/other.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}')
    (machine.home / ".grok/hooks/broken.json").write_text("{")
    before = everything(machine.home)

    ok(machine.install("grok-build"))
    ok(machine.uninstall("grok-build"))

    assert everything(machine.home) == before
