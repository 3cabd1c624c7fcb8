"""The state of one agent: read from its own config, proved by running what stands there."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from cc_safety_net.doctor.probes import run_probes
from cc_safety_net.doctor.report import ERROR, STATES, WARNING, AgentReport, Finding
from cc_safety_net.errors import SafetyNetError, Unreadable
from cc_safety_net.install.site import PROJECT, USER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.install.setup import Setup
    from cc_safety_net.install.site import Site


def examine(setup: Setup, site: Site, runtime_problems: list[str]) -> list[AgentReport]:
    """The user's installation, and the project's if something of ours stands there."""
    reports = [_examine(setup, site, USER, runtime_problems)]
    if setup.spec.project_scope and _stands(setup, site, PROJECT):
        reports.append(_examine(setup, site, PROJECT, runtime_problems))
    if reports[0].state not in ("not-detected", "n/a") or len(reports) > 1:
        reports[0].findings.extend(_lint(setup, site, reports))
    return reports


def _lint(setup: Setup, site: Site, reports: list[AgentReport]) -> Iterator[Finding]:
    """Without what already stands there as the reason why the file is dropped."""
    rejected = {
        finding.path
        for report in reports
        for finding in report.findings
        if finding.id == "agent.rejected-config"
    }
    for lint in setup.lint(site):
        if lint.severity != ERROR or lint.path not in rejected:
            title = f"{setup.spec.title}: hook file"
            yield Finding(
                lint.id, lint.severity, title, lint.what, lint.fix, setup.spec.name, lint.path
            )


def _stands(setup: Setup, site: Site, scope: str) -> bool:
    if site.key(setup.spec, scope) in site.installed.agents:
        return True
    try:
        if os.path.realpath(setup.path(site, scope)) == os.path.realpath(setup.path(site, USER)):
            return False  # run in the home, where both are one file
        return bool(setup.commands(site, scope))
    except (SafetyNetError, OSError):
        return False


def _examine(setup: Setup, site: Site, scope: str, runtime_problems: list[str]) -> AgentReport:
    spec = setup.spec
    report = AgentReport(spec.name, spec.title, False, "n/a", scope)
    try:
        report.detected = setup.detected(site)
        report.path = setup.path(site, scope)
        commands = setup.commands(site, scope) or setup.displaced(site, scope)
    except Unreadable as error:
        _set(report, "rejected-config", error.message, error.hint)
        return report
    except (SafetyNetError, OSError) as error:
        hint = error.hint if isinstance(error, SafetyNetError) else ""
        _set(report, "n/a", str(error), hint)
        return report
    record = site.installed.record(site.key(spec, scope))
    report.version = str(record.get("version", ""))
    if not commands:
        _not_installed(report, setup, expected=bool(record))
        if report.detected:
            _accepted(report, setup, site, scope)
        return report
    report.command = commands[0]
    _prove(report, setup, site, scope, commands)
    _judge(report, setup, site, scope, commands, runtime_problems)
    return report


def _not_installed(report: AgentReport, setup: Setup, *, expected: bool) -> None:
    fix = f"cc-safety-net install {setup.spec.install_flag}"
    if expected:
        _set(report, "not-installed", "the entry that was installed is gone", fix, severity=ERROR)
    elif report.detected:
        _set(report, "not-installed", "the agent is here and calls no guard", fix)
    else:
        report.state = "not-detected"


def _prove(report: AgentReport, setup: Setup, site: Site, scope: str, commands: list[str]) -> None:
    """Probes of every command; of several, those of the first with a wrong answer are kept."""
    folder = site.project if scope == PROJECT else site.directories.home
    probe = setup.probe(site, scope, folder)
    for command in commands:
        results = run_probes(site.system, setup.spec, probe, command, site.environment)
        if not report.probes or not all(result.ok for result in results.values()):
            report.probes, report.command = results, command
        if not all(result.ok for result in results.values()):
            return


def _judge(
    report: AgentReport,
    setup: Setup,
    site: Site,
    scope: str,
    commands: list[str],
    runtime_problems: list[str],
) -> None:
    """The worst that holds is the state; the rest are findings beside it."""
    flag = setup.spec.install_flag
    install = f"cc-safety-net install {flag}" + (" --scope project" if scope == PROJECT else "")
    wrong = [f"{name}: {result.wrong}" for name, result in report.probes.items() if result.wrong]
    launcher = _launcher(report.command)
    missing = bool(launcher) and not site.system.executable(launcher)
    report.state = "protected"
    if len(commands) > 1:
        _set(report, "registered-twice", f"{len(commands)} entries call the guard", install)
    for path, _, _ in setup.second_ways(site, scope):
        _set(report, "registered-twice", f"{path} calls the guard too", install, path=path)
    if site.command(setup.spec, scope) not in commands and not wrong:
        _set(report, "installed-but-old", "the entry has another form than this version's", install)
    if missing:
        _set(report, "guard-not-executable", f"{launcher}: missing or not executable", install)
    elif wrong and runtime_problems:
        _set(report, "guard-not-executable", "; ".join(runtime_problems), install)
    elif wrong:
        detail = f"`{report.command}` answered wrongly: {' '.join('; '.join(wrong).split())}"
        _set(report, "wrong-answer", detail, install)
    _accepted(report, setup, site, scope)
    for obstacle in setup.obstacles(site, scope):
        state = report.state
        _set(report, obstacle.state, obstacle.what, obstacle.fix, path=obstacle.path)
        if STATES[state] == ERROR:
            report.state = state


def _accepted(report: AgentReport, setup: Setup, site: Site, scope: str) -> None:
    """One bad entry of anybody makes some agents drop all hooks of the file."""
    try:
        setup.require_accepted(site, scope)
    except Unreadable as error:
        _set(report, "rejected-config", error.message, error.hint)


def _launcher(command: str) -> str:
    """The first absolute program that a command names, "" if none can be told."""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    return next((w for w in words if os.path.isabs(w) and w.endswith("cc-safety-net")), "")


def _set(
    report: AgentReport, state: str, detail: str, fix: str, *, severity: str = "", path: str = ""
) -> None:
    report.state = state
    severity = severity or STATES[state]
    if state == "n/a":
        severity = WARNING
    report.findings.append(
        Finding(
            f"agent.{state.replace('/', '')}",
            severity,
            f"{report.title}: {state}",
            detail,
            fix,
            report.name,
            path or report.path,
        )
    )
