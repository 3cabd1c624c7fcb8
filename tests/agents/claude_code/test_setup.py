"""Claude Code is installed as a plugin through its own program, or by an entry without it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.install import claude_program
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.agents.claude_code import setup

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = ".claude/settings.json"
OWN_FORM = '{\n    "model":"opus",\n\n    "permissions": {"allow": []}\n}'


@pytest.fixture
def machine(home: Path) -> Machine:
    """With a scripted `claude` outside of the home."""
    folder = home.parent / "bin"
    claude_program.put(folder)
    return Machine(home, f"{folder}:/usr/bin:/bin")


def settings(machine: Machine) -> dict[str, object]:
    return json.loads((machine.home / SETTINGS).read_text())


def calls(machine: Machine) -> list[str]:
    log = machine.home.parent / "bin/claude.log"
    return log.read_text().splitlines() if log.exists() else []


def trouble(machine: Machine, **verbs: str) -> None:
    file = machine.home.parent / "bin/claude.trouble"
    file.write_text(json.dumps({verb.replace("_", " "): what for verb, what in verbs.items()}))


def put_settings(machine: Machine, text: str) -> Path:
    file = machine.home / SETTINGS
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def without_claudes_own(machine: Machine) -> dict[str, object]:
    """The home but for the state that the agent's program keeps for itself."""
    return {
        name: value
        for name, value in everything(machine.home).items()
        if not name.startswith(".claude/plugins")
    }


def test_the_plugin_comes_from_a_folder_without_a_version_in_its_path(machine: Machine) -> None:
    result = ok(machine.install("claude-code"))

    folder = machine.data / "claude-code"
    source = settings(machine)["extraKnownMarketplaces"]["cc-marketplace"]["source"]
    hooks = json.loads((folder / "plugins/cc-safety-net/hooks/hooks.json").read_text())
    (group,) = hooks["hooks"]["PreToolUse"]
    assert source == {"source": "directory", "path": str(folder)}
    assert settings(machine)["enabledPlugins"] == {setup.PLUGIN: True}
    assert "hooks" not in settings(machine)
    assert "hook --coding-cli" in group["hooks"][0]["command"]
    assert group["hooks"][0]["onFailure"] == "block"
    assert result.agents[0].verify is not None
    assert [change["kind"] for change in result.agents[0].to_json(diff=False)["changes"]] == [
        *["write"] * 4,
        "edit",
        *["run"] * 2,
    ]


def test_a_second_install_runs_nothing_that_changes(machine: Machine) -> None:
    ok(machine.install("claude-code"))
    before = everything(machine.home)
    done = len(calls(machine))

    result = ok(machine.install("claude-code"))

    assert result.result == "unchanged"
    assert everything(machine.home) == before
    assert calls(machine)[done:] == ["plugin list --json"]


@pytest.mark.parametrize("text", [OWN_FORM, "{}", '{"model":"opus"}\r\n', ""])
def test_uninstall_gives_the_persons_form_of_the_settings_back(machine: Machine, text: str) -> None:
    put_settings(machine, text)
    before = everything(machine.home)

    ok(machine.install("claude-code"))
    ok(machine.uninstall("claude-code"))

    assert without_claudes_own(machine) == before


def test_what_others_changed_in_the_settings_survives(machine: Machine) -> None:
    file = put_settings(machine, OWN_FORM)
    ok(machine.install("claude-code"))
    file.write_text(json.dumps({**settings(machine), "theme": "dark"}))

    ok(machine.uninstall("claude-code"))

    assert settings(machine)["theme"] == "dark"
    assert settings(machine)["model"] == "opus"
    assert "enabledPlugins" not in settings(machine)


def test_an_entry_in_the_settings_gives_way_to_the_plugin(machine: Machine) -> None:
    put_settings(machine, OWN_FORM)
    path = machine.environment["PATH"]
    machine.environment["PATH"] = "/usr/bin:/bin"
    ok(machine.install("claude-code"))
    assert "hook --coding-cli" in (machine.home / SETTINGS).read_text()
    machine.environment["PATH"] = path

    ok(machine.install("claude-code"))

    assert "hooks" not in settings(machine)
    assert settings(machine)["enabledPlugins"] == {setup.PLUGIN: True}


