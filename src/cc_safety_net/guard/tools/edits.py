"""What a file holds after a tool has changed a part of it, where the call tells.

None wherever the tool might do it in another way than the text says.
"""

from __future__ import annotations

from cc_safety_net.guard.limits import PAYLOAD_BYTES
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.tool_names import find, kind_of, unwrap_dispatcher
from cc_safety_net.guard.tools.arguments import PATCH_KEYS, items, plain_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.place import Place

_OLD = ("oldstring", "oldstr", "oldtext", "targetcontent", "search", "old")
_NEW = ("newstring", "newstr", "newtext", "replacementcontent", "replacement", "replace", "new")
_ALL = ("replaceall", "allowmultiple", "all", "allowmultiplematches")
_LISTS = ("edits", "replacementchunks", "replacements", "changes")
#: Sub-commands of an edit tool that replace text.
_REPLACING = frozenset(("", "str_replace", "strreplace", "replace", "edit"))
#: Lines of a hunk times lines of the file.
_COMPARED = 4_000_000


def edited(call: ToolCall, path: str, old: str, place: Place, effort: Effort) -> str | None:
    """The text of the file at `path` afterwards; `old` is what it holds now."""
    name, arguments = unwrap_dispatcher(call.tool, call.arguments)
    kind = call.kind if name == call.tool and call.kind != "other" else kind_of(name)
    effort.spend(len(old) // 64, "an edit")
    if kind == "patch":
        return _patched(arguments, path, old, place, effort)
    action = arguments.get("command")
    if kind != "edit" or (isinstance(action, str) and action.lower() not in _REPLACING):
        return None
    return _replaced(arguments, old, effort)


def _replaced(arguments: Mapping[str, Any], old: str, effort: Effort) -> str | None:
    steps = find(arguments, _LISTS)
    text: str | None = old
    for step in steps if isinstance(steps, list) else [arguments]:
        if not isinstance(step, dict) or text is None:
            return None
        effort.spend(4 + len(text) // 128, "an edit")
        text = _step(step, text)
    return text


def _step(step: Mapping[str, Any], text: str) -> str | None:
    before, after = find(step, _OLD), find(step, _NEW)
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    if not before:
        return after if not text else None
    count = text.count(before)
    if len(text) + count * (len(after) - len(before)) > PAYLOAD_BYTES:
        return None
    if find(step, _ALL) is True:
        return text.replace(before, after) if count else None
    return text.replace(before, after) if count == 1 else None


def _patched(
    arguments: Mapping[str, Any], path: str, old: str, place: Place, effort: Effort
) -> str | None:
    """One file of a patch; None if the patch does not name it exactly once."""
    found: str | None = None
    for key, value in items(arguments):
        if key not in PATCH_KEYS or not isinstance(value, str):
            continue
        effort.spend(len(value) // 64 + value.count("\n") // 4, "an edit")
        for name, lines, added in _sections(value):
            if normalise(join(place.directory, plain_path(name, place.home))) != path:
                continue
            if found is not None:
                return None
            found = added if added is not None else _with_hunks(lines, old, effort)
            if found is None:
                return None
    return found


def _sections(text: str) -> Iterator[tuple[str, list[str], str | None]]:
    """(name, lines of its hunks, whole content of an added file) of each file of a patch."""
    name, lines, adds = "", [], False
    for line in text.splitlines():
        start = _section(line)
        if start is None:
            if name:
                lines.append(line)
            continue
        if name:
            yield name, lines, _added(lines) if adds else None
        name, adds = start
        lines = []
    if name:
        yield name, lines, _added(lines) if adds else None


def _section(line: str) -> tuple[str, bool] | None:
    """(name, it is a new file) of a line that begins a file of a patch."""
    for mark, adds in (("*** Add File:", True), ("*** Update File:", False)):
        if line.startswith(mark):
            return line[len(mark) :].strip(), adds
    if line.startswith(("*** Delete File:", "*** Move to:", "*** End Patch", "diff --git ")):
        return "", False
    if line.startswith("+++ "):
        name = line[4:].partition("\t")[0].strip()
        return (name.removeprefix("b/")), False
    return ("", False) if line.startswith("--- ") else None


def _added(lines: Sequence[str]) -> str | None:
    if not all(line.startswith("+") for line in lines):
        return None
    return "".join(line[1:] + "\n" for line in lines)


def _with_hunks(lines: Sequence[str], old: str, effort: Effort) -> str | None:
    """The text with every hunk put in; each must fit at exactly one place."""
    text = old.splitlines()
    for before, after in _hunks(lines):
        at = _place_of(before, text, effort)
        if at is None:
            return None
        text[at : at + len(before)] = after
    return "\n".join(text) + ("\n" if old.endswith("\n") or not old else "")


def _hunks(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    before: list[str] = []
    after: list[str] = []
    for line in lines:
        if line.startswith(("@@", "*** End")):
            if before or after:
                yield before, after
            before, after = [], []
        elif line.startswith("-"):
            before.append(line[1:])
        elif line.startswith("+"):
            after.append(line[1:])
        elif not line.startswith("\\"):
            before.append(line[1:])
            after.append(line[1:])
    if before or after:
        yield before, after


def _place_of(block: Sequence[str], text: Sequence[str], effort: Effort) -> int | None:
    if not block:
        return len(text) if not text else None
    if len(block) * len(text) > _COMPARED:
        return None
    found = None
    first = block[0]
    effort.spend(1 + len(text) // 16, "an edit")
    for at, line in enumerate(text[: len(text) - len(block) + 1]):
        if line != first:
            continue
        effort.spend(1 + len(block) // 16, "an edit")
        if list(text[at : at + len(block)]) == list(block):
            if found is not None:
                return None
            found = at
    return found
