"""Here-documents: finding their lines, and reading the expansions in them."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.nodes import DoubleQuoted, HereDoc, Lit, Word
from cc_safety_net.guard.shell.posix.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.posix.nodes import Redirect


class HereDocuments(Words):
    """Reads the bodies of here-documents after the line that announced them."""

    __slots__ = ()

    def here_documents(self) -> None:
        """The bodies of all that are pending, in their order; the position is after their lines."""
        pending = self.pending
        self.pending = []
        for redirect in pending:
            redirect.heredoc = self.here_document(redirect)

    def here_document(self, redirect: Redirect) -> HereDoc:
        delimiter, quoted = self._delimiter(redirect.target)
        tabs = redirect.op == "<<-"
        start = self.pos
        end, after, closed = self._body_end(delimiter, quoted, tabs)
        self.effort.spend((after - start) // 64 + 6, "here-documents")
        if quoted:
            raw = self.text[start:end]
            if tabs:
                raw = "\n".join([line.lstrip("\t") for line in raw.split("\n")])
            body = Word([Lit(raw, True, start, end)] if raw else [], start, end)
        else:
            body = self._expanded(start, end, tabs)
        self.pos = after
        return HereDoc(delimiter, quoted, body, closed, start, end)

    def _expanded(self, start: int, end: int, tabs: bool) -> Word:
        """The body with its expansions; a problem inside does not stop what follows."""
        outer = self.end
        closing, self.closing = self.closing, False
        self.pos = start
        self.end = end
        body = Word(self.quoted_parts("", tabs), start, end)
        self.failed = False
        self.end = outer
        self.closing = closing
        return body

    def _delimiter(self, target: Word) -> tuple[str, bool]:
        """The delimiter after quote removal, and whether any of it was quoted."""
        text = self.text
        pieces: list[str] = []
        quoted = False
        for part in target.parts:
            if isinstance(part, Lit):
                quoted = quoted or part.quoted
                pieces.append(part.text)
            elif isinstance(part, DoubleQuoted):
                quoted = True
                pieces += [
                    inner.text if isinstance(inner, Lit) else text[inner.start : inner.end]
                    for inner in part.parts
                ]
            else:
                pieces.append(text[part.start : part.end])
        return "".join(pieces), quoted

    def _body_end(self, delimiter: str, quoted: bool, tabs: bool) -> tuple[int, int, bool]:
        """Where the body ends, where reading goes on, and whether the delimiter was found."""
        text = self.text
        end = self.end
        size = len(delimiter)
        line = self.pos
        key = (delimiter, quoted, tabs, self.closing)
        if self.unclosed.get(key) == end:
            return end, end, False  # not found from a place before this one
        while line < end:
            begin = line
            stop = text.find("\n", line, end)
            if stop < 0:
                stop = end
            if tabs:
                while line < stop and text[line] == "\t":
                    line += 1
            if stop - line >= size and text.startswith(delimiter, line):
                if stop - line == size:
                    return begin, min(stop + 1, end), True
                # As bash does: in `$(…)` the parenthesis may follow on the delimiter's line.
                if self.closing and text.find(")", line + size, stop) >= 0:
                    return begin, line + size, True
            if not quoted and stop > line and text[stop - 1] == "\\" and stop < end:
                joined, stop = self._continued(line, stop)
                if joined == delimiter:
                    return begin, min(stop + 1, end), True
            line = stop + 1
        self.unclosed[key] = end
        return end, end, False

    def _continued(self, line: int, stop: int) -> tuple[str, int]:
        """A line that goes on after a backslash: its text (if short), and where it ends."""
        text = self.text
        end = self.end
        pieces: list[str] = []
        while True:
            slashes = stop
            while slashes > line and text[slashes - 1] == "\\":
                slashes -= 1
            if (stop - slashes) % 2 == 0 or stop >= end:
                pieces.append(text[line:stop])
                return "".join(pieces), stop
            pieces.append(text[line : stop - 1])
            line = stop + 1
            stop = text.find("\n", line, end)
            if stop < 0:
                stop = end
