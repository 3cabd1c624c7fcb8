"""When a discard loses nothing: conflict markers, kept tips, linked worktrees, temp, stash."""

from __future__ import annotations

import json

import pytest
from tests.guard.verdicts import ROOT, verdict
from tests.guard.worlds import HOME, repository, workspace

MARKERS = "a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"


@pytest.mark.parametrize("command", ["git checkout --ours x", "git checkout --theirs -- x l"])
def test_a_side_of_files_with_conflict_markers_may_be_taken(command):
    world = workspace()
    world.add(f"{ROOT}/x", MARKERS)
    world.add(f"{ROOT}/l", MARKERS)

    assert verdict(command, world=world).verdict == "allow"


@pytest.mark.parametrize("command", ["git checkout --ours x f", "git checkout --ours ."])
def test_a_side_is_denied_if_one_file_is_resolved_or_not_named(command):
    world = workspace()
    world.add(f"{ROOT}/x", MARKERS)

    assert verdict(command, world=world).finding.rule == "git.checkout-conflict-side"


TIP = "2" * 40


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("refs/remotes/origin/x", TIP + "\n"),
        ("refs/heads/deep/copy", TIP + "\n"),
        ("refs/tags/keep", TIP + "\n"),
        ("packed-refs", "# pack-refs\n" + TIP + " refs/remotes/origin/x\n"),
        ("packed-refs", "3" * 40 + " refs/tags/note\n^" + TIP + "\n"),
    ],
)
def test_a_branch_whose_tip_another_ref_holds_may_be_deleted(path, content):
    world = workspace()
    world.add(f"{ROOT}/.git/{path}", content)

    assert verdict("git branch -D x", world=world).verdict == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "git branch -D x twin",
        "git branch -D twin && git branch -D x",
        "git branch -f twin main && git branch -D x",
        "git checkout twin && git reset --soft HEAD~1 && git branch -D x",
        "git update-ref refs/heads/twin HEAD && git branch -D x",
        "git tag -d twin; git branch -m twin other; git branch -D x",
    ],
)
def test_a_ref_that_the_text_changes_keeps_nothing(command):
    world = workspace()
    world.add(f"{ROOT}/.git/refs/heads/twin", TIP + "\n")

    assert verdict(command, world=world).finding.rule == "git.branch-force-delete"


def test_a_packed_tip_is_found_for_a_packed_branch():
    world = workspace()
    packed = "4" * 40 + " refs/heads/old\n" + "4" * 40 + " refs/remotes/origin/old\n"
    world.add(f"{ROOT}/.git/packed-refs", packed)

    assert verdict("git branch -D old", world=world).verdict == "allow"


def linked_world(back: str = "/home/dev/wt/.git\n"):
    world = workspace()
    git = f"{ROOT}/.git/worktrees/wt"
    world.add("/home/dev/wt/.git", f"gitdir: {git}\n")
    world.add("/home/dev/wt/f", "1\n")
    world.add(f"{git}/HEAD", "ref: refs/heads/wt\n")
    world.add(f"{git}/commondir", "../..\n")
    world.add(f"{git}/gitdir", back)
    policy = {"version": 2, "workflow": {"worktree_mode": True}}
    world.add(f"{world.config}/policy.json", json.dumps(policy))
    return world


@pytest.mark.parametrize(
    ("command", "verdict_"),
    [
        ("git -C ../wt reset --hard", "allow"),
        ("cd ../wt && git checkout -- f", "allow"),
        ("cd ../wt && git clean -fd", "allow"),
        ("git reset --hard", "deny"),
        ("cd ../wt && git push --force", "deny"),
        ("cd ../wt && git branch -D x", "deny"),
        ("cd ../wt && GIT_DIR=../proj/.git git reset --hard", "deny"),
        ("git -C ../wt --git-dir=../proj/.git reset --hard", "deny"),
        ('cd ../wt && git reset --hard "$X"', "deny"),
    ],
)
def test_worktree_mode_relaxes_local_discards_in_a_linked_worktree(command, verdict_):
    assert verdict(command, world=linked_world()).verdict == verdict_


