"""Arithmetic: telling `((…))` from nested parentheses, and reading expressions."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.lexer import Cursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.posix.nodes import Word

_NOT_CLOSED = -1
#: What the scan for matching parentheses stops at.
_MARKS = frozenset("\\'\"`(){}")


class Arithmetic(Cursor):
    """Reads what stands between `((` and `))`."""

    __slots__ = ()

    def arithmetic_end(self, at: int) -> int:
        """The offset of the `))` that closes the `((` at `at`; -1 if it is no arithmetic.

        It is arithmetic when the inner parenthesis closes right before the outer one.
        """
        inner = self.unfold(at + 1)
        if inner not in self.pairs:
            self._match(inner)
        close = self.pairs[inner]
        if close < 0 or self.peek(close + 1) != ")":
            return -1
        return close

    def _match(self, at: int) -> None:
        """Find the partner of the parenthesis at `at` and of all within, in one pass.

        Each is remembered, so that nested `((((` are not read again and again.
        """
        text = self.text
        end = self.end
        pairs = self.pairs
        stack: list[tuple[str, int]] = []
        begin = at
        while at < end:
            found = text[at]
            if found not in _MARKS:
                at += 1
                continue
            mode = stack[-1][0] if stack else ""
            if found == "\\":
                at += 2
                continue
            if found == "(":
                if mode != '"' or text[at - 1] == "$":
                    stack.append((")", at))
            elif found == "{":
                # As in bash, `${` holds parentheses together only inside double quotes.
                if text[at - 1] == "$" and mode in ('"', "}"):
                    stack.append(("}", at))
            elif found == '"':
                if mode == '"':
                    stack.pop()
                else:
                    stack.append(('"', at))
            elif found == mode:
                _, opened = stack.pop()
                if found == ")":
                    pairs[opened] = at
                    if not stack:
                        break
            elif found == "'" and mode != '"':
                close = text.find("'", at + 1, end)
                at = end if close < 0 else close
            elif found == "`":
                at = self._skip_backticks(at)
            at += 1
        self.effort.spend((at - begin) // 16 + 1, "nested parentheses")
        for mode, opened in stack:
            if mode == ")":
                pairs[opened] = _NOT_CLOSED

    def _skip_backticks(self, at: int) -> int:
        text = self.text
        end = self.end
        at += 1
        while at < end and text[at] != "`":
            at += 2 if text[at] == "\\" else 1
        return at

    def expression(self, start: int, end: int) -> Word:
        """The expression between two offsets, its expansions parsed.

        As the shell finds its end first, a problem inside does not stop what follows.
        """
        outer = self.end
        self.pos = start
        self.end = end
        word = self.argument("")
        self.failed = False
        self.end = outer
        self.pos = end
        return word

    def argument(
        self, stops: str, *, quoted: bool = False, pattern: bool = False, nest: str = ""
    ) -> Word:
        raise NotImplementedError
