"""TOML text to statements that know where they stand; the text was parsed by tomllib before."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

_QUOTES = ('"""', "'''", '"', "'")


@dataclass(frozen=True)
class Statement:
    """kind: `tables` for `[[x]]`, `table` for `[x]`, `pair` for `x = …`.

    path: the keys as written. start to end: without the comment and the line end behind it.
    value: where the value of a pair begins.
    """

    kind: str
    path: tuple[str, ...]
    start: int
    end: int
    value: int = 0


@dataclass(frozen=True)
class Item:
    """An item of an inline array. comma: index of the comma behind it, -1 if there is none."""

    start: int
    end: int
    comma: int


def statements(text: str) -> list[Statement]:
    """All statements in order, comments and blank lines left out."""
    found: list[Statement] = []
    at = 0
    while True:
        at = _skip(text, at, " \t\r\n\ufeff")
        if at >= len(text):
            return found
        if text[at] == "#":
            at = line_end(text, at)
        elif text[at] == "[":
            kind = "tables" if text.startswith("[[", at) else "table"
            width = 2 if kind == "tables" else 1
            end = _until(text, at + width, "]")
            found.append(Statement(kind, _keys(text[at + width : end]), at, end + width))
            at = end + width
        else:
            equals = _until(text, at, "=")
            value = _skip(text, equals + 1, " \t")
            end = value_end(text, value)
            found.append(Statement("pair", _keys(text[at:equals]), at, end, value))
            at = end


def items(text: str, start: int) -> tuple[list[Item], int]:
    """The items of the inline array at `start`, and the index of its closing bracket."""
    found: list[Item] = []
    at = _skip_comments(text, start + 1)
    while text[at] != "]":
        end = value_end(text, at)
        comma = _skip_comments(text, end)
        if text[comma] != ",":
            found.append(Item(at, end, -1))
            return found, comma
        found.append(Item(at, end, comma))
        at = _skip_comments(text, comma + 1)
    return found, at


def value_end(text: str, at: int) -> int:
    """The end of the value at `at`."""
    quote = next((mark for mark in _QUOTES if text.startswith(mark, at)), None)
    if quote is not None:
        return _string_end(text, at, quote)
    if text[at] in "[{":
        return _bracket_end(text, at)
    end = at
    while end < len(text) and text[end] not in ",]}#\r\n":
        end += 1
    return at + len(text[at:end].rstrip(" \t"))


def line_end(text: str, at: int) -> int:
    """The index of the line end at or behind `at`."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - 1 if text[end - 1 : end] == "\r" and end > at else end


def _string_end(text: str, at: int, quote: str) -> int:
    position = at + len(quote)
    while not text.startswith(quote, position):
        position += 2 if text[position] == "\\" and quote[0] == '"' else 1
    position += len(quote)
    # Up to two quotes may stand before the closing three.
    while len(quote) == 3 and text.startswith(quote[0], position):
        position += 1
    return position


def _bracket_end(text: str, at: int) -> int:
    depth = 0
    while True:
        character = text[at]
        if character in "\"'":
            at = value_end(text, at)
            continue
        if character == "#":
            at = line_end(text, at)
            continue
        depth += (character in "[{") - (character in "]}")
        at += 1
        if depth == 0:
            return at


def _until(text: str, at: int, mark: str) -> int:
    while text[at] != mark:
        at = value_end(text, at) if text[at] in "\"'" else at + 1
    return at


def _skip(text: str, at: int, blanks: str) -> int:
    while at < len(text) and text[at] in blanks:
        at += 1
    return at


def _skip_comments(text: str, at: int) -> int:
    while True:
        at = _skip(text, at, " \t\r\n")
        if text[at] != "#":
            return at
        at = line_end(text, at)


def _keys(text: str) -> tuple[str, ...]:
    keys: list[str] = []
    value: object = tomllib.loads(f"{text.strip()} = 0")
    while isinstance(value, dict):
        (key, value) = next(iter(value.items()))
        keys.append(key)
    return tuple(keys)
