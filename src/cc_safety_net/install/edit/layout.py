"""Inserts and removes members of JSON text in the manner of the text around them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cc_safety_net.install.edit.scan import Node, Tree

_NEWLINE = re.compile(r"\r\n|\n|\r")
_LINE_START = re.compile(r"[ \t]*\Z")


@dataclass(frozen=True)
class Style:
    """newline: of the file. unit: one step of indentation. wide: values over several lines."""

    newline: str
    unit: str
    wide: bool


def style_of(tree: Tree) -> Style:
    text, root = tree.text, tree.root
    found = _NEWLINE.search(text)
    newline = found.group() if found else "\n"
    empty = root is None or not root.children
    if empty or root is None:
        return Style(newline, "  ", wide=True)
    inside = _NEWLINE.search(text, root.start, root.end)
    if inside is None:
        return Style(newline, "  ", wide=False)
    unit = _unit(text, root)
    return Style(newline, unit or "  ", wide=True)


def _unit(text: str, root: Node) -> str:
    outer = line_indent(text, root.start) or ""
    for child in root.children:
        indent = line_indent(text, child.outer)
        if indent is not None and len(indent) > len(outer):
            return indent[len(outer) :]
    return ""


def line_indent(text: str, offset: int) -> str | None:
    """The blanks before `offset`, None if anything else stands before it on the line."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    before = text[start:offset]
    return before if not before.strip(" \t\ufeff") else None


def indent_of_line(text: str, offset: int) -> str:
    """The blanks with which the line of `offset` begins."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = text[start:offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def printed(value: object, style: Style, indent: str) -> str:
    """JSON for `value`; further lines are indented by `indent`."""
    if not style.wide:
        return json.dumps(value, ensure_ascii=False)
    text = json.dumps(value, ensure_ascii=False, indent=style.unit)
    return text.replace("\n", style.newline + indent)


def insert(tree: Tree, container: Node, members: list[tuple[str | None, object]]) -> str:
    """The text with `members` (key or None, value) behind the last child of `container`."""
    style = style_of(tree)
    if not container.children:
        return _fill(tree, container, members, style)
    text = tree.text
    last = container.children[-1]
    indent = line_indent(text, last.outer)
    wide = indent is not None and _NEWLINE.search(text, container.start, last.outer) is not None
    if not wide:
        style = Style(style.newline, style.unit, wide=False)
    at = _after_comment(tree, max(last.end, last.comma + 1))
    separator = style.newline + (indent or "") if wide else " "
    if text[:at].endswith("\r") or _in_line_comment(tree, at):
        separator = style.newline + (indent or "")
    pieces = [_member(key, value, style, indent or "") for key, value in members]
    joined = ("," + separator).join(pieces)
    if last.comma >= 0:
        # A trailing comma is the file's habit: ours gets one too.
        return text[:at] + separator + joined + "," + text[at:]
    return text[: last.end] + "," + text[last.end : at] + separator + joined + text[at:]


def _fill(
    tree: Tree, container: Node, members: list[tuple[str | None, object]], style: Style
) -> str:
    text = tree.text
    at = container.start + 1
    for _, end in (span for span in tree.comments if container.start < span[0] < container.end):
        at = max(at, end)
    outer = indent_of_line(text, container.start)
    if not style.wide:
        joined = ", ".join(_member(key, value, style, "") for key, value in members)
        if _in_line_comment(tree, at):
            joined = style.newline + joined
        return text[:at] + joined + text[at:]
    indent = outer + style.unit
    lead = style.newline + indent
    joined = ("," + lead).join(_member(key, value, style, indent) for key, value in members)
    rest = text[at : container.end - 1]
    tail = "" if _NEWLINE.search(rest) else style.newline + outer
    return text[:at] + lead + joined + tail + text[at:]


def _member(key: str | None, value: object, style: Style, indent: str) -> str:
    text = printed(value, style, indent)
    return text if key is None else f"{json.dumps(key, ensure_ascii=False)}: {text}"


def _after_comment(tree: Tree, at: int) -> int:
    """Behind the comments that stand on the same line as `at`: they belong to what is there."""
    for start, end in tree.comments:
        if start >= at:
            between = tree.text[at:start]
            if between.strip(" \t") or _NEWLINE.search(tree.text, start, end):
                break
            at = end
    return at


def _in_line_comment(tree: Tree, at: int) -> bool:
    return any(end == at and tree.text.startswith("//", start) for start, end in tree.comments)


def remove(tree: Tree, container: Node, child: Node) -> str:
    """The text without `child`: its blanks and its comma go, comments stay."""
    text = tree.text
    index = next(i for i, other in enumerate(container.children) if other is child)
    start = _blank_start(tree, child.outer)
    after_line_comment = _in_line_comment(tree, start)
    if child.comma >= 0:
        between = text[child.end : child.comma]
        rest = (between if between.strip() else "") + text[child.comma + 1 :]
        if after_line_comment and not _starts_line(rest):
            start = child.outer
        return text[:start] + rest
    if index == 0:
        rest = text[child.end :]
        if after_line_comment and not _starts_line(rest):
            start = child.outer
        return _collapse(text[:start], rest, container, tree)
    comma = container.children[index - 1].comma
    rest = text[child.end :]
    if after_line_comment and not _starts_line(rest):
        start = child.outer
    return text[:comma] + text[comma + 1 : start] + rest


def _collapse(before: str, rest: str, container: Node, tree: Tree) -> str:
    """An emptied container without comments has nothing inside."""
    if len(before) == container.start + 1:
        removed = len(tree.text) - len(rest)
        inner = tree.text[removed : container.end - 1]
        if not inner.strip():
            return before + rest[len(inner) :]
    return before + rest


def _starts_line(rest: str) -> bool:
    return _NEWLINE.match(rest.lstrip(" \t")) is not None


def _blank_start(tree: Tree, offset: int) -> int:
    """Where the blanks before `offset` begin; those at the end of a comment belong to it."""
    comment = max((end for _, end in tree.comments if end <= offset), default=0)
    while offset > comment and tree.text[offset - 1] in " \t\r\n":
        offset -= 1
    return offset
