"""The one door through which the guard looks at the machine: files, directories, environment.

Everything is read-only and bounded, and nothing raises for a thing that is not there. A test
hands in a made-up world (`tests/guard/worlds.py`). Built on the `posix` module, since importing
`os` costs a third of a bare interpreter start.
"""

from __future__ import annotations

import posix
import time

from cc_safety_net.guard import limits
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_TYPE_MASK = 0o170000
_LINK_HOPS = 40


class Status:
    """What `lstat` says: kind is `file`, `directory`, `link`, `device` (block), or `other`.

    links: how many names it has.
    """

    __slots__ = ("device", "inode", "kind", "links", "mode", "owner", "size")

    def __init__(
        self,
        kind: str,
        size: int,
        mode: int,
        owner: int,
        device: int,
        inode: int,
        links: int = 1,
    ) -> None:
        self.kind = kind
        self.size = size
        self.mode = mode
        self.owner = owner
        self.device = device
        self.inode = inode
        self.links = links


_KINDS = {
    0o100000: "file",
    0o040000: "directory",
    0o120000: "link",
    0o060000: "device",
}


class World:
    """The machine as the guard sees it.

    environment: the hook's environment as text. home: the person's home, normalised.
    directory: the process directory. config, state, data: our own directories, absolute.
    user: the effective user id. memory: what rules found out about this machine, by subject; a
    world lives for one call, so nothing old is kept in it.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        home: str,
        directory: str,
        *,
        config: str = "",
        state: str = "",
        data: str = "",
    ) -> None:
        self.environment = environment
        self.home = normalise(home) if home else ""
        self.directory = directory
        self.config = config or join(self.home, ".config/cc-safety-net")
        self.state = state or join(self.home, ".local/state/cc-safety-net")
        self.data = data or join(self.home, ".local/share/cc-safety-net")
        self.user = posix.geteuid()
        self.memory: dict[str, Any] = {}
        self._resolutions = 0
        self._resolved: dict[str, str] = {}

    # The methods below are what a made-up world replaces.

    def status(self, path: str) -> Status | None:
        """`lstat`: the link itself, None if there is nothing or it can't be looked at."""
        try:
            found = posix.lstat(path)
        except (OSError, ValueError):
            return None
        kind = _KINDS.get(found.st_mode & _TYPE_MASK, "other")
        return Status(
            kind,
            found.st_size,
            found.st_mode,
            found.st_uid,
            found.st_dev,
            found.st_ino,
            found.st_nlink,
        )

    def link(self, path: str) -> str | None:
        """Where a symbolic link points to, as written; None if it is none."""
        try:
            return posix.readlink(path)
        except (OSError, ValueError):
            return None

    def read(self, path: str, limit: int) -> bytes | None:
        """At most `limit` bytes of a regular file; None if it can't be read or is none."""
        try:
            descriptor = posix.open(
                path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOCTTY
            )
        except (OSError, ValueError):
            return None
        try:
            if posix.fstat(descriptor).st_mode & _TYPE_MASK != 0o100000:
                return None
            found = []
            left = limit
            while left > 0:
                block = posix.read(descriptor, min(left, 1 << 20))
                if not block:
                    break
                found.append(block)
                left -= len(block)
            return b"".join(found)
        except OSError:
            return None
        finally:
            posix.close(descriptor)

    def names(self, path: str, limit: int = limits.DIRECTORY_ENTRIES) -> list[str] | None:
        """At most `limit` names in a directory, sorted; None if it can't be listed."""
        try:
            with posix.scandir(path) as entries:
                found = []
                for entry in entries:
                    found.append(entry.name)
                    if len(found) >= limit:
                        break
        except (OSError, ValueError):
            return None
        found.sort()
        return found

    def now_ns(self) -> int:
        """Nanoseconds since 1970: expiry dates and the log are all that may ask."""
        return time.time_ns()

    # What follows is made of these.

    def kind(self, path: str) -> str:
        """Kind of what `path` leads to, links followed; "" if there is nothing."""
        found = self.status(path)
        if found is not None and found.kind == "link":
            found = self.status(self.resolve(path))
        return found.kind if found is not None and found.kind != "link" else ""

    def exists(self, path: str) -> bool:
        return self.kind(path) != ""

    def is_directory(self, path: str) -> bool:
        return self.kind(path) == "directory"

    def is_file(self, path: str) -> bool:
        return self.kind(path) == "file"

    def text(self, path: str, limit: int) -> str | None:
        """A file's text, undecodable bytes as surrogates; None if unreadable or over `limit`."""
        data = self.read(path, limit + 1)
        if data is None or len(data) > limit:
            return None
        return data.decode("utf-8", "surrogateescape")

    def resolve(self, path: str) -> str:
        """The absolute `path` with the links of its longest existing prefix followed.

        Components that don't exist are kept as text. After too many look-ups in one call, or a
        loop of links, the text is returned as it is.
        """
        cached = self._resolved.get(path)
        if cached is not None:
            return cached
        result = self._resolve(path)
        self._resolved[path] = result
        return result

    def _resolve(self, path: str) -> str:
        todo = [part for part in reversed(path.split("/")) if part not in ("", ".")]
        done = ""
        hops = 0
        while todo:
            part = todo.pop()
            if part == "..":
                done = done.rpartition("/")[0]
                continue
            candidate = done + "/" + part
            self._resolutions += 1
            if self._resolutions > limits.PATH_RESOLUTIONS:
                return normalise(path)
            target = self.link(candidate)
            if target is None:
                done = candidate
                continue
            hops += 1
            if hops > _LINK_HOPS:
                return normalise(path)
            if target.startswith("/"):
                done = ""
            todo.extend(p for p in reversed(target.split("/")) if p not in ("", "."))
        return done or "/"
