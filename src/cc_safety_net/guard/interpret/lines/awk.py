"""awk: `system()`, pipes to and from commands, files that are read and written."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, known, literal
from cc_safety_net.guard.interpret.options import lead, parse, split_text
from cc_safety_net.guard.interpret.values import concat, text_choice, unite, unknown_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.values import Choices

    #: (kind, text): `string`, `number`, `name`, `regex`, `line`, or `sign`.
    Token: TypeAlias = tuple[str, str]

_OPTIONS = "f,file: F,field-separator: v,assign: e,source: i,include: l,load: E,exec: o? d? p?"
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish"))
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SIGNS = ("&&", "||", "|&", ">>", "++", "--", "==", "<=", ">=", "!=", "+=", "-=", "*=", "/=", "%=")
_ENDS = frozenset((";", "}", "{"))
#: Signs before which a `/` divides.
_OPERANDS = frozenset((")", "]", "++", "--"))
_STREAMS = frozenset(("/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "-"))


def read(code: str, host: CodeHost) -> None:
    """Reports the commands that an awk program runs, and the files that it opens."""
    program = _Program(tokens(_with_included(code, host), host), host)
    program.find_constants()
    program.walk()


def _with_included(code: str, host: CodeHost) -> str:
    """The program with the files of its lines `@include "file"`."""
    if "@include" not in code:
        return code
    lines = code.split("\n")
    for index, line in enumerate(lines):
        host.effort.spend(1, "awk code")
        word, _, rest = line.strip().partition(" ")
        if word == "@include":
            content = host.content(known(rest.strip().strip('"')))
            text = content.text if content is not None else None
            lines[index] = text or ""
    return "\n".join(lines)


def tokens(code: str, host: CodeHost) -> list[Token]:
    """The tokens of a program, comments dropped."""
    out: list[Token] = []
    at = 0
    while at < len(code):
        host.effort.spend(1, "awk code")
        sign = code[at]
        if sign == "\n":
            out.append(("line", sign))
            at += 1
        elif sign.isspace():
            at += 1
        elif sign == "#":
            end = code.find("\n", at)
            at = len(code) if end < 0 else end
        elif sign == "\\" and code[at + 1 : at + 2] == "\n":
            at += 2
        elif sign == '"':
            text, at = _string(code, at + 1)
            out.append(("string", text))
        elif sign == "/" and _begins_regex(out):
            at = _regex_end(code, at + 1)
            out.append(("regex", ""))
        elif sign.isalnum() or sign == "_":
            start = at
            while at < len(code) and (code[at].isalnum() or code[at] in "_."):
                at += 1
            out.append(("number" if sign.isdigit() else "name", code[start:at]))
        else:
            long = code[at : at + 2]
            out.append(("sign", long if long in _SIGNS else sign))
            at += 2 if long in _SIGNS else 1
    return out


def _string(code: str, at: int) -> tuple[str, int]:
    out = []
    while at < len(code) and code[at] not in '"\n':
        if code[at] == "\\" and at + 1 < len(code):
            out.append(_ESCAPES.get(code[at + 1], code[at + 1]))
            at += 2
        else:
            out.append(code[at])
            at += 1
    return "".join(out), at + 1


def _begins_regex(before: Sequence[Token]) -> bool:
    if not before:
        return True
    kind, text = before[-1]
    return kind == "line" or (kind == "sign" and text not in _OPERANDS) or text == "return"


def _regex_end(code: str, at: int) -> int:
    inside = False
    while at < len(code) and code[at] != "\n":
        sign = code[at]
        if sign == "\\":
            at += 1
        elif sign == "[":
            inside = True
        elif sign == "]":
            inside = False
        elif sign == "/" and not inside:
            break
        at += 1
    return at + 1


class _Program:
    """A pass over the tokens of a program."""

    def __init__(self, found: list[Token], host: CodeHost) -> None:
        self.tokens = found
        self.host = host
        self.label = host.execution.program or "awk"
        self.constants: dict[str, Choices] = {}
        self._closings: dict[int, int] = {}
        self._ends: list[int] = []
        self._match()

    def _match(self) -> None:
        """Find the closing bracket of each opening one, and the end of each statement."""
        number = len(self.tokens)
        ends = [number] * (number + 1)
        closed: list[int] = []
        levels = [number]
        for at in range(number - 1, -1, -1):
            kind, text = self.tokens[at]
            if kind == "line" or (kind == "sign" and text in (";", "}")):
                levels[-1] = at
            elif kind == "sign" and text in (")", "]"):
                closed.append(at)
                levels.append(at)
            elif kind == "sign" and text in ("(", "["):
                self._closings[at] = number
                if closed:
                    self._closings[at] = closed.pop()
                    levels.pop()
            ends[at] = levels[-1]
        self._ends = ends

    def find_constants(self) -> None:
        """Variables that are set once, by a constant; those of `-v` too."""
        for option in parse(self.host.execution.argv, _OPTIONS).options:
            if option.name == "v" and option.value is not None:
                name, equals, _ = lead(option.value).partition("=")
                if equals:
                    from cc_safety_net.guard.interpret.options import cut

                    self.constants[name] = cut(option.value, len(name) + 1).choices
        counts: dict[str, int] = {}
        for at, token in enumerate(self.tokens):
            after = self.tokens[at + 1] if at + 1 < len(self.tokens) else ("line", "")
            changed = after[0] == "sign" and after[1] in ("=", "+=", "++", "--")
            if token[0] == "name" and changed:
                counts[token[1]] = counts.get(token[1], 0) + 1
        for at, (kind, text) in enumerate(self.tokens):
            if kind == "name" and counts.get(text) == 1 and self._sign(at + 1) == "=":
                self.constants[text] = self.value(at + 2, self._statement_end(at + 2))
            elif kind == "name" and text in counts:
                self.constants.setdefault(text, unknown_choice("input", text))

    def walk(self) -> None:
        """Look at each statement for what it runs and opens."""
        at = start = 0
        environment = False
        while at < len(self.tokens):
            self.host.effort.spend(1, "awk code")
            kind, text = self.tokens[at]
            if kind == "line" or text in _ENDS:
                start = at + 1
            elif kind == "name" and text == "system" and self._sign(at + 1) == "(":
                end = self._closing(at + 1)
                self.run(self.value(at + 2, end))
                start = at + 1
            elif kind == "name" and text in ("print", "printf"):
                at = self._print(at)
                start = at
                continue
            elif kind == "name" and text == "getline":
                self._getline(start, at)
            elif kind == "name" and text == "ENVIRON" and not environment:
                environment = self._environment(at)
            at += 1

    # --- statements ------------------------------------------------------------------------------

    def _print(self, at: int) -> int:
        """`print LIST`, and where it goes: `| command`, `> file`, `>> file`."""
        end = self._statement_end(at + 1)
        where = at + 1
        depth = 0
        while where < end:
            sign = self._sign(where)
            depth += (sign in ("(", "[")) - (sign in (")", "]"))
            if not depth and sign in ("|", "|&", ">", ">>"):
                break
            where += 1
        # What is printed may itself run a command.
        self._nested(at + 1, where)
        if where >= end:
            return end
        sign = self._sign(where)
        printed = self.printed(at, where)
        target = self.value(where + 1, end)
        if sign in ("|", "|&"):
            self.run(target, printed)
            self._nested(where + 1, end)
        else:
            self._write(target, sign, printed)
        return end

    def _nested(self, start: int, end: int) -> None:
        for at in range(start, end):
            kind, text = self.tokens[at]
            if kind == "name" and text == "system" and self._sign(at + 1) == "(":
                self.run(self.value(at + 2, self._closing(at + 1)))
            elif kind == "name" and text == "getline":
                self._getline(start, at)
            elif kind == "name" and text == "ENVIRON":
                self._environment(at)

    def _write(self, target: Choices, sign: str, printed: Choices) -> None:
        for choice in target:
            text = literal(choice)
            if text in _STREAMS or not any(isinstance(piece, str) for piece in choice):
                continue
            mode = "append" if sign == ">>" else "write"
            access = self.host.touch(Word((choice,)), mode, self.label)
            if all(literal(part) is not None for part in printed):
                self.host.wrote(access, Word(printed))

    def _getline(self, start: int, at: int) -> None:
        """`"command" | getline` and `getline < "file"`."""
        if at > start and self._sign(at - 1) in ("|", "|&"):
            # Back over the command, not over what stands around it.
            first = at - 1
            depth = 0
            while first > start:
                sign = self._sign(first - 1)
                depth += (sign == ")") - (sign == "(")
                if depth < 0 or (not depth and sign in (",", "&&", "||", "!", "=", "|", "|&")):
                    break
                first -= 1
            self.run(self.value(first, at - 1))
            return
        after = at + 1
        while after < len(self.tokens) and self.tokens[after][0] in ("name", "number"):
            after += 1
        if self._sign(after) == "<":
            end = after + 2 if self._sign(after + 1) != "(" else self._closing(after + 1) + 1
            for choice in self.value(after + 1, end):
                if any(isinstance(piece, str) for piece in choice):
                    self.host.touch(Word((choice,)), "read", self.label)

    def _environment(self, at: int) -> bool:
        """`ENVIRON["NAME"]` shows a variable, `ENVIRON` alone all."""
        name = self.tokens[at + 2] if at + 2 < len(self.tokens) else ("line", "")
        if self._sign(at + 1) == "[" and name[0] == "string":
            self.host.print_environment(self.label, [name[1]])
            return False
        self.host.print_environment(self.label, [])
        return True

    def run(self, command: Choices, printed: Choices | None = None) -> None:
        """A command for a shell; one that is made from data may be anything."""
        for choice in command:
            text = literal(choice)
            word = Word((choice,))
            if text is None:
                self.host.opaque(word, "awk-command")
                head = choice[0] if choice else ""
                if isinstance(head, str) and " " in head.strip() + (
                    "." if head[-1:] == " " else ""
                ):
                    self.host.shell(word, f"{self.label} system")
                continue
            words = split_text(text)
            shell = bool(words) and words[0].rpartition("/")[2] in _SHELLS
            if printed is None or not words:
                self.host.shell(word, f"{self.label} system")
            elif shell and any(literal(part) is None for part in printed):
                self.host.opaque(Word(printed), "awk-command")
            else:
                given = Word(printed)
                if any(sign in text for sign in ";|&<>$`("):
                    self.host.shell(word, f"{self.label} |")
                else:
                    self.host.run([known(each) for each in words], f"{self.label} |", stdin=given)

    # --- expressions -----------------------------------------------------------------------------

    def printed(self, at: int, end: int) -> Choices:
        """What `print` at `at` puts out."""
        parts: list[tuple[int, int]] = []
        first, last = at + 1, end
        if self._sign(first) == "(" and self._closing(first) == last - 1:
            first, last = first + 1, last - 1
        begin, depth = first, 0
        for where in range(first, last):
            sign = self._sign(where)
            depth += (sign in ("(", "[")) - (sign in (")", "]"))
            if not depth and sign == ",":
                parts.append((begin, where))
                begin = where + 1
        parts.append((begin, last))
        if first >= last:
            return unknown_choice("input", "$0")
        if self.tokens[at][1] == "printf":
            return self._formatted([self.value(*part) for part in parts])
        out = self.value(*parts[0])
        for part in parts[1:]:
            out = concat(concat(out, ((" ",),)), self.value(*part))
        return concat(out, (("\n",),))

    def _formatted(self, parts: Sequence[Choices]) -> Choices:
        form = literal(parts[0][0]) if parts and len(parts[0]) == 1 else None
        if form is None:
            return unknown_choice("input")
        out: Choices = ((),)
        rest = list(parts[1:])
        pieces = form.replace("%%", "\0").split("%")
        for number, piece in enumerate(pieces):
            if number:
                width = len(piece) - len(piece.lstrip("-+ 0123456789.*"))
                out = concat(out, rest.pop(0) if rest else ((),))
                piece = piece[width + 1 :]  # noqa: PLW2901 - the directive is taken away
            out = concat(out, text_choice(piece.replace("\0", "%")))
        return out

    def value(self, start: int, end: int) -> Choices:
        """What a concatenation of constants stands for; unknown where it is anything else."""
        out: Choices = ((),)
        at = start
        end = min(end, len(self.tokens))
        while at < end:
            self.host.effort.spend(1, "awk code")
            kind, text = self.tokens[at]
            if kind == "string":
                out = concat(out, self.host.pieces(text))
            elif kind == "number":
                out = concat(out, ((text,),))
            elif kind == "name":
                value, at = self._named(at, end)
                out = concat(out, value)
                continue
            elif text == "(":
                close = self._closing(at)
                self.host.enter("awk code")
                out = concat(out, self.value(at + 1, min(close, end)))
                self.host.leave()
                at = close
            elif text == "$":
                out = concat(out, unknown_choice("input", "field"))
                at = self._operand_end(at + 1)
                continue
            elif kind == "line" or text == ";":
                break
            elif text == "?":
                return self._either(at + 1, end)
            else:
                return unknown_choice("input")
            at += 1
        return out

    def _either(self, at: int, end: int) -> Choices:
        """`condition ? a : b`."""
        depth = 0
        for where in range(at, end):
            sign = self._sign(where)
            depth += (sign in ("(", "[", "?")) - (sign in (")", "]"))
            if sign == ":" and not depth:
                self.host.enter("awk code")
                found = unite([*self.value(at, where), *self.value(where + 1, end)])
                self.host.leave()
                return found
        return unknown_choice("input")

    def _named(self, at: int, end: int) -> tuple[Choices, int]:
        """A variable, an array's element, or a call, and where it ends."""
        name = self.tokens[at][1]
        after = self._operand_end(at)
        if after > at + 1 and name == "sprintf" and self._sign(at + 1) == "(":
            begin, depth, parts = at + 2, 0, []
            close = self._closing(at + 1)
            for where in range(at + 2, close):
                sign = self._sign(where)
                depth += (sign in ("(", "[")) - (sign in (")", "]"))
                if sign == "," and not depth:
                    parts.append(self.value(begin, where))
                    begin = where + 1
            parts.append(self.value(begin, close))
            return self._formatted(parts), after
        if after > at + 1:
            subscript = self.tokens[at + 2] if at + 2 < end else ("line", "")
            if name == "ENVIRON" and subscript[0] == "string":
                word = self.host.variable(subscript[1])
                if word is not None:
                    return word.choices, after
            return ((Unknown("input", name),),), after
        return self.constants.get(name) or ((Unknown("input", name),),), after

    def _operand_end(self, at: int) -> int:
        """The token behind an operand with its subscript or arguments."""
        after = at + 1
        if self._sign(at) in ("(", "["):
            return self._closing(at) + 1
        if self._sign(after) in ("(", "["):
            return self._closing(after) + 1
        return after

    # --- tokens ----------------------------------------------------------------------------------

    def _sign(self, at: int) -> str:
        if 0 <= at < len(self.tokens) and self.tokens[at][0] == "sign":
            return self.tokens[at][1]
        return ""

    def _closing(self, at: int) -> int:
        return self._closings.get(at, len(self.tokens))

    def _statement_end(self, at: int) -> int:
        return self._ends[min(at, len(self.tokens))]
