"""What keeps an agent from running an entry that is there: its own settings, and a project's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.install.stand_in import Machine

from cc_safety_net.install import installed
from cc_safety_net.install.directories import find_directories
from cc_safety_net.install.setup import Obstacle, load_setup
from cc_safety_net.install.site import PROJECT, USER, Site
from cc_safety_net.install.system import ReadOnly

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OFF = '{"disableAllHooks": true}'
PLUGIN_OFF = '{"enabledPlugins": {"cc-safety-net@cc-marketplace": false}}'
NAMED = '{"hooksConfig": {"disabled": ["cc-safety-net"]}}'
FEATURE = "[features]\nhooks = false\n"

#: agent, file below the home, content that keeps our hook from running, one that does not.
SWITCHES = [
    ("claude-code", ".claude/settings.json", OFF, '{"disableAllHooks": false}'),
    ("claude-code", "project/.claude/settings.json", OFF, '{"env": {"disableAllHooks": "true"}}'),
    ("claude-code", "project/.claude/settings.local.json", OFF, "{}"),
    ("claude-code", ".claude/settings.json", PLUGIN_OFF, PLUGIN_OFF.replace("false", "true")),
    ("claude-code", "project/.claude/settings.json", PLUGIN_OFF, '{"enabledPlugins": {}}'),
    ("gemini-cli", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "{}"),
    ("gemini-cli", "project/.gemini/settings.json", '{"hooksConfig":{"enabled":false}}', "// x"),
    ("gemini-cli", "project/.gemini/settings.json", NAMED, NAMED.replace("cc-", "dd-")),
    ("gemini-cli", "system.json", NAMED, "[]"),
    ("copilot-cli", "project/.github/copilot/settings.json", OFF, "{"),
    ("codex", ".codex/config.toml", FEATURE, FEATURE.replace("false", "true")),
    ("codex", "project/.codex/config.toml", FEATURE, "features = 3"),
    (
        "grok-build",
        ".grok/disabled-hooks",
        "other\nglobal/cc-safety-net:pre_tool_use[0].hooks[0]\n",
        "global/other:pre_tool_use[0].hooks[0]\n",
    ),
]

#: agent, file below the home, content by which `{project}` is trusted.
TRUST = [
    ("grok-build", ".grok/trusted_folders.toml", '[folders."{project}"]\ntrusted = true\n'),
    ("codex", ".codex/config.toml", '[projects."{project}"]\ntrust_level = "trusted"\n'),
    ("copilot-cli", ".copilot/config.json", '// kept\n{{"trustedFolders": ["{project}/"]}}'),
    ("gemini-cli", ".gemini/trustedFolders.json", '{{"{project}": "TRUST_FOLDER"}}'),
]


@pytest.fixture
def machine(home: Path) -> Machine:
    (home / "project").mkdir()
    found = Machine(home)
    found.environment["GEMINI_CLI_SYSTEM_SETTINGS_PATH"] = str(home / "system.json")
    return found


def put(machine: Machine, path: str, content: str) -> None:
    file = machine.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)


def obstacles(machine: Machine, agent: str, scope: str = USER) -> Sequence[Obstacle]:
    directories = find_directories(machine.environment)
    record = installed.load(ReadOnly(), directories.state)
    command = machine.artifact.command
    site = Site(ReadOnly(), directories, machine.environment, str(machine.project), record, command)
    return load_setup(agent).obstacles(site, scope)


@pytest.mark.parametrize(("agent", "path", "off", "on"), SWITCHES)
def test_a_setting_that_switches_our_hook_off_is_named_with_its_file(
    machine: Machine, agent: str, path: str, off: str, on: str
) -> None:
    put(machine, path, off)
    (found,) = obstacles(machine, agent)
    assert (found.state, found.path) == ("installed-but-disabled", str(machine.home / path))
    assert found.fix

    put(machine, path, on)
    assert list(obstacles(machine, agent)) == []


@pytest.mark.parametrize(("agent", "path", "content"), TRUST)
def test_a_projects_hook_needs_a_trusted_folder(
    machine: Machine, agent: str, path: str, content: str
) -> None:
    def states() -> list[str]:
        return [found.state for found in obstacles(machine, agent, PROJECT)]

    put(machine, path, content.format(project=str(machine.home / "elsewhere")))
    assert states() == ["installed-but-untrusted"]

    put(machine, path, content.format(project=str(machine.project)))
    assert states() == []
    assert list(obstacles(machine, agent)) == []


def test_in_the_home_one_file_is_named_once(machine: Machine) -> None:
    machine.project = machine.home
    put(machine, ".claude/settings.json", OFF)

    assert len(obstacles(machine, "claude-code")) == 1
