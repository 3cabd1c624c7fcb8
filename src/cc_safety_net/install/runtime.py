"""Builds the runtime: the guard as one file of compiled code, and what starts it.

The bytes depend on the sources, the interpreter and our directories only. `launcher.py` writes
the launcher's text, `placement.py` puts the result on the disk.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import io
import json
import marshal
import os
import sys
import zipfile
from _imp import source_hash
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Protocol

import cc_safety_net
from cc_safety_net.guard.bundle import KEY
from cc_safety_net.install.launcher import launcher_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

BOOT = "cc_safety_net.guard.bundle"
LAUNCHER = "cc-safety-net"
LAUNCH = "launch.py"
SOURCES = "guard.zip"
MANIFEST = "manifest.json"

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
)

_TIMESTAMP = (1980, 1, 1, 0, 0, 0)


class Directories(Protocol):
    """Our directories, absolute."""

    @property
    def config(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def data(self) -> str: ...


@dataclass(frozen=True)
class Interpreter:
    """path: real path of the executable. version: `3.12.1`. tag: `cpython-312`. magic: of code."""

    path: str
    version: str
    tag: str
    magic: bytes


@dataclass(frozen=True)
class Runtime:
    """folder: name of the version folder. files: name -> (content, mode)."""

    folder: str
    version: str
    digest: str
    interpreter: Interpreter
    files: Mapping[str, tuple[bytes, int]]


def this_interpreter() -> Interpreter:
    """The interpreter to record: never a shim or a virtual environment, which may go."""
    base = getattr(sys, "_base_executable", "") or sys.executable
    return Interpreter(
        os.path.realpath(base),
        ".".join(str(part) for part in sys.version_info[:3]),
        sys.implementation.cache_tag or "unknown",
        importlib.util.MAGIC_NUMBER,
    )


@dataclass(frozen=True)
class Packed:
    """The guard's side, packed once: its digest, as code for this version, as sources."""

    digest: str
    core: bytes
    rest: bytes
    sources: bytes


def pack() -> Packed:
    modules = read_sources(Path(cc_safety_net.__file__).parent)
    return Packed(_digest_sources(modules), *pack_modules(modules), pack_sources(modules))


def build(
    directories: Directories,
    interpreter: Interpreter | None = None,
    *,
    packed: Packed | None = None,
) -> Runtime:
    """The runtime for these directories, in memory.

    interpreter: of the same minor version as this one, since the code is compiled here.
    """
    interpreter = interpreter or this_interpreter()
    packed = packed or pack()
    sources = packed.sources
    digest = _digest(packed.digest, directories, interpreter)
    folder = f"{cc_safety_net.__version__}-{digest[:8]}"
    root = os.path.join(directories.data, folder)
    bundle_name = f"guard-{interpreter.tag}.bundle"
    front = interpreter.magic.ljust(16, b"\0") + packed.core
    bundle = front + packed.rest
    launch = _launch_text(root, directories, interpreter, bundle_name, front, sources)
    launcher = launcher_text(root, interpreter.path, cc_safety_net.__version__)
    files = {
        LAUNCHER: (launcher.encode("utf-8", "surrogateescape"), 0o700),
        LAUNCH: (launch.encode("ascii"), 0o600),
        bundle_name: (bundle, 0o600),
        SOURCES: (sources, 0o600),
    }
    manifest = {
        "v": 1,
        "version": cc_safety_net.__version__,
        "hash": digest,
        "interpreter": {"path": interpreter.path, "version": interpreter.version},
        "directories": {
            "config": directories.config,
            "state": directories.state,
            "data": directories.data,
        },
        "files": {name: hashlib.sha256(files[name][0]).hexdigest() for name in sorted(files)},
    }
    files[MANIFEST] = (json.dumps(manifest, indent=2).encode("ascii") + b"\n", 0o600)
    return Runtime(folder, cc_safety_net.__version__, digest, interpreter, files)


def read_sources(package: Path) -> dict[str, tuple[str, str]]:
    """Dotted name -> (path inside the artifact, text) of every module on the guard's side."""
    paths = [package / "__init__.py", *(package / "guard").rglob("*.py")]
    paths += [p for p in (package / "agents").rglob("*.py") if p.name != "setup.py"]
    found = {}
    for path in sorted(paths):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ("/".join(path.relative_to(package.parent).parts), path.read_text("utf-8"))
    return found


def _digest_sources(modules: Mapping[str, tuple[str, str]]) -> str:
    own = (Path(__file__), Path(__file__).with_name("launcher.py"))
    parts = [path.read_text("utf-8") for path in own]
    for name, (path, text) in sorted(modules.items()):
        parts += [name, path, text]
    return _hash(parts)


def _digest(sources: str, directories: Directories, interpreter: Interpreter) -> str:
    return _hash(
        [
            sources,
            *(directories.config, directories.state, directories.data),
            *(interpreter.path, interpreter.version, interpreter.tag, interpreter.magic.hex()),
        ]
    )


def _hash(parts: Iterable[str]) -> str:
    data = b"".join(
        len(raw).to_bytes(8, "big") + raw
        for raw in (part.encode("utf-8", "surrogateescape") for part in parts)
    )
    return hashlib.sha256(data).hexdigest()


