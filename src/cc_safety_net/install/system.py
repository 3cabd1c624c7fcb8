"""The only door to the file system and to processes, for everything the manager does.

`System` is the real one; `ReadOnly` proves that a command only reads.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import signal
import stat
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.errors import Refused, SafetyNetError
from cc_safety_net.install.process import finish

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

READ_LIMIT = 16 * 1024 * 1024
#: AT_FDCWD, RENAME_NOREPLACE and RENAME_EXCHANGE of Linux.
_HERE = -100
_NO_REPLACE = 1
_EXCHANGE = 2


@dataclass(frozen=True)
class Ended:
    """How a process ended. status: exit code, minus the signal, or None after a time-out."""

    status: int | None
    stdout: bytes
    stderr: bytes

    def tail(self, limit: int = 400) -> str:
        """The last words of the process, for an error message."""
        text = (self.stderr.strip() or self.stdout.strip()).decode("utf-8", "replace")
        return text[-limit:]


class System:
    """The real file system and real processes.

    kept_open: descriptors that a program which changes something inherits: the lock's, so that
    the lock holds as long as the program runs, even if we are killed meanwhile.
    started, ended: told of each program, with its time limit.
    """

    kept_open: tuple[int, ...] = ()
    started: Callable[[Sequence[str], float], None] | None = None
    ended: Callable[[], None] | None = None
    _running: tuple[subprocess.Popen[bytes], ...] = ()
    _stopped = False

    def user(self) -> int:
        return os.geteuid()

    def process(self) -> int:
        return os.getpid()

    def runs(self, process: int) -> bool:
        """Whether another process with that number is there."""
        if process in {0, os.getpid()}:
            return False
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True
        return True

    def umask(self) -> int:
        mask = os.umask(0o077)
        os.umask(mask)
        return mask

    def lstat(self, path: str) -> os.stat_result | None:
        """None if there is nothing at `path`."""
        try:
            return os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def readlink(self, path: str) -> str:
        return os.readlink(path)

    def listdir(self, path: str) -> list[str]:
        """Sorted names; empty if there is no such directory."""
        try:
            return sorted(os.listdir(path))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def writable(self, path: str) -> bool:
        """By permission and by intent: root could write a file that its owner made read-only."""
        state = os.stat(path)
        needed = os.W_OK | os.X_OK if stat.S_ISDIR(state.st_mode) else os.W_OK
        return bool(state.st_mode & 0o222) and os.access(path, needed)

    def executable(self, path: str) -> bool:
        return os.path.isfile(path) and os.access(path, os.X_OK)

    def read(self, path: str) -> tuple[bytes, os.stat_result] | None:
        """Bytes and fstat of a regular file that is no link; None if there is nothing.

        The descriptor is judged, never the name, so that a swap in between changes nothing.
        O_NONBLOCK: opening a FIFO must not hang.
        """
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(path, flags)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise Refused(f"{path}: is a symbolic link", code="link") from error
            raise Refused(f"{path}: {_reason(error)}", _permission_hint(error)) from error
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            os.close(descriptor)
            raise Refused(f"{path}: is no regular file", "move it away, then try again")
        with open(descriptor, "rb") as file:
            if state.st_size > READ_LIMIT:
                raise Refused(f"{path}: larger than {READ_LIMIT} bytes")
            return file.read(READ_LIMIT + 1), state

    def mkdir(self, path: str, mode: int) -> None:
        os.mkdir(path, mode)

    def rmdir(self, path: str) -> None:
        os.rmdir(path)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def rename(self, source: str, target: str) -> None:
        os.rename(source, target)

    def exchange(self, left: str, right: str) -> bool:
        """Swap what two names stand for, at once; False where the system can't."""
        return _renameat2(left, right, _EXCHANGE)

    def rename_new(self, source: str, target: str) -> None:
        """Rename to a name that must be free; where the system can't check, we did just before."""
        if not _renameat2(source, target, _NO_REPLACE):
            os.rename(source, target)

    def symlink(self, target: str, path: str) -> None:
        os.symlink(target, path)

    def create(self, path: str, content: bytes, mode: int, owner: tuple[int, int] | None) -> None:
        """Write a new file and sync it; fails if anything is at `path`."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(path, flags, 0o600)
        try:
            state = os.fstat(descriptor)
            if owner is not None and owner != (state.st_uid, state.st_gid):
                os.fchown(descriptor, *owner)
            # Mode first, then bytes: they are never readable by more people than the old ones.
            os.fchmod(descriptor, mode)
            view = memoryview(content)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        except OSError as error:
            # A call on a descriptor does not say of which file.
            error.filename = path
            raise
        finally:
            os.close(descriptor)

    def chmod(self, path: str, mode: int) -> None:
        """Of a regular file that is no link."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
        try:
            os.fchmod(descriptor, mode)
        finally:
            os.close(descriptor)

    def sync_directory(self, path: str) -> None:
        """Make names durable; some file systems can't, which is no reason to fail."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            return
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
                raise
        finally:
            os.close(descriptor)

    def run(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        directory: str,
        timeout: float,
        stdin: bytes | None = None,
        changes: bool = True,
    ) -> Ended:
        """Run a program in its own process group; the whole group ends with the time limit.

        changes: the program may change something, so it is refused where only reading is allowed.
        """
        try:
            process = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                cwd=directory,
                start_new_session=True,
                pass_fds=self.kept_open if changes else (),
            )
        except OSError as error:
            return Ended(127, b"", f"{argv[0]}: {_reason(error)}".encode())
        self._running = (*self._running, process)
        try:
            if self.started is not None:
                self.started(argv, timeout)
            return Ended(*finish(process, stdin, 0 if self._stopped else timeout))
        finally:
            self._running = tuple(each for each in self._running if each is not process)
            if self.ended is not None:
                self.ended()

    def stop(self) -> None:
        """End what runs in other threads, and all that they start from now on."""
        self._stopped = True
        for process in self._running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


class ReadOnly(System):
    """Raises on everything that would change something: for `status`, `doctor`, plans."""

    def _refuse(self, what: str) -> None:
        raise SafetyNetError(f"a command that only reads tried to {what}", code="internal")

    def mkdir(self, path: str, mode: int) -> None:  # noqa: ARG002 - signature of the door
        self._refuse(f"make {path}")

    def rmdir(self, path: str) -> None:
        self._refuse(f"remove {path}")

    def unlink(self, path: str) -> None:
        self._refuse(f"remove {path}")

    def rename(self, source: str, target: str) -> None:
        self._refuse(f"rename {source} to {target}")

    def exchange(self, left: str, right: str) -> bool:
        self._refuse(f"exchange {left} and {right}")
        return True

    def rename_new(self, source: str, target: str) -> None:
        self._refuse(f"rename {source} to {target}")

    def symlink(self, target: str, path: str) -> None:
        self._refuse(f"link {path} to {target}")

    def create(self, path: str, content: bytes, mode: int, owner: tuple[int, int] | None) -> None:  # noqa: ARG002 - signature of the door
        self._refuse(f"write {path}")

    def chmod(self, path: str, mode: int) -> None:  # noqa: ARG002 - signature of the door
        self._refuse(f"change the mode of {path}")

    def sync_directory(self, path: str) -> None:
        self._refuse(f"sync {path}")

    def run(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        directory: str,
        timeout: float,
        stdin: bytes | None = None,
        changes: bool = True,
    ) -> Ended:
        if changes:
            self._refuse(f"run {argv[0]}")
        return super().run(
            argv,
            environment=environment,
            directory=directory,
            timeout=timeout,
            stdin=stdin,
            changes=changes,
        )


def _renameat2(source: str, target: str, flags: int) -> bool:
    """Linux only, and not on every file system: False then."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    if call(_HERE, os.fsencode(source), _HERE, os.fsencode(target), flags) == 0:
        return True
    number = ctypes.get_errno()
    if number in {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}:
        return False
    raise OSError(number, os.strerror(number), target)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _permission_hint(error: OSError) -> str:
    if error.errno in {errno.EACCES, errno.EPERM}:
        return "make it readable for you, then try again"
    return ""
