"""A third of the paths by each route, with one wrapper in turn; `proof.py` runs all."""

from __future__ import annotations

import pytest
from tests.guard.rules.self_protection.routes import (
    COMMANDS,
    FILES,
    TOOLS,
    WRAPPERS,
    changing_calls,
    described,
    reading_calls,
    world,
)

from cc_safety_net.guard.engine import decide

PATHS = list(FILES)
ROUTES = (*COMMANDS, *TOOLS)


@pytest.mark.parametrize("route", ROUTES)
def test_no_route_changes_a_file_of_ours(route):
    number = ROUTES.index(route)
    machine = world()
    third = PATHS[number % 3 :: 3]
    wrapped = PATHS[number % 24 :: 24]
    calls = [
        *changing_calls(third, route, WRAPPERS[:1]),
        *changing_calls(wrapped, route, (WRAPPERS[1 + number % (len(WRAPPERS) - 1)],)),
    ]

    allowed = [described(call) for call in calls if decide(call, machine).verdict != "deny"]

    assert allowed == []


@pytest.mark.parametrize("path", PATHS)
def test_every_file_of_ours_can_be_read(path):
    machine = world()

    refused = [
        (decision.finding.rule, described(call))
        for call in reading_calls(path)
        if (decision := decide(call, machine)).finding is not None
    ]

    assert refused == []
