"""Mutants of a module: one small change of its syntax tree each."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Mutant:
    """line: where. what: the change, in words. tree: the whole changed module.

    literal: the text that was changed, "". statement: first and last line of the statement's own
    part. beside: other texts of its line. function: it is inside one, so that loading the module
    does not run it. outer: names of the outermost function, and of the classes around that.
    """

    __slots__ = ("beside", "function", "line", "literal", "outer", "statement", "tree", "what")

    def __init__(self, line: int, what: str, tree: ast.Module, literal: str) -> None:
        self.line = line
        self.what = what
        self.tree = tree
        self.literal = literal
        self.statement = (line, line)
        self.beside: list[str] = []
        self.function = False
        self.outer: tuple[str, ...] = ()


def count(source: str) -> int:
    """How many mutants a module has."""
    return sum(1 for _ in _changes(ast.parse(source)))


def described(source: str) -> list[tuple[str, str]]:
    """(line of the source, change) of each mutant, by number."""
    lines = source.splitlines()
    return [
        (lines[node.lineno - 1].strip(), what)  # type: ignore[attr-defined]  # as below
        for node, what, _ in _changes(ast.parse(source))
    ]


def mutant(source: str, number: int) -> Mutant:
    """The mutant with this number."""
    tree = ast.parse(source)
    for at, (node, what, change) in enumerate(_changes(tree)):
        if at == number:
            line = node.lineno  # type: ignore[attr-defined]  # all changed nodes have a place
            literal = node.value if isinstance(node, ast.Constant) else ""
            found = Mutant(line, what, tree, literal if isinstance(literal, str) else "")
            _place(found, tree, node)
            found.beside = _beside(tree, node, line)
            change()
            ast.fix_missing_locations(tree)
            return found
    raise IndexError(number)


def _place(found: Mutant, tree: ast.Module, wanted: ast.AST) -> None:
    """Where it stands: the innermost statement and the innermost function."""
    todo: list[tuple[ast.AST, tuple[int, int], tuple[str, ...], bool]]
    todo = [(tree, found.statement, (), False)]
    while todo:
        node, statement, outer, inside = todo.pop()
        if isinstance(node, ast.stmt):
            statement = _own_lines(node)
        if node is wanted:
            found.statement = statement
            found.function = inside
            found.outer = outer if inside else ()
            return
        named = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not inside
        for name, value in ast.iter_fields(node):
            # Defaults and decorators run where the function is made.
            body = named and name == "body"
            place = (*outer, node.name) if body else outer  # type: ignore[attr-defined]  # named
            within = inside or (body and isinstance(node, ast.FunctionDef))
            children = value if isinstance(value, list) else [value]
            todo += [(c, statement, place, within) for c in children if isinstance(c, ast.AST)]


def _beside(tree: ast.Module, node: ast.AST, line: int) -> list[str]:
    constants = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n is not node)
    return [n.value for n in constants if n.lineno == line and isinstance(n.value, str)]


def _own_lines(node: ast.stmt) -> tuple[int, int]:
    """A compound statement's own are its head's."""
    body = getattr(node, "body", None)
    end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
    return node.lineno, max(end, node.lineno)


def _changes(tree: ast.Module) -> Iterator[tuple[ast.AST, str, object]]:
    """(node, description, function that makes the change), in a fixed order."""
    for node in _visited(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            other = _COMPARISONS[type(node.ops[0])]
            what = f"{type(node.ops[0]).__name__} becomes {other.__name__}"
            yield node, what, lambda n=node, o=other: n.ops.__setitem__(0, o())
        elif isinstance(node, ast.BoolOp):
            new = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            what = f"{type(node.op).__name__} becomes {type(new).__name__}"
            yield node, what, lambda n=node, o=new: setattr(n, "op", o)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "not is dropped", lambda n=node: _become(n, n.operand)
        elif isinstance(node, ast.Constant):
            yield from _constants(node)
        elif isinstance(node, ast.Return) and node.value is not None:
            if not isinstance(node.value, ast.Constant):
                none = ast.Constant(None)
                yield node, "returns None", lambda n=node, v=none: setattr(n, "value", v)
        elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node, "condition is turned", lambda n=node: setattr(n, "test", _turned(n.test))
        elif isinstance(node, (ast.Break, ast.Continue)):
            other_jump = ast.Continue() if isinstance(node, ast.Break) else ast.Break()
            what = f"{type(node).__name__.lower()} becomes {type(other_jump).__name__.lower()}"
            yield node, what, lambda n=node, o=other_jump: _become(n, o)
        elif isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.YieldFrom)):
            yield node, "statement is dropped", lambda n=node: setattr(n, "value", ast.Constant(0))
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub)):
            sign = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield node, "+= and -= change places", lambda n=node, o=sign: setattr(n, "op", o)


def _constants(node: ast.Constant) -> Iterator[tuple[ast.AST, str, object]]:
    value = node.value
    if isinstance(value, bool):
        yield node, f"{value} becomes {not value}", lambda: setattr(node, "value", not value)
    elif isinstance(value, int):
        yield node, f"{value} becomes {value + 1}", lambda: setattr(node, "value", value + 1)
    elif isinstance(value, str) and value:
        yield node, f"{value!r} is changed", lambda: setattr(node, "value", "XX" + value)


def _turned(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), copy.copy(test))


def _become(node: ast.AST, other: ast.AST) -> None:
    """The node turns into another in place, whoever holds it."""
    place = {name: getattr(node, name, None) for name in ("lineno", "col_offset")}
    node.__class__ = other.__class__  # type: ignore[assignment]  # ast nodes share their layout
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)
    for name, value in place.items():
        node.__dict__.setdefault(name, value)


def _visited(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes whose change could be seen: no texts for people, types, costs or `__slots__`."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if _is_outside(node):
            continue
        yield node
        children = list(ast.iter_child_nodes(node))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            children = [*node.body, *([node.args] if isinstance(node, ast.FunctionDef) else [])]
        elif isinstance(node, ast.AnnAssign):
            children = [node.value] if node.value is not None else []
        elif isinstance(node, ast.arguments):
            children = [*node.defaults, *(d for d in node.kw_defaults if d is not None)]
        elif isinstance(node, ast.JoinedStr):
            children = []
        todo.extend(reversed(children))


def _is_outside(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.FunctionDef) and node.name == "__repr__":
        return True
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    text = ast.unparse(node)[:60] if isinstance(node, (ast.If, ast.Expr, ast.Assign)) else ""
    return (
        "TYPE_CHECKING" in text.partition("\n")[0]
        or text.startswith("__slots__")
        or (isinstance(node, ast.Expr) and "effort.spend" in text)
    )
