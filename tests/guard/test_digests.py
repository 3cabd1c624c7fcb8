"""Digests are those of hashlib."""

from __future__ import annotations

import hashlib

from cc_safety_net.guard.digests import sha256


def test_sha256_is_the_one_of_hashlib():
    assert sha256(b"abc") == hashlib.sha256(b"abc").hexdigest()
