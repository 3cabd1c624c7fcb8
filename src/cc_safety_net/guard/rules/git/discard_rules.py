"""Texts of the rules about files of the work tree: reset, restore, clean, rm, plumbing."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "git.reset-hard",
        reason="It throws away every uncommitted change of tracked files, for good.",
        instead="{git} stash push{move}",
        do_not="discard the same files by checkout, restore, clean, rm or a script.",
        intent="use_alternative",
        denied=(
            "git reset --hard",
            "git -C src reset --har HEAD~1",
            "git-reset --hard",
            "GIT_DIR=.git git reset -q --hard origin/main",
        ),
        allowed=(
            "git reset --soft HEAD~1",
            "git reset --keep HEAD~1",
            "git reset --hard --help",
            "git stash && git reset --hard",
        ),
    ),
    Rule(
        "git.reset-merge",
        reason="It throws away what is staged and rewrites the files that differ from the target.",
        instead="{git} stash push{move}",
        do_not="reset the same files with --hard or by checkout.",
        intent="use_alternative",
        denied=("git reset --merge", "git reset --merge HEAD~1"),
        allowed=("git reset --keep HEAD~1", "git reset HEAD f"),
    ),
    Rule(
        "git.restore-worktree",
        reason="It overwrites files of the work tree with another version; their edits are lost.",
        instead="{saving}",
        do_not="overwrite the same files by checkout, reset, show with a redirect or cp.",
        intent="use_alternative",
        denied=("git restore -SW .", "git restore --source=HEAD f", "git restore --worktree f"),
        allowed=(
            "git restore --staged --source=HEAD~1 f",
            "git restore -p",
            "git stash && git restore --worktree f",
        ),
    ),
    Rule(
        "git.restore-unstaged",
        reason="It overwrites files of the work tree from the index; their edits are lost.",
        instead="{saving}",
        do_not="overwrite the same files by checkout, reset, show with a redirect or cp.",
        intent="use_alternative",
        denied=("git restore .", "git restore src/server.ts", "git restore -- f l"),
        allowed=("git restore --staged .", "git restore -S f", "git restore package-lock.json"),
    ),
    Rule(
        "git.clean-force",
        reason="It deletes untracked files, which git cannot bring back.",
        instead="{git} clean -nd",
        do_not="delete the untracked files by find, xargs or a script instead.",
        intent="use_alternative",
        denied=("git clean -fdx", "git clean -xfd .", "git clean --force"),
        allowed=("git clean -fn", "git clean -i", "git clean -fdx build"),
    ),
    Rule(
        "git.rm-force",
        reason="It deletes files together with edits that are committed nowhere.",
        instead="{git} rm -r --cached {paths}",
        do_not="delete the same files by rm, find or a script.",
        intent="use_alternative",
        denied=("git rm -rf .", "git rm -f '*'"),
        allowed=("git rm -r --cached .", "git rm -rf old/", "git rm -rf --dry-run ."),
    ),
    Rule(
        "git.checkout-index-force",
        reason="It overwrites files of the work tree from the index; their edits are lost.",
        instead="{git} checkout-index --prefix=from-index/ {paths}",
        do_not="overwrite the same files by checkout, restore or reset.",
        intent="use_alternative",
        denied=("git checkout-index -f -a", "git checkout-index --force f"),
        allowed=("git checkout-index -a", "git checkout-index -f -a --prefix=out/"),
    ),
    Rule(
        "git.read-tree-reset",
        reason="It replaces the index, and with -u the files, without looking at what is edited.",
        instead="{git} read-tree -m -u {tree}",
        do_not="reach the same state with reset --hard or checkout -f.",
        intent="use_alternative",
        denied=("git read-tree -u --reset HEAD", "git read-tree --reset HEAD~1"),
        allowed=("git read-tree -m HEAD", "git read-tree -n -u --reset HEAD"),
    ),
)
