"""`doctor`: examine and prove; text and JSON from one report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cc_safety_net.cli.output import tilde
from cc_safety_net.cli.progress import Progress
from cc_safety_net.cli.result import Result
from cc_safety_net.doctor.examination import examine_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_MARKS = {"info": "ok", "warning": "..", "error": "!!"}
_QUIET = frozenset({"not-detected"})


def doctor(names: Sequence[str], *, verbose: bool) -> Result:
    """Exit code 1 if an error was found."""
    with Progress() as progress:
        report = examine_all(dict(os.environ), os.getcwd(), names, progress.watch)
    data = report.to_json()
    data["verbose"] = verbose
    return Result("doctor", data, lines, exit_code=0 if report.ok else 1)


def lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The screen: one line an agent, then the findings, then the count."""
    system = data["system"]
    yield (f"cc-safety-net {system['version']}   Python {system['python']}   {system['platform']}")
    runtime = data["runtime"]
    mark = "ok" if runtime["state"] in ("ok", "absent") else "!!"
    yield f"  {mark}  runtime          {runtime['state']}" + (
        f"  {runtime['version']} ({str(runtime['hash'])[:8]})" if "hash" in runtime else ""
    )
    absent = []
    for agent in data["agents"]:
        if agent["state"] in _QUIET and not data["verbose"]:
            absent.append(agent["title"])
            continue
        yield from _agent_lines(agent, data)
    if absent:
        yield f"  -   not found: {', '.join(absent)}"
    shown = [f for f in data["findings"] if f["severity"] != "info"]
    for number, finding in enumerate(shown, 1):
        yield ""
        yield f" {number} {_MARKS[finding['severity']]} {finding['title']}   {finding['id']}"
        if finding.get("path"):
            yield f"     {tilde(finding['path'])}"
        if finding["detail"]:
            yield f"     {tilde(finding['detail'])}"
        if finding["fix"]:
            yield f"     fix: {tilde(finding['fix'])}"
    yield ""
    yield _summary(data)


def _agent_lines(agent: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[str]:
    worst = "info"
    for finding in data["findings"]:
        if finding.get("agent") == agent["name"] and finding["severity"] != "info":
            worst = finding["severity"] if worst != "error" else worst
    mark = "-" if agent["state"] == "not-detected" else _MARKS[worst]
    text = f"  {mark:2}  {agent['name']:15}  {agent['state']}"
    if agent["version"]:
        text += f"  {agent['version']}"
    text += f"  {agent['scope']}"
    if agent["path"]:
        text += f"  {tilde(agent['path'])}"
    for name in ("deny", "allow"):
        if name in agent["probes"]:
            text += f"  {name} {agent['probes'][name]['ms']} ms"
    yield text
    if data["verbose"]:
        if agent["command"]:
            yield f"        entry: {tilde(agent['command'])}"
        for name, probe in agent["probes"].items():
            answer = "right" if probe["ok"] else f"WRONG: {probe['wrong']}"
            yield f"        {name}: {answer}, exit {probe['exit']}, {probe['ms']} ms"


def _summary(data: Mapping[str, Any]) -> str:
    counts = {"error": 0, "warning": 0}
    for finding in data["findings"]:
        if finding["severity"] in counts:
            counts[finding["severity"]] += 1
    if not any(counts.values()):
        if all(agent["state"] in _QUIET for agent in data["agents"]):
            return "Not found on this machine: nothing is to be protected."
        return "Every agent that was found is protected: each installed entry gave right answers."
    return ", ".join(f"{n} {word}{'s' if n != 1 else ''}" for word, n in counts.items() if n)
