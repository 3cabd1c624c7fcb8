"""Runs tokens of a language in the abstract: assignments, calls, loops over what is known.

This is no parser: it reads expressions one after the other, takes every branch, and skips what it
does not know. What it must not do is take a text for a call, or a call for a text.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.codes import MARK
from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.lexer import Token, Unterminated, tokenise
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Scope,
    Value,
    added,
    alternatives,
    choices_of,
    constant,
    listed,
    matching,
    number,
    one_of,
    ref,
    text,
    texts,
    unknown,
    word,
)
from cc_safety_net.guard.interpret.values import concat
from cc_safety_net.guard.limits import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.lexer import Language
    from cc_safety_net.guard.interpret.values import Choices

_CALLS = 16
#: Longer dotted names stand for nothing that is known.
_NAME = 128
_CALLS_IN_ALL = 2_048
_OPENING = {"(": ")", "[": "]", "{": "}"}
_DECLARING = frozenset(
    ("const", "let", "var", "my", "our", "local", "val", "def", "final", "global", "static",
     "export", "state", "mut")
)  # fmt: skip
#: Words in front of an expression that change nothing here.
_SKIPPED = frozenset(
    ("await", "return", "new", "yield", "async", "void", "typeof", "throw", "not", "echo", "print",
     "puts", "defer", "go", "then", "else", "do", "begin", "try", "unsafe", "p", "in", "of",
     "default", "case", "elsif", "elif", "elseif", "rescue", "ensure", "finally", "catch", "end",
     "and", "or", "say", "pp", "using", "when", "loop")
)  # fmt: skip
_ENDING_WORDS = frozenset(("if", "unless", "while", "until", "for", "foreach", "do", "then", "end"))
_OPENS_BLOCK = frozenset(("def", "class", "module", "begin", "case", "do", "function", "fn", "let"))
_CONDITIONS = frozenset(("if", "unless", "while", "until", "for"))
_PRINTING = frozenset(("puts", "print", "p", "pp", "echo", "say", "printf"))
#: Perl's functions that are called by their name alone.
_ALONE = frozenset(("shift", "pop", "unlink", "rmdir", "cwd", "getcwd", "glob"))
_PREFIXES = ("!", "-", "&", "*", "...", "+", "\\", "**", "@")
_EITHER = frozenset(("||", "??", "or", "?:"))
_BOTH = frozenset(("&&", "and"))
_COMPARING = frozenset(
    ("==", "!=", "===", "!==", "<", ">", "<=", ">=", "<=>", "=~", "-", "*", "%", "//", "<<", ">>",
     "&", "|", "^", "**", "instanceof", "eq", "ne", "lt", "gt", "cmp", "~", "+", ".", "<>",
     "is", "..", "...")
)  # fmt: skip


def read_tokens(code: str, host: CodeHost, language: Language) -> None:
    """Report what the code would do; what is no code of the language is opaque."""
    try:
        tokens = tokenise(code, language, host.effort)
    except Unterminated:
        from cc_safety_net.guard.interpret.facts import Word

        host.opaque(Word(host.pieces(code)))
        return
    Run(host, language).run_all(tokens)


class Function:
    """A function of the code: its parameters and the tokens of its body."""

    __slots__ = ("body", "end", "parameters", "start")

    def __init__(self, parameters: list[str], body: Body, start: int, end: int) -> None:
        self.parameters = parameters
        self.body = body
        self.start = start
        self.end = end


class Body:
    """Tokens with the partner of each bracket."""

    __slots__ = ("pairs", "tokens")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.pairs: dict[int, int] = {}
        stack: list[int] = []
        for index, token in enumerate(tokens):
            if token.kind != "sign":
                continue
            if token.text in _OPENING:
                stack.append(index)
            elif token.text in (")", "]", "}"):
                while stack:
                    opening = stack.pop()
                    if _OPENING[tokens[opening].text] == token.text:
                        self.pairs[opening] = index
                        break


class Run:
    """One run over the code of one call."""

    def __init__(self, host: CodeHost, language: Language) -> None:
        self.host = host
        self.language = language
        self.scope = Scope()
        self.body = Body([])
        self.at = 0
        self.end = 0
        self.blocks = 0
        self.active: list[Function] = []
        self.called = 0
        self.last: Value = constant(NONE)
        #: Up to which token no statement is followed by a modifier.
        self.plain_until: tuple[Body, int] = (self.body, 0)
        features = language.features
        self.bare = "bare" in features
        self.lines = "lines" in features

    def run_all(self, tokens: list[Token]) -> None:
        body = Body(tokens)
        self.body = body
        self.define(body)
        self.run(body, 0, len(tokens))
        for name in self.language.start:
            function = self.scope.look(name)
            if function is not None and function.kind == "function":
                self.call_function(function, Call(name, []))

    # --- the tokens ------------------------------------------------------------------------------

    def token(self, offset: int = 0) -> Token | None:
        at = self.at + offset
        return self.body.tokens[at] if at < self.end else None

    def is_sign(self, *signs: str, offset: int = 0) -> bool:
        token = self.token(offset)
        return token is not None and token.kind == "sign" and token.text in signs

    def is_name(self, *names: str, offset: int = 0) -> bool:
        token = self.token(offset)
        return token is not None and token.kind == "name" and token.text in names

    def skip_lines(self) -> None:
        while self.at < self.end and self.body.tokens[self.at].kind == "line":
            self.at += 1

    def run(self, body: Body, start: int, end: int) -> Value:
        """Run the tokens of a range; the value of the last expression."""
        saved = (self.body, self.at, self.end)
        self.body, self.at, self.end = body, start, end
        self.host.enter(f"{self.language.name} code")
        last = constant(NONE)
        while self.at < self.end:
            before = self.at
            value = self.statement()
            if value is not None:
                last = value
            if self.at <= before:
                self.at = before + 1
        self.host.leave()
        self.body, self.at, self.end = saved
        return last

    # --- functions -------------------------------------------------------------------------------

    def define(self, body: Body) -> None:
        """Named functions are known before anything runs."""
        tokens = body.tokens
        for index, token in enumerate(tokens):
            if token.kind != "name" or token.text not in self.language.functions:
                continue
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if following is None or following.kind != "name":
                continue
            name = following.text
            at = index + 2
            while at + 1 < len(tokens) and tokens[at].text == "." and tokens[at + 1].kind == "name":
                name = tokens[at + 1].text
                at += 2
            function = self.function_at(body, at)
            if function is not None:
                self.scope.own[name] = Value("function", name=name, node=function)

    def function_at(self, body: Body, at: int) -> Function | None:
        """The function whose parameters or body begin at `at`."""
        tokens = body.tokens
        parameters: list[str] = []
        if at < len(tokens) and tokens[at].text == "(" and at in body.pairs:
            close = body.pairs[at]
            parameters = self.names(body, at + 1, close)
            at = close + 1
        elif self.bare and at < len(tokens) and tokens[at].kind == "name":
            # Ruby's `def name a, b`.
            begin = at
            while at < len(tokens) and tokens[at].kind != "line" and tokens[at].text != ";":
                at += 1
            parameters = self.names(body, begin, at)
        if "ends" in self.language.features:
            end = self.block_end(body, at)
            return Function(parameters, body, at, end)
        # A type of the result, or an arrow, may stand before the brace.
        limit = at + 12
        while at < len(tokens) and at < limit and tokens[at].text != "{":
            if tokens[at].kind == "line" and tokens[at - 1].text in ("=>", "="):
                at += 1
                continue
            if tokens[at].text == ";":
                return None
            at += 1
        if at < len(tokens) and at in body.pairs:
            return Function(parameters, body, at + 1, body.pairs[at])
        return None

    def names(self, body: Body, start: int, end: int) -> list[str]:
        """Names of parameters between commas."""
        out: list[str] = []
        fresh = True
        features = self.language.features
        sigils = "sigils" in features and "ends" not in features
        for token in body.tokens[start:end]:
            if token.text == ",":
                fresh = True
            elif token.kind == "name" and fresh:
                out.append(token.text)
                # A type stands before a name that begins with a sign.
                fresh = sigils and token.text[0] not in "$@%"
                if fresh:
                    out.pop()
        return out

    def block_end(self, body: Body, at: int) -> int:
        """Where `end` closes the block that is open at `at`."""
        tokens = body.tokens
        depth = 1
        fresh = True
        looped = False
        index = at
        while index < len(tokens):
            token = tokens[index]
            if token.kind == "line" or token.text in (";", "="):
                fresh, looped = True, False
                index += 1
                continue
            if token.kind == "name" and not (index and tokens[index - 1].text in (".", ":")):
                if token.text == "end":
                    depth -= 1
                    if depth == 0:
                        self.host.effort.spend(1 + index - at, "a block")
                        return index
                elif token.text in _CONDITIONS and fresh:
                    depth += 1
                    looped = True
                elif token.text in _OPENS_BLOCK and not (token.text == "do" and looped):
                    depth += 1
            fresh = token.text in ("then", "do", "else")
            index += 1
        self.host.effort.spend(1 + index - at, "a block")
        return index

    def call_function(self, function: Value, call: Call) -> Value:
        node: Function = function.node
        if len(self.active) >= _CALLS or node in self.active:
            return unknown(function.name)
        self.called += 1
        if self.called > _CALLS_IN_ALL:
            raise LimitReached("guard.time-budget", f"calls of {self.language.name} functions")
        saved, self.scope = self.scope, Scope(function.scope or self.scope)
        for index, name in enumerate(node.parameters):
            given = call.arguments[index] if index < len(call.arguments) else None
            self.scope.own[name] = given if given is not None else unknown(name, "argument")
        self.scope.own["@_"] = listed(call.arguments)
        self.active.append(node)
        blocks, self.blocks = self.blocks, 0
        value = self.run(node.body, node.start, node.end)
        self.blocks = blocks
        self.active.pop()
        self.scope = saved
        return value

    # --- statements ------------------------------------------------------------------------------

    def statement(self) -> Value | None:
        self.host.effort.spend(2, f"{self.language.name} code")
        token = self.token()
        if token is None or token.kind == "line":
            self.at += 1
            return None
        if token.kind == "sign":
            if token.text in (";", ",", ")", "]"):
                self.at += 1
                return None
            if token.text in ("{", "}"):
                self.blocks += 1 if token.text == "{" else -1
                self.at += 1
                return None
        if token.kind == "name":
            handled = self.by_keyword(token)
            if handled:
                return None
        if "modifiers" in self.language.features:
            self.modified()
        value = self.assignment()
        if value is None:
            value = self.expression()
        self.last = value
        return value

    def by_keyword(self, token: Token) -> bool:
        name = token.text
        if name in self.language.functions and self.defined():
            return True
        if name in ("for", "foreach"):
            self.at += 1
            self.loop()
            return True
        if name in ("import", "use", "require_once", "include", "package", "from"):
            return self.imports()
        if name == "end" and "ends" in self.language.features:
            self.blocks -= 1
            self.at += 1
            return True
        if name in ("if", "while", "unless", "until", "switch", "class", "module", "elsif", "else"):
            self.blocks += 1 if "ends" in self.language.features and name[:2] != "el" else 0
            self.at += 1
            return True
        return False

    def defined(self) -> bool:
        """A function that `define` knows: its body is not run here."""
        following = self.token(1)
        if following is None or following.kind != "name":
            return False
        at = self.at + 2
        tokens = self.body.tokens
        while at + 1 < self.end and tokens[at].text == "." and tokens[at + 1].kind == "name":
            at += 2
        function = self.function_at(self.body, at)
        if function is None:
            return False
        self.at = min(function.end + 1, self.end)
        return True

    def loop(self) -> None:
        """`for (x of list)`, `for x in list`, `foreach (list as x)`, `for my $x (list)`."""
        tokens = self.body.tokens
        begin = self.at
        limit = min(self.end, begin + 256)
        if self.is_sign("("):
            limit = min(self.body.pairs.get(begin, limit), self.end)
        names: list[str] = []
        at = begin
        while at < limit and tokens[at].kind != "line" and tokens[at].text not in (";", "{"):
            token = tokens[at]
            if token.kind == "name" and token.text in ("of", "in", "as"):
                break
            if token.kind == "sign" and token.text == ":" and names:
                break
            if token.kind == "name" and token.text not in _DECLARING:
                names.append(token.text)
            if token.text == "(" and at > begin and "quoting" in self.language.features:
                break
            at += 1
        else:
            if "quoting" in self.language.features and begin in self.body.pairs:
                # `for (list) { … $_ … }`
                self.at = begin
                self.bind_loop(["$_"], self.expression())
                return
            self.at = begin
            return
        middle = tokens[at].text
        if middle == "as":
            self.at = begin + 1
            value = self.expression()
            self.at = max(self.at, at) + 1
            rest = self.names(self.body, self.at, limit)
            self.bind_loop(rest, value)
            self.at = limit + 1
            return
        self.at = at + (0 if middle == "(" else 1)
        self.skip_lines()
        self.bind_loop(names, self.expression())

    def bind_loop(self, names: list[str], value: Value) -> None:
        """The names stand for any of the items."""
        items = self.items(value)
        item = one_of(items) if items else unknown("item", "argument")
        for name in names:
            self.scope.own[name] = item
            if item.kind == "list" and len(names) > 1:
                for index, each in enumerate(names):
                    part = item.items[index] if index < len(item.items) else unknown(each)
                    self.scope.own[each] = part
                break

    def items(self, value: Value) -> list[Value]:
        if value.kind == "list":
            return value.items
        if value.kind == "either":
            return [item for each in value.items for item in self.items(each)]
        if value.kind == "map":
            return [text(name) for name in value.fields]
        if value.kind in ("text", "path", "number"):
            return [value]
        return [unknown(value.name, "argument")]

    def modified(self) -> None:
        """`… for LIST`: the list is known before the statement in front of it runs."""
        if self.plain_until[0] is self.body and self.at < self.plain_until[1]:
            return
        tokens = self.body.tokens
        at = self.at
        while at < self.end and at < self.at + 256:
            token = tokens[at]
            if token.kind == "line" and self.lines:
                return
            if token.kind == "sign":
                if token.text in _OPENING:
                    at = self.body.pairs.get(at, self.end)
                elif token.text in (";", "}"):
                    return
            elif token.kind == "name" and token.text in ("for", "foreach") and at > self.at:
                saved = self.at
                self.at = at + 1
                self.bind_loop(["$_"], self.expression())
                self.at = saved
                return
            at += 1
        self.plain_until = (self.body, at)

    def imports(self) -> bool:
        """JavaScript's `import`, Perl's `use`."""
        start = self.at
        tokens = self.body.tokens
        name = tokens[start].text
        if name != "import":
            if name in ("use", "package", "from"):
                while self.at < self.end and tokens[self.at].text != ";":
                    if tokens[self.at].kind == "line" and name == "from":
                        break
                    self.at += 1
                return True
            return False
        if self.is_sign("(", ".", offset=1):
            return False
        at = start + 1
        limit = min(self.end, start + 256)
        while at < limit and tokens[at].kind != "string" and tokens[at].text != ";":
            at += 1
        if at >= limit or tokens[at].kind != "string":
            self.at = at
            return True
        module = self.module("".join(p for p in tokens[at].parts if isinstance(p, str)))
        index = start + 1
        braces = False
        while index < at:
            token = tokens[index]
            if token.text in ("{", "}"):
                braces = token.text == "{"
            elif token.kind == "name" and token.text not in ("from", "as", "type"):
                alias = token.text
                if tokens[index + 1].text == "as" and index + 2 < at:
                    alias = tokens[index + 2].text
                    index += 2
                whole = not braces or token.text == "default"
                self.scope.own[alias] = ref(module if whole else f"{module}.{token.text}")
            elif token.text == "*" and tokens[index + 1].text == "as":
                self.scope.own[tokens[index + 2].text] = ref(module)
                index += 2
            index += 1
        self.at = at + 1
        return True

    @staticmethod
    def module(name: str) -> str:
        """A module by one spelling: `node:fs/promises` is `fs.promises`."""
        return name.removeprefix("node:").removeprefix("npm:").replace("/", ".")

    def assignment(self) -> Value | None:
        """`x = …`, `const {a, b: c} = …`, `my ($x, $y) = …`, `x += …`; None if it is none."""
        tokens = self.body.tokens
        start = self.at
        declared = False
        while (
            self.at < self.end
            and tokens[self.at].kind == "name"
            and (tokens[self.at].text in _DECLARING)
        ):
            declared = True
            self.at += 1
        token = self.token()
        if token is None:
            return None
        if token.kind == "sign" and token.text in _OPENING and self.at in self.body.pairs:
            close = self.body.pairs[self.at]
            after = tokens[close + 1] if close + 1 < self.end else None
            if after is not None and after.text in ("=", ":="):
                return self.destructured(self.at, close)
            self.at = start if not declared else self.at
            return None
        if token.kind != "name":
            self.at = start if not declared else self.at
            return None
        target = [token.text]
        at = self.at + 1
        # A type between the name and the sign (`const x: string = …`, `String x = …`).
        if declared or "typed" in self.language.features:
            limit = at + 8
            while at < self.end and at < limit and tokens[at].text not in ("=", ";", ":=", "("):
                if tokens[at].kind == "line" or tokens[at].kind == "string":
                    break
                if tokens[at].text == ",":
                    target.append("")
                elif (tokens[at].kind == "name" and tokens[at - 1].text in (",", "")) or (
                    tokens[at].kind == "name" and "typed" in self.language.features
                ):
                    target[-1] = tokens[at].text
                at += 1
        elif "lists" in self.language.features:
            while at + 1 < self.end and tokens[at].text == "," and tokens[at + 1].kind == "name":
                target.append(tokens[at + 1].text)
                at += 2
        sign = tokens[at].text if at < self.end and tokens[at].kind == "sign" else ""
        if sign not in ("=", ":=", "+=", ".=", "<-", "??") or (
            sign in ("<-", "??") and (sign == "??" or "arrows" not in self.language.features)
        ):
            self.at = start if not declared else self.at
            return None
        self.at = at + 1
        self.skip_lines()
        value = self.assignment() if self.is_assignment() else self.expression()
        value = value if value is not None else constant(NONE)
        if sign in ("+=", ".="):
            before = self.scope.look(target[0])
            value = added(before, value) if before is not None else value
        if len(target) > 1:
            items = self.items(value) if value.kind == "list" else [value]
            for index, name in enumerate(target):
                self.assign(name, items[index] if index < len(items) else unknown(name), declared)
        else:
            self.assign(target[0], value, declared=declared)
        return value

    def is_assignment(self) -> bool:
        return (
            self.token() is not None
            and self.token().kind == "name"  # type: ignore[union-attr]  # looked at before
            and self.is_sign("=", offset=1)
        )

    def assign(self, name: str, value: Value, declared: bool) -> None:
        before = self.scope.look(name)
        if before is not None and not declared and self.blocks > 0:
            value = one_of([before, value])
        self.scope.own[name] = value

    def destructured(self, start: int, close: int) -> Value:
        tokens = self.body.tokens
        braces = tokens[start].text == "{"
        self.at = close + 2
        value = self.expression()
        index = start + 1
        place = 0
        while index < close:
            token = tokens[index]
            if token.kind == "name":
                name = alias = token.text
                if braces and tokens[index + 1].text == ":" and index + 2 < close:
                    alias = tokens[index + 2].text
                    index += 2
                if braces:
                    self.scope.own[alias] = self.attribute(value, name)
                elif name[0] == "@" and value.kind == "list":
                    self.scope.own[name] = listed(value.items[place:])
                else:
                    items = value.items if value.kind == "list" else []
                    found = items[place] if place < len(items) else unknown(name, "argument")
                    self.scope.own[name] = found
                place += 1
            index += 1
        return value

    # --- expressions -----------------------------------------------------------------------------

    def expression(self) -> Value:
        """An expression with all its operators."""
        self.host.enter(f"{self.language.name} code")
        value = self.joined()
        while True:
            token = self.token()
            if token is None or token.kind == "line":
                if token is not None and self.continues():
                    self.skip_lines()
                    continue
                break
            if token.text in _EITHER or token.text in _BOTH:
                if token.kind == "name" and "bare" not in self.language.features:
                    break
                self.at += 1
                self.skip_lines()
                right = self.joined()
                value = one_of([value, right]) if token.text in _EITHER else right
            elif token.kind == "sign" and token.text == "?" and not self.is_sign(".", offset=1):
                self.at += 1
                self.skip_lines()
                first = self.expression()
                self.skip_lines()
                if self.is_sign(":"):
                    self.at += 1
                    self.skip_lines()
                    value = one_of([first, self.expression()])
                else:
                    value = first
            elif token.kind == "sign" and token.text == "|>":
                self.at += 1
                self.skip_lines()
                value = self.piped(value)
            elif token.text in _COMPARING and token.kind in ("sign", "name"):
                self.at += 1
                self.skip_lines()
                self.joined()
                value = unknown("compare")
            else:
                break
        self.host.leave()
        return value

    def continues(self) -> bool:
        """The next line goes on with this expression (`.then(…)`, `+ …`, `|> …`)."""
        at = self.at
        while at < self.end and self.body.tokens[at].kind == "line":
            at += 1
        if at >= self.end:
            return False
        token = self.body.tokens[at]
        if token.kind != "sign":
            return False
        if token.text in ("|>", "&&", "||", "?", "?."):
            return True
        return not self.lines and (token.text in self.language.joins or token.text == ".")

    def joined(self) -> Value:
        """Texts after one another."""
        value = self.unary()
        joins = self.language.joins
        while True:
            token = self.token()
            if token is not None and token.kind == "line" and self.continues():
                following = self.at
                while self.body.tokens[following].kind == "line":
                    following += 1
                if self.body.tokens[following].text in joins:
                    self.at = following
                    token = self.token()
            if token is None or token.kind != "sign" or token.text not in joins:
                if (
                    token is not None
                    and token.kind == "string"
                    and "adjacent" in self.language.features
                    and value.kind == "text"
                ):
                    value = added(value, self.unary())
                    continue
                return value
            self.at += 1
            self.skip_lines()
            right = self.unary()
            if value.kind == "list" and right.kind == "list":
                value = listed([*value.items, *right.items])
            elif value.kind == "number" and right.kind == "number":
                value = number(value.number + right.number)
            else:
                value = added(value, right)

    def piped(self, value: Value) -> Value:
        """`value |> f(x)`: the value is the first argument."""
        saved, self.scope = self.scope, Scope(self.scope)
        self.scope.own["|>"] = value
        found = self.unary()
        self.scope = saved
        return found

    def unary(self) -> Value:
        token = self.token()
        if token is None:
            return constant(NONE)
        if token.kind == "sign" and token.text in _PREFIXES:
            return self.prefixed()
        if token.kind == "name" and token.text in _SKIPPED and self.scope.look(token.text) is None:
            return self.behind_word(token)
        if token.kind == "name" and token.text in _DECLARING:
            following = self.token(1)
            if following is not None and following.kind == "name":
                self.at += 1
        return self.implied(self.postfix(self.primary()))

    def prefixed(self) -> Value:
        """`!x`, `-x`, `*list`, `&block`, `...rest`."""
        first = self.body.tokens[self.at].text
        while self.is_sign(*_PREFIXES):
            self.at += 1
        value = self.unary()
        if first == "-" and value.kind == "number":
            return number(-value.number)
        return unknown("not") if first == "!" else value

    def behind_word(self, token: Token) -> Value:
        following = self.token(1)
        self.at += 1
        if following is None or following.kind == "line" or following.text in (";", ")", "}"):
            return constant(NONE)
        if token.text in _PRINTING and following.text != "=":
            value = self.expression()
            self.reveal(value)
            while self.is_sign(","):
                self.at += 1
                self.reveal(self.expression())
            return constant(NONE)
        if following.text in ("=", ".") and token.text not in ("return", "new"):
            return constant(NONE)
        return self.unary()

    def primary(self) -> Value:
        self.host.effort.spend(1, f"{self.language.name} code")
        token = self.token()
        if token is None:
            return constant(NONE)
        kind = token.kind
        if kind == "string":
            self.at += 1
            return texts(self.content(token))
        if kind == "shell":
            self.at += 1
            return self.command(token)
        if kind == "glob":
            self.at += 1
            return matching(texts(self.content(token)))
        if kind == "words":
            self.at += 1
            return listed([texts(self.host.pieces(each)) for each in token.text.split()])
        if kind == "number":
            self.at += 1
            return _number(token.text)
        if kind == "regex":
            self.at += 1
            return unknown("regex")
        if kind == "name":
            return self.named(token)
        if token.text in _OPENING:
            return self.bracketed(token.text)
        if token.text in {"->", "=>"}:
            return self.arrow()
        if token.text == "::":
            self.at += 1
            return self.primary()
        if token.text in (")", "]", "}", ";", ","):
            return constant(NONE)
        self.at += 1
        return unknown("sign")

    def command(self, token: Token) -> Value:
        """A command between backticks."""
        content = self.content(token)
        call = Call(self.language.names.get("`", "`"), [texts(content)])
        return perform(self.host, ("shell", 0), call) or unknown("`")

    def content(self, token: Token) -> Choices:
        """The text of a string, with what its interpolations are."""
        whole: Choices = ((),)
        for part in token.parts:
            if isinstance(part, str):
                whole = concat(whole, self.host.pieces(part))
            else:
                whole = concat(whole, choices_of(self.interpolated(part[0])))
        return whole

    def interpolated(self, code: str) -> Value:
        self.host.enter(f"{self.language.name} code")
        try:
            body = Body(tokenise(code, self.language, self.host.effort))
        except Unterminated:
            value = unknown("interpolation")
        else:
            value = self.run(body, 0, len(body.tokens))
            if value.kind == "constant":
                value = unknown("interpolation")
            if value.kind == "list":
                value = self.spread(value)
        self.host.leave()
        return value

    @staticmethod
    def spread(value: Value) -> Value:
        """A list in a text: its items with blanks between."""
        whole: Choices = ((),)
        for index, item in enumerate(value.items[:64]):
            whole = concat(whole, ((" ",),) if index else ((),))
            whole = concat(whole, choices_of(item))
        return texts(whole)

    def bracketed(self, opening: str) -> Value:
        start = self.at
        close = self.body.pairs.get(start, self.end)
        after = self.body.tokens[close + 1] if close + 1 < self.end else None
        if opening == "(" and after is not None and after.text == "=>":
            return self.arrow_function(self.names(self.body, start + 1, close), close + 2)
        if opening == "{":
            if self.is_map(start, close):
                return self.mapping(start, close)
            self.blocks += 1
            value = self.run(self.body, start + 1, min(close, self.end))
            self.blocks -= 1
            self.at = close + 1
            return value
        self.at = start + 1
        items = self.arguments(close)
        self.at = close + 1
        if opening == "(" and len(items.arguments) == 1 and not items.named:
            return items.arguments[0]
        found = listed(items.arguments)
        if items.named:
            if not items.arguments:
                return Value("map", fields=items.named)
            found.fields.update(items.named)
        return found

    def is_map(self, start: int, close: int) -> bool:
        """`{a: 1}`, `{a}`, `{"a" => 1}`, `{...x}`; a block is none."""
        tokens = self.body.tokens
        at = start + 1
        while at < close and tokens[at].kind == "line":
            at += 1
        if at >= close:
            return True
        if tokens[at].text == "...":
            return True
        second = tokens[at + 1] if at + 1 <= close else None
        if tokens[at].kind in ("name", "string", "number") and second is not None:
            return second.text in (":", "=>") or (
                second.text in (",", "}")
                and tokens[at].kind == "name"
                and at > 0
                and self.before_is_operand(start)
            )
        return False

    def before_is_operand(self, start: int) -> bool:
        before = self.body.tokens[start - 1] if start else None
        return before is not None and before.text in ("(", ",", "=", ":", "=>", "return", "[")

    def mapping(self, start: int, close: int) -> Value:
        self.at = start + 1
        call = self.arguments(close)
        self.at = close + 1
        found = Value("map", fields=call.named)
        for each in call.arguments:
            if each.kind == "map":
                found.fields.update(each.fields)
        return found

    def arguments(self, close: int) -> Call:
        """Expressions up to `close`, with names before some of them."""
        saved, self.end = self.end, min(close, self.end)
        call = Call("", [])
        while self.at < self.end:
            before = self.at
            self.skip_lines()
            key = self.key()
            if self.at >= self.end:
                break
            if key:
                self.skip_lines()
                call.named[key] = self.expression()
            else:
                value = self.assignment() if self.is_assignment() else self.expression()
                value = value if value is not None else constant(NONE)
                if self.is_sign("=>"):
                    # The key was an expression.
                    self.at += 1
                    self.skip_lines()
                    call.named[value.text or "?"] = self.expression()
                else:
                    call.arguments.append(value)
            while self.is_sign(",", ";") or (
                self.token() is not None and self.token().kind == "line"  # type: ignore[union-attr]
            ):
                self.at += 1
            if self.at <= before:
                self.at = before + 1
        self.end = saved
        return call

    def key(self) -> str:
        """`name:`, `name =>`, `'name' =>`, `name =` (R, Julia) in front of a value, or ""."""
        token, sign = self.token(), self.token(1)
        if token is None or sign is None or token.kind not in ("name", "string"):
            return ""
        if sign.kind != "sign":
            return ""
        named = sign.text == "=" and "named" in self.language.features and token.kind == "name"
        if not named and sign.text not in (":", "=>"):
            return ""
        if sign.text == "=>" and token.kind == "name" and "arrow" in self.language.features:
            return ""
        if sign.text == ":" and "ternary" in self.language.features and token.kind == "string":
            return ""
        self.at += 2
        if token.kind == "string":
            return "".join(part for part in token.parts if isinstance(part, str))
        return token.text.lstrip(":")

    # --- functions as values ---------------------------------------------------------------------

    def arrow(self) -> Value:
        """Ruby's and Elixir's `->(x) { … }`."""
        self.at += 1
        names: list[str] = []
        if self.is_sign("(") and self.at in self.body.pairs:
            close = self.body.pairs[self.at]
            names = self.names(self.body, self.at + 1, close)
            self.at = close + 1
        return self.block(names) or unknown("lambda")

    def arrow_function(self, names: list[str], at: int) -> Value:
        """`(a, b) => body`: a block or one expression."""
        self.at = at
        self.skip_lines()
        start = self.at
        if self.is_sign("{") and start in self.body.pairs:
            close = self.body.pairs[start]
            self.at = close + 1
            return self.made(names, start + 1, close)
        # The expression ends at a comma, or at a bracket that was opened before.
        depth_end = start
        tokens = self.body.tokens
        while depth_end < self.end:
            token = tokens[depth_end]
            if token.kind == "sign":
                if token.text in _OPENING:
                    depth_end = self.body.pairs.get(depth_end, self.end)
                elif token.text in (",", ";", ")", "]", "}"):
                    break
            elif token.kind == "line" and not self.line_goes_on(depth_end):
                break
            depth_end += 1
        self.at = min(depth_end, self.end)
        return self.made(names, start, min(depth_end, self.end))

    def line_goes_on(self, at: int) -> bool:
        following = at + 1
        tokens = self.body.tokens
        return following < self.end and tokens[following].text in (".", "?.", "+", "||", "&&")

    def made(self, names: list[str], start: int, end: int) -> Value:
        function = Function(names, self.body, start, end)
        return Value("function", node=function, scope=self.scope)

    def block(self, names: list[str]) -> Value | None:
        """`{ |x| … }` and `do |x| … end` behind a call."""
        features = self.language.features
        if self.is_sign("{") and self.at in self.body.pairs:
            start, close = self.at + 1, self.body.pairs[self.at]
            names, start = self.block_parameters(names, start, close)
            self.at = close + 1
            return self.made(names, start, close)
        if self.is_name("do") and "ends" in features:
            close = min(self.block_end(self.body, self.at + 1), self.end)
            names, start = self.block_parameters(names, self.at + 1, close)
            self.at = min(close + 1, self.end)
            return self.made(names, start, close)
        return None

    def block_parameters(self, names: list[str], start: int, close: int) -> tuple[list[str], int]:
        tokens = self.body.tokens
        if start < close and tokens[start].text == "|":
            end = start + 1
            while end < close and tokens[end].text != "|":
                end += 1
            return self.names(self.body, start + 1, end), end + 1
        if start < close and tokens[start].text == "||":
            return names, start + 1
        # Groovy's `{ x -> … }`.
        for at in range(start, min(start + 8, close)):
            if tokens[at].text == "->" and "closures" in self.language.features:
                return self.names(self.body, start, at), at + 1
        return names or ["it"], start

    # --- names -----------------------------------------------------------------------------------

    def named(self, token: Token) -> Value:
        name = token.text
        if self.is_sign("=>", offset=1) and "arrow" in self.language.features:
            return self.arrow_function([name], self.at + 2)
        if name in self.language.functions or name in ("function", "sub", "proc", "lambda"):
            return self.anonymous(token)
        self.at += 1
        if MARK in name:
            return texts(self.host.pieces(name))
        found = self.scope.look(name)
        if found is None and name[0] == "$" and name[1:2].isalpha():
            found = self.element(name)
        if found is not None:
            return found
        name = self.language.names.get(name, name)
        if name in ("true", "True", "TRUE"):
            return constant("True")
        if name in ("false", "False", "FALSE"):
            return constant("False")
        if name in ("nil", "null", "undefined", "None", "NULL", "nothing", "undef"):
            return constant(NONE)
        if self.language.compute is not None:
            value = self.language.compute("=" + name, Call(name, []), self)
            if isinstance(value, Value):
                return value
        return ref(name)

    def element(self, name: str) -> Value | None:
        """Perl's `$list[0]` and `$map{key}`: elements of `@list` and `%map`."""
        if self.is_sign("[") and "quoting" in self.language.features:
            return self.scope.look("@" + name[1:])
        if self.is_sign("{") and "quoting" in self.language.features:
            return self.scope.look("%" + name[1:]) or ref("%" + name[1:])
        return None

    def anonymous(self, token: Token) -> Value:
        """`function (x) { … }`, `sub { … }`, `lambda { |x| … }`."""
        self.at += 1
        names: list[str] = []
        tokens = self.body.tokens
        if self.token() is not None and self.token().kind == "name":  # type: ignore[union-attr]
            self.at += 1
        if self.is_sign("*"):
            self.at += 1
        if self.is_sign("(") and self.at in self.body.pairs:
            close = self.body.pairs[self.at]
            names = self.names(self.body, self.at + 1, close)
            self.at = close + 1
        if token.text == "fn" and self.is_sign("=>"):
            return self.arrow_function(names, self.at + 1)
        if self.is_name("use") and self.is_sign("(", offset=1):
            self.at = self.body.pairs.get(self.at + 1, self.at) + 1
        if "ends" in self.language.features and not self.is_sign("{"):
            if token.text in ("lambda", "proc"):
                return self.block(names) or ref(token.text)
            close = min(self.block_end(self.body, self.at), self.end)
            start = self.at
            self.at = min(close + 1, self.end)
            return self.made(names, start, close)
        limit = self.at + 8
        while self.at < min(limit, self.end) and tokens[self.at].text != "{":
            self.at += 1
        return self.block(names) or ref(token.text)

    def postfix(self, value: Value) -> Value:
        """Attributes, elements and calls behind a value."""
        while True:
            token = self.token()
            if token is None:
                return value
            if token.kind == "line":
                if not self.continues() or not self.dot_follows():
                    return value
                self.skip_lines()
                continue
            following = self.token(1)
            if token.kind == "sign":
                if self.is_accessor(token, following):
                    value = self.member(value, token, following)
                    continue
                if token.text == "(" and not (token.spaced and self.bare and value.kind != "ref"):
                    value = self.called_by(value, self.at)
                    continue
                if token.text == "[" and not (token.spaced and self.bare and value.kind == "ref"):
                    value = self.subscripted(value)
                    continue
                if token.text == "{" and self.is_element(value):
                    value = self.subscripted(value)
                    continue
                if token.text in ("++", "--", "!") and not token.spaced:
                    self.at += 1
                    continue
            if token.kind in ("string", "shell") and self.is_tagged(value):
                self.at += 1
                value = self.apply(value, Call("", [texts(self.content(token))]))
                continue
            if self.takes_bare(value, token):
                value = self.bare_call(value)
                continue
            block = self.trailing_block(value)
            if block is not None:
                call = Call("", [block])
                if self.follows_block():
                    # Perl's `map { … } list`.
                    call.arguments.extend(self.bare_arguments().arguments)
                value = self.apply(value, call)
                continue
            return value

    def implied(self, value: Value) -> Value:
        """A name alone is a call in some languages."""
        features = self.language.features
        if "implicit" not in features:
            return value
        if value.kind == "method":
            return self.apply(value, Call("", []))
        if value.kind == "function" and value.name:
            return self.call_function(value, Call(value.name, []))
        if value.kind == "ref" and value.name in _ALONE and "quoting" in features:
            given = self.scope.look("$_") if value.name in ("unlink", "rmdir") else None
            return self.apply(value, Call("", [given] if given is not None else []))
        return value

    def dot_follows(self) -> bool:
        at = self.at
        while at < self.end and self.body.tokens[at].kind == "line":
            at += 1
        return at < self.end and self.body.tokens[at].text in (".", "?.", "->")

    def is_accessor(self, token: Token, following: Token | None) -> bool:
        if token.text not in (".", "?.", "::", "->", ":") or following is None:
            return False
        if token.text == "." and "." in self.language.joins:
            return False
        if token.text == ":" and "colons" not in self.language.features:
            return False
        if token.text == "->" and following.text in ("[", "{", "("):
            return True
        if token.text == "." and following.text == "(":
            return True
        return following.kind == "name" or following.text in ("(", "[")

    def member(self, value: Value, token: Token, following: Token | None) -> Value:
        self.at += 1
        if following is None or following.kind != "name":
            return value
        self.at += 1
        if token.text == "->" and following.text[0] == "$":
            return unknown(following.text)
        return self.attribute(value, following.text)

    def attribute(self, value: Value, name: str) -> Value:
        if value.kind == "ref":
            if len(value.name) > _NAME:
                return unknown(name)
            full = f"{value.name}.{name}"
            full = self.language.names.get(full, full)
            if self.language.compute is not None:
                found = self.language.compute("=" + full, Call(full, []), self)
                if isinstance(found, Value):
                    return found
            return ref(full)
        if value.kind == "map" and name in value.fields:
            return value.fields[name]
        return Value("method", name=name, node=value)

    def is_element(self, value: Value) -> bool:
        """Perl's `$map{key}`."""
        if "quoting" not in self.language.features:
            return False
        before = self.body.tokens[self.at - 1]
        if before.text == "->" or before.text in ("}", "]"):
            return True
        return (
            before.kind == "name"
            and before.text[0] == "$"
            and (value.kind in ("ref", "map", "unknown"))
        )

    def subscripted(self, value: Value) -> Value:
        close = self.body.pairs.get(self.at, self.end)
        single = self.body.tokens[self.at + 1] if close == self.at + 2 else None
        brace = self.is_sign("{")
        if single is not None and brace and single.kind == "name" and single.text[0] not in "$@":
            keys = [text(single.text)]
        else:
            self.at += 1
            keys = self.arguments(close).arguments
        self.at = close + 1
        return self.item(value, keys)

    def item(self, value: Value, keys: list[Value]) -> Value:
        key = keys[0] if keys else constant(NONE)
        if value.kind == "ref" and self.language.compute is not None:
            found = self.language.compute(value.name + "[]", Call(value.name, keys), self)
            if isinstance(found, Value):
                return found
            if key.text is not None:
                return self.attribute(value, key.text)
        if value.kind == "map":
            return value.fields.get(key.text or "", unknown(key.text or "item"))
        if value.kind == "list":
            if key.kind == "number" and -len(value.items) <= key.number < len(value.items):
                return value.items[int(key.number)]
            return one_of(value.items) if value.items else unknown("item", "argument")
        if key.text is not None and key.kind == "text" and value.kind == "method":
            return Value("method", name=key.text, node=value)
        return unknown(value.name or "item", "argument")

    # --- calls -----------------------------------------------------------------------------------

    def is_tagged(self, value: Value) -> bool:
        token = self.token()
        if token is None:
            return False
        if "tags" in self.language.features:
            return (
                not token.spaced
                and token.kind == "string"
                and self.body.tokens[self.at - 1].kind == "name"
            )
        return "long" in self.language.features and value.kind in ("ref", "method")

    def called_by(self, value: Value, opening: int) -> Value:
        close = self.body.pairs.get(opening, self.end)
        self.at = opening + 1
        call = self.arguments(close)
        self.at = close + 1
        block = self.trailing_block(value)
        if block is not None:
            call.arguments.append(block)
        return self.apply(value, call)

    def trailing_block(self, value: Value) -> Value | None:
        if "blocks" not in self.language.features:
            return None
        if value.kind not in ("ref", "method"):
            return None
        if self.is_sign("{") or (self.is_name("do") and "ends" in self.language.features):
            return self.block([])
        return None

    def takes_bare(self, value: Value, token: Token) -> bool:
        """`system "rm", "-rf"`: arguments without brackets."""
        if not self.bare or value.kind not in ("ref", "method", "function"):
            return False
        if value.kind == "function" and not value.name:
            return False
        if token.text == "x" and "quoting" in self.language.features:
            return False
        before = self.body.tokens[self.at - 1]
        if before.kind != "name" or before.text[0] in "$@%" or before.text in _ENDING_WORDS:
            return False
        if token.kind in ("string", "shell", "words", "number", "glob"):
            return token.spaced or token.kind in {"string", "glob"}
        if token.kind == "name":
            return (
                token.spaced
                and token.text not in _ENDING_WORDS
                and (
                    token.text not in _EITHER
                    and token.text not in _BOTH
                    and token.text not in _COMPARING
                )
            )
        if token.kind == "sign":
            following = self.token(1)
            tight = following is not None and not following.spaced
            if token.text in ("[", "(", "->") and token.spaced:
                return True
            return token.spaced and token.text in ("*", "&", "-", "\\", ":") and tight
        return False

    def bare_call(self, value: Value) -> Value:
        call = self.bare_arguments()
        block = self.trailing_block(value)
        if block is not None:
            call.arguments.append(block)
        return self.apply(value, call)

    def bare_arguments(self) -> Call:
        call = Call("", [])
        before = self.at
        while True:
            self.skip_comma_lines()
            key = self.key()
            if key:
                call.named[key] = self.expression_without_or()
            else:
                argument = self.expression_without_or()
                if self.is_sign("=>"):
                    self.at += 1
                    call.named[argument.text or "?"] = self.expression_without_or()
                else:
                    call.arguments.append(argument)
            if not self.is_sign(","):
                # Perl's `print {$fh} …`, `map { … } list`: a block before the list.
                if self.at > before and self.follows_block():
                    before = self.at
                    continue
                break
            self.at += 1
        return call

    def skip_comma_lines(self) -> None:
        if self.at and self.body.tokens[self.at - 1].text == ",":
            self.skip_lines()

    def follows_block(self) -> bool:
        token = self.token()
        return (
            "quoting" in self.language.features
            and self.body.tokens[self.at - 1].text == "}"
            and token is not None
            and token.kind in ("name", "string", "words", "glob")
            and token.text not in _ENDING_WORDS
            and token.text not in _EITHER
        )

    def expression_without_or(self) -> Value:
        """An argument: `or` and `and` bind less than the call."""
        value = self.joined()
        while True:
            token = self.token()
            if token is None or token.kind != "sign":
                return value
            if token.text in ("||", "??", "&&"):
                self.at += 1
                right = self.joined()
                value = one_of([value, right])
            elif token.text == "?":
                self.at += 1
                first = self.expression_without_or()
                if self.is_sign(":"):
                    self.at += 1
                    first = one_of([first, self.expression_without_or()])
                value = first
            elif token.text in _COMPARING and token.text not in ("-", "*", "%", "&"):
                self.at += 1
                self.joined()
                value = unknown("compare")
            else:
                return value

    def apply(self, function: Value, call: Call) -> Value:
        """Call a value."""
        self.host.effort.spend(4, f"{self.language.name} code")
        piped = self.scope.own.pop("|>", None)
        if piped is not None:
            call.arguments.insert(0, piped)
        if function.kind == "ref":
            return self.call_reference(function.name, call)
        if function.kind == "method":
            owners = alternatives(function.node)
            return one_of([self.call_method(owner, function.name, call) for owner in owners])
        if function.kind == "function":
            return self.call_function(function, call)
        if function.kind == "either":
            return one_of([self.apply(each, call) for each in function.items])
        self.hand_on(call)
        return unknown(function.name)

    def call_reference(self, name: str, call: Call) -> Value:
        language = self.language
        name = language.names.get(name, name)
        call.name = name
        action = language.effects.get(name)
        if action is not None:
            found = perform(self.host, action, call)
            self.hand_on(call)
            return found or unknown(name)
        if language.compute is not None:
            value = language.compute(name, call, self)
            if isinstance(value, Value):
                return value
        head, dot, last = name.rpartition(".")
        if dot:
            return self.call_method(ref(head), last, call)
        self.hand_on(call)
        return unknown(name)

    def call_method(self, receiver: Value, name: str, call: Call) -> Value:
        language = self.language
        call.receiver = receiver
        call.name = name
        if receiver.kind == "map" and name in receiver.fields:
            return self.apply(receiver.fields[name], call)
        if language.compute is not None:
            value = language.compute("." + name, call, self)
            if isinstance(value, Value):
                return value
        action = language.methods.get(name)
        if action is not None and (receiver.kind != "ref" or action[0] != "delete"):
            found = perform(self.host, action, call)
            if found is not None:
                return found
        items = self.items(receiver) if receiver.kind in ("list", "either", "map") else []
        item = one_of(items) if items else unknown(name, "argument")
        for argument in call.arguments:
            if argument.kind == "function":
                found = self.call_function(argument, Call(name, [item, unknown(name, "argument")]))
                if name in ("map", "collect", "flat_map", "flatMap"):
                    return listed([found])
            elif argument.kind == "ref" and argument.name in language.effects:
                self.apply(argument, Call(argument.name, [item]))
        self.hand_on(call, functions=False)
        return receiver if receiver.kind == "list" else unknown(name)

    def hand_on(self, call: Call, *, functions: bool = True) -> None:
        """Functions that are given to a call are called by it."""
        for argument in (*call.arguments, *call.named.values()):
            if argument.kind == "function" and functions:
                self.call_function(argument, Call("", []))
            elif argument.kind == "map":
                for each in argument.fields.values():
                    if each.kind == "function":
                        self.call_function(each, Call("", []))

    def reveal(self, value: Value) -> None:
        """What is printed may be, or hold, the environment."""
        if value.kind == "ref" and value.name in ("ENV", "%ENV", "process.env"):
            self.host.print_environment("print", ())
            return
        if value.kind not in ("text", "unknown", "either", "list"):
            return
        for each in value.items if value.kind == "list" else (value,):
            for choice in choices_of(each):
                for piece in choice:
                    if getattr(piece, "why", "") == "environment" and getattr(piece, "name", ""):
                        self.host.print_environment("print", (piece.name,))  # type: ignore[union-attr]  # an Unknown

    def variable(self, name: Value | None, default: Value | None = None) -> Value:
        """A variable of the environment."""
        known = name.text if name is not None else None
        if known is None:
            return unknown("", "environment")
        found = self.host.variable(known)
        if found is not None:
            return texts(found.choices)
        if default is not None and default.kind in ("text", "number"):
            return one_of([unknown(known, "environment"), default])
        return unknown(known, "environment")

    def code(self, value: Value, label: str) -> Value:
        """`eval` of a text."""
        if value.kind in ("text", "unknown", "either"):
            self.host.code(word(value), label)
        return unknown(label)


def _number(written: str) -> Value:
    plain = written.replace("_", "")
    try:
        if plain[:2].lower() == "0x":
            return number(int(plain, 16))
        return number(int(plain)) if plain.isdigit() and len(plain) < 19 else number(float(plain))
    except ValueError:
        return unknown("number")
