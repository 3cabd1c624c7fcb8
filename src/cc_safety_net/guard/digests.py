"""SHA-256 without `hashlib`, which loads OpenSSL: a third of a bare interpreter start."""

from __future__ import annotations


def sha256(data: bytes) -> str:
    """Lower-case hexadecimal digest."""
    try:
        # Python 3.12 and later
        from _sha2 import sha256 as digest  # type: ignore[import-not-found] # no stub
    except ImportError:
        try:
            # Python 3.11
            from _sha256 import sha256 as digest  # type: ignore[import-not-found] # no stub
        except ImportError:
            from hashlib import sha256 as digest
    return digest(data).hexdigest()  # type: ignore[no-any-return] # private modules are untyped
