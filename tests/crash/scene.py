"""A home that is put back before each kill, and what a person is told of the outcome."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.install import claude_program, hermes_program, plugin_programs
from tests.install.stand_in import Machine, ok, seen

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest

FULL = os.environ.get("CC_SAFETY_NET_CRASH") == "full"
ERRORS = ("ENOSPC", "EIO", "EACCES", "EROFS", "EXDEV", "EMFILE")
COMMANDS = ("install", "uninstall", "update")
#: What the scripted programs keep for themselves.
_THEIRS = ("bin/", ".claude/plugins", ".codex/plugins", ".gemini/extensions", ".copilot/config")


@dataclass(frozen=True)
class Case:
    """An agent, or several, with files of the person's in a form that no program would write.

    files: path -> content; a content that begins with `-> ` makes a link. program: of the agents
    that have one, on PATH. words: further words for the driver.
    """

    agents: tuple[str, ...]
    files: Mapping[str, str]
    programs: tuple[str, ...] = ()
    words: tuple[str, ...] = field(default=())

    def fill(self, home: Path) -> None:
        for path, content in self.files.items():
            file = home / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if content.startswith("-> "):
                file.symlink_to(content[3:])
            else:
                file.write_bytes(content.encode())
                file.chmod(0o640)
        for program in self.programs:
            _put_program(home / "bin", program)

    def without_programs(self) -> Case:
        return replace(self, programs=())

    def argv(self, command: str) -> tuple[str, ...]:
        return (command, *self.agents, *self.words)


def _put_program(folder: Path, name: str) -> None:
    if name == "claude":
        claude_program.put(folder)
    elif name == "hermes":
        hermes_program.put(folder)
    else:
        plugin_programs.put(folder, name)


_CURSOR = {".cursor/hooks.json": '{\r\n\t"version": 1,\r\n\t"hooks": {"stop": [{"command": "x"}]}}'}
_KIMI = {
    "dotfiles/kimi.toml": '# mine\nhooks = [ ] # none\n[a]\nb = "é"\n',
    ".kimi-code/config.toml": "-> ../dotfiles/kimi.toml",
}
_CLAUDE = {".claude/settings.json": '{ "theme":"dark",\n\n "hooks":{ } }'}
_CODEX = {".codex/config.toml": '# mine\nmodel="gpt-5.5"   # good\n\n[tui]\nx = 1'}
_CODEX_ENTRY = {".codex/hooks.json": '{"hooks":{"Stop":[ ]}}'}
_GEMINI = {".gemini/settings.json": '{\n // mine\n "general":{} }'}
_COPILOT = {".copilot/settings.json": '{\n    "theme":"dark",\n\n "x": {} }'}
_ANTIGRAVITY = {".gemini/config/hooks.json": '{"mine":{"Stop":[]}}'}
_DEVIN = {".config/devin/config.json": '{\n "version":1, // mine\n}'}
_DEVIN_PROJECT = {"project/.devin/hooks.v1.json": '{\n "Stop": [ ], // mine\n}'}
_HERMES = {
    ".hermes/config.yaml": "# mine\nmodel:   {a: b}   # good\n",
    ".hermes/profiles/work/config.yaml": "plugins: {enabled: [x]} # work\n",
}

#: The ten agents, Devin in both scopes, and those with a program also without it.
CASES = {
    "cursor": Case(("cursor",), _CURSOR),
    "kimi-code": Case(("kimi-code",), _KIMI),
    "grok-build": Case(("grok-build",), {}),
    "antigravity-cli": Case(("antigravity-cli",), _ANTIGRAVITY),
    "devin": Case(("devin",), _DEVIN),
    "devin, project": Case(("devin",), _DEVIN_PROJECT, words=("--project",)),
    "claude-code": Case(("claude-code",), _CLAUDE, ("claude",)),
    "claude-code, entry": Case(("claude-code",), _CLAUDE),
    "codex": Case(("codex",), _CODEX, ("codex",)),
    "codex, entry": Case(("codex",), _CODEX_ENTRY),
    "gemini-cli": Case(("gemini-cli",), _GEMINI, ("gemini",)),
    "gemini-cli, entry": Case(("gemini-cli",), _GEMINI),
    "copilot-cli": Case(("copilot-cli",), _COPILOT, ("copilot",)),
    "copilot-cli, entry": Case(("copilot-cli",), _COPILOT),
    "hermes-agent": Case(("hermes-agent",), _HERMES, ("hermes",)),
    "hermes-agent, files": Case(("hermes-agent",), _HERMES),
}
THREE = Case(("cursor", "kimi-code", "grok-build"), {**_CURSOR, **_KIMI})
ALL = Case(
    tuple(name for name in CASES if "," not in name),
    {
        key: value
        for name, case in CASES.items()
        if "," not in name
        for key, value in case.files.items()
    },
    ("claude", "codex", "gemini", "copilot", "hermes"),
)


class Scene:
    """A home before a command; its path is part of what is installed."""

    def __init__(self, home: Path, case: Case, command: str) -> None:
        self.home = home
        self.case = case
        self.command = command
        self.machine = Machine(home, f"{home}/bin:/usr/bin:/bin")
        case.fill(home)
        if command != "install":
            scope = "project" if "--project" in case.words else "user"
            ok(self.machine.install(*case.agents, scope=scope))
        self._saved = home.parent / "saved"
        self.save()

    def save(self) -> None:
        shutil.rmtree(self._saved, ignore_errors=True)
        shutil.copytree(self.home, self._saved, symlinks=True)

    def back(self) -> None:
        shutil.rmtree(self.home)
        shutil.copytree(self._saved, self.home, symlinks=True)

    def next_start(self) -> None:
        """Changes nothing, but starts like every command that changes something."""
        ok(self.machine.uninstall(*NEXT_START[1:2], scope="project"))

    def seen(self) -> dict[str, object]:
        """The home without what the scripted programs keep for themselves."""
        return {
            name: value for name, value in seen(self.home).items() if not name.startswith(_THEIRS)
        }


#: The same for the driver.
NEXT_START = ("uninstall", "cursor", "--project")


def tell(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """On the terminal, also when pytest runs in several processes."""
    with capsys.disabled():
        sys.stderr.write(f"\n{text}\n")


def difference(
    found: dict[str, object], before: dict[str, object], after: dict[str, object]
) -> list[str]:
    """What keeps it from being as before, or as after, whichever is less."""
    ways = []
    for word, wanted in (("before", before), ("after", after)):
        names = sorted({*found, *wanted})
        ways.append(
            [
                f"{name}: {found.get(name)}, {word} {wanted.get(name)}"
                for name in names
                if found.get(name) != wanted.get(name)
            ]
        )
    return min(ways, key=len)
