"""Characters of PowerShell: blanks and comments, quoted texts, variables, here-strings."""

from __future__ import annotations

from cc_safety_net.guard.limits import SYNTAX_DEPTH, LimitReached
from cc_safety_net.guard.shell.powershell.nodes import (
    Expandable,
    Node,
    Problem,
    Sub,
    Text,
    Variable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.shell.powershell.nodes import Parameter, Script

#: Typographic quotes and dashes count as the plain ones.
_PLAIN = {
    0x2018: "'", 0x2019: "'", 0x201A: "'", 0x201B: "'", 0x201C: '"', 0x201D: '"', 0x201E: '"',
    0x2013: "-", 0x2014: "-", 0x2015: "-", 0x00A0: " ", 0x0085: "\n",
}  # fmt: skip
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    "e": "\x1b",
}  # fmt: skip
BLANKS = frozenset(" \t\f\v\r")
#: Scopes that name the variable itself.
_SCOPES = frozenset(("global", "local", "script", "private", "using", "variable"))
_SPECIAL = frozenset("$?^")
_NAME_STOPS_IN_TEXT = frozenset(" \t\r\n\"'`$(){}[]<>;,|&.\\/@#=+-*%!~^")


class Unreadable(Exception):
    """Inside the parser only: the text is no PowerShell from `start` on."""

    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start


