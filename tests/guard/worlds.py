"""Made-up machines for the guard's tests: a tree in memory behind the interface of World."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from cc_safety_net.guard.paths import normalise, parent
from cc_safety_net.guard.place import Place
from cc_safety_net.guard.world import Status, World

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HOME = "/home/dev"
TEMPS = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp")


class Link(str):
    """A symbolic link in a made-up tree: the text is its target."""

    __slots__ = ()


class FakeWorld(World):
    """files: absolute path -> content (str or bytes), a Link, or None for an empty directory.

    Parents are made. Paths in `unreadable` exist and can't be read or listed.
    """

    def __init__(
        self,
        files: Mapping[str, str | bytes | None],
        *,
        home: str = HOME,
        directory: str = "/",
        environment: Mapping[str, str] | None = None,
        unreadable: Iterable[str] = (),
        devices: Iterable[str] = ("/dev/sda", "/dev/sda1", "/dev/nvme0n1"),
    ) -> None:
        environment = {"HOME": home, "USER": "dev", "SHELL": "/bin/bash", **(environment or {})}
        super().__init__(environment, home, directory)
        self._tree: dict[str, str | bytes | None] = {"/": None}
        self._unreadable = frozenset(unreadable)
        self._devices = frozenset(devices)
        self.reads: list[str] = []
        for path, content in files.items():
            self.add(path, content)
        for system in ("/etc", "/usr/bin", "/bin", "/var/log", "/tmp", "/opt", "/root", home):
            self.add(system, None)
        for device in self._devices:
            self.add(device, b"")

    def add(self, path: str, content: str | bytes | None) -> None:
        path = normalise(path)
        if content is None and path in self._tree:
            return
        self._tree[path] = content
        while path != "/":
            path = parent(path)
            self._tree.setdefault(path, None)

    def status(self, path: str) -> Status | None:
        path = path.rstrip("/") or "/"
        head, _, last = path.rpartition("/")
        if last in (".", "..", ""):
            path = normalise(path)
        elif head:
            path = (self.resolve(head) if head != "" else "") + "/" + last
            path = normalise(path)
        if path not in self._tree:
            return None
        content = self._tree[path]
        number = sum(path.encode()) + len(path) * 1_000
        if path in self._devices:
            return Status("device", 0, 0o060660, 0, 1, number)
        if content is None:
            return Status("directory", 4096, 0o040755, self.user, 1, number)
        if isinstance(content, Link):
            return Status("link", len(content), 0o120777, self.user, 1, number)
        return Status("file", len(content), 0o100644, self.user, 1, number)

    def link(self, path: str) -> str | None:
        content = self._tree.get(path)
        return str(content) if isinstance(content, Link) else None

    def read(self, path: str, limit: int) -> bytes | None:
        self.reads.append(path)
        path = self.resolve(path)
        content = self._tree.get(path)
        if content is None or path in self._unreadable or isinstance(content, Link):
            return None
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        return data[:limit]

    def names(self, path: str, limit: int = 2_000) -> list[str] | None:
        path = self.resolve(path)
        if path not in self._tree or self._tree[path] is not None or path in self._unreadable:
            return None
        start = "/" if path == "/" else path + "/"
        found = {p[len(start) :].split("/")[0] for p in self._tree if p.startswith(start)}
        return sorted(found - {""})[:limit]


def git_index(tracked: Iterable[str]) -> bytes:
    """A version 2 index that tracks these paths (enough of it to find names in)."""
    entries = []
    for name in sorted(tracked):
        raw = name.encode()
        entry = b"\0" * 40 + b"\1" * 20 + struct.pack(">H", min(len(raw), 0xFFF)) + raw
        entries.append(entry + b"\0" * (8 - len(entry) % 8))
    return b"DIRC" + struct.pack(">II", 2, len(entries)) + b"".join(entries) + b"\0" * 20


def repository(root: str, tracked: Mapping[str, str]) -> dict[str, str | bytes | None]:
    """A git repository at `root` with these tracked files, clean, on branch main."""
    head = "1" * 40
    files: dict[str, str | bytes | None] = {
        f"{root}/.git/HEAD": "ref: refs/heads/main\n",
        f"{root}/.git/config": "[core]\n\trepositoryformatversion = 0\n",
        f"{root}/.git/index": git_index(tracked),
        f"{root}/.git/refs/heads/main": head + "\n",
        f"{root}/.git/refs/heads/x": "2" * 40 + "\n",
        f"{root}/.git/refs/tags/v1": head + "\n",
        f"{root}/.git/objects": None,
        f"{root}/.git/hooks/pre-commit.sample": "#!/bin/sh\n",
    }
    for name, content in tracked.items():
        files[f"{root}/{name}"] = content
    return files


TRACKED = {
    "f": "one\n",
    "l": "a\nb\n",
    "x": "x\n",
    "src/app.ts": "export {}\n",
    "src/server.ts": "export {}\n",
    "README.md": "# proj\n",
    "package.json": '{"name": "proj", "scripts": {"test": "vitest", "clean": "rm -rf dist"}}\n',
    "package-lock.json": "{}\n",
    "docs/guide.md": "guide\n",
    "scripts/build.sh": "#!/bin/sh\necho build\n",
    ".gitignore": "node_modules\nbuild\n",
}

UNTRACKED: dict[str, str | bytes | None] = {
    "build/o.js": "1\n",
    "dist/o.js": "1\n",
    "node_modules/a/index.js": "1\n",
    "notes.txt": "n\n",
    "app.log": "line\n",
    ".env": "API_KEY=sk-live-0123456789abcdef\n",
    ".env.example": "API_KEY=\n",
    "packages/api/index.ts": "1\n",
    "packages/web/index.ts": "1\n",
    "apps/web/index.ts": "1\n",
    "tests/a_test.py": "1\n",
    ".github/workflows/ci.yml": "on: push\n",
}


def workspace(root: str = f"{HOME}/proj", home: str = HOME) -> FakeWorld:
    """The workspace of the specification's verdict tables: a repository below the home."""
    files = repository(root, TRACKED)
    files.update({f"{root}/{name}": content for name, content in UNTRACKED.items()})
    files.update(
        {
            f"{home}/other/a.txt": "a\n",
            f"{home}/other/node_modules/a.js": "1\n",
            f"{home}/docs/letter.txt": "l\n",
            f"{home}/notes.txt": "n\n",
            f"{home}/.zshrc": "alias ll='ls -l'\n",
            f"{home}/.gitconfig": "[user]\n\tname = Dev\n",
            f"{home}/.ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\n",
            f"{home}/.ssh/id_ed25519.pub": "ssh-ed25519 AAAA dev\n",
            f"{home}/.ssh/config": "Host *\n",
            f"{home}/.aws/credentials": "[default]\naws_secret_access_key = abcd1234\n",
            f"{home}/.cache/pip/x": "1\n",
            "/etc/passwd": "root:x:0:0::/root:/bin/sh\n",
            "/etc/ssl/certs/a.pem": "1\n",
            "/bin/rm": "",
            "/usr/bin/env": "",
        }
    )
    return FakeWorld(files, home=home, directory=root)


def place(root: str = f"{HOME}/proj", home: str = HOME, directory: str = "") -> Place:
    """The Place of a call in `root`."""
    return Place(directory or root, (root,), home, TEMPS)
