"""Moves out of the bundle's core what an everyday call does not use, name by name.

A function or class of the core that `everyday.py` does not list is compiled on its own and loaded
when it is first used. Who uses it says `_late.KEY` instead of its name; imports of such names go.
Nothing but the time of loading changes.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

#: Names that the loader puts into every module of the core.
LATE = "_late"
STUB = "_stub"
METHOD = "_method"
#: Name that a class gets, of a tuple: its late methods.
METHODS = "_late_methods"

_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@dataclass
class Split:
    """A module in parts.

    links: (module, name there or "" for the module itself, own name), in order, to be made before
    the code of a module of the core runs; the others import. parts: own name (of a method: that
    of its class, a point, its own) -> its definition, or the key of where it really is.
    """

    links: list[tuple[str, str, str]] = field(default_factory=list)
    parts: dict[str, ast.Module | str] = field(default_factory=dict)


class Splitter:
    """trees: every module. core: those that are run at the start. promised: whole modules that
    are late. everyday: module -> names of definitions that stay; None: none stays anywhere."""

    def __init__(
        self,
        trees: Mapping[str, ast.Module],
        core: Collection[str],
        promised: Collection[str],
        everyday: Mapping[str, Collection[str]] | None,
    ) -> None:
        self._trees = trees
        self._core = frozenset(core)
        self._promised = frozenset(promised)
        self._names = sorted(trees)
        self._number = {name: number for number, name in enumerate(self._names)}
        self._stays: dict[str, Collection[str]] = {}
        for name in self._names:
            if everyday is None:
                self._stays[name] = ()
            elif name in everyday or name in self._core:
                self._stays[name] = everyday.get(name, ())
        self._moved = {name: movable(trees[name], kept) for name, kept in self._stays.items()}
        for name in promised:
            self._moved.pop(name, None)
        self._imports = {name: _imported_names(trees[name]) for name in trees}
        self._bound_methods = _bound_methods(trees.values())

    def split(self, name: str) -> Split:
        """Take the module's tree apart; the tree keeps what runs at the start."""
        tree = self._trees[name]
        found = Split()
        moved = self._moved.get(name, frozenset())
        late = {own: self._key(name, own) for own in moved}
        body: list[ast.stmt] = []
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module in self._number:
                body += self._import(node, found, late, linked=name in self._core)
            else:
                body.append(node)
        rewriter = _Rewriter(self, late)
        kept: list[ast.stmt] = [rewriter.visit(node) for node in body]
        tree.body = []
        for node in kept:
            if isinstance(node, ast.ClassDef) and name in self._moved:
                self._split_class(node, self._stays[name], found)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in moved:
                found.parts[node.name] = ast.Module([node], [])
            else:
                tree.body.append(node)
        return found

    def _split_class(self, node: ast.ClassDef, stays: Collection[str], found: Split) -> None:
        """Move methods that no other class could be asked for by their name."""
        moved = [
            part
            for part in node.body
            if isinstance(part, ast.FunctionDef)
            and not part.decorator_list
            and not part.name.startswith("__")
            and f"{node.name}.{part.name}" not in stays
            and part.name not in self._bound_methods
            and not _names_its_class(part)
        ]
        if not moved or any(getattr(part, "name", "") == "__getattr__" for part in node.body):
            return
        node.body = [part for part in node.body if part not in moved]
        names = ast.Tuple([ast.Constant(part.name) for part in moved], ast.Load())
        for own, value in ((METHODS, names), ("__getattr__", ast.Name(METHOD, ast.Load()))):
            node.body.append(ast.Assign([ast.Name(own, ast.Store())], value))
        ast.fix_missing_locations(node)
        for part in moved:
            found.parts[f"{node.name}.{part.name}"] = ast.Module([part], [])

    def _import(
        self, node: ast.ImportFrom, found: Split, late: dict[str, str], *, linked: bool
    ) -> list[ast.stmt]:
        """Sort the names of an import; what is left of it."""
        left = []
        for alias in node.names:
            own = alias.asname or alias.name
            module, attribute = self.origin(node.module or "", alias.name)
            if attribute and (module in self._promised or attribute in self._moved.get(module, ())):
                late[own] = found.parts[own] = self._key(module, attribute)
            elif linked:
                found.links.append((module, attribute, own))
            else:
                left.append(alias)
        return [ast.copy_location(ast.ImportFrom(node.module, left, 0), node)] if left else []

    def origin(self, module: str, attribute: str) -> tuple[str, str]:
        """Where a name is really from; the second is "" for a module."""
        while f"{module}.{attribute}" not in self._number:
            further = self._imports.get(module, {}).get(attribute)
            if further is None:
                return module, attribute
            module, attribute = further
        return f"{module}.{attribute}", ""

    def key_of_import(self, module: str, attribute: str) -> str:
        """Key of a name that a function imports; "" if it is none of ours."""
        return self._key(*self.origin(module, attribute)) if module in self._number else ""

    def _key(self, module: str, attribute: str) -> str:
        return f"{self._number[module]}:{attribute}" if module in self._number else ""

    def is_function(self, key: str) -> bool:
        number, _, attribute = key.partition(":")
        tree = self._trees[self._names[int(number)]]
        return any(isinstance(n, ast.FunctionDef) and n.name == attribute for n in tree.body)


def movable(tree: ast.Module, everyday: Collection[str]) -> frozenset[str]:
    """Definitions of a module that may be loaded later, and are not listed."""
    bound: dict[str, int] = {}
    for node in tree.body:
        for name in _bound_by(node):
            bound[name] = bound.get(name, 0) + 1
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and node.name not in everyday
        and bound[node.name] == 1
        and not node.decorator_list
        and not node.name.startswith("__")
    )


