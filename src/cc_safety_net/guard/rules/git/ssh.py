"""Whether a command for `GIT_SSH_COMMAND` is plain ssh with a key, a port or known hosts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.rules.git.options import Argument

_PROGRAMS = frozenset(("ssh", "/usr/bin/ssh", "/bin/ssh", "ssh.exe"))
#: Letters with a value that only choose key, port, user or address.
_VALUED = frozenset("ipl")
_FLAGS = frozenset("46aqvTxCn")
#: `-o` settings that only choose keys, ports, host keys and patience.
_SETTINGS = frozenset(
    (
        "addkeystoagent",
        "batchmode",
        "checkhostip",
        "compression",
        "connectionattempts",
        "connecttimeout",
        "globalknownhostsfile",
        "hostkeyalias",
        "hostkeyalgorithms",
        "identitiesonly",
        "identityagent",
        "identityfile",
        "loglevel",
        "passwordauthentication",
        "port",
        "preferredauthentications",
        "pubkeyacceptedalgorithms",
        "pubkeyacceptedkeytypes",
        "pubkeyauthentication",
        "serveralivecountmax",
        "serveraliveinterval",
        "stricthostkeychecking",
        "updatehostkeys",
        "user",
        "userknownhostsfile",
    )
)
_SHELL_SIGNS = frozenset(";|&<>`()\n\\")
_UNKNOWN = "\0"


def is_plain_ssh(value: Argument) -> bool:
    """Only `ssh` itself, with options that run nothing; unknown text may stand in their values."""
    text = "".join(
        [piece if isinstance(piece, str) else _UNKNOWN for piece in value.pieces]
        if value.text is None
        else [value.text]
    )
    if _SHELL_SIGNS & set(text) or "$(" in text:
        return False
    words = text.replace('"', "").replace("'", "").split()
    if not words or words[0] not in _PROGRAMS:
        return False
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if not word.startswith("-") or len(word) < 2:
            return False
        letter = word[1]
        if letter in _VALUED or letter == "o":
            if len(word) == 2:
                given = words[at] if at < len(words) else ""
                at += 1
            else:
                given = word[2:]
            if letter == "o" and not _is_setting(given):
                return False
        elif set(word[1:]) - _FLAGS:
            return False
    return True


def _is_setting(text: str) -> bool:
    return text.partition("=")[0].strip().lower() in _SETTINGS
