"""Texts of the rule about consoles that wait for typed input."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "shell.interactive",
        reason="What is typed into the running program is never shown to the guard.",
        instead="{program} --version",
        do_not="start the console through another program or a terminal multiplexer.",
        intent="use_alternative",
        denied=(
            ("exec_command", {"command": "bash", "agent": "codex"}),
            ("exec_command", {"command": "python3 -i", "agent": "codex"}),
        ),
        allowed=("bash -c 'echo ok'", "python3 x.py"),
    ),
)
