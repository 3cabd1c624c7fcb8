"""Parameter expansion in braces: `${name…}` with subscripts and operators."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.arith import Arithmetic
from cc_safety_net.guard.shell.posix.nodes import CommandSub, Lit, Param, Word

_SPECIAL = frozenset("@*#?-$!")
#: Operators by their first character, longest first.
_OPERATORS = {
    ":": (":-", ":=", ":?", ":+", ":"),
    "-": ("-",),
    "=": ("=",),
    "?": ("?",),
    "+": ("+",),
    "#": ("##", "#"),
    "%": ("%%", "%"),
    "/": ("//", "/#", "/%", "/"),
    "^": ("^^", "^"),
    ",": (",,", ","),
    "@": ("@",),
}
_PATTERN = frozenset(("#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,"))


class Parameters(Arithmetic):
    """Reads `${…}`."""

    __slots__ = ()

    def parameter(self, start: int, at: int, quoted: bool) -> Param | CommandSub:
        """The expansion whose `$` is at `start` and whose `{` is at `at`."""
        self.enter("parameter expansions")
        first = self.peek(at + 1)
        self.pos = self.unfold(at + 1)
        node: Param | CommandSub
        if first in (" ", "\t", "\n", "|") and first:
            node = self._funsub(start)
        else:
            node = self._in_braces(start, first, quoted)
        self.depth -= 1
        return node

    def _funsub(self, start: int) -> CommandSub:
        if self.text[self.pos] == "|":
            self.pos += 1
        pending, self.pending = self.pending, []
        closing, self.closing = self.closing, False
        body = self.script()
        if self.text.startswith("}", self.pos) and self.pos < self.end:
            self.pos += 1
        else:
            self._unclosed(start)
        self.pending = pending + self.pending
        self.closing = closing
        return CommandSub(body, "funsub", start, self.pos)

    def _unclosed(self, start: int) -> None:
        self.fail("`${` is not closed", start, incomplete=self.pos >= self.end)

    def _in_braces(self, start: int, first: str, quoted: bool) -> Param:
        flags = self._flags() if first == "(" else None
        indirect = length = False
        if first in ("!", "#") and first:
            after = self.peek(self.pos + 1)
            if first == "!" and self._starts_parameter(after, self.pos + 1):
                indirect = True
                self.pos = self.unfold(self.pos + 1)
            elif first == "#" and self._is_length(after):
                length = True
                self.pos = self.unfold(self.pos + 1)
        marked = self.peek(self.pos) in ("=", "~", "^") and self.peek(self.pos + 1).isalpha()
        if marked:
            self.pos += 1  # zsh: split, or globbed, whatever the options say
        name = self.parameter_name()
        if not name:
            if self.text.startswith(":-", self.pos):  # zsh: a value without a parameter
                return self._operated(start, "", None, False, False, flags, quoted)
            return self._bad(start, quoted)
        index = None
        if self.peek(self.pos) == "[":
            index = self.subscript(quoted=quoted)
        return self._operated(start, name, index, indirect, length, flags, quoted)

    def _operated(
        self,
        start: int,
        name: str,
        index: Word | None,
        indirect: bool,
        length: bool,
        flags: Word | None,
        quoted: bool,
    ) -> Param:
        found = self.peek(self.pos)
        self.pos = self.unfold(self.pos)
        names = op = ""
        args: list[Word] = [] if flags is None else [flags]
        if indirect and found in ("*", "@") and self.peek(self.pos + 1) == "}":
            names = found
            indirect = False
            self.pos += 1
        elif indirect and found == "}" and index is not None and _is_all(index):
            names = "keys"
            indirect = False
        elif found in _OPERATORS:
            op = self._operator(found)
            args = self._arguments(op, quoted)  # after flags too: what they do comes after it
        elif found and found != "}":
            return self._bad(start, quoted)
        if self.peek(self.pos) == "}":
            self.pos = self.unfold(self.pos) + 1
        else:
            self._unclosed(start)
        if flags is not None and not op:
            op = "@"
        return Param(
            name,
            start,
            self.pos,
            op=op,
            args=args,
            index=index,
            indirect=indirect,
            length=length,
            names=names,
        )

    def _bad(self, start: int, quoted: bool) -> Param:
        """A substitution that the shell refuses when it runs: kept with an empty name."""
        content = self.argument("}", quoted=quoted)
        if self.peek(self.pos) == "}":
            self.pos += 1
        else:
            self._unclosed(start)
        return Param("", start, self.pos, args=[content])

    def _flags(self) -> Word:
        """The flags of zsh, `${(f)name}`."""
        start = self.pos
        close = self.text.find(")", start, self.end)
        self.pos = self.end if close < 0 else close + 1
        return Word([Lit(self.text[start : self.pos], False, start, self.pos)], start, self.pos)

    def _starts_parameter(self, found: str, at: int) -> bool:
        """Whether `${!` goes on as an indirection, and is not an operator on `$!`."""
        if not found or found == "}":
            return False
        if found in _SPECIAL:
            after = self.peek(self.unfold(at) + 1)
            return after == "}" or (found in "@*!" and after in _OPERATORS)
        return found == "_" or found.isalnum()

    def _is_length(self, found: str) -> bool:
        if not found or found == "}":
            return False
        if found in _SPECIAL:
            at = self.unfold(self.unfold(self.pos + 1) + 1)
            return self.peek(at) == "}"
        return found == "_" or found.isalnum()

    def parameter_name(self) -> str:
        """The name here: an identifier, digits or a special parameter; "" if there is none."""
        text = self.text
        end = self.end
        start = at = self.pos
        if at >= end:
            return ""
        first = text[at]
        if first in _SPECIAL:
            self.pos = at + 1
            return first
        name = ""
        digits = first.isdigit() and first.isascii()
        while True:
            if digits:
                while at < end and text[at].isdigit():
                    at += 1
            else:
                while at < end and (text[at] == "_" or (text[at].isalnum() and text[at].isascii())):
                    at += 1
            name += text[start:at]
            if at < end and text[at] == "\\" and at + 1 < end and text[at + 1] == "\n":
                start = at = self.unfold(at)
                continue
            self.pos = at
            return name

    def subscript(self, *, quoted: bool = False) -> Word:
        """`[…]`: the word between the brackets."""
        opened = self.unfold(self.pos)
        self.pos = opened + 1
        word = self.argument("]", quoted=quoted, nest="[")
        if self.pos < self.end and self.text[self.pos] == "]":
            self.pos += 1
        else:
            self.fail("`[` is not closed", opened, incomplete=True)
        return word

    def _operator(self, found: str) -> str:
        at = self.pos
        second_at = self.unfold(at + 1)
        second = self.text[second_at] if second_at < self.end else ""
        for operator in _OPERATORS[found]:
            if len(operator) == 1:
                self.pos = at + 1
                return operator
            if operator[1] == second:
                self.pos = second_at + 1
                return operator
        return found

    def _arguments(self, op: str, quoted: bool) -> list[Word]:
        if op == "@":
            word = self.argument("}", quoted=quoted)
            return [word]
        if op == ":":
            args = [self.argument(":}", quoted=quoted, nest="(?")]
            if self.peek(self.pos) == ":":
                self.pos += 1
                args.append(self.argument("}", quoted=quoted))
            return args
        if op[0] == "/":
            args = [self.argument("/}", quoted=quoted, pattern=True)]
            if self.peek(self.pos) == "/":
                self.pos += 1
                args.append(self.argument("}", quoted=quoted, pattern=True))
            return args
        word = self.argument("}", quoted=quoted, pattern=op in _PATTERN)
        if not word.parts and op in ("^", "^^", ",", ",,"):
            return []
        return [word]


def _is_all(index: Word) -> bool:
    if len(index.parts) != 1:
        return False
    only = index.parts[0]
    return isinstance(only, Lit) and only.text in ("@", "*")
