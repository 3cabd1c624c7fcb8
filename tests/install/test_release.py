"""Which of two releases is older, and how the newest is asked for."""

from __future__ import annotations

import pytest

from cc_safety_net.install.release import newest, older
from cc_safety_net.install.system import Ended, ReadOnly


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.1.0", "0.1.1"),
        ("0.9", "0.10"),
        ("1.0a1", "1.0"),
        ("1.0.dev3", "1.0"),
        ("1.0rc1", "1.0rc2"),
        ("1.0", "1.0.post1"),
        ("1", "1.0.1"),
        ("", "0.1"),
    ],
)
def test_a_release_is_older_than_what_follows_it(old: str, new: str) -> None:
    assert (older(old, new), older(new, old)) == (True, False)


@pytest.mark.parametrize(("left", "right"), [("1.0", "1.0"), ("1", "1.0.0"), ("0.1", "0.1.0")])
def test_the_same_release_is_not_older(left: str, right: str) -> None:
    assert (older(left, right), older(right, left)) == (False, False)


class Asked(ReadOnly):
    def __init__(self, ended: Ended) -> None:
        self.ended = ended

    def run(self, argv: object, **options: object) -> Ended:  # type: ignore[override] # stand-in
        self.argv, self.options = argv, options
        return self.ended


@pytest.mark.parametrize(
    ("ended", "found"),
    [
        (Ended(0, b"cc-safety-net (1.2.3)\nAvailable versions: 1.2.3\n", b""), ("1.2.3", "")),
        (
            Ended(1, b"", b"ERROR: No matching distribution\n"),
            ("", "ERROR: No matching distribution"),
        ),
        (Ended(0, b"other (9)\n", b""), ("", "other (9)")),
        (Ended(None, b"", b""), ("", "pip gave no answer in 10 s")),
        (Ended(1, b"", b""), ("", "pip gave no answer")),
    ],
)
def test_the_newest_release_is_what_pip_sees(ended: Ended, found: tuple[str, str]) -> None:
    system = Asked(ended)

    assert newest(system, {}, "/") == found
    assert system.options["changes"] is False
