"""Everything doctor looks at, in order; each check that fails to run is a result of its own."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from cc_safety_net import __version__
from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.doctor.agents import examine
from cc_safety_net.doctor.report import ERROR, PROVED, AgentReport, Finding, Report
from cc_safety_net.doctor.runtime import examine_runtime
from cc_safety_net.errors import Usage
from cc_safety_net.install import installed, recovery
from cc_safety_net.install.artifact import Runtime
from cc_safety_net.install.directories import find_directories
from cc_safety_net.install.setup import load_setup
from cc_safety_net.install.site import Site
from cc_safety_net.install.system import ReadOnly

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.install.setup import Setup


#: Told of each program that is started, with the agent and the time limit; of none at its end.
Watch = Callable[[str, Sequence[str], float], None]


def _unseen(agent: str, argv: Sequence[str], limit: float) -> None:
    del agent, argv, limit


def examine_all(
    environment: Mapping[str, str],
    project: str,
    names: Sequence[str] = (),
    watch: Watch = _unseen,
) -> Report:
    """Examine the named agents, or all; reads and runs, changes nothing."""
    for name in names:
        if name not in PACKAGES:
            near = get_close_matches(name.lower(), PACKAGES, 1)
            known = f"did you mean {near[0]}?" if near else f"known: {', '.join(PACKAGES)}"
            raise Usage(f"unknown agent: {name}", known)
    directories = find_directories(environment)
    system = ReadOnly()
    record = installed.load(system, directories.state)
    site = Site(system, directories, environment, project, record, Runtime(directories).command)
    runtime, findings, broken = examine_runtime(directories, expected=bool(record.agents))
    if recovery.pending(system, directories.state):
        findings.append(
            Finding(
                "install.interrupted",
                ERROR,
                "An installation was interrupted",
                "it is taken back at the next start of install, uninstall or update",
                "cc-safety-net update",
                path=directories.state,
            )
        )
    setups = [load_setup(name) for name in (names or PACKAGES) if _has_setup(name)]
    sites = [_watched(site, setup, watch) for setup in setups]
    with ThreadPoolExecutor(max_workers=len(setups) or 1) as pool:
        examined = pool.map(lambda setup, site: _examine(setup, site, broken), setups, sites)
        try:
            agents = [report for reports in examined for report in reports]
        except BaseException:
            for each in sites:
                each.system.stop()
            raise
    findings += [finding for agent in agents for finding in agent.findings]
    if not names and not any(agent.state in PROVED for agent in agents):
        findings.append(
            Finding(
                "agents.none-protected",
                ERROR,
                "No agent is protected",
                "no agent was found"
                if not any(agent.detected for agent in agents)
                else "no installed entry gave the right answers",
                "cc-safety-net install --all",
            )
        )
    machine = {
        "version": __version__,
        "python": platform.python_version(),
        "platform": platform.system(),
    }
    return Report(agents, runtime, machine, findings)


def _watched(site: Site, setup: Setup, watch: Watch) -> Site:
    """The site for one agent, whose programs are told of as its own."""
    system, name = ReadOnly(), setup.spec.name
    system.started = lambda argv, limit: watch(name, argv, limit)
    system.ended = lambda: watch(name, (), 0)
    return replace(site, system=system)


def _has_setup(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(f"{PACKAGES[name]}.setup") is not None


def _examine(setup: Setup, site: Site, broken: list[str]) -> list[AgentReport]:
    try:
        return examine(setup, site, broken)
    except Exception as error:  # noqa: BLE001 - a check that throws is a result, the rest goes on
        spec = setup.spec
        what = f"{type(error).__name__}: {error}"
        finding = Finding("agent.na", ERROR, f"{spec.title}: not examined", what, "", spec.name)
        return [AgentReport(spec.name, spec.title, False, "n/a", findings=[finding])]
