"""Which agents there are, and which flag of `hook` means which. Imports none of them."""

from __future__ import annotations

#: Canonical name -> package; the order is the one in which people see them.
PACKAGES = {
    "claude-code": "cc_safety_net.agents.claude_code",
    "codex": "cc_safety_net.agents.codex",
    "gemini-cli": "cc_safety_net.agents.gemini_cli",
    "copilot-cli": "cc_safety_net.agents.copilot_cli",
    "cursor": "cc_safety_net.agents.cursor",
    "antigravity-cli": "cc_safety_net.agents.antigravity_cli",
    "kimi-code": "cc_safety_net.agents.kimi_code",
    "grok-build": "cc_safety_net.agents.grok_build",
    "devin": "cc_safety_net.agents.devin",
    "hermes-agent": "cc_safety_net.agents.hermes_agent",
}

#: Flag of `hook` -> canonical name. The hidden alias of Claude Code is one like the others.
FLAGS = {
    "--coding-cli": "claude-code",
    "--claude-code": "claude-code",
    "-cc": "claude-code",
    "--codex": "codex",
    "-cx": "codex",
    "--gemini-cli": "gemini-cli",
    "-gc": "gemini-cli",
    "--copilot-cli": "copilot-cli",
    "-cp": "copilot-cli",
    "--cursor": "cursor",
    "-cu": "cursor",
    "--antigravity-cli": "antigravity-cli",
    "--agy-cli": "antigravity-cli",
    "-ac": "antigravity-cli",
    "--kimi-code": "kimi-code",
    "-kc": "kimi-code",
    "--grok-build": "grok-build",
    "-gb": "grok-build",
    "--devin": "devin",
    "-dv": "devin",
    "--hermes-agent": "hermes-agent",
    "-ha": "hermes-agent",
}

#: Flags that old configurations use without the word `hook`.
LEGACY_FLAGS = frozenset(
    ("-cc", "--claude-code", "-gc", "--gemini-cli", "-cp", "--copilot-cli"),
)