def test_a_worktree_without_its_back_link_is_not_relaxed():
    world = linked_world(back="/home/dev/elsewhere/.git\n")

    assert verdict("git -C ../wt reset --hard", world=world).verdict == "deny"


@pytest.mark.parametrize(
    ("command", "verdict_"),
    [
        ("git -C /tmp/clone reset --hard", "allow"),
        ("git -C /tmp/clone branch -D x", "allow"),
        ("git -C /tmp/link reset --hard", "deny"),
        ("git -C /tmp/clone push --force", "deny"),
        ("git --git-dir=.git --work-tree=/tmp/clone checkout -f", "deny"),
        ("GIT_WORK_TREE=/home/dev/proj git -C /tmp/clone checkout .", "deny"),
        ("cd /tmp && git init x && cd x && git clean -fd", "allow"),
        ("mkdir sub && cd sub && git init && git reset --hard", "deny"),
        ('D=$(mktemp -d); git clone u "$D"; git -C "$D" reset --hard', "allow"),
        ("cd $(mktemp -d) && git init && git reset --hard", "allow"),
        ("cd $SOMEWHERE && git init && git reset --hard", "deny"),
    ],
)
def test_discards_in_temp_repositories_pass(command, verdict_):
    world = workspace()
    for path, content in repository("/tmp/clone", {"f": "1\n"}).items():
        world.add(path, content)
    from tests.guard.worlds import Link

    world.add("/tmp/link", Link(ROOT))

    assert verdict(command, world=world).verdict == verdict_


def test_a_workspace_below_a_temp_root_is_no_temp_repository():
    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.engine import decide

    world = workspace("/tmp/job/proj")
    call = ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {},
        command="git reset --hard",
        dialect="posix",
        session_directory="/tmp/job/proj",
        workspaces=("/tmp/job/proj",),
    )

    assert decide(call, world).verdict == "deny"


@pytest.mark.parametrize(
    ("command", "verdict_"),
    [
        (f"git stash && git -C {ROOT}/src checkout .", "allow"),
        ("git stash && git -C ../other checkout .", "deny"),
        ("git -C ../other stash && git checkout .", "deny"),
        ("git stash && GIT_DIR=/x git checkout .", "deny"),
        ("git stash && git checkout HEAD -- f", "allow"),
        ("git stash && git checkout main -- f", "deny"),
        ("git stash && echo x > f && git checkout f", "deny"),
        ("git stash && sed -i s/a/b/ f && git checkout f", "deny"),
        ("git stash && git restore --source=main f", "deny"),
        ("git stash pop && git checkout .", "deny"),
        ("git stash --help && git checkout .", "deny"),
    ],
)
def test_a_stash_of_the_same_work_tree_covers_tracked_files(command, verdict_):
    assert verdict(command).verdict == verdict_


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("git rm -rf build", ""),
        ("git clean -fdx build", ""),
        ("git clean -fdx .git", ""),
        (f"git clean -fdx {HOME}/other", "git.clean-force"),
        ("git archive -o .git/hooks/pre-commit HEAD", "git.hooks-write"),
        ("git archive -o out.tar HEAD", ""),
        ("git commit -m x", ""),
        ("git config user.name x", ""),
    ],
)
def test_named_paths_are_judged_as_files(command, rule):
    decision = verdict(command)

    assert (decision.finding.rule if decision.finding else "") == rule


@pytest.mark.parametrize(
    "directory", [".husky", ".husky/_", ".githooks", "./.githooks", f"{ROOT}/.husky"]
)
def test_the_hooks_path_may_name_a_hook_directory_of_the_tree(directory):
    world = workspace()
    for name in (".husky", ".husky/_", ".githooks"):
        world.add(f"{ROOT}/{name}/pre-commit", "#!/bin/sh\n")

    assert verdict(f"git config core.hooksPath {directory}", world=world).verdict == "allow"
    assert verdict(f"git -c core.hooksPath={directory} commit", world=world).verdict == "deny"


def test_the_hooks_path_may_not_name_an_empty_directory():
    world = workspace()
    world.add(f"{ROOT}/.husky/README", "")

    assert verdict("git config core.hooksPath .husky", world=world).verdict == "deny"
