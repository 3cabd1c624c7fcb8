"""Backslash escapes of `echo -e`, `printf` and `$'…'` on known text."""

from __future__ import annotations

_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
}
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
_WIDTHS = {"x": 2, "u": 4, "U": 8}


def echo_escapes(text: str) -> tuple[str, bool]:
    """(`text` after `echo -e`, whether it goes on: `\\c` ends all output)."""
    return _decode(text, leading_zero=True, quotes=False)


def printf_escapes(text: str) -> str:
    """Escapes of a printf format."""
    return _decode(text, leading_zero=False, quotes=True)[0]


def ansi_c(text: str) -> str:
    """The inside of `$'…'`."""
    return _decode(text, leading_zero=False, quotes=True, nul=False)[0]


def _decode(text: str, *, leading_zero: bool, quotes: bool, nul: bool = True) -> tuple[str, bool]:
    """nul: a NUL is a character like others; in a word it can't be."""
    if "\\" not in text:
        return text, True
    out: list[str] = []
    at = 0
    while at < len(text):
        slash = text.find("\\", at)
        if slash < 0 or slash + 1 >= len(text):
            out.append(text[at:])
            break
        out.append(text[at:slash])
        character = text[slash + 1]
        at = slash + 2
        if character == "c":
            return "".join(out), False
        if character in _SIMPLE:
            out.append(_SIMPLE[character])
        elif quotes and character in "'\"?":
            out.append(character)
        elif character in _WIDTHS:
            end = at
            while end < len(text) and end - at < _WIDTHS[character] and text[end] in _HEX:
                end += 1
            if end == at:
                out.append("\\" + character)
            else:
                code = int(text[at:end], 16)
                out.append(_character(code) if code or not nul else "\0")
            at = end
        elif character in _OCTAL:
            start = at if leading_zero and character == "0" else at - 1
            end = start
            while end < len(text) and end - start < 3 and text[end] in _OCTAL:
                end += 1
            code = int(text[start:end] or "0", 8) & 0xFF
            out.append(_character(code) if code or not nul else "\0")
            at = end
        else:
            out.append("\\" + character)
    return "".join(out), True


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
