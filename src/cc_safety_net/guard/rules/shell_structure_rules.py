"""Text of the rule on words that are not known in dangerous commands."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "shell.dynamic-structure",
        reason="A word of a dangerous command comes from output that can't be known before.",
        instead="{look}",
        do_not="hide the word in a variable, a file or a script.",
        intent="stop_and_explain",
        level="strict",
        denied=(
            "git reset $(f)",
            "git checkout $(cat list.txt)",
            "rm $(f) x",
            "kubectl $(f) ns prod",
        ),
        allowed=(
            'git reset "$(git rev-parse HEAD)"',
            "git log $(f)",
            "rm $(git ls-files -o)",
            "docker stop $(docker ps -q)",
        ),
    ),
)
