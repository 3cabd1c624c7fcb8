"""JSON and JSONC text to a tree that knows where each value stands.

Why our own: docs/decisions/0006-config-editors.md. Strict by default, as `JSON.parse` is; the
JSONC form allows comments and one trailing comma.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass, field

from cc_safety_net.errors import Unreadable

DEPTH = 200

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"true|false|null")
_LINE_COMMENT = re.compile(r"//[^\r\n]*")
_BLOCK_COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/")
_CONSTANTS = {"true": True, "false": False, "null": None}


@dataclass(slots=True)
class Node:
    """A value. kind: object, array, string, number, word. children: of an object or array.

    For a member of an object `key` is set and `outer` is where the key starts; else `outer` is
    `start`. comma: index of the comma behind it, -1 if there is none.
    """

    kind: str
    start: int
    end: int = 0
    scalar: object = None
    children: list[Node] = field(default_factory=list)
    key: str | None = None
    outer: int = 0
    comma: int = -1

    def member(self, key: str) -> Node | None:
        """The last member of that name: the one that counts for every JSON reader."""
        return next((child for child in reversed(self.children) if child.key == key), None)

    def value(self) -> object:
        """The plain value."""
        if self.kind == "object":
            return {child.key: child.value() for child in self.children}
        if self.kind == "array":
            return [child.value() for child in self.children]
        return self.scalar


@dataclass(frozen=True)
class Tree:
    """root: None for a text without any value. comments: spans, in order."""

    text: str
    root: Node | None
    comments: tuple[tuple[int, int], ...]


@functools.lru_cache(maxsize=4)
def scan(text: str, *, comments: bool, name: str) -> Tree:
    """The tree of `text`; name: for messages. Raises `Unreadable` with line and column.

    An edit looks at the same two or three texts again and again, hence the cache.
    """
    return _Scanner(text, comments=comments, name=name).document()


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1; CRLF, LF and CR each end a line."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


class _Scanner:
    def __init__(self, text: str, *, comments: bool, name: str) -> None:
        self.text = text
        self.allow_comments = comments
        self.name = name
        self.at = 0
        self.comments: list[tuple[int, int]] = []

    def document(self) -> Tree:
        self._blank()
        if self.at == len(self.text):
            return Tree(self.text, None, tuple(self.comments))
        root = self._value(0)
        self._blank()
        if self.at != len(self.text):
            raise self._failure("expected the end of the file")
        return Tree(self.text, root, tuple(self.comments))

    def _blank(self) -> None:
        while True:
            self.at = _blank_end(self.text, self.at)
            if self.text[self.at : self.at + 1] != "/":
                return
            found = _LINE_COMMENT.match(self.text, self.at) or _BLOCK_COMMENT.match(
                self.text, self.at
            )
            if found is None:
                raise self._failure("expected a value")
            if not self.allow_comments:
                raise self._failure("a comment, which this agent does not accept here")
            self.comments.append(found.span())
            self.at = found.end()

    def _value(self, depth: int) -> Node:
        if depth > DEPTH:
            raise self._failure(f"nested deeper than {DEPTH}")
        start = self.at
        first = self.text[start : start + 1]
        if first == "{":
            return self._object(depth)
        if first == "[":
            return self._array(depth)
        for kind, pattern in (("string", _STRING), ("number", _NUMBER), ("word", _WORD)):
            found = pattern.match(self.text, start)
            if found is not None:
                self.at = found.end()
                return Node(kind, start, self.at, _scalar(kind, found.group()), outer=start)
        raise self._failure("expected a value")

    def _object(self, depth: int) -> Node:
        node = Node("object", self.at, outer=self.at)
        self.at += 1
        self._blank()
        while self.text[self.at : self.at + 1] != "}":
            outer = self.at
            found = _STRING.match(self.text, outer)
            if found is None:
                raise self._failure('expected a name in quotes or "}"')
            self.at = found.end()
            self._blank()
            if self.text[self.at : self.at + 1] != ":":
                raise self._failure('expected ":"')
            self.at += 1
            self._blank()
            child = self._value(depth + 1)
            child.key = json.loads(found.group())
            child.outer = outer
            node.children.append(child)
            if not self._comma(child, "}"):
                break
        self.at += 1
        node.end = self.at
        return node

    def _array(self, depth: int) -> Node:
        node = Node("array", self.at, outer=self.at)
        self.at += 1
        self._blank()
        while self.text[self.at : self.at + 1] != "]":
            child = self._value(depth + 1)
            node.children.append(child)
            if not self._comma(child, "]"):
                break
        self.at += 1
        node.end = self.at
        return node

    def _comma(self, child: Node, closing: str) -> bool:
        """Whether another child may follow; afterwards we stand on it or on `closing`."""
        self._blank()
        if self.text[self.at : self.at + 1] == ",":
            child.comma = self.at
            self.at += 1
            self._blank()
            if self.text[self.at : self.at + 1] == closing and not self.allow_comments:
                raise self._failure("a comma before the end")
            return True
        if self.text[self.at : self.at + 1] != closing:
            raise self._failure(f'expected "," or "{closing}"')
        return False

    def _failure(self, what: str) -> Unreadable:
        line, column = position(self.text, self.at)
        return Unreadable(
            f"{self.name}: line {line}, column {column}: {what}",
            f"mend line {line} of {self.name}, then run the command again",
        )


def _blank_end(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _scalar(kind: str, text: str) -> object:
    if kind == "word":
        return _CONSTANTS[text]
    if kind == "number" and len(text) > 300:
        # Python refuses huge integers; the exact value is nobody's business here.
        return text
    return json.loads(text)
