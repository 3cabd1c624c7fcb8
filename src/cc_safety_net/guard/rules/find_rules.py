"""Texts of the rules about what a search deletes."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "find.delete",
        reason="The search deletes outside the workspace, or all that is in it.",
        instead="{listing}",
        do_not="delete the same files by xargs, a loop or an interpreter.",
        intent="scope_down",
        denied=(
            "find ../other -delete",
            "find / -name '*.log' -delete",
            "find ~ -type f -mtime +30 -delete",
            "find .. -name '*.bak' -exec rm {} +",
        ),
        allowed=(
            "find build -type f -delete",
            "find . -name '*.pyc' -delete",
            "find . -type d -empty -delete",
        ),
    ),
    Rule(
        "find.delete-git-metadata",
        reason="The search can reach git's own files.",
        instead="{listing}",
        do_not="delete the same files by xargs, a loop or an interpreter.",
        intent="hard_stop",
        off="C",
        denied=(
            "find . -type f -delete",
            "find . -name .git -exec rm -rf {} +",
            "find . -type f | xargs rm",
            "find .git/objects -type f -delete",
        ),
        allowed=(
            "find . -name '*.pyc' -delete",
            "find . -maxdepth 1 -name '*.log' -delete",
            "find . -name .DS_Store -delete",
        ),
    ),
    Rule(
        "find.exec-rm-recursive-force",
        reason="The search deletes whole directories outside the workspace, or all that is in it.",
        instead="{listing}",
        do_not="delete the same directories by xargs, a loop or an interpreter.",
        intent="scope_down",
        denied=(
            "find / -name x -exec rm -rf {} +",
            "find ~ -name node_modules -type d -prune -exec rm -rf {} +",
        ),
        allowed=(
            "find . -name node_modules -prune -exec rm -rf {} +",
            "find . -name __pycache__ -type d -exec rm -rf {} +",
        ),
    ),
)
