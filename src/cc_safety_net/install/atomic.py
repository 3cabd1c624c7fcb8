"""Replaces one file so that it is at every moment wholly old or wholly new.

Nothing here knows what is in the file. Temporary files stand in the target's folder, carry our
prefix and the pid, and are named before they are made, so that a journal can find them.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.errors import Conflict, Refused

if TYPE_CHECKING:
    from cc_safety_net.install.system import System

TEMPORARY = ".cc-safety-net-"
NEW_FILE_MODE = 0o644
PRIVATE_FILE_MODE = 0o600
#: How often somebody may write within microseconds before we no longer give the newest back.
_TURNS = 1000


class WrittenOver(Conflict):
    """Somebody wrote the file just after us: our bytes were there, theirs are now."""


@dataclass(frozen=True)
class Snapshot:
    """A file as it was read: `content` is None if there was none."""

    path: str
    content: bytes | None
    mode: int = 0
    owner: tuple[int, int] = (0, 0)
    inode: tuple[int, int] = (0, 0)


def read(system: System, path: str) -> Snapshot:
    """The file at `path`, which must be regular, the user's own, and have one name."""
    found = system.read(path)
    if found is None:
        return Snapshot(path, None)
    content, state = found
    if state.st_uid != system.user():
        raise Refused(f"{path}: belongs to another user (uid {state.st_uid})", code="owner")
    if state.st_nlink > 1:
        raise Refused(
            f"{path}: has {state.st_nlink} hard links, replacing it would part them",
            "replace the hard link by a copy or a symbolic link",
            code="hard_link",
        )
    return Snapshot(
        path,
        content,
        stat.S_IMODE(state.st_mode),
        (state.st_uid, state.st_gid),
        (state.st_dev, state.st_ino),
    )


def temporary_path(system: System, path: str, number: int) -> str:
    """The name of the temporary file that `replace` will use."""
    name = f"{TEMPORARY}{system.process()}-{number}.tmp"
    return os.path.join(os.path.dirname(path), name)


def replace(system: System, old: Snapshot, content: bytes, temporary: str, mode: int) -> None:
    """Put `content` where `old` was read; mode: for a file that was not there.

    Raises `Conflict` if anybody changed the file since, and leaves theirs.
    """
    fresh = old.content is None
    folder = os.path.dirname(old.path)
    try:
        system.create(temporary, content, mode if fresh else old.mode, None if fresh else old.owner)
        require_unchanged(system, old)
        if fresh:
            system.rename_new(temporary, old.path)
            exchanged = False
        else:
            exchanged = system.exchange(temporary, old.path)
            if not exchanged:
                system.rename(temporary, old.path)
    except FileExistsError as error:
        _discard(system, temporary)
        raise Conflict(f"{old.path}: was made by another program while we worked") from error
    except BaseException:
        _discard(system, temporary)
        raise
    if exchanged:
        _require_ours_only(system, old, content, temporary)
    system.sync_directory(folder)
    now = system.read(old.path)
    if now is None or now[0] != content:
        raise WrittenOver(f"{old.path}: changed by another program just after it was written")


def _require_ours_only(system: System, old: Snapshot, content: bytes, temporary: str) -> None:
    """What we swapped out must be what we read; else it is swapped in again.

    So not even a write between our last look and the exchange is lost.
    """
    out = system.read(temporary)
    if out is not None and out[0] == old.content and _inode(out[1]) == old.inode:
        system.unlink(temporary)
        return
    _give_back(system, old.path, content, temporary)
    _discard(system, temporary)
    raise Conflict(f"{old.path}: changed by another program while we worked", "try again")


def _give_back(system: System, path: str, placed: bytes, temporary: str) -> None:
    """Change places until nobody has written in between: what they wrote last belongs there.

    placed: what we have put there.
    """
    for _ in range(_TURNS):
        back = system.read(temporary)
        try:
            system.exchange(temporary, path)
        except FileNotFoundError:
            return  # They have removed it: their word is the last.
        out = system.read(temporary)
        if back is None or out is None or out[0] == placed:
            return
        placed = back[0]


def _inode(state: os.stat_result) -> tuple[int, int]:
    return state.st_dev, state.st_ino


def remove(system: System, old: Snapshot) -> None:
    """Delete the file that was read as `old`."""
    require_unchanged(system, old)
    system.unlink(old.path)
    system.sync_directory(os.path.dirname(old.path))


def keep_mode(system: System, path: str, mode: int) -> None:
    """The mode that a file had, where somebody who wrote it anew has given it another."""
    now = read(system, path)
    if now.content is not None and now.mode != mode:
        system.chmod(path, mode)


def require_unchanged(system: System, old: Snapshot) -> None:
    now = read(system, old.path)
    if (now.content, now.inode) != (old.content, old.inode):
        raise Conflict(
            f"{old.path}: changed by another program while we worked", "run the command again"
        )


def _discard(system: System, path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        # Not made yet, or the folder can't be written any more: the first error is the one to
        # report, and the journal names this file for the next start.
        return
