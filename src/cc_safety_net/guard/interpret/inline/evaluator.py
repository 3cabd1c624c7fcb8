"""Runs tokens of a language in the abstract: assignments, calls, loops over what is known.

This is no parser: it reads expressions one after the other, takes every branch, and skips what it
does not know. What it must not do is take a text for a call, or a call for a text.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.calls import Call
from cc_safety_net.guard.interpret.inline.cursor import Body
from cc_safety_net.guard.interpret.inline.lexer import Token, Unterminated, tokenise
from cc_safety_net.guard.interpret.inline.operators import Operators
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Value,
    added,
    constant,
    listed,
    one_of,
    ref,
    unknown,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.language import Language

_OPENING = {"(": ")", "[": "]", "{": "}"}
_ASSIGNING = frozenset(("=", ":=", "+=", ".="))
#: Conditions that are never met.
_NEVER = frozenset(("0", "FALSE", "False", "false", "null", "undefined"))
_DECLARING = frozenset(
    ("const", "let", "var", "my", "our", "local", "val", "def", "final", "global", "static",
     "export", "state", "mut")
)  # fmt: skip


def read_tokens(
    code: str, host: CodeHost, language: Language, first: Callable[[Run], None] | None = None
) -> None:
    """Report what the code would do; what is no code of the language is opaque."""
    try:
        tokens = tokenise(code, language, host.effort)
    except Unterminated:
        from cc_safety_net.guard.interpret.facts import Word

        host.opaque(Word(host.pieces(code)))
        return
    run = Run(host, language)
    if first is not None:
        first(run)
    run.run_all(tokens)


class Run(Operators):
    """One run over the code of one call: its statements."""

    def run_all(self, tokens: list[Token]) -> None:
        body = Body(tokens)
        self.body = body
        self.define(body)
        self.run(body, 0, len(tokens))
        for name in self.language.start:
            function = self.scope.look(name)
            if function is not None and function.kind == "function":
                self.call_function(function, Call(name, []))

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
        if name == "export" and "arrow" in self.language.features:
            from cc_safety_net.guard.interpret.inline.included import exported

            return exported(self)
        if name == "end" and "ends" in self.language.features:
            self.blocks -= 1
            self.at += 1
            return True
        if name in ("if", "while") and self.never_taken():
            return True
        if name in ("if", "while", "unless", "until", "switch", "class", "module", "elsif", "else"):
            self.blocks += 1 if "ends" in self.language.features and name[:2] != "el" else 0
            self.at += 1
            return True
        return False

    def never_taken(self) -> bool:
        """`if (false) …`, `while (0) …`: what follows is left out."""
        tokens, at = self.body.tokens, self.at + 1
        if self.body.pairs.get(at) != at + 2 or tokens[at + 1].text not in _NEVER:
            return False
        if tokens[at + 1].kind not in ("name", "number"):
            return False
        at += 3
        while at < self.end and tokens[at].kind == "line":
            at += 1
        if at < self.end and tokens[at].text == "{" and at in self.body.pairs:
            self.at = self.body.pairs[at] + 1
            return True
        while at < self.end and tokens[at].kind != "line" and tokens[at].text not in (";", "}"):
            at = self.body.pairs.get(at, at) + 1
        self.at = at
        return True

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
            if token.text == "range" and names and tokens[at - 1].text in (":=", "="):
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
            if name == "use" and "use" in self.language.takes_in:
                from cc_safety_net.guard.interpret.inline.included import used

                used(self)
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
        name = "".join(p for p in tokens[at].parts if isinstance(p, str))
        module = self.module(name)
        own = self.own_module(name)
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
                if own is not None:
                    self.scope.own[alias] = own.fields.get(token.text if braces else "default", own)
                else:
                    self.scope.own[alias] = ref(module if whole else f"{module}.{token.text}")
            elif token.text == "*" and tokens[index + 1].text == "as":
                self.scope.own[tokens[index + 2].text] = own or ref(module)
                index += 2
            index += 1
        self.at = at + 1
        return True

    def own_module(self, name: str) -> Value | None:
        """What a module of the program itself hands out, None if it is none."""
        if not name.startswith((".", "/")) or "arrow" not in self.language.features:
            return None
        from cc_safety_net.guard.interpret.inline.included import required

        return required(self, name)

    @staticmethod
    def module(name: str) -> str:
        """A module by one spelling: `node:fs/promises` is `fs.promises`."""
        for registry in ("node:", "npm:", "jsr:"):
            name = name.removeprefix(registry)
        return name.replace("/", ".")

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
        if token.text in ("$ENV", "ENV", "process", "putenv"):
            found = self.of_environment(token.text)
            if found is not None:
                return found
        if token.text in ("module", "exports") and "arrow" in self.language.features:
            from cc_safety_net.guard.interpret.inline.included import handed_out

            found = handed_out(self)
            if found is not None:
                return found
        if token.kind == "name" and self.is_sign(".", offset=1) and self.is_sign("=", offset=3):
            owner = self.scope.look(token.text)
            field = tokens[self.at + 2].text
            if owner is not None and owner.kind == "map":
                self.at += 4
                self.skip_lines()
                given = self.assignment() if self.is_assignment() else self.expression()
                owner.fields[field] = given if given is not None else constant(NONE)
                return owner.fields[field]
        if token.kind == "sign" and token.text in _OPENING and self.at in self.body.pairs:
            close = self.body.pairs[self.at]
            after = tokens[close + 1] if close + 1 < self.end else None
            if after is not None and after.text in ("=", ":="):
                return self.destructured(self.at, close)
        if token.kind != "name":
            self.at = start if not declared else self.at
            return None
        target, at = self._assigned_names(token.text, declared)
        sign = tokens[at].text if at < self.end and tokens[at].kind == "sign" else ""
        if sign not in _ASSIGNING and (sign != "<-" or "arrows" not in self.language.features):
            if tokens[self.at - 1].text in ("let", "var") and self.at > start:
                # Without a value: what is assigned later belongs to this place.
                self.scope.own.setdefault(target[0], constant(NONE))
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

    def _assigned_names(self, first: str, declared: bool) -> tuple[list[str], int]:
        """The names on the left side, and where the sign behind them should stand."""
        tokens = self.body.tokens
        target = [first]
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
        return target, at

    def of_environment(self, name: str) -> Value | None:
        """`ENV["X"] = …`, `$ENV{X} = …`, `process.env.X = …`: what is started sees it."""
        tokens = self.body.tokens
        at = self.at + 1
        if name == "process":
            if not (self.is_sign(".", offset=1) and self.is_name("env", offset=2)):
                return None
            at = self.at + 3
        opening = tokens[at].text if at < self.end else ""
        if opening == ".":
            key, after = at + 1, at + 2
        elif opening in _OPENING and self.body.pairs.get(at) == at + 2:
            key, after = at + 1, at + 3
        else:
            return None
        if after >= self.end or tokens[after].text != "=":
            return None
        token = tokens[key]
        parts = token.parts if token.kind == "string" else [token.text]
        self.at = after + 1
        value = self.expression()
        if all(isinstance(part, str) for part in parts):
            self.host.set_variable("".join(parts), word(value))
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
        scope = self.scope
        if before is not None and not declared and "arrow" in self.language.features:
            # JavaScript: the name of the function around it.
            while name not in scope.own and scope.parent is not None:
                scope = scope.parent
        scope.own[name] = value

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
