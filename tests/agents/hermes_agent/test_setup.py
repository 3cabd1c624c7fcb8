"""Hermes Agent: two files and a name in config.yaml, with every other byte as it was."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.install import hermes_program
from tests.install.odd_yaml import ODD
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.install.edit import yaml

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = ".hermes/config.yaml"
FOLDER = ".hermes/plugins/cc-safety-net"


@pytest.fixture
def machine(home: Path) -> Machine:
    """Without the program."""
    return Machine(home)


@pytest.fixture
def programmed(home: Path) -> Machine:
    hermes_program.put(home.parent / "bin")
    return Machine(home, f"{home.parent}/bin:/usr/bin:/bin")


def put(home: Path, path: str, content: bytes) -> Path:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def names(content: bytes) -> list[object]:
    model = yaml.model(content.decode().removeprefix("\ufeff"), "f")
    return [model["plugins"].get(key) for key in ("enabled", "disabled")]


@pytest.mark.parametrize("content", ODD.values(), ids=ODD)
def test_every_other_byte_of_the_config_stays(machine: Machine, content: bytes) -> None:
    file = put(machine.home, CONFIG, content)
    before = everything(machine.home)

    ok(machine.install("hermes-agent"))
    enabled, disabled = names(file.read_bytes())
    ok(machine.uninstall("hermes-agent"))

    assert enabled[0] == "cc-safety-net"
    assert not disabled or "cc-safety-net" not in disabled
    assert everything(machine.home) == before


def test_there_are_forty_odd_files() -> None:
    assert len(ODD) >= 40


@pytest.mark.parametrize("content", list(ODD.values())[:12], ids=list(ODD)[:12])
def test_what_the_program_writes_anew_is_put_back(programmed: Machine, content: bytes) -> None:
    file = put(programmed.home, CONFIG, content)
    before = everything(programmed.home)

    ok(programmed.install("hermes-agent"))
    installed = file.read_bytes()
    assert ok(programmed.install("hermes-agent")).result == "unchanged"
    ok(programmed.uninstall("hermes-agent"))

    assert b"stock comment" not in installed
    assert all(line in installed for line in content.splitlines() if line.startswith(b"#"))
    assert everything(programmed.home) == before


def test_disabling_comes_before_deleting(programmed: Machine) -> None:
    ok(programmed.install("hermes-agent"))
    ok(programmed.uninstall("hermes-agent"))

    log = (programmed.home.parent / "bin/hermes.log").read_text().splitlines()
    changing = [line for line in log if "list" not in line]
    assert changing == [
        "plugins enable cc-safety-net --no-allow-tool-override",
        "plugins disable cc-safety-net",
    ]
    assert everything(programmed.home) == {}


def test_every_profile_gets_the_plugin(programmed: Machine) -> None:
    put(programmed.home, ".hermes/profiles/work/config.yaml", b"# work\nmodel: x\n")
    before = everything(programmed.home)

    ok(programmed.install("hermes-agent"))

    assert (programmed.home / ".hermes/profiles/work/plugins/cc-safety-net/plugin.yaml").exists()
    assert (programmed.home / FOLDER / "plugin.yaml").exists()
    ok(programmed.uninstall("hermes-agent"))
    assert everything(programmed.home) == before


@pytest.mark.parametrize("what", ["fail", "lie", "hang"])
def test_a_failing_lying_or_hanging_program_takes_everything_back(
    programmed: Machine, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cc_safety_net.install.setup import load_setup

    monkeypatch.setattr(load_setup("hermes-agent"), "run_seconds", 0.5 if what == "hang" else 60)
    put(programmed.home, CONFIG, b"# mine\nmodel: {a: 1}   # good\n")
    before = everything(programmed.home)
    verb = "list" if what == "lie" else "enable"
    trouble = {verb: what}
    (programmed.home.parent / "bin/hermes.trouble").write_text(json.dumps(trouble))

    result = programmed.install("cursor", "hermes-agent")

    assert result.result == "rolled-back"
    assert everything(programmed.home) == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"plugins: [a]\n", '"plugins" is not a mapping'),
        (b"plugins:\n  enabled: yes\n", '"plugins.enabled" is not a list'),
        (b"- a\n", "not a mapping"),
        (b"a: b: c\n", "line 1"),
        (b"a: 1\n\tb: 2\n", "line 2"),
        (b"a: \xff\n", "not UTF-8"),
        (b"x: &names [a]\nplugins:\n  enabled: *names\n", "can't be edited"),
    ],
)
def test_a_config_that_cannot_be_edited_is_refused(
    machine: Machine, content: bytes, says: str
) -> None:
    put(machine.home, CONFIG, content)
    before = everything(machine.home)

    result = machine.install("hermes-agent")

    assert result.error is not None
    assert says in result.error.message
    assert everything(machine.home) == before


@pytest.mark.parametrize("name", ["plugin.yaml", "__init__.py"])
def test_foreign_and_linked_files_are_refused(machine: Machine, name: str) -> None:
    file = put(machine.home, f"{FOLDER}/{name}", b"# somebody's cc-safety-net managed plugin\n")
    assert "is not ours" in machine.install("hermes-agent").error.message
    assert "is not ours" in machine.uninstall("hermes-agent").error.message
    file.unlink()
    file.symlink_to(machine.home / "elsewhere")

    result = machine.install("hermes-agent")

    assert result.error is not None
    assert result.error.code == "link"
    assert os.path.islink(file)


def test_the_npm_editions_files_are_replaced(machine: Machine) -> None:
    put(machine.home, f"{FOLDER}/__init__.py", b"# cc-safety-net managed plugin\n# 1.2\nx = 1\n")

    ok(machine.install("hermes-agent"))

    assert b"hook" in (machine.home / FOLDER / "__init__.py").read_bytes()


def test_others_names_that_come_later_stay(machine: Machine) -> None:
    file = put(machine.home, CONFIG, b"plugins:\n  enabled:\n    - a # x\n")
    ok(machine.install("hermes-agent"))
    file.write_bytes(file.read_bytes() + b"    - b\nnew: key # c\n")

    ok(machine.uninstall("hermes-agent"))

    assert file.read_bytes() == b"plugins:\n  enabled:\n    - a # x\n    - b\nnew: key # c\n"
