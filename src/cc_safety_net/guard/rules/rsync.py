"""Copies that delete what the source does not have: rsync, rclone, robocopy."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import prefix, shown
from cc_safety_net.guard.rules import targets
from cc_safety_net.guard.rules.deletion import values
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.rules.context import Context

#: Options of rsync that take the next word.
_RSYNC_VALUES = frozenset(
    (
        "-e",
        "-f",
        "-T",
        "-B",
        "-M",
        "--rsh",
        "--rsync-path",
        "--filter",
        "--exclude",
        "--exclude-from",
        "--include",
        "--include-from",
        "--files-from",
        "--temp-dir",
        "--partial-dir",
        "--compare-dest",
        "--copy-dest",
        "--link-dest",
        "--backup-dir",
        "--suffix",
        "--chmod",
        "--chown",
        "--usermap",
        "--groupmap",
        "--timeout",
        "--contimeout",
        "--bwlimit",
        "--port",
        "--log-file",
        "--log-file-format",
        "--out-format",
        "--password-file",
        "--max-size",
        "--min-size",
        "--max-delete",
        "--block-size",
        "--info",
        "--debug",
        "--sockopts",
        "--address",
        "--remote-option",
        "--modify-window",
        "--checksum-choice",
        "--compress-choice",
        "--compress-level",
        "--skip-compress",
        "--iconv",
        "--protocol",
        "--read-batch",
        "--write-batch",
        "--only-write-batch",
        "--stop-after",
        "--stop-at",
    )
)
_DENYING = frozenset(
    (
        targets.ROOT,
        targets.HOME,
        targets.GIT,
        targets.SELF,
        targets.SYSTEM,
        targets.OUTSIDE,
    )
)


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Findings for one copying program."""
    if execution.scope.kind != "local":
        return ()
    reader = {"rsync": _rsync, "rclone": _rclone, "robocopy": _robocopy}.get(execution.program)
    destination = reader(execution.argv[1:]) if reader is not None else None
    if destination is None:
        return ()
    if execution.program == "robocopy":
        from cc_safety_net.guard.interpret.windows_paths import posix_word

        destination = posix_word(destination)
    return _judged(destination, execution, context)


def _rsync(words: Sequence[Word]) -> Word | None:
    """The destination of an rsync that deletes, None if it does not."""
    operands: list[Word] = []
    deletes = False
    at = 0
    while at < len(words):
        text = words[at].text
        lead = text if text is not None else prefix(words[at].choices[0])
        at += 1
        if lead == "--":
            operands.extend(words[at:])
            break
        if not lead.startswith("-") or lead == "-":
            operands.append(words[at - 1])
            continue
        if lead in ("--dry-run", "--list-only", "--help", "--version"):
            return None
        if lead.startswith("--"):
            deletes = deletes or (lead.startswith("--del") and lead != "--delay-updates")
            at += lead in _RSYNC_VALUES
            continue
        for index, letter in enumerate(lead[1:], 1):
            if letter == "n":
                return None
            if "-" + letter in _RSYNC_VALUES:
                at += index == len(lead) - 1
                break
    return operands[-1] if deletes and len(operands) > 1 else None


def _rclone(words: Sequence[Word]) -> Word | None:
    texts = [word.text or "" for word in words]
    if "--dry-run" in texts or "-n" in texts or "sync" not in texts:
        return None
    operands = [
        word
        for word, text in zip(words, texts, strict=True)
        if not text.startswith("-") and text != "sync"
    ]
    return operands[1] if len(operands) > 1 else None


def _robocopy(words: Sequence[Word]) -> Word | None:
    texts = [(word.text or "").lower() for word in words]
    if "/l" in texts or not ("/mir" in texts or "/purge" in texts):
        return None
    operands = [
        word
        for word, text in zip(words, texts, strict=True)
        if not (text.startswith("/") and text[1:2].isalpha() and "/" not in text[1:])
    ]
    return operands[1] if len(operands) > 1 else None


def _judged(destination: Word, execution: Execution, context: Context) -> Iterable[Finding]:
    for choice in destination.choices:
        for cwd in execution.cwds:
            remote = _is_remote(prefix(choice), execution.program)
            # The content goes, not the directory: a trailing slash leads through links.
            pieces = (*choice, "/") if choice and not isinstance(choice[-1], str) else choice
            target = targets.classify_choice(pieces, cwd, context, tree=True, start=execution.start)
            if not remote and target.kind not in _DENYING:
                continue
            why = f"It deletes in {shown(choice)}, on another machine."
            if not remote:
                why = f"It deletes there, and {target.reason}"
            return (
                Finding(
                    "rsync.delete",
                    " ".join(shown(word.choices[0]) for word in execution.argv),
                    execution.start,
                    execution.end,
                    chain=execution.chain,
                    values={**values(target, context), "dry": _dry(execution)},
                    why=why,
                    target=target.path,
                ),
            )
    return ()


def _dry(execution: Execution) -> str:
    """The same command, only showing what it would do."""
    option = {"robocopy": "/L"}.get(execution.program, "--dry-run")
    words = [shown(word.choices[0]) for word in execution.argv]
    plain = [word if "$" in word or "*" in word else quote(word) for word in words]
    return " ".join([plain[0], *plain[1:], option])


def _is_remote(text: str, program: str) -> bool:
    """`host:path`, `rsync://…`, a remote of rclone; not a drive of Windows."""
    if program == "robocopy":
        return text.startswith("\\\\")
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head and head != ""
