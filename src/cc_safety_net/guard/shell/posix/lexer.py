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
#: Those of META after which no word goes on, whatever follows.
WORD_ENDS = frozenset((" ", "\t", "\n", ";", "&", "|", ")"))


def is_name(text: str) -> bool:
    """Whether the text is a name of the shell: ASCII letters, digits and `_`, no digit first."""
    return text.isascii() and text.isidentifier()


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
        "rest",
        "text",
        "unclosed",
        "words",
    )

    def __init__(self, text: str, effort: Effort) -> None:
        self.text = text
        self.pos = 0
        self.end = len(text)
        self.effort = effort
        self.depth = 0
        self.words = 0
        self.problems: list[SyntaxProblem] = []
        self.failed = False
        self.rest = len(text)
        self.pending: list[Redirect] = []
        self.pairs: dict[int, int] = {}
        self.unclosed: dict[tuple[str, bool, bool, bool], int] = {}
        self.closing = False  # inside `$(…)`, whose `)` ends a here-document's last line too
        self.braces_close = False  # zsh: `}` ends a command without `;`
        self.foreach = 0

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

    def command(self) -> Command | None:
        raise NotImplementedError

    def word(self, braces: bool = True) -> Word:
        raise NotImplementedError

    def parameter(self, start: int, at: int, quoted: bool) -> Param | CommandSub:
        raise NotImplementedError

    def dollar(self, quoted: bool) -> WordPart | None:
        raise NotImplementedError
