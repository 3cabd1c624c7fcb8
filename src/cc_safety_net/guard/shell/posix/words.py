"""Words: quotes, expansions, substitutions and extended globs."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.braces import brace_parts
from cc_safety_net.guard.shell.posix.lexer import WORD_ENDS
from cc_safety_net.guard.shell.posix.nodes import (
    ArithSub,
    CommandSub,
    DoubleQuoted,
    ExtGlob,
    Lit,
    Param,
    ProcessSub,
    Word,
)
from cc_safety_net.guard.shell.posix.parameters import Parameters
from cc_safety_net.guard.shell.posix.quoting import ansi_c, ansi_c_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.posix.nodes import Script, WordPart

_EXTGLOB = frozenset("?*+@!")
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_SPECIAL = frozenset("@*#?-$!0123456789")
_ESCAPED = frozenset('"\\$`')
_CLOSERS = {"[": "]", "(": ")"}
#: Characters that may begin a part of an argument.
_MEANINGFUL = frozenset("\\'\"$`(<>")


class Words(Parameters):
    """Reads words."""

    __slots__ = ()

    # --- plain words ---------------------------------------------------------------------------

    def word(self, braces: bool = True) -> Word:
        """The word that begins here: everything up to a blank or an operator."""
        text = self.text
        start = self.pos
        self.count_word()
        at = self.plain_end(start)
        if at == self.end or text[at] in WORD_ENDS:
            self.pos = at
            return Word([Lit(text[start:at], False, start, at)] if at > start else [], start, at)
        return self._joined(start, at, braces)

    def _joined(self, start: int, at: int, braces: bool) -> Word:
        """A word with more than plain characters; those up to `at` are known to be plain."""
        text = self.text
        parts: list[WordPart] = []
        plain = [text[start:at]] if at > start else []
        begin = start  # where `plain` begins
        has_brace = False
        while at < self.end:
            found = text[at]
            if found in WORD_ENDS:
                break
            if found == "\\" and text.startswith("\n", at + 1, self.end):
                at += 2
                continue
            if found == "{":
                has_brace = True
            part = self._part(found, at, start, plain, braces)
            if part is None:
                if (self.failed and self.pos >= self.end) or found in "(<>":
                    break
                if not plain:
                    begin = at
                run = at
                at = self.plain_end(at + 1)
                plain.append(text[run:at])
                continue
            if plain:
                if plain != [""]:
                    parts.append(Lit("".join(plain), False, begin, part.start))
                plain = []
            parts.append(part)
            begin = at = self.pos
        at = min(at, self.end)
        if plain:
            parts.append(Lit("".join(plain), False, begin, at))
        self.pos = at
        while text.startswith("\\\n", at - 2, at) and at - 2 > start:
            at -= 2  # the continued line after the word is not part of it
        if has_brace and braces:
            parts = brace_parts(parts, self.effort)
        return Word(parts, start, at)

    def _part(
        self, found: str, at: int, start: int, plain: list[str], braces: bool
    ) -> WordPart | None:
        """What begins at `at` of the word from `start`, `plain` before it; None if nothing does:
        the word ends at a bracket, any other character is an ordinary one."""
        if found == "\\":
            if at + 1 >= self.end:
                return None
            self.pos = at + 2
            return Lit(self.text[at + 1], True, at, at + 2)
        if found == "(":
            last = plain[-1][-1] if plain else ""
            if last and last in _EXTGLOB and (not braces or self.peek(at + 1) != ")"):
                self.pos = at
                plain[-1] = plain[-1][:-1]
                return self._extglob(last, at - 1)
            if last == "=" and at == start + 1:
                plain.clear()
                return self._process("=", start, at)
            return None
        if found == "<" or found == ">":  # noqa: PLR1714 - hot
            opened = self.unfold(at + 1)
            if opened >= self.end or self.text[opened] != "(":
                return None
            return self._process(found, at, opened)
        self.pos = at
        return self._quote_or_expansion(found)

    def _quote_or_expansion(self, found: str) -> WordPart | None:
        """What begins here with a quote, `$` or backtick; None if it is an ordinary character."""
        if found == "'":
            return self.single_quoted()
        if found == '"':
            return self.double_quoted(self.pos)
        if found == "$":
            return self.dollar(False)
        if found == "`":
            return self.backticks(False)
        return None

    def _process(self, direction: str, start: int, opened: int) -> ProcessSub:
        body = self._substituted(start, opened, "process substitutions")
        return ProcessSub(direction, body, start, self.pos)

    def _extglob(self, op: str, start: int) -> ExtGlob:
        """`op(…|…)`, the position at its parenthesis."""
        self.enter("extended globs")
        alternatives = []
        while True:
            self.pos += 1
            alternatives.append(self.argument("|)", pattern=True, nest="("))
            if self.pos >= self.end or self.text[self.pos] != "|":
                break
        if self.pos < self.end:
            self.pos += 1
        else:
            self.fail(f"`{op}(` is not closed", start, incomplete=True)
        self.depth -= 1
        return ExtGlob(op, alternatives, start, self.pos)

    # --- quotes --------------------------------------------------------------------------------

    def single_quoted(self) -> Lit | None:
        start = self.pos
        close = self.text.find("'", start + 1, self.end)
        if close < 0:
            self.fail("a single quote is not closed", start, incomplete=True)
            return None
        self.pos = close + 1
        return Lit(self.text[start + 1 : close], True, start, close + 1)

    def double_quoted(self, start: int) -> DoubleQuoted:
        """`"…"`, the position at the first quote; `start` is before it for `$"…"`."""
        opened = self.pos
        self.pos += 1
        parts = self.quoted_parts('"')
        if self.pos < self.end:
            self.pos += 1
        else:
            self.fail("a double quote is not closed", opened, incomplete=True)
        return DoubleQuoted(parts, start, self.pos)

    def quoted_parts(self, closer: str, tabs: bool = False) -> list[WordPart]:
        """What stands in double quotes, or with closer "" in a here-document up to the end.

        tabs: take away the tabs at the beginning of each line (`<<-`).
        """
        text = self.text
        at = begin = self.pos
        parts: list[WordPart] = []
        plain: list[str] = []
        line_start = True
        while at < self.end:
            run = at
            at = self.quoted_end(at)
            if at > run:
                piece = text[run:at]
                plain.append(_untabbed(piece, line_start) if tabs else piece)
                line_start = piece[-1] == "\n"
            if at >= self.end or (text[at] == '"' and closer):
                break
            found = text[at]
            line_start = False
            if found == "\\":
                follows = text[at + 1] if at + 1 < self.end else ""
                at += 2
                if follows and follows in _ESCAPED and (closer or follows != '"'):
                    plain.append(follows)
                elif follows != "\n":
                    plain.append(found)
                    at -= 1
                continue
            part: WordPart | None = None
            if found != '"':
                self.pos = at
                part = self.dollar(True) if found == "$" else self.backticks(bool(closer))
            if part is None:
                plain.append(found)
                at += 1
                continue
            if plain:
                parts.append(Lit("".join(plain), True, begin, part.start))
                plain = []
            parts.append(part)
            begin = at = self.pos
        if plain:
            parts.append(Lit("".join(plain), True, begin, at))
        self.pos = min(at, self.end)
        return parts

    # --- `$` and backticks ---------------------------------------------------------------------

    def dollar(self, quoted: bool) -> WordPart | None:
        """The expansion whose `$` is here; None if the `$` stands for itself."""
        text = self.text
        start = self.pos
        at = self.unfold(start + 1)
        if at >= self.end:
            return None
        found = text[at]
        if found in _NAME_START:
            self.pos = at
            self.effort.spend(1, "parameter expansions")
            return Param(self.parameter_name(), start, self.pos)
        if found in _SPECIAL:
            self.pos = at + 1
            self.effort.spend(1, "parameter expansions")
            return Param(found, start, self.pos)
        if found == "{":
            return self.parameter(start, at, quoted)
        if found in "=~^" and not quoted and self.peek(at + 1) in _NAME_START:
            self.pos = at + 1  # zsh: `$=name`, `$~name`, `$^name`
            return Param(self.parameter_name(), start, self.pos)
        if found == "(":
            if self.peek(at + 1) == "(":
                close = self.arithmetic_end(at)
                if close >= 0:
                    return self._arithmetic(start, self.unfold(at + 1) + 1, close)
            return CommandSub(
                self._substituted(start, at, "command substitutions"), "dollar", start, self.pos
            )
        if found == "[":
            self.enter("arithmetic")
            self.pos = at
            word = self.subscript(quoted=quoted)
            self.depth -= 1
            return ArithSub(word, start, self.pos)
        if quoted:
            return None
        if found == "'":
            close = ansi_c_end(text, at + 1, self.end)
            if close < 0:
                self.fail("`$'` is not closed", start, incomplete=True)
                return None
            self.pos = close + 1
            return Lit(ansi_c(text[at + 1 : close]), True, start, close + 1)
        if found == '"':
            self.pos = at
            return self.double_quoted(start)
        return None

    def _arithmetic(self, start: int, first: int, close: int) -> ArithSub:
        self.enter("arithmetic")
        word = self.expression(first, close)
        self.depth -= 1
        self.pos = self.unfold(close + 1) + 1
        return ArithSub(word, start, self.pos)

    def _substituted(self, start: int, opened: int, construct: str) -> Script:
        """The commands of `$(…)`, `<(…)` or `>(…)` whose parenthesis is at `opened`."""
        self.enter(construct)
        pending, self.pending = self.pending, []
        closing, self.closing = self.closing, True
        self.pos = opened + 1
        body = self.script()
        if self.pos < self.end and self.text[self.pos] == ")":
            self.pos += 1
        elif not self.failed:
            if self.pos >= self.end:
                self.fail(
                    f"`{self.text[start : opened + 1]}` is not closed", start, incomplete=True
                )
            else:
                self.fail_here("`)`")
        self.pending = pending + self.pending
        self.closing = closing
        self.depth -= 1
        return body

    def backticks(self, quoted: bool) -> CommandSub | None:
        """A command substitution in backticks.

        Its text is read with one level of backslashes taken away, and only when it runs: a
        problem inside does not stop the reading of what follows.
        """
        text = self.text
        start = self.pos
        at = start + 1
        end = self.end
        while at < end and text[at] != "`":
            at += 2 if text[at] == "\\" else 1
        if at >= end:
            self.fail("a backtick is not closed", start, incomplete=True)
            return None
        self.enter("command substitutions")
        if text.find("\\", start, at) < 0:
            body = self._region(start + 1, at)
        else:
            from cc_safety_net.guard.shell.posix.backticks import read_escaped

            body = read_escaped(self, start + 1, at, quoted)
        self.depth -= 1
        self.pos = at + 1
        return CommandSub(body, "backtick", start, at + 1)

    def _region(self, start: int, end: int) -> Script:
        """The commands between two offsets; a problem inside stays inside."""
        outer = self.end
        pending, self.pending = self.pending, []
        closing, self.closing = self.closing, False
        self.pos = start
        self.end = end
        body = self.whole_script()
        self.failed = False
        self.end = outer
        self.pos = end
        self.pending = pending
        self.closing = closing
        return body

    def whole_script(self) -> Script:
        """All commands up to the end; anything that is left over is a problem."""
        body = self.script()
        if self.pos < self.end:
            self.fail_here("a command")
        return body

    # --- words inside other constructs ---------------------------------------------------------

    def argument(
        self, stops: str, *, quoted: bool = False, pattern: bool = False, nest: str = ""
    ) -> Word:
        """A word inside brackets, up to a character of `stops` or the end.

        quoted: it stands in double quotes. pattern: quotes and backslashes work there too.
        nest: an opening character whose pairs are gone over; "?" too for `a ? b : c`.
        """
        text = self.text
        start = at = begin = self.pos
        parts: list[WordPart] = []
        plain: list[str] = []
        level = ternaries = 0
        opener = nest[:1]
        closer = _CLOSERS.get(opener, "")
        plainly = quoted and not pattern
        while at < self.end:
            found = text[at]
            part: WordPart | None = None
            if found in _MEANINGFUL:
                if found == "\\" and text.startswith("\n", at + 1, self.end):
                    at += 2
                    continue
                nested = pattern if found == "(" else not quoted and stops == "}"
                part = self._argument_part(found, at, plain, quoted, plainly, nested)
            if part is None:
                if found == opener:
                    level += 1
                elif found == closer and level:
                    level -= 1
                elif found == "?" and nest[1:]:
                    ternaries += 1
                elif found in stops and (not level or found == "}"):
                    if found != ":" or not ternaries:
                        break
                    ternaries -= 1
                if self.failed:
                    break
                if not plain:
                    begin = at
                plain.append(found)
                at += 1
                continue
            if plain:
                parts.append(Lit("".join(plain), False, begin, part.start))
                plain = []
            parts.append(part)
            begin = at = self.pos
        if plain:
            parts.append(Lit("".join(plain), False, begin, at))
        self.pos = min(at, self.end)
        return Word(parts, start, self.pos)

    def _argument_part(
        self, found: str, at: int, plain: list[str], quoted: bool, plainly: bool, nested: bool
    ) -> WordPart | None:
        """What begins at `at` of an argument; None if it is an ordinary character.

        plainly: a single quote and most backslashes are. nested: a parenthesis may open an
        extended glob, or an angle bracket a process substitution.
        """
        if found == "\\":
            follows = self.text[at + 1] if at + 1 < self.end else ""
            if not follows or (plainly and follows not in _ESCAPED and follows != "}"):
                return None
            self.pos = at + 2
            return Lit(follows, True, at, at + 2)
        if found == "(":
            if not nested or not plain or plain[-1] not in _EXTGLOB:
                return None
            self.pos = at
            return self._extglob(plain.pop(), at - 1)
        if found in "<>":
            opens = nested and self.peek(at + 1) == "("
            return self._process(found, at, self.unfold(at + 1)) if opens else None
        if found == "'" and plainly:
            return None
        self.pos = at
        if found == "$":
            return self.dollar(plainly)
        return self.backticks(quoted) if found == "`" else self._quote_or_expansion(found)


def _untabbed(piece: str, line_start: bool) -> str:
    lines = piece.split("\n")
    for index, line in enumerate(lines):
        if index or line_start:
            lines[index] = line.lstrip("\t")
    return "\n".join(lines)
