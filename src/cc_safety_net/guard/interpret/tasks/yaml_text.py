"""The part of YAML that files of tasks are written in: block maps and lists, texts, flow lists.

Anchors, tags and several documents are not known; what is not understood is a text.
"""

from __future__ import annotations

_DEEP = 32
_QUOTES = ("'", '"')


def decode_yaml(text: str) -> object:
    """The value of a document."""
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if line.strip() != "---"]
    return _Lines(lines).value(-1, 0)


class _Lines:
    """A place in the lines of a document."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0

    def skip(self) -> bool:
        """To the next line that says something; False at the end."""
        while self.at < len(self.lines):
            plain = self.lines[self.at].strip()
            if plain and plain[0] != "#":
                return True
            self.at += 1
        return False

    def value(self, above: int, depth: int) -> object:
        """The map or list whose lines stand further in than `above`."""
        if not self.skip() or depth > _DEEP:
            return None
        indent = _indent(self.lines[self.at])
        if indent <= above:
            return None
        if self.lines[self.at].lstrip().startswith(("- ", "-\n")) or self._is_dash():
            return self._list(indent, depth)
        return self._map(indent, depth)

    def _is_dash(self) -> bool:
        return self.lines[self.at].strip() == "-"

    def _list(self, indent: int, depth: int) -> list[object]:
        found: list[object] = []
        while self.skip():
            line = self.lines[self.at]
            if _indent(line) != indent or not line.lstrip().startswith("-"):
                break
            inside = line.lstrip()[1:]
            width = indent + 1 + len(inside) - len(inside.lstrip())
            rest = inside.strip()
            if not rest:
                self.at += 1
                found.append(self.value(indent, depth + 1))
            elif _key(rest) is not None and rest[0] not in "[{":
                # A map that begins on the line of its dash.
                self.lines[self.at] = " " * width + rest
                found.append(self._map(width, depth + 1))
            else:
                self.at += 1
                found.append(self._scalar(rest, indent))
        return found

    def _map(self, indent: int, depth: int) -> object:
        found: dict[str, object] = {}
        while self.skip():
            line = self.lines[self.at]
            if _indent(line) != indent:
                break
            key = _key(line.strip())
            if key is None:
                if found:
                    break
                self.at += 1
                return self._scalar(line.strip(), indent)
            name, rest = key
            self.at += 1
            if rest:
                found[name] = self._scalar(rest, indent)
            else:
                # A list may stand as far out as its key.
                dashed = self.skip() and self.lines[self.at].lstrip().startswith("-")
                found[name] = self.value(indent - 1 if dashed else indent, depth + 1)
        return found

    def _scalar(self, rest: str, indent: int) -> object:
        if rest[0] in "|>":
            return self._block(indent, folded=rest[0] == ">")
        if rest[0] == "[":
            inner = rest.rpartition("]")[0][1:] if "]" in rest else rest[1:]
            return [_plain(each.strip()) for each in _cut(inner) if each.strip()]
        if rest[0] == "{" and rest.endswith("}") and not rest.startswith("{{"):
            pairs = [_key(each.strip()) for each in _cut(rest[1:-1])]
            return {pair[0]: _plain(pair[1]) for pair in pairs if pair is not None}
        return _plain(rest)

    def _block(self, indent: int, *, folded: bool) -> str:
        found: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and _indent(line) <= indent:
                break
            found.append(line.strip())
            self.at += 1
        return (" " if folded else "\n").join(found).strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _key(text: str) -> tuple[str, str] | None:
    """`name: rest`; None if the text is no such pair."""
    if text[:1] in _QUOTES:
        end = text.find(text[0], 1)
        if end < 0 or text[end + 1 : end + 2] != ":":
            return None
        return text[1:end], text[end + 2 :].strip()
    at = text.find(":")
    while at >= 0 and text[at + 1 : at + 2] not in ("", " "):
        at = text.find(":", at + 1)
    if at <= 0 or " " in text[:at].strip():
        return None
    rest = text[at + 1 :].strip()
    return text[:at].strip(), "" if rest.startswith("#") else rest


def _cut(text: str) -> list[str]:
    """Parts between commas, quoted ones whole."""
    out: list[str] = []
    run: list[str] = []
    quote = ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in _QUOTES:
            quote = sign
        elif sign == ",":
            out.append("".join(run))
            run = []
            continue
        run.append(sign)
    out.append("".join(run))
    return out


def _plain(text: str) -> str:
    if text[:1] in _QUOTES and text[-1:] == text[:1] and len(text) > 1:
        inside = text[1:-1]
        return inside.replace("''", "'") if text[0] == "'" else inside.replace('\\"', '"')
    return text.partition(" #")[0].strip()
