"""Texts of the rule about programs that nobody knows."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "shell.unknown-wrapper",
        reason="A program that is not known gets the words of a refused command.",
        instead="command -v {look}",
        do_not="run the same words through another wrapper.",
        intent="stop_and_explain",
        level="strict",
        denied=("mywrap rm -rf /etc", "./run-as dev git reset --hard"),
        allowed=("tee rm -rf /etc", "mywrap npm test"),
    ),
)
