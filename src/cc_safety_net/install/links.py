"""Symbolic links on the way to a file: which are followed, which are refused.

A config may be reached through links (dotfile repositories) if every one lies in the person's
home and belongs to the person. A managed file or folder is never a link.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from cc_safety_net.errors import Refused

if TYPE_CHECKING:
    from cc_safety_net.install.system import System

_HOPS = 40


@dataclass(frozen=True)
class Target:
    """path: where the bytes are, free of links. chain: the links followed, as `link -> text`."""

    path: str
    chain: tuple[str, ...] = ()


def resolve_config(system: System, path: str, home: str, base: str = "") -> Target:
    """The file behind a config's path.

    base: the folder below which links are judged, when the config lies outside the home because
    a variable moved it; what leads to the base itself is the person's own choice.
    """
    start = home if _inside(path, home) else base or os.path.dirname(path)
    roots = {home: os.path.realpath(home), start: os.path.realpath(start)}
    return _Walk(system, path, roots).to_end(start, os.path.relpath(path, start))


class _Walk:
    """Follows a path one component at a time and judges every link met.

    roots: folders in which links may lie, as the person spells them, with their real paths: the
    home itself may be reached through a link (`/home/me` for `/data/me`).
    """

    def __init__(self, system: System, path: str, roots: dict[str, str]) -> None:
        self.system = system
        self.path = path
        self.roots = roots
        self.chain: list[str] = []

    def to_end(self, start: str, relative: str) -> Target:
        current, rest = self.roots[start], relative.split("/")
        while rest:
            part = rest.pop(0)
            if part in {"", "."}:
                continue
            if part == "..":
                current = os.path.dirname(current)
                continue
            here = os.path.join(current, part)
            state = self.system.lstat(here)
            if state is not None and stat.S_ISLNK(state.st_mode):
                current, rest = self._follow(here, state.st_uid, current, rest)
                continue
            current = here
        if self.chain and not self._allowed(current):
            _refuse(self.path, self.chain, "the chain leaves your home")
        return Target(current, tuple(self.chain))

    def _follow(
        self, here: str, owner: int, current: str, rest: list[str]
    ) -> tuple[str, list[str]]:
        text = self.system.readlink(here)
        self.chain.append(f"{here} -> {text}")
        if len(self.chain) > _HOPS:
            _refuse(self.path, self.chain[:4], "the links form a loop")
        if owner != self.system.user():
            _refuse(self.path, self.chain, "a link belongs to another user")
        if not self._allowed(here):
            _refuse(self.path, self.chain, "the chain leaves your home")
        self._require_target(os.path.join(current, text))
        if not os.path.isabs(text):
            return current, [*text.split("/"), *rest]
        for spelled, real in self.roots.items():
            if _inside(text, spelled):
                return real, [*os.path.relpath(text, spelled).split("/"), *rest]
        return "/", [*text.split("/"), *rest]

    def _require_target(self, target: str) -> None:
        try:
            found = self.system.lstat(target)
        except OSError:
            _refuse(self.path, self.chain, "the links form a loop")
        if found is None:
            _refuse(self.path, self.chain, "the last link points to nothing")

    def _allowed(self, path: str) -> bool:
        return any(_inside(path, root) for root in self.roots.values())


def refuse_link(system: System, path: str) -> None:
    """For a managed file or folder: refuse it if it is a link, wherever that leads."""
    state = system.lstat(path)
    if state is not None and stat.S_ISLNK(state.st_mode):
        _refuse(path, [f"{path} -> {system.readlink(path)}"], "only our own file may stand here")


def check_parents(system: System, path: str, home: str) -> None:
    """Every folder from the home down to `path`: ours or root's, not writable by anybody.

    Group-writable is fine where the group is the person's own (a umask of 002).
    """
    top = os.path.realpath(home)
    folder = os.path.dirname(path)
    while True:
        state = system.lstat(folder)
        if state is not None:
            _check_folder(system, folder, state)
        if folder == top or not _inside(folder, top):
            return
        folder = os.path.dirname(folder)


def _check_folder(system: System, folder: str, state: os.stat_result) -> None:
    if not stat.S_ISDIR(state.st_mode):
        raise Refused(f"{folder}: is no directory", "move it away, then try again")
    if state.st_uid not in {0, system.user()}:
        raise Refused(f"{folder}: belongs to another user (uid {state.st_uid})")
    open_to_all = state.st_mode & stat.S_IWOTH and not state.st_mode & stat.S_ISVTX
    open_to_group = state.st_mode & stat.S_IWGRP and state.st_gid != os.getegid()
    if open_to_all or (open_to_group and not state.st_mode & stat.S_ISVTX):
        raise Refused(
            f"{folder}: other users can write to it",
            f"chmod go-w '{folder}'",
            code="open_folder",
        )


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def _refuse(path: str, chain: list[str], why: str) -> NoReturn:
    raise Refused(
        f"{path}: {why}: {', '.join(chain)}",
        "replace the link by a file of your own, or point it to a file inside your home",
        code="link",
    )
