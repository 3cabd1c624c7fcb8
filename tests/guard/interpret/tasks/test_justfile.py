"""Justfiles: recipes with parameters, dependencies and expressions."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"
_JUSTFILE = """set shell := ["bash", "-uc"]
import 'more.just'
dir := "build"
alias b := build
default: build
  @echo hi {{dir}}
# a comment
[private]
build target="x" *args: clean (other "y")
    echo {{target}} {{args}}
clean:
    rm -rf {{dir}}
other n:
    echo {{n}}
evil:
    rm -rf {{ "/" + "etc" }}
first: evil
    echo
file:
    #!/usr/bin/env bash
    cd /etc
    rm -rf ssl
remove d:
    rm -rf {{d}}
two a b="build":
    rm -rf {{a}} {{b}}
"""
_FILES = {"justfile": _JUSTFILE, "more.just": "imported:\n  rm -rf /etc\n"}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("just", ""),
        ("just b", ""),
        ("just build z", ""),
        ("just --list", ""),
        ("just -n evil", ""),
        ("just nothing", ""),
        ("just remove build", ""),
        ("cd src && just clean", ""),
        ("just two dist", ""),
        ("just evil", SYSTEM),
        ("just first", SYSTEM),
        ("just clean evil", SYSTEM),
        ("just file", SYSTEM),
        ("just imported", SYSTEM),
        ("just remove /etc", SYSTEM),
        ("just two dist /etc", SYSTEM),
        ("just -f justfile evil", SYSTEM),
    ],
)
def test_only_the_recipes_that_run_are_judged(command, expected):
    assert rule(command, _FILES) == expected
