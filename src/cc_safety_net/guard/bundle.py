"""Imports the guard's modules out of one file: an index of names and their compiled code.

The first module that the launched process gets; what a call does not need is never unmarshalled.
"""

from __future__ import annotations

import marshal
import sys
from _frozen_importlib import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType
    from typing import Any


class Bundle:  # not of importlib.abc: its import is what this saves
    """Finder and loader in one. index: name -> (start, end, package)."""

    __slots__ = ("_data", "_index")

    def __init__(self, data: memoryview, index: Mapping[str, tuple[int, int, bool]]) -> None:
        self._data = data
        self._index = index

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        entry = self._index.get(name)
        return None if entry is None else self._spec(name)

    def _spec(self, name: str) -> ModuleSpec:
        loader: Any = self
        return ModuleSpec(name, loader, is_package=self._index[name][2])

    def create_module(self, _: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        start, end, _ = self._index[module.__name__]
        if start < end:
            exec(marshal.loads(self._data[start:end]), module.__dict__)  # noqa: S102, S302

    def register(self, names: Sequence[str]) -> None:
        """Load modules in this order (each after what it imports), past the import machinery."""
        modules = sys.modules
        new = type(sys)
        for name in names:
            start, end, package = self._index[name]
            module = modules[name] = new(name)
            head, _, last = name.rpartition(".")
            space = module.__dict__
            space["__spec__"] = self._spec(name)
            space["__loader__"] = self
            space["__package__"] = name if package else head
            if package:
                space["__path__"] = []
            if start < end:
                exec(marshal.loads(self._data[start:end]), space)  # noqa: S102, S302
            if head:
                setattr(modules[head], last, module)


def load(data: memoryview, index: Mapping[str, tuple[int, int, bool]], core: Sequence[str]) -> None:
    """Make the modules of a bundle importable, and load its core."""
    bundle = Bundle(data, index)
    sys.meta_path.insert(0, bundle)
    bundle.register(core)
