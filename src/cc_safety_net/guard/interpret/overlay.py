"""The machine as an earlier part of the text has left it: its files over those on disk."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.paths import normalise
from cc_safety_net.guard.world import Status, World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.guard.interpret.values import Choices


class Written(World):
    """A world in which the files that the text wrote are there.

    One whose content is not known exists and can't be read.
    """

    def __init__(self, world: World, files: Mapping[str, Choices]) -> None:
        super().__init__(
            world.environment,
            world.home,
            world.directory,
            config=world.config,
            state=world.state,
            data=world.data,
        )
        self.user = world.user
        self.memory = world.memory
        self._world = world
        self._files = files

    def status(self, path: str) -> Status | None:
        found = self._world.status(path)
        if found is not None:
            return found
        path = normalise(path)
        if path in self._files:
            return Status("file", 0, 0o100644, self.user, 0, 0)
        below = path.rstrip("/") + "/"
        if any(name.startswith(below) for name in self._files):
            return Status("directory", 0, 0o040755, self.user, 0, 0)
        return None

    def link(self, path: str) -> str | None:
        return None if path in self._files else self._world.link(path)

    def read(self, path: str, limit: int) -> bytes | None:
        choices = self._files.get(normalise(path))
        if choices is None:
            return self._world.read(path, limit)
        text = literal(choices[0]) if len(choices) == 1 else None
        return None if text is None else text.encode("utf-8", "surrogateescape")[:limit]

    def names(self, path: str, limit: int = 2_000) -> list[str] | None:
        found = self._world.names(path, limit)
        below = normalise(path).rstrip("/") + "/"
        more = {
            name[len(below) :].partition("/")[0] for name in self._files if name.startswith(below)
        }
        if not more:
            return found
        return sorted(more.union(found or ()))[:limit]

    def resolve(self, path: str) -> str:
        return self._world.resolve(path)
