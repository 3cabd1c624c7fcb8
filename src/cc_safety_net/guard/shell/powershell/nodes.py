"""The tree of a PowerShell text. Every node knows its span; names are lower case."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Node:
    """start, end: span in the text."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


# --- expressions ---------------------------------------------------------------------------------


class Text(Node):
    """A text or number. `bare`: a word without quotes."""

    __slots__ = ("bare", "value")

    def __init__(self, value: str, start: int, end: int, *, bare: bool = False) -> None:
        super().__init__(start, end)
        self.value = value
        self.bare = bare


class Expandable(Node):
    """A text with variables and subexpressions in it."""

    __slots__ = ("bare", "parts")

    def __init__(self, parts: Sequence[Node], start: int, end: int, *, bare: bool = False) -> None:
        super().__init__(start, end)
        self.parts = tuple(parts)
        self.bare = bare


class Variable(Node):
    """`$name`, `$env:NAME` (scope `env`), `@name` (splat). Scopes such as `global` are dropped."""

    __slots__ = ("name", "scope", "splat")

    def __init__(self, scope: str, name: str, start: int, end: int, *, splat: bool = False) -> None:
        super().__init__(start, end)
        self.scope = scope
        self.name = name
        self.splat = splat


class Array(Node):
    """`a, b`."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[Node], start: int, end: int) -> None:
        super().__init__(start, end)
        self.items = tuple(items)


class Sub(Node):
    """`$( … )`, `@( … )` or `( … )`: `opening` tells which."""

    __slots__ = ("body", "opening")

    def __init__(self, opening: str, body: Script, start: int, end: int) -> None:
        super().__init__(start, end)
        self.opening = opening
        self.body = body


class Hash(Node):
    """`@{ key = value }`."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: Sequence[tuple[Node, Script]], start: int, end: int) -> None:
        super().__init__(start, end)
        self.pairs = tuple(pairs)


class Block(Node):
    """`{ … }` as a value, with the parameters of its `param ( … )`."""

    __slots__ = ("body", "parameters")

    def __init__(self, parameters: Sequence[Parameter], body: Script, start: int, end: int) -> None:
        super().__init__(start, end)
        self.parameters = tuple(parameters)
        self.body = body


class Parameter:
    """A parameter of a function or block: its name and default."""

    __slots__ = ("default", "name", "switch")

    def __init__(self, name: str, default: Node | None, *, switch: bool = False) -> None:
        self.name = name
        self.default = default
        self.switch = switch


class Type(Node):
    """`[System.IO.File]` as a value; lower case."""

    __slots__ = ("name",)

    def __init__(self, name: str, start: int, end: int) -> None:
        super().__init__(start, end)
        self.name = name


class Member(Node):
    """`target.name`, `target::name`; `arguments` are None for a property."""

    __slots__ = ("arguments", "name", "static", "target")

    def __init__(
        self,
        target: Node,
        name: Node,
        arguments: Sequence[Node] | None,
        start: int,
        end: int,
        *,
        static: bool = False,
    ) -> None:
        super().__init__(start, end)
        self.target = target
        self.name = name
        self.arguments = None if arguments is None else tuple(arguments)
        self.static = static


class Index(Node):
    """`target[index]`."""

    __slots__ = ("index", "target")

    def __init__(self, target: Node, index: Node, start: int, end: int) -> None:
        super().__init__(start, end)
        self.target = target
        self.index = index


class Binary(Node):
    """`left op right`; `op` in lower case with its dash."""

    __slots__ = ("left", "op", "right")

    def __init__(self, op: str, left: Node, right: Node, start: int, end: int) -> None:
        super().__init__(start, end)
        self.op = op
        self.left = left
        self.right = right


class Unary(Node):
    """`op operand`, a cast included: then `op` is `[type]`."""

    __slots__ = ("op", "operand")

    def __init__(self, op: str, operand: Node, start: int, end: int) -> None:
        super().__init__(start, end)
        self.op = op
        self.operand = operand


# --- commands ------------------------------------------------------------------------------------


class Option(Node):
    """`-Name` or `-Name:value` among the words of a command. raw: as written."""

    __slots__ = ("name", "raw", "value")

    def __init__(self, name: str, value: Node | None, raw: str, start: int, end: int) -> None:
        super().__init__(start, end)
        self.name = name
        self.value = value
        self.raw = raw


class Redirect(Node):
    """`2>$null`: stream `1` to `6` or `*`, operator `>`, `>>`, `<` or `>&`."""

    __slots__ = ("op", "stream", "target")

    def __init__(self, stream: str, op: str, target: Node | None, start: int, end: int) -> None:
        super().__init__(start, end)
        self.stream = stream
        self.op = op
        self.target = target


