"""The editor for JSON: text in, text out, nothing touched but our entry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cc_safety_net.install.edit import layout
from cc_safety_net.install.edit.editor import Path, Place, require_shape
from cc_safety_net.install.edit.scan import Node, Tree, position, scan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class JsonEditor:
    """Strict JSON, or JSONC with `comments`."""

    def __init__(self, *, comments: bool) -> None:
        self._comments = comments

    def _scan(self, text: str, name: str = "") -> Tree:
        return scan(text, comments=self._comments, name=name or "the file")

    def model(self, text: str, name: str) -> object:
        root = self._scan(text, name).root
        return None if root is None else root.value()

    def line(self, text: str, path: Sequence[str | int]) -> int:
        node = _node(self._scan(text).root, path)
        return 0 if node is None else position(text, node.outer)[0]

    def add(self, text: str, place: Place, entry: Mapping[str, object], name: str) -> str:
        tree = self._scan(text, name)
        if tree.root is None:
            return self._fresh(tree, place, entry)
        require_shape(tree.root.value(), place, name)
        members: list[tuple[str | None, object]] = []
        depth, container = _deepest(tree.root, place.path)
        missing = [(key, value) for key, value in place.top.items() if not tree.root.member(key)]
        if container is tree.root:
            members.extend(missing)
        elif missing:
            text = layout.insert(tree, tree.root, [(key, value) for key, value in missing])
            return self.add(text, place, entry, name)
        members.append(_wrapped(place.path[depth:], entry))
        return layout.insert(tree, container, members)

    def _fresh(self, tree: Tree, place: Place, entry: Mapping[str, object]) -> str:
        key, value = _wrapped(place.path, entry)
        document = {**place.top, str(key): value}
        newline = layout.style_of(tree).newline
        # Behind a comment and before the blanks of a file that holds nothing else.
        at = max([end for _, end in tree.comments], default=0)
        lead = newline if at else ""
        printed = json.dumps(document, ensure_ascii=False, indent=2).replace("\n", newline)
        tail = "" if tree.text[at:].startswith(("\n", "\r")) else newline
        return tree.text[:at] + lead + printed + tail + tree.text[at:]

    def replace(self, text: str, path: Path, entry: Mapping[str, object]) -> str:
        tree = self._scan(text)
        node = _require(tree.root, path)
        style = layout.style_of(tree)
        if layout.line_indent(text, node.outer) is None:
            style = layout.Style(style.newline, style.unit, wide=False)
        indent = layout.indent_of_line(text, node.start)
        return text[: node.start] + layout.printed(entry, style, indent) + text[node.end :]

    def with_value(self, text: str, path: Path, printed: str) -> str:
        """`text` with another scalar at `path`."""
        node = _require(self._scan(text).root, path)
        return text[: node.start] + printed + text[node.end :]

    def drop(self, text: str, path: Path) -> str:
        tree = self._scan(text)
        return layout.remove(tree, _require(tree.root, path[:-1]), _require(tree.root, path))


EDITOR = JsonEditor(comments=False)


def _node(root: Node | None, path: Sequence[str | int]) -> Node | None:
    for key in path:
        if root is None:
            return None
        if isinstance(key, str):
            root = root.member(key)
        else:
            root = root.children[key] if key < len(root.children) else None
    return root


def _require(root: Node | None, path: Sequence[str | int]) -> Node:
    node = _node(root, path)
    assert node is not None, path
    return node


def _deepest(root: Node, path: Sequence[str]) -> tuple[int, Node]:
    """How many keys of the path exist, and the container that the last of them names."""
    for depth, key in enumerate(path):
        child = root.member(key)
        if child is None:
            return depth, root
        root = child
    return len(path), root


def _wrapped(path: Sequence[str], entry: Mapping[str, object]) -> tuple[str | None, object]:
    """The member to insert: the entry inside the containers that are missing."""
    if not path:
        return None, entry
    value: object = [entry]
    for key in reversed(path[1:]):
        value = {key: value}
    return path[0], value
