"""Install keeps every byte outside our entry; uninstall gives the same bytes back."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import pytest
from tests.install import in_process, odd_files, odd_yaml
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.install.edit import yaml
from cc_safety_net.install.edit.editor import splice_between
from cc_safety_net.install.edit.jsonc import EDITOR
from cc_safety_net.install.entries import entry_value
from cc_safety_net.install.recovery import same_meaning
from cc_safety_net.install.setup import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from _pytest.mark.structures import ParameterSet


@dataclass(frozen=True)
class Kept:
    """A file of the person's that an agent has, in all its odd forms.

    program: of the agent, on PATH; it writes the file anew. ours: nothing but ours may stand here.
    """

    agent: str
    path: str
    table: Mapping[str, bytes]
    scope: str = "user"
    program: str = ""


#: What no program that reads numbers as floating point gives back.
_LOST_BY_PROGRAMS = {"numbers too large for us"}
_SETTINGS = {name: text for name, text in odd_files.CLAUDE.items() if name not in _LOST_BY_PROGRAMS}
FILES = {
    "cursor": Kept("cursor", ".cursor/hooks.json", odd_files.CURSOR),
    "kimi-code": Kept("kimi-code", ".kimi-code/config.toml", odd_files.KIMI),
    "claude-code": Kept("claude-code", ".claude/settings.json", odd_files.CLAUDE),
    "codex": Kept("codex", ".codex/hooks.json", odd_files.CODEX),
    "gemini-cli": Kept("gemini-cli", ".gemini/settings.json", odd_files.GEMINI),
    "antigravity-cli": Kept("antigravity-cli", ".gemini/config/hooks.json", odd_files.ANTIGRAVITY),
    "devin": Kept("devin", ".config/devin/config.json", odd_files.DEVIN),
    "devin, project": Kept(
        "devin", "project/.devin/hooks.v1.json", odd_files.DEVIN_PROJECT, scope="project"
    ),
    "hermes-agent": Kept("hermes-agent", ".hermes/config.yaml", odd_yaml.ODD),
}
#: What the agent's own program writes anew: it is given back as it was.
PROGRAMS = {
    "claude-code": Kept("claude-code", ".claude/settings.json", _SETTINGS, program="claude"),
    "codex": Kept("codex", ".codex/config.toml", odd_files.KIMI, program="codex"),
    "copilot-cli": Kept("copilot-cli", ".copilot/settings.json", _SETTINGS, program="copilot"),
    "gemini-cli": Kept("gemini-cli", ".gemini/settings.json", odd_files.GEMINI, program="gemini"),
    "hermes-agent": Kept("hermes-agent", ".hermes/config.yaml", odd_yaml.ODD, program="hermes"),
}
#: Where only ours may stand.
OURS = {
    "grok-build": Kept("grok-build", ".grok/hooks/cc-safety-net.json", odd_files.CLAUDE),
    "copilot-cli": Kept("copilot-cli", ".copilot/hooks/cc-safety-net.json", odd_files.CURSOR),
}
#: State of the agents' programs that stays when a plugin has come and gone.
_THEIRS = (".claude/plugins", ".codex/plugins", ".gemini/extensions")


def rows(files: Mapping[str, Kept]) -> list[ParameterSet]:
    number = count()
    return [
        pytest.param(kept, content, next(number), id=f"{name}: {form}")
        for name, kept in files.items()
        for form, content in kept.table.items()
    ]


def put(home: Path, path: str, content: bytes, number: int = 1) -> Path:
    """The file, in one of several modes, every fifth behind a link."""
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if number % 5 == 0:
        target = home / "dotfiles" / path
        target.parent.mkdir(parents=True)
        file.symlink_to(target)
        file = target
    file.write_bytes(content)
    file.chmod((0o644, 0o640, 0o600)[number % 3])
    return file


def test_there_are_forty_odd_files_an_agent() -> None:
    agents = {kept.agent for kept in (*FILES.values(), *PROGRAMS.values(), *OURS.values())}
    assert len(agents) == 10
    for kept in (*FILES.values(), *PROGRAMS.values(), *OURS.values()):
        assert len(kept.table) >= 50, kept.path


@pytest.mark.parametrize(("kept", "content", "number"), rows(FILES))
def test_install_inserts_and_uninstall_takes_out_nothing_else(
    machine: Machine, kept: Kept, content: bytes, number: int
) -> None:
    file = put(machine.home, kept.path, content, number)
    before = everything(machine.home)
    mode = file.stat().st_mode

    ok(machine.install(kept.agent, scope=kept.scope))
    installed, state = file.read_bytes(), file.stat()
    again = ok(machine.install(kept.agent, scope=kept.scope))
    after = file.stat()
    ok(machine.uninstall(kept.agent, scope=kept.scope))

    splice = splice_between(content.decode(), installed.decode())
    assert "cc-safety-net" in splice.inserted
    assert splice.removed in splice.inserted or splice.removed in {"null", "~"}
    assert state.st_mode == mode
    assert again.result == "unchanged"
    assert after == state
    assert everything(machine.home) == before


@pytest.mark.parametrize(("kept", "content", "number"), rows(PROGRAMS))
def test_what_a_program_writes_anew_means_the_same_and_comes_back(
    home: Path, kept: Kept, content: bytes, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_process.put(home.parent / "bin", [kept.program], monkeypatch)
    machine = Machine(home, f"{home.parent}/bin:/usr/bin:/bin")
    # No link: these programs part it from its target.
    file = put(home, kept.path, content, number if number % 5 else 1)
    before = everything(home)
    mode = file.stat().st_mode

    ok(machine.install(kept.agent))
    installed, state = file.read_bytes(), file.stat()
    again = ok(machine.install(kept.agent))
    after = file.stat()
    ok(machine.uninstall(kept.agent))

    assert state.st_mode == mode
    if kept.program == "hermes":
        # Our edit comes after the program's, on the person's own text.
        inserted = splice_between(content.decode(), installed.decode()).inserted
        assert "cc-safety-net" in inserted
    elif kept.program == "gemini":
        assert installed == content
    else:
        assert same_meaning(installed, content, kept.path, _FORGET)
    assert again.result == "unchanged"
    assert after == state
    found = {key: value for key, value in everything(home).items() if not key.startswith(_THEIRS)}
    assert found == before


#: What the programs add for a plugin.
_PLUGIN = "cc-safety-net@cc-marketplace"
_FORGET = (
    ("enabledPlugins", _PLUGIN),
    ("extraKnownMarketplaces", "cc-marketplace"),
    ("marketplaces", "cc-marketplace"),
    ("plugins", _PLUGIN),
)


@pytest.mark.parametrize(("kept", "content", "number"), rows(FILES))
def test_without_our_record_uninstall_still_takes_out_our_entry_only(
    machine: Machine, kept: Kept, content: bytes, number: int
) -> None:
    file = put(machine.home, kept.path, content, number)
    ok(machine.install(kept.agent, scope=kept.scope))
    (machine.state / "installed.json").unlink()

    ok(machine.uninstall(kept.agent, scope=kept.scope))

    left = file.read_bytes()
    assert b"current/cc-safety-net" not in left
    assert meaning(kept.path, left) == meaning(kept.path, content)


def meaning(path: str, content: bytes) -> object:
    """What the file says, without keys that say nothing."""
    return _bare(_model(path, content.decode().removeprefix("\ufeff")), 3)


def _model(path: str, text: str) -> object:
    if path.endswith(".toml"):
        return tomllib.loads(text)
    if path.endswith(".yaml"):
        return yaml.model(text, path)
    return EDITOR.model(text, path)


def _bare(model: object, depth: int) -> object:
    if not isinstance(model, dict) or not depth:
        return model
    found = {key: _bare(value, depth - 1) for key, value in model.items() if key != "version"}
    return {key: value for key, value in found.items() if value not in ({}, [], None)} or None


@pytest.mark.parametrize(("kept", "content", "number"), rows(OURS))
def test_a_foreign_file_where_only_ours_may_stand_is_refused_and_a_neighbour_stays(
    machine: Machine, kept: Kept, content: bytes, number: int
) -> None:
    neighbour = put(machine.home, kept.path.replace("cc-safety-net", "mine"), content, number)
    before = everything(machine.home)
    ok(machine.install(kept.agent))
    assert neighbour.read_bytes() == content
    ok(machine.uninstall(kept.agent))
    assert everything(machine.home) == before

    put(machine.home, kept.path, content)
    before = everything(machine.home)
    refused = machine.install(kept.agent)

    assert refused.error is not None
    assert kept.path in refused.error.message
    assert refused.error.hint
    assert everything(machine.home) == before


#: How an entry of the other edition, or an older one of ours, calls the guard.
EARLIER = (
    "npx -y cc-safety-net hook {flag}",
    "bunx cc-safety-net hook {flag}",
    "npm exec -- cc-safety-net@1.2.3 hook {flag}",
    "cc-safety-net hook {flag}",
    "'/old place/cc-safety-net' hook {flag}",
    "[ -x /x/cc-safety-net ] && exec /x/cc-safety-net hook {flag}; echo gone >&2; exit 2",
)
LAYOUTS: Mapping[str, Callable[[object], str]] = {
    "one line": json.dumps,
    "compact": lambda model: json.dumps(model, separators=(",", ":")),
    "two": lambda model: json.dumps(model, indent=2) + "\n",
    "tabs": lambda model: json.dumps(model, indent="\t"),
    "crlf": lambda model: (json.dumps(model, indent=4) + "\n").replace("\n", "\r\n"),
    "byte order mark": lambda model: "\ufeff" + json.dumps(model, indent=1),
    "commas first": lambda model: json.dumps(model, indent=2, separators=("\n,", ": ")),
}
WHERE = {"before": (0,), "between": (1,), "after": (2,), "both ends": (0, 3), "alone": ()}


def _entries(agent: str, command: str, where: str) -> list[object]:
    entry = load_setup(agent).spec.entry
    assert entry is not None

    def made(text: str) -> object:
        return entry_value(entry, text)

    found = [made("./first.sh"), made("./second.sh")] if WHERE[where] else []
    for index in WHERE[where] or (0,):
        found.insert(index, made(command))
    return found


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "name", [name for name, kept in FILES.items() if not kept.path.endswith((".toml", ".yaml"))]
)
def test_earlier_entries_are_replaced_and_nothing_else_is_touched(
    machine: Machine, name: str, layout: str, where: str
) -> None:
    kept = FILES[name]
    setup = load_setup(kept.agent)
    config = next(config for config in setup.spec.configs if config.scope == kept.scope)
    assert setup.spec.entry is not None
    number = list(LAYOUTS).index(layout) + list(WHERE).index(where)
    command = EARLIER[number % len(EARLIER)].format(flag=setup.spec.flags[0])
    entries = _entries(kept.agent, command, where)
    model: object = entries
    for key in reversed(config.keys or setup.spec.entry.path):
        model = {key: model}
    content = LAYOUTS[layout]({**setup.spec.entry.top, **model}).encode()
    file = put(machine.home, kept.path, content, number)

    ok(machine.install(kept.agent, scope=kept.scope))
    installed = file.read_bytes().decode()
    ok(machine.uninstall(kept.agent, scope=kept.scope))

    assert json.dumps(command) not in installed
    assert len(re.findall(r"/current/cc-safety-net\S* hook", installed)) == 1
    commands = [word for word in ("first", "second") if f"./{word}.sh" in installed]
    assert commands == (["first", "second"] if WHERE[where] else [])
    left = file.read_bytes().decode()
    assert "cc-safety-net hook" not in left
    assert subsequence(left, content.decode())
    kept_entries = [entry for entry in entries if "./" in json.dumps(entry)]
    expected: object = kept_entries
    for key in reversed(config.keys or setup.spec.entry.path):
        expected = {key: expected}
    assert meaning(kept.path, left.encode()) == _bare(expected, 3)


def subsequence(old: str, new: str) -> bool:
    """All of the old text is in the new one, in order."""
    rest = iter(new)
    return all(character in rest for character in old)


def test_files_and_folders_that_we_made_go_again(machine: Machine) -> None:
    ok(machine.install())
    assert (machine.home / ".cursor/hooks.json").is_file()

    ok(machine.uninstall())

    assert everything(machine.home) == {}


def test_folders_that_somebody_uses_stay(machine: Machine) -> None:
    ok(machine.install())
    (machine.home / ".cursor/mine.txt").write_text("x")

    ok(machine.uninstall())

    assert set(everything(machine.home)) == {".cursor", ".cursor/mine.txt"}
