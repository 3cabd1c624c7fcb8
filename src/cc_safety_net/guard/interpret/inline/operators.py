"""Operators of expressions, and what stands behind a value: attributes, elements, calls."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.calls import Call, feed
from cc_safety_net.guard.interpret.inline.primaries import Primaries
from cc_safety_net.guard.interpret.inline.python_methods import percent
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Scope,
    Value,
    added,
    constant,
    listed,
    number,
    one_of,
    ref,
    text,
    texts,
    unknown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.inline.lexer import Token

#: Longer dotted names stand for nothing that is known.
_NAME = 128
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
_PRINTING = frozenset(("puts", "print", "p", "pp", "echo", "say", "printf"))
#: Perl's functions that are called by their name alone.
_ALONE = frozenset(("shift", "pop", "unlink", "rmdir", "cwd", "getcwd", "glob", "system", "exec"))
#: Those of them that take `$_`.
_OF_TOPIC = frozenset(("unlink", "rmdir", "system", "exec"))
_PREFIXES = ("!", "-", "&", "*", "...", "+", "\\", "**", "@")
_EITHER = frozenset(("||", "??", "or", "?:"))
_BOTH = frozenset(("&&", "and"))
_COMPARING = frozenset(
    ("==", "!=", "===", "!==", "<", ">", "<=", ">=", "<=>", "=~", "-", "*", "%", "//", "<<", ">>",
     "&", "|", "^", "**", "instanceof", "eq", "ne", "lt", "gt", "cmp", "~", "+", ".", "<>",
     "is", "..", "...")
)  # fmt: skip


class Operators(Primaries):
    """Expressions of any kind."""

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
            elif token.text == "..." and "composites" in self.language.features:
                break
            elif token.text in _COMPARING and token.kind in ("sign", "name"):
                self.at += 1
                self.skip_lines()
                value = self.compared(value, token.text, self.joined())
            else:
                break
        self.host.leave()
        return value

    def compared(self, left: Value, sign: str, right: Value) -> Value:
        """Of operators that are not followed only Ruby's `format % value` yields a text."""
        if sign == "%" and left.kind == "text" and "percent" in self.language.features:
            return percent(left, right)
        return unknown("compare")

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
                self.host.effort.spend(len(value.items) // 16, f"{self.language.name} code")
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
            # `await await …`: a word behind a word.
            self.host.enter(f"{self.language.name} code")
            value = self.behind_word(token)
            self.host.leave()
            return value
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
        named = following is not None and following.kind == "string"
        if named and token.text == "do" and "do" in self.language.takes_in:
            return self.named(token)
        self.at += 1
        if token.text in _PRINTING and self.prints_to():
            return constant(NONE)
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
        if token.text == "new":
            value = self.unary()
            for name in ("__construct", "__destruct"):
                own = self.scope.look(name)
                if own is not None and own.kind == "function":
                    self.call_function(own, Call(name, []))
            return value
        return self.unary()

    def prints_to(self) -> bool:
        """Perl's `print HANDLE "text"`: what is written to a program is its input."""
        handle, value = self.token(), self.token(1)
        if "quoting" not in self.language.features or handle is None or value is None:
            return False
        if self.is_sign("{") and self.body.pairs.get(self.at) == self.at + 2:
            handle, value = self.token(1), self.token(3)
            width = 3
        else:
            width = 1
        if handle is None or value is None or handle.kind != "name":
            return False
        process = self.scope.look(handle.text)
        if process is None or process.kind != "unknown" or process.node is None:
            return False
        if value.kind not in ("string", "name", "words") or value.text in _ENDING_WORDS:
            return False
        self.at += width
        feed(self.host, process, self.expression())
        return True

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
        if value.kind == "ref" and "ends" in features and "." in value.name:
            # `Class.method`, `Class.new.method`: a method of the code by its name alone.
            for name in value.name.split(".")[1:]:
                own = self.scope.look("initialize" if name == "new" else name)
                if own is not None and own.kind == "function" and own.name:
                    self.call_function(own, Call(name, []))
        if value.kind == "ref" and value.name in _ALONE and "quoting" in features:
            given = self.scope.look("$_") if value.name in _OF_TOPIC else None
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
        if value.kind == "function" and "ends" in self.language.features:
            return self.call_function(value, Call("", keys))
        if value.kind == "map":
            return value.fields.get(key.text or "", unknown(key.text or "item"))
        if value.kind == "list":
            if key.kind == "number" and -len(value.items) <= key.number < len(value.items):
                return value.items[int(key.number)]
            return one_of(value.items) if value.items else unknown("item", "argument")
        if key.text is not None and key.kind == "text" and value.kind == "method":
            return Value("method", name=key.text, node=value)
        return unknown(value.name or "item", "argument")

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
        found = self.apply(value, call)
        self.host.effort.spend(
            (len(call.arguments) + len(found.items)) // 16, f"{self.language.name} code"
        )
        return found

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
                (token.spaced or token.text[0] in "$@")
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
        found = self.apply(value, call)
        self.host.effort.spend(
            (len(call.arguments) + len(found.items)) // 16, f"{self.language.name} code"
        )
        return found

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
            and self.body.tokens[self.at - 1 : self.at][:1] != []
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
            elif token.text in _COMPARING and token.text not in ("-", "*", "&"):
                self.at += 1
                value = self.compared(value, token.text, self.joined())
            else:
                return value
