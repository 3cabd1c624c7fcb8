"""The editor for TOML: arrays of tables (`[[hooks]]`) and inline arrays (`hooks = []`).

Text is spliced; tomllib says what it means before and after. tomlkit only prints our values.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import tomlkit

from cc_safety_net.errors import Unreadable
from cc_safety_net.install.edit.editor import Path, Place, require_shape
from cc_safety_net.install.edit.toml_spans import Item, Statement, items, line_end, statements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LINE = re.compile(r"at line (\d+)")


class TomlEditor:
    """One array at the top of the document."""

    def model(self, text: str, name: str) -> object:
        try:
            return tomllib.loads(text.removeprefix("\ufeff"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            found = _LINE.search(str(error))
            where = f"line {found.group(1)}" if found else "the file"
            raise Unreadable(
                f"{name}: {str(error) or 'nested too deeply'}",
                f"mend {where} of {name}, then run the command again",
            ) from error

    def line(self, text: str, path: Sequence[str | int]) -> int:
        if not path:
            return 0
        start = _Array(text, str(path[0])).start_of(path[1] if len(path) > 1 else 0)
        return text.count("\n", 0, start) + 1 if start >= 0 else 0

    def add(self, text: str, place: Place, entry: Mapping[str, object], name: str) -> str:
        require_shape(self.model(text, name), place, name)
        array = _Array(text, place.path[0])
        if array.inline is not None:
            return _insert_item(text, array.inline, _inline(entry))
        newline = _newline(text)
        block = newline.join(_block(place.path[0], entry))
        if not text.removeprefix("\ufeff"):
            return text + block + newline
        if not text.endswith("\n"):
            return text + newline * 2 + block
        blank = text.removeprefix("\ufeff").strip("\r\n") == "" or text.endswith(newline * 2)
        return text + ("" if blank else newline) + block + newline

    def replace(self, text: str, path: Path, entry: Mapping[str, object]) -> str:
        start, end = _Array(text, str(path[0])).span(_index(path))
        if text.startswith("{", start):
            return text[:start] + _inline(entry) + text[end:]
        return text[:start] + _newline(text).join(_block(str(path[0]), entry)) + text[end:]

    def drop(self, text: str, path: Path) -> str:
        array, index = _Array(text, str(path[0])), _index(path[:2])
        if len(path) == 1:
            assert array.inline is not None, path
            statement = next(s for s in array.statements if s.value == array.inline)
            return _drop_lines(text, statement.start, statement.end)
        start, end = array.span(index)
        if array.inline is None:
            return _drop_lines(text, start, end)
        return _drop_item(text, array.items[index], array.items[:index], array.inline)


EDITOR = TomlEditor()


class _Array:
    """Where the members of one top-level array stand.

    inline: start of the value of `name = […]`, None if the array is written as `[[name]]`.
    """

    def __init__(self, text: str, name: str) -> None:
        self.statements = statements(text)
        self.inline = _inline_value(self.statements, name)
        self.items: list[Item] = [] if self.inline is None else items(text, self.inline)[0]
        self.blocks = [] if self.inline is not None else _blocks(self.statements, name)

    def span(self, index: int) -> tuple[int, int]:
        if self.inline is not None:
            return self.items[index].start, self.items[index].end
        return self.blocks[index]

    def start_of(self, index: int | str) -> int:
        spans = self.blocks or [(item.start, item.end) for item in self.items]
        return spans[index][0] if isinstance(index, int) and index < len(spans) else -1


def _inline_value(found: list[Statement], name: str) -> int | None:
    for statement in found:
        if statement.kind != "pair":
            return None
        if statement.path == (name,):
            return statement.value
    return None


def _blocks(found: list[Statement], name: str) -> list[tuple[int, int]]:
    """From each `[[name]]` to the end of the last statement that belongs to it."""
    blocks: list[tuple[int, int]] = []
    inside = False
    for statement in found:
        if statement.kind == "pair":
            if inside:
                blocks[-1] = (blocks[-1][0], statement.end)
            continue
        if statement.kind == "tables" and statement.path == (name,):
            blocks.append((statement.start, statement.end))
            inside = True
            continue
        inside = inside and statement.path[0] == name
        if inside:
            blocks[-1] = (blocks[-1][0], statement.end)
    return blocks


def _index(path: Path) -> int:
    return int(path[1]) if len(path) > 1 else 0


def _newline(text: str) -> str:
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _block(name: str, entry: Mapping[str, object]) -> list[str]:
    return [f"[[{name}]]", *(f"{key} = {_printed(value)}" for key, value in entry.items())]


def _inline(entry: Mapping[str, object]) -> str:
    return "{ " + ", ".join(f"{key} = {_printed(value)}" for key, value in entry.items()) + " }"


def _printed(value: object) -> str:
    return str(tomlkit.item(value).as_string())


def _insert_item(text: str, start: int, item: str) -> str:
    found, _ = items(text, start)
    if not found:
        return text[: start + 1] + item + text[start + 1 :]
    last = found[-1]
    wide = "\n" in text[start : last.start]
    if not wide:
        at = max(last.end, last.comma + 1)
        tail = "," if last.comma >= 0 else ""
        return text[:at] + ("" if tail else ",") + " " + item + tail + text[at:]
    line = text[text.rfind("\n", 0, last.start) + 1 : last.start]
    lead = _newline(text) + line[: len(line) - len(line.lstrip(" \t"))]
    at = max(last.end, last.comma + 1)
    rest = text[at : line_end(text, at)]
    if rest.lstrip(" \t").startswith("#"):
        at += len(rest)
    if last.comma >= 0:
        return text[:at] + lead + item + "," + text[at:]
    return text[: last.end] + "," + text[last.end : at] + lead + item + text[at:]


def _drop_item(text: str, item: Item, before: list[Item], start: int) -> str:
    blank = item.start
    while text[blank - 1] in " \t\r\n":
        blank -= 1
    line = text[text.rfind("\n", 0, blank) + 1 : blank]
    if "#" in line and "\n" not in text[item.end : item.end + 1]:
        # A comment stands before it: the line end stays.
        blank = item.start
    if item.comma >= 0:
        return text[:blank] + text[item.end : item.comma].strip() + text[item.comma + 1 :]
    if not before:
        rest = text[item.end :]
        return text[:blank] + (rest.lstrip() if blank == start + 1 else rest)
    comma = before[-1].comma
    return text[:comma] + text[comma + 1 : blank] + text[item.end :]


def _drop_lines(text: str, start: int, end: int) -> str:
    """Whole lines from `start` to `end`, and one blank line before them."""
    start = text.rfind("\n", 0, start) + 1 if "\ufeff" not in text[:start] or start > 1 else start
    end = line_end(text, end)
    final = end == len(text)
    if text.startswith("\r\n", end):
        end += 2
    elif not final:
        end += 1
    newline = _newline(text)
    if text[:start].endswith(newline * 2):
        start -= len(newline)
    if final and text[:start].endswith(newline):
        start -= len(newline)
    return text[:start] + text[end:]
