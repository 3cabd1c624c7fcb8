"""Which files a patch touches: envelopes (`*** Update File:`), unified and git diffs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ENVELOPE = (
    ("*** Add File:", "write"),
    ("*** Update File:", "write"),
    ("*** Delete File:", "delete"),
    ("*** Move to:", "move"),
)
_NONE = "/dev/null"


class Change:
    """One file of a patch: mode is `write`, `delete` or `move`; target is where it is moved."""

    __slots__ = ("mode", "path", "target")

    def __init__(self, path: str, mode: str, target: str = "") -> None:
        self.path = path
        self.mode = mode
        self.target = target


def read_patch(text: str) -> list[Change]:
    """The changes of a patch in order; [] if the text is none."""
    lines = text.splitlines()
    found = _envelope(lines)
    return found or _diff(lines)


def _envelope(lines: Sequence[str]) -> list[Change]:
    found: list[Change] = []
    for line in lines:
        stripped = line.strip()
        for mark, mode in _ENVELOPE:
            if not stripped.startswith(mark):
                continue
            path = _unquote(stripped[len(mark) :].strip())
            if mode == "move" and found:
                found[-1] = Change(found[-1].path, "move", path)
            elif path:
                found.append(Change(path, mode))
    return found


def _diff(lines: Sequence[str]) -> list[Change]:
    """Unified diffs, with or without git's extended headers."""
    found: list[Change] = []
    git = False
    old = ""
    rename = ""
    hunk = (0, 0)
    for line in lines:
        if hunk != (0, 0):
            hunk = _inside(line, hunk)
            continue
        if line.startswith("diff --git "):
            git = True
            old = rename = ""
            found.extend(_of_git_line(line[11:]))
        elif line.startswith("@@ "):
            hunk = _hunk(line)
        elif line.startswith("--- "):
            old = _name(line[4:])
        elif line.startswith("+++ ") and old:
            new = _name(line[4:])
            found.extend(_pair(old, new, git=git))
            old = ""
        elif line.startswith(("rename from ", "copy from ")):
            rename = _unquote(line.partition(" from ")[2].strip())
        elif line.startswith(("rename to ", "copy to ")) and rename:
            target = _unquote(line.partition(" to ")[2].strip())
            mode = "move" if line.startswith("rename") else "write"
            found.append(Change(rename if mode == "move" else target, mode, target))
        elif line.startswith("deleted file mode") and found:
            found.append(Change(found[-1].path, "delete"))
    return _distinct(found)


def _of_git_line(rest: str) -> list[Change]:
    """`a/x b/x`: the same name twice, quoted if it holds odd characters."""
    if rest.startswith('"'):
        first, end = _quoted(rest)
        return [Change(_strip(first), "write")] if end else []
    middle = len(rest) // 2
    if rest[middle : middle + 1] == " ":
        left, right = rest[:middle], rest[middle + 1 :]
        if _strip(left) == _strip(right):
            return [Change(_strip(left), "write")]
    return []


def _pair(old: str, new: str, *, git: bool) -> list[Change]:
    if old == _NONE and new == _NONE:
        return []
    prefixed = git or (
        old.startswith(("a/", _NONE)) and new.startswith(("b/", _NONE)) and old != new
    )
    names = [_strip(name) if prefixed else name for name in (old, new)]
    if new == _NONE:
        return [Change(names[0], "delete")]
    if old == _NONE or names[0] == names[1]:
        return [Change(names[1], "write")]
    return [Change(names[0], "write"), Change(names[1], "write")]


def _hunk(line: str) -> tuple[int, int]:
    """Old and new lines of `@@ -1,3 +1,4 @@`; what is counted is text, never a header."""
    parts = line.split(" ")
    if len(parts) < 3:
        return 0, 0
    return _count(parts[1], "-"), _count(parts[2], "+")


def _count(part: str, sign: str) -> int:
    if not part.startswith(sign):
        return 0
    _, comma, count = part[1:].partition(",")
    if not comma:
        return 1
    return int(count) if count.isascii() and count.isdigit() and len(count) < 9 else 0


def _inside(line: str, hunk: tuple[int, int]) -> tuple[int, int]:
    old, new = hunk
    if line.startswith("-"):
        return max(old - 1, 0), new
    if line.startswith("+"):
        return old, max(new - 1, 0)
    if line.startswith("\\"):
        return hunk
    return max(old - 1, 0), max(new - 1, 0)


def _name(text: str) -> str:
    """The name behind `---` or `+++`; a time behind a tab is no part of it."""
    return _unquote(text.partition("\t")[0].strip())


def _strip(name: str) -> str:
    """Without git's `a/` or `b/`."""
    return name[2:] if name.startswith(("a/", "b/", "i/", "w/", "c/", "o/")) else name


def _unquote(text: str) -> str:
    return _quoted(text)[0] if text.startswith('"') else text


def _quoted(text: str) -> tuple[str, int]:
    """A name in git's quotes with `\\n`, `\\"` and octal bytes; and where it ended (0: nowhere)."""
    simple = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, '"': 34, "\\": 92}
    out = bytearray()
    index = 1
    while index < len(text):
        character = text[index]
        if character == '"':
            return out.decode("utf-8", "surrogateescape"), index + 1
        if character == "\\" and index + 1 < len(text):
            digits = text[index + 1 : index + 4]
            if len(digits) == 3 and all(d in "01234567" for d in digits):
                out.append(int(digits, 8) & 255)
                index += 4
                continue
            out.append(simple.get(text[index + 1], ord(text[index + 1]) & 127))
            index += 2
            continue
        out.extend(character.encode("utf-8", "surrogateescape"))
        index += 1
    return out.decode("utf-8", "surrogateescape"), 0


def _distinct(changes: Sequence[Change]) -> list[Change]:
    """One change for a path and mode; git names a file on several lines."""
    seen = set()
    out = []
    for change in changes:
        key = (change.path, change.mode, change.target)
        if change.path and key not in seen:
            seen.add(key)
            out.append(change)
    return out