class Scanner:
    """The text and the place in it; what needs statements is left to the parser."""

    __slots__ = ("depth", "effort", "end", "parameters", "pos", "problems", "rest", "text")

    def __init__(self, text: str, effort: Effort) -> None:
        self.text = text if text.isascii() else text.translate(_PLAIN)
        self.end = len(text)
        self.pos = 0
        self.effort = effort
        self.depth = 0
        self.problems: list[Problem] = []
        #: Of the block that is being read.
        self.parameters: list[Parameter] = []
        self.rest = len(text)

    def statements(self, closer: str) -> Script:
        """Statements up to `closer`, which is taken; "" for the end of the text."""
        raise NotImplementedError

    def enter(self) -> None:
        self.depth += 1
        self.effort.spend(2, "nested PowerShell")
        if self.depth > SYNTAX_DEPTH:
            raise LimitReached("guard.input-limit", f"more than {SYNTAX_DEPTH} nested constructs")

    def peek(self, ahead: int = 0) -> str:
        """The character at a distance, "" at the end."""
        at = self.pos + ahead
        return self.text[at] if at < self.end else ""

    def follows(self, lead: str) -> bool:
        return self.text.startswith(lead, self.pos)

    def skip(self, *, lines: bool = False) -> str:
        """Past blanks and comments, and line ends with `lines`; the character there."""
        text, end = self.text, self.end
        start = at = self.pos
        while at < end:
            found = text[at]
            if found in BLANKS or (lines and found == "\n"):
                at += 1
            elif found == "`" and at + 1 < end and text[at + 1] in "\r\n":
                at += 3 if text.startswith("\r\n", at + 1) else 2
            elif found == "#":
                at = text.find("\n", at)
                at = end if at < 0 else at
            elif found == "<" and text.startswith("<#", at):
                close = text.find("#>", at + 2)
                if close < 0:
                    raise Unreadable("a comment does not end", at)
                at = close + 2
            else:
                break
        self.effort.spend(1 + (at - start) // 8, "PowerShell text")
        self.pos = at
        return text[at] if at < end else ""

    # --- texts -----------------------------------------------------------------------------------

    def single_quoted(self) -> Text:
        start = self.pos
        out: list[str] = []
        at = start + 1
        while True:
            close = self.text.find("'", at)
            if close < 0:
                raise Unreadable("a quote does not end", start)
            out.append(self.text[at:close])
            if not self.text.startswith("''", close):
                break
            out.append("'")
            at = close + 2
        self.pos = close + 1
        self.effort.spend(1 + (self.pos - start) // 16, "a quoted text")
        return Text("".join(out), start, self.pos)

    def double_quoted(self) -> Node:
        start = self.pos
        self.pos += 1
        parts = self._expand('"')
        return text_of(parts, start, self.pos)

    def here_string(self) -> Node:
        """`@'` or `@"` with a line end behind it, up to the same at the start of a line."""
        start = self.pos
        quote = self.text[start + 1]
        first = self.text.find("\n", start)
        if first < 0 or self.text[start + 2 : first].strip():
            raise Unreadable("a here-string has text behind its beginning", start)
        close = self.text.find("\n" + quote + "@", first)
        if close < 0:
            raise Unreadable("a here-string does not end", start)
        self.effort.spend(1 + (close - start) // 16, "a here-string")
        body_end = close - 1 if close > first + 1 and self.text[close - 1] == "\r" else close
        if quote == "'" or close <= first:
            self.pos = close + 3
            return Text(self.text[first + 1 : max(body_end, first + 1)], start, self.pos)
        self.pos = first + 1
        parts = self._expand("", body_end)
        self.pos = max(self.pos, close + 3)
        return text_of(parts, start, self.pos)

    def _expand(self, quote: str, stop: int = -1) -> list[Node]:
        """The parts of an expandable text up to `quote` (which is taken) or the place `stop`."""
        text = self.text
        end = self.end if stop < 0 else stop
        parts: list[Node] = []
        out: list[str] = []
        begin = self.pos
        while self.pos < end:
            at = self.pos
            found = text[at]
            self.effort.spend(1, "a quoted text")
            if found == quote and quote:
                if text.startswith(quote, at + 1) and at + 1 < end:
                    out.append(quote)
                    self.pos += 2
                    continue
                self.pos += 1
                break
            if found == "`":
                out.append(self.escaped())
            elif found == "$":
                part = self.variable(in_text=True)
                if part is None:
                    out.append("$")
                    self.pos += 1
                else:
                    if out:
                        parts.append(Text("".join(out), begin, at))
                        out = []
                    parts.append(part)
                    begin = self.pos
            else:
                stretch = at + 1
                while stretch < end and text[stretch] not in '"`$':
                    stretch += 1
                out.append(text[at:stretch])
                self.effort.spend((stretch - at) // 16, "a quoted text")
                self.pos = stretch
        else:
            if quote:
                raise Unreadable("a quote does not end", begin)
        if out or not parts:
            parts.append(Text("".join(out), begin, self.pos))
        return parts

    def escaped(self) -> str:
        """What a backtick and the next character stand for."""
        letter = self.peek(1)
        if letter == "u" and self.peek(2) == "{":
            close = self.text.find("}", self.pos, self.pos + 12)
            digits = self.text[self.pos + 3 : close] if close > 0 else ""
            try:
                found = chr(int(digits, 16))
            except (ValueError, OverflowError):
                found = ""
            if found:
                self.pos = close + 1
                return found
        self.pos += 2
        return _ESCAPES.get(letter, letter)

    # --- variables -------------------------------------------------------------------------------

    def variable(self, *, in_text: bool = False) -> Node | None:
        """`$name`, `${name}`, `$(…)`, `$$`; None if the dollar stands for itself."""
        start = self.pos
        after = self.peek(1)
        if after == "(":
            self.pos += 2
            return self.sub("$(", start)
        if after == "{":
            close = self.text.find("}", start + 2)
            if close < 0:
                raise Unreadable("a variable's name does not end", start)
            self.effort.spend(1 + (close - start) // 16, "a variable")
            self.pos = close + 1
            return self._named(self.text[start + 2 : close], start)
        if after in _SPECIAL and after:
            self.pos += 2
            return Variable("", after, start, self.pos)
        name = self._name(start + 1)
        if not name:
            return None
        if in_text and name.endswith(":"):
            # `"$x: text"`: the colon is text unless a name follows it.
            name = name[:-1]
        self.pos = start + 1 + len(name)
        return self._named(name, start)

    def _name(self, at: int) -> str:
        """A name with its scope, from `at` on."""
        text, end = self.text, self.end
        begin = at
        colon = False
        while at < end:
            found = text[at]
            if found == ":" and not colon and at > begin:
                if text.startswith("::", at):
                    break
                colon = True
            elif not (found.isalnum() or found in "_?"):
                break
            at += 1
        self.effort.spend(1 + (at - begin) // 8, "a variable")
        return text[begin:at]

    def _named(self, name: str, start: int, *, splat: bool = False) -> Variable:
        scope, colon, rest = name.partition(":")
        if not colon:
            scope, rest = "", name
        scope = scope.lower()
        if scope in _SCOPES:
            scope = ""
        return Variable(scope, rest if scope else rest.lower(), start, self.pos, splat=splat)

    def splat(self) -> Variable | None:
        """`@name`."""
        start = self.pos
        name = self._name(start + 1)
        if not name:
            return None
        self.pos = start + 1 + len(name)
        return self._named(name, start, splat=True)

    def sub(self, opening: str, start: int) -> Sub:
        """Statements up to the closing parenthesis; the opening was taken."""
        self.enter()
        body = self.statements(")")
        self.depth -= 1
        return Sub(opening, body, start, self.pos)


def text_of(parts: list[Node], start: int, end: int, *, bare: bool = False) -> Node:
    """One node for the parts of a text."""
    if len(parts) == 1 and isinstance(parts[0], Text):
        return Text(parts[0].value, start, end, bare=bare)
    return Expandable(parts, start, end, bare=bare)
