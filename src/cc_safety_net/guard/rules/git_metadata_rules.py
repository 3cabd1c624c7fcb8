"""Texts of the rules about git's own data: `.git`, what it holds, and its hooks."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "rm.git-metadata",
        reason="This would delete the repository: its commits, branches, stashes and settings.",
        instead="git status",
        do_not="move it away or delete it in parts.",
        intent="hard_stop",
        off="C",
        denied=("rm -rf .git", "rm -rf .", "rm -rf .git/objects", "rm -rf .*"),
        allowed=("rm .git/index.lock", "rm -rf build", "rm -rf .github"),
    ),
    Rule(
        "rm.nested-repository",
        reason="This would delete a repository of its own, with commits that may be nowhere else.",
        instead="git -C {repository} log --oneline --branches --not --remotes",
        do_not="move it to a temporary place instead.",
        intent="use_alternative",
        denied=("rm -rf sub/.git", "rm -rf packages/api/.git/objects"),
        allowed=("rm -rf build", "git clone https://example.com/a.git a && rm -rf a/.git"),
    ),
    Rule(
        "git.metadata-write",
        reason="Git keeps its state in this file; changed by hand it may lose commits or settings.",
        instead="git status",
        do_not="write it by a script or another program.",
        intent="manual_only",
        denied=("echo x > .git/config", "rm .git/index", "mv .git /tmp/g", "rm .git/HEAD"),
        allowed=("echo x >> .git/info/exclude", "rm .git/index.lock", "cat .git/HEAD"),
    ),
    Rule(
        "git.hooks-write",
        reason="Hooks run by themselves with the person's rights; changing or disabling them "
        "changes what later commands do.",
        instead="ls -la {path}",
        do_not="set core.hooksPath, and do not link or copy a hook there.",
        intent="manual_only",
        denied=(
            "cp x .git/hooks/pre-commit",
            "echo x > .git/hooks/pre-commit",
            "chmod -x .git/hooks/pre-commit",
            "rm .git/hooks/pre-commit",
        ),
        allowed=("cp x .githooks/pre-commit", "ls .git/hooks", "mkdir -p .husky"),
    ),
)
