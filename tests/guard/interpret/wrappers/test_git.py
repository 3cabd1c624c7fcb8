"""What git starts: its own runners, and aliases and hooks that are stored in the repository."""

from __future__ import annotations

import pytest
from tests.guard.interpret.words import PROJECT
from tests.guard.interpret.wrappers.shapes import shapes
from tests.guard.worlds import HOME, FakeWorld, workspace

from cc_safety_net.guard.interpret.wrappers.git import settings_of

CONFIG = """
[core]
	repositoryformatversion = 0
[alias]
	wipe = "!rm -rf /etc"
	undo = reset --hard ; throws away
	Mixed = log
[alias "two"]
	command = status
"""
HOME_CONFIG = """[include]
	path = more.inc
[alias]
	co = checkout
	wipe = log
"""
HOOK = "git hook {0}: file executable /home/dev/proj/.git/hooks/{0} in /home/dev/proj"


def machine() -> FakeWorld:
    world = workspace()
    world.add(f"{PROJECT}/.git/config", CONFIG)
    world.add(f"{HOME}/.gitconfig", HOME_CONFIG)
    world.add(f"{HOME}/more.inc", "[alias]\n\tfar = clean -fdx\n")
    world.add(f"{PROJECT}/.git/hooks/pre-commit", "#!/bin/sh\n")
    world.add(f"{PROJECT}/.git/hooks/pre-push", "#!/bin/sh\n")
    world.add(f"{PROJECT}/src/deep/x", "")
    return world


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git wipe now", [f'git alias wipe: text rm -rf /etc "$@" (wipe now) in {PROJECT}']),
        ("git undo", ["git alias undo: argv git reset --hard"]),
        ("git -C src/deep undo x", ["git alias undo: argv git -C src/deep reset --hard x"]),
        ("git mixed -1", ["git alias mixed: argv git log -1"]),
        ("git two", ["git alias two: argv git status"]),
        ("git co f", ["git alias co: argv git checkout f"]),
        ("git far", ["git alias far: argv git clean -fdx"]),
        ("git -c alias.undo=log undo", []),
        ("git nothing", []),
        ("git -C /etc undo", []),
        ("git commit -m x", [HOOK.format("pre-commit")]),
        ("git commit --no-verify -m x", []),
        ("git push", [HOOK.format("pre-push")]),
    ],
)  # fmt: skip
def test_stored_aliases_and_hooks_are_followed(command: str, expected: list[str]) -> None:
    assert shapes(command, machine()) == expected


def test_hooks_are_looked_for_where_the_configuration_says() -> None:
    world = machine()
    world.add(f"{PROJECT}/.git/config", "[core]\n\thooksPath = .husky\n")
    world.add(f"{PROJECT}/.husky/pre-commit", "npm test\n")
    expected = [f"git hook pre-commit: file executable {PROJECT}/.husky/pre-commit in {PROJECT}"]
    assert shapes("git commit -m x", world) == expected


def test_a_linked_work_tree_has_the_configuration_of_the_main_one() -> None:
    world = machine()
    world.add("/tmp/w/.git", f"gitdir: {PROJECT}/.git/worktrees/w\n")
    world.add(f"{PROJECT}/.git/worktrees/w/commondir", "../..\n")
    assert shapes("git -C /tmp/w undo", world) == [
        "git alias undo: argv git -C /tmp/w reset --hard"
    ]


def test_settings_are_read_as_git_reads_them() -> None:
    text = '[a "B c"] x = "1 # \\"2\\"" # note\n; no\n[d]\n\tflag\n\tlong = one \\\n  two\n'
    assert list(settings_of(text)) == [
        ("a.B c.x", '1 # "2"'),
        ("d.flag", "true"),
        ("d.long", "one two"),
    ]


CASES = [
    ("git -C d rebase -i --exec 'make test' HEAD~3", ["git rebase --exec: text make test in d"]),
    ("git bisect run rm -rf /etc", ["git bisect run: argv rm -rf /etc"]),
    ("git submodule foreach 'git reset --hard'", ["git submodule foreach: text git reset --hard"]),
    (
        "git submodule foreach --recursive git reset --hard",
        ["git submodule foreach: argv git reset --hard"],
    ),
    (
        "git filter-branch --tree-filter 'rm -rf x' HEAD",
        ["git filter-branch --tree-filter: text rm -rf x"],
    ),
    ("git-reset --hard", ["git-reset: argv git reset --hard"]),
    ("git-lfs pull", []),
    ('git clone "ext::sh -c rm" x', ["git ext::: text sh -c rm"]),
    ("git -C a -C b bisect run x", ["git bisect run: argv x in a/b"]),
    ("git commit -m x", []),
    ("git --version", []),
]


@pytest.mark.parametrize(("command", "expected"), CASES)
def test_sub_commands_that_run_commands(command: str, expected: list[str]) -> None:
    assert shapes(command) == expected