def test_without_the_program_the_plugin_is_neither_doubled_nor_removed(machine: Machine) -> None:
    ok(machine.install("claude-code"))
    machine.environment["PATH"] = "/usr/bin:/bin"
    before = everything(machine.home)

    install, uninstall = machine.install("claude-code"), machine.uninstall("claude-code")

    for result in (install, uninstall):
        assert result.error is not None
        assert result.error.code == "agent_cli_missing"
    assert everything(machine.home) == before


@pytest.mark.parametrize(
    ("verb", "what", "code"),
    [
        ("install", "fail", "agent_cli_failed"),
        ("marketplace_add", "fail", "agent_cli_failed"),
        ("install", "lie", "verify_failed"),
        ("marketplace_add", "lie", "agent_cli_failed"),
    ],
)
def test_a_failing_or_lying_program_takes_everything_back(
    machine: Machine, verb: str, what: str, code: str
) -> None:
    put_settings(machine, OWN_FORM)
    before = everything(machine.home)
    trouble(machine, **{verb: what})

    result = machine.install("cursor", "claude-code")

    assert result.result == "rolled-back"
    assert result.error is not None
    assert result.error.code == code
    assert without_claudes_own(machine) == before


def test_the_programs_words_are_in_the_message(machine: Machine) -> None:
    trouble(machine, install="fail")

    result = machine.install("claude-code")

    assert result.error is not None
    assert "something broke" in result.error.message
    assert "plugin install" in result.error.message


def test_a_hanging_program_ends_with_a_named_error(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup.SETUP, "run_seconds", 0.5)
    trouble(machine, install="hang")

    result = machine.install("claude-code")

    assert result.error is not None
    assert result.error.code == "agent_cli_timeout"
    assert "0.5 s" in result.error.message


def test_a_marketplace_of_another_source_is_replaced_and_named(machine: Machine) -> None:
    other = machine.home / "npm-edition"
    (other / ".claude-plugin").mkdir(parents=True)
    (other / ".claude-plugin/marketplace.json").write_text('{"name": "cc-marketplace"}')
    source = {"source": {"source": "directory", "path": str(other)}}
    plugins = machine.home / ".claude/plugins"
    plugins.mkdir(parents=True)
    (plugins / "known_marketplaces.json").write_text(json.dumps({"cc-marketplace": source}))
    (plugins / "installed_plugins.json").write_text(
        json.dumps({"plugins": {setup.PLUGIN: [{"scope": "user"}]}})
    )

    result = ok(machine.install("claude-code"))

    assert any(str(other) in note for note in result.agents[0].notes)
    known = settings(machine)["extraKnownMarketplaces"]["cc-marketplace"]["source"]["path"]
    assert known == str(machine.data / "claude-code")


def test_a_disabled_plugin_is_enabled_again(machine: Machine) -> None:
    file = put_settings(machine, OWN_FORM)
    ok(machine.install("claude-code"))
    model = settings(machine)
    model["enabledPlugins"][setup.PLUGIN] = False
    file.write_text(json.dumps(model))

    ok(machine.install("claude-code"))

    assert settings(machine)["enabledPlugins"] == {setup.PLUGIN: True}


@pytest.mark.parametrize(
    "name",
    [
        "plugins/cc-safety-net/hooks/hooks.json",
        "plugins/cc-safety-net/skills/cc-safety-net/SKILL.md",
        ".claude-plugin/marketplace.json",
    ],
)
def test_a_foreign_file_in_our_folder_is_refused(machine: Machine, name: str) -> None:
    file = machine.data / "claude-code" / name
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": {}}')
    before = everything(machine.home)

    result = machine.install("claude-code")

    assert result.error is not None
    assert name in result.error.message
    assert everything(machine.home) == before


def test_a_link_in_our_folder_is_refused(machine: Machine) -> None:
    (machine.home / "elsewhere").mkdir()
    (machine.data / "claude-code").mkdir(parents=True)
    (machine.data / "claude-code/plugins").symlink_to(machine.home / "elsewhere")

    result = machine.install("claude-code")

    assert result.error is not None
    assert "plugins -> " in result.error.message
    assert list((machine.home / "elsewhere").iterdir()) == []
