"""Texts of the rule about deletions on other machines and in boxes."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "remote.delete",
        reason="This would delete data on another machine or in a container, where nothing here "
        "can bring it back.",
        instead="",
        do_not="run the deletion from a script on the other machine.",
        intent="manual_only",
        denied=(
            "docker exec c rm -rf /data",
            "ssh h rm -rf /srv/app",
            "kubectl exec p -- rm -rf /data",
            "ssh h 'rm -rf build'",
        ),
        allowed=(
            "docker exec c rm -rf node_modules",
            "docker exec c rm -rf /app/.next",
            "ssh h rm -rf /tmp/x",
            "docker run --rm alpine rm -rf /x",
        ),
    ),
)
