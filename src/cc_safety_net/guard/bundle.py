"""Imports the guard's modules out of one file: an index of names and their compiled code.

The first module that the launched process gets. What every call needs stands in front and is
loaded by a loop; the rest is read, and compared with its hash, when a call needs it: whole modules,
and single functions and classes of the core (`install/late.py` says how they are moved).
"""

from __future__ import annotations

import marshal
import sys
from _frozen_importlib import ModuleSpec
from _imp import source_hash
from posix import pread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import CodeType, ModuleType
    from typing import Any, TypeAlias

    #: Four bytes each: start in the file, length of the code and of the late parts behind it (the
    #: core has such parts only); eight each: their hashes; one: it is a package.
    Entry: TypeAlias = bytes
    #: Name; (module, its name there, own name) one behind the other; code.
    Core: TypeAlias = tuple[str, tuple[str, ...], CodeType | None]

KEY = 0


class Bundle:  # not of importlib.abc: its import is what this saves
    """Finder and loader in one. file: descriptor. base: where the entries are counted from."""

    __slots__ = ("_base", "_file", "_index", "_late", "_method", "_names", "_parts")

    def __init__(self, file: int, base: int, index: Mapping[str, Entry]) -> None:
        self._file = file
        self._base = base
        self._index = index
        self._names = tuple(index)
        self._parts: dict[str, Mapping[str, CodeType | str]] = {}
        self._late = type(sys)("late")
        # A method must be a function: bound to the bundle it would not be bound to an object.
        self._method = lambda instance, name: self._late_method(instance, name)  # noqa: PLW0108
        self._late.__dict__["__getattr__"] = self._fetch

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name not in self._index:
            return None
        loader: Any = self
        return ModuleSpec(name, loader, is_package=self._index[name][28] == 1)

    def create_module(self, _: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        code: Any = self._read(module.__name__)
        if code is not None:
            self._equip(module)
            exec(code, module.__dict__)  # noqa: S102 - our own code, compared with its hash

    def _equip(self, module: ModuleType) -> dict[str, Any]:
        """Give the module what `install/late.py` has put into its code."""
        space = module.__dict__
        space["_late"] = self._late
        space["_stub"] = self._stub
        space["_method"] = self._method
        space["__getattr__"] = self._taker(module)
        return space

    def _read(self, name: str, *, late: bool = False) -> Any:
        """The module's code or its late parts, None if there is none."""
        entry = self._index[name]
        start = int.from_bytes(entry[:4], "little") + self._base
        length = int.from_bytes(entry[4:8], "little")
        digest = entry[12:20]
        if late:
            start += length
            length = int.from_bytes(entry[8:12], "little")
            digest = entry[20:28]
        if not length:
            return None
        data = pread(self._file, length, start)
        if source_hash(KEY, data) != digest:
            raise ImportError(f"the runtime is damaged: {name}")
        return marshal.loads(data)  # noqa: S302 - compared with its hash

    def promise(self, names: Sequence[str]) -> None:
        """Modules that are there by name, and are loaded when something is first taken out."""
        for name in names:
            module = self._new(name)
            module.__dict__["__getattr__"] = self._keeper(module)

    def _keeper(self, module: ModuleType) -> Callable[[str], Any]:
        def take(attribute: str) -> Any:
            if module.__dict__.pop("__getattr__", None) is not None:
                self.exec_module(module)
                return getattr(module, attribute)
            raise AttributeError(f"{module.__name__} has no {attribute}")

        return take

    def _new(self, name: str) -> ModuleType:
        module = sys.modules[name] = type(sys)(name)
        package = self._index[name][28]
        head, _, last = name.rpartition(".")
        space = module.__dict__
        space["__loader__"] = self
        space["__package__"] = name if package else head
        if package:
            space["__path__"] = []
        if head:
            # A promised module can come before its package, which then finds it by its name.
            parent = sys.modules.get(head)
            if parent is not None:
                parent.__dict__[last] = module
        return module

    def register(self, core: Sequence[Core]) -> None:
        """Load modules in this order (each after what it imports), past the import machinery."""
        modules = sys.modules
        for name, links, code in core:
            module = self._new(name)
            if code is None:
                continue
            space = self._equip(module)
            each = iter(links)
            for source, attribute, own in zip(each, each, each, strict=True):
                found = modules[source]
                space[own] = found.__dict__[attribute] if attribute else found
            exec(code, space)  # noqa: S102 - our own code, compared with its hash

    def _taker(self, module: ModuleType) -> Callable[[str], Any]:
        """Finds late parts of a module, asked for from outside."""

        def take(attribute: str) -> Any:
            # The import machinery asks for names with underscores.
            part = None if attribute[:2] == "__" else self._part(module.__name__, attribute)
            if part is None:
                raise AttributeError(f"{module.__name__} has no {attribute}")
            space = module.__dict__
            if isinstance(part, str):
                space[attribute] = getattr(self._late, part)
            else:
                exec(part, space)  # noqa: S102 - our own code, compared with its hash
            return space[attribute]

        return take

    def _part(self, name: str, own: str) -> CodeType | str | None:
        parts = self._parts.get(name)
        if parts is None:
            parts = self._parts[name] = self._read(name, late=True) or {}
        return parts.get(own)

    def _late_method(self, instance: Any, name: str) -> Any:
        """A method of a class of ours that is used for the first time."""
        for kind in type(instance).__mro__:
            if name in kind.__dict__.get("_late_methods", ()):
                part: Any = self._part(kind.__module__, f"{kind.__name__}.{name}")
                space: dict[str, Any] = {}
                exec(part, sys.modules[kind.__module__].__dict__, space)  # noqa: S102 - our own code
                setattr(kind, name, space[name])
                return getattr(instance, name)
        raise AttributeError(f"{type(instance).__name__} has no {name}")

    def _fetch(self, key: str) -> Any:
        """What a key stands for: `NUMBER:NAME` of a module in the index and of what it holds."""
        number, _, attribute = key.partition(":")
        if not number.isdigit():
            raise AttributeError(key)
        name = self._names[int(number)]
        if name not in sys.modules:
            __import__(name)
        module = sys.modules[name]
        found = getattr(module, attribute) if attribute else module
        self._late.__dict__[key] = found
        return found

    def _stub(self, key: str) -> Callable[..., Any]:
        """A late function in a table of the core."""
        late = self._late

        def call(*arguments: Any, **options: Any) -> Any:
            return getattr(late, key)(*arguments, **options)

        return call


def load(
    file: int,
    base: int,
    index: Mapping[str, Entry],
    core: Sequence[Core],
    promised: Sequence[str],
) -> None:
    """Make the modules of a bundle importable, and load its core."""
    bundle = Bundle(file, base, index)
    finders: list[Any] = sys.meta_path
    finders.insert(0, bundle)
    bundle.promise(promised)
    bundle.register(core)
