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
from functools import cached_property
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
    "cc_safety_net.guard.shell.posix.braces",
    "cc_safety_net.guard.shell.posix.quoting",
)

#: The last fence around a call: agents wait 30 s and then go on.
SECONDS = 20
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


class Runtime:
    """A runtime that can be placed.

    folder: name of the version folder. digest: of all that its bytes depend on. files: name ->
    (content, mode), compiled when they are first asked for, which takes a second.
    """

    def __init__(
        self, directories: Directories, interpreter: Interpreter, packed: Packed | None = None
    ) -> None:
        self._modules = read_sources(Path(cc_safety_net.__file__).parent)
        self._directories = directories
        self._packed = packed
        self.interpreter = interpreter
        self.version = cc_safety_net.__version__
        self.digest = _digest(_digest_sources(self._modules), directories, interpreter)
        self.folder = f"{self.version}-{self.digest[:8]}"

    @cached_property
    def files(self) -> Mapping[str, tuple[bytes, int]]:
        packed = self._packed or pack(self._modules)
        root = os.path.join(self._directories.data, self.folder)
        interpreter = self.interpreter
        bundle_name = f"guard-{interpreter.tag}.bundle"
        front = interpreter.magic.ljust(16, b"\0") + packed.core
        launch = _launch_text(
            root, self._directories, interpreter, bundle_name, front, packed.sources
        )
        launcher = launcher_text(root, interpreter.path, self.version)
        files = {
            LAUNCHER: (launcher.encode("utf-8", "surrogateescape"), 0o700),
            LAUNCH: (launch.encode("ascii"), 0o600),
            bundle_name: (front + packed.rest, 0o600),
            SOURCES: (packed.sources, 0o600),
        }
        files[MANIFEST] = (self._manifest(files), 0o600)
        return files

    def _manifest(self, files: Mapping[str, tuple[bytes, int]]) -> bytes:
        manifest = {
            "v": 1,
            "version": self.version,
            "hash": self.digest,
            "interpreter": {"path": self.interpreter.path, "version": self.interpreter.version},
            "directories": {
                "config": self._directories.config,
                "state": self._directories.state,
                "data": self._directories.data,
            },
            "files": {name: hashlib.sha256(files[name][0]).hexdigest() for name in sorted(files)},
        }
        return json.dumps(manifest, indent=2).encode("ascii") + b"\n"


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
    """The guard's side: what every call loads and the rest, as code for this version; sources."""

    core: bytes
    rest: bytes
    sources: bytes


def pack(modules: Mapping[str, tuple[str, str]] | None = None) -> Packed:
    modules = modules or read_sources(Path(cc_safety_net.__file__).parent)
    return Packed(*pack_modules(modules), pack_sources(modules))


def build(
    directories: Directories,
    interpreter: Interpreter | None = None,
    *,
    packed: Packed | None = None,
) -> Runtime:
    """The runtime for these directories.

    interpreter: of the same minor version as this one, since the code is compiled here.
    packed: made before, of the same sources.
    """
    return Runtime(directories, interpreter or this_interpreter(), packed)


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
            body.append(ast.copy_location(ast.ImportFrom(node.module, others, 0), node))
        for alias in node.names:
            if alias.name in functions:
                own = alias.asname or alias.name
                body += ast.parse(_FETCHED.format(own, node.module, alias.name)).body
    tree.body = body


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


_LAUNCH = """\
import sys
if sys.version_info < (3, 11):
    sys.exit(97)
import _imp, _signal, gc, marshal, posix
from _frozen_importlib_external import MAGIC_NUMBER
gc.disable()
_signal.alarm({seconds})
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
        seconds=SECONDS,
        key=KEY,
        boot=ascii(BOOT),
        directories=ascii((directories.config, directories.state, directories.data)),
    )
