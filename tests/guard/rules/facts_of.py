"""A tiny reader for tests of rules: words of one simple command become facts.

`$NAME` is an unknown that may be empty, `${NAME:?}` one that is not; unquoted `*`, `?` and
brackets are patterns; `~` is the home. No more shell than that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.guard.worlds import HOME, FakeWorld, place, workspace

if TYPE_CHECKING:
    from cc_safety_net.guard.place import Place

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.interpret.facts import (
    Execution,
    FileAccess,
    Glob,
    Reading,
    Scope,
    Unknown,
    Word,
)
from cc_safety_net.guard.limits import Effort
from cc_safety_net.guard.rules.context import Context


def word(text: str, origin: tuple[Execution, ...] = ()) -> Word:
    """One word; double and single quotes as in a shell."""
    pieces: list[str | Unknown | Glob] = []
    quote = ""
    at = 0
    if text == "~" or text.startswith("~/"):
        text = HOME + text[1:]

    def literal(character: str) -> None:
        if pieces and isinstance(pieces[-1], str):
            pieces[-1] += character
        else:
            pieces.append(character)

    while at < len(text):
        character = text[at]
        at += 1
        if character in "\"'" and quote in ("", character):
            quote = "" if quote else character
        elif character == "$" and quote != "'":
            braced = text.startswith("{", at)
            end = text.index("}", at) + 1 if braced else at
            while not braced and end < len(text) and text[end].isalnum():
                end += 1
            name = text[at:end].strip("{}")
            at = end
            pieces.append(
                Unknown(
                    "input" if origin else "variable",
                    name.rstrip(":?"),
                    may_be_empty=not (name.endswith(":?") or origin),
                    origin=origin,
                )
            )
        elif character in "*?" and not quote:
            pieces.append(Glob(character))
        elif character == "[" and not quote and "]" in text[at:]:
            end = text.index("]", at) + 1
            pieces.append(Glob(text[at - 1 : end]))
            at = end
        else:
            literal(character)
    return Word((tuple(pieces),))


def words(text: str) -> list[Word]:
    return [word(part) for part in text.split()]


def execution(
    text: str,
    *,
    cwd: str | None = f"{HOME}/proj",
    chain: tuple[str, ...] = (),
    scope: Scope | None = None,
) -> Execution:
    argv = words(text)
    return Execution(
        argv, argv[0].text or "", (cwd,), 0, len(text), chain=chain, scope=scope or Scope("local")
    )


def context(
    reading: Reading,
    *,
    world: FakeWorld | None = None,
    where: Place | None = None,
    allow_paths: tuple[str, ...] = (),
) -> Context:
    return Context(
        ToolCall("test", "Bash", "shell", {}),
        where or place(),
        world or workspace(),
        reading,
        Effort(),
        allow_paths=allow_paths,
    )


def removal(
    text: str, *, cwd: str | None = f"{HOME}/proj", recursive: bool | None = None
) -> tuple[Reading, list[FileAccess]]:
    """`rm …`, read as its accesses."""
    run = execution(text, cwd=cwd)
    options = [w.text or "" for w in run.argv[1:] if (w.text or "").startswith("-")]
    tree = any("r" in o.lower() for o in options) if recursive is None else recursive
    reading = Reading()
    reading.executions.append(run)
    for operand in run.argv[1:]:
        if not (operand.text or "").startswith("-"):
            reading.accesses.append(
                FileAccess(operand, "delete", run.program, run.cwds, recursive=tree, execution=run)
            )
    return reading, reading.accesses
