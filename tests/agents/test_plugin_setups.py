"""Codex, Copilot CLI and Gemini CLI get the guard as a plugin through their own programs."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest
from tests.install import plugin_programs
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.agents.codex.setup import trusted_hash
from cc_safety_net.install import installed
from cc_safety_net.install.directories import find_directories
from cc_safety_net.install.setup import load_setup
from cc_safety_net.install.site import USER, Site
from cc_safety_net.install.system import ReadOnly

if TYPE_CHECKING:
    from pathlib import Path

AGENTS = {"codex": "codex", "copilot-cli": "copilot", "gemini-cli": "gemini"}
#: What the program writes anew, and a form of it that no program would write.
FORMS = {
    "codex": (".codex/config.toml", '# mine\nmodel="gpt-5.5"   # good\n\n[tui]\nx = 1'),
    "copilot-cli": (".copilot/settings.json", '{\n    "theme":"dark",\n\n "x": {} }'),
    "gemini-cli": (".gemini/settings.json", '{\n // mine\n "general":{} }'),
}
#: Where an entry would stand without the program.
ENTRIES = {
    "codex": ".codex/hooks.json",
    "copilot-cli": ".copilot/hooks/cc-safety-net.json",
    "gemini-cli": ".gemini/settings.json",
}
#: State of the agents that stays when a plugin has come and gone.
STATE = (".codex/plugins", ".gemini/extensions", ".copilot/config.json")


@pytest.fixture
def machine(home: Path) -> Machine:
    folder = home.parent / "bin"
    for name in plugin_programs.NAMES:
        plugin_programs.put(folder, name)
    return Machine(home, f"{folder}:/usr/bin:/bin")


def calls(machine: Machine, agent: str) -> list[str]:
    log = machine.home.parent / f"bin/{AGENTS[agent]}.log"
    return log.read_text().splitlines() if log.exists() else []


def trouble(machine: Machine, agent: str, **verbs: str) -> None:
    file = machine.home.parent / f"bin/{AGENTS[agent]}.trouble"
    file.write_text(json.dumps({verb.replace("_", " "): what for verb, what in verbs.items()}))


def put(machine: Machine, path: str, text: str) -> Path:
    file = machine.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def own(machine: Machine) -> dict[str, object]:
    """The home without what the programs keep for themselves."""
    found = everything(machine.home)
    return {name: value for name, value in found.items() if not name.startswith(STATE)}


@pytest.mark.parametrize("agent", AGENTS)
def test_install_and_uninstall_give_the_persons_form_back(machine: Machine, agent: str) -> None:
    file = put(machine, *FORMS[agent])
    before = own(machine)

    result = ok(machine.install(agent))
    installed = file.read_text()
    again = ok(machine.install(agent))
    ok(machine.uninstall(agent))

    assert result.agents[0].verify is not None
    assert again.result == "unchanged"
    if agent == "codex":
        assert installed.startswith(FORMS[agent][1])
    assert own(machine) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_nothing_is_left_where_nothing_was(machine: Machine, agent: str) -> None:
    ok(machine.install(agent))
    ok(machine.uninstall(agent))

    files = {name for name, value in own(machine).items() if value[0] == "file"}
    assert files == set()


@pytest.mark.parametrize("agent", AGENTS)
def test_the_entry_gives_way_to_the_plugin(machine: Machine, agent: str) -> None:
    path = machine.environment["PATH"]
    machine.environment["PATH"] = "/usr/bin:/bin"
    ok(machine.install(agent))
    assert "hook --" in (machine.home / ENTRIES[agent]).read_text()
    machine.environment["PATH"] = path

    ok(machine.install(agent))

    entry = machine.home / ENTRIES[agent]
    assert not entry.exists() or "hook --" not in entry.read_text()
    assert any(
        "install" in call or "add" in call or "link" in call for call in calls(machine, agent)
    )


@pytest.mark.parametrize("agent", AGENTS)
def test_without_the_program_the_plugin_is_neither_doubled_nor_removed(
    machine: Machine, agent: str
) -> None:
    ok(machine.install(agent))
    machine.environment["PATH"] = "/usr/bin:/bin"
    before = everything(machine.home)

    for result in (machine.install(agent), machine.uninstall(agent)):
        assert result.error is not None
        assert result.error.code == "agent_cli_missing"
    assert everything(machine.home) == before


@pytest.mark.parametrize(
    ("agent", "verb", "what", "code"),
    [
        ("codex", "marketplace add", "fail", "agent_cli_failed"),
        ("codex", "marketplace add", "lie", "agent_cli_failed"),
        ("codex", "add", "fail", "agent_cli_failed"),
        ("codex", "add", "lie", "verify_failed"),
        ("codex", "list", "garbage", "agent_cli_failed"),
        ("copilot-cli", "marketplace add", "fail", "agent_cli_failed"),
        ("copilot-cli", "install", "fail", "agent_cli_failed"),
        ("copilot-cli", "install", "lie", "verify_failed"),
        ("gemini-cli", "link", "fail", "agent_cli_failed"),
        ("gemini-cli", "link", "lie", "verify_failed"),
        ("gemini-cli", "list", "lie", "agent_cli_failed"),
    ],
)
def test_a_failing_or_lying_program_takes_everything_back(
    machine: Machine, agent: str, verb: str, what: str, code: str
) -> None:
    put(machine, *FORMS[agent])
    before = own(machine)
    trouble(machine, agent, **{verb: what})

    result = machine.install("cursor", agent)

    assert result.error is not None
    assert (result.result, result.error.code) == ("rolled-back", code)
    assert own(machine) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_a_hanging_program_ends_with_a_named_error(
    machine: Machine, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_setup(agent), "run_seconds", 0.5)
    verb = "link" if agent == "gemini-cli" else "marketplace_add"
    trouble(machine, agent, **{verb: "hang"})

    result = machine.install(agent)

    assert result.error is not None
    assert result.error.code == "agent_cli_timeout"
    assert result.error.message.endswith("did not end in 0.5 s: waiting for the network")
    assert [agent.notes for agent in result.agents] == [[]]


def test_a_marketplace_of_another_source_is_replaced_and_named(machine: Machine) -> None:
    other = '[marketplaces.cc-marketplace]\nsource_type = "git"\nsource = "https://npm/edition"\n'
    plugin = '[plugins."cc-safety-net@cc-marketplace"]\nenabled = true\n'
    file = put(machine, ".codex/config.toml", other + "\n" + plugin)

    result = ok(machine.install("codex"))

    assert any("https://npm/edition" in note for note in result.agents[0].notes)
    known = tomllib.loads(file.read_text())["marketplaces"]["cc-marketplace"]
    assert known["source"] == str(machine.data / "codex")


def test_a_marketplace_with_other_plugins_is_refused(machine: Machine) -> None:
    text = (
        '[marketplaces.cc-marketplace]\nsource = "/x"\n'
        '[plugins."other@cc-marketplace"]\nenabled = true\n'
    )
    put(machine, ".codex/config.toml", text)
    before = everything(machine.home)

    result = machine.install("codex")

    assert result.error is not None
    assert result.error.code == "name_taken"
    assert "other@cc-marketplace" in result.error.hint
    assert everything(machine.home) == before


def test_the_npm_editions_extension_is_replaced_and_named(machine: Machine) -> None:
    record = json.dumps({"source": "https://npm/edition", "type": "git"})
    name = "extensions/gemini-safety-net/.gemini-extension-install.json"
    put(machine, f".gemini/{name}", record)

    result = ok(machine.install("gemini-cli"))

    assert not (machine.home / f".gemini/{name}").exists()
    assert any("gemini-safety-net" in note for note in result.agents[0].notes)


def test_gemini_trusts_no_folder_because_of_us(machine: Machine) -> None:
    ok(machine.install("gemini-cli"))

    assert not (machine.home / ".gemini/trustedFolders.json").exists()


def test_a_plugin_installed_directly_is_replaced(machine: Machine) -> None:
    config = {"installedPlugins": [{"name": "copilot-safety-net"}, {"name": "other"}]}
    file = put(machine, ".copilot/config.json", "// managed\n" + json.dumps(config))
    file.write_text(json.dumps(config))

    result = ok(machine.install("copilot-cli"))

    assert json.loads(file.read_text())["installedPlugins"] == [{"name": "other"}]
    assert any("copilot-safety-net" in note for note in result.agents[0].notes)


@pytest.mark.parametrize(
    ("agent", "path", "old", "new"),
    [
        ("codex", ".codex/config.toml", "enabled = true", "enabled = false"),
        ("copilot-cli", ".copilot/settings.json", '-marketplace": true', '-marketplace": false'),
        ("gemini-cli", ".gemini/extensions/extension-enablement.json", '"/', '"!/'),
    ],
)
def test_a_plugin_that_is_switched_off_is_seen_and_switched_on(
    machine: Machine, agent: str, path: str, old: str, new: str
) -> None:
    ok(machine.install(agent))
    file = machine.home / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    assert states(machine, agent) >= {"installed-but-disabled"}

    ok(machine.install(agent))

    assert "installed-but-disabled" not in states(machine, agent)


def site(machine: Machine) -> Site:
    directories = find_directories(machine.environment)
    record = installed.load(ReadOnly(), directories.state)
    command = machine.artifact.command
    return Site(ReadOnly(), directories, machine.environment, str(machine.project), record, command)


def states(machine: Machine, agent: str) -> set[str]:
    return {obstacle.state for obstacle in load_setup(agent).obstacles(site(machine), USER)}


def test_codex_is_untrusted_until_the_person_has_trusted_the_hook(machine: Machine) -> None:
    result = ok(machine.install("codex"))
    assert result.agents[0].notes[-1].startswith("codex runs no hook that is not trusted")
    assert states(machine, "codex") == {"installed-but-untrusted"}

    hooks = machine.home / ".codex/plugins/cache/cc-marketplace/cc-safety-net/1/hooks/codex.json"
    (group,) = json.loads(hooks.read_text())["hooks"]["PreToolUse"]
    digest = trusted_hash(group.get("matcher"), group["hooks"][0])
    key = "cc-safety-net@cc-marketplace:hooks/codex.json:pre_tool_use:0:0"
    with (machine.home / ".codex/config.toml").open("a") as file:
        file.write(f'\n[hooks.state."{key}"]\ntrusted_hash = "{digest}/sha256:0"\n')

    assert states(machine, "codex") == set()
    assert ok(machine.install("codex")).result == "unchanged"


def test_doctor_reports_that_codex_does_not_trust_the_hook(machine: Machine) -> None:
    from cc_safety_net.doctor.agents import examine

    ok(machine.install("codex"))

    (report,) = examine(load_setup("codex"), site(machine), [])

    # The stand-in of the guard lets half a payload pass, which is found besides.
    assert "agent.installed-but-untrusted" in {finding.id for finding in report.findings}
    assert report.path.endswith("hooks/codex.json")
    assert all(probe.ok for name, probe in report.probes.items() if name != "malformed")


def test_the_hash_of_a_trusted_hook_is_codexs() -> None:
    handler = {"type": "command", "command": "/bin/false hook --codex || exit 2", "timeout": 30}

    assert trusted_hash(None, handler) == (
        "sha256:3c8cfe36e4f33553ed3f3c7fe101abc789303f1210b8430c94bd69764e33b527"
    )


def test_codexs_plugin_does_not_change_with_our_version(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(machine.install("codex"))
    before = everything(machine.home / ".codex")
    monkeypatch.setattr("cc_safety_net.install.plugin.__version__", "99.0.0")

    assert ok(machine.install("codex")).result == "unchanged"
    assert everything(machine.home / ".codex") == before


@pytest.mark.parametrize("agent", AGENTS)
def test_a_moved_home_is_honoured(machine: Machine, agent: str) -> None:
    variable = load_setup(agent).spec.home_variable
    machine.environment[variable] = str(machine.home / "moved")

    ok(machine.install(agent))

    default = machine.home / f".{AGENTS[agent]}"
    assert not default.exists()
    moved = machine.home / "moved" / (".gemini" if agent == "gemini-cli" else "")
    assert any(moved.iterdir())
    ok(machine.uninstall(agent))


@pytest.mark.parametrize(
    "agent", ["codex", "copilot-cli", "gemini-cli", "devin", "antigravity-cli"]
)
def test_the_projects_entry_names_no_path_of_this_machine(machine: Machine, agent: str) -> None:
    machine.project.mkdir()

    ok(machine.install(agent, scope="project"))

    files = [path for path in machine.project.rglob("*") if path.is_file()]
    assert len(files) == 1
    assert str(machine.home) not in files[0].read_text()
    assert "$HOME" in files[0].read_text()
    ok(machine.uninstall(agent, scope="project"))
    assert list(machine.project.iterdir()) == []
