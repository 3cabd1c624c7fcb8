"""Builds the runtime: the guard as one file of compiled code, and what starts it.

The bytes depend on the sources, the interpreter and our directories only. `launcher.py` writes
the launcher's text, `placement.py` puts the result on the disk.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import os
import sys
import zipfile
from _imp import source_hash
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import cc_safety_net
from cc_safety_net.guard.bundle import KEY
from cc_safety_net.install.launcher import launcher_text
from cc_safety_net.install.packing import BOOT, pack_modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LAUNCHER = "cc-safety-net"
LAUNCH = "launch.py"
SOURCES = "guard.zip"
MANIFEST = "manifest.json"

#: What the guard does not need of an agent's folder.
MANAGERS = ("setup.py", "lint.py")
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
    paths += [p for p in (package / "agents").rglob("*.py") if p.name not in MANAGERS]
    found = {}
    for path in sorted(paths):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ("/".join(path.relative_to(package.parent).parts), path.read_text("utf-8"))
    return found


def _digest_sources(modules: Mapping[str, tuple[str, str]]) -> str:
    own = ("runtime.py", "launcher.py", "packing.py", "late.py", "everyday.py")
    parts = [Path(__file__).with_name(name).read_text("utf-8") for name in own]
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
        index, boot, core, promised = marshal.loads(memoryview(data)[16:])
        space = {{"__name__": {boot}}}
        exec(boot, space)
        space["load"](file, size, index, core, promised)
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
