"""Programs of Windows that read, fetch, overwrite or re-permission files, by their switches."""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects import forms
from cc_safety_net.guard.interpret.facts import Unknown, Word
from cc_safety_net.guard.interpret.values import merge
from cc_safety_net.guard.interpret.windows_paths import posix_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess
    from cc_safety_net.guard.world import World

#: Switches of icacls that change something.
_CHANGES = ("/grant", "/deny", "/remove", "/reset", "/setowner", "/inheritance", "/setinteg",
            "/restore", "/substitute")  # fmt: skip
#: Switches of certutil with one file, and with a second that is written.
_CODED = frozenset(("decode", "encode", "decodehex", "encodehex"))
_SHOWN = frozenset(("dump", "asn"))


def touch(
    execution: Execution, path: Word, mode: str, *, recursive: bool = False, **more: Word
) -> FileAccess:
    """An access by a path that is written with backslashes, from whichever shell."""
    return forms.touch(execution, posix_word(path, wild=True), mode, recursive=recursive, **more)  # type: ignore[arg-type]  # destination and source


def _lower(word: Word) -> str:
    return (word.text or "").lower().replace("//", "/")


def _is_switch(word: Word) -> bool:
    text = _lower(word)
    return text.startswith("/") and len(text) > 1 and "/" not in text[1:] and "\\" not in text


def _operands(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if not _is_switch(word)]


def _takeown(execution: Execution, _world: World) -> list[FileAccess]:
    """`takeown /f path [/r]`."""
    words = execution.argv
    lower = [_lower(word) for word in words]
    recursive = "/r" in lower
    return [
        touch(execution, words[at + 1], "permissions", recursive=recursive)
        for at, text in enumerate(lower[:-1])
        if text == "/f"
    ]


def _icacls(execution: Execution, _world: World) -> list[FileAccess]:
    """`icacls path /grant x:F /t`; without such a switch it shows."""
    words = execution.argv[1:]
    lower = [_lower(word) for word in words]
    # cacls has short ones.
    changes = _CHANGES if execution.program == "icacls" else ("/g", "/p", "/d", "/r", "/e")
    if not words or _is_switch(words[0]):
        return []
    mode = "permissions" if any(text.startswith(changes) for text in lower) else "metadata"
    return [touch(execution, words[0], mode, recursive="/t" in lower)]


def _attrib(execution: Execution, _world: World) -> list[FileAccess]:
    """`attrib +h -r path /s`."""
    words = execution.argv[1:]
    changes = any(_lower(word)[:1] in ("+", "-") for word in words)
    recursive = any(_lower(word) == "/s" for word in words)
    return [
        touch(execution, word, "permissions" if changes else "metadata", recursive=recursive)
        for word in _operands(words)
        if _lower(word)[:1] not in ("+", "-")
    ]


def _findstr(execution: Execution, _world: World) -> list[FileAccess]:
    """`findstr [/s /i] text files…`; `find "text" files…`."""
    words = execution.argv[1:]
    lower = [_lower(word) for word in words]
    operands = _operands(words)
    if not any(text.startswith(("/c:", "/g:")) for text in lower):
        operands = operands[1:]
    recursive = "/s" in lower
    found = [touch(execution, word, "read", recursive=recursive) for word in operands]
    if recursive:
        found += [touch(execution, _below(word), "read", recursive=True) for word in operands]
    names = any(text in ("/m", "/c") for text in lower)
    for access in found:
        access.names = names
    return found


def _below(word: Word) -> Word:
    """`dir\\*.env` in each directory below `dir`."""
    choices = []
    for choice in posix_word(word, wild=True).choices:
        first = choice[0] if choice and isinstance(choice[0], str) else ""
        folder, slash, leaf = first.rpartition("/")
        some = Unknown("input", may_be_empty=False)
        rest = choice[1:] if first else choice
        choices.append(merge((folder + slash, some, "/" + leaf, *rest)))
    return Word(choices, word.start, word.end)


def _certutil(execution: Execution, _world: World) -> list[FileAccess]:
    """`certutil -urlcache -f URL file`, `-decode in out`, `-dump file`."""
    words = execution.argv[1:]
    verbs = {_lower(word).lstrip("-/") for word in words if _lower(word)[:1] in ("-", "/")}
    operands = [word for word in words if _lower(word)[:1] not in ("-", "/")]
    if "urlcache" in verbs or "verifyctl" in verbs:
        return [touch(execution, word, "write") for word in operands[1:2]]
    if verbs & _CODED:
        found = [touch(execution, word, "read") for word in operands[:1]]
        return found + [touch(execution, word, "write") for word in operands[1:2]]
    if verbs & _SHOWN:
        return [touch(execution, word, "read") for word in operands[:1]]
    return [touch(execution, word, "use") for word in operands[:1]]


def _bitsadmin(execution: Execution, _world: World) -> list[FileAccess]:
    """`bitsadmin /transfer name [switches] URL file`."""
    words = execution.argv[1:]
    if not any(_lower(word) in ("/transfer", "/addfile") for word in words):
        return []
    for at, word in enumerate(words[:-1]):
        if "://" in (word.text or ""):
            return [touch(execution, words[at + 1], "write")]
    return []


def _fsutil(execution: Execution, _world: World) -> list[FileAccess]:
    """`fsutil file setzerodata … path` overwrites."""
    lower = [_lower(word) for word in execution.argv[1:3]]
    if lower in (["file", "setzerodata"], ["file", "seteof"], ["file", "setvaliddata"]):
        at = -1 if lower[1] == "setzerodata" else 3
        return [touch(execution, word, "truncate") for word in execution.argv[at:][:1]]
    return []


def _compared(execution: Execution, _world: World) -> list[FileAccess]:
    if execution.dialect == "posix":
        return []  # the shell's own `fc`
    return [touch(execution, word, "read") for word in _operands(execution.argv[1:])]


def _xcopy(execution: Execution, _world: World) -> list[FileAccess]:
    """`xcopy source destination`: what arrives is a copy."""
    operands = _operands(execution.argv[1:])
    if len(operands) < 2:
        return [touch(execution, word, "metadata") for word in operands]
    source, place = operands[:2]
    return [
        touch(execution, source, "metadata", recursive=True, destination=place),
        touch(execution, place, "write", recursive=True, source=source),
    ]


TABLE: dict[str, Entry] = {
    "attrib": _attrib,
    "bitsadmin": _bitsadmin,
    "cacls": _icacls,
    "certutil": _certutil,
    "comp": _compared,
    "fc": _compared,
    "findstr": _findstr,
    "fsutil": _fsutil,
    "icacls": _icacls,
    "takeown": _takeown,
    "robocopy": _xcopy,
    "xcopy": _xcopy,
}
