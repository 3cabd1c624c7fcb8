"""Facts about git repositories, read from their files: where one lies, what it tracks, its refs.

Everything is bounded and read-only. What can't be read counts as not seen: `tracked` and the
look-ups of refs then answer None or nothing, and the caller's rule goes by form.
"""

from __future__ import annotations

from cc_safety_net.guard.paths import basename, is_below, join, normalise, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cc_safety_net.guard.world import World

INDEX_BYTES = 16 * 1024 * 1024
PACKED_REFS_BYTES = 4 * 1024 * 1024
LOOSE_REFS = 2_000
_SMALL = 4_096
#: Index bytes searched in one call; what comes later counts as not seen.
_SEARCH_BYTES = 256 * 1024 * 1024
_CLIMB = 64
_HEX = frozenset("0123456789abcdef")


class Repository:
    """A repository as seen from one of its work trees.

    root: the work tree ("" for a bare one). git: the git directory of this work tree.
    common: the git directory that holds refs and objects; differs in a linked worktree.
    link: `.git` is a file. linked: a linked worktree whose back-link was checked.
    """

    __slots__ = ("_index", "_packed", "_searched", "common", "git", "link", "linked", "root")

    def __init__(self, root: str, git: str, common: str, *, link: bool, linked: bool) -> None:
        self.root = root
        self.git = git
        self.common = common
        self.link = link
        self.linked = linked
        self._index: bytes | None = None
        self._packed: dict[str, tuple[str, str]] | None = None
        self._searched = 0

    def tracks(self, name: str, world: World) -> bool | None:
        """Whether the file `name` (relative to the root) is in the index; None if unreadable."""
        return self._find(name.encode("utf-8", "surrogateescape") + b"\0", world)

    def tracks_below(self, name: str, world: World) -> bool | None:
        """Whether the index holds a file below the directory `name`; "" is the root."""
        if not name:
            index = self._load(world)
            return None if index is None else index[8:12] != b"\0\0\0\0"
        return self._find(name.encode("utf-8", "surrogateescape") + b"/", world)

    def _load(self, world: World) -> bytes | None:
        if self._index is None:
            data = world.read(join(self.git, "index"), INDEX_BYTES + 1)
            if data is None:
                # A repository without an index tracks nothing (it has just been made).
                data = b"" if world.status(join(self.git, "index")) is None else b"?"
            self._index = data
        data = self._index
        if not data:
            return b"DIRC\0\0\0\2\0\0\0\0"
        # Version 4 compresses the names, so they can't be searched for.
        if len(data) > INDEX_BYTES or data[:8] not in (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3"):
            return None
        return data

    def _find(self, needle: bytes, world: World) -> bool | None:
        index = self._load(world)
        if index is None or self._searched > _SEARCH_BYTES:
            return None
        at = index.find(needle, 12)
        while at >= 0:
            if _is_entry(index, at, needle):
                self._searched += at
                return True
            at = index.find(needle, at + 1)
        self._searched += len(index)
        return False

    def branch(self, world: World) -> str:
        """The full ref that HEAD names; "" if it is detached or unreadable."""
        head = world.text(join(self.git, "HEAD"), _SMALL) or ""
        return head[5:].strip() if head.startswith("ref: ") else ""

    def tip(self, ref: str, world: World) -> str:
        """The id that the full name `ref` has; "" if there is none or it is symbolic."""
        if ".." in ref.split("/"):
            return ""
        text = world.text(join(self.common, ref), _SMALL)
        if text is not None:
            return _id(text)
        return self._packed_refs(world).get(ref, ("", ""))[0]

    def exists(self, ref: str, world: World) -> bool:
        return bool(self.tip(ref, world))

    def keeper(self, tip: str, excluded: Collection[str], world: World) -> str:
        """A branch, remote-tracking branch or tag that names `tip`; "" if none does.

        excluded: full names, or prefixes that end in `/`, which do not count.
        """
        if not tip:
            return ""
        for ref in self._loose_refs(world):
            if not _excluded(ref, excluded) and self.tip(ref, world) == tip:
                return ref
        for ref, (found, peeled) in self._packed_refs(world).items():
            if (
                tip in (found, peeled)
                and not _excluded(ref, excluded)
                and world.status(join(self.common, ref)) is None
            ):
                return ref
        return ""

    def _packed_refs(self, world: World) -> dict[str, tuple[str, str]]:
        if self._packed is None:
            self._packed = {}
            text = world.text(join(self.common, "packed-refs"), PACKED_REFS_BYTES) or ""
            last = ""
            for line in text.split("\n"):
                if line.startswith("^") and last:
                    self._packed[last] = (self._packed[last][0], _id(line[1:]))
                    continue
                found, _, last = line.partition(" ")
                if last.startswith("refs/") and _id(found):
                    self._packed[last] = (found, "")
                else:
                    last = ""
        return self._packed

    def _loose_refs(self, world: World) -> Iterator[str]:
        todo = ["refs/heads", "refs/remotes", "refs/tags"]
        left = LOOSE_REFS
        while todo:
            ref = todo.pop()
            for name in world.names(join(self.common, ref), left) or ():
                left -= 1
                if left <= 0:
                    return
                full = ref + "/" + name
                if world.is_directory(join(self.common, full)):
                    todo.append(full)
                else:
                    yield full


def repository_of(directory: str, world: World) -> Repository | None:
    """The repository whose work tree or git directory holds `directory`, the innermost."""
    directory = world.resolve(normalise(directory))
    found = _memory(world)
    if directory in found:
        return found[directory]
    path = directory
    repository = None
    for _ in range(_CLIMB):
        repository = _at(path, world)
        if repository is not None or path == "/":
            break
        path = parent(path)
    found[directory] = repository
    return repository


def repository_at(git: str, world: World) -> Repository | None:
    """The repository of the git directory `git` (`--git-dir`), without a work tree."""
    git = world.resolve(normalise(git))
    if not world.is_file(join(git, "HEAD")):
        return None
    return Repository("", git, _common(git, world), link=False, linked=False)


def tracked(path: str, world: World) -> bool | None:
    """Whether git tracks the file at the absolute `path`; None if that can't be known.

    A link is the link itself. False outside a repository.
    """
    path = normalise(path)
    path = join(world.resolve(parent(path)), basename(path))
    repository = repository_of(parent(path), world)
    if repository is None or not is_below(path, repository.root):
        return False
    return repository.tracks(_relative(path, repository.root), world)


def holds_tracked(path: str, world: World) -> bool | None:
    """Whether git tracks a file below the directory at the absolute `path`."""
    path = world.resolve(normalise(path))
    repository = repository_of(path, world)
    if repository is None or not repository.root:
        return False
    if path == repository.root:
        return repository.tracks_below("", world)
    if not is_below(path, repository.root):
        return False
    return repository.tracks_below(_relative(path, repository.root), world)


def is_repository(path: str, world: World) -> bool:
    """A `.git` stands in the directory `path`."""
    return _at(world.resolve(normalise(path)), world) is not None


def is_linked_worktree(path: str, world: World) -> bool:
    """The directory's `.git` is a file that names a `worktrees` directory of a repository."""
    target = _git_file(join(normalise(path), ".git"), world)
    return bool(target) and basename(parent(target)) == "worktrees"


def _relative(path: str, root: str) -> str:
    return path[1:] if root == "/" else path[len(root) + 1 :]


def _memory(world: World) -> dict[str, Repository | None]:
    found: dict[str, Repository | None] | None = world.memory.get("repositories")
    if found is None:
        found = world.memory["repositories"] = {}
    return found


def _at(path: str, world: World) -> Repository | None:
    entry = join(path, ".git")
    status = world.status(entry)
    if status is None:
        if basename(path) == ".git" and world.is_file(join(path, "HEAD")):
            return Repository("", path, _common(path, world), link=False, linked=False)
        return None
    if world.is_directory(entry):
        # An empty `.git` is no repository: git looks further up.
        if not world.exists(join(entry, "HEAD")) and not world.exists(join(entry, "config")):
            return None
        git = world.resolve(entry)
        return Repository(path, git, _common(git, world), link=False, linked=False)
    git = _git_file(entry, world)
    if not git:
        return None
    common = _common(git, world)
    linked = basename(parent(git)) == "worktrees" and common == parent(parent(git))
    if linked:
        back = (world.text(join(git, "gitdir"), _SMALL) or "").strip()
        linked = bool(back) and world.resolve(normalise(join(git, back))) == world.resolve(entry)
    return Repository(path, git, common, link=True, linked=linked)


def _git_file(path: str, world: World) -> str:
    text = world.text(path, _SMALL)
    if text is None or not text.startswith("gitdir:"):
        return ""
    target = text[7:].strip()
    return world.resolve(normalise(join(parent(path), target))) if target else ""


def _common(git: str, world: World) -> str:
    text = (world.text(join(git, "commondir"), _SMALL) or "").strip()
    return world.resolve(normalise(join(git, text))) if text else git


def _id(text: str) -> str:
    text = text.strip()
    return text if len(text) in (40, 64) and not set(text) - _HEX else ""


def _excluded(ref: str, excluded: Collection[str]) -> bool:
    if ref in excluded:
        return True
    return any(name.endswith("/") and ref.startswith(name) for name in excluded)


def _is_entry(index: bytes, at: int, needle: bytes) -> bool:
    """A name that starts at `at` is the whole name of an entry, not the end of a longer one."""
    # An entry starts at a multiple of 8 after the header: stat data (40 bytes, the mode at 24),
    # the id (20 or 32), flags (2, in version 3 perhaps 2 more) whose low 12 bits are the length.
    for head in (62, 64, 74, 76):
        start = at - head
        if start < 12 or (start - 12) % 8 or index[start + 24 : start + 26] != b"\0\0":
            continue
        flags_at = start + (60 if head < 70 else 72)
        length = ((index[flags_at] & 0x0F) << 8) | index[flags_at + 1]
        if needle.endswith(b"\0"):
            if length == min(len(needle) - 1, 0xFFF):
                return True
        elif length > len(needle) or length == 0xFFF:
            return True
    return False
