"""The reader's position in the text: blanks, comments, new lines, problems and limits.

The parser reads characters directly; there is no separate token stream, because what a token is
depends on where it stands. A fatal problem moves the end of the text (`end`) to the place of the
problem, so that every open construct closes by itself and keeps what it has.
"""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import LimitReached
from cc_safety_net.guard.shell.posix.nodes import SyntaxProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.shell.posix.nodes import (
        Command,
        CommandSub,
        HereDoc,
        Param,
        Redirect,
        Script,
        Word,
        WordPart,
    )

#: Characters that end a word.
META = frozenset((" ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">"))
#: Characters that end the plain run of a word: the above, quotes, expansions, braces.
WORD_STOPS = frozenset(
    (" ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">", "\\", "'", '"', "$", "`", "{")
)
#: WORD_STOPS as one character each, and the one itself as another, for `Cursor.stops`.
_STOP = "\0"
_MARKS = {
    0: "\1", 9: "\0", 10: "\0", 32: "\0", 34: "\0", 36: "\0", 38: "\0", 39: "\0", 40: "\0",
    41: "\0", 59: "\0", 60: "\0", 62: "\0", 92: "\0", 96: "\0", 123: "\0", 124: "\0",
}  # fmt: skip
#: The same for what has a meaning in double quotes.
QUOTED_STOPS = frozenset(('"', "\\", "$", "`"))
_QUOTED_MARKS = {0: "\1", 34: "\0", 36: "\0", 92: "\0", 96: "\0"}
#: Those of META after which no word goes on, whatever follows.
WORD_ENDS = frozenset((" ", "\t", "\n", ";", "&", "|", ")"))


def is_name(text: str) -> bool:
    """Whether the text is a name of the shell: ASCII letters, digits and `_`, no digit first."""
    return text.isascii() and text.isidentifier()


def _marked(text: str, stops: frozenset[str], marks: dict[int, str]) -> str:
    """The text with a mark for each of the stops, so that the next one is found fast."""
    if text.isascii():
        return text.translate(marks)
    # `translate` looks up each character that is not ASCII.
    text = text.replace("\0", "\1")
    for stop in stops:
        text = text.replace(stop, _STOP)
    return text


class Cursor:
    """A position in a text, with what has been found so far."""

    __slots__ = (
        "braces_close",
        "closing",
        "depth",
        "effort",
        "end",
        "failed",
        "foreach",
        "pairs",
        "pending",
        "pos",
        "problems",
        "quoted_stops",
        "rest",
        "stops",
        "text",
        "unclosed",
        "words",
    )

    def __init__(self, text: str, effort: Effort) -> None:
        self.read(text)
        self.effort = effort
        self.depth = 0
        self.words = 0
        self.problems: list[SyntaxProblem] = []
        self.failed = False
        self.pending: list[Redirect] = []
        self.pairs: dict[int, int] = {}
        self.unclosed: dict[tuple[str, bool, bool, bool], int] = {}
        self.closing = False  # inside `$(…)`, whose `)` ends a here-document's last line too
        self.braces_close = False  # zsh: `}` ends a command without `;`
        self.foreach = 0

    def read(self, text: str) -> None:
        """Stand at the beginning of a text."""
        self.text = text
        self.stops = _marked(text, WORD_STOPS, _MARKS)
        self.quoted_stops = ""
        self.pos = 0
        self.end = self.rest = len(text)

    # --- limits and problems -------------------------------------------------------------------

    def enter(self, construct: str) -> None:
        """One level deeper; the caller takes it back from `depth`."""
        self.depth += 1
        self.effort.spend(1, construct)
        if self.depth > limits.SYNTAX_DEPTH:
            raise LimitReached(
                "guard.input-limit", f"more than {limits.SYNTAX_DEPTH} nested constructs"
            )

    def count_word(self) -> None:
        self.words += 1
        if self.words > limits.WORDS:
            raise LimitReached("guard.input-limit", f"more than {limits.WORDS:,} words")

    def plain_end(self, start: int) -> int:
        """Where the plain run that begins at `start` ends: at one of WORD_STOPS, or at the end."""
        at = self.stops.find(_STOP, start, self.end)
        return self.end if at < 0 else at

    def quoted_end(self, start: int) -> int:
        """Where what begins at `start` in double quotes has no meaning any more."""
        if not self.quoted_stops:
            self.quoted_stops = _marked(self.text, QUOTED_STOPS, _QUOTED_MARKS)
        at = self.quoted_stops.find(_STOP, start, self.end)
        return self.end if at < 0 else at

    def fail(
        self, message: str, start: int, *, incomplete: bool = False, read: bool = False
    ) -> None:
        """Note a problem and stop reading: from here on the text has ended.

        read: what stands between `start` and here is in the tree.
        """
        if not self.failed:
            self.failed = True
            stop = min(self.end, max(start, self.pos))
            self.problems.append(SyntaxProblem(message, start, stop, incomplete=incomplete))
            self.rest = min(self.rest, stop if read else start)
            self.pos = stop
            self.end = stop

    def fail_here(self, expected: str) -> None:
        """Note that something else was expected at this place."""
        if self.failed:
            return
        at = self.pos
        if at >= self.end:
            self.fail(f"the text ends where {expected} is expected", at, incomplete=True)
        else:
            found = self.text[at]
            shown = "a new line" if found == "\n" else f"`{found}`"
            self.fail(f"{shown} stands where {expected} is expected", at)

    # --- going on ------------------------------------------------------------------------------

    def unfold(self, at: int) -> int:
        """The offset after continued lines (backslash, new line) at `at`."""
        text = self.text
        end = self.end
        while at + 1 < end and text[at] == "\\" and text[at + 1] == "\n":
            at += 2
        return at

    def peek(self, at: int) -> str:
        """The character at `at` or after continued lines there; "" at the end."""
        if at < self.end:
            found = self.text[at]
            if found != "\\":
                return found
            at = self.unfold(at)
            if at < self.end:
                return self.text[at]
        return ""

    def blanks(self) -> str:
        """Go over blanks, continued lines and a comment; the character there, "" at the end."""
        text = self.text
        end = self.end
        at = self.pos
        while at < end:
            found = text[at]
            if found == " " or found == "\t":  # noqa: PLR1714 - the hot loop
                at += 1
            elif found == "#":
                line_end = text.find("\n", at, end)
                at = end if line_end < 0 else line_end
            elif found == "\\" and at + 1 < end and text[at + 1] == "\n":
                at += 2
            else:
                self.pos = at
                return found
        self.pos = at
        return ""

    def new_line(self) -> None:
        """Go over the new line here; the bodies of pending here-documents follow it."""
        self.pos += 1
        if self.pending:
            self.here_documents()

    def new_lines(self) -> str:
        """Go over blanks, comments and new lines; the character there, "" at the end."""
        found = self.blanks()
        while found == "\n":
            self.new_line()
            found = self.blanks()
        return found

    # --- what the levels above bring -----------------------------------------------------------

    def here_documents(self) -> None:
        raise NotImplementedError

    def here_document(self, redirect: Redirect) -> HereDoc:
        raise NotImplementedError

    def script(self) -> Script:
        raise NotImplementedError

    def command(self, found: str) -> Command | None:
        raise NotImplementedError

    def word(self, braces: bool = True) -> Word:
        raise NotImplementedError

    def parameter(self, start: int, at: int, quoted: bool) -> Param | CommandSub:
        raise NotImplementedError

    def dollar(self, quoted: bool) -> WordPart | None:
        raise NotImplementedError
