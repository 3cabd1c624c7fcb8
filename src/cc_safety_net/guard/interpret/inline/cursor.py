"""A place in the tokens of a language, and where functions and blocks end."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.values import NONE, Scope, Value, constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Call
    from cc_safety_net.guard.interpret.inline.language import Language
    from cc_safety_net.guard.interpret.inline.lexer import Token

_OPENING = {"(": ")", "[": "]", "{": "}"}
_OPENS_BLOCK = frozenset(("def", "class", "module", "begin", "case", "do", "function", "fn", "let"))
_CONDITIONS = frozenset(("if", "unless", "while", "until", "for"))


class Function:
    """A function of the code: its parameters, where they stand, and the tokens of its body."""

    __slots__ = ("body", "end", "fields", "header", "parameters", "start")

    def __init__(
        self,
        parameters: list[str],
        body: Body,
        start: int,
        end: int,
        header: tuple[int, int] = (0, 0),
    ) -> None:
        self.parameters = parameters
        #: The parameters are fields of the one argument.
        self.fields = False
        self.header = header
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


class Cursor:
    """What a run over the code of one call knows, and where it is."""

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
        #: Tasks of a Rakefile: their blocks, and what they need; the namespace that is open.
        self.tasks: dict[str, tuple[list[Value], list[str]]] = {}
        self.namespace = ""
        self.last: Value = constant(NONE)
        #: Files of the program that were taken in, and what the one that is read hands out.
        self.taken: dict[str, Value] = {}
        self.exports: Value = Value("map")
        #: Up to which token no statement is followed by a modifier.
        self.plain_until: tuple[Body, int] = (self.body, 0)
        features = language.features
        self.bare = "bare" in features
        self.lines = "lines" in features

    # What the classes that build on this know.

    def run(self, body: Body, start: int, end: int) -> Value:
        raise NotImplementedError

    def define(self, body: Body) -> None:
        raise NotImplementedError

    def expression(self) -> Value:
        raise NotImplementedError

    def joined(self) -> Value:
        raise NotImplementedError

    def assignment(self) -> Value | None:
        raise NotImplementedError

    def is_assignment(self) -> bool:
        raise NotImplementedError

    def call_function(self, function: Value, call: Call) -> Value:
        raise NotImplementedError

    def attribute(self, value: Value, name: str) -> Value:
        raise NotImplementedError

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

    def function_at(self, body: Body, at: int) -> Function | None:
        """The function whose parameters or body begin at `at`."""
        tokens = body.tokens
        parameters: list[str] = []
        header = (0, 0)
        if at < len(tokens) and tokens[at].text == "(" and at in body.pairs:
            close = body.pairs[at]
            parameters = self.names(body, at + 1, close)
            header = (at + 1, close)
            at = close + 1
        elif self.bare and at < len(tokens) and tokens[at].kind == "name":
            # Ruby's `def name a, b`.
            begin = at
            while at < len(tokens) and tokens[at].kind != "line" and tokens[at].text != ";":
                at += 1
            parameters = self.names(body, begin, at)
            header = (begin, at)
        if "ends" in self.language.features:
            end = self.block_end(body, at)
            return Function(parameters, body, at, end, header)
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
            return Function(parameters, body, at + 1, body.pairs[at], header)
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
