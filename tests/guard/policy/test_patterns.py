"""Path patterns of a policy."""

from __future__ import annotations

import pytest

from cc_safety_net.guard.policy.patterns import expand, matches, may_hold


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b", "/a/b/c", True),
        ("/a/b", "/a/bc", False),
        ("/a/b", "/a", False),
        ("/a/*", "/a/b", True),
        ("/a/*", "/a/b/c", True),
        ("/a/*", "/a", False),
        ("/a/*.txt", "/a/b.txt", True),
        ("/a/*.txt", "/a/c/b.txt", False),
        ("/a/**/*.txt", "/a/c/d/b.txt", True),
        ("/a/**/*.txt", "/a/b.txt", True),
        ("/a/**", "/a", False),
        ("/a/**", "/a/b", True),
        ("/a/x*y*z", "/a/x1y2z", True),
        ("/a/x*y*z", "/a/xz", False),
        ("/a/*aa", "/a/a", False),
        ("/**", "/etc", True),
        ("/", "/etc", True),
    ],
)
def test_a_pattern_stands_for_a_path_and_all_below_it(pattern, path, expected):
    assert matches(pattern, path) is expected


@pytest.mark.parametrize(
    ("pattern", "directory", "expected"),
    [
        ("/a/b/**", "/a", True),
        ("/a/b/**", "/a/b", True),
        ("/a/b", "/", True),
        ("/a/*/c", "/a/x", True),
        ("/a/*/c", "/b", False),
        ("/a/b", "/a/b/c", True),
    ],
)
def test_a_directory_may_hold_what_a_pattern_stands_for(pattern, directory, expected):
    assert may_hold(pattern, directory) is expected


def test_patterns_are_made_absolute():
    assert expand("~/x/../y", "/home/dev") == "/home/dev/y"
    assert expand("~", "/home/dev") == "/home/dev"
    assert expand("secret/**", "/home/dev", "/w") == "/w/secret/**"
    assert expand("secret", "/home/dev") == ""


def test_matching_many_wildcards_is_not_exponential():
    assert not matches("/" + "**/a/" * 30 + "b", "/" + "a/" * 60 + "c")
