"""Expressions of PowerShell: operators by precedence, members, indexes, literals."""

from __future__ import annotations

from cc_safety_net.guard.shell.powershell.nodes import (
    Array,
    Binary,
    Block,
    Hash,
    Index,
    Member,
    Node,
    Text,
    Type,
    Unary,
)
from cc_safety_net.guard.shell.powershell.scanner import Scanner, Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.powershell.nodes import Script

#: Operators that are words, without their `i` or `c` for case, by how tightly they bind.
_WORDS = {
    "-and": 2, "-or": 2, "-xor": 2, "-band": 3, "-bor": 3, "-bxor": 3, "-shl": 3, "-shr": 3,
    "-eq": 4, "-ne": 4, "-gt": 4, "-ge": 4, "-lt": 4, "-le": 4, "-like": 4, "-notlike": 4,
    "-match": 4, "-notmatch": 4, "-contains": 4, "-notcontains": 4, "-in": 4, "-notin": 4,
    "-replace": 4, "-split": 4, "-join": 4, "-is": 4, "-isnot": 4, "-as": 4, "-f": 7,
}  # fmt: skip
_SIGNS = {"+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "..": 8, "??": 1}
_UNARY = ("-not", "-bnot", "-join", "-split", "-csplit", "-isplit")
_ASSIGNING = ("=", "+=", "-=", "*=", "/=", "%=", "??=")


class Expressions(Scanner):
    """What reads a value; statements inside it are the parser's."""

    __slots__ = ()

    def expression(self, *, commas: bool = True) -> Node:
        """A value with all its operators."""
        found = self._binary(1, commas)
        if self.skip() == "?" and self.peek(1) in " \t":
            self.pos += 1
            self.skip(lines=True)
            yes = self._binary(1, commas)
            if self.skip(lines=True) == ":":
                self.pos += 1
                self.skip(lines=True)
                no = self._binary(1, commas)
                return Binary("?:", yes, no, found.start, self.pos)
            return yes
        return found

    def _binary(self, lowest: int, commas: bool) -> Node:
        self.enter()
        left = self._list(commas)
        while True:
            op, length = self._operator()
            binds = _SIGNS.get(op) or _WORDS.get(op, 0)
            if not binds or binds < lowest:
                break
            self.pos += length
            self.skip(lines=True)
            right = self._binary(binds + 1, commas)
            left = Binary(op, left, right, left.start, self.pos)
        self.depth -= 1
        return left

    def _operator(self) -> tuple[str, int]:
        """The operator here and its length; ("", 0) if there is none."""
        found = self.skip()
        if found == "-" and self.peek(1).isalpha():
            at = self.pos + 1
            while at < self.end and self.text[at].isalpha():
                at += 1
            word = self.text[self.pos : at].lower()
            if word not in _WORDS and word[1:2] in ("i", "c") and "-" + word[2:] in _WORDS:
                return "-" + word[2:], at - self.pos
            return (word, at - self.pos) if word in _WORDS else ("", 0)
        if found in ("", "\n") or any(self.follows(sign) for sign in _ASSIGNING):
            return "", 0
        if self.follows("..") or self.follows("??"):
            return self.text[self.pos : self.pos + 2], 2
        if found in _SIGNS and self.peek(1) != found:
            return found, 1
        return "", 0

    def _list(self, commas: bool) -> Node:
        """Values with commas between them."""
        start = self.pos
        if self.skip() == ",":
            self.pos += 1
            self.skip(lines=True)
            return Array((self.unary(),), start, self.pos)
        first = self.unary()
        if not commas or self.skip() != ",":
            return first
        items = [first]
        while self.skip() == ",":
            self.pos += 1
            self.skip(lines=True)
            items.append(self.unary())
        return Array(items, first.start, self.pos)

    def unary(self) -> Node:
        """A value with what stands in front of it: `!`, `-not`, a cast."""
        start = self.pos
        found = self.skip()
        if found == "!" or (found in ("+", "-") and found and not self.peek(1).isalpha()):
            sign = self.text[self.pos : self.pos + 2] if self.peek(1) == found else found
            self.pos += len(sign)
            return self._prefixed(sign, start)
        if found == "-":
            for word in _UNARY:
                if self.text[self.pos : self.pos + len(word)].lower() == word:
                    self.pos += len(word)
                    return self._prefixed(word, start)
            raise Unreadable("a value is missing", self.pos)
        if found == "[":
            kind = self.type_name()
            after = self.skip()
            if self.follows("::") or after in ("", ")", "]", ".", ",", ";", "|", "}", "\n", "="):
                return self.postfix(kind)
            if after == "-" and self._operator()[0]:
                return kind
            return self._prefixed(f"[{kind.name}]", start)
        return self.postfix(self.primary())

    def _prefixed(self, op: str, start: int) -> Node:
        self.enter()
        operand = self.unary()
        self.depth -= 1
        return Unary(op, operand, start, self.pos)

    def type_name(self) -> Type:
        """`[Name]`, `[Name[]]`, `[Attribute(…)]`."""
        start = self.pos
        level = 0
        at = start
        while at < self.end:
            found = self.text[at]
            if found == "[":
                level += 1
            elif found == "]":
                level -= 1
                if level == 0:
                    break
            elif found in "'\"":
                close = self.text.find(found, at + 1)
                if close < 0:
                    break
                at = close
            at += 1
        self.effort.spend(1 + (at - start) // 4, "a type")
        if level or at >= self.end:
            raise Unreadable("a type's name does not end", start)
        self.pos = at + 1
        return Type(self.text[start + 1 : at].strip().lower(), start, self.pos)

    def primary(self) -> Node:
        """One value, without members."""
        start = self.pos
        found = self.peek()
        if found == "'":
            return self.single_quoted()
        if found == '"':
            return self.double_quoted()
        if found == "$":
            variable = self.variable()
            if variable is None:
                raise Unreadable("a variable has no name", start)
            return variable
        if found == "@":
            return self.at_sign()
        if found == "(":
            self.pos += 1
            return self.sub("(", start)
        if found == "{":
            return self.block()
        if found.isdigit() or (found == "." and self.peek(1).isdigit()):
            return self._number()
        raise Unreadable("a value is missing", start)

    def at_sign(self) -> Node:
        """`@( )`, `@{ }`, `@' '@`, `@name`."""
        start = self.pos
        after = self.peek(1)
        if after == "(":
            self.pos += 2
            return self.sub("@(", start)
        if after == "{":
            return self._hash()
        if after and after in "'\"":
            return self.here_string()
        splat = self.splat()
        if splat is None:
            raise Unreadable("nothing follows @", start)
        return splat

    def _number(self) -> Text:
        start = at = self.pos
        text = self.text
        while at < self.end and (text[at].isalnum() or text[at] == "."):
            if text.startswith("..", at):
                break
            at += 1
        self.pos = at
        return Text(text[start:at], start, at, bare=True)

    def _hash(self) -> Node:
        start = self.pos
        self.enter()
        self.pos += 2
        pairs: list[tuple[Node, Script]] = []
        while True:
            found = self._next_entry()
            if found == "}":
                break
            if not found:
                raise Unreadable("a hashtable does not end", start)
            key = self._key()
            if self.skip(lines=True) != "=":
                raise Unreadable("a hashtable's key has no value", self.pos)
            self.pos += 1
            self.skip(lines=True)
            pairs.append((key, self.one_statement()))
        self.pos += 1
        self.depth -= 1
        return Hash(pairs, start, self.pos)

    def _next_entry(self) -> str:
        found = self.skip(lines=True)
        while found == ";":
            self.pos += 1
            found = self.skip(lines=True)
        return found

    def _key(self) -> Node:
        start = at = self.pos
        while at < self.end and (self.text[at].isalnum() or self.text[at] in "_-."):
            at += 1
        if at > start:
            self.pos = at
            return Text(self.text[start:at], start, at, bare=True)
        return self.unary()

    def one_statement(self) -> Script:
        raise NotImplementedError

    def block(self) -> Block:
        """`{ … }` as a value."""
        start = self.pos
        self.enter()
        outer = self.parameters
        self.parameters = []
        self.pos += 1
        body = self.statements("}")
        found = Block(self.parameters, body, start, self.pos)
        self.parameters = outer
        self.depth -= 1
        return found

    def postfix(self, value: Node) -> Node:
        """Members, calls and indexes that follow without a blank."""
        while True:
            found = self.peek()
            self.effort.spend(1, "a value's members")
            if found == "[" and not isinstance(value, Type):
                self.pos += 1
                self.enter()
                self.skip(lines=True)
                index = self.expression()
                if self.skip(lines=True) != "]":
                    raise Unreadable("an index does not end", self.pos)
                self.pos += 1
                self.depth -= 1
                value = Index(value, index, value.start, self.pos)
            elif self.follows("::"):
                self.pos += 2
                value = self._member(value, static=True)
            elif found == "." and self._names_member(1):
                self.pos += 1
                value = self._member(value, static=False)
            elif found == "?" and self.peek(1) == "." and self._names_member(2):
                self.pos += 2
                value = self._member(value, static=False)
            elif found and found in "+-" and self.peek(1) == found:
                self.pos += 2
                value = Unary("post" + found, value, value.start, self.pos)
            else:
                return value

    def _names_member(self, ahead: int) -> bool:
        found = self.peek(ahead)
        return bool(found) and (found.isalpha() or found in "_$('\"")

    def _member(self, target: Node, *, static: bool) -> Node:
        start = at = self.pos
        while at < self.end and (self.text[at].isalnum() or self.text[at] == "_"):
            at += 1
        name: Node
        if at > start:
            self.pos = at
            name = Text(self.text[start:at], start, at, bare=True)
        elif self.peek() and self.peek() in "$('\"":
            name = self.primary()
        else:
            raise Unreadable("a member has no name", start)
        arguments = None
        if self.peek() == "(":
            arguments = self._arguments()
        elif self.peek() == "{":
            arguments = [self.block()]
        return Member(target, name, arguments, target.start, self.pos, static=static)

    def _arguments(self) -> list[Node]:
        self.enter()
        self.pos += 1
        found: list[Node] = []
        while True:
            after = self.skip(lines=True)
            if after == ")":
                break
            if after == ",":
                self.pos += 1
                continue
            found.append(self.expression(commas=False))
            if self.skip(lines=True) not in (",", ")"):
                raise Unreadable("arguments do not end", self.pos)
        self.pos += 1
        self.depth -= 1
        return found
