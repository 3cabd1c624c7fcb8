"""Commands of PowerShell: their words, redirections, pipelines, chains and assignments."""

from __future__ import annotations

from cc_safety_net.guard.shell.powershell.expressions import Expressions
from cc_safety_net.guard.shell.powershell.nodes import (
    Array,
    Assignment,
    Chain,
    Command,
    Expression,
    Node,
    Option,
    Pipeline,
    Redirect,
    Text,
    Variable,
)
from cc_safety_net.guard.shell.powershell.scanner import BLANKS, Unreadable, text_of

#: Characters that end a word.
_STOPS = frozenset(" \t\f\v\r\n;|&(){},<>")
#: What ends a command.
_ENDS = frozenset(("", "\n", ";", "|", ")", "}", "&"))
_ASSIGNMENTS = ("??=", "+=", "-=", "*=", "/=", "%=", "=")
_STARTS_EXPRESSION = frozenset("$@([{'\"!,")
_STREAMS = frozenset("123456*")


class Commands(Expressions):
    """What reads pipelines; statements that begin with a keyword are the parser's."""

    __slots__ = ()

    def chain(self) -> Node:
        """Pipelines with `&&` and `||` between them; an assignment."""
        start = self.pos
        first = self._pipeline()
        statements = [first]
        operators: list[str] = []
        while True:
            self.skip()
            if self.follows("&&") or self.follows("||"):
                operators.append(self.text[self.pos : self.pos + 2])
                self.pos += 2
                self.skip(lines=True)
                statements.append(self._pipeline())
            elif self.peek() == "&" and operators is not None:
                self.pos += 1  # a job in the background
            else:
                break
        return first if not operators else Chain(statements, operators, start, self.pos)

    def _pipeline(self) -> Node:
        start = self.pos
        first: Command | Expression
        if self._is_expression():
            value = self.expression()
            self.skip()
            for op in _ASSIGNMENTS:
                if self.follows(op):
                    self.pos += len(op)
                    self.skip(lines=True)
                    self.enter()
                    right = self.one_statement()
                    self.depth -= 1
                    return Assignment(value, op, right, start, self.pos)
            first = Expression(value, self._redirects(), start, self.pos)
        else:
            first = self._command()
        elements: list[Command | Expression] = [first]
        while self._piped():
            self.pos += 1
            self.skip(lines=True)
            if self.peek() in _ENDS and not self.follows("& "):
                raise Unreadable("nothing follows |", self.pos)
            elements.append(self._command())
        return Pipeline(elements, start, self.pos)

    def _piped(self) -> bool:
        """A `|` follows, on this line or at the start of the next."""
        found = self.skip()
        if found == "|":
            return self.peek(1) != "|"
        if found != "\n":
            return False
        start = self.pos
        if self.skip(lines=True) == "|" and self.peek(1) != "|":
            return True
        self.pos = start
        return False

    def _is_expression(self) -> bool:
        found = self.peek()
        if found in _STARTS_EXPRESSION and found:
            return True
        if found and found in "+-":
            after = self.peek(1)
            if after.isdigit() or (after and after in "$(+-."):
                return True
            lead = self.text[self.pos : self.pos + 6].lower()
            return lead.startswith(("-not", "-join", "-split", "-bnot"))
        if not found.isdigit():
            return False
        at = self.pos
        while at < self.end and (self.text[at].isalnum() or self.text[at] == "."):
            if self.text.startswith("..", at):
                return True
            at += 1
        token = self.text[self.pos : at].lower()
        return _is_number(token) and (at >= self.end or self.text[at] not in "\\/-_:")

    def _command(self) -> Command:
        start = self.pos
        call = ""
        found = self.peek()
        if found == "&" or (found == "." and self._ends_dot(self.peek(1))):
            call = found
            self.pos += 1
            self.skip()
        words: list[Node] = []
        redirects: list[Redirect] = []
        while True:
            found = self.skip()
            if found in _ENDS:
                break
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
                continue
            if found == ",":
                raise Unreadable("a comma stands alone", self.pos)
            if self.follows("--%"):
                words.extend(self._verbatim())
                continue
            words.append(self.word(first=not words))
        if not words:
            raise Unreadable("a command is missing", start)
        return Command(call, words, redirects, start, self.pos)

    def _ends_dot(self, after: str) -> bool:
        return after in BLANKS or after in ("'", '"', "$", "(", "{")

    def word(self, *, first: bool = False) -> Node:
        """One word of a command: a parameter, or values with commas between them."""
        self.effort.spend(2, "a word")
        if self.peek() == "-" and not first:
            option = self._option()
            if option is not None:
                return option
        value = self.argument()
        if first:
            return value
        return self._more(value)

    def _more(self, value: Node) -> Node:
        if self.skip() != ",":
            return value
        items = [value]
        while self.skip() == ",":
            self.pos += 1
            if self.skip(lines=True) in _ENDS:
                raise Unreadable("nothing follows a comma", self.pos)
            items.append(self.argument())
        return Array(items, value.start, self.pos)

    def _option(self) -> Option | None:
        """`-Name`, `-Name:value`; None for any other word with a dash."""
        start = self.pos
        at = start + 1
        if at >= self.end or not (self.text[at].isalpha() or self.text[at] in "_?"):
            return None
        while at < self.end and (self.text[at].isalnum() or self.text[at] in "_?-"):
            at += 1
        name = self.text[start + 1 : at]
        after = self.text[at] if at < self.end else ""
        if after == ":":
            self.pos = at + 1
            if self.skip() in _ENDS:
                return Option(name.lower(), None, self.text[start : self.pos], start, self.pos)
            value = self._more(self.argument())
            return Option(name.lower(), value, self.text[start : self.pos], start, self.pos)
        if after and after not in _STOPS:
            return None
        self.pos = at
        return Option(name.lower(), None, self.text[start:at], start, at)

    def argument(self) -> Node:
        """One value among the words of a command."""
        start = self.pos
        found = self.peek()
        if found == "'":
            return self.postfix(self.single_quoted())
        if found == '"':
            return self.postfix(self.double_quoted())
        if found == "(":
            self.pos += 1
            return self.postfix(self.sub("(", start))
        if found == "{":
            return self.block()
        if found == "@" and self.peek(1) and self.peek(1) in "({'\"":
            return self.at_sign()
        if found == "@":
            splat = self.splat()
            if splat is not None:
                return splat
        return self._bare()

    def _bare(self) -> Node:
        """A word without quotes around it; there may be some in it."""
        start = begin = self.pos
        parts: list[Node] = []
        out: list[str] = []
        while self.pos < self.end:
            found = self.text[self.pos]
            if found in _STOPS:
                break
            at = self.pos
            if found == "`":
                if self.peek(1) in ("", "\n", "\r"):
                    break
                # In a bare word an escape character is of no use: `e is an e there.
                out.append(self.escaped().replace("\x1b", "e"))
            elif found in "'\"":
                part: Node | None = self.single_quoted() if found == "'" else self.double_quoted()
                if isinstance(part, Text):
                    out.append(part.value)
                    continue
                out, begin = self._put(parts, out, begin, at, part)
            elif found == "$":
                part = self.variable()
                if part is None:
                    out.append("$")
                    self.pos += 1
                    continue
                if at == start and isinstance(part, Variable):
                    part = self.postfix(part)
                out, begin = self._put(parts, out, begin, at, part)
            else:
                stretch = at + 1
                while stretch < self.end and self.text[stretch] not in _WORD_MARKS:
                    stretch += 1
                out.append(self.text[at:stretch])
                self.effort.spend(1 + (stretch - at) // 8, "a word")
                self.pos = stretch
        if self.pos == start:
            raise Unreadable("a word is missing", start)
        if len(parts) == 1 and not out:
            return parts[0]
        if out or not parts:
            parts.append(Text("".join(out), begin, self.pos))
        return text_of(parts, start, self.pos, bare=True)

    def _put(
        self, parts: list[Node], out: list[str], begin: int, at: int, part: Node | None
    ) -> tuple[list[str], int]:
        if out:
            parts.append(Text("".join(out), begin, at))
        if part is not None:
            parts.append(part)
        self.effort.spend(2, "a word")
        return [], self.pos

    def _verbatim(self) -> list[Node]:
        """What follows `--%` goes to the program as it stands."""
        self.pos += 3
        start = at = self.pos
        while at < self.end and self.text[at] not in "\n|":
            at += 1
        self.pos = at
        self.effort.spend(1 + (at - start) // 8, "a word")
        found: list[Node] = []
        place = start
        for piece in self.text[start:at].split():
            place = self.text.find(piece, place)
            found.append(Text(piece.strip('"'), place, place + len(piece), bare=True))
            place += len(piece)
        return found

    def _redirects(self) -> list[Redirect]:
        found = []
        while self.skip():
            redirect = self._redirect()
            if redirect is None:
                break
            found.append(redirect)
        return found

    def _redirect(self) -> Redirect | None:
        start = self.pos
        stream = "1"
        at = start
        if self.peek() in _STREAMS and self.peek() and self.peek(1) == ">":
            stream = self.peek()
            at += 1
        sign = self.text[at] if at < self.end else ""
        if sign not in ("<", ">"):
            return None
        at += 1
        op = sign
        if sign == ">" and self.text.startswith(">", at):
            op, at = ">>", at + 1
        elif sign == ">" and self.text.startswith("&", at):
            self.pos = at + 2
            target = Text(self.text[at + 1 : at + 2], at + 1, at + 2)
            return Redirect(stream, ">&", target, start, self.pos)
        self.pos = at
        if self.skip() in _ENDS:
            raise Unreadable("a redirection has no target", start)
        return Redirect(stream, op, self.argument(), start, self.pos)


_WORD_MARKS = _STOPS | frozenset("`'\"$")


def _is_number(token: str) -> bool:
    """Digits, with a hexadecimal mark, an exponent or a unit such as `kb`."""
    if token.startswith("0x"):
        return all(c in "0123456789abcdef" for c in token[2:])
    for unit in ("kb", "mb", "gb", "tb", "pb", "l", "d", "ul"):
        if token.endswith(unit):
            token = token[: -len(unit)]
            break
    return all(c.isdigit() or c in ".e" for c in token)
