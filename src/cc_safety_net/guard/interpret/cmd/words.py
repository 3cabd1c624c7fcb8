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
    line: Pieces,
    delimiters: frozenset[str] = DELIMITERS,
    *,
    backslashes: bool = False,
    marks: str = '"',
) -> list[Pieces]:
    """The words of a line, without their quotes. backslashes: `\\"` is a quote of the text.
    marks: what quotes.
    """
    out: list[Pieces] = []
    current: list[str | Unknown | Glob] = []
    run: list[str] = []
    quoted = ""
    is_open = False
    for piece in line:
        if not isinstance(piece, str):
            current.extend(("".join(run), piece))
            run = []
            is_open = True
            continue
        last = piece.rfind('"')
        for at, character in enumerate(piece):
            if character in marks and quoted in ("", character):
                # `"C:\"` at the end of a line is meant as a path and a closing quote.
                if backslashes and at != last and run and run[-1] == "\\":
                    run[-1] = '"'
                    continue
                quoted = "" if quoted else character
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


def stripped(line: Pieces) -> Pieces:
    """The line without blanks in front of it."""
    if line and isinstance(line[0], str):
        return merge((line[0].lstrip(" \t"), *line[1:]))
    return line


def without_last_quote(pieces: Pieces) -> Pieces:
    """`set "X=y"`: the value without the quote that ends it."""
    if pieces and isinstance(pieces[-1], str):
        last = pieces[-1].rstrip(" ")
        return merge((*pieces[:-1], last.removesuffix('"')))
    return pieces


def parted(words: list[Pieces]) -> tuple[set[str], list[Pieces]]:
    """(letters of the switches, operands) of a built-in command."""
    switches: set[str] = set()
    operands: list[Pieces] = []
    for word in words:
        first = word[0] if word and isinstance(word[0], str) else ""
        parts = first[1:].split("/") if first.startswith("/") and len(word) == 1 else []
        # What follows a slash is short: `/s`, `/s/q`, `/a:h`, `/-y`.
        if not parts or not all(len(p) < 3 or p[1:2] == ":" for p in parts) or "\\" in first:
            operands.append(word)
            continue
        switches.update(part[:1].lower() for part in parts)
    return switches, operands
