"""Statements of PowerShell; `parse`, the parser's one entry."""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.shell.powershell.commands import Commands
from cc_safety_net.guard.shell.powershell.nodes import (
    Block,
    Flow,
    Function,
    If,
    Loop,
    Node,
    Parameter,
    ParseResult,
    Problem,
    Script,
    Switch,
    Text,
    Try,
)
from cc_safety_net.guard.shell.powershell.scanner import Unreadable

_SECTIONS = frozenset(("begin", "process", "end", "dynamicparam", "clean"))
_FLOW = frozenset(("return", "exit", "throw", "break", "continue"))
_KEYWORDS = frozenset(
    (
        "if", "while", "for", "foreach", "do", "switch", "try", "function", "filter", "param",
        "trap", "using", "class", "enum", *_SECTIONS, *_FLOW,
    )
)  # fmt: skip


def parse(text: str, effort: Effort | None = None) -> ParseResult:
    """Read PowerShell text into a tree.

    What is no PowerShell is a problem in the result, never an exception; reading ends there.
    Only a limit of the specification raises: `LimitReached`.
    """
    if len(text) > limits.COMMAND_CHARACTERS:
        raise LimitReached(
            "guard.input-limit", f"more than {limits.COMMAND_CHARACTERS:,} characters"
        )
    parser = Parser(text, effort if effort is not None else Effort())
    script = parser.whole()
    return ParseResult(script, parser.problems, parser.rest, parser.parameters)


