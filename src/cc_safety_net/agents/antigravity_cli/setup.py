"""Antigravity CLI: one wrong entry of anybody drops the whole file; what it sends.

The top-level keys of its file are names of hooks. Ours is `cc-safety-net`; entries of the guard
may stand under another name, which is then replaced.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from cc_safety_net.agents.antigravity_cli.spec import SPEC
from cc_safety_net.install.edit.editor import at_path
from cc_safety_net.install.edit.json import EDITOR
from cc_safety_net.install.entries import Host, Problem
from cc_safety_net.install.plan import EDIT, AgentPlan, Edited, FileChange
from cc_safety_net.install.setup import Obstacle, Setup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.site import Site

NAME = "cc-safety-net"

#: Events whose lists hold groups with a matcher; the others hold handlers.
_GROUPED = frozenset({"pretooluse", "posttooluse"})
_FLAT = frozenset({"preinvocation", "postinvocation", "stop", "sessionstart"})
#: Claimed for newer builds; if this one does not know them it may drop the file.
_DOUBTFUL = frozenset({"sessionend", "notification"})
_KINDS = frozenset({"command", "prompt"})


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool, as the print mode and the interactive mode send it."""
    return {
        "conversationId": "cc-safety-net-probe",
        "workspacePaths": [directory],
        "transcriptPath": f"{directory}/cc-safety-net-probe.jsonl",
        "artifactDirectoryPath": directory,
        "modelName": "probe",
        "stepIdx": 1,
        "toolCall": {"name": "run_command", "args": {"CommandLine": command, "Cwd": directory}},
    }


def validate(model: object) -> Sequence[Problem]:
    """What makes Antigravity CLI drop the whole file, with one line in its debug log."""
    problems: list[Problem] = []
    for name, hook in model.items() if isinstance(model, dict) else ():
        if name.lower() in _GROUPED | _FLAT:
            what = f'"{name}" stands at the top, where names of hooks belong'
            fix = f'put it inside a named hook: {{"my-hook": {{"{name}": …}}}}'
            problems.append(Problem((name,), _dropped(what), fix=fix))
        elif not isinstance(hook, dict):
            problems.append(Problem((name,), _dropped(f'"{name}" is not an object')))
        else:
            for key, value in hook.items():
                problems.extend(_judge(name, key, value))
    return problems


def _judge(name: str, key: str, value: object) -> list[Problem]:
    if key == "enabled":
        if isinstance(value, bool):
            return []
        return [Problem((name, key), _dropped('"enabled" must be true or false'))]
    event = key.lower()
    if event not in _GROUPED | _FLAT | _DOUBTFUL:
        # Unknown keys are passed over, and so is an event with a slip of the pen.
        what = f'"{key}" is no event that Antigravity CLI is known to have: it will not run'
        return [Problem((name, key), what, fatal=False)] if isinstance(value, list) else []
    if not isinstance(value, list):
        return [Problem((name, key), _dropped(f'"{key}" is not a list'))]
    problems: list[Problem] = []
    for index, entry in enumerate(value):
        path = (name, key, index)
        if event not in _GROUPED:
            problems.extend(Problem(path, _dropped(what)) for what in _complaints(entry))
            continue
        handlers = entry.get("hooks") if isinstance(entry, dict) else None
        if not isinstance(handlers, list):
            problems.append(Problem(path, _dropped('the list "hooks" is missing')))
            continue
        if not isinstance(entry.get("matcher", ""), str):
            problems.append(Problem(path, _dropped('"matcher" must be a string')))
        problems.extend(
            Problem((*path, "hooks", number), _dropped(what))
            for number, handler in enumerate(handlers)
            for what in _complaints(handler)
        )
    return problems


def _complaints(handler: object) -> list[str]:
    if not isinstance(handler, dict):
        return ["a hook is not an object"]
    found = []
    if "hooks" in handler:
        found.append('a group with "hooks" stands where a single hook belongs')
    elif handler.get("type", "command") not in _KINDS:
        found.append(f'unknown "type": {json.dumps(handler["type"])}')
    timeout = handler.get("timeout", 1)
    whole = isinstance(timeout, int) and not isinstance(timeout, bool)
    if not whole or not -(2**31) <= timeout < 2**31:
        found.append('"timeout" must be a whole number of seconds')
    found += [
        f'"{key}" must be a string'
        for key in ("command", "prompt", "model")
        if not isinstance(handler.get(key, ""), str)
    ]
    return found


def _dropped(what: str) -> str:
    return f"something that Antigravity CLI does not accept, so it drops the whole file: {what}"


class _AntigravityCli(Setup):
    def plan_entry(self, site: Site, scope: str, plan: AgentPlan) -> None:
        super().plan_entry(site, scope, plan)
        host, path, target = self._host(site, scope)
        before = site.read(target)
        for change in plan.changes:
            if isinstance(change, FileChange):
                before = change.after
        after = _enabled(host, before)
        if after == before:
            return
        site.require_writable(target)
        plan.changes.append(
            FileChange(
                EDIT,
                path,
                target,
                lambda content: Edited(_enabled(host, content)),
                f'"{NAME}" switched on again',
                before,
                after,
            )
        )

    def obstacles(self, site: Site, scope: str) -> Sequence[Obstacle]:
        host, path, target = self._host(site, scope)
        content = site.read(target)
        text, _ = host.decode(content)
        if _is_off(host.editor.model(text, host.name)):
            return [
                Obstacle(
                    f'{path}: "enabled" of "{NAME}" is false', 'set it to true, or run "install"'
                )
            ]
        return []

    def _host(self, site: Site, scope: str) -> tuple[Host, str, str]:
        host, path, target = super()._host(site, scope)
        return replace(host, any_name=True), path, target


def _is_off(model: object) -> bool:
    return at_path(model, (NAME, "enabled")) is False


def _enabled(host: Host, content: bytes | None) -> bytes | None:
    """The file with our named hook switched on."""
    if content is None:
        return None
    text, mark = host.decode(content)
    if not _is_off(host.editor.model(text, host.name)):
        return content
    return (mark + EDITOR.with_value(text, (NAME, "enabled"), "true")).encode()


SETUP = _AntigravityCli(SPEC, payload, validate=validate)
