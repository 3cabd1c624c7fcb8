"""Words of a command line as cmd.exe and programs on Windows cut it."""

from __future__ import annotations

from cc_safety_net.guard.interpret.values import merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Glob, Pieces, Unknown

#: Between words of commands that are built into cmd.
DELIMITERS = frozenset(" \t,;=\f\v\xa0")
_BLANKS = frozenset(" \t\n")


def program_words(text: str) -> list[str]:
    """The words of a line as a program sees them: blanks cut, quotes join."""
    out = []
    for pieces in cut((text,), _BLANKS):
        first = pieces[0] if pieces else ""
        out.append(first if isinstance(first, str) else "")
    return out


def cut(
    line: Pieces, delimiters: frozenset[str] = DELIMITERS, *, backslashes: bool = False
) -> list[Pieces]:
    """The words of a line, without their quotes. backslashes: `\\"` is a quote of the text."""
    out: list[Pieces] = []
    current: list[str | Unknown | Glob] = []
    run: list[str] = []
    quoted = False
    is_open = False
    for piece in line:
        if not isinstance(piece, str):
            current.extend(("".join(run), piece))
            run = []
            is_open = True
            continue
        last = piece.rfind('"')
        for at, character in enumerate(piece):
            if character == '"':
                # `"C:\"` at the end of a line is meant as a path and a closing quote.
                if backslashes and at != last and run and run[-1] == "\\":
                    run[-1] = '"'
                    continue
                quoted = not quoted
                is_open = True
            elif character in delimiters and not quoted:
                if is_open:
                    out.append(merge((*current, "".join(run))))
                    current, run, is_open = [], [], False
            else:
                run.append(character)
                is_open = True
    if is_open:
        out.append(merge((*current, "".join(run))))
    return out
