"""Texts of the rules about shell text, templates and inline code that can't be read."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "shell.dynamic-structure",
        reason="A word of a dangerous command comes from output that can't be known before.",
        instead="echo {part}",
        do_not="Do not hide the word in a variable, a file or a script.",
        intent="stop_and_explain",
        level="strict",
        denied=("git reset $(f)", "git checkout $(cat list.txt)"),
        allowed=('git reset "$(git rev-parse HEAD)"', "git log $(f)"),
    ),
)
