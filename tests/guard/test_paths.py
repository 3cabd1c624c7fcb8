"""Paths are text: joined, normalised and contained without looking at the disk."""

from __future__ import annotations

import pytest

from cc_safety_net.guard import paths


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "/"),
        ("//a//b/", "/a/b"),
        ("/a/./b/../c", "/a/c"),
        ("/../../etc", "/etc"),
        ("/a/b/..", "/a"),
    ],
)
def test_normalise_takes_away_dots_and_slashes(path: str, expected: str) -> None:
    assert paths.normalise(path) == expected


def test_a_name_that_only_starts_alike_is_not_inside() -> None:
    inside = (paths.is_inside("/a/b", "/a"), paths.is_inside("/a", "/a"))
    outside = (paths.is_inside("/ab", "/a"), paths.is_below("/a", "/a"), paths.is_below("/", "/"))
    assert (inside, outside) == ((True, True), (False, False, False))
