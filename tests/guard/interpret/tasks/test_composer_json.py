"""Scripts of composer.json."""

from __future__ import annotations

import json

import pytest
from tests.guard.interpret.projects import rule

_SCRIPTS = {
    "test": "phpunit",
    "all": ["@php artisan cache:clear", "@wipe", "App\\Build::run"],
    "wipe": "rm -rf /etc",
    "loop": ["@loop"],
    "clean": ["rm -rf build"],
}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("composer test", ""),
        ("composer run clean", ""),
        ("composer loop", ""),
        ("composer run all", "rm.system-path"),
        ("composer run-script wipe", "rm.system-path"),
    ],
)
def test_a_script_and_those_it_refers_to_are_judged(command, expected):
    assert rule(command, {"composer.json": json.dumps({"scripts": _SCRIPTS})}) == expected
