"""The tree of a cmd.exe text. Words stay uncut: each program cuts its own line."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Line: TypeAlias = tuple["str | Variable", ...]


class Node:
    """start, end: span in the text."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Variable(Node):
    """kind: `env` (`%NAME%`), `delayed` (`!NAME!`), `for` (`%x`) or `argument` (`%1`).

    modifier: what follows the colon, or the letters of `%~dpx`. raw: as written.
    """

    __slots__ = ("kind", "modifier", "name", "raw")

    def __init__(
        self, kind: str, name: str, modifier: str, start: int, end: int, *, raw: str = ""
    ) -> None:
        super().__init__(start, end)
        self.kind = kind
        self.name = name
        self.modifier = modifier
        self.raw = raw


class Label(Node):
    """`:name`, where `goto` and `call` lead; in lower case."""

    __slots__ = ("name",)

    def __init__(self, name: str, start: int, end: int) -> None:
        super().__init__(start, end)
        self.name = name


class Redirect(Node):
    """`2> target`; `>&` joins two streams."""

    __slots__ = ("fd", "op", "target")

    def __init__(self, op: str, fd: int | None, target: Line, start: int, end: int) -> None:
        super().__init__(start, end)
        self.op = op
        self.fd = fd
        self.target = target


class Command(Node):
    """A simple command: its line, quotes still in it."""

    __slots__ = ("line", "redirects")

    def __init__(self, line: Line, redirects: Sequence[Redirect], start: int, end: int) -> None:
        super().__init__(start, end)
        self.line = line
        self.redirects = tuple(redirects)


class Group(Node):
    """`( … )`."""

    __slots__ = ("body", "redirects")

    def __init__(self, body: Script, redirects: Sequence[Redirect], start: int, end: int) -> None:
        super().__init__(start, end)
        self.body = body
        self.redirects = tuple(redirects)


class Pipe(Node):
    """Commands joined by `|`."""

    __slots__ = ("commands",)

    def __init__(self, commands: Sequence[Node], start: int, end: int) -> None:
        super().__init__(start, end)
        self.commands = tuple(commands)


class Chain(Node):
    """Commands joined by `&`, `&&`, `||`: `operators[i]` stands before `commands[i + 1]`."""

    __slots__ = ("commands", "operators")

    def __init__(
        self, commands: Sequence[Node], operators: Sequence[str], start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.commands = tuple(commands)
        self.operators = tuple(operators)


class If(Node):
    """condition: its words. negated: with `not`. body and otherwise are commands."""

    __slots__ = ("body", "condition", "negated", "otherwise")

    def __init__(
        self,
        condition: Sequence[Line],
        negated: bool,
        body: Node,
        otherwise: Node | None,
        start: int,
        end: int,
    ) -> None:
        super().__init__(start, end)
        self.condition = tuple(condition)
        self.negated = negated
        self.body = body
        self.otherwise = otherwise


class For(Node):
    """options: words between `for` and the variable. items: what stands in the parentheses."""

    __slots__ = ("body", "items", "options", "variable")

    def __init__(
        self, options: Sequence[Line], variable: str, items: Line, body: Node, start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.options = tuple(options)
        self.variable = variable
        self.items = items
        self.body = body


class Script(Node):
    """Lines, one after the other."""

    __slots__ = ("statements",)

    def __init__(self, statements: Sequence[Node], start: int, end: int) -> None:
        super().__init__(start, end)
        self.statements = tuple(statements)


class ParseResult:
    """script; message: why reading ended before the end of the text, "" if it did not; rest."""

    __slots__ = ("message", "rest", "script")

    def __init__(self, script: Script, message: str, rest: int) -> None:
        self.script = script
        self.message = message
        self.rest = rest
