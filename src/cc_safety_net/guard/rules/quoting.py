"""Words of a suggested command, quoted for a POSIX shell."""

from __future__ import annotations

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_-+=:,./")


def quote(text: str) -> str:
    """The word as a shell must be given it; plain words stay as they are."""
    if text and not set(text) - _PLAIN:
        return text
    return "'" + text.replace("'", "'\\''") + "'"
