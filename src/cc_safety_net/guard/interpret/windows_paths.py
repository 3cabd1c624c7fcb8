"""Paths as Windows shells write them, as the guard's own paths.

`C:\\x` becomes `/C:/x`, a share `/\\\\server/share/x`, so that all that is known of paths holds.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, literal
from cc_safety_net.guard.interpret.values import merge
from cc_safety_net.guard.limits import BRANCH_STATES
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import FileAccess, Pieces

_SHARE = "/\\\\"
#: Leads that say "this is a path of the file system" and nothing else.
_LEADS = (
    "microsoft.powershell.core\\filesystem::",
    "filesystem::",
    "\\\\?\\unc\\",
    "\\\\?\\",
    "\\\\.\\",
    "//?/",
    "//./",
)
#: Leads of devices, and names of disks behind one.
_DEVICES = ("\\\\.\\", "\\\\?\\", "//./", "//?/")
_DISKS = ("physicaldrive", "harddisk", "cdrom", "volume{", "tape")
#: Drives of PowerShell that hold no files.
_NO_FILES = frozenset(
    ("alias", "cert", "env", "function", "hkcr", "hkcu", "hklm", "hku", "registry", "variable",
     "wsman", "hkey_local_machine", "hkey_current_user")
)  # fmt: skip


#: No system takes a longer path; following one would take time that grows with its square.
_PATH_CHARACTERS = 4_096


def reach(cwds: Sequence[str | None], path: str | None) -> tuple[str | None, ...]:
    """The directories that a path of the guard leads to; None where that is not known."""
    out: list[str | None] = []
    for cwd in cwds:
        if path is None or (cwd is None and not path.startswith("/")):
            out.append(None)
            continue
        reached = join(cwd or "/", path)
        out.append(None if len(reached) > _PATH_CHARACTERS else normalise(reached))
    return tuple(dict.fromkeys(out))[:BRANCH_STATES]


def drive_of(text: str) -> str:
    """The name of the drive in front of a path, lower case; "" if there is none."""
    name, colon, _ = text.partition(":")
    return name.lower() if colon and name.isalnum() else ""


def is_no_file(text: str) -> bool:
    """`HKLM:\\Software`, `env:PATH`: a path of another provider."""
    return drive_of(text) in _NO_FILES or text.lower().startswith(("registry::", "hkey_"))


def posix_word(word: Word, *, wild: bool = False, home: str = "", all_dots: bool = False) -> Word:
    """The word as a path of the guard; see `posix_pieces`."""
    choices = tuple(
        posix_pieces(choice, wild=wild, home=home, all_dots=all_dots) for choice in word.choices
    )
    return Word(choices, word.start, word.end, splits=word.splits)


def posix_pieces(
    pieces: Pieces, *, wild: bool = False, home: str = "", all_dots: bool = False
) -> Pieces:
    """The choice as a path of the guard.

    wild: `*`, `?` and `[…]` are patterns. home: what `~` stands for, "" if nothing. all_dots:
    `*.*` takes every name.
    """
    if not pieces:
        return pieces
    out: list[str | Unknown | Glob] = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, Glob):
            out.append(Glob(piece.text.replace("\\", "/")))
            continue
        if not isinstance(piece, str):
            out.append(piece)
            continue
        text = _lead(piece, home, whole=len(pieces) == 1) if index == 0 else piece
        share = text.startswith(_SHARE)
        text = _SHARE + text[3:].replace("\\", "/") if share else text.replace("\\", "/")
        text = _as_stored(text, last=index == len(pieces) - 1)
        if all_dots and text.endswith("*.*"):
            text = text[:-2]
        if wild and any(mark in text for mark in "*?["):
            out.extend(split_patterns(text))
        else:
            out.append(text)
    return merge(out)


def _as_stored(text: str, *, last: bool) -> str:
    """The names that Windows stores: no dot or blank ends one, `x:stream` is a part of x, and
    `GIT~1` is the short name of `.git`.
    """
    plain = not any(mark in text for mark in (". ", "./", " /", "~1", ":"))
    if plain and text[-1:] not in ". " and ".git" not in text.lower():
        return text
    names = text.split("/")
    at = len(names) - 1
    for index, name in enumerate(names):
        if index == at and not last:
            break
        if len(name) == 2 and name[1] == ":" and index == 1:
            continue  # a drive
        short = name.partition(":")[0] if name[:1] != ":" and index else name
        if index == 0 and name.find(":") > 1:
            short = name.partition(":")[0]
        if short.strip(". "):
            short = short.rstrip(". ")
        names[index] = ".git" if short.lower() in (".git", "git~1") else short
    return "/".join(names)


def _lead(text: str, home: str, *, whole: bool) -> str:
    """The beginning of a path: drive, share, `~`."""
    lower = text.lower()
    if lower.startswith(_DEVICES) and lower[4:].startswith(_DISKS):
        return "/dev/" + lower[4:].rstrip("\\/")
    if lower.startswith(_DEVICES) and len(lower) == 6 and lower[5] == ":" and whole:
        return "/dev/volume/" + lower[4]
    for lead in _LEADS:
        if lower.startswith(lead):
            text = ("\\\\" if lead.endswith("unc\\") else "") + text[len(lead) :]
            break
    if text.startswith(("\\\\", "//")) and len(text) > 2 and text[2] not in "\\/":
        return _SHARE + text[2:]
    if text[1:2] == ":" and text[0].isalpha() and text[0].isascii():
        rest = text[2:].replace("\\", "/").lstrip("/")
        return f"/{text[0].upper()}:" + (f"/{rest}" if rest or not whole else "")
    if home and (text == "~" or text.startswith(("~/", "~\\"))):
        return home + text[1:]
    return text


def split_patterns(text: str) -> list[str | Unknown | Glob]:
    """Text and patterns in turn; a pattern reaches to the next slash at most."""
    out: list[str | Unknown | Glob] = []
    run: list[str] = []
    at = 0
    while at < len(text):
        found = text[at]
        if found in "*?":
            out.extend(("".join(run), Glob(found)))
            run = []
        elif found == "[":
            close = text.find("]", at + 1, at + 64)
            if close < 0 or "/" in text[at:close]:
                run.append(found)
            else:
                out.extend(("".join(run), Glob(text[at : close + 1])))
                run = []
                at = close
        else:
            run.append(found)
        at += 1
    out.append("".join(run))
    return out


def convert(access: FileAccess, dialect: str) -> None:
    """Turn the paths that a program has got; from a POSIX shell those with a drive alone."""
    access.path = _argument(access.path, dialect)
    if access.destination is not None:
        access.destination = _argument(access.destination, dialect)
    if access.source is not None:
        access.source = _argument(access.source, dialect)


def _argument(word: Word, dialect: str) -> Word:
    if not any(_is_windows(choice, dialect) for choice in word.choices):
        return word
    return posix_word(word)


def _is_windows(choice: Pieces, dialect: str) -> bool:
    first = choice[0] if choice and isinstance(choice[0], str) else ""
    if first[1:2] == ":" and first[0].isalpha():
        return dialect != "posix" or first[2:3] in ("/", "\\")
    if dialect == "posix":
        return False
    return any(isinstance(piece, str) and "\\" in piece for piece in choice)


def for_git(words: Sequence[Pieces]) -> list[Pieces]:
    """git takes backslashes for slashes."""
    name = (literal(words[0]) or "").replace("\\", "/").rpartition("/")[2].lower()
    if name.removesuffix(".exe") != "git":
        return list(words)
    out: list[Pieces] = [words[0]]
    for word in words[1:]:
        text = literal(word)
        plain = text is not None and "\\" in text and not any(c in text for c in " '\"\n{}()|")
        out.append((text.replace("\\", "/"),) if plain and text is not None else word)
    return out


def shown_path(path: str) -> str:
    """A path of the guard as Windows writes it."""
    if path.startswith(_SHARE):
        return "\\\\" + path[3:].replace("/", "\\")
    if path[2:3] == ":" and path.startswith("/"):
        rest = path[3:].replace("/", "\\")
        return path[1:3] + (rest or "\\")
    return path
