"""Devin: one unknown event of anybody drops the whole file; what it sends.

In the user's config the events stand below `hooks`; the project's `hooks.v1.json` is itself that
object.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cc_safety_net.agents.devin.lint import EVENTS, lint
from cc_safety_net.agents.devin.spec import SPEC
from cc_safety_net.install.entries import Problem
from cc_safety_net.install.setup import Lint, Setup
from cc_safety_net.install.site import PROJECT, USER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.edit.editor import Path
    from cc_safety_net.install.entries import Validate
    from cc_safety_net.install.site import Site

_KINDS = {"command": "command", "prompt": "prompt"}


def payload(command: str, directory: str) -> Mapping[str, object]:
    """A call of the shell tool; the project is told by a variable only."""
    del directory
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "cc-safety-net-probe",
        "prompt_id": "cc-safety-net-probe",
        "tool_name": "exec",
        "tool_use_id": "cc-safety-net-probe",
        "tool_input": {"command": command, "shell_id": "main"},
    }


def validate_config(model: object) -> Sequence[Problem]:
    """The user's config: `hooks` with the eight events, other settings beside it."""
    if not isinstance(model, dict):
        return ()
    stray = [name for name in model if name in EVENTS]
    problems = [
        Problem(
            (name,),
            f'"{name}" stands outside of "hooks", so Devin does not run it',
            fatal=False,
        )
        for name in stray
    ]
    hooks = model.get("hooks", {})
    if not isinstance(hooks, dict):
        return problems
    return [*problems, *_judge(hooks, ("hooks",))]


def validate_hooks_file(model: object) -> Sequence[Problem]:
    """The project's file: the events themselves, without an object `hooks` around them."""
    if not isinstance(model, dict):
        return ()
    if "hooks" in model:
        what = _dropped('a key "hooks" around the events; the file is itself that object')
        fix = (
            'take the wrapper away: what stands inside "hooks": { … } becomes the whole file, '
            'as in {"PreToolUse": [ … ]}; then run the command again'
        )
        return [Problem(("hooks",), what, fix=fix)]
    return _judge(model, ())


def _judge(hooks: Mapping[str, object], above: tuple[str, ...]) -> list[Problem]:
    problems: list[Problem] = []
    for event, groups in hooks.items():
        if event not in EVENTS:
            problems.append(Problem((*above, event), _dropped(f'unknown event "{event}"')))
            continue
        if not isinstance(groups, list):
            problems.append(Problem((*above, event), _dropped(f'"{event}" is not a list')))
            continue
        for index, group in enumerate(groups):
            path: Path = (*above, event, index)
            handlers = group.get("hooks") if isinstance(group, dict) else None
            if not isinstance(handlers, list):
                problems.append(Problem(path, _dropped('the list "hooks" is missing')))
                continue
            if not isinstance(group.get("matcher", ""), str):
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
    kind = handler.get("type")
    if kind not in _KINDS:
        return [f'unknown "type": {json.dumps(kind)}']
    found = []
    if not isinstance(handler.get(_KINDS[kind]), str):
        found.append(f'"{_KINDS[kind]}" is missing')
    timeout = handler.get("timeout", 1)
    if not isinstance(timeout, int | float) or isinstance(timeout, bool) or timeout <= 0:
        found.append('"timeout" must be a number above 0')
    return found


def _dropped(what: str) -> str:
    return f"something that Devin does not accept, so it drops all hooks of the file: {what}"


class _Devin(Setup):
    def validator(self, scope: str) -> Validate:
        return validate_hooks_file if scope == PROJECT else validate_config

    def lint(self, site: Site) -> Sequence[Lint]:
        return list(lint(site, self.path(site, USER)))


SETUP = _Devin(SPEC, payload)
