"""Paths that the person closed to every tool and command (`deny_paths`)."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import literal, prefix, shown
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.policy import patterns
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import FileAccess
    from cc_safety_net.guard.rules.context import Context

#: Accesses that concern all that lies below a directory, if they are recursive.
_WHOLE = frozenset(("read", "delete", "move", "write", "use", "permissions"))


def judge(access: FileAccess, denied: Sequence[str], context: Context) -> Iterator[Finding]:
    whole = access.mode in ("delete", "move") or (access.recursive and access.mode in _WHOLE)
    for choice in access.path.choices:
        text = literal(choice)
        for cwd in access.cwds or (context.place.directory,):
            known = prefix(choice) if text is None else text
            if cwd is None and not known.startswith("/"):
                continue
            if text is None:
                known = known.rpartition("/")[0] + "/"
            path = normalise(join(cwd or "/", known))
            for candidate in (path, context.world.resolve(path)):
                if _is_denied(candidate, denied, whole=whole and text is not None):
                    yield _finding(access, shown(choice), candidate)
                    return


def _is_denied(path: str, denied: Sequence[str], *, whole: bool) -> bool:
    for pattern in denied:
        if patterns.matches(pattern, path):
            return True
        if whole and patterns.may_hold(pattern, path):
            return True
    return False


def _finding(access: FileAccess, text: str, path: str) -> Finding:
    return Finding(
        "secret.deny-path",
        text,
        access.start,
        access.end,
        chain=access.chain,
        values={"path": quote(text), "name": text},
        why=f"{path} is closed to every tool and command by the policy.",
        target=path,
    )
