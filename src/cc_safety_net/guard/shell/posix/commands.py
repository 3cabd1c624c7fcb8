"""Simple commands: assignments, words, redirections."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.heredoc import HereDocuments
from cc_safety_net.guard.shell.posix.lexer import META, is_name
from cc_safety_net.guard.shell.posix.nodes import (
    ArrayLiteral,
    Assignment,
    Lit,
    Redirect,
    SimpleCommand,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.posix.nodes import WordPart

DECLARATIONS = frozenset(("declare", "typeset", "local", "export", "readonly"))
#: Redirection operators by their first character, longest first.
_OPERATORS = {
    "<": ("<<<", "<<-", "<<", "<&", "<>", "<"),
    ">": (">>", ">&", ">|", ">"),
    "&": ("&>>", "&>"),
}
_ENDS = frozenset(("", "\n", ";", "&", "|", ")"))
_REDIRECTING = frozenset(("<", ">", "&"))


def literal(word: Word | Assignment) -> str:
    """The text of a word that is one unquoted literal; "" for any other."""
    if isinstance(word, Word) and len(word.parts) == 1:
        only = word.parts[0]
        if isinstance(only, Lit) and not only.quoted:
            return only.text
    return ""


class SimpleCommands(HereDocuments):
    """Reads simple commands."""

    __slots__ = ()

    def simple_command(self, first: Word | None) -> SimpleCommand | None:
        """The simple command here; `first`: its first word if that has been read already.

        None if there is none, or if a fatal problem stopped it: what can't be read to its end
        would not run.
        """
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirects: list[Redirect] = []
        start = last = self.pos
        declaring = False
        if first is not None:
            start, last = first.start, first.end
            words.append(first)
            declaring = literal(first) in DECLARATIONS
        while True:
            found = self.blanks()
            if found in _ENDS and (found != "&" or not self._at_redirect(found)):
                break
            at = self.pos
            if found in _REDIRECTING and (found == "&" or self.peek(at + 1) != "("):
                redirects.append(self.redirect(at, None, ""))
                last = redirects[-1].end
                continue
            if found == "(":
                break
            if not words or declaring:
                assignment = self.assignment(operand=declaring)
                if assignment is not None:
                    if words:
                        words.append(assignment)
                    else:
                        assignments.append(assignment)
                    last = assignment.end
                    continue
            word = self.word()
            if self.failed:
                break
            if found == "}" and self.braces_close and words and literal(word) == "}":
                self.pos = at
                self.words -= 1
                break
            after = self.pos
            if after < self.end and self.text[after] in "<>":
                redirect = self._numbered(word)
                if redirect is not None:
                    redirects.append(redirect)
                    last = redirect.end
                    continue
            if after == at:
                break
            if not words:
                declaring = literal(word) in DECLARATIONS
            words.append(word)
            last = word.end
        if self.failed:
            self.rest = min(self.rest, start)
            return None
        if not (words or assignments or redirects):
            return None
        self.effort.spend(len(words) + len(assignments) + len(redirects), "simple commands")
        return SimpleCommand(assignments, words, redirects, start, last)

    # --- assignments ---------------------------------------------------------------------------

    def assignment(self, *, operand: bool = False) -> Assignment | None:
        """The assignment that begins here; None, with nothing read, if it is an ordinary word.

        operand: of a declaration builtin, where a subscript does not hold blanks together, and
        braces make several words.
        """
        text = self.text
        end = self.end
        start = self.pos
        at = self.plain_end(start)
        equals = text.find("=", start, at)
        bracket = text.find("[", start, at)
        if bracket > 0 and (equals < 0 or bracket < equals):
            if is_name(text[start:bracket]):
                read = self._subscripted_operand if operand else self._subscripted
                return read(start, bracket)
            return None
        if equals > 0:
            append = text[equals - 1] == "+"
            name = text[start : equals - 1 if append else equals]
            if is_name(name):
                self.pos = equals + 1
                return self._valued(start, name, None, append, braces=operand)
            return None
        if at < end and text[at] == "\\" and is_name(text[start:at] or "_"):
            return self._folded(start)
        return None

    def _valued(
        self, start: int, name: str, index: Word | None, append: bool, *, braces: bool = False
    ) -> Assignment:
        self.count_word()
        value: Word | ArrayLiteral
        if self.peek(self.pos) == "(":
            self.pos = self.unfold(self.pos)
            value = self.array()
        else:
            value = self.word(braces=braces)
        return Assignment(name, value, start, self.pos, append=append, index=index)

    def _subscripted(self, start: int, bracket: int, name: str = "") -> Assignment | None:
        """`name[…]=`, or nothing if no `=` follows the bracket."""
        key = ~bracket
        name = name or self.text[start:bracket]
        if self.pairs.get(key) == -1:
            return None
        self.pos = bracket
        index = self.subscript()
        if self.failed:
            return Assignment(name, index, start, self.pos)
        found = self.peek(self.pos)
        at = self.unfold(self.pos)
        if found == "=" or (found == "+" and self.peek(at + 1) == "="):
            append = found == "+"
            self.pos = (self.unfold(at + 1) if append else at) + 1
            return self._valued(start, name, index, append)
        self.pairs[key] = -1
        self.pos = start
        return None

    def _subscripted_operand(self, start: int, bracket: int) -> Assignment | None:
        """`name[…]=` among the operands of a declaration builtin."""
        name = self.text[start:bracket]
        words = self.words
        word = self.word(braces=False)
        index: list[WordPart] = []
        level = 0
        for position, part in enumerate(word.parts):
            if isinstance(part, Lit) and not part.quoted:
                skip = len(name) if position == 0 else 0
                for offset in range(skip, len(part.text)):
                    mark = part.text[offset]
                    level += (mark == "[") - (mark == "]")
                    if level == 0 and mark == "]":
                        return self._split(word, position, offset, name, index)
                if part.text[skip:]:
                    piece = part.text[skip + 1 :] if position == 0 else part.text
                    index.append(Lit(piece, False, part.end - len(piece), part.end))
            else:
                index.append(part)
        self.pos = start
        self.words = words
        return None

    def _split(
        self, word: Word, position: int, offset: int, name: str, index: list[WordPart]
    ) -> Assignment | None:
        """The assignment in a word whose subscript closes at an offset of one of its parts."""
        part = word.parts[position]
        assert isinstance(part, Lit)
        first = len(name) + 1 if position == 0 else 0
        if part.text[first:offset]:
            index.append(Lit(part.text[first:offset], False, part.start, part.end))
        rest = part.text[offset + 1 :]
        append = rest.startswith("+=")
        if not append and not rest.startswith("="):
            self.pos = word.start
            return None
        text = rest[2:] if append else rest[1:]
        value = list(word.parts[position + 1 :])
        begin = part.end - len(text)
        if text:
            value.insert(0, Lit(text, False, begin, part.end))
        return Assignment(
            name,
            Word(value, begin, word.end),
            word.start,
            word.end,
            append=append,
            index=Word(index, word.start + len(name) + 1, begin),
        )

    def _folded(self, start: int) -> Assignment | None:
        """An assignment whose name goes over a continued line."""
        name = self.parameter_name()
        found = self.peek(self.pos)
        at = self.unfold(self.pos)
        append = found == "+" and self.peek(at + 1) == "="
        if found == "[" and is_name(name):
            return self._subscripted(start, at, name)
        if name and is_name(name) and (found == "=" or append):
            self.pos = (self.unfold(at + 1) if append else at) + 1
            return self._valued(start, name, None, append)
        self.pos = start
        return None

    def array(self) -> ArrayLiteral:
        """`( … )` after `name=`."""
        start = self.pos
        self.pos += 1
        self.enter("array assignments")
        elements: list[tuple[Word | None, Word]] = []
        appended: list[int] = []
        while True:
            found = self.new_lines()
            if found == ")":
                self.pos += 1
                break
            if found == "":
                self.fail("`(` is not closed", start, incomplete=True)
                break
            key = self._element_key() if found == "[" else None
            at = self.pos
            if key is not None and self.peek(key.end + 1) == "+":
                appended.append(len(elements))
            word = self.word(braces=key is None)
            if self.failed:
                elements.append((key, word))
                break
            if self.pos == at and key is None:
                self.fail_here("`)`")
                break
            elements.append((key, word))
        self.depth -= 1
        return ArrayLiteral(elements, start, self.pos, appended=appended)

    def _element_key(self) -> Word | None:
        """`[key]=` before an element; None if the brackets are a pattern."""
        start = self.pos
        if self.pairs.get(~start) == -1:
            return None
        key = self.subscript()
        found = self.peek(self.pos)
        at = self.unfold(self.pos)
        if not self.failed and found == "=":
            self.pos = at + 1
            return key
        if not self.failed and found == "+" and self.peek(at + 1) == "=":
            self.pos = self.unfold(at + 1) + 1
            return key
        if not self.failed:
            self.pos = start
        return None

    # --- redirections --------------------------------------------------------------------------

    def _at_redirect(self, found: str) -> bool:
        return found == "&" and self.peek(self.pos + 1) == ">"

    def _numbered(self, word: Word) -> Redirect | None:
        """The redirection that this word is the number or the variable of."""
        text = literal(word)
        if not text:
            return None
        if text.isdigit() and text.isascii():
            return self.redirect(word.start, int(text[:18]), "")
        if text[0] == "{" and text[-1] == "}":
            name = text[1:-1].partition("[")[0]
            if is_name(name):
                return self.redirect(word.start, None, text[1:-1])
        return None

    def redirect(self, start: int, fd: int | None, variable: str) -> Redirect:
        """The redirection whose operator is here."""
        first = self.text[self.pos]
        marks = first
        at = self.pos + 1
        for _ in (1, 2):
            marks += self.peek(at)
            at = self.unfold(at) + 1
        op = first
        for operator in _OPERATORS[first]:
            if marks.startswith(operator):
                op = operator
                break
        at = self.pos + 1
        for _ in range(len(op) - 1):
            at = self.unfold(at) + 1
        self.pos = at
        found = self.blanks()
        here_document = op in ("<<", "<<-")
        if found in _ENDS or (found in "(<>" and self.peek(self.pos + 1) != "("):
            self.fail_here("the target of a redirection")
            target = Word([], self.pos, self.pos)
        else:
            target = self.word(braces=op[:2] != "<<")
            if not target.parts or (
                op[-1] != "&"
                and self.pos < self.end
                and self.text[self.pos] in "<>"
                and literal(target).isdigit()
                and self.peek(self.pos + 1) != "("
            ):
                self.fail_here("the target of a redirection")
        redirect = Redirect(op, target, start, self.pos, fd=fd, variable=variable)
        if here_document and not self.failed:
            self.pending.append(redirect)
        return redirect

    def redirects(self) -> list[Redirect]:
        """The redirections after a compound command."""
        found: list[Redirect] = []
        text = self.text
        while True:
            mark = self.blanks()
            at = self.pos
            if mark == "<" or mark == ">":  # noqa: PLR1714 - hot
                if self.peek(at + 1) == "(":
                    return found
                found.append(self.redirect(at, None, ""))
            elif mark == "&" and self._at_redirect(mark):
                found.append(self.redirect(at, None, ""))
            elif mark and (mark.isdigit() or mark == "{"):
                while self.pos < self.end and text[self.pos] not in META:
                    self.pos += 1
                word = Word([Lit(text[at : self.pos], False, at, self.pos)], at, self.pos)
                redirect = None
                if self.pos < self.end and text[self.pos] in "<>":
                    redirect = self._numbered(word)
                if redirect is None:
                    self.pos = at
                    return found
                found.append(redirect)
            else:
                return found
