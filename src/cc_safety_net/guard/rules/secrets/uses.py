"""What an access makes of a secret: its class of use, and what the table says about it."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Unknown, prefix
from cc_safety_net.guard.rules.quoting import quote
from cc_safety_net.guard.rules.secrets import table
from cc_safety_net.guard.rules.secrets.contents import holds_credentials, is_public
from cc_safety_net.guard.rules.secrets.matching import Secret, of_word, secrets_of
from cc_safety_net.guard.rules.secrets.reach import USED, fate
from cc_safety_net.guard.rules.secrets.trees import names_only_tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.rules.context import Context

READ, NAMES, CREATE, OVERWRITE, USE = table.CLASSES

_DESTROYING = frozenset(("delete", "move", "truncate", "write"))
_NAMED = frozenset(("metadata", "permissions", "execute"))
#: Programs that pack what they take under a new name.
ARCHIVERS = frozenset(
    (
        "tar", "gtar", "bsdtar", "zip", "7z", "7za", "7zz", "ar", "rar", "asar", "cpio", "pax",
        "restic", "borg", "duplicity", "mksquashfs", "git-archive",
    )
)  # fmt: skip
#: They show a file to the person, not to the agent.
_WINDOWS = frozenset(("code", "cursor", "subl", "kate", "gedit", "open", "xdg-open"))
_EDITORS = frozenset(("awk", "gawk", "gsed", "perl", "ruby", "sed"))
#: Names of a class for the reason.
_WORDS = {
    READ: "would show the contents of {path}",
    NAMES: "would look at {path}",
    CREATE: "would write to {path}",
    OVERWRITE: "would overwrite or delete {path}",
    USE: "would use {path}",
}
_KINDS = {
    "env": "which may hold passwords and keys of the project",
    "env-soft": "which holds a credential, or is not there to be looked at",
    "package": "which holds a login",
    "package-soft": "which holds a login, or is not there to be looked at",
    "key": "which holds a private key or a store of keys",
    "key-header": "which is not known to hold public parts only",
    "home": "which belongs to the person's credentials",
    "home-open": "which decides who can log in, or where",
    "known-hosts": "which decides which hosts are trusted",
    "history": "which may hold whatever was typed",
    "project": "which holds credentials of the project",
    "project-soft": "which holds a credential, or is not there to be looked at",
    "system": "which holds secrets of the system",
    "agent": "which holds an agent's login",
    "agent-config": "which the policy protects from being read",
    "deny-path": "which the policy closes to every tool",
}


def judge(access: FileAccess, context: Context) -> Iterator[Finding]:
    """The findings for one access."""
    wide = access.mode in _DESTROYING
    for secret in secrets_of(access, context):
        if wide and secret.by_chance:
            # What deletes all sorts of files is judged by the rules on deletion.
            continue
        use = use_of(access, secret, context)
        level = denied_from(secret, use, access, context)
        if level is not None:
            yield finding(secret, use, access, context, level)
            return
    if access.mode == "link" and access.source is not None:
        yield from _linked(access, context)
    elif access.found or _is_handed(access):
        from cc_safety_net.guard.rules.secrets import found

        for secret in found.secrets_of(access, context):
            if wide and secret.by_chance:
                continue
            use = use_of(access, secret, context)
            level = denied_from(secret, use, access, context)
            if level is not None:
                yield finding(secret, use, access, context, level)
                return


def _is_handed(access: FileAccess) -> bool:
    """Part of the path is what another program prints."""
    return any(
        isinstance(piece, Unknown) and piece.origin
        for choice in access.path.choices
        for piece in choice
    )


def _linked(access: FileAccess, context: Context) -> Iterator[Finding]:
    """A name outside the table for a secret is a way to read it."""
    source = access.source
    if source is None or any(True for _ in secrets_of(access, context)):
        return
    for secret in of_word(source, access.cwds, context):
        level = denied_from(secret, READ, access, context)
        if level is not None:
            yield finding(secret, READ, access, context, level)
            return


def finding(
    secret: Secret, use: str, access: FileAccess, context: Context, level: str = ""
) -> Finding:
    path = secret.path or secret.shown
    text = path.removeprefix(context.place.directory.rstrip("/") + "/") if secret.path else path
    call = context.call.command or ""
    execution = access.execution
    start, end = access.start, access.end
    part = call[start:end] if end > start else ""
    if execution is not None and execution.end > execution.start:
        part = call[execution.start : execution.end] or part
    why = f"{access.via or context.call.tool} {_WORDS[use].format(path=text)}, "
    return Finding(
        secret.rule,
        part or text,
        start,
        end,
        chain=access.chain,
        values={"path": quote(text), "name": text},
        why=why + _KINDS[secret.group] + ".",
        target=path,
        level=level,
    )


def denied_from(secret: Secret, use: str, access: FileAccess, context: Context) -> str | None:
    """The level from which this use is denied, "" for the rule's own; None: it is allowed."""
    verdict = table.GROUPS[secret.group][table.CLASSES.index(use)]
    if verdict == "A":
        return None
    if verdict == "P":
        return "paranoid"
    if verdict == "E":
        return "" if _is_set(secret.rule, context) else None
    if verdict == "S":
        return None if is_public(secret.path, secret.shown, context) else ""
    if verdict == "C" and not _is_secret_now(secret, access, context):
        return None
    if use == READ and access.mode == "read" and _is_written_harmless(secret, access, context):
        return None
    return ""


