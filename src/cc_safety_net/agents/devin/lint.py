"""What is doubtful in Devin's hook files, whoever put it there. Reads; changes nothing.

Devin drops a whole file for one wrong name, and goes on after a hook that fails.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.install import ownership
from cc_safety_net.install.peek import Document, peek
from cc_safety_net.install.setup import Lint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cc_safety_net.install.site import Site

EVENTS = frozenset(
    {"PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit"}
    | {"Stop", "PostCompaction", "SessionStart", "SessionEnd"}
)
_TOOL_EVENTS = frozenset({"PreToolUse", "PostToolUse", "PermissionRequest"})
_BLOCKING = frozenset({"PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop"})
_TOOLS = (
    *("exec", "write_to_process", "write", "edit", "notebook_edit", "notebook_read"),
    *("apply_patch", "read", "grep", "glob", "find_file_by_name", "mcp_call_tool"),
    *("mcp__server__tool", "run_subagent", "webfetch", "web_search", "todo_write", "skill"),
    *("request_scope", "ask_user_question", "get_output", "kill_shell", "read_subagent"),
    *("browser_preview", "exit_plan_mode"),
)
_SHORTEST_SECONDS = 5
_REWRITES = ("updatedInput", "modifiedInput", "updated_input", "modifiedArgs", "overwrite")
_INTERPRETERS = frozenset(
    {"bash", "sh", "dash", "zsh", "python", "python3", "node", "bun", "deno", "ruby", "perl"}
)
_EXITS = re.compile(r"\b(?:sys\.exit|process\.exit|os\._exit|exit|return)\s*\(?\s*(\d+)")
_SCRIPT_BYTES = 64 * 1024


@dataclass(frozen=True)
class _Handler:
    """A handler where it stands. place: for people. fields: as they are in the file."""

    path: str
    place: str
    event: str
    matcher: object
    fields: Mapping[str, object]

    @property
    def command(self) -> str:
        return str(self.fields.get("command", ""))

    @property
    def ours(self) -> bool:
        return ownership.is_ours(self.fields)


def lint(site: Site, user_config: str) -> Iterator[Lint]:
    """Of the user's config and of the project's three files."""
    below = os.path.join(site.project, ".devin")
    files = {os.path.realpath(user_config): (user_config, True)}
    for name, wrapped in (("hooks.v1.json", False), ("config.json", True)):
        files.setdefault(os.path.join(below, name), (os.path.join(below, name), wrapped))
    local = os.path.join(below, "config.local.json")
    files.setdefault(local, (local, True))
    handlers: list[_Handler] = []
    for path, wrapped in files.values():
        document = peek(site, path)
        yield from _shape(document, path, wrapped=wrapped)
        handlers += _handlers(document, path, wrapped=wrapped)
    for number, handler in enumerate(handlers):
        yield from _judge(site, handler)
        yield from _order(site, handler, handlers[:number])


def _shape(document: Document, path: str, *, wrapped: bool) -> Iterator[Lint]:
    model = document.model
    if not wrapped and "hooks" in model:
        what = 'a key "hooks" around the events: this file is itself that object'
        yield _lint("wrapper", "error", document, path, ("hooks",), what, "take the wrapper away")
        return
    for name in model if wrapped else ():
        if name in EVENTS:
            what = f'"{name}" stands outside of "hooks", so it does not run'
            fix = f'put it inside: {{"hooks": {{"{name}": …}}}}'
            yield _lint("missing-wrapper", "warning", document, path, (name,), what, fix)
    hooks = model.get("hooks") if wrapped else model
    above = ("hooks",) if wrapped else ()
    for name in hooks if isinstance(hooks, dict) else ():
        if name not in EVENTS:
            what = f'unknown event "{name}": Devin drops all hooks of this file'
            fix = f"one of: {', '.join(sorted(EVENTS))}"
            yield _lint("unknown-event", "error", document, path, (*above, name), what, fix)


def _lint(
    name: str,
    severity: str,
    document: Document,
    path: str,
    where: Sequence[str | int],
    what: str,
    fix: str,
) -> Lint:
    line = document.line(where)
    return Lint(f"devin.{name}", severity, f"line {line}: {what}" if line else what, fix, path)


def _handlers(document: Document, path: str, *, wrapped: bool) -> list[_Handler]:
    hooks = document.model.get("hooks") if wrapped else document.model
    above = ("hooks",) if wrapped else ()
    found = []
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for index, group in enumerate(groups if isinstance(groups, list) else ()):
            inner = group.get("hooks") if isinstance(group, dict) else None
            for number, fields in enumerate(inner if isinstance(inner, list) else ()):
                if isinstance(fields, dict):
                    line = document.line((*above, event, index, "hooks", number))
                    place = f"line {line}" if line else f"{event}[{index}]"
                    found.append(_Handler(path, place, event, group.get("matcher"), fields))
    return found


def _judge(site: Site, handler: _Handler) -> Iterator[Lint]:
    kind = handler.fields.get("type")
    if kind not in ("command", "prompt") or not isinstance(handler.fields.get(str(kind)), str):
        what = 'a hook needs "type" (command or prompt) and a text under that name'
        yield _about(handler, "incomplete", "error", what, "complete it or take it out")
        return
    yield from _matcher(handler)
    timeout = handler.fields.get("timeout")
    if timeout is None:
        yield _about(handler, "timeout", "info", 'no "timeout"', 'add "timeout": 30')
    elif isinstance(timeout, bool) or not isinstance(timeout, int | float):
        yield _about(handler, "timeout", "warning", '"timeout" is no number', "write seconds")
    elif timeout < _SHORTEST_SECONDS and handler.event in _BLOCKING:
        what = f"{timeout:g} s is short: after it Devin goes on as if nothing had been said"
        yield _about(handler, "timeout", "warning", what, f"at least {_SHORTEST_SECONDS}")
    if kind == "prompt":
        if handler.event in _BLOCKING:
            what = "it asks a model: no guarantee, and no proof is left"
            yield _about(handler, "prompt", "info", what, "a hook of type command decides by code")
        return
    yield from _script(site, handler)


def _matcher(handler: _Handler) -> Iterator[Lint]:
    matcher = handler.matcher
    if not isinstance(matcher, str) or not matcher:
        return
    if handler.event not in _TOOL_EVENTS:
        what = f'a "matcher" on {handler.event}, which has no tool'
        yield _about(handler, "matcher", "warning", what, "take it out")
        return
    try:
        pattern = re.compile(matcher)
    except re.error as error:
        what = f'"matcher" {matcher!r} is no regular expression: {error}'
        yield _about(handler, "matcher", "error" if handler.ours else "warning", what, "mend it")
        return
    hit = [tool for tool in _TOOLS if pattern.search(tool)]
    whole = [tool for tool in _TOOLS if pattern.fullmatch(tool)]
    beside = [tool for tool in hit if tool not in whole]
    if handler.ours and handler.event == "PreToolUse" and "exec" not in hit:
        what = f'"matcher" {matcher!r} leaves out exec: shell commands run unseen'
        yield _about(handler, "exec-unmatched", "error", what, "cc-safety-net install --devin")
    elif not hit and not matcher.lstrip("^").startswith("mcp"):
        what = f'"matcher" {matcher!r} matches no known tool'
        yield _about(handler, "matcher", "warning", what, f"known: {', '.join(_TOOLS)}")
    elif whole and beside:
        what = f'"matcher" {matcher!r} is searched anywhere in the name: also {", ".join(beside)}'
        yield _about(handler, "matcher-wide", "warning", what, f"^({matcher})$")


def _script(site: Site, handler: _Handler) -> Iterator[Lint]:
    if handler.ours:  # the examination of our own entry says more
        return
    program, script = _files(site, handler.command)
    for path, executable in ((program, True), (script, False)):
        if not path:
            continue
        if not os.path.exists(path):
            what = f"{path}: missing, so the hook fails and Devin goes on"
            yield _about(handler, "script", "warning", what, "put it there, or take the hook out")
        elif executable and not os.access(path, os.X_OK):
            what = f"{path}: not executable, so the hook fails and Devin goes on"
            yield _about(handler, "script", "warning", what, f"chmod +x '{path}'")
    if handler.event not in _BLOCKING:
        return
    text = handler.command + "\n" + _text(script or program)
    codes = {int(code) for code in _EXITS.findall(text)} - {0}
    if codes and 2 not in codes and "decision" not in text:
        said = ", ".join(str(code) for code in sorted(codes))
        what = f"it can end with {said} only; Devin blocks at 2, logs every other code and goes on"
        yield _about(handler, "exit-code", "warning", what, "end with 2 where it means to refuse")


def _order(site: Site, handler: _Handler, before: Sequence[_Handler]) -> Iterator[Lint]:
    for other in before:
        same = other.event == handler.event and other.command == handler.command
        if same and handler.command and other.path != handler.path:
            what = f"the same hook stands in {other.path} too, and runs twice"
            yield _about(handler, "twice", "warning", what, "keep one of them")
            break
    if not handler.ours or handler.event != "PreToolUse":
        return
    for other in before:
        if other.event == "PreToolUse" and not other.ours:
            text = other.command + _text(next(filter(None, _files(site, other.command)[::-1]), ""))
            if any(word in text for word in _REWRITES):
                what = f"a hook before ours ({other.place}) rewrites the call's input"
                yield _about(handler, "rewritten", "warning", what, "it should refuse instead")


def _about(handler: _Handler, name: str, severity: str, what: str, fix: str) -> Lint:
    text = f"{handler.place}: {handler.event}: {what}"
    return Lint(f"devin.{name}", severity, text, fix, handler.path)


def _files(site: Site, command: str) -> tuple[str, str]:
    """The program of a command and the script it is given, as far as they are paths."""
    try:
        words = shlex.split(command)
    except ValueError:
        return "", ""
    while words and ("=" in words[0] and words[0].partition("=")[0].isidentifier()):
        words = words[1:]
    program = _place(site, words[0]) if words else ""
    script = ""
    if words and os.path.basename(words[0]) in _INTERPRETERS:
        operand = next((word for word in words[1:] if not word.startswith("-")), "")
        script = "" if "-c" in words or "-e" in words else _place(site, operand)
    return program, script


def _place(site: Site, word: str) -> str:
    """An absolute path, "" for a name that is looked up or a variable that is not known."""
    for variable in ("$DEVIN_PROJECT_DIR", "${DEVIN_PROJECT_DIR}"):
        word = word.replace(variable, site.project)
    for variable in ("$HOME", "${HOME}"):
        word = word.replace(variable, site.directories.home)
    if word.startswith("~/"):
        word = os.path.join(site.directories.home, word[2:])
    if "/" not in word or any(character in word for character in "$`*?;&|()"):
        return ""
    return os.path.join(site.project, word)


def _text(path: str) -> str:
    """The beginning of a script, "" if it can't be read."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as file:
            return file.read(_SCRIPT_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
