"""Temporary files and folders of ours that no journal names any more, left by a kill.

Their names tell the process that made them: only those of processes that have ended are taken
away, and nothing that looks otherwise.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from typing import TYPE_CHECKING

from cc_safety_net.install import atomic, placement, recovery

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.install.system import System

_FILE = re.compile(re.escape(atomic.TEMPORARY) + r"(\d+)-\d+\.tmp(?:-undo)?", re.ASCII)
_MOVED = re.compile(re.escape(atomic.TEMPORARY) + r"(\d+)-\d+-.+", re.ASCII)
#: Only where nothing but ours stands: a runtime on its way in or out, a link on its way in.
_PLACED = re.compile(
    f"(?:{re.escape(placement.TEMPORARY)}|{re.escape(placement.REPLACED)})" + r"(\d+)-.+", re.ASCII
)


def find(system: System, folders: Iterable[str], own: Iterable[str]) -> list[str]:
    """Left-over names. folders: of other people's files too. own: those that are ours alone."""
    alone = set(own)
    found = []
    for folder in sorted({*folders, *alone}):
        forms = (_FILE, _MOVED, *((_PLACED,) if folder in alone else ()))
        for name in system.listdir(folder):
            path = os.path.join(folder, name)
            match = next(filter(None, (form.fullmatch(name) for form in forms)), None)
            if match is not None and _is_left(system, path, int(match[1]), match.re):
                found.append(path)
    return found


def _is_left(system: System, path: str, process: int, form: re.Pattern[str]) -> bool:
    state = system.lstat(path)
    if state is None or state.st_uid != system.user():
        return False
    if form is _FILE and not stat.S_ISREG(state.st_mode):
        return False
    return not system.runs(process)


def remove(system: System, paths: Iterable[str]) -> list[str]:
    """What is to be told; a name that can't be removed stays, and stops nobody."""
    gone = []
    for path in paths:
        with contextlib.suppress(OSError):
            recovery.remove_tree(system, path)
            gone.append(path)
    return [f"left by an installation that was killed, and removed: {', '.join(gone)}"] * bool(gone)
