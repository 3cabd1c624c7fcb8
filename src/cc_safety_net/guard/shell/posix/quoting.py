"""Quotes: the escapes of `$'…'`."""

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
    "'": "'",
    '"': '"',
    "?": "?",
}
_DIGITS = {"x": 2, "u": 4, "U": 8}
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")


def ansi_c_end(text: str, at: int, end: int) -> int:
    """The offset of the quote that closes `$'` whose contents begin at `at`; -1 if none does."""
    while at < end:
        found = text[at]
        if found == "\\":
            at += 2
        elif found == "'":
            return at
        else:
            at += 1
    return -1


def ansi_c(raw: str) -> str:
    """The contents of `$'…'` with the escapes of ANSI C taken away.

    As in bash a NUL ends the string, and bytes from 0x80 on are put together as UTF-8.
    """
    if "\\" not in raw:
        return raw
    pieces: list[str] = []
    at = 0
    octets = False
    while True:
        slash = raw.find("\\", at)
        if slash < 0 or slash + 1 == len(raw):
            pieces.append(raw[at:])
            break
        pieces.append(raw[at:slash])
        value, at = _escape(raw, slash + 1)
        if value == "\0":
            break
        octets = octets or "\udc80" <= value <= "\udcff"
        pieces.append(value)
    decoded = "".join(pieces)
    if octets:
        decoded = decoded.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    return decoded


def _escape(raw: str, at: int) -> tuple[str, int]:
    """The character that the escape whose letter is at `at` means, and the offset after it."""
    letter = raw[at]
    simple = _SIMPLE.get(letter)
    if simple is not None:
        return simple, at + 1
    if letter in _OCTAL:
        stop = _run(raw, at, at + 3, _OCTAL)
        return _octet(int(raw[at:stop], 8) & 0xFF), stop
    if letter in _DIGITS:
        first = at + 1
        if letter == "x" and raw.startswith("{", first):
            stop = _run(raw, first + 1, len(raw), _HEX)
            if stop == first + 1:
                return "\\x", first
            after = stop + 1 if raw.startswith("}", stop) else stop
            return _octet(int(raw[stop - 2 if stop - 2 > first else first + 1 : stop], 16)), after
        stop = _run(raw, first, first + _DIGITS[letter], _HEX)
        if stop == first:
            return "\\" + letter, first
        code = int(raw[first:stop], 16)
        if letter == "x":
            return _octet(code), stop
        return (chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "�"), stop
    if letter == "c" and at + 1 < len(raw):
        control = raw[at + 1]
        after = at + 2
        if control == "\\" and raw.startswith("\\", after):
            after += 1
        return chr(ord(control.upper()) & 0x1F) if control != "?" else "\x7f", after
    return "\\" + letter, at + 1


def _run(raw: str, at: int, stop: int, digits: frozenset[str]) -> int:
    stop = min(stop, len(raw))
    while at < stop and raw[at] in digits:
        at += 1
    return at


def _octet(code: int) -> str:
    return chr(code) if code < 0x80 else chr(0xDC00 + code)
