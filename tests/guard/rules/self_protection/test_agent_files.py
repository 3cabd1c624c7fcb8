from __future__ import annotations

import importlib

import pytest

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.guard.rules.self_protection import agent_files, switches
from cc_safety_net.guard.rules.self_protection.changes import _TITLES
from cc_safety_net.guard.rules.self_protection.commands import AGENTS
from cc_safety_net.guard.rules.self_protection.paths import _VARIABLES

SPECS = [importlib.import_module(f"{package}.spec").SPEC for package in PACKAGES.values()]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_the_table_knows_where_an_agent_keeps_its_files(spec):
    home, moved = agent_files.HOMES[spec.name]
    variables = [variable for variable, _ in moved]

    assert home == spec.home
    assert not spec.home_variable or spec.home_variable in variables


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_every_file_that_we_write_is_in_the_table(spec):
    tables = {
        "home": agent_files.HOME_FILES,
        "project": agent_files.PROJECT_FILES,
        "absolute": agent_files.SYSTEM_FILES,
    }
    named = {
        (base, path)
        for base, table in tables.items()
        for agent, path, _ in table
        if agent == spec.name
    }

    missing = [
        config.path
        for config in spec.configs
        if (config.base, config.path) not in named
        and not any(
            base == config.base and "*" in path and _fits(path, config.path) for base, path in named
        )
    ]

    assert missing == []


def _fits(pattern, path):
    start, _, end = pattern.partition("*")
    return path.startswith(start) and path.endswith(end)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_an_agents_program_is_known(spec):
    assert switches.PROGRAMS.get(spec.executable) == spec.name


def test_the_quick_look_knows_every_variable_and_program_of_the_tables():
    variables = {variable for _, moved in agent_files.HOMES.values() for variable, _ in moved}
    variables |= {variable for _, variable, _ in agent_files.FILE_VARIABLES}

    assert variables == set(_VARIABLES)
    assert set(switches.PROGRAMS) == set(AGENTS)
    assert set(_TITLES) == set(agent_files.HOMES)
    assert set(switches.PROGRAMS.values()) == set(agent_files.HOMES)
