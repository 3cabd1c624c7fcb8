"""The door to the machine reports what is there and never raises for what is not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.guard.worlds import FakeWorld, Link

from cc_safety_net.guard.world import World

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World({}, str(tmp_path), str(tmp_path))


def test_links_of_the_longest_existing_prefix_are_followed(world: World, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "a").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")

    resolved = [world.resolve(f"{tmp_path}/{name}") for name in ("a/x/../y", "loop/z", "none/q")]

    base = os.path.realpath(tmp_path)
    assert resolved == [f"{base}/real/y", f"{tmp_path}/loop/z", f"{base}/none/q"]


def test_what_is_not_there_or_no_file_reads_as_none(world: World, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    found = [world.read(f"{tmp_path}/{name}", 10) for name in ("none", "pipe", "")]

    assert found == [None, None, None]
    assert world.names(f"{tmp_path}/none") is None
    assert world.status("bad\0name") is None


def test_a_file_is_read_up_to_the_limit(world: World, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")

    assert (world.read(f"{tmp_path}/f", 4), world.text(f"{tmp_path}/f", 4)) == (b"0123", None)


def test_the_made_up_world_follows_links_like_the_real_one() -> None:
    fake = FakeWorld({"/home/dev/real/f": "1", "/home/dev/a": Link("real")})

    assert fake.resolve("/home/dev/a/f") == "/home/dev/real/f"
    assert (fake.kind("/home/dev/a"), fake.kind("/home/dev/a/f")) == ("directory", "file")
