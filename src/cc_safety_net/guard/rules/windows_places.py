"""Well-known places of Windows, for paths that begin with a drive or a share.

They are written as the guard's own paths (`/C:/Users/dev`, `/\\\\server/share`), without case.
"""

from __future__ import annotations

_SYSTEM = frozenset(
    (
        "$recycle.bin", "boot", "bootmgr", "efi", "msocache", "pagefile.sys", "perflogs",
        "program files", "program files (x86)", "programdata", "recovery",
        "system volume information", "windows", "windows.old", "hiberfil.sys",
    )
)  # fmt: skip
_HOMES = frozenset(("users", "documents and settings"))
_NO_HOMES = frozenset(("public", "all users"))
#: Below a home, what is temporary or made anew by a program.
_CACHES = (
    "appdata/local/temp", "appdata/local/npm-cache", "appdata/local/pip/cache",
    "appdata/local/pnpm/store", "appdata/local/pnpm-cache", "appdata/local/yarn/cache",
    "appdata/local/nuget/cache", "appdata/local/nuget/v3-cache", "appdata/local/go-build",
    "appdata/local/uv/cache", "appdata/local/pypoetry/cache", "appdata/local/ms-playwright",
    "appdata/roaming/npm-cache", ".nuget/packages", ".gradle/caches", ".m2/repository",
    ".cargo/registry", ".cargo/git", ".cache", "go/pkg/mod", ".pub-cache",
)  # fmt: skip
#: Names that are longer than those of old programs can be.
_SHORTENED = (
    "program files", "programdata", "documents and settings", "windows.old",
    "system volume information", "$recycle.bin", "perflogs", "msocache",
)  # fmt: skip
_TEMPS = frozenset(("temp", "tmp"))


def is_windows(path: str) -> bool:
    return path[2:3] == ":" or path.startswith("/\\\\")


def is_drive(path: str) -> bool:
    """A drive's root, or a share as a whole."""
    if path.startswith("/\\\\"):
        return path.count("/") < 3
    return len(path) == 3 and path[2] == ":" and path[1].isalpha()


def kind(path: str) -> str:
    """`root`, `home`, `temp` or `system`; "" for any other place of a Windows machine."""
    if is_drive(path):
        return "root"
    parts = path.lower().split("/")[2:]
    if path.startswith("/\\\\"):
        parts = parts[1:]  # the share; an administrative one is a drive
        if not path.lower().split("/")[2].endswith("$"):
            return ""
    return _of_drive(parts)


def _long(name: str) -> str:
    """`progra~1`: the first of the well-known names that it may be short for."""
    head, tilde, number = name.partition("~")
    if not tilde or not number[:1].isdigit() or not head:
        return name
    for known in _SHORTENED:
        if known.replace(" ", "").startswith(head):
            return known
    return name


def _of_drive(parts: list[str]) -> str:
    first = _long(parts[0]) if parts else ""
    if first in _HOMES:
        if len(parts) < 2 or (len(parts) == 2 and parts[1] not in _NO_HOMES):
            return "home"
        below = "/".join(parts[2:])
        if any(below == cache or below.startswith(cache + "/") for cache in _CACHES):
            # The temp root itself is what the system expects to find.
            return "system" if below == "appdata/local/temp" else "temp"
        return "system" if parts[1] in _NO_HOMES and len(parts) == 2 else ""
    if first in _TEMPS:
        return "temp" if len(parts) > 1 else "system"
    if first == "windows" and len(parts) > 2 and parts[1] == "temp":
        return "temp"
    return "system" if first in _SYSTEM else ""


def is_essential(path: str) -> bool:
    """A program, library or setting of the system itself."""
    parts = path.lower().split("/")[2:]
    return (
        is_windows(path)
        and parts[:1] in (["windows"], ["boot"], ["efi"], ["bootmgr"])
        and (kind(path) == "system")
    )
