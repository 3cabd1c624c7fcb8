"""Secrets of another machine or of a container: what is printed there reaches the agent too.

Nothing there can be looked at, so the spelling decides; what is mounted is a file of ours.
"""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Word, literal
from cc_safety_net.guard.paths import is_inside, join, normalise
from cc_safety_net.guard.rules.quoting import quote
from cc_safety_net.guard.rules.secrets import names, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import FileAccess
    from cc_safety_net.guard.rules.context import Context

#: Verdicts of the table that hold without a look at the file.
_SURE = frozenset(("D",))


def judge(access: FileAccess, context: Context) -> Iterator[Finding]:
    """The finding for a path that is read somewhere else."""
    if access.names:
        return
    for choice in access.path.choices:
        text = literal(choice)
        if not text:
            continue
        path = text
        for cwd in access.cwds or (None,):
            path = normalise(join(cwd or "/", text))
            mounted = _mounted(path, access)
            if mounted:
                yield from _on_this_machine(access, mounted, context)
                return
        if access.scope.kind == "fresh":
            continue
        entry = names.of_path(path.lower(), context) or names.of_home(text.lower())
        if entry is None or table.GROUPS[entry[1]][0] not in _SURE or entry[1] == "history":
            continue
        host = access.scope.host or "another machine"
        yield Finding(
            entry[0],
            text,
            access.start,
            access.end,
            chain=access.chain,
            values={"path": quote(text), "name": text},
            why=f"{access.via} would show the contents of {text} on {host}.",
            target=text,
        )
        return


def _mounted(path: str, access: FileAccess) -> str:
    """The path on this machine, "" if it is none."""
    best = ""
    found = ""
    for there, here in access.scope.mounts:
        at = normalise(there)
        if here and is_inside(path, at) and len(at) > len(best):
            best = at
            found = normalise(here + path[len(at.rstrip("/")) :])
    return found


def _on_this_machine(access: FileAccess, path: str, context: Context) -> Iterator[Finding]:
    from cc_safety_net.guard.interpret.facts import LOCAL, FileAccess
    from cc_safety_net.guard.rules.secrets import uses

    local = FileAccess(
        Word(((path,),), access.path.start, access.path.end),
        access.mode,
        access.via,
        ("/",),
        access.start,
        access.end,
        recursive=access.recursive,
        execution=access.execution,
        chain=access.chain,
        scope=LOCAL,
        names=access.names,
    )
    return uses.judge(local, context)
