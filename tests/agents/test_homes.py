"""An agent's home may be moved by its variable: install, doctor and uninstall all go there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.install.stand_in import Machine, everything, ok

from cc_safety_net.doctor.agents import examine
from cc_safety_net.install import installed
from cc_safety_net.install.directories import find_directories
from cc_safety_net.install.launcher import specs
from cc_safety_net.install.setup import load_setup
from cc_safety_net.install.site import Site
from cc_safety_net.install.system import ReadOnly

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOVED = [spec for spec in specs() if spec.home_variable]
IDS = [spec.name for spec in MOVED]


def _link(tmp: Path) -> str:
    (tmp / "real").mkdir()
    (tmp / "link").symlink_to(tmp / "real")
    return str(tmp / "link")


#: What stands in the variable -> its value, and the folder that is meant.
VALUES: dict[str, tuple[Callable[[Path], str], str]] = {
    "absolute": (lambda tmp: str(tmp / "a"), "a"),
    "spaces and quotes": (lambda tmp: f"{tmp}/it's my home", "it's my home"),
    "not there yet": (lambda tmp: str(tmp / "x/y/z"), "x/y/z"),
    "slash at the end": (lambda tmp: f"{tmp}/a//", "a"),
    "dots": (lambda tmp: f"{tmp}/b/../a/.", "a"),
    "tilde": (lambda _: "~/moved", "home/moved"),
    "link": (_link, "real"),
}


@pytest.fixture
def machine(home: Path) -> Machine:
    return Machine(home)


def site(machine: Machine) -> Site:
    directories = find_directories(machine.environment)
    record = installed.load(ReadOnly(), directories.state)
    command = machine.artifact.command
    return Site(ReadOnly(), directories, machine.environment, str(machine.project), record, command)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("spec", MOVED, ids=IDS)
def test_the_agents_home_moves_with_its_variable(
    spec: object, value: str, machine: Machine, tmp_path: Path
) -> None:
    make, folder = VALUES[value]
    machine.environment[spec.home_variable] = make(tmp_path)
    before = everything(tmp_path)
    meant = (tmp_path / folder).resolve() / spec.home_below

    ok(machine.install(spec.name))
    made = {
        name
        for name, state in everything(tmp_path).items()
        if state[0] == "file" and ".local/" not in name
    }
    (report,) = examine(load_setup(spec.name), site(machine), [])[:1]
    again = ok(machine.install(spec.name))
    ok(machine.uninstall(spec.name))

    assert made
    assert all((tmp_path / name).is_relative_to(meant) for name in made), made
    assert not (machine.home / spec.home).exists()
    assert (report.command != "", report.state != "not-detected") == (True, True)
    assert again.result == "unchanged"
    assert everything(tmp_path) == before


@pytest.mark.parametrize("spec", MOVED, ids=IDS)
def test_an_empty_value_moves_nothing(spec: object, machine: Machine) -> None:
    machine.environment[spec.home_variable] = ""

    ok(machine.install(spec.name))

    assert (machine.home / spec.home).is_dir()


@pytest.mark.parametrize("value", ["here", "./here", "../x", "~other/x", "$HOME/x", " /x"])
@pytest.mark.parametrize("spec", MOVED, ids=IDS)
def test_a_relative_value_is_refused_by_name(spec: object, value: str, machine: Machine) -> None:
    machine.environment[spec.home_variable] = value

    results = [machine.install(spec.name), machine.uninstall(spec.name)]
    (report,) = examine(load_setup(spec.name), site(machine), [])[:1]

    for result in results:
        assert result.error is not None
        assert spec.home_variable in result.error.message
    assert (report.state, spec.home_variable in report.findings[0].detail) == ("n/a", True)
    assert everything(machine.home) == {}


@pytest.mark.parametrize("spec", MOVED, ids=IDS)
def test_a_file_in_the_place_of_the_home_is_refused(
    spec: object, machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    machine.environment[spec.home_variable] = str(tmp_path / "file")

    result = machine.install(spec.name)

    assert result.error is not None
    assert (tmp_path / "file").read_text() == "mine"
    assert everything(machine.home) == {}


def test_every_profile_of_hermes_moves_with_its_home(machine: Machine, tmp_path: Path) -> None:
    root = tmp_path / "my hermes"
    (root / "profiles/work").mkdir(parents=True)
    machine.environment["HERMES_HOME"] = str(root)
    before = everything(tmp_path)

    ok(machine.install("hermes-agent"))

    for home in (root, root / "profiles/work"):
        assert (home / "plugins/cc-safety-net/__init__.py").is_file()
        assert "cc-safety-net" in (home / "config.yaml").read_text()
    ok(machine.uninstall("hermes-agent"))
    assert everything(tmp_path) == before


def test_descriptions_say_where_windows_keeps_the_home() -> None:
    found = {spec.name: spec.windows_home for spec in specs()}

    assert found["devin"] == r"%APPDATA%\devin"
    assert found["hermes-agent"] == r"%LOCALAPPDATA%\hermes"
    assert found["kimi-code"] == r"%USERPROFILE%\.kimi-code"
    assert all(home.startswith("%") for home in found.values())
