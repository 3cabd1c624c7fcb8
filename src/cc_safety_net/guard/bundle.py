"""Imports the guard's modules out of one file: an index of names and their compiled code.

The first module that the launched process gets. What every call needs stands in front and is
loaded by a loop; the rest is read, and compared with its hash, when a call needs it.
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

    #: Start and length in the file, hash, package; the core has no place of its own.
    Entry: TypeAlias = tuple[int, int, bytes, bool]

KEY = 0


class Bundle:  # not of importlib.abc: its import is what this saves
    """Finder and loader in one. file: descriptor. base: where the entries are counted from."""

    __slots__ = ("_base", "_file", "_index")

    def __init__(self, file: int, base: int, index: Mapping[str, Entry]) -> None:
        self._file = file
        self._base = base
        self._index = index

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return self._spec(name) if name in self._index else None

    def _spec(self, name: str) -> ModuleSpec:
        loader: Any = self
        return ModuleSpec(name, loader, is_package=self._index[name][3])

    def create_module(self, _: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        start, length, digest, _ = self._index[module.__name__]
        if not length:
            return
        data = pread(self._file, length, self._base + start)
        if source_hash(KEY, data) != digest:
            raise ImportError(f"the runtime is damaged: {module.__name__}")
        exec(marshal.loads(data), module.__dict__)  # noqa: S102, S302

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
        package = self._index[name][3]
        head, _, last = name.rpartition(".")
        space = module.__dict__
        space["__spec__"] = self._spec(name)
        space["__loader__"] = self
        space["__package__"] = name if package else head
        if package:
            space["__path__"] = []
        if head:
            # A promised module can come before its package, which then finds it by its name.
            parent = sys.modules.get(head)
            if parent is not None:
                setattr(parent, last, module)
        return module

    def register(self, names: Sequence[str], codes: Sequence[CodeType | None]) -> None:
        """Load modules in this order (each after what it imports), past the import machinery."""
        for name, code in zip(names, codes, strict=True):
            module = self._new(name)
            if code is not None:
                exec(code, module.__dict__)  # noqa: S102 - our own code, compared with its hash


def load(
    file: int,
    base: int,
    index: Mapping[str, Entry],
    names: Sequence[str],
    codes: Sequence[CodeType | None],
    promised: Sequence[str],
) -> None:
    """Make the modules of a bundle importable, and load its core."""
    bundle = Bundle(file, base, index)
    finders: list[Any] = sys.meta_path
    finders.insert(0, bundle)
    bundle.promise(promised)
    bundle.register(names, codes)
