"""Programs that print a part or a form of what they read."""

from __future__ import annotations

from cc_safety_net.guard.interpret.contents import contents_of
from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.values import unite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

_CHARACTERS = 65_536
#: Filters that print some of their lines: of results of a search, some are left.
_SELECTS = frozenset(("grep", "egrep", "fgrep", "head", "sort", "tac", "tail", "uniq", "rg"))


def found_below(execution: Execution, starts: Sequence[str], name: str) -> Choices:
    """Names of things at or below `starts`, none of them known."""
    out: list[Pieces] = []
    for start in starts:
        unknown = Unknown("find", name, origin=(execution,))
        if not start or start == ".":
            out.append((unknown,))
        else:
            # The start itself is among the results of find, so nothing need follow it.
            out.append((start, unknown))
    return unite(out)


def filtered(m: Machine, state: State, execution: Execution) -> Choices | None:
    """What the filter prints, None if it is not known."""
    del state
    words = [word.text for word in execution.argv[1:]]
    if None in words:
        return None
    texts = [text for text in words if text is not None]
    given = _input(m, execution, texts)
    if given is None:
        return None
    if execution.program in _SELECTS and any(literal(choice) is None for choice in given):
        searched = [c for c in given if any(isinstance(p, Unknown) and p.why == "find" for p in c)]
        return given if len(searched) == len(given) else None
    out = []
    for choice in given:
        text = literal(choice)
        if text is None or len(text) > _CHARACTERS:
            return None
        m.effort.spend(1 + len(text) // 16, "a filter")
        done = FILTERS[execution.program](text, texts)
        if done is None:
            return None
        out.append((done,) if done else ())
    return unite(out)


def _input(m: Machine, execution: Execution, texts: list[str]) -> Choices | None:
    """Standard input, or the one file that a decoder is given."""
    if execution.program in ("base64", "xxd", "rev", "sort", "head", "tail"):
        operands = [t for t in texts if not t.startswith("-") and not t.lstrip("-").isdigit()]
        if len(operands) == 1:
            from cc_safety_net.guard.interpret.facts import known

            return contents_of(m, execution.cwds, known(operands[0]))[0]
    if m.input is None:
        return None
    return m.input.choices


def _base64(text: str, options: list[str]) -> str | None:
    if not any(option in ("-d", "-D", "--decode", "-di", "-id") for option in options):
        return _encoded(text) if not options or options in (["-w0"], ["-w", "0"]) else None
    from binascii import Error, a2b_base64

    try:
        return a2b_base64(text.encode("utf-8", "surrogateescape")).decode(
            "utf-8", "surrogateescape"
        )
    except (Error, ValueError):
        return None


def _encoded(text: str) -> str | None:
    from binascii import b2a_base64

    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    return b2a_base64(data).decode("ascii")


def _xxd(text: str, options: list[str]) -> str | None:
    joined = "".join(option.lstrip("-") for option in options)
    if "r" not in joined or "p" not in joined:
        return None
    digits = "".join(text.split())
    try:
        return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
    except ValueError:
        return None


def _rev(text: str, options: list[str]) -> str | None:
    if options:
        return None
    return "\n".join(line[::-1] for line in text.split("\n"))


def _tac(text: str, options: list[str]) -> str | None:
    if options:
        return None
    lines = text.splitlines(keepends=True)
    return "".join(reversed(lines))


def _tr(text: str, options: list[str]) -> str | None:
    delete = options[:1] == ["-d"]
    sets = options[1:] if delete else options
    if any(option.startswith("-") and len(option) > 1 for option in sets):
        return None
    if len(sets) != (1 if delete else 2):
        return None
    first = _character_set(sets[0])
    if first is None:
        return None
    if delete:
        gone = frozenset(first)
        return "".join(c for c in text if c not in gone)
    second = _character_set(sets[1])
    if not second:
        return None
    second = second + second[-1] * max(0, len(first) - len(second))
    table = dict(zip(first, second, strict=False))
    return "".join(table.get(c, c) for c in text)


_CLASSES = {
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "lower": "abcdefghijklmnopqrstuvwxyz",
    "digit": "0123456789",
    "space": " \t\n\r\f\v",
    "blank": " \t",
}


def _character_set(text: str) -> str | None:
    from cc_safety_net.guard.interpret.escapes import printf_escapes

    out: list[str] = []
    text = printf_escapes(text)
    at = 0
    while at < len(text):
        if text[at : at + 2] == "[:":
            end = text.find(":]", at)
            found = _CLASSES.get(text[at + 2 : end]) if end > 0 else None
            if found is None:
                return None
            out.append(found)
            at = end + 2
        elif text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            low, high = ord(text[at]), ord(text[at + 2])
            if not low <= high <= low + 256:
                return None
            out.append("".join(chr(code) for code in range(low, high + 1)))
            at += 3
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def _cut(text: str, options: list[str]) -> str | None:
    delimiter, fields, characters = "\t", "", ""
    rest = list(options)
    while rest:
        option = rest.pop(0)
        letter, value = option[:2], option[2:]
        if letter not in ("-d", "-f", "-c", "-b"):
            return None
        value = value or (rest.pop(0) if rest else "")
        if letter == "-d":
            delimiter = value[:1]
        elif letter == "-f":
            fields = value
        else:
            characters = value
    wanted = _ranges(fields or characters)
    if wanted is None or bool(fields) == bool(characters):
        return None
    out = []
    lines = text.split("\n")
    tail = lines.pop() if lines[-1] == "" else None
    for line in lines:
        parts = line.split(delimiter) if fields else list(line)
        if fields and len(parts) == 1:
            out.append(line)
            continue
        kept = [p for i, p in enumerate(parts, 1) if any(a <= i <= b for a, b in wanted)]
        out.append((delimiter if fields else "").join(kept))
    return "\n".join(out) + ("\n" if tail is not None else "")


def _ranges(text: str) -> list[tuple[int, int]] | None:
    out = []
    for part in text.split(","):
        low, dash, high = part.partition("-")
        try:
            first = int(low) if low else 1
            last = (int(high) if high else 1 << 30) if dash else first
        except ValueError:
            return None
        out.append((first, last))
    return out or None


def _count(options: list[str]) -> int | None:
    texts = [option for option in options if option != "-n"]
    if not options:
        return 10
    if len(texts) != 1:
        return None
    digits = texts[0].removeprefix("-n").removeprefix("-")
    return int(digits) if digits.isascii() and digits.isdigit() else None


def _head(text: str, options: list[str]) -> str | None:
    count = _count(options)
    return None if count is None else "".join(text.splitlines(keepends=True)[:count])


def _tail(text: str, options: list[str]) -> str | None:
    count = _count(options)
    if count is None:
        return None
    return "".join(text.splitlines(keepends=True)[-count:]) if count else ""


def _sort(text: str, options: list[str]) -> str | None:
    if options not in ([], ["-u"], ["-r"]):
        return None
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if options == ["-u"]:
        lines = list(dict.fromkeys(lines))
    lines.sort(reverse=options == ["-r"])
    return "".join(line + "\n" for line in lines)


def _uniq(text: str, options: list[str]) -> str | None:
    if options:
        return None
    out: list[str] = []
    for line in text.splitlines(keepends=True):
        if not out or out[-1] != line:
            out.append(line)
    return "".join(out)


def _nothing(text: str, options: list[str]) -> str | None:
    """A filter of which only is known that it selects."""
    del options
    return "" if text == "" else None


FILTERS: dict[str, Callable[[str, list[str]], str | None]] = {
    "base64": _base64,
    "cut": _cut,
    "egrep": _nothing,
    "fgrep": _nothing,
    "grep": _nothing,
    "head": _head,
    "rev": _rev,
    "rg": _nothing,
    "sort": _sort,
    "tac": _tac,
    "tail": _tail,
    "tr": _tr,
    "uniq": _uniq,
    "xxd": _xxd,
}
