"""Applies changes one after the other, so that all of them or none of them remain."""

from __future__ import annotations

import os
import shlex
import stat
from typing import TYPE_CHECKING

from cc_safety_net.errors import AgentCliFailed, Conflict, Refused
from cc_safety_net.install import atomic, recovery
from cc_safety_net.install.edit.editor import splice_between
from cc_safety_net.install.journal import Journal, digest, packed
from cc_safety_net.install.plan import (
    Change,
    Edited,
    FileChange,
    KeepForm,
    RemoveTree,
    RunChange,
    TreeChange,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.system import Ended, System

_ATTEMPTS = 5
_SPLICE_LIMIT = 64 * 1024


#: Variables that a journal may keep: where things are, and switches; no key of any service.
_LASTING = frozenset(("HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"))
_PLACES = ("_HOME", "_DIR", "_DIRS", "_PATH", "APPDATA", "PROFILE")
_SWITCHES = frozenset(("true", "false", "0", "1"))


def lasting(environment: Mapping[str, str]) -> dict[str, str]:
    """What the reversal of a run needs to find of its environment, without anything secret."""
    return {
        name: value
        for name, value in environment.items()
        if name in _LASTING or name.endswith(_PLACES) or value in _SWITCHES
    }


class Transaction:
    """One journal. The caller holds the lock, and ends it by `commit` or `roll_back`.

    made: folders that were made, in order.
    """

    def __init__(self, system: System, state: str) -> None:
        self.system = system
        self.made: list[str] = []
        self._journal = Journal(system, recovery.journal_folder(state))
        self._journal.begin()
        self._number = 0
        #: Files that an agent's program writes anew -> the modes that they had.
        self._modes: dict[str, int] = {}

    def apply(self, change: Change) -> Edited:
        """Do one change; gives what uninstall must know of it."""
        if isinstance(change, FileChange):
            return self._apply_file(change)
        if isinstance(change, RunChange):
            self._run(change)
        elif isinstance(change, TreeChange):
            self._make_tree(change)
        elif isinstance(change, KeepForm):
            self._keep_form(change)
        else:
            self._remove_tree(change)
        return Edited(None)

    def commit(self) -> None:
        """From here on it is done, and is never taken back."""
        self._journal.commit()

    def finish(self) -> list[str]:
        """Tidy up after the commit; what can't be done now is done at the next start."""
        try:
            recovery.finish(self.system, self._journal)
        except OSError as error:
            return [f"leftovers remain until the next start: {error}"]
        return []

    def roll_back(self) -> list[str]:
        return recovery.roll_back(self.system, self._journal)

    def _apply_file(self, change: FileChange) -> Edited:
        conflict: Conflict | None = None
        for _ in range(_ATTEMPTS):
            old = atomic.read(self.system, change.target)
            edited = change.edit(old.content)
            if edited.content == old.content:
                return edited
            try:
                self._write(change, old, edited.content)
            except Conflict as error:
                conflict = error
            else:
                return edited
        assert conflict is not None, change
        raise conflict

    def _write(self, change: FileChange, old: atomic.Snapshot, content: bytes | None) -> None:
        self.make_folders(os.path.dirname(change.target), change.folder_mode)
        self._number += 1
        temporary = atomic.temporary_path(self.system, change.target, self._number)
        step = {
            "kind": "file",
            "path": change.target,
            "temporary": temporary,
            "before": digest(old.content),
            "after": digest(content),
            "mode": old.mode,
            **_splice(old.content, content),
        }
        name = self._journal.record(step, old.content)
        try:
            if content is None:
                atomic.remove(self.system, old)
            else:
                mode = change.mode & ~self.system.umask()
                atomic.replace(self.system, old, content, temporary, mode)
        except atomic.WrittenOver:
            raise
        except Conflict:
            self._journal.drop(name)
            raise
        except OSError as error:
            raise Refused(
                f"{change.path}: can't be written: {(error.strerror or str(error)).lower()}",
                f"make {os.path.dirname(change.path)} writable for you, then try again",
                code="not_writable",
            ) from error

    def make_folders(self, folder: str, mode: int) -> None:
        """Make what is missing of `folder`, each journalled before it is made."""
        if self.system.lstat(folder) is not None:
            return
        self.make_folders(os.path.dirname(folder), mode)
        self._journal.record({"kind": "folder", "path": folder})
        try:
            self.system.mkdir(folder, mode)
        except FileExistsError:
            return
        except OSError as error:
            raise Refused(
                f"{folder}: can't be made: {(error.strerror or str(error)).lower()}",
                f"make {os.path.dirname(folder)} writable for you, then try again",
                code="not_writable",
            ) from error
        self.made.append(folder)

    def vacate(self, folders: Sequence[str]) -> None:
        """Folders that are to go after the commit, those that are empty then."""
        self._journal.record({"kind": "vacated", "folders": list(folders)})

    def _run(self, change: RunChange) -> None:
        self._journal.record(
            {
                "kind": "run",
                "undo": [list(argv) for argv in change.undo],
                "environment": lasting(change.environment),
                "directory": change.directory,
            }
        )
        ended = self.system.run(
            change.argv,
            environment=change.environment,
            directory=change.directory,
            timeout=change.timeout,
        )
        for path, mode in self._modes.items():
            atomic.keep_mode(self.system, path, mode)
        if ended.status != 0 and not _needless(change, ended):
            raise cli_failed(change.argv, change.timeout, ended)

    def _keep_form(self, change: KeepForm) -> None:
        old = atomic.read(self.system, change.path)
        self._number += 1
        temporary = atomic.temporary_path(self.system, change.path, self._number)
        step = {
            "kind": "form",
            "path": change.path,
            "temporary": temporary,
            "mode": old.mode,
            "forget": change.forget,
        }
        self._journal.record(step, old.content)
        if old.content is not None:
            self._modes[change.path] = old.mode

    def _make_tree(self, change: TreeChange) -> None:
        self.make_folders(change.root, 0o700)
        names = self.system.listdir(change.root)
        links = {}
        for name in names:
            path = os.path.join(change.root, name)
            state = self.system.lstat(path)
            if state is not None and stat.S_ISLNK(state.st_mode):
                links[name] = self.system.readlink(path)
        self._journal.record({"kind": "tree", "root": change.root, "names": names, "links": links})
        change.make()

    def _remove_tree(self, change: RemoveTree) -> None:
        if self.system.lstat(change.path) is None:
            return
        folder, name = os.path.split(change.path)
        self._number += 1
        to = os.path.join(
            folder, f"{atomic.TEMPORARY}{self.system.process()}-{self._number}-{name}"
        )
        self._journal.record({"kind": "moved", "from": change.path, "to": to})
        self.system.rename(change.path, to)
        self.system.sync_directory(folder)


def cli_failed(argv: Sequence[str], timeout: float, ended: Ended) -> AgentCliFailed:
    """What to say of an agent's program that failed or hung."""
    command = shlex.join(argv)
    said = ended.tail()
    words = f": {said}" if said else ""
    if ended.status is None:
        return AgentCliFailed(
            f"`{command}` did not end in {timeout:g} s{words}",
            f"run `{command}` by hand to see what it waits for; nothing was changed",
            code="agent_cli_timeout",
        )
    how = f"exit code {ended.status}" if ended.status >= 0 else f"signal {-ended.status}"
    return AgentCliFailed(
        f"`{command}` failed with {how}{words}",
        f"run `{command}` by hand; nothing was changed",
    )


def _needless(change: RunChange, ended: Ended) -> bool:
    said = (ended.stdout + ended.stderr).decode("utf-8", "replace").lower()
    return ended.status is not None and any(text in said for text in change.needless)


def _splice(before: bytes | None, after: bytes | None) -> dict[str, object]:
    """The change as one splice, for a file that others may change before it is taken back."""
    if before is None or after is None:
        return {}
    try:
        splice = splice_between(before.decode("utf-8"), after.decode("utf-8"))
    except UnicodeDecodeError:
        return {}
    if len(splice.inserted) + len(splice.removed) > _SPLICE_LIMIT:
        return {}
    pieces = packed(splice.removed.encode()), packed(splice.inserted.encode())
    return {"splice": [splice.offset, *pieces]}
