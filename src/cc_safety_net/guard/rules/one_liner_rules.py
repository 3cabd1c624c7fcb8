"""Texts of the rule about inline code with possible effects."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "interpreter.one-liner-paranoid",
        reason="Nothing proves that the inline code has no effects.",
        instead="{look}",
        do_not="put the code into a file to run it from there.",
        intent="use_alternative",
        level="paranoid",
        denied=(
            "python -c 'import requests; requests.get(\"u\")'",
            "python3 -c 'open(\"x\").read()'",
            "node -e 'require(\"x\")()'",
            "perl -i -pe 's/a/b/' f",
        ),
        allowed=(
            "python -c 'print(1)'",
            "python3 -c 'import json; print(json.dumps([1, 2]))'",
            "perl -pe 's/a/b/' f",
            "ruby -e 'puts 1'",
        ),
    ),
)