def denied_reading(secret: Secret, context: Context) -> bool:
    """The content of the file may not be shown, at the level of its rule."""
    verdict = table.GROUPS[secret.group][0]
    if verdict == "C":
        return holds_credentials(secret.path, context)
    if verdict == "S":
        return not is_public(secret.path, secret.shown, context)
    return verdict == "D" and secret.group != "history"


def _is_set(rule: str, context: Context) -> bool:
    policy = context.policy
    if policy is None:
        return False
    return any(
        rules.get(rule, "allow") != "allow" for rules in (policy.rules, policy.project_rules)
    )


def _is_secret_now(secret: Secret, access: FileAccess, context: Context) -> bool:
    if secret.group == "package-soft":
        inside = secret.path and context.place.root_of(secret.path)
        if not inside:
            return True
    if _is_written_harmless(secret, access, context):
        return False
    return holds_credentials(secret.path, context)


def _is_written_harmless(secret: Secret, access: FileAccess, context: Context) -> bool:
    """Written in the same text, from text that is known: it says nothing new."""
    del access
    written = context.reading.written.get(secret.path) if secret.path else None
    if written is None or context.world.exists(secret.path):
        return False
    return written.texts is not None and not _takes_another(secret, context)


def _takes_another(secret: Secret, context: Context) -> bool:
    """The text also takes what a secret file holds: `cp .env .env.old; cat .env.old`."""
    for access in context.reading.accesses:
        taken = access.mode in ("read", "move") or access.destination is not None
        if not taken or access.names:
            continue
        for other in secrets_of(access, context):
            if other.path != secret.path and (not other.path or context.world.exists(other.path)):
                return True
    return False


# --- the class of use ----------------------------------------------------------------------------


def use_of(access: FileAccess, secret: Secret, context: Context) -> str:
    mode = access.mode
    if mode == "read":
        return _read(access, secret, context)
    if mode in _NAMED:
        return _copied(access, context) if access.destination is not None else NAMES
    if mode == "use":
        return _used(access, context)
    if mode == "move":
        return _copied(access, context)
    if mode == "link":
        return NAMES if access.keeps or not _is_filled(secret, context) else OVERWRITE
    if mode == "append":
        return CREATE
    if mode == "write":
        return _written(access, secret, context)
    return OVERWRITE


def _read(access: FileAccess, secret: Secret, context: Context) -> str:
    if access.names:
        return NAMES
    if access.execution is None and context.call.kind == "search" and names_only_tool(context):
        return NAMES
    if access.execution is None and context.call.kind == "patch" and not access.recursive:
        # A patch that adds a file reads nothing.
        return READ if _is_filled(secret, context) else CREATE
    execution = access.execution
    if execution is not None and access.via == execution.program and access.via in _WINDOWS:
        return USE
    return READ if execution is None else _through_pipe(execution)


def _through_pipe(execution: Execution) -> str:
    """What the end of a pipe makes of the text that goes in."""
    if execution.fed is None:
        return READ
    return {NAMES: NAMES, USED: USE if not execution.captured else READ}.get(fate(execution), READ)


def _used(access: FileAccess, context: Context) -> str:
    if access.via not in ARCHIVERS:
        return USE
    # A tree that merely holds a secret is not named by it: `tar czf x .`
    return _copied(access, context) if access.destination is not None else READ


def _copied(access: FileAccess, context: Context) -> str:
    """To a name in the table it stays what it is; elsewhere it can be read."""
    target = access.destination
    if target is None:
        return OVERWRITE
    if access.via in {"docker", "podman"}:
        return USE
    text = prefix(target.choices[0]) if target.choices else ""
    if text.startswith("/dev/null"):
        return OVERWRITE if access.mode == "move" else NAMES
    if any(True for _ in of_word(target, access.cwds, context)):
        return NAMES
    return READ


def _written(access: FileAccess, secret: Secret, context: Context) -> str:
    if access.keeps:
        return NAMES
    if not _is_filled(secret, context):
        # An edit in place needs a file that is there.
        return OVERWRITE if access.via in _EDITORS else CREATE
    if access.source is not None and _is_equal(secret, access.source, access, context):
        return NAMES
    from cc_safety_net.guard.rules.absence import only_if_absent

    return CREATE if only_if_absent(access, context) else OVERWRITE


def _is_filled(secret: Secret, context: Context) -> bool:
    """Something is there that could be lost; a path that is not known may be there."""
    if not secret.path:
        return True
    status = context.world.status(context.world.resolve(secret.path))
    return status is not None and (status.kind != "file" or status.size > 0)


def _is_equal(secret: Secret, source: Word, access: FileAccess, context: Context) -> bool:
    """The template says what the file already holds."""
    from cc_safety_net.guard.limits import SNIFF_BYTES
    from cc_safety_net.guard.paths import join, normalise

    text = source.text
    cwd = access.cwds[0] if access.cwds else None
    if text is None or (cwd is None and not text.startswith("/")):
        return False
    world = context.world
    new = world.text(normalise(join(cwd or "/", text)), SNIFF_BYTES)
    return new is not None and new == world.text(secret.path, SNIFF_BYTES)
