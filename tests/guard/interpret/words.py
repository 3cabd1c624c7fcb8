"""Executions made of plain word lists, for tests of what comes after the parser."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tests.guard.worlds import HOME

from cc_safety_net.guard.interpret.facts import Execution, Unknown, Word, known, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.guard.interpret.facts import Redirection

PROJECT = f"{HOME}/proj"


def word(text: str) -> Word:
    """`$NAME` in the text is unknown; all else is literal."""
    if "$" not in text:
        return known(text)
    pieces: list[str | Unknown] = []
    literal = ""
    index = 0
    while index < len(text):
        char = text[index]
        if char == "$" and text[index + 1 : index + 2].isupper():
            end = index + 1
            while end < len(text) and text[end].isupper():
                end += 1
            pieces += [*([literal] if literal else []), Unknown("variable", text[index + 1 : end])]
            literal, index = "", end
            continue
        literal += char
        index += 1
    if literal:
        pieces.append(literal)
    return Word((tuple(pieces),), splits=len(pieces) == 1 and isinstance(pieces[0], Unknown))


def execution(
    command: str,
    *,
    stdin: str | None = None,
    env: Mapping[str, str] | None = None,
    feeds: Sequence[Execution] = (),
    redirects: Sequence[Redirection] = (),
    cwd: str | None = PROJECT,
) -> Execution:
    """The execution of a plain command line; quotes as in the shell, no expansion."""
    argv = [word(part) for part in shlex.split(command)]
    program = (argv[0].text or "").rpartition("/")[2]
    return Execution(
        argv,
        program,
        (cwd,),
        0,
        len(command),
        stdin=None if stdin is None else known(stdin),
        env={name: known(value) for name, value in (env or {}).items()},
        feeds=feeds,
        redirects=redirects,
    )


def text(value: Word) -> str:
    """A word as text, choices divided by `|`."""
    return "|".join(shown(choice) for choice in value.choices)
