"""UTC by integers agrees with datetime."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cc_safety_net.guard import clock


@pytest.mark.parametrize(
    "moment",
    [
        (1970, 1, 1, 0, 0, 0),
        (2000, 2, 29, 23, 59, 59),
        (2026, 11, 30, 19, 41, 34),
        (2028, 2, 29, 12, 0, 1),
        (2100, 3, 1, 0, 0, 0),
        (2099, 12, 31, 23, 59, 59),
    ],
)
def test_days_and_stamps_are_those_of_datetime(moment):
    then = datetime(*moment, tzinfo=UTC)
    seconds = int(then.timestamp())

    assert clock.day(seconds) == then.strftime("%Y-%m-%d")
    assert clock.stamp(seconds * 10**9 + 7_000_000) == then.strftime("%Y-%m-%dT%H:%M:%S") + ".007Z"
    assert clock.parse(then.strftime("%Y-%m-%dT%H:%M:%SZ")) == seconds


def test_a_date_alone_counts_until_its_end():
    assert clock.parse("2027-01-31") == clock.parse("2027-02-01T00:00Z")


@pytest.mark.parametrize(
    "text",
    ["", "2027", "2027-13-01", "2027-02-29", "2027-1-31", "2027-01-31T", "2027-01-31T25:00", "x"],
)
def test_what_is_no_time_is_none(text):
    assert clock.parse(text) is None
