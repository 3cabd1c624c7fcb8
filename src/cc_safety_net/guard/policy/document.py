"""One policy file: its form, checked key by key. What it says is applied by `effective.py`."""

from __future__ import annotations

from cc_safety_net.guard import clock
from cc_safety_net.guard.json_text import JsonError, decode_json, line_of, quote
from cc_safety_net.guard.policy.settings import LEVELS, PACKS, Problem, never_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SIZE = 1024 * 1024
VERSION = 2
AGENTS = (
    "claude-code",
    "codex",
    "gemini-cli",
    "copilot-cli",
    "cursor",
    "antigravity-cli",
    "kimi-code",
    "grok-build",
    "hermes-agent",
    "openclaw",
    "opencode",
    "pi",
    "amp",
    "devin",
)
ACTIONS = ("deny", "ask", "allow", "on", "off", "form")
_SWITCH = ("on", "off")


class Invalid(Exception):
    """A document that can't be used; `problem` says where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class _Wrong(Exception):
    """A value that is not permitted at this place."""

    def __init__(self, path: tuple[str, ...], what: str) -> None:
        super().__init__(what)
        self.path = path
        self.what = what


def read(data: bytes, file: str, *, project: bool = False) -> dict[str, Any]:
    """The checked document of a file's bytes; Invalid if there is none."""
    if len(data) > SIZE:
        raise Invalid(Problem(file, f"larger than {SIZE:,} bytes"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Invalid(Problem(file, "not UTF-8", line=line)) from None
    try:
        document = decode_json(text)
    except JsonError as error:
        position = error.position
        if error.key:
            position = _second(text, error.key)
        raise Invalid(
            Problem(file, error.what, line=line_of(text, position), key=error.key)
        ) from None
    try:
        check(document, project=project)
    except _Wrong as wrong:
        line = line_of(text, locate(text, wrong.path))
        key = ".".join(wrong.path)
        raise Invalid(Problem(file, wrong.what, line=line, key=key)) from None
    return document  # type: ignore[no-any-return] # check() has seen that it is an object


def check(document: Any, *, project: bool = False) -> None:
    """Raise for the first key or value that is not permitted."""
    if not isinstance(document, dict):
        raise _Wrong((), "must be an object")
    version = document.get("version")
    if version is None:
        raise _Wrong((), f'"version": {VERSION} is missing')
    if isinstance(version, bool) or not isinstance(version, int):
        raise _Wrong(("version",), "must be a whole number")
    if version > VERSION:
        raise _Wrong(("version",), "is of a newer program: update cc-safety-net")
    if version < (1 if project else VERSION):
        raise _Wrong(("version",), f"must be {VERSION}; `cc-safety-net policy import` converts")
    _object(document, (), _TOP)


def _object(value: Any, path: tuple[str, ...], table: dict[str, Any]) -> None:
    if not isinstance(value, dict):
        raise _Wrong(path, "must be an object")
    for key, item in value.items():
        here = (*path, key)
        rule = table.get(key)
        if rule is None:
            raise _Wrong(here, "unknown key")
        if isinstance(rule, dict):
            _object(item, here, rule)
        else:
            rule(item, here)


def _boolean(value: Any, path: tuple[str, ...]) -> None:
    if not isinstance(value, bool):
        raise _Wrong(path, "must be true or false")


def _one_of(*choices: str) -> Callable[[Any, tuple[str, ...]], None]:
    def check_choice(value: Any, path: tuple[str, ...]) -> None:
        if value not in choices or not isinstance(value, str):
            raise _Wrong(path, "must be one of " + ", ".join(choices))

    return check_choice


def _number(low: int, high: int) -> Callable[[Any, tuple[str, ...]], None]:
    def check_number(value: Any, path: tuple[str, ...]) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _Wrong(path, f"must be a whole number from {low} to {high}")

    return check_number


def _strings(value: Any, path: tuple[str, ...]) -> None:
    if not isinstance(value, list):
        raise _Wrong(path, "must be a list of strings")
    for item in value:
        if not isinstance(item, str) or not item.strip():
            raise _Wrong(path, "must be a list of strings that are not empty")
        if "\0" in item:
            raise _Wrong(path, "a path holds a NUL character")


def _rules(value: Any, path: tuple[str, ...]) -> None:
    _actions(value, path, ACTIONS)


def _overrides(value: Any, path: tuple[str, ...]) -> None:
    _actions(value, path, _SWITCH)


def _actions(value: Any, path: tuple[str, ...], choices: tuple[str, ...]) -> None:
    if not isinstance(value, dict):
        raise _Wrong(path, "must be an object of rule ids")
    permitted = _one_of(*choices)
    for rule_id, action in value.items():
        here = (*path, rule_id)
        permitted(action, here)
        if action not in ("deny", "on") and never_off(rule_id):
            raise _Wrong(here, "this rule can't be switched off")


def _packs(value: Any, path: tuple[str, ...]) -> None:
    if not isinstance(value, dict):
        raise _Wrong(path, "must be an object of pack names")
    permitted = _one_of("on", "off", "ask")
    for name, setting in value.items():
        if name not in PACKS:
            raise _Wrong((*path, name), "no such pack; there are " + ", ".join(PACKS))
        permitted(setting, (*path, name))


def _agents(value: Any, path: tuple[str, ...]) -> None:
    if not isinstance(value, dict):
        raise _Wrong(path, "must be an object of agents")
    for name, settings in value.items():
        if name not in AGENTS:
            raise _Wrong((*path, name), "no such agent")
        _object(settings, (*path, name), _AGENT)


_COMMAND_KEYS = ("command", "match", "cwd", "agents", "reason", "expires")


def _commands(value: Any, path: tuple[str, ...]) -> None:
    if not isinstance(value, list):
        raise _Wrong(path, "must be a list of objects")
    for entry in value:
        if not isinstance(entry, dict):
            raise _Wrong(path, "must be a list of objects")
        for key in entry:
            if key not in _COMMAND_KEYS:
                raise _Wrong((*path, key), "unknown key")
        for key in ("command", "reason", "expires"):
            text = entry.get(key)
            if not isinstance(text, str) or not text.strip():
                raise _Wrong((*path, key), "is required, a string")
        _one_of("exact", "argv")(entry.get("match"), (*path, "match"))
        if not isinstance(entry.get("cwd", ""), str):
            raise _Wrong((*path, "cwd"), "must be a string")
        _strings(entry.get("agents", []), (*path, "agents"))
        if clock.parse(entry["expires"]) is None:
            raise _Wrong((*path, "expires"), "must be a date (2027-01-31) or a time in UTC")


_SAFETY: dict[str, Any] = {
    "level": _one_of(*LEVELS),
    "overrides": {
        "fail_closed": _boolean,
        "paranoid_rm": _boolean,
        "paranoid_interpreters": _boolean,
    },
    "loss_aware": _boolean,
    "loss_budget": _number(10, 500),
}
_AGENT: dict[str, Any] = {"safety": _SAFETY, "rules": _rules, "packs": _packs}
_TOP: dict[str, Any] = {
    "version": _number(1, VERSION),
    "safety": _SAFETY,
    "workflow": {"worktree_mode": _boolean},
    "destructive_command_protection": {
        "enabled": _boolean,
        "overrides": _overrides,
        "allow_paths": _strings,
    },
    "secret_protection": {
        "enabled": _boolean,
        "overrides": _overrides,
        "deny_paths": _strings,
        "allow_paths": _strings,
    },
    "rules": _rules,
    "packs": _packs,
    "deny_paths": _strings,
    "allow_paths": _strings,
    "allow_commands": _commands,
    "agents": _agents,
    "project_trust": _one_of("allow", "never"),
    "audit": {
        "retention_days": _number(1, 365),
        "scope": _one_of("all", "denied"),
        "max_mb": _number(1, 1024),
    },
}


def locate(text: str, path: tuple[str, ...]) -> int:
    """Where the key of a dotted path stands in the text; where its last known parent does."""
    position = -1
    for key in path:
        found = _key(text, key, max(position, 0))
        if found < 0:
            break
        position = found
    return position


def _key(text: str, key: str, start: int) -> int:
    quoted = quote(key)
    while True:
        found = text.find(quoted, start)
        after = found + len(quoted)
        if found < 0 or text[after : after + 64].lstrip()[:1] == ":":
            return found
        start = found + 1


def _second(text: str, key: str) -> int:
    first = _key(text, key, 0)
    return _key(text, key, first + 1) if first >= 0 else -1
