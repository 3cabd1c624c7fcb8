"""Texts of the rule about HTTP requests."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "cloud.http-delete",
        reason="It asks a server to delete something.",
        instead="{look}",
        do_not="send the request by another tool.",
        intent="manual_only",
        level="strict",
        pack="cloud",
        denied=("curl -X DELETE https://api.example/x", "http DELETE https://api.example/x"),
        allowed=("curl -X DELETE http://localhost:3000/x", "curl https://api.example/x"),
    ),
)
