"""Literals, names, brackets and functions as values."""

from __future__ import annotations

from cc_safety_net.guard.interpret.codes import MARK
from cc_safety_net.guard.interpret.inline.applying import Applying
from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.cursor import Body, Function
from cc_safety_net.guard.interpret.inline.lexer import Token, Unterminated, tokenise
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Value,
    choices_of,
    constant,
    listed,
    matching,
    number,
    ref,
    texts,
    unknown,
)
from cc_safety_net.guard.interpret.values import concat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.values import Choices

_OPENING = {"(": ")", "[": "]", "{": "}"}


class Primaries(Applying):
    """The parts that expressions are made of."""

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
            found = self.arrow_function(self.names(self.body, start + 1, close), close + 2)
            found.node.fields = self.body.tokens[start + 1].text == "{"
            return found
        if opening == "{":
            if self.is_map(start, close):
                return self.mapping(start, close)
            self.blocks += 1
            value = self.run(self.body, start + 1, min(close, self.end))
            self.blocks -= 1
            self.at = close + 1
            return value
        if opening == "[" and "composites" in self.language.features:
            # `[]string{"a", "b"}`: the type is passed over.
            while close + 1 < self.end and self.body.tokens[close + 1].kind == "name":
                close += 1
            if close + 1 < self.end and self.body.tokens[close + 1].text == "{":
                start = close + 1
                close = self.body.pairs.get(start, self.end)
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
        second = tokens[at + 1] if at + 1 <= close and at + 1 < len(tokens) else None
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
                elif self.is_sign("...") and value.kind == "list":
                    # Go's `args...`.
                    self.at += 1
                    call.arguments.extend(value.items)
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

    def made(
        self, names: list[str], start: int, end: int, header: tuple[int, int] = (0, 0)
    ) -> Value:
        function = Function(names, self.body, start, end, header)
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

    def named(self, token: Token) -> Value:
        name = token.text
        if self.is_sign("=>", offset=1) and "arrow" in self.language.features:
            return self.arrow_function([name], self.at + 2)
        if name in self.language.functions or name in ("function", "sub", "proc", "lambda"):
            return self.anonymous(token)
        self.at += 1
        if MARK in name:
            return texts(self.host.pieces(name))
        if name in self.language.takes_in and (not self.bare or name == "do"):
            # PHP's `require 'file'`, Perl's `do 'file'`.
            following = self.token()
            if following is not None and following.kind in ("string", "name"):
                return self.apply(ref(name), Call(name, [self.expression()]))
        found = self.scope.look(name)
        if name[0] == "$" and (name == "$_" or (found is None and name[1:2].isalpha())):
            found = self.element(name) or found
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
            found = self.scope.look("@" + name[1:])
            if found is None and name == "$ARGV" and self.language.compute is not None:
                found = self.language.compute("=@ARGV", Call("@ARGV", []), self)
            return found
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


def _number(written: str) -> Value:
    plain = written.replace("_", "")
    try:
        if plain[:2].lower() == "0x":
            return number(int(plain, 16))
        return number(int(plain)) if plain.isdigit() and len(plain) < 19 else number(float(plain))
    except ValueError:
        return unknown("number")