class Command(Node):
    """A command: its words, the first of them the name. call: `&`, `.` or ""."""

    __slots__ = ("call", "redirects", "words")

    def __init__(
        self,
        call: str,
        words: Sequence[Node],
        redirects: Sequence[Redirect],
        start: int,
        end: int,
    ) -> None:
        super().__init__(start, end)
        self.call = call
        self.words = tuple(words)
        self.redirects = tuple(redirects)


class Expression(Node):
    """A value as a statement or as the first element of a pipeline."""

    __slots__ = ("redirects", "value")

    def __init__(self, value: Node, redirects: Sequence[Redirect], start: int, end: int) -> None:
        super().__init__(start, end)
        self.value = value
        self.redirects = tuple(redirects)


class Pipeline(Node):
    """Commands joined by `|`; the first element may be an expression."""

    __slots__ = ("elements",)

    def __init__(self, elements: Sequence[Command | Expression], start: int, end: int) -> None:
        super().__init__(start, end)
        self.elements = tuple(elements)


class Chain(Node):
    """Statements joined by `&&` and `||`: `operators[i]` stands before `statements[i + 1]`."""

    __slots__ = ("operators", "statements")

    def __init__(
        self, statements: Sequence[Node], operators: Sequence[str], start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.statements = tuple(statements)
        self.operators = tuple(operators)


class Assignment(Node):
    """`$x = statement`; op `=`, `+=`, ….."""

    __slots__ = ("op", "target", "value")

    def __init__(self, target: Node, op: str, value: Node, start: int, end: int) -> None:
        super().__init__(start, end)
        self.target = target
        self.op = op
        self.value = value


class Script(Node):
    """Statements one after the other."""

    __slots__ = ("statements",)

    def __init__(self, statements: Sequence[Node], start: int, end: int) -> None:
        super().__init__(start, end)
        self.statements = tuple(statements)


class If(Node):
    """clauses: (condition, body); otherwise: the body of `else`."""

    __slots__ = ("clauses", "otherwise")

    def __init__(
        self,
        clauses: Sequence[tuple[Node, Script]],
        otherwise: Script | None,
        start: int,
        end: int,
    ) -> None:
        super().__init__(start, end)
        self.clauses = tuple(clauses)
        self.otherwise = otherwise


class Loop(Node):
    """`while`, `do`, `for`, `foreach`: kind; parts are what stands in its parentheses.

    foreach: (variable, source); for: (start, condition, step), each may be None.
    """

    __slots__ = ("body", "kind", "parts")

    def __init__(
        self, kind: str, parts: Sequence[Node | None], body: Script, start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.kind = kind
        self.parts = tuple(parts)
        self.body = body


class Switch(Node):
    """subject; clauses: (pattern, None for `default`, body); options: `-regex` and the like."""

    __slots__ = ("clauses", "options", "subject")

    def __init__(
        self,
        subject: Node,
        clauses: Sequence[tuple[Node | None, Script]],
        options: Sequence[str],
        start: int,
        end: int,
    ) -> None:
        super().__init__(start, end)
        self.subject = subject
        self.clauses = tuple(clauses)
        self.options = tuple(options)


class Try(Node):
    """body, catches, last (`finally`)."""

    __slots__ = ("body", "catches", "last")

    def __init__(
        self, body: Script, catches: Sequence[Script], last: Script | None, start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.body = body
        self.catches = tuple(catches)
        self.last = last


class Function(Node):
    """A definition; `name` in lower case, without a scope."""

    __slots__ = ("block", "name")

    def __init__(self, name: str, block: Block, start: int, end: int) -> None:
        super().__init__(start, end)
        self.name = name
        self.block = block


class Flow(Node):
    """`return`, `exit`, `throw`, `break`, `continue`, with what is returned."""

    __slots__ = ("kind", "value")

    def __init__(self, kind: str, value: Node | None, start: int, end: int) -> None:
        super().__init__(start, end)
        self.kind = kind
        self.value = value


class Problem:
    """What could not be read: a message and the span that it is about."""

    __slots__ = ("end", "message", "start")

    def __init__(self, message: str, start: int, end: int) -> None:
        self.message = message
        self.start = start
        self.end = end


class ParseResult:
    """script: what was read. problems: what was not; `rest`: where the first of it begins.
    parameters: those of `param(…)` outside of all blocks.
    """

    __slots__ = ("parameters", "problems", "rest", "script")

    def __init__(
        self,
        script: Script,
        problems: Sequence[Problem],
        rest: int,
        parameters: Sequence[Parameter] = (),
    ) -> None:
        self.script = script
        self.parameters = tuple(parameters)
        self.problems = tuple(problems)
        self.rest = rest
