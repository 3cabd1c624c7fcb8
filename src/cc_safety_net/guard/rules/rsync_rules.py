"""Texts of the rules about copies that delete what the source does not have."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "rsync.delete",
        reason="The copy deletes what the source does not have, in a place that must not lose "
        "anything.",
        instead="{dry}",
        do_not="delete the destination first and copy then.",
        intent="scope_down",
        denied=("rsync -a --delete empty/ /etc/", "rsync -a --del src/ host:/srv/www/"),
        allowed=("rsync -a --delete src/ build/", "rsync -a src/ ../other/"),
    ),
)
