"""Facts about repositories, from made-up ones and from real git."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.guard.worlds import FakeWorld, repository, workspace

from cc_safety_net.guard.rules.repository import (
    holds_tracked,
    is_linked_worktree,
    repository_of,
    tracked,
)
from cc_safety_net.guard.world import World

if TYPE_CHECKING:
    from pathlib import Path

W = "/home/dev/proj"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"{W}/f", True),
        (f"{W}/src/app.ts", True),
        (f"{W}/src/../f", True),
        (f"{W}/src", False),
        (f"{W}/notes.txt", False),
        (f"{W}/app.ts", False),
        (f"{W}/src/app.t", False),
        ("/home/dev/other/a.txt", False),
        ("/etc/passwd", False),
    ],
)
def test_tracked_files_are_found_in_the_index(path, expected):
    assert tracked(path, workspace()) is expected


@pytest.mark.parametrize(
    ("path", "expected"), [(W, True), (f"{W}/src", True), (f"{W}/build", False), ("/etc", False)]
)
def test_a_directory_holds_tracked_files(path, expected):
    assert holds_tracked(path, workspace()) is expected


def test_an_index_that_cannot_be_searched_is_a_doubt():
    world = workspace()
    world.add(f"{W}/.git/index", b"DIRC\0\0\0\4\0\0\0\1" + b"\0" * 80)

    assert tracked(f"{W}/f", world) is None


def test_the_innermost_repository_counts():
    world = FakeWorld({**repository("/p", {"a": "1"}), **repository("/p/sub", {"b": "1"})})

    assert (tracked("/p/sub/b", world), tracked("/p/b", world), tracked("/p/a", world)) == (
        True,
        False,
        True,
    )


def test_another_ref_with_the_same_tip_keeps_a_branch():
    world = workspace()
    world.add(
        f"{W}/.git/packed-refs",
        "# pack-refs with: peeled\n"
        + "3" * 40
        + " refs/tags/note\n^"
        + "2" * 40
        + "\n"
        + "1" * 40
        + " refs/remotes/origin/main\n",
    )
    found = repository_of(f"{W}/src", world)
    assert found is not None

    assert found.tip("refs/heads/x", world) == "2" * 40
    assert found.keeper("2" * 40, ("refs/heads/x",), world) == "refs/tags/note"
    assert found.keeper("2" * 40, ("refs/heads/x", "refs/tags/"), world) == ""


def test_a_packed_ref_behind_a_loose_one_is_stale():
    world = workspace()
    world.add(f"{W}/.git/packed-refs", "2" * 40 + " refs/heads/main\n")
    found = repository_of(W, world)
    assert found is not None

    assert found.keeper("2" * 40, ("refs/heads/x",), world) == ""


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_real_repositories_are_read(tmp_path: Path, object_format):
    root = tmp_path.resolve() / "p"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*words: str, directory: Path = root) -> None:
        identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
        subprocess.run(
            ["git", *identity, *words],
            cwd=directory,
            check=True,
            capture_output=True,
            env=environment,
        )

    root.mkdir()
    git("init", "-q", f"--object-format={object_format}")
    names = ["a", "dir/b", "dir/deep/" + "n" * 60, "x/dir/c", "intent"]
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    git("add", "a", "dir", "x")
    git("add", "-N", "intent")
    git("commit", "-q", "-m", "m")
    git("branch", "kept")
    git("pack-refs", "--all")
    git("worktree", "add", "-q", "../w")
    world = World(environment, str(tmp_path), str(root))

    assert [tracked(f"{root}/{name}", world) for name in names] == [True] * len(names)
    assert [tracked(f"{root}/{name}", world) for name in ("b", "dir/c", "dir", "no")] == [False] * 4
    assert holds_tracked(f"{root}/dir", world) is True
    assert tracked(f"{root}/../w/dir/b", world) is True
    linked = repository_of(f"{root}/../w/dir", world)
    assert linked is not None
    assert (linked.linked, linked.common) == (True, f"{root}/.git")
    assert is_linked_worktree(f"{tmp_path.resolve()}/w", world)
    tip = linked.tip("refs/heads/kept", world)
    assert linked.keeper(tip, ("refs/heads/kept",), world) == "refs/heads/w"
