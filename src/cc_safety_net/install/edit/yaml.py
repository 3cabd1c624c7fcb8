"""The editor for YAML: a name put into a list of names, and taken out; nothing else is touched.

ruamel.yaml says what the text means and where its values stand. It is never asked to print: it
would change quotes, indentation and line widths of what other people wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from cc_safety_net.errors import Unreadable
from cc_safety_net.install.edit.editor import at_path

if TYPE_CHECKING:
    from collections.abc import Sequence


def model(text: str, name: str) -> object:
    """Plain values; None for a text without any."""
    try:
        found: object = _yaml().load(text)
    except (YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        what = getattr(error, "problem", None) or "is no YAML"
        raise Unreadable(
            f"{name}: {where}{what}",
            f"mend {f'line {mark.line + 1} of ' if mark else ''}{name}, then run the command again",
        ) from error
    return found


def require_shape(value: object, path: Sequence[str], name: str) -> None:
    """The containers on the way to the list have the kinds they must have; null counts as none."""
    if value is not None and not isinstance(value, dict):
        raise _wrong(name, "the whole file", "a mapping")
    for depth in range(1, len(path) + 1):
        found = at_path(value, path[:depth])
        if found is None:
            return
        last = depth == len(path)
        if not isinstance(found, list if last else dict):
            raise _wrong(name, f'"{".".join(path[:depth])}"', "a list" if last else "a mapping")


def with_name(text: str, path: Sequence[str], item: str, file: str) -> str | None:
    """The text with `item` first in the list at `path`; None if it can't be put there."""
    before = model(text, file)
    require_shape(before, path, file)
    expected = _added(before, path, item)
    for candidate in _insertions(text, path, item):
        try:
            after = model(candidate, file)
        except Unreadable:
            continue
        if after == expected:
            return candidate
    return None


def without_name(text: str, path: Sequence[str], item: str, file: str) -> str | None:
    """The text with no `item` in the list at `path`; None if it can't be taken out."""
    while True:
        before = model(text, file)
        names = at_path(before, path)
        if not isinstance(names, list) or item not in names:
            return text
        index = names.index(item)
        shorter = _dropped(text, path, index)
        expected = [*names[:index], *names[index + 1 :]]
        if shorter is None or model(shorter, file) != _replaced(before, path, expected):
            return None
        text = shorter


def _yaml() -> YAML:
    yaml = YAML(typ="safe", pure=True)
    yaml.allow_duplicate_keys = False
    return yaml


def _insertions(text: str, path: Sequence[str], item: str) -> list[str]:
    """Texts that may say what is wanted, the nicest first."""
    newline = "\r\n" if "\r\n" in text else "\n"
    root: Node | None = _yaml().compose(text)
    if root is None:
        lines = _block(path, item, 0)
        lead = text if not text or text.endswith("\n") else text + newline
        return [lead + newline.join(lines) + newline]
    if isinstance(root, ScalarNode):
        return _into_document(text, root, path, item, newline)
    node, depth, key = root, 0, None
    while depth < len(path) and isinstance(node, MappingNode):
        pair = next((pair for pair in node.value if pair[0].value == path[depth]), None)
        if pair is None:
            return _into_mapping(text, node, path[depth:], item, newline, root=node is root)
        key, node = pair
        depth += 1
    if isinstance(node, SequenceNode):
        return [_into_sequence(text, node, item, newline)]
    if isinstance(node, ScalarNode) and key is not None:
        return _into_nothing(text, key, node, path[depth:], item, newline)
    return []


def _block(path: Sequence[str], item: str, column: int) -> list[str]:
    """The lines that make the list, with the keys on the way to it."""
    lines = [" " * (column + 2 * depth) + f"{key}:" for depth, key in enumerate(path)]
    return [*lines, " " * (column + 2 * len(path)) + f"- {item}"]


def _flow(path: Sequence[str], item: str) -> str:
    text = f"[{item}]"
    for key in reversed(path):
        text = f"{{{key}: {text}}}"
    return text


