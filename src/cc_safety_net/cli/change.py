"""`install`, `uninstall` and `update`: targets, consent, progress, and how the outcome is shown."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cc_safety_net import __version__
from cc_safety_net.cli import output, picker
from cc_safety_net.cli.output import tilde
from cc_safety_net.cli.progress import Progress
from cc_safety_net.cli.result import Result
from cc_safety_net.cli.targets import LATER, spec_of
from cc_safety_net.errors import SafetyNetError, Usage
from cc_safety_net.install.detection import detected_agents, installed_agents, standing_agents
from cc_safety_net.install.operations import UPDATE, Operation
from cc_safety_net.install.release import upgrade_command
from cc_safety_net.install.setup import installable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cc_safety_net.install.result import Result as Outcome

_SCOPES = ("user", "project")
_DONE = {
    "applied": {"installed": "installed", "removed": "removed", "unchanged": "already up to date"},
    "planned": {"installed": "would be installed", "removed": "would be removed"},
}


@dataclass(frozen=True, slots=True)
class Request:
    """The options of one of the three commands."""

    command: str
    targets: Sequence[str]
    every: bool
    scope: str
    dry_run: bool
    diff: bool
    yes: bool
    as_json: bool


def change(request: Request) -> Result:
    """Plan, show, apply; the result carries the exit code."""
    if request.scope not in _SCOPES:
        raise Usage(f"--scope: unknown scope {request.scope}", f"one of: {', '.join(_SCOPES)}")
    targets = _targets(request)
    if not targets:
        what = "no agent was found on this machine"
        if request.command != "install":
            what = "nothing is installed"
        data = {"result": "unchanged", "agents": [], "notes": [what], "diff": False}
        return Result(request.command, data, lines)
    with Progress() as progress:
        outcome = Operation(
            request.command,
            targets,
            dict(os.environ),
            scope=request.scope,
            project=os.getcwd(),
            dry_run=request.dry_run,
            older=request.yes,
            report=partial(_report, progress, request),
            watch=progress.watch,
            confirm=lambda planned: _consent(request, planned),
        ).run()
    data = dict(outcome.to_json(diff=request.diff))
    data.pop("v")
    data.pop("command")
    data["diff"] = request.diff
    notes: list[str] = list(outcome.notes)
    if request.command == UPDATE and outcome.error is None:
        notes.append(f"this program is {__version__}; what updates it: {upgrade_command()}")
        data["notes"] = notes
    code = outcome.exit_code
    if outcome.result == "planned" and not request.dry_run:
        data["notes"] = [*notes, "nothing was changed"]
        code = 1
    return Result(request.command, data, partial(lines, command=request.command), exit_code=code)


def _targets(request: Request) -> list[str]:
    if request.every and request.targets:
        raise Usage("--all and an agent's option exclude each other", "leave one of them out")
    if request.targets:
        return list(request.targets)
    if request.command == "install":
        found = [name for name in detected_agents(os.environ) if _has(name, request.scope)]
    else:
        found = installed_agents(os.environ, scope=request.scope)
    if request.every:
        if not request.yes and not request.dry_run and not _terminal():
            raise Usage("--all asks before it changes anything", "add --yes")
        return found
    if request.command == UPDATE:
        return found
    if picker.available and _terminal() and not request.as_json:
        return _picked(request)
    flags = " ".join(spec_of(name).install_flag for name in found) or "none"
    state = "found on this machine" if request.command == "install" else "installed"
    raise Usage(
        f"no agent is named; {state}: {flags}",
        f"cc-safety-net {request.command} --all, or name agents by their options",
    )


def _picked(request: Request) -> list[str]:
    """The agents that a person marks in the list of all."""
    standing = standing_agents(os.environ, scope=request.scope)
    detected = detected_agents(os.environ)
    words = {True: "installed", None: "its config can't be read"}
    choices = []
    for name in installable():
        if not _has(name, request.scope):
            continue
        state = words.get(standing[name]) or ("found" if name in detected else "not found")
        choices.append(picker.Choice(name, state))
    if request.scope == "user":
        choices += [picker.Choice(name, "not supported yet", offered=False) for name in LATER]
    picked = picker.pick(request.command, choices)
    if picked is None:
        raise SafetyNetError("nothing was changed", code="declined")
    return picked


def _has(name: str, scope: str) -> bool:
    return scope != "project" or spec_of(name).project_scope


def _terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _report(progress: Progress, request: Request, phase: str, agent: str, detail: str) -> None:
    """What passes is shown while it takes long; what a person must know of stays."""
    said = {
        "wait": detail,
        "roll-back": f"taking everything back{f' ({agent} failed)' if agent else ''}",
    }.get(phase)
    if said and not request.as_json:
        progress.say(said)
    if phase == "preview":
        progress.pause()
    elif agent or said:
        apply = "removing" if request.command == "uninstall" else "installing"
        words = {"plan": "looking", "apply": apply, "verify": "proving", "wait": "waiting"}
        progress.step(agent, words.get(phase, "taking back"))


def _consent(request: Request, planned: Outcome) -> bool:
    """The plan on stderr; `--all` and the list ask once, named agents are consent enough."""
    if not request.as_json:
        data = {**planned.to_json(diff=request.diff), "diff": request.diff}
        for text in _plan_lines(data):
            output.line(text, sys.stderr)
    asks = request.every or (not request.targets and request.command != UPDATE)
    if request.yes or not asks:
        return True
    count = sum(len(agent.changes) for agent in planned.agents)
    sys.stderr.write(f"Apply {'this change' if count == 1 else f'these {count} changes'}? [y/N] ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:
        raise SafetyNetError("no answer", "add --yes", code="interrupted")
    return answer.strip().lower() in ("y", "yes")


# --- text ----------------------------------------------------------------------------------------


def _plan_lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield "Plan"
    for agent in data["agents"]:
        for item in agent["changes"]:
            what = " ".join(item["argv"]) if "argv" in item else tilde(item["path"])
            yield f"  {agent['name']:15}  {item['kind']:6}  {tilde(what)}  {item['summary']}"
            for text in (item.get("diff") or "").splitlines():
                yield f"    {text}"
    runtime = data.get("runtime")
    if runtime:
        yield f"  {'runtime':15}  {runtime['kind']:6}  {runtime['summary']}"


def lines(data: Mapping[str, Any], command: str = "install") -> Iterator[str]:
    """The outcome for a person; the last line says what is to do next."""
    if data["result"] == "planned":
        yield from _plan_lines(data)
    states = dict(_DONE.get(data["result"], {}))
    if command == UPDATE and data["result"] == "applied":
        states["installed"] = "updated"
        if data.get("runtime"):
            yield f"  {'runtime':15}  {data['runtime']['summary']}"
    for agent in data["agents"]:
        text = f"  {agent['name']:15}  {states.get(agent['state'], _state(agent, data, command))}"
        if "verify" in agent:
            text += f", verified  ({agent['verify']['ms']} ms)"
        yield text
        if "error" in agent:
            yield f"                   {tilde(agent['error']['message'])}"
    yield from _notes(data["agents"])
    for note in data["notes"]:
        yield f"note: {tilde(note)}"
    if data["result"] == "rolled-back":
        yield "Everything was taken back; the files are as they were."
    elif data["result"] == "applied" and any(a["state"] == "installed" for a in data["agents"]):
        yield "Proof at any time: cc-safety-net doctor"


def _notes(agents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each once; whom it concerns, where there are several."""
    named: dict[str, list[str]] = {}
    for agent in agents:
        for note in agent["notes"]:
            named.setdefault(note, []).append(agent["name"])
    for note, names in named.items():
        whom = f"{', '.join(names)}: " if len(agents) > 1 else ""
        yield f"note: {whom}{tilde(note)}"


def _state(agent: Mapping[str, Any], data: Mapping[str, Any], command: str) -> str:
    if agent["state"] == "failed":
        return "failed"
    if data["result"] == "unchanged" and agent["state"] == "unchanged" and "error" not in data:
        return "not installed" if command == "uninstall" else "already up to date"
    return "not changed"