class Parser(Commands):
    """Reads statements."""

    __slots__ = ()

    def whole(self) -> Script:
        found: list[Node] = []
        while True:
            start = self.pos
            try:
                after = self._separators()
                start = self.pos
                if not after:
                    break
                found.append(self._outermost(after))
            except Unreadable as caught:
                self.problems.append(Problem(caught.message, caught.start, self.end))
                self.rest = start
                break
        return Script(found, 0, self.end)

    def _outermost(self, after: str) -> Node:
        if after in ")}":
            raise Unreadable("a bracket closes nothing", self.pos)
        return self.statement()

    def statements(self, closer: str) -> Script:
        found: list[Node] = []
        start = self.pos
        while True:
            after = self._separators()
            if after == closer:
                self.pos += 1
                return Script(found, start, self.pos - 1)
            if not after:
                raise Unreadable(f"{closer} is missing", start)
            if after in ")}":
                raise Unreadable(f"{closer} is missing", self.pos)
            found.append(self.statement())

    def one_statement(self) -> Script:
        start = self.pos
        return Script((self.statement(),), start, self.pos)

    def _separators(self) -> str:
        found = self.skip(lines=True)
        while found == ";":
            self.pos += 1
            found = self.skip(lines=True)
        return found

    def statement(self) -> Node:
        """One statement of any kind."""
        self.enter()
        if self.peek() == ":" and self.peek(1).isalpha():
            self.pos += 1 + len(self._word(1))  # a label
            self.skip(lines=True)
        word = self._word(0).lower()
        found = self._keyword(word) if word in _KEYWORDS else None
        if found is None:
            found = self.chain()
        self.depth -= 1
        return found

    def _word(self, ahead: int) -> str:
        start = at = self.pos + ahead
        while at < self.end and self.text[at].isalpha():
            at += 1
        return self.text[start:at]

    def _keyword(self, word: str) -> Node | None:
        """The statement that begins with a keyword; None if it is only a command's name."""
        start = self.pos
        after = self.peek(len(word))
        if after and (after.isalnum() or after in "-_.\\/:"):
            return None
        self.pos += len(word)
        if word in _FLOW:
            return self._flow(word, start)
        found = self.skip(lines=word not in ("using", "class", "enum"))
        if word == "if":
            return self._if(start)
        if word in ("while", "for", "foreach", "do"):
            return self._loop(word, start)
        if word == "switch":
            return self._switch(start)
        if word == "try":
            return self._try(start)
        if word in ("function", "filter"):
            return self._function(start)
        if word == "param":
            return self._param(start)
        if found == "{" and (word in _SECTIONS or word == "trap"):
            body = self._body()
            return (
                Try(Script((), start, start), (body,), None, start, self.pos)
                if (word == "trap")
                else body
            )
        if word in ("class", "enum", "using", "trap"):
            return self._declaration(word, start)
        self.pos = start
        return None

    def _body(self) -> Script:
        """`{ … }` of a statement."""
        if self.skip(lines=True) != "{":
            raise Unreadable("a block is missing", self.pos)
        return self.block().body

    def _condition(self) -> Node:
        """What stands in parentheses."""
        if self.skip(lines=True) != "(":
            raise Unreadable("a condition is missing", self.pos)
        start = self.pos
        self.pos += 1
        return self.sub("(", start)

    def _ahead(self, *words: str) -> str:
        """The keyword behind line ends, if it is one of these; it is taken then."""
        start = self.pos
        self.skip(lines=True)
        word = self._word(0).lower()
        if word in words:
            self.pos += len(word)
            return word
        self.pos = start
        return ""

    def _if(self, start: int) -> Node:
        clauses = [(self._condition(), self._body())]
        otherwise = None
        while word := self._ahead("elseif", "else"):
            if word == "elseif":
                clauses.append((self._condition(), self._body()))
                continue
            otherwise = self._body()
            break
        return If(clauses, otherwise, start, self.pos)

    def _loop(self, word: str, start: int) -> Node:
        if word == "while":
            condition = self._condition()
            return Loop(word, (condition,), self._body(), start, self.pos)
        if word == "do":
            body = self._body()
            if not self._ahead("while", "until"):
                raise Unreadable("do has no condition", self.pos)
            return Loop(word, (self._condition(),), body, start, self.pos)
        while self.peek() == "-":  # foreach -parallel
            self.pos += 1 + len(self._word(1))
            self.skip()
        if self.peek() != "(":
            raise Unreadable("a loop has no parentheses", self.pos)
        self.pos += 1
        parts = self._foreach_parts() if word == "foreach" else self._for_parts()
        return Loop(word, parts, self._body(), start, self.pos)

    def _foreach_parts(self) -> tuple[Node | None, ...]:
        self.skip(lines=True)
        variable = self.variable() if self.peek() == "$" else None
        self.skip(lines=True)
        if variable is None or self._word(0).lower() != "in":
            raise Unreadable("foreach names no variable", self.pos)
        self.pos += 2
        start = self.pos
        return variable, self.statements(")") if start < self.end else None

    def _for_parts(self) -> tuple[Node | None, ...]:
        parts: list[Node | None] = []
        while True:
            found = self.skip(lines=True)
            if found == ")":
                self.pos += 1
                break
            if not found or len(parts) > 3:
                raise Unreadable("for does not end", self.pos)
            if found == ";":
                self.pos += 1
                parts.append(None)
                continue
            parts.append(self.statement())
            if self.skip(lines=True) == ";":
                self.pos += 1
        return (*parts, None, None, None)[:3]

    def _switch(self, start: int) -> Node:
        options = []
        while self.skip(lines=True) == "-":
            option = self._word(1)
            self.pos += 1 + len(option)
            options.append(option.lower())
        subject = self._condition() if self.peek() == "(" else self.argument()
        if self.skip(lines=True) != "{":
            raise Unreadable("switch has no block", self.pos)
        self.pos += 1
        clauses: list[tuple[Node | None, Script]] = []
        while True:
            found = self._separators()
            if found == "}":
                self.pos += 1
                break
            if not found:
                raise Unreadable("switch does not end", start)
            pattern: Node | None = self.block() if found == "{" else self.argument()
            if isinstance(pattern, Text) and pattern.bare and pattern.value.lower() == "default":
                pattern = None
            clauses.append((pattern, self._body()))
        return Switch(subject, clauses, options, start, self.pos)

    def _try(self, start: int) -> Node:
        body = self._body()
        catches = []
        while self._ahead("catch"):
            while self.skip(lines=True) in ("[", ","):
                if self.peek() == ",":
                    self.pos += 1
                else:
                    self.type_name()
            catches.append(self._body())
        last = self._body() if self._ahead("finally") else None
        return Try(body, catches, last, start, self.pos)

    def _function(self, start: int) -> Node:
        begin = at = self.pos
        while at < self.end and self.text[at] not in " \t\r\n({":
            at += 1
        self.pos = at
        name = self.text[begin:at].lower().rpartition(":")[2]
        parameters: list[Parameter] = []
        if self.skip(lines=True) == "(":
            parameters = self._parameters()
            self.skip(lines=True)
        if self.peek() != "{" or not name:
            raise Unreadable("a function has no body", self.pos)
        block = self.block()
        if parameters:
            block = Block(parameters, block.body, block.start, block.end)
        return Function(name, block, start, self.pos)

    def _param(self, start: int) -> Node | None:
        if self.peek() != "(":
            self.pos = start
            return None
        self.parameters = self._parameters()
        return Script((), start, self.pos)

    def _parameters(self) -> list[Parameter]:
        found: list[Parameter] = []
        self.enter()
        self.pos += 1
        switch = False
        while True:
            after = self.skip(lines=True)
            if after == ")":
                self.pos += 1
                break
            if after == "[":
                switch = self.type_name().name == "switch" or switch
            elif after == ",":
                self.pos += 1
                switch = False
            elif after == "$":
                name = self._name(self.pos + 1)
                self.pos += 1 + len(name)
                default = None
                if self.skip(lines=True) == "=":
                    self.pos += 1
                    self.skip(lines=True)
                    default = self.expression(commas=False)
                found.append(Parameter(name.lower(), default, switch=switch))
            else:
                raise Unreadable("parameters do not end", self.pos)
        self.depth -= 1
        return found

    def _declaration(self, word: str, start: int) -> Node:
        """`using …` and the like define something; a class runs nothing by itself."""
        line = self.text.find("\n", self.pos)
        line = self.end if line < 0 else line
        if word in ("class", "enum", "trap"):
            brace = self.text.find("{", self.pos)
            if brace < 0:
                raise Unreadable(f"{word} has no body", start)
            line = self._matching(brace)
        self.effort.spend(1 + (line - start) // 8, "a declaration")
        self.pos = line
        return Script((), start, line)

    def _matching(self, brace: int) -> int:
        """The place behind the brace that closes this one."""
        level = 0
        at = brace
        while at < self.end:
            found = self.text[at]
            if found in "'\"":
                close = self.text.find(found, at + 1)
                at = close if close > 0 else self.end
            elif found == "{":
                level += 1
            elif found == "}":
                level -= 1
                if level == 0:
                    return at + 1
            at += 1
        raise Unreadable("a class does not end", brace)

    def _flow(self, word: str, start: int) -> Node:
        found = self.skip()
        if not found or found in "\n;)}":
            return Flow(word, None, start, self.pos)
        if word in ("break", "continue"):
            self.pos += len(self._word(0)) or 1
            return Flow(word, None, start, self.pos)
        return Flow(word, self.chain(), start, self.pos)
