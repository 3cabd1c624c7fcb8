"""Secrets: files that hold them, commands that print them, searches that find them.

An everyday call ends here: a path without a suspicious part, and a program that prints no secret,
load nothing of the tables.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import CodeRun, Execution, FileAccess
    from cc_safety_net.guard.rules.context import Context

#: Every entry of the table has one of these in its path, in lower case.
_PARTS = (
    "/.", "rsa", "dsa", "d25519", "id_", "netrc", "cred", "secret", "key", "service", "firebase",
    "tfstate", "tfvars", "vault", "kube", "shadow", "passwd", "environ", "auth", "token",
    "library/", "appdata/", "snap/", ".pem", ".asc", ".p12", ".pfx", ".pkcs12", ".jks", ".kdbx",
    ".agilekeychain", ".bek", ".cscfg", ".fve", ".gnucash", ".kwallet", ".mdf", ".ovpn", ".pcap",
    ".psafe3", ".rdp", ".sdf", ".tblk", ".tpm",
)  # fmt: skip
#: They print their words.
_ECHOES = frozenset(("echo", "printf", "print", "say"))
#: They print what a here-string or a here-document holds.
_TAKES_TEXT = frozenset(("cat", "base64", "xxd", "od", "head", "tail", "rev", "tac", "hexdump"))
#: Accesses that no entry of the table denies.
_HARMLESS = frozenset(("metadata", "permissions", "execute"))


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """Findings for one path that is touched."""
    if access.scope.kind != "local":
        if access.mode != "read":
            return ()
        from cc_safety_net.guard.rules.secrets import elsewhere

        return elsewhere.judge(access, context)
    policy = context.policy
    if policy is not None and policy.deny_paths:
        from cc_safety_net.guard.rules.secrets import denied_paths

        found = list(denied_paths.judge(access, policy.deny_paths, context))
        if found:
            return found
    if access.mode in _HARMLESS and access.destination is None:
        return ()
    if access.found:
        from cc_safety_net.guard.rules.secrets import uses

        return uses.judge(access, context)
    if access.mode == "read" and context.reading.written:
        from cc_safety_net.guard.rules.secrets import commands

        found = list(commands.of_written(access, context))
        if found:
            return found
    if access.recursive:
        from cc_safety_net.guard.rules.secrets import trees

        found = list(trees.judge(access, context))
        if found:
            return found
    if not _may_be_secret(access, context):
        return ()
    from cc_safety_net.guard.rules.secrets import uses

    return uses.judge(access, context)


def _may_be_secret(access: FileAccess, context: Context) -> bool:
    """A cheap look: the spelling or what it resolves to has a suspicious part."""
    sources = (access.path,) if access.mode != "link" or access.source is None else (
        access.path, access.source
    )  # fmt: skip
    for word in sources:
        for choice in word.choices:
            text = literal(choice)
            if text is None:
                return bool(choice)
            for cwd in access.cwds or (context.place.directory,):
                path = join(cwd or "/.", text.removeprefix("./"))
                if _is_suspicious(path) or _is_suspicious(context.world.resolve(path)):
                    return True
    return False


def _is_suspicious(path: str) -> bool:
    low = path.lower()
    for part in _PARTS:  # noqa: SIM110 - four times as fast as `any`, for each path of a call
        if part in low:
            return True
    return False


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Findings for a program that prints a secret."""
    if not _may_print(execution, context):
        return ()
    from cc_safety_net.guard.rules.secrets import commands

    return commands.judge(execution, context)


def _may_print(execution: Execution, context: Context) -> bool:
    """A cheap look at everyday programs: an unknown word of echo, `git credential`."""
    program = execution.program
    if program == "git":
        return any((word.text or "").startswith("credential") for word in execution.argv[1:6])
    if program in _ECHOES:
        if any(not isinstance(p, str) for w in execution.argv for c in w.choices for p in c):
            return True
        return _is_sourcing(context)
    if program in _TAKES_TEXT:
        return execution.stdin is not None and not execution.feeds
    return True


def _is_sourcing(context: Context) -> bool:
    """Something in the call takes a file's content in, so that a variable may hold it."""
    memo = context.memo.get("secrets.sourcing")
    if memo is None:
        memo = any(access.via in (".", "source", "<") for access in context.reading.accesses)
        context.memo["secrets.sourcing"] = memo
    return bool(memo)


def check_code(code: CodeRun, context: Context) -> Iterable[Finding]:
    """Findings for code whose accesses no reader found."""
    from cc_safety_net.guard.rules.secrets import code as literals

    return literals.judge(code, context)
