"""Texts of the rules about refs, worktrees and submodules."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "git.branch-force-delete",
        reason="It deletes a branch whose commits may be on no other branch or tag.",
        instead="{saving}",
        do_not="delete the branch by update-ref, or its file below .git.",
        intent="use_alternative",
        denied=("git branch -D x", "git branch --delete --force x", "git branch -df x"),
        allowed=(
            "git branch -d x",
            "git tag keep/x x && git branch -D x",
            "git branch -M main",
            "git branch -vv --list 'feature-D*'",
        ),
    ),
    Rule(
        "git.ref-force",
        reason="It moves an existing name away from the commits that it holds.",
        instead="{saving}",
        do_not="move the name by update-ref or reset.",
        intent="use_alternative",
        level="strict",
        denied=(
            "git branch -f main HEAD~3",
            "git checkout -B main",
            "git switch -C x",
            "git tag -f v1",
        ),
        allowed=("git branch topic HEAD~3", "git checkout -B topic", "git tag -f v2"),
    ),
    Rule(
        "git.tag-delete",
        reason="It deletes a tag, and with it the only name of what it marks.",
        instead="{git} show-ref --tags",
        do_not="delete the tag by update-ref, or its file below .git.",
        intent="manual_only",
        level="strict",
        denied=("git tag -d v1", "git tag --delete v1"),
        allowed=("git tag -l", "git tag v2"),
    ),
    Rule(
        "git.worktree-remove-force",
        reason="It deletes a linked worktree together with its uncommitted and untracked files.",
        instead="git worktree remove {path}",
        do_not="delete the directory by rm or mv, and do not prune it away.",
        intent="use_alternative",
        denied=("git worktree remove -f w", "git worktree remove --force ../wt-login"),
        allowed=("git worktree remove w", "git worktree add -f w"),
    ),
    Rule(
        "git.submodule-deinit-force",
        reason="It deletes a submodule's files together with its local changes.",
        instead="{git} submodule deinit {path}",
        do_not="delete the submodule's directory instead.",
        intent="use_alternative",
        denied=("git submodule deinit -f s", "git submodule deinit --force --all"),
        allowed=("git submodule deinit s", "git submodule update --init"),
    ),
    Rule(
        "git.update-ref-delete",
        reason="It deletes a ref without any check that its commits are kept elsewhere.",
        instead="{git} show-ref",
        do_not="delete the ref by branch -D, or its file below .git.",
        intent="manual_only",
        denied=("git update-ref -d refs/heads/x", "git symbolic-ref --delete HEAD"),
        allowed=("git show-ref", "git update-ref refs/heads/topic HEAD"),
    ),
)
