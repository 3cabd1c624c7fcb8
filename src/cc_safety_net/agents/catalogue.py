"""Which agents there are, and which flag of `hook` means which. Imports none of them."""

from __future__ import annotations

#: Canonical name -> package; the order is the one in which people see them.
PACKAGES = {
    "claude-code": "cc_safety_net.agents.claude_code",
    "cursor": "cc_safety_net.agents.cursor",
    "kimi-code": "cc_safety_net.agents.kimi_code",
    "grok-build": "cc_safety_net.agents.grok_build",
    "devin": "cc_safety_net.agents.devin",
}

#: Flag of `hook` -> canonical name. The hidden alias of Claude Code is one like the others.
FLAGS = {
    "--coding-cli": "claude-code",
    "--claude-code": "claude-code",
    "-cc": "claude-code",
    "--cursor": "cursor",
    "-cu": "cursor",
    "--kimi-code": "kimi-code",
    "-kc": "kimi-code",
    "--grok-build": "grok-build",
    "-gb": "grok-build",
    "--devin": "devin",
    "-dv": "devin",
}

#: Flags that old configurations use without the word `hook`.
LEGACY_FLAGS = frozenset(
    ("-cc", "--claude-code", "-gc", "--gemini-cli", "-cp", "--copilot-cli"),
)
