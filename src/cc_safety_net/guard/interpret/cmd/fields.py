"""How `for /f` cuts a line: `tokens=1,2*`, `delims=,`, `skip=`, `eol=`, `usebackq`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.values import text_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.values import Choices

#: No line has more parts that are given names.
_MOST = 31


class Fields:
    """The options of one loop. count: how many variables a line sets."""

    __slots__ = ("_comment", "_delimiters", "_rest", "_tokens", "command_quote", "text_quote")

    def __init__(self, options: str) -> None:
        text = options.strip().strip('"')
        lower = text.lower()
        quoted = "usebackq" in lower
        #: What a command and a text stand between; a file's name has the third kind of quotes.
        self.command_quote = "`" if quoted else "'"
        self.text_quote = "'" if quoted else '"'
        self._delimiters = " \t"
        at = lower.find("delims=")
        if at >= 0:
            # A blank counts only if it is the last of all.
            value = text[at + 7 :]
            self._delimiters = value if not value.strip() else value.split(" ")[0]
            if value.endswith(" "):
                self._delimiters += " "
        self._comment = ";"
        at = lower.find("eol=")
        if at >= 0:
            self._comment = text[at + 4 : at + 5]
        self._tokens, self._rest = [1], False
        at = lower.find("tokens=")
        if at >= 0:
            self._read_tokens(text[at + 7 :].split(" ")[0])

    def _read_tokens(self, text: str) -> None:
        """`1,3-5*`."""
        self._rest = text.endswith("*")
        found: list[int] = []
        for part in text.rstrip("*").split(","):
            first, dash, last = part.partition("-")
            if first.isdigit() and len(first) < 3:
                end = int(last) if dash and last.isdigit() and len(last) < 3 else int(first)
                found.extend(range(int(first), min(end, _MOST) + 1))
        self._tokens = sorted(set(found))[:_MOST]

    @property
    def count(self) -> int:
        return len(self._tokens) + self._rest

    def of(self, line: Pieces) -> list[Choices] | None:
        """The parts of a line that are given names; None for a line that is passed over."""
        text = literal(line)
        if text is None:
            return self._of_unknown(line)
        if not text.strip() or (self._comment and text.startswith(self._comment)):
            return None
        parts = self._cut(text)
        if not parts:
            return None
        out = [text_choice(parts[n - 1][0] if n <= len(parts) else "") for n in self._tokens]
        if self._rest:
            last = self._tokens[-1] if self._tokens else 0
            out.append(text_choice(text[parts[last][1] :] if last < len(parts) else ""))
        return out

    def _of_unknown(self, line: Pieces) -> list[Choices]:
        """A line that is known in part: whole where it is not cut, else a part of it."""
        if not self._delimiters or self._tokens == [1] or not self._tokens:
            return [(line,) for _ in range(self.count)]
        return [((Unknown("command", may_be_empty=False),),) for _ in range(self.count)]

    def _cut(self, text: str) -> list[tuple[str, int]]:
        """(part, where it begins)."""
        if not self._delimiters:
            return [(text, 0)]
        out: list[tuple[str, int]] = []
        start = -1
        for at, character in enumerate(text):
            if character in self._delimiters:
                if start >= 0:
                    out.append((text[start:at], start))
                start = -1
            elif start < 0:
                start = at
        if start >= 0:
            out.append((text[start:], start))
        return out
