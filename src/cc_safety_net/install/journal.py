"""The record of what a transaction has begun, kept so that it can be taken back after a kill.

A step is written, with the original beside it, and synced before its effect begins. A step that
can't be parsed was never begun. With the file `committed` there is nothing to take back.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from typing import TYPE_CHECKING

from cc_safety_net.install import atomic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.install.system import System

Step = dict[str, object]

_COMMITTED = "committed"


def digest(content: bytes | None) -> str:
    """A file's content in the journal; "" for no file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


class Journal:
    """One folder. Only the holder of the lock writes here."""

    def __init__(self, system: System, folder: str) -> None:
        self.system = system
        self.folder = folder
        self._number = 0

    def exists(self) -> bool:
        return self.system.lstat(self.folder) is not None

    def begin(self) -> None:
        self.system.mkdir(self.folder, 0o700)
        self.system.sync_directory(os.path.dirname(self.folder))

    def record(self, step: Mapping[str, object], original: bytes | None = None) -> str:
        """Name of the step, once it is on the disk."""
        self._number += 1
        name = f"{self._number:04}.json"
        if original is not None:
            self._write(f"{self._number:04}.old", original)
        self._write(name, json.dumps(step).encode())
        self.system.sync_directory(self.folder)
        return name

    def drop(self, name: str) -> None:
        """Forget a step that never began, or is taken back; its original goes after it."""
        self.system.unlink(os.path.join(self.folder, name))
        original = os.path.join(self.folder, _original(name))
        if self.system.lstat(original) is not None:
            self.system.unlink(original)
        self.system.sync_directory(self.folder)

    def commit(self) -> None:
        try:
            self._write(_COMMITTED, b"")
            self.system.sync_directory(self.folder)
        except BaseException:
            if self.committed():
                self.system.unlink(os.path.join(self.folder, _COMMITTED))
            raise

    def committed(self) -> bool:
        return _COMMITTED in self.system.listdir(self.folder)

    def steps(self) -> list[tuple[str, Step, bytes | None]]:
        """Names of steps, the last one first, with what they say and their originals."""
        found: list[tuple[str, Step, bytes | None]] = []
        for name in reversed(self.system.listdir(self.folder)):
            if not name.endswith(".json"):
                continue
            entry = self.system.read(os.path.join(self.folder, name))
            try:
                step = json.loads(entry[0]) if entry else None
            except ValueError:
                continue
            if isinstance(step, dict):
                original = self.system.read(os.path.join(self.folder, _original(name)))
                found.append((name, step, original[0] if original else None))
        return found

    def clear(self) -> None:
        """Remove it all; `committed` last, so that a kill in between changes nothing."""
        names = self.system.listdir(self.folder)
        for name in sorted(names, key=lambda name: (name == _COMMITTED, name)):
            self.system.unlink(os.path.join(self.folder, name))
        self.system.rmdir(self.folder)
        self.system.sync_directory(os.path.dirname(self.folder))

    def _write(self, name: str, content: bytes) -> None:
        path = os.path.join(self.folder, name)
        self.system.create(path, content, atomic.PRIVATE_FILE_MODE, None)


def _original(name: str) -> str:
    return name.removesuffix(".json") + ".old"


def packed(text: bytes) -> str:
    return base64.b64encode(text).decode("ascii")


def unpacked(text: str) -> bytes:
    return base64.b64decode(text)