def _into_document(
    text: str, root: ScalarNode, path: Sequence[str], item: str, newline: str
) -> list[str]:
    """A document that says nothing: only `---`, or a null that is written."""
    start, end = root.start_mark.index, root.end_mark.index
    if start != end:
        return [text[:start] + _flow(path, item) + text[end:]]
    lines = newline.join(_block(path, item, 0)) + newline
    if not text[:end].endswith("\n"):
        end = text.find("\n", end) + 1 or len(text)
    lead = "" if text[:end].endswith("\n") else newline
    return [text[:end] + lead + lines + text[end:]]


def _into_mapping(
    text: str, node: MappingNode, path: Sequence[str], item: str, newline: str, *, root: bool
) -> list[str]:
    start = node.start_mark.index
    if node.flow_style:
        inner = f"{path[0]}: {_flow(path[1:], item)}"
        return [text[: start + 1] + inner + (", " if node.value else "") + text[start + 1 :]]
    column = node.start_mark.column
    lines = newline.join(_block(path, item, column))
    line = text.rfind("\n", 0, start) + 1
    first = text[:line] + lines + newline + text[line:]
    if not root:
        return [first]
    lead = text if text.endswith("\n") else text + newline
    return [lead + lines + newline, first]


def _into_sequence(text: str, node: SequenceNode, item: str, newline: str) -> str:
    start = node.start_mark.index
    if node.flow_style:
        return text[: start + 1] + item + (", " if node.value else "") + text[start + 1 :]
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    return text[:start] + f"- {item}" + newline + indent + text[start:]


def _into_nothing(
    text: str, key: Node, node: ScalarNode, path: Sequence[str], item: str, newline: str
) -> list[str]:
    """A key without a value, or with a null that is written."""
    if node.start_mark.index != node.end_mark.index:
        start, end = node.start_mark.index, node.end_mark.index
        return [text[:start] + _flow(path, item) + text[end:]]
    at = text.find("\n", key.end_mark.index)
    head = text if at < 0 else text[: at + 1]
    head += "" if head.endswith("\n") else newline
    lines = newline.join(_block(path, item, key.start_mark.column + 2))
    colon = text.find(":", key.end_mark.index) + 1
    return [
        head + lines + newline + ("" if at < 0 else text[at + 1 :]),
        text[:colon] + " " + _flow(path, item) + text[colon:],
    ]


def _dropped(text: str, path: Sequence[str], index: int) -> str | None:
    node: Node | None = _yaml().compose(text)
    for key in path:
        pairs = node.value if isinstance(node, MappingNode) else []
        node = next((value for name, value in pairs if name.value == key), None)
    if not isinstance(node, SequenceNode):
        return None
    items = node.value
    start, end = items[index].start_mark.index, items[index].end_mark.index
    if node.flow_style:
        if index + 1 < len(items):
            end = items[index + 1].start_mark.index
        elif index:
            start = items[index - 1].end_mark.index
        return text[:start] + text[end:]
    dash = text.rfind("-", 0, start)
    if len(items) == 1:
        return text[:dash] + "[]" + text[end:]
    line = text.rfind("\n", 0, dash) + 1
    if text[line:dash].strip():
        # The first item stands on the line of its key.
        return text[:dash] + text[items[index + 1].start_mark.index - 2 :] if not index else None
    stop = text.find("\n", end)
    return text[:line] + ("" if stop < 0 else text[stop + 1 :])


def _added(value: object, path: Sequence[str], item: str) -> object:
    names = at_path(value, path)
    return _replaced(value, path, [item, *(names if isinstance(names, list) else [])])


def _replaced(value: object, path: Sequence[str], names: list[object]) -> object:
    """The model with another list at `path`."""
    if not path:
        return names
    found = dict(value) if isinstance(value, dict) else {}
    found[path[0]] = _replaced(found.get(path[0]), path[1:], names)
    return found


def _wrong(name: str, what: str, expected: str) -> Unreadable:
    return Unreadable(
        f"{name}: {what} is not {expected}",
        f"mend {what} in {name}, then run the command again",
        code="wrong_shape",
    )
