"""`git push`: what overwrites or deletes refs of the other side."""

from __future__ import annotations

from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.git.invocation import Invocation
    from cc_safety_net.guard.rules.git.options import Argument

_TRUE = frozenset(("true", "yes", "on", "1"))


def push(call: Invocation) -> Iterator[Finding]:
    options = call.options
    if options.on("dry-run"):
        return
    words = [*options.operands, *options.paths]
    # With `--repo` git still takes the first operand as the repository.
    remote, refs = (words[0], words[1:]) if words else (None, [])
    configured = _configured(call)
    where = quote(remote.text) if remote is not None and remote.text else "origin"
    if options.on("mirror") or "mirror" in configured:
        yield call.finding("git.push-mirror", remote=where)
        return
    if options.on("force") or "force" in configured or any(_forced(ref) for ref in refs):
        named = " ".join(quote(_plain(ref.text)) for ref in refs if ref.text and ref.text != "+")
        arguments = f" {where} {named}".rstrip() if remote is not None else ""
        yield call.finding("git.push-force", remote=where, arguments=arguments)
    if options.on("prune"):
        yield call.finding("git.push-prune", remote=where)
    if options.on("delete") or any(_deletes(ref) for ref in refs):
        named = " ".join(quote(ref.text.lstrip("+:")) for ref in refs if ref.text)
        yield call.finding("git.push-delete", remote=where, ref=named)


def _forced(ref: Argument) -> bool:
    return ref.prefix.startswith("+")


def _deletes(ref: Argument) -> bool:
    text = ref.prefix.removeprefix("+")
    # A lone ":" pushes the matching branches.
    return text.startswith(":") and text != ":"


def _plain(ref: str) -> str:
    return ref.removeprefix("+")


def _configured(call: Invocation) -> set[str]:
    """What `-c remote.NAME.push=+…` and `-c remote.NAME.mirror` switch on for this call."""
    found = set()
    for key, value in call.config:
        if key.startswith("remote.") and key.endswith(".push"):
            if value is not None and value.prefix.startswith("+"):
                found.add("force")
        elif (
            key.startswith("remote.")
            and key.endswith(".mirror")
            and (value is None or (value.text or "").lower() in _TRUE)
        ):
            found.add("mirror")
    return found
