"""Which agents are here, and which of them hold something of ours; only reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cc_safety_net.install import installed
from cc_safety_net.install.artifact import Artifact, Runtime
from cc_safety_net.install.directories import Directories, find_directories
from cc_safety_net.install.setup import installable, load_setup
from cc_safety_net.install.site import USER, Site
from cc_safety_net.install.system import ReadOnly, System

if TYPE_CHECKING:
    from collections.abc import Mapping


def detected_agents(environment: Mapping[str, str], project: str = "") -> list[str]:
    """Agents with a trace on this machine, in the catalogue's order."""
    site = _read_only(environment, project)
    return [name for name in installable() if load_setup(name).detected(site)]


def standing_agents(
    environment: Mapping[str, str], project: str = "", scope: str = USER
) -> Mapping[str, bool | None]:
    """Of every agent: does something of ours stand in its files? None: it can't be told."""
    site = _read_only(environment, project)
    return {name: load_setup(name).standing(site, scope) for name in installable()}


def installed_agents(
    environment: Mapping[str, str], project: str = "", scope: str = USER
) -> list[str]:
    """Agents in whose files of that scope something of ours stands."""
    site = _read_only(environment, project)
    return [name for name in installable() if load_setup(name).installed(site, scope)]


def _read_only(environment: Mapping[str, str], project: str) -> Site:
    directories, system = find_directories(environment), ReadOnly()
    record = installed.load(system, directories.state)
    return site_of(system, directories, environment, project, record)


def site_of(
    system: System,
    directories: Directories,
    environment: Mapping[str, str],
    project: str,
    record: installed.Installed,
    artifact: Artifact | None = None,
) -> Site:
    """project: "" for where we are."""
    artifact = artifact or Runtime(directories)
    return Site(
        system,
        directories,
        environment,
        os.path.abspath(project) if project else os.getcwd(),
        record,
        artifact.command,
    )
