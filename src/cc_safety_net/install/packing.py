"""Compiles the guard's modules into the bundle: a core that is loaded at once, and pieces.

What the core holds is said here by module and in `everyday.py` by definition; `late.py` takes the
modules apart, `guard/bundle.py` puts them together again.
"""

from __future__ import annotations

import ast
import marshal
import sys
from _imp import source_hash
from types import CodeType
from typing import TYPE_CHECKING

from cc_safety_net.guard.bundle import KEY
from cc_safety_net.install import late
from cc_safety_net.install.everyday import EVERYDAY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

BOOT = "cc_safety_net.guard.bundle"

#: What every everyday call loads, with all that these import at their top; registered by a loop.
CORE_SEEDS = (
    "cc_safety_net.agents.entry",
    "cc_safety_net.agents.decoding",
    "cc_safety_net.agents.encoding",
    "cc_safety_net.guard.hook",
    "cc_safety_net.guard.engine",
    "cc_safety_net.guard.audit",
    "cc_safety_net.guard.interpret.reader",
    "cc_safety_net.guard.interpret.effects.engine",
    "cc_safety_net.guard.interpret.wrappers.engine",
    "cc_safety_net.guard.interpret.wrappers.forms",
    "cc_safety_net.guard.interpret.wrappers.inner",
    "cc_safety_net.guard.interpret.effects.forms",
    "cc_safety_net.guard.interpret.options",
    "cc_safety_net.guard.interpret.programs",
    "cc_safety_net.guard.policy.effective",
    "cc_safety_net.guard.rules.command_line",
)

#: Imported by the core at its top, and not used by an everyday call: loaded at the first use.
#: What stands here changes the speed only.
PROMISED = (
    "cc_safety_net.guard.interpret.aliases",
    "cc_safety_net.guard.interpret.arithmetic",
    "cc_safety_net.guard.interpret.braces",
    "cc_safety_net.guard.interpret.builtins",
    "cc_safety_net.guard.interpret.contents",
    "cc_safety_net.guard.interpret.directory",
    "cc_safety_net.guard.interpret.inputs",
    "cc_safety_net.guard.interpret.loops",
    "cc_safety_net.guard.interpret.operators",
    "cc_safety_net.guard.interpret.parameters",
    "cc_safety_net.guard.interpret.texts",
    "cc_safety_net.guard.interpret.tilde",
    "cc_safety_net.guard.interpret.variables",
    "cc_safety_net.guard.policy.patterns",
    "cc_safety_net.guard.shell.posix.braces",
    "cc_safety_net.guard.shell.posix.quoting",
)


def pack_modules(
    modules: Mapping[str, tuple[str, str]],
    everyday: Mapping[str, Collection[str]] | None = EVERYDAY,
) -> tuple[bytes, bytes]:
    """The modules as code: what every call loads in one piece, and the rest in pieces.

    The first: (index of the rest, the code that reads all this, the core, promised names).
    """
    # The interpreter shares strings of one character, and marshal notes whether they are interned:
    # by chance, were it not for this.
    for code in range(256):
        sys.intern(chr(code))
    trees = {name: stripped(ast.parse(text)) for name, (_, text) in modules.items()}
    promised = tuple(name for name in PROMISED if name in trees)
    core = core_order(trees, promised)
    splitter = late.Splitter(trees, core, promised, everyday)
    splits = {name: splitter.split(name) for name in sorted(trees) if name != BOOT}
    index: dict[str, bytes] = {}
    rest: list[bytes] = []
    position = 0
    for name, (path, _) in sorted(modules.items()):
        parts = splits[name].parts if name != BOOT else {}
        late_blob = marshal.dumps({own: _part(parts[own], path) for own in sorted(parts)})
        blobs = (
            marshal.dumps(_compiled(trees[name], path)) if _is_apart(name, core, trees) else b"",
            late_blob if parts else b"",
        )
        index[name] = _entry(position, blobs, package=path.endswith("__init__.py"))
        rest += blobs
        position += len(blobs[0]) + len(blobs[1])
    loaded = tuple(_core_entry(name, splits[name], trees[name], modules[name][0]) for name in core)
    boot = _compiled(stripped(ast.parse(modules[BOOT][1])), modules[BOOT][0])
    return marshal.dumps((index, boot, loaded, promised)), b"".join(rest)


