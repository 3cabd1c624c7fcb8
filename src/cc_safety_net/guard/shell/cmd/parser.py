"""The parser of cmd.exe: carets, quotes, percent signs, blocks, `if`, `for`, redirections."""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import SYNTAX_DEPTH, Effort, LimitReached
from cc_safety_net.guard.shell.cmd.nodes import (
    Chain,
    Command,
    For,
    Group,
    If,
    Label,
    Node,
    ParseResult,
    Pipe,
    Redirect,
    Script,
    Variable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.cmd.nodes import Line

_BLANKS = frozenset(" \t,;=\f\v\xa0")
_MODIFIERS = frozenset("fdpnxsatz$:")
_LABEL_ENDS = frozenset(" \t:+,;=&|<>()")
_COMPARISONS = frozenset(("equ", "neq", "lss", "leq", "gtr", "geq"))
#: Longest name of a variable that is looked for.
_NAME = 128


class _Unreadable(Exception):
    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start


def parse(text: str, effort: Effort | None = None) -> ParseResult:
    """Read text of cmd.exe; what it can't read is told in the result, never raised.

    Only a limit of the specification raises: `LimitReached`.
    """
    if len(text) > limits.COMMAND_CHARACTERS:
        raise LimitReached(
            "guard.input-limit", f"more than {limits.COMMAND_CHARACTERS:,} characters"
        )
    return _Parser(text, effort if effort is not None else Effort()).whole()


class _Parser:
    __slots__ = ("blocks", "depth", "effort", "end", "pos", "text")

    def __init__(self, text: str, effort: Effort) -> None:
        self.text = text
        self.end = len(text)
        self.pos = 0
        self.depth = 0
        self.blocks = 0
        self.effort = effort

    def whole(self) -> ParseResult:
        found: list[Node] = []
        while True:
            self._line_ends()
            start = self.pos
            if start >= self.end:
                return ParseResult(Script(found, 0, self.end), "", self.end)
            try:
                if self.text[start] == ")":
                    self._rest_of_line()  # cmd takes a line that begins so for a comment
                    continue
                self._add_chain(found)
            except _Unreadable as caught:
                return ParseResult(Script(found, 0, self.end), caught.message, start)

    def _add_chain(self, found: list[Node]) -> None:
        """The next commands; a character that begins none and ends none is an error."""
        start = self.pos
        node = self._chain()
        if node is not None:
            found.append(node)
        elif self.pos == start:
            raise _Unreadable(f"{self.text[start]} was not expected", start)

    def _peek(self, ahead: int = 0) -> str:
        at = self.pos + ahead
        return self.text[at] if at < self.end else ""

    def _skip(self) -> str:
        """Past blanks and escaped line ends."""
        start = self.pos
        while self.pos < self.end:
            found = self.text[self.pos]
            if found in _BLANKS:
                self.pos += 1
            elif found == "^" and self._peek(1) in ("\n", "\r"):
                self.pos += 3 if self.text.startswith("\r\n", self.pos + 1) else 2
            else:
                break
        self.effort.spend(1 + (self.pos - start) // 8, "a command line")
        return self._peek()

    def _line_ends(self) -> None:
        while self._skip() in ("\n", "\r") and self.pos < self.end:
            self.pos += 1

    def _rest_of_line(self) -> None:
        at = self.text.find("\n", self.pos)
        stop = self.end if at < 0 else at
        self.effort.spend(1 + (stop - self.pos) // 16, "a comment")
        self.pos = stop

    def _enter(self) -> None:
        self.depth += 1
        self.effort.spend(4, "nested commands")
        if self.depth > SYNTAX_DEPTH:
            raise LimitReached("guard.input-limit", f"more than {SYNTAX_DEPTH} nested constructs")

    # --- commands --------------------------------------------------------------------------------

    def _chain(self) -> Node | None:
        start = self.pos
        commands: list[Node] = []
        operators: list[str] = []
        while True:
            node = self._pipe()
            if node is not None:
                commands.append(node)
            elif operators and len(operators) == len(commands):
                operators.pop()
            if self._skip() != "&":
                if self._peek() != "|" or self._peek(1) != "|":
                    break
                op = "||"
            else:
                op = "&&" if self._peek(1) == "&" else "&"
            if not commands:
                raise _Unreadable(f"{op} was not expected", self.pos)
            self.pos += len(op)
            operators.append(op)
        if not commands:
            return None
        del operators[len(commands) - 1 :]
        if len(commands) == 1:
            return commands[0]
        return Chain(commands, operators, start, self.pos)

    def _pipe(self) -> Node | None:
        start = self.pos
        first = self._command()
        if first is None:
            return None
        commands = [first]
        while self._skip() == "|" and self._peek(1) != "|":
            self.pos += 1
            node = self._command()
            if node is None:
                raise _Unreadable("nothing follows |", self.pos)
            commands.append(node)
        return first if len(commands) == 1 else Pipe(commands, start, self.pos)

    def _command(self) -> Node | None:
        found = self._skip()
        while found == "@":
            self.pos += 1
            found = self._skip()
        start = self.pos
        if found in ("", "\n", "\r", "&", "|", ")"):
            return None
        self._enter()
        node: Node | None
        # `2>nul ( … )`: what redirects a block may stand before it.
        before = self._redirects() if found.isdigit() or found in "<>" else []
        if before and self._peek() == "(":
            group = self._group()
            node = Group(group.body, [*before, *group.redirects], start, self.pos)
        elif before:
            self.pos = start
            node = self._simple()
        elif found == "(":
            node = self._group()
        elif found == ":":
            self._rest_of_line()
            name = self.text[start + 1 : self.pos].strip().lower()
            end = next((at for at, c in enumerate(name) if c in _LABEL_ENDS), len(name))
            node = Label(name[:end], start, self.pos)
        else:
            node = self._keyword(start)
            if node is None:
                node = self._simple()
        self.depth -= 1
        return node

    def _keyword(self, start: int) -> Node | None:
        at = start
        while at < self.end and self.text[at].isalpha() and at - start < 4:
            at += 1
        word = self.text[start:at].lower()
        after = self.text[at] if at < self.end else ""
        if word == "rem" and (after in _BLANKS or after in ("", "\n", "\r")):
            self._rest_of_line()
            return Command((), (), start, start)
        if word == "if" and (after in _BLANKS or after in ("/", "(", '"')) and after:
            self.pos = at
            return self._if(start)
        if word == "for" and after and (after in _BLANKS or after == "/"):
            self.pos = at
            return self._for(start)
        return None

    def _group(self) -> Group:
        start = self.pos
        self.pos += 1
        self.blocks += 1
        found: list[Node] = []
        while True:
            self._line_ends()
            if self.pos >= self.end:
                raise _Unreadable("a block does not end", start)
            if self.text[self.pos] == ")":
                self.pos += 1
                self.blocks -= 1
                break
            self._add_chain(found)
        body = Script(found, start, self.pos)
        return Group(body, self._redirects(), start, self.pos)

    def _redirects(self) -> list[Redirect]:
        out = []
        while self._skip():
            redirect = self._redirect()
            if redirect is None:
                break
            out.append(redirect)
        return out

    def _if(self, start: int) -> Node:
        negated = False
        condition: list[Line] = []
        while True:
            word = self._word(stop_at_equals=True)
            plain = _plain(word).lower()
            if plain.startswith("/") and not condition:
                continue
            if plain == "not" and not condition:
                negated = not negated
                continue
            condition.append(word)
            break
        first = _plain(condition[0]).lower()
        if first in ("exist", "defined", "errorlevel", "cmdextversion"):
            condition.append(self._word())
        else:
            self._blanks_only()
            if self.text.startswith("==", self.pos):
                self.pos += 2
                condition.append(("==",))
            else:
                operator = self._word()
                if _plain(operator).lower() not in _COMPARISONS:
                    raise _Unreadable("if compares nothing", self.pos)
                condition.append(operator)
            condition.append(self._word())
        in_block = self._skip() == "("
        body = self._command_of(start) if in_block else self._chain_of(start)
        otherwise = None
        if in_block:
            self._skip()
            if self.text[self.pos : self.pos + 4].lower() == "else" and (
                self._peek(4) in _BLANKS or self._peek(4) in ("(", "\n", "\r")
            ):
                self.pos += 4
                otherwise = self._chain_of(start)
        return If(condition, negated, body, otherwise, start, self.pos)

    def _blanks_only(self) -> None:
        while self._peek() in (" ", "\t") and self.pos < self.end:
            self.pos += 1

    def _chain_of(self, start: int) -> Node:
        node = self._chain()
        if node is None:
            raise _Unreadable("a command is missing", start)
        return node

    def _command_of(self, start: int) -> Node:
        node = self._command()
        if node is None:
            raise _Unreadable("a command is missing", start)
        return node

    def _for(self, start: int) -> Node:
        options: list[Line] = []
        variable = ""
        while not variable:
            found = self._skip()
            if not found or found in "\n&|(":
                raise _Unreadable("for names no variable", self.pos)
            if found == "%":
                while self._peek() == "%":
                    self.pos += 1
                variable = self._peek()
                if not variable or variable in " \t\n":
                    raise _Unreadable("for names no variable", self.pos)
                self.pos += 1
            else:
                options.append(self._word())
        self._skip()
        if self.text[self.pos : self.pos + 2].lower() != "in":
            raise _Unreadable("for has no in", self.pos)
        self.pos += 2
        if self._skip() != "(":
            raise _Unreadable("for has no list", self.pos)
        self.pos += 1
        items = self._until_parenthesis()
        self._skip()
        if self.text[self.pos : self.pos + 2].lower() != "do":
            raise _Unreadable("for has no do", self.pos)
        self.pos += 2
        return For(options, variable, items, self._chain_of(start), start, self.pos)

    def _until_parenthesis(self) -> Line:
        parts: list[str | Variable] = []
        out: list[str] = []
        quote = ""
        while True:
            if self.pos >= self.end:
                raise _Unreadable("a list does not end", self.pos)
            found = self.text[self.pos]
            self.effort.spend(1, "a list")
            if found == ")" and not quote:
                self.pos += 1
                break
            if found in "\"'`":
                # A command in apostrophes may hold parentheses.
                quote = found if not quote else "" if found == quote else quote
            out = self._character(parts, out, quoted=bool(quote))
        if out:
            parts.append("".join(out))
        return tuple(parts)

    # --- lines -----------------------------------------------------------------------------------

    def _simple(self) -> Node:
        start = self.pos
        parts: list[str | Variable] = []
        out: list[str] = []
        redirects: list[Redirect] = []
        quoted = False
        while self.pos < self.end:
            found = self.text[self.pos]
            self.effort.spend(1, "a command line")
            if found in "\r\n":
                break
            if not quoted and (found in "&|" or (found == ")" and self.blocks)):
                break
            if not quoted:
                fresh = not out or out[-1][-1:] in _BLANKS
                redirect = self._redirect(digit=fresh)
                if redirect is not None:
                    redirects.append(redirect)
                    out.append(" ")
                    continue
            if found == '"':
                quoted = not quoted
            out = self._character(parts, out, quoted=quoted)
        if out:
            parts.append("".join(out))
        return Command(tuple(parts), redirects, start, self.pos)

    def _character(self, parts: list[str | Variable], out: list[str], *, quoted: bool) -> list[str]:
        """Take one character, escape or variable; the text that is being collected."""
        found = self.text[self.pos]
        if found == "^" and not quoted:
            self.pos += 1
            if self._peek() in ("\n", "\r"):
                self.pos += 2 if self.text.startswith("\r\n", self.pos) else 1
            elif self.pos < self.end:
                out.append(self.text[self.pos])
                self.pos += 1
            return out
        if found in "%!":
            variable = self._variable(found)
            if variable is not None:
                if out:
                    parts.append("".join(out))
                parts.append(variable)
                return []
        out.append(found)
        self.pos += 1
        return out

    def _variable(self, mark: str) -> Variable | None:
        """`%NAME%`, `%NAME:…%`, `%x`, `%~dpx`, `%1`, `%%x`; `!NAME!`."""
        start = self.pos
        close = self.text.find(mark, start + 1, start + _NAME)
        self.effort.spend(4, "a variable")
        name = self.text[start + 1 : close] if close > 0 else ""
        base, colon, modifier = name.partition(":")
        if base and _is_name(base) and (colon or modifier == ""):
            self.pos = close + 1
            kind = "env" if mark == "%" else "delayed"
            return Variable(kind, base, modifier, start, self.pos)
        if mark == "!":
            return None
        at = start + 1
        if self.text.startswith("%", at):
            at += 1
        modifier = ""
        if self.text.startswith("~", at):
            end = at + 1
            while (
                end < self.end
                and self.text[end].lower() in _MODIFIERS
                and (end + 1 < self.end and self.text[end + 1].isalnum())
            ):
                end += 1
            modifier = self.text[at + 1 : end] or "~"
            at = end
        letter = self.text[at] if at < self.end else ""
        if letter.isdigit() or letter == "*":
            self.pos = at + 1
            return Variable("argument", letter, modifier, start, self.pos)
        if letter.isalpha():
            self.pos = at + 1
            raw = self.text[start : self.pos]
            return Variable("for", letter, modifier, start, self.pos, raw=raw)
        return None

    def _word(self, *, stop_at_equals: bool = False) -> Line:
        """One word, quotes still in it."""
        self._skip()
        parts: list[str | Variable] = []
        out: list[str] = []
        quoted = False
        start = self.pos
        while self.pos < self.end:
            found = self.text[self.pos]
            self.effort.spend(1, "a word")
            if found in "\r\n":
                break
            if not quoted:
                if found in _BLANKS or found in "&|()<>":
                    break
                if stop_at_equals and self.text.startswith("==", self.pos):
                    break
            if found == '"':
                quoted = not quoted
            out = self._character(parts, out, quoted=quoted)
        if self.pos == start:
            raise _Unreadable("a word is missing", start)
        if out:
            parts.append("".join(out))
        return tuple(parts)

    def _redirect(self, *, digit: bool = True) -> Redirect | None:
        start = self.pos
        at = start
        fd: int | None = None
        if digit and self._peek().isdigit() and self._peek(1) in ("<", ">"):
            fd = int(self.text[at]) if self.text[at].isascii() else None
            at += 1
        sign = self.text[at] if at < self.end else ""
        if sign not in ("<", ">"):
            return None
        at += 1
        op = sign
        if sign == ">" and self.text.startswith(">", at):
            op, at = ">>", at + 1
        if self.text.startswith("&", at):
            self.pos = min(at + 2, self.end)
            return Redirect(op + "&", fd, (self.text[at + 1 : at + 2],), start, self.pos)
        self.pos = at
        return Redirect(op, fd, self._word(), start, self.pos)


def _is_name(text: str) -> bool:
    return all(c.isalnum() or c in "_().-#$" for c in text) and not text[0].isdigit()


def _plain(line: Line) -> str:
    return "".join(part for part in line if isinstance(part, str))
