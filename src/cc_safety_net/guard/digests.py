"""SHA-256 without `hashlib`, which loads OpenSSL: a third of a bare interpreter start."""

from __future__ import annotations


def sha256(data: bytes) -> str:
    """Lower-case hexadecimal digest."""
    import sys

    try:
        # Asking for the other one first would search the whole path each time.
        if sys.version_info >= (3, 12):
            from _sha2 import sha256 as digest
        else:
            from _sha256 import sha256 as digest  # type: ignore[import-not-found] # no stub
    except ImportError:
        from hashlib import sha256 as digest
    return digest(data).hexdigest()  # type: ignore[no-any-return] # private modules are untyped
