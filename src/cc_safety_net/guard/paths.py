"""Paths as text: join, normalise, contain. POSIX rules; nothing here looks at the disk."""

from __future__ import annotations


def is_absolute(path: str) -> bool:
    return path.startswith("/")


def join(directory: str, path: str) -> str:
    """`path` as seen from `directory`, not normalised."""
    if path.startswith("/"):
        return path
    if not path:
        return directory
    return directory + path if directory.endswith("/") else directory + "/" + path


def normalise(path: str) -> str:
    """An absolute path without `.`, `..`, double or trailing slashes; `/` for the empty rest."""
    if path[:1] == "/" and path[-1] != "/" and "//" not in path and "/." not in path:
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if parts:
                parts.pop()
            continue
        parts.append(part)
    return "/" + "/".join(parts)


def basename(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def parent(path: str) -> str:
    """The directory of a normalised absolute path; `/` is its own parent."""
    return path.rpartition("/")[0] or "/"


def is_below(path: str, directory: str) -> bool:
    """`path` lies strictly below `directory`; both normalised and absolute."""
    if directory == "/":
        return path != "/"
    return path.startswith(directory + "/")


def is_inside(path: str, directory: str) -> bool:
    """`path` is `directory` or lies below it."""
    return path == directory or is_below(path, directory)
