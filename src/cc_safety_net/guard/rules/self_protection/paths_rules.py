"""Texts of the rules about the guard's own files and the agents' files that call it."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

_HOOKS = '{"hooks": {"PreToolUse": []}}'
_REPORT = "reach it by a link, a copy, an archive, another tool or a script."

RULES: tuple[Rule, ...] = (
    Rule(
        "self.policy",
        reason="Only the person may change what the guard permits.",
        instead="cc-safety-net policy show",
        do_not=_REPORT,
        intent="hard_stop",
        off="N",
        denied=(
            "cp policy.json ~/.config/cc-safety-net/",
            "echo '{}' > ~/.config/cc-safety-net/policy.json",
            "rm -rf ~/.config/cc-safety-net",
            "sed -i s/strict/standard/ ~/.cc-safety-net/policy.json",
            "ln -s ~/.config/cc-safety-net/policy.json p",
            ("Write", {"file_path": "~/.config/cc-safety-net/policy.json", "content": "{}"}),
        ),
        allowed=(
            "cat ~/.config/cc-safety-net/policy.json",
            "ls -la ~/.config/cc-safety-net",
            "cp ~/.config/cc-safety-net/policy.json docs/policy.json",
            ("Read", {"file_path": "~/.config/cc-safety-net/policy.json"}),
        ),
    ),
    Rule(
        "self.state",
        reason="The guard's records say what was installed, permitted and refused.",
        instead="cc-safety-net doctor",
        do_not=_REPORT,
        intent="hard_stop",
        off="N",
        denied=(
            "rm -rf ~/.local/state/cc-safety-net",
            "touch ~/.local/state/cc-safety-net/permissions/1",
            "mv ~/.local/state/cc-safety-net /tmp/x",
        ),
        allowed=("ls ~/.local/state/cc-safety-net", "du -sh ~/.local/state"),
    ),
    Rule(
        "self.audit-log",
        reason="The log is how the person sees what was decided.",
        instead="cc-safety-net logs",
        do_not=_REPORT,
        intent="hard_stop",
        off="N",
        denied=(
            "rm ~/.local/state/cc-safety-net/logs/2026-11-30.jsonl",
            "> ~/.local/state/cc-safety-net/logs/2026-11-30.jsonl",
            "truncate -s 0 ~/.local/state/cc-safety-net/logs/*",
        ),
        allowed=(
            "tail -n 5 ~/.local/state/cc-safety-net/logs/2026-11-30.jsonl",
            "grep deny ~/.local/state/cc-safety-net/logs/2026-11-30.jsonl",
        ),
    ),
    Rule(
        "self.runtime",
        reason="The agents call the guard by these files; without them every call is refused.",
        instead="cc-safety-net doctor",
        do_not=_REPORT,
        intent="hard_stop",
        off="N",
        denied=(
            "rm -rf ~/.local/share/cc-safety-net",
            "cp /bin/true ~/.local/share/cc-safety-net/current/cc-safety-net",
            "chmod -x ~/.local/share/cc-safety-net/current/cc-safety-net",
            "tar -C ~/.local/share/cc-safety-net -xf a.tar",
        ),
        allowed=(
            "ls ~/.local/share/cc-safety-net/current",
            "sha256sum ~/.local/share/cc-safety-net/current/cc-safety-net",
        ),
    ),
    Rule(
        "self.project-policy",
        reason="What the guard does in this project is decided by the person.",
        instead="cc-safety-net policy check",
        do_not=_REPORT,
        intent="hard_stop",
        off="N",
        denied=(
            "cp -r x/.cc-safety-net .",
            "echo '{}' > .cc-safety-net/policy.json",
            "mkdir -p .cc-safety-net/rules",
            ("Write", {"file_path": "sub/.cc-safety-net/policy.json", "content": "{}"}),
        ),
        allowed=("cat .cc-safety-net/policy.json", "git add .cc-safety-net", "ls .cc-safety-net"),
    ),
    Rule(
        "self.hook-file",
        reason="By this file the agent calls the guard.",
        instead="cc-safety-net doctor",
        do_not=_REPORT,
        intent="hard_stop",
        off="N",
        denied=(
            "rm ~/.cursor/hooks.json",
            "jq 'del(.hooks)' ~/.claude/settings.json > ~/s && mv ~/s ~/.claude/settings.json",
            "sed -i /cc-safety-net/d ~/.codex/config.toml",
            "mv ~/.claude ~/.claude.off",
            "echo '{\"disableAllHooks\": true}' > .claude/settings.local.json",
            ("Write", {"file_path": "~/.grok/hooks/cc-safety-net.json", "content": _HOOKS}),
        ),
        allowed=(
            "cat ~/.claude/settings.json",
            'echo \'{"permissions": {"allow": ["Bash(ls)"]}}\' > .claude/settings.local.json',
            ("Write", {"file_path": ".claude/settings.json", "content": '{"model": "opus"}'}),
            "ls ~/.claude && cat .claude/CLAUDE.md",
            "cp -r docs ~/docs2",
        ),
    ),
)