def _bound_methods(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Names of methods that must stay: several classes of a line have one, or it is taken from
    the class itself."""
    times: dict[str, int] = {}
    found: set[str] = set()
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    bases = {base.id for node in classes for base in node.bases if isinstance(base, ast.Name)}
    for node in classes:
        if node.bases or node.name in bases:
            for name in {name for part in node.body for name in _bound_by(part)}:
                times[name] = times.get(name, 0) + 1
    names = {node.name for node in classes}
    for tree in trees:
        for attribute in ast.walk(tree):
            if isinstance(attribute, ast.Attribute):
                owner = attribute.value
                if isinstance(owner, ast.Name) and owner.id in names:
                    found.add(attribute.attr)
    return frozenset(found | {name for name, count in times.items() if count > 1})


def _names_its_class(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id in ("super", "__class__")
        for node in ast.walk(function)
    )


def _imported_names(tree: ast.Module) -> dict[str, tuple[str, str]]:
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def _bound_by(node: ast.AST) -> Iterable[str]:
    """Names that a statement binds in its own scope."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    for child in ast.iter_child_nodes(node):
        # The targets of a comprehension count as bound around it too: that only moves less.
        yield from _bound_by(child)


class _Rewriter(ast.NodeTransformer):
    """Turns late names into look-ups, where no scope of their own hides them."""

    def __init__(self, splitter: Splitter, late: Mapping[str, str]) -> None:
        self._splitter = splitter
        #: By scope, innermost last: own name -> key, "" for a name that is bound there.
        self._scopes: list[Mapping[str, str]] = [late]
        self._functions = 0

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return node
        for scope in reversed(self._scopes):
            key = scope.get(node.id)
            if key is not None:
                return self._look(node, key) if key else node
        return node

    def _look(self, node: ast.Name, key: str) -> ast.AST:
        found: ast.expr
        if not self._functions and self._splitter.is_function(key):
            # In a table: it must be something that can be called now.
            found = ast.Call(ast.Name(STUB, ast.Load()), [ast.Constant(key)], [])
        else:
            found = ast.Attribute(ast.Name(LATE, ast.Load()), key, ast.Load())
        return ast.fix_missing_locations(ast.copy_location(found, node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self._defaults(node.args)
        scope = dict.fromkeys(_parameters(node.args), "")
        for statement in node.body:
            scope.update(dict.fromkeys(_bound_by(statement), ""))
        scope.update(self._late_imports(node))
        for each in ast.walk(node):
            if isinstance(each, ast.Global):
                for name in each.names:
                    scope.pop(name, None)
        self._inside(node, scope)
        return node

    def _inside(self, node: ast.FunctionDef, scope: Mapping[str, str]) -> None:
        self._scopes.append(scope)
        self._functions += 1
        body: list[ast.stmt] = []
        for statement in node.body:
            found = self.visit(statement)
            body += [] if found is None else [found]
        node.body = body or [ast.copy_location(ast.Pass(), node)]
        self._functions -= 1
        self._scopes.pop()

    def _late_imports(self, function: ast.FunctionDef) -> dict[str, str]:
        """Imports inside the function, where all of a name's bindings are the same one."""
        imports: dict[str, str] = {}
        times: dict[str, int] = {}
        for statement in function.body:
            for name in _bound_by(statement):
                times[name] = times.get(name, 0) + 1
        for node in _own_statements(function):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    key = self._splitter.key_of_import(node.module, alias.name)
                    own = alias.asname or alias.name
                    if not key or imports.get(own, key) != key:
                        continue
                    imports[own] = key
                    times[own] -= 1
        taken = set(_parameters(function.args))
        return {own: key for own, key in imports.items() if not times[own] and own not in taken}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        if not self._functions:
            return node
        scope = self._scopes[-1]
        node.names = [alias for alias in node.names if not scope.get(alias.asname or alias.name)]
        return node if node.names else None

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A block that held imports only must hold something."""
        body = getattr(node, "body", None)
        super().generic_visit(node)
        if isinstance(body, list) and not body and isinstance(node, _BLOCKS):
            body.append(ast.Pass())
            ast.fix_missing_locations(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._defaults(node.args)
        self._scopes.append(dict.fromkeys(_parameters(node.args), ""))
        self._functions += 1
        node.body = self.visit(node.body)
        self._functions -= 1
        self._scopes.pop()
        return node

    def _defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.visit(each) for each in arguments.defaults]
        arguments.kw_defaults = [each and self.visit(each) for each in arguments.kw_defaults]

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.bases = [self.visit(each) for each in node.bases]
        node.body = [self.visit(each) for each in node.body]
        return node

    def _comprehension(self, node: ast.AST) -> ast.AST:
        generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined] # all have them
        generators[0].iter = self.visit(generators[0].iter)
        bound = {name: "" for each in generators for name in _bound_by(each.target)}
        self._scopes.append(bound)
        for number, each in enumerate(generators):
            if number:
                each.iter = self.visit(each.iter)
            each.ifs = [self.visit(test) for test in each.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, self.visit(getattr(node, part)))
        self._scopes.pop()
        return node

    visit_ListComp = _comprehension  # noqa: N815 - the names are those of `ast`
    visit_SetComp = _comprehension  # noqa: N815
    visit_DictComp = _comprehension  # noqa: N815
    visit_GeneratorExp = _comprehension  # noqa: N815


def _own_statements(function: ast.FunctionDef) -> Iterable[ast.stmt]:
    """Statements of the function itself, but what stands in a `try`, which may want to fail."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Try | ast.expr):
            todo.extend(ast.iter_child_nodes(node))


def _parameters(arguments: ast.arguments) -> Iterable[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [a.arg for a in (*every, arguments.vararg, arguments.kwarg) if a is not None]
