"""One lock for everything that changes an installation: flock on a file in the state folder.

The file is removed before the lock is let go, so a waiter checks that what it locked is still
what the name stands for.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.errors import Busy, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

NAME = "install.lock"
WAIT_SECONDS = 60.0
_PAUSE = 0.02


@dataclass(frozen=True)
class Held:
    """made: folders that were made for the lock; whoever holds it may add others.

    descriptor: of the lock; a process that inherits it holds the lock too.
    """

    made: list[str]
    descriptor: int


@contextlib.contextmanager
def held(
    folder: str,
    *,
    wait: float = WAIT_SECONDS,
    waiting: Callable[[str], None] = lambda holder: None,  # noqa: ARG005 - nobody listens
) -> Iterator[Held]:
    """Hold the lock; at the end the folders of `made` go if they are empty.

    waiting: called once with the pid of the holder, if there is one.
    """
    path = os.path.join(folder, NAME)
    made: list[str] = []
    try:
        descriptor = _acquire(path, made, time.monotonic() + wait, waiting)
    except BaseException:
        _remove_empty(made)
        raise
    try:
        yield Held(made, descriptor)
    finally:
        # While it is still locked: whoever waits sees that the name has gone, and starts anew.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        _remove_empty([*made, folder])
        os.close(descriptor)


def _remove_empty(folders: Iterable[str]) -> None:
    for empty in sorted({*folders}, key=len, reverse=True):
        # Not empty: an installation stands there now, or somebody else uses it.
        with contextlib.suppress(OSError):
            os.rmdir(empty)


def _acquire(path: str, made: list[str], deadline: float, waiting: Callable[[str], None]) -> int:
    told = False
    while True:
        descriptor = _open(path, made)
        if descriptor is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass  # Somebody holds it; below we wait.
            else:
                if _still_named(descriptor, path):
                    _sign(descriptor, path)
                    return descriptor
                os.close(descriptor)
                continue
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            if not told:
                told = True
                waiting(holder)
            if time.monotonic() > deadline:
                raise Busy(
                    f"another installation is running (process {holder or 'unknown'})",
                    f"wait for it, or end process {holder}" if holder else "try again",
                )
            time.sleep(_PAUSE)


def _sign(descriptor: int, path: str) -> None:
    """Say who holds the lock; where that can't be written, it is let go."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    except OSError as error:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.close(descriptor)
        error.filename = path
        raise


def _open(path: str, made: list[str]) -> int | None:
    """None if the folder was removed by another process at this moment."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        _make_folders(os.path.dirname(path), made)
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(
            f"{path}: {(error.strerror or str(error)).lower()}",
            "make the folder writable for you, or set XDG_STATE_HOME",
            code="state_not_writable",
        ) from error


def _make_folders(folder: str, made: list[str]) -> None:
    if os.path.isdir(folder):
        return
    _make_folders(os.path.dirname(folder), made)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        return
    if folder not in made:
        made.append(folder)


def _still_named(descriptor: int, path: str) -> bool:
    mine = os.fstat(descriptor)
    try:
        named = os.lstat(path)
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino)