def pack_sources(modules: Mapping[str, tuple[str, str]]) -> bytes:
    """The modules as source, for an interpreter of another version; the same bytes each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path, text in sorted(modules.values()):
            entry = zipfile.ZipInfo(path, _TIMESTAMP)
            entry.create_system = 3
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, text.encode("utf-8"))
    return out.getvalue()


def pack_modules(modules: Mapping[str, tuple[str, str]]) -> tuple[bytes, bytes]:
    """The modules as code: what every call loads in one piece, and the rest module by module.

    The first: (index of the rest, names of the core, the code that reads all this, the core's).
    """
    # The interpreter shares strings of one character, and marshal notes whether they are interned:
    # by chance, were it not for this.
    for code in range(256):
        sys.intern(chr(code))
    trees = {name: stripped(ast.parse(text)) for name, (_, text) in modules.items()}
    promised = tuple(name for name in PROMISED if name in trees)
    core = core_order(trees, promised)
    for tree in trees.values():
        _defer(tree, trees, promised)
    index: dict[str, tuple[int, int, bytes, bool]] = {}
    rest = []
    position = 0
    for name, (path, _) in sorted(modules.items()):
        blob = b""
        if trees[name].body and name not in core:
            blob = marshal.dumps(_compiled(trees[name], path))
        hashed = source_hash(KEY, blob)
        index[name] = (position, len(blob), hashed, path.endswith("__init__.py"))
        rest.append(blob)
        position += len(blob)
    codes = tuple(
        _compiled(trees[name], modules[name][0]) if trees[name].body else None for name in core
    )
    boot = _compiled(trees[BOOT], modules[BOOT][0])
    return marshal.dumps((index, tuple(core), boot, codes, promised)), b"".join(rest)


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


def _defer(tree: ast.Module, trees: Mapping[str, ast.Module], promised: Collection[str]) -> None:
    """Turn `from promised import function` into a function that fetches it when it is called.

    What is no function is imported as ever, and loads its module at once.
    """
    body: list[ast.stmt] = []
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or not node.module or node.module not in promised:
            body.append(node)
            continue
        functions = {n.name for n in trees[node.module].body if isinstance(n, ast.FunctionDef)}
        others = [alias for alias in node.names if alias.name not in functions]
        if others:
            body.append(ast.ImportFrom(node.module, others, 0))
        for alias in node.names:
            if alias.name in functions:
                own = alias.asname or alias.name
                body += ast.parse(_FETCHED.format(own, node.module, alias.name)).body
    tree.body = body
    ast.fix_missing_locations(tree)


_FETCHED = """\
def {0}(*arguments, **options):
    global {0}
    from {1} import {2} as {0}
    return {0}(*arguments, **options)
"""


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
    """The module without docstrings, annotations and what only type checkers read."""
    _Stripper().visit(tree)
    return ast.fix_missing_locations(tree)


class _Stripper(ast.NodeTransformer):
    """Annotations and docstrings are built at every start, and nothing reads them."""

    def _body(self, node: ast.Module | ast.ClassDef | ast.FunctionDef) -> None:
        first = node.body[0] if node.body else None
        if (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Constant)
            and isinstance(first.value.value, str)
        ):
            del node.body[0]
        self.generic_visit(node)
        if isinstance(node, ast.Module):
            future = [n for n in node.body if isinstance(n, ast.ImportFrom)]
            if future and future[0].module == "__future__":
                node.body.remove(future[0])
        elif not node.body:
            node.body.append(ast.Pass())

    def visit_Module(self, node: ast.Module) -> ast.Module:
        self._body(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self._body(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for argument in (*every, arguments.vararg, arguments.kwarg):
            if argument is not None:
                argument.annotation = None
        self._body(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        self.generic_visit(node)
        return node


_LAUNCH = """\
import sys
if sys.version_info < (3, 11):
    sys.exit(97)
import _imp, gc, marshal, posix
from _frozen_importlib_external import MAGIC_NUMBER
gc.disable()
same = MAGIC_NUMBER == {magic}
name, digest, size = {bundle} if same else {sources}
try:
    file = posix.open({root} + name, posix.O_RDONLY)
    data = posix.read(file, size)
except OSError:
    posix._exit(98)
if _imp.source_hash({key}, data) != digest or same and data[:4] != MAGIC_NUMBER:
    posix._exit(98)
try:
    if same:
        index, names, boot, codes, promised = marshal.loads(memoryview(data)[16:])
        space = {{"__name__": {boot}}}
        exec(boot, space)
        space["load"](file, size, index, names, codes, promised)
    else:
        sys.path.insert(0, {root} + name)
    from cc_safety_net.agents.entry import main
    status = 64 + main(sys.argv[1:], {directories})
except BaseException:
    status = 99
posix._exit(status)
"""


def _launch_text(
    root: str,
    directories: Directories,
    interpreter: Interpreter,
    bundle_name: str,
    front: bytes,
    sources: bytes,
) -> str:
    """What the interpreter runs: by the magic number the compiled file or the sources."""
    return _LAUNCH.format(
        magic=ascii(interpreter.magic),
        bundle=ascii((bundle_name, source_hash(KEY, front), len(front))),
        sources=ascii((SOURCES, source_hash(KEY, sources), len(sources))),
        root=ascii(root + "/"),
        key=KEY,
        boot=ascii(BOOT),
        directories=ascii((directories.config, directories.state, directories.data)),
    )
