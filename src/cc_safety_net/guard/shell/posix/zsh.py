"""What zsh's users type and bash does not know: braces for `do … done`, `repeat`, `foreach`.

Most of it is no bash grammar, so it is read wherever it stands. Only where `}` ends a command
without a `;` before it do the two shells part: `braces_close` says that zsh's way is taken, after
a form of zsh, or in a second reading of text that has no end in bash's way.
"""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.commands import literal
from cc_safety_net.guard.shell.posix.conditions import Conditions
from cc_safety_net.guard.shell.posix.nodes import For, Group, If, Script, Word

_TWICE_AT_MOST = 3
_BLANKS = frozenset(("", " ", "\t", "\n"))


class ZshForms(Conditions):
    """Reads the forms of zsh."""

    __slots__ = ()

    # --- what the levels above bring -----------------------------------------------------------

    def body(self, what: str) -> Script:
        raise NotImplementedError

    def group(self, start: int) -> Group:
        raise NotImplementedError

    def keyword(self) -> str:
        raise NotImplementedError

    def loop_body(self, opener: str, start: int) -> Script:
        raise NotImplementedError

    def expect(self, keyword: str, opener: str, start: int) -> None:
        raise NotImplementedError

    # --- braces --------------------------------------------------------------------------------

    def braced(self, start: int) -> Script:
        """The commands up to the `}` of zsh, the position after `{`."""
        closes, self.braces_close = self.braces_close, True
        body = self.body("{")
        self.expect("}", "{", start)
        self.braces_close = closes
        return body

    def always(self, body: Script) -> Script:
        """`{ … } always { … }`, the position after the first group."""
        at = self.pos
        words = self.words
        if literal(self.word()) == "always" and self.blanks() == "{":
            opened = self.pos
            self.pos += 1
            last = Group(self.braced(opened), (), opened, self.pos)
            first = Group(body, (), body.start, at)
            return Script([(first, ";"), (last, "")], body.start, self.pos)
        self.pos = at
        self.words = words
        return body

    def braced_if(self, arms: list[tuple[Script, Script]], condition: Script, start: int) -> If:
        """`if (( … )) { … } elif [[ … ]] { … } else { … }`, the position at the first brace."""
        otherwise = None
        while True:
            opened = self.pos
            self.pos += 1
            arms.append((condition, self.braced(opened)))
            keyword = self._goes_on()
            if keyword == "elif":
                condition = self.body(keyword)
                if self.blanks() == "{" and not self.failed:
                    continue
                self.expect("{", keyword, start)
            elif keyword == "else":
                if self.blanks() == "{":
                    opened = self.pos
                    self.pos += 1
                    otherwise = self.braced(opened)
                else:
                    self.expect("{", keyword, start)
            return If(arms, otherwise, (), start, self.pos)

    def _goes_on(self) -> str:
        """`elif` or `else` after a closing brace, read; on a later line too."""
        if self.failed:
            return ""
        at = self.pos
        if not self.pending:
            self.new_lines()
        keyword = self.keyword()
        if keyword in ("elif", "else"):
            self.word()
            return keyword
        self.pos = at
        return ""

    # --- loops ---------------------------------------------------------------------------------

    def zsh_loop(self, keyword: str, start: int) -> For | None:
        """`repeat` or `foreach`, the position after the word; None if it is an ordinary command."""
        at = self.pos
        words = self.words
        found = self._repeat(start) if keyword == "repeat" else self._foreach(start)
        if found is None and not self.failed:
            self.pos = at
            self.words = words
        return found

    def _repeat(self, start: int) -> For | None:
        """`repeat COUNT do … done` or `repeat COUNT { … }`; a short form is a command's tail."""
        if self.blanks() in _BLANKS or self.text[self.pos] in ";&|()<>":
            return None
        count = self.word()
        if self.failed:
            return None
        found = self.blanks()
        if found == ";":
            self.pos += 1
        if found in (";", "\n"):
            if self.pending:
                return None
            found = self.new_lines()
        if found != "{" and self.keyword() != "do":
            return None
        if found == "{" and self.peek(self.pos + 1) not in _BLANKS:
            return None
        self.enter("loops")
        body = self.loop_body("repeat", start)
        self.depth -= 1
        # Twice: what a second round does differently, later ones do too. Deep down once, for each
        # level doubles the work.
        rounds = [count, count] if self.depth < _TWICE_AT_MOST else [count]
        return For(["repeat"], rounds, body, (), start, self.pos)

    def _foreach(self, start: int) -> For | None:
        """`foreach NAME (WORDS) … end`, or with a body in braces."""
        names: list[str] = []
        while self.blanks() not in _BLANKS and self.text[self.pos] not in ";&|()<>":
            names.append(literal(self.word()))
            if self.failed or not names[-1]:
                return None
        if not names or self.blanks() != "(":
            return None
        words = self.parenthesised()
        self.enter("loops")
        if self.blanks() == ";":
            self.pos += 1
        if self.new_lines() == "{" and self.peek(self.pos + 1) in _BLANKS:
            at = self.pos
            self.pos += 1
            body = self.braced(at)
        else:
            self.foreach += 1
            body = self.body("foreach")
            self.foreach -= 1
            self.expect("end", "foreach", start)
        self.depth -= 1
        return For(names, words, body, (), start, self.pos)

    def ends_foreach(self, word: str) -> bool:
        return word == "end" and self.foreach > 0

    def parenthesised(self) -> list[Word]:
        """The words of zsh's `for name (…)`."""
        opened = self.pos
        self.pos += 1
        words: list[Word] = []
        while not self.failed:
            found = self.new_lines()
            if found == ")":
                self.pos += 1
                break
            at = self.pos
            word = self.word()
            if self.pos == at:
                if found:
                    self.fail_here("`)`")
                else:
                    self.fail("`(` is not closed", opened, incomplete=True)
                break
            words.append(word)
        return words

    def short_for(self, names: list[str], words: list[Word], keyword: str, start: int) -> For:
        """The body of zsh's `for name (…)`: `do … done`, or one command."""
        if self.blanks() == ";":
            self.pos += 1
        found = self.new_lines()
        if found == "d" and self.keyword() == "do":
            body = self.loop_body(keyword, start)
        else:
            at = self.pos
            command = self.command(self.blanks()) if not self.failed else None
            if command is None:
                self.fail_here("a command")
            body = Script([(command, "")] if command is not None else [], at, self.pos)
        return For(names, words, body, (), start, self.pos, select=keyword == "select")
