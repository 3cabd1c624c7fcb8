"""What is ours: decided by what an entry calls and by what a file says it is, never by a name.

A command that does more than call the guard is not ours alone, and is left to the person.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAMS = frozenset({"cc-safety-net", "ccsn"})
PACKAGE = "cc-safety-net"
HEADER = "cc-safety-net managed"

OURS = "ours"
NPM = "npm"
FOREIGN = ""

HOOK_FLAGS = frozenset(
    {
        *("--coding-cli", "--claude-code", "-cc", "--codex", "-cx", "--gemini-cli", "-gc"),
        *("--copilot-cli", "-cp", "--cursor", "-cu", "--antigravity-cli", "--agy-cli", "-ac"),
        *("--kimi-code", "-kc", "--grok-build", "-gb", "--hermes-agent", "-ha", "--devin"),
        *("-dv", "--openclaw", "--opencode", "--pi", "--amp"),
    }
)
#: Old configurations call the guard without the word `hook`.
_TOP_LEVEL_FLAGS = frozenset(
    {"-cc", "--claude-code", "-gc", "--gemini-cli", "-cp", "--copilot-cli"}
)
#: What stands around our call so that the entry denies when the launcher has gone.
_SURROUNDINGS = frozenset(
    {"[", "test", "echo", "printf", "exit", "cat", ":", "true", "false", "if", "then", "else"}
    | {"fi", "{", "}", "!", "read", "while", "do", "done"}
)
_WORDS_BEFORE = frozenset({"exec", "command", "then", "else", "if", "{", "!", "do"})
_RUNNERS = {
    "npx": (),
    "bunx": (),
    "pnpx": (),
    "npm": ("exec", "x"),
    "pnpm": ("dlx", "exec"),
    "yarn": ("dlx",),
    "bun": ("x",),
}
#: Keys of a handler that hold a command.
_COMMAND_KEYS = ("command", "bash", "powershell", "commandWindows", "command_windows")
_RUNNER_VALUES = frozenset({"-p", "--package", "-w", "--workspace", "-c", "--call"})


def owner_of_command(command: str) -> str:
    """`OURS`, `NPM` (the other edition's entry) or `FOREIGN`."""
    owners = set()
    for words in _simple_commands(command):
        owner = _owner(words)
        if owner == FOREIGN and words and words[0] not in _SURROUNDINGS:
            return FOREIGN
        owners.add(owner)
    if NPM in owners:
        return NPM
    return OURS if OURS in owners else FOREIGN


def calls_guard(command: str) -> bool:
    """Some part of the command calls the guard, whatever else it does."""
    return any(_owner(words) != FOREIGN for words in _simple_commands(command))


def owner_of_handler(handler: object) -> str:
    """The same for a handler as configs hold it: `command`, and `args` in the exec form.

    A handler with a command for each shell or system is ours if all of them are.
    """
    if not isinstance(handler, dict):
        return FOREIGN
    commands = [handler[key] for key in _COMMAND_KEYS if isinstance(handler.get(key), str)]
    if len(commands) > 1:
        owners = {owner_of_command(command) for command in commands}
        return owners.pop() if len(owners) == 1 else (FOREIGN if FOREIGN in owners else NPM)
    if not commands:
        return FOREIGN
    command = commands[0]
    arguments = handler.get("args")
    if isinstance(arguments, list) and all(isinstance(word, str) for word in arguments):
        return _owner([command, *arguments])
    return owner_of_command(command)


def command_of(handler: Mapping[str, object]) -> str:
    """The first command of a handler, "" if it has none."""
    return next((str(handler[key]) for key in _COMMAND_KEYS if key in handler), "")


def is_ours(handler: object) -> bool:
    return owner_of_handler(handler) != FOREIGN


def has_header(content: bytes) -> bool:
    """A managed file: the header is the first line, or the first in its front matter."""
    for line in content.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()[:3]:
        text = line.strip().lstrip("#/*;-<! ").strip()
        if text:
            return text.startswith(HEADER)
    return False


def _simple_commands(command: str) -> list[list[str]]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    commands: list[list[str]] = [[]]
    try:
        tokens = list(lexer)
    except ValueError:
        return []
    for token in tokens:
        if token and not token.strip(";|&()\n"):
            commands.append([])
        else:
            commands[-1].append(token)
    return [_stripped(words) for words in commands if words]


def _stripped(words: list[str]) -> list[str]:
    """Without assignments and words such as `exec` in front."""
    index = 0
    while index < len(words) - 1 and (words[index] in _WORDS_BEFORE or _assigns(words[index])):
        index += 1
    return words[index:]


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def _owner(words: list[str]) -> str:
    if not words:
        return FOREIGN
    program, arguments = os.path.basename(words[0].replace("\\", "/")), words[1:]
    for ending in (".cmd", ".exe"):
        program = program.removesuffix(ending)
    if program in PROGRAMS:
        return OURS if _asks_for_verdict(arguments) else FOREIGN
    subcommands = _RUNNERS.get(program)
    if subcommands is None:
        return FOREIGN
    if subcommands:
        if not arguments or arguments[0] not in subcommands:
            return FOREIGN
        arguments = arguments[1:]
    while arguments and arguments[0].startswith("-"):
        arguments = arguments[2 if arguments[0] in _RUNNER_VALUES else 1 :]
    if not arguments or arguments[0].partition("@")[0] != PACKAGE:
        return FOREIGN
    return NPM if _asks_for_verdict(arguments[1:]) else FOREIGN


def _asks_for_verdict(arguments: list[str]) -> bool:
    if arguments[:1] == ["hook"]:
        return len(arguments) > 1 and arguments[1] in HOOK_FLAGS
    return bool(arguments) and arguments[0] in _TOP_LEVEL_FLAGS