def _is_apart(name: str, core: Collection[str], trees: Mapping[str, ast.Module]) -> bool:
    return name not in core and bool(trees[name].body)


def _entry(position: int, blobs: tuple[bytes, bytes], *, package: bool) -> bytes:
    """As `bundle.Bundle` reads it: one object a module, since all are read at each start."""
    numbers = (position, len(blobs[0]), len(blobs[1]))
    return (
        b"".join(number.to_bytes(4, "little") for number in numbers)
        + source_hash(KEY, blobs[0])
        + source_hash(KEY, blobs[1])
        + bytes([package])
    )


def _core_entry(
    name: str, split: late.Split, tree: ast.Module, path: str
) -> tuple[str, tuple[str, ...], CodeType | None]:
    links = tuple(part for link in split.links for part in link)
    return name, links, _compiled(tree, path) if tree.body or split.parts or links else None


def _part(part: ast.Module | str, path: str) -> CodeType | str:
    return part if isinstance(part, str) else _compiled(part, path)


def _compiled(tree: ast.Module, path: str) -> CodeType:
    code: CodeType = compile(tree, path, "exec", dont_inherit=True, optimize=0)
    return _without_lines(code)


def _without_lines(code: CodeType) -> CodeType:
    """The code without its table of lines, a quarter of its size: no traceback leaves the guard."""
    constants = tuple(
        _without_lines(value) if isinstance(value, CodeType) else value for value in code.co_consts
    )
    return code.replace(co_linetable=b"", co_consts=constants)


def core_order(trees: Mapping[str, ast.Module], without: Iterable[str] = ()) -> list[str]:
    """The core's modules, each after its packages and what it imports."""
    order: list[str] = []
    seen = set(without)

    def visit(name: str) -> None:
        if name in seen or name not in trees:
            return
        seen.add(name)
        visit(name.rpartition(".")[0])
        for imported in _imports(trees[name].body):
            visit(imported)
        order.append(name)

    for seed in CORE_SEEDS:
        visit(seed)
    return order


def _imports(body: Iterable[ast.stmt]) -> list[str]:
    """What a module imports when it is loaded; names that are no modules do no harm."""
    found = []
    for node in body:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def stripped(tree: ast.Module) -> ast.Module:
    """The module without docstrings, annotations and what only type checkers read.

    They are built at every start, and nothing reads them. Only statements are walked: an
    expression holds none of it.
    """
    tree.body = [node for node in tree.body if not _is_future(node)]
    _strip(tree, tree.body)
    return tree


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _strip(owner: ast.AST, body: list[ast.stmt]) -> None:
    if isinstance(owner, ast.Module | ast.ClassDef | ast.FunctionDef) and _is_docstring(body):
        del body[0]
    kept: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            continue
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                kept.append(ast.copy_location(ast.Assign([node.target], node.value), node))
            continue
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            for argument in (*every, node.args.vararg, node.args.kwarg):
                if argument is not None:
                    argument.annotation = None
        _strip_inner(node)
        kept.append(node)
    if not kept and not isinstance(owner, ast.Module):
        kept.append(ast.copy_location(ast.Pass(), owner))
    body[:] = kept


def _strip_inner(node: ast.AST) -> None:
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(node, name, None)
        if isinstance(inner, list) and inner:
            _strip(node, inner)
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        _strip(node if isinstance(part, ast.match_case) else part, part.body)


def _is_docstring(body: list[ast.stmt]) -> bool:
    first = body[0] if body else None
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
