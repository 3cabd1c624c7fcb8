"""The names in an archive that lies on disk, so that an everyday one may be unpacked anywhere."""

from __future__ import annotations

from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_ENDINGS = (".tar", ".tgz", ".tar.gz", ".zip", ".jar")
_BYTES = 4 * 1024 * 1024
_UNPACKED = 16 * 1024 * 1024


def names_in(execution: Execution, context: Context) -> bytes | None:
    """The bytes in which names stand, None if they are not on disk or packed otherwise."""
    texts = [word.text or "" for word in execution.argv[1:]]
    if any(text.startswith(("--tr", "--xf")) for text in texts):
        return None  # members get other names
    for text in texts:
        if not text.endswith(_ENDINGS) or len(execution.cwds) != 1:
            continue
        cwd = execution.cwds[0]
        if cwd is None and not text.startswith("/"):
            return None
        path = normalise(join(cwd or "/", text))
        context.effort.spend(len(context.reading.accesses) // 8, "the members of an archive")
        if any(
            access.path.text is not None
            and access.mode in ("write", "append")
            and normalise(join(cwd or "/", access.path.text)) == path
            for access in context.reading.accesses
        ):
            return None
        data = context.world.read(path, _BYTES + 1)
        if data is None or len(data) > _BYTES:
            return None
        return _plain(data)
    return None


def _plain(data: bytes) -> bytes | None:
    if not data.startswith(b"\x1f\x8b"):
        return data
    # Rare: a packed archive that is unpacked over a folder of an agent.
    import zlib

    try:
        return zlib.decompressobj(31).decompress(data, _UNPACKED)
    except zlib.error:
        return None
