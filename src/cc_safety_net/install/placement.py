"""Puts a built runtime on the disk, makes it the current one, looks after the placed ones."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cc_safety_net.errors import Refused
from cc_safety_net.install.runtime import LAUNCHER, MANIFEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.install.runtime import Runtime

CURRENT = "current"
TEMPORARY = ".new-"
REPLACED = ".old-"


@dataclass(frozen=True)
class Placed:
    """A runtime on the disk. folder: absolute. manifest: as written by the build."""

    folder: str
    manifest: Mapping[str, Any]


def launcher_path(data: str) -> str:
    """What entries call: a path that stays the same over versions."""
    return os.path.join(data, CURRENT, LAUNCHER)


def place(runtime: Runtime, data: str) -> str:
    """Put the runtime into its version folder, whole or not at all; its path.

    A folder that already holds these bytes is left alone, a damaged one is replaced.
    """
    os.makedirs(data, mode=0o700, exist_ok=True)
    if os.path.islink(data):
        raise Refused(f"{data} is a symbolic link", "move it away and put a directory there")
    final = os.path.join(data, runtime.folder)
    if os.path.lexists(final) and not problems(final) and _same_hash(final, runtime.digest):
        return final
    temporary = os.path.join(data, f"{TEMPORARY}{os.getpid()}-{runtime.folder}")
    shutil.rmtree(temporary, ignore_errors=True)
    os.mkdir(temporary, 0o700)
    try:
        for name, (content, mode) in runtime.files.items():
            _write(os.path.join(temporary, name), content, mode)
        _sync_directory(temporary)
        replaced = ""
        if os.path.lexists(final):
            replaced = os.path.join(data, f"{REPLACED}{os.getpid()}-{runtime.folder}")
            os.rename(final, replaced)
        os.rename(temporary, final)
        _sync_directory(data)
        if replaced:
            _remove(replaced)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return final


def _write(path: str, content: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    try:
        os.fchmod(descriptor, mode)
        left = memoryview(content)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_directory(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def activate(folder: str, data: str) -> str:
    """Make `folder` the current runtime by one rename; name of the one before, "" if none."""
    link = os.path.join(data, CURRENT)
    before = ""
    if os.path.islink(link):
        before = os.readlink(link)
    elif os.path.lexists(link):
        raise Refused(f"{link} is no symbolic link of ours", "move it away")
    target = os.path.basename(folder)
    if before != target:
        temporary = os.path.join(data, f"{TEMPORARY}{os.getpid()}-{CURRENT}")
        if os.path.lexists(temporary):
            os.unlink(temporary)
        os.symlink(target, temporary)
        os.rename(temporary, link)
        _sync_directory(data)
    return before


def current(data: str) -> Placed | None:
    """The current runtime; None if there is none or its manifest can't be read."""
    folder = os.path.join(data, CURRENT)
    manifest = _manifest(folder)
    return None if manifest is None else Placed(os.path.realpath(folder), manifest)


def problems(folder: str) -> list[str]:
    """What is wrong with a placed runtime: missing, changed, or not executable files."""
    manifest = _manifest(folder)
    if manifest is None:
        return [f"{os.path.join(folder, MANIFEST)}: missing or unreadable"]
    found = []
    for name, expected in manifest["files"].items():
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file:
                actual = hashlib.sha256(file.read()).hexdigest()
        except (OSError, ValueError) as error:
            found.append(f"{path}: {getattr(error, 'strerror', '') or 'unreadable'}")
            continue
        if actual != expected:
            found.append(f"{path}: its content is not what was installed")
    if not os.access(os.path.join(folder, LAUNCHER), os.X_OK):
        found.append(f"{os.path.join(folder, LAUNCHER)}: not executable")
    return found


def _same_hash(folder: str, digest: str) -> bool:
    manifest = _manifest(folder)
    return manifest is not None and manifest.get("hash") == digest


def _manifest(folder: str) -> Mapping[str, Any] | None:
    try:
        with open(os.path.join(folder, MANIFEST), "rb") as file:
            manifest = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), dict):
        return None
    return manifest


def remove_others(data: str, keep: str) -> list[str]:
    """Remove all runtimes but those in `keep` and the current one; names of the removed.

    Run it after the entries have moved: a call that has started in an old runtime reads there.
    """
    kept = {os.path.basename(keep), _current_name(data)}
    return [name for name in _folders(data) if name not in kept and _remove(f"{data}/{name}")]


def remove_all(data: str) -> list[str]:
    """Remove launcher and runtimes; the data directory too if nothing else is left in it."""
    link = os.path.join(data, CURRENT)
    removed = []
    if os.path.islink(link):
        os.unlink(link)
        removed.append(CURRENT)
    removed += [name for name in _folders(data) if _remove(os.path.join(data, name))]
    if os.path.isdir(data) and not os.listdir(data):
        os.rmdir(data)
    return removed


def leftovers(data: str) -> list[str]:
    """Temporary folders of an installation that did not come to its end."""
    if not os.path.isdir(data):
        return []
    return sorted(n for n in os.listdir(data) if n.startswith((TEMPORARY, REPLACED)))


def _current_name(data: str) -> str:
    link = os.path.join(data, CURRENT)
    return os.readlink(link) if os.path.islink(link) else ""


def _folders(data: str) -> list[str]:
    """Folders in `data` that a build of ours has made."""
    if not os.path.isdir(data):
        return []
    names = sorted(os.listdir(data))
    return [n for n in names if _manifest(os.path.join(data, n)) and n != CURRENT] + leftovers(data)


def _remove(path: str) -> bool:
    if os.path.islink(path) or not os.path.isdir(path):
        os.unlink(path)
    else:
        shutil.rmtree(path)
    return True
