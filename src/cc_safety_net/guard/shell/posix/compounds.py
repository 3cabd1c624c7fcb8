"""Compound commands: `if`, loops, `case`, groups, functions, `coproc`."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.commands import literal
from cc_safety_net.guard.shell.posix.lexer import is_name
from cc_safety_net.guard.shell.posix.nodes import (
    ArithCommand,
    ArithFor,
    Case,
    CaseArm,
    Coproc,
    For,
    FunctionDef,
    Group,
    If,
    Script,
    SimpleCommand,
    Subshell,
    While,
    Word,
)
from cc_safety_net.guard.shell.posix.zsh import ZshForms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from cc_safety_net.guard.shell.posix.nodes import Command, TestCommand

    _Shared: TypeAlias = (
        Subshell | Group | If | While | For | ArithFor | Case | ArithCommand | TestCommand
    )

#: Words that end a list of commands.
CLOSING = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}", "]]"))
#: Words that begin a compound command, and the method that reads it.
OPENING = {
    "if": "if_command",
    "while": "while_command",
    "until": "while_command",
    "for": "for_command",
    "select": "for_command",
    "case": "case_command",
    "{": "group",
    "[[": "test_command",
    "function": "function_command",
    "coproc": "coproc_command",
}
_FIRST_LETTERS = frozenset("tedf}]")


class Compounds(ZshForms):
    """Reads compound commands. Each method begins after the command's first word."""

    __slots__ = ()

    # --- parts ---------------------------------------------------------------------------------

    def keyword(self) -> str:
        """The reserved word that closes something, if one stands here; nothing is read."""
        if self.blanks() not in _FIRST_LETTERS:
            return ""
        at = self.pos
        words = self.words
        text = literal(self.word())
        self.pos = at
        self.words = words
        return text if text in CLOSING or self.ends_foreach(text) else ""

    def expect(self, keyword: str, opener: str, start: int) -> None:
        """Read the reserved word that has to stand here."""
        found = self.new_lines()
        if self.failed:
            return
        if not found:
            self.fail(f"`{opener}` without `{keyword}`", start, incomplete=True, read=True)
            return
        at = self.pos
        word = self.word()
        if literal(word) != keyword and not self.failed:
            self.pos = at
            self.fail_here(f"`{keyword}` of `{opener}`")

    def body(self, what: str) -> Script:
        """A list of commands that must not be empty."""
        script = self.script()
        if not script.items and not self.failed:
            self.fail_here(f"a command after `{what}`")
        return script

    def compound(self) -> Command | None:
        """A compound command at this place, with its redirections; None if there is none."""
        found = self.blanks()
        start = self.pos
        if found == "(":
            return self.parenthesis()
        if not found:
            return None
        word = self.word()
        text = literal(word)
        if text in OPENING and text not in ("function", "coproc"):
            return self.opened(text, start)
        self.pos = start
        return None

    def opened(self, keyword: str, start: int) -> Command:
        """The compound command that begins with this keyword."""
        self.enter(f"`{keyword}`")
        node: _Shared | FunctionDef | Coproc
        if keyword == "if":
            node = self.if_command(start)
        elif keyword in ("while", "until"):
            node = self.while_command(keyword, start)
        elif keyword in ("for", "select"):
            node = self.for_command(keyword, start)
        elif keyword == "case":
            node = self.case_command(start)
        elif keyword == "{":
            node = self.group(start)
        elif keyword == "[[":
            node = self.condition(start)
        elif keyword == "function":
            node = self.function(start)
        else:
            node = self.coproc(start)
        self.depth -= 1
        return node if isinstance(node, (FunctionDef, Coproc)) else self.redirected(node)

    def redirected(self, node: _Shared) -> _Shared:
        if not self.failed:
            node.redirects = self.redirects()
            if node.redirects:
                node.end = self.pos
        return node

    # --- groups --------------------------------------------------------------------------------

    def parenthesis(self) -> Command:
        """`( … )` or `((…))`, with redirections."""
        start = self.pos
        node: _Shared
        if self.peek(start + 1) == "(":
            close = self.arithmetic_end(start)
            if close >= 0:
                self.enter("arithmetic")
                expression = self.expression(self.unfold(start + 1) + 1, close)
                self.pos = self.unfold(close + 1) + 1
                self.depth -= 1
                node = ArithCommand(expression, (), start, self.pos)
                return self.redirected(node)
        self.enter("subshells")
        self.pos += 1
        closing, self.closing = self.closing, False
        body = self.body("(")
        self.closing = closing
        if self.pos < self.end and self.text[self.pos] == ")":
            self.pos += 1
        elif self.pos >= self.end:
            self.fail("`(` is not closed", start, incomplete=True, read=True)
        else:
            self.fail_here("`)`")
        self.depth -= 1
        node = Subshell(body, (), start, self.pos)
        return self.redirected(node)

    def group(self, start: int) -> Group:
        body = self.body("{")
        self.expect("}", "{", start)
        if self.braces_close and self.blanks() == "a":
            body = self.always(body)
        return Group(body, (), start, self.pos)

    # --- if, while -----------------------------------------------------------------------------

    def if_command(self, start: int) -> If:
        arms: list[tuple[Script, Script]] = []
        otherwise = None
        keyword = "if"
        while True:
            condition = self.body(keyword)
            if self.blanks() == "{" and not self.failed:
                return self.braced_if(arms, condition, start)
            self.expect("then", keyword, start)
            arms.append((condition, self.body("then")))
            keyword = self.keyword()
            if keyword != "elif":
                break
            self.word()
        if keyword == "else":
            self.word()
            otherwise = self.body("else")
        self.expect("fi", "if", start)
        return If(arms, otherwise, (), start, self.pos)

    def while_command(self, keyword: str, start: int) -> While:
        condition = self.body(keyword)
        body = self.loop_body(keyword, start)
        return While(condition, body, keyword == "until", (), start, self.pos)

    def loop_body(self, opener: str, start: int) -> Script:
        """`do … done`, or `{ … }`."""
        found = self.new_lines()
        if found == "{":
            at = self.pos
            if literal(self.word()) == "{":
                # bash has braces after `for` and `select` only
                return self.group(at).body if opener in ("for", "select") else self.braced(at)
            self.pos = at
        self.expect("do", opener, start)
        body = self.body("do")
        self.expect("done", opener, start)
        return body

    # --- for -----------------------------------------------------------------------------------

    def for_command(self, keyword: str, start: int) -> For | ArithFor:
        found = self.blanks()
        if found == "(" and keyword == "for" and self.peek(self.pos + 1) == "(":
            return self._arithmetic_for(start)
        names: list[str] = []
        words: list[Word] | None = None
        if found in ("", "\n", ";"):
            self.fail_here("a name")
        while not self.failed:
            found = self.blanks() if names else found
            if found in ("", "\n", ";"):
                break
            at = self.pos
            if found == "(":
                if not names:
                    self.fail_here("a name")
                    break
                words = self.parenthesised()
                return self.short_for(names, words, keyword, start)
            word = self.word()
            text = literal(word)
            if names and text == "in":
                words = self._for_words()
                break
            if names and text in ("do", "{"):
                self.pos = at
                break
            if self.pos == at or (names and (keyword != "for" or not is_name(text))):
                self.pos = at
                self.fail_here("`in`")
                break
            names.append(text or self.text[word.start : word.end])
        if words is None and len(names) == 1:
            words = self._in_after_lines()
        elif words is None:
            self.fail_here("`in`")
        self._separator()
        body = self.loop_body(keyword, start)
        return For(names, words, body, (), start, self.pos, select=keyword == "select")

    def _in_after_lines(self) -> list[Word] | None:
        """`in …` on a later line than the name."""
        if self.blanks() != "\n":
            return None
        if self.new_lines() == "i":
            at = self.pos
            if literal(self.word()) == "in":
                return self._for_words()
            self.pos = at
        return None

    def _for_words(self) -> list[Word]:
        words: list[Word] = []
        while not self.failed:
            found = self.blanks()
            if found in ("", "\n", ";"):
                break
            at = self.pos
            word = self.word()
            if self.pos == at:
                self.fail_here("`do`")
                break
            words.append(word)
        self.effort.spend(len(words), "loops")
        return words

    def _separator(self) -> None:
        """`;` or new lines before `do`."""
        if self.blanks() == ";":
            self.pos += 1

    def _arithmetic_for(self, start: int) -> ArithFor:
        opened = self.pos
        close = self.arithmetic_end(opened)
        parts: list[Word] = []
        if close < 0:
            self.fail("`((` is not closed", opened, incomplete=self.pairs[opened + 1] < 0)
            close = self.end
        outer = self.end
        self.pos = self.unfold(opened + 1) + 1
        self.end = min(close, self.end)
        while not self.failed:
            parts.append(self.argument(";", nest="("))
            if self.pos >= self.end:
                break
            self.pos += 1
        if close < outer:
            self.failed = False
            self.end = outer
            self.pos = self.unfold(close + 1) + 1
            if len(parts) != 3:
                self.pos = opened
                self.fail("`for ((` needs three expressions", opened)
        while len(parts) < 3:
            parts.append(Word([], self.pos, self.pos))
        self.blanks()
        self._separator()
        body = self.loop_body("for", start)
        return ArithFor(parts[0], parts[1], parts[2], body, (), start, self.pos)

    # --- case ----------------------------------------------------------------------------------

    def case_command(self, start: int) -> Case:
        found = self.blanks()
        if found in ("", "\n", ";", "&", "|", "(", ")"):
            self.fail_here("the word of `case`")
        word = self.word(braces=False)
        last = "esac"
        if self.blanks() == "{" and not self.failed:
            last = "}"  # zsh
            self.pos += 1
        else:
            self.expect("in", "case", start)
        arms: list[CaseArm] = []
        while not self.failed:
            found = self.new_lines()
            if not found:
                self.fail(f"`case` without `{last}`", start, incomplete=True, read=True)
                break
            arm_start = self.pos
            if found == "(":
                self.pos += 1
            elif found == last[0] and self.keyword() == last:
                self.word()
                break
            arm = self._arm(arm_start)
            arms.append(arm)
            if not arm.terminator and not self.failed:
                self.expect(last, "case", start)
                break
        return Case(word, arms, (), start, self.pos)

    def _arm(self, start: int) -> CaseArm:
        patterns: list[Word] = []
        while True:
            self.blanks()
            at = self.pos
            pattern = self.word(braces=False)
            if self.failed:
                break
            if self.pos == at:
                self.fail_here("a pattern of `case`")
                break
            patterns.append(pattern)
            found = self.blanks()
            if found == "|" and self.peek(self.pos + 1) != "|":
                self.pos += 1
                continue
            if found == ")":
                self.pos += 1
            else:
                self.fail_here("`)` of `case`")
            break
        body = self.script()
        terminator = ""
        if self.pos < self.end and self.text[self.pos] == ";":
            at = self.unfold(self.pos + 1)
            if self.peek(at) not in (";", "&"):
                self.fail_here("`;;`")
                return CaseArm(patterns, body, "", start, self.pos)
            terminator = ";" + self.text[at]
            if terminator == ";;" and self.peek(at + 1) == "&":
                terminator = ";;&"
                at = self.unfold(at + 1)
            self.pos = at + 1
        return CaseArm(patterns, body, terminator, start, self.pos)

    # --- functions, coproc ---------------------------------------------------------------------

    def function(self, start: int) -> FunctionDef:
        """`function name [()] command`; without a name in zsh."""
        found = self.blanks()
        at = self.pos
        if found == "{" and self.peek(at + 1) in ("", " ", "\t", "\n"):
            return self._function("", start)
        name = self.word(braces=False)
        if self.pos == at:
            self.fail_here("the name of a function")
        if self.blanks() == "(" and self._empty_parentheses():
            self.new_lines()
        return self._function(self.text[name.start : name.end], start)

    def _empty_parentheses(self) -> bool:
        """Read `()` if it stands here."""
        at = self.pos
        self.pos += 1
        if self.blanks() == ")":
            self.pos += 1
            return True
        self.pos = at
        return False

    def function_definition(self, name: str, start: int) -> FunctionDef:
        """`name() command`, the position at the parenthesis."""
        if not self._empty_parentheses():
            self.pos += 1
            self.blanks()
            self.fail_here("`)`")
        return self._function(name, start)

    def _function(self, name: str, start: int) -> FunctionDef:
        self.enter("functions")
        body: Command | None = None
        if not self.failed:
            body = self.command(self.new_lines())
            if body is None:
                self.fail_here("the body of a function")
        if body is None:
            body = SimpleCommand((), (), (), self.pos, self.pos)
        self.depth -= 1
        return FunctionDef(name, body, start, self.pos)

    def coproc(self, start: int) -> Coproc:
        self.blanks()
        body = self.compound()
        name = ""
        if body is None and not self.failed:
            at = self.pos
            first = self.word()
            after = self.blanks()
            if first.parts and after and after not in "\n;&|)<>":
                body = self.compound()
                if body is not None:
                    name = literal(first) or self.text[first.start : first.end]
            if body is None and not self.failed:
                self.pos = at
                body = self.command(self.blanks())
        if body is None:
            self.fail_here("a command after `coproc`")
            body = SimpleCommand((), (), (), self.pos, self.pos)
        return Coproc(name, body, start, self.pos)
