"""`[[ … ]]`: the words of a condition, and whether they are one."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.commands import SimpleCommands, literal
from cc_safety_net.guard.shell.posix.nodes import Lit, TestCommand, Word

_UNARY = frozenset([f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS"])
_BINARY = frozenset(
    ("=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge")
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.posix.nodes import WordPart


class Conditions(SimpleCommands):
    """Reads `[[ … ]]`."""

    __slots__ = ()

    def condition(self, start: int) -> TestCommand:
        """The command whose `[[` has been read."""
        words: list[Word] = []
        self.enter("conditions")
        self._alternatives(words)
        if not self.failed:
            token = self._token()
            if literal(token) == "]]":
                pass
            elif not token.parts and self.pos >= self.end:
                self.fail("`[[` is not closed", start, incomplete=True)
            else:
                self.pos = token.start
                self.fail_here("`]]`")
        self.depth -= 1
        return TestCommand(words, (), start, self.pos)

    def _alternatives(self, words: list[Word]) -> None:
        """Terms joined by `&&` and `||`, with nested parentheses; no recursion."""
        level = 0
        while not self.failed:
            token = self._token()
            text = literal(token)
            if text in ("!", "("):
                words.append(token)
                level += text == "("
                continue
            self._term(token, words)
            while not self.failed:
                self.new_lines()
                at = self.pos
                token = self._token()
                text = literal(token)
                if text != ")" or not level:
                    break
                words.append(token)
                level -= 1
            if text in ("&&", "||"):
                words.append(token)
                continue
            if level and not self.failed:
                self.pos = token.start
                self.fail_here("`)`")
            elif not self.failed:
                self.pos = at
            return

    def _term(self, token: Word, words: list[Word]) -> None:
        """A unary or binary test, or one word."""
        text = literal(token)
        if not self._operand(token):
            return
        words.append(token)
        if text in _UNARY:
            operand = self._token(lines=False)
            if self._operand(operand):
                words.append(operand)
            return
        self.blanks()
        at = self.pos
        operator = self._token(lines=False)
        after = literal(operator)
        if after not in _BINARY and after not in ("<", ">"):
            self.pos = at
            if after not in ("]]", ")", "&&", "||"):
                self.fail_here("an operator of a condition")
            return
        words.append(operator)
        if after == "=~":
            self.blanks()
            right = self._regular_expression()
        else:
            right = self._token(lines=False)
        if self._operand(right):
            words.append(right)

    def _operand(self, token: Word) -> bool:
        if self.failed:
            return False
        if not token.parts or literal(token) in (
            "]]",
            ")",
            "(",
            "&&",
            "||",
            "<",
            ">",
            ";",
            "&",
            "|",
        ):
            self.pos = token.start
            self.fail_here("a word of a condition")
            return False
        return True

    def _token(self, *, lines: bool = True) -> Word:
        """The next word or operator; an empty word at the end.

        lines: new lines may stand before it.
        """
        found = self.new_lines() if lines else self.blanks()
        at = self.pos
        if found and found in "&|":
            size = 2 if self.peek(at + 1) == found else 1
        elif found in ("(", ")", ";") or (found in ("<", ">") and self.peek(at + 1) != "("):
            size = 1
        else:
            word = self.word(braces=False)
            if self.pos == at and found:
                self.fail_here("a word of a condition")
            return word
        self.effort.spend(1, "conditions")
        self.pos = self.unfold(at + 1) + 1 if size == 2 else at + 1
        return Word([Lit(found * size, False, at, self.pos)], at, self.pos)

    def _regular_expression(self) -> Word:
        """The word after `=~`: parentheses and bars belong to it, blanks inside them too."""
        start = self.pos
        parts: list[WordPart] = []
        level = 0
        while self.pos < self.end:
            piece = self.argument(" \t\n()|<>&;")
            parts += piece.parts
            at = self.pos
            if at >= self.end or self.failed:
                break
            found = self.text[at]
            if found == "(":
                level += 1
            elif found == ")":
                if not level:
                    break
                level -= 1
            elif found != "|" and not level:
                break
            self.effort.spend(1, "conditions")
            last = parts[-1] if parts else None
            if isinstance(last, Lit) and not last.quoted and last.end == at and len(last.text) < 64:
                last.text += found
                last.end = at + 1
            else:
                parts.append(Lit(found, False, at, at + 1))
            self.pos = at + 1
        if level and not self.failed:
            self.fail("`(` is not closed", start, incomplete=True)
        return Word(parts, start, self.pos)
