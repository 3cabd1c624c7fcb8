"""Which shell a text is for, where the tool does not say: POSIX unless it shows otherwise."""

from __future__ import annotations

#: Without one of these a text shows no sign of another shell; the rest is not even cut.
_MARKS = (
    "$env:", "]::", "-item", "-content", "-object", "-location", "-expression", "-process",
    "-command", "-webrequest", "-restmethod", "-childitem", "-host", "-output", "-path", "-file",
    "-computer", "-disk", "-volume", "-partition", "-variable", "-string", "-json", "-localuser",
    "-date", "-help", "-service", "-module", "-null", "-archive", "-alias", "-acl", "$_",
    "iex", "irm", "iwr", "gci", "ri ", "clc", "sls ", "icm ", "saps ", "cpi ", "rni ", " = ",
    " /", "%", "del ", "erase ", "rd ", "rd/", "del/",
    "if exist", "if not exist", "gc ", "env:", "type ", " -fo", " -rec", " -force",
    "@echo", "rem ", "\\",
)  # fmt: skip
_ALIASES = frozenset(
    ("clc", "cpi", "gci", "icm", "iex", "irm", "iwr", "ri", "rni", "rvpa", "saps", "sls")
)
#: Programs of Windows that take switches with a slash.
_SLASHED = frozenset(
    (
        "attrib", "bcdedit", "cipher", "cmdkey", "copy", "del", "dir", "erase", "findstr", "format",
        "icacls", "md", "mklink", "move", "net", "rd", "reg", "ren", "rmdir", "robocopy", "sc",
        "schtasks", "start", "takeown", "taskkill", "tasklist", "type", "vssadmin", "wbadmin",
        "where", "wmic", "xcopy",
    )
)  # fmt: skip
#: Of these no POSIX system has a program of the same name.
_ONLY_CMD = frozenset(("del", "erase", "rd", "copy", "ren", "xcopy", "robocopy", "mklink"))
#: Commands of both, and the parameters that only cmdlets have.
_BOTH = frozenset(
    ("cat", "copy", "cp", "del", "dir", "erase", "ls", "move", "mv", "rd", "ren", "rm", "rmdir",
     "type")
)  # fmt: skip
_PARAMETERS = frozenset(
    ("-recurse", "-rec", "-force", "-fo", "-literalpath", "-path", "-whatif", "-confirm:$false",
     "-erroraction", "-ea", "-destination", "-filter", "-include")
)  # fmt: skip
_SEPARATORS = frozenset(";|&\n(){}")
_LOOKED_AT = 512


def dialect_of(text: str) -> str:
    """`powershell` or `cmd` if cmdlets or cmd's switches are seen, else `posix`."""
    if text.lstrip()[:2] in ("& ", "&{", "&("):
        return "powershell"
    lower = text.lower()
    if not any(mark in lower for mark in _MARKS):
        return "posix"
    is_cmd = False
    for segment in _segments(text):
        words = segment.split(None, 24)
        if not words:
            continue
        if _is_powershell(segment, words):
            return "powershell"
        is_cmd = is_cmd or _is_cmd(words)
    return "cmd" if is_cmd else "posix"


def _segments(text: str) -> list[str]:
    """The text cut where commands begin, quoted parts left whole."""
    out: list[str] = []
    start = at = 0
    end = len(text)
    while at < end and len(out) < _LOOKED_AT:
        found = text[at]
        if found in "'\"":
            close = text.find(found, at + 1)
            at = end if close < 0 else close + 1
            continue
        if found in _SEPARATORS:
            out.append(text[start:at])
            start = at + 1
        at += 1
    out.append(text[start:])
    return out


def _is_powershell(segment: str, words: list[str]) -> bool:
    first = words[0].lstrip("@")
    lower = first.lower()
    if first[:1] == "$":
        return _assigns(words) or lower.startswith("$env:")
    if lower in _ALIASES or "]::" in first:
        return True
    if lower in _BOTH or lower == "gc":
        rest = [word.lower() for word in words[1:]]
        if any(word in _PARAMETERS or word.startswith("env:") for word in rest):
            return True
        if lower == "gc" and rest and not rest[0].startswith("-"):
            return True
    verb, dash, noun = first.partition("-")
    if dash and noun.isalnum() and verb.isalpha() and _is_cmdlet(verb, noun, lower):
        return True
    at = segment.lower().find("$env:")
    return at >= 0 and "'" not in segment[:at]


def _is_cmdlet(verb: str, noun: str, lower: str) -> bool:
    from cc_safety_net.guard.interpret.powershell.binding import PARAMETERS

    if lower in PARAMETERS:
        return True
    if not (verb[0].isupper() and noun[0].isupper()):
        return False
    from cc_safety_net.guard.interpret.powershell.cmdlets import is_cmdlet

    return is_cmdlet(lower)


def _assigns(words: list[str]) -> bool:
    """`$name = …`, which no POSIX shell would write."""
    name = words[0][1:]
    if len(words) > 2 and words[1] in ("=", "+="):
        return name.replace(":", "").replace("_", "").isalnum()
    return False


def _is_cmd(words: list[str]) -> bool:
    first = words[0].lstrip("@").lower()
    if first == "if" and len(words) > 2:
        rest = [word.lower() for word in words[1:4]]
        return "exist" in rest[:2] or "defined" in rest[:2]
    if first == "for" and words[1:2] and words[1][:1] in ("%", "/"):
        return True
    if first == "echo" and words[0][:1] == "@":
        return True
    name, slash, _ = first.partition("/")
    if slash and name in _ONLY_CMD:
        return True
    if first not in _SLASHED:
        return False
    rest = words[1:]
    if first == "type" and any(word[:1] in (".", "%") or "\\" in word for word in rest):
        return True
    if any(_is_switch(word) for word in rest):
        return True
    return first in _ONLY_CMD and any("\\" in w or "%" in w or w[1:2] == ":" for w in rest)


def _is_switch(word: str) -> bool:
    """`/s`, `/s/q`, `/a:h`, `/all`: not a path that exists on a POSIX system."""
    if not word.startswith("/") or len(word) < 2:
        return False
    if word.lower() in ("/all", "/quiet", "/mir", "/grant", "/reset", "/create", "/delete", "/im"):
        return True
    parts = word[1:].split("/")
    return all(len(part) == 1 or part[1:2] == ":" for part in parts)
