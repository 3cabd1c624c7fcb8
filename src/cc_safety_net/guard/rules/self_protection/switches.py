"""Options, variables and values that start an agent without hooks, plugins or its own home."""

from __future__ import annotations

#: Programs and packages of the agents -> their names in the tables.
PROGRAMS = {
    "claude": "claude-code",
    "claude-code": "claude-code",
    "codex": "codex",
    "gemini": "gemini-cli",
    "gemini-cli": "gemini-cli",
    "copilot": "copilot-cli",
    "cursor-agent": "cursor",
    "agy": "antigravity-cli",
    "antigravity": "antigravity-cli",
    "kimi": "kimi-code",
    "kimi-code": "kimi-code",
    "grok": "grok-build",
    "hermes": "hermes-agent",
    "openclaw": "openclaw",
    "opencode": "opencode",
    "opencode-ai": "opencode",
    "pi": "pi",
    "pi-coding-agent": "pi",
    "amp": "amp",
    "devin": "devin",
}
#: Agent -> options that leave hooks or plugins out, whatever their value.
OPTIONS: dict[str, tuple[str, ...]] = {
    "claude-code": ("--bare", "--safe-mode"),
    "codex": ("--ignore-user-config",),
    "copilot-cli": ("--no-hooks",),
    "cursor": ("--no-hooks",),
    "gemini-cli": ("--no-extensions",),
    "hermes-agent": ("--safe-mode", "--ignore-user-config"),
    "opencode": ("--pure",),
    "pi": ("--no-extensions", "-ne"),
}
#: Agent -> (option, values of it that leave us out).
VALUES: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "codex": (("--disable", ("hooks", "plugins", "codex_hooks")),),
    "gemini-cli": (("-e", ("none",)), ("--extensions", ("none",))),
}
#: Agent -> options whose value is settings; `features.hooks=false` and the like.
SETTINGS: dict[str, tuple[str, ...]] = {
    "claude-code": ("--settings", "--setting", "--managed-settings"),
    "codex": ("-c", "--config"),
    "copilot-cli": ("--settings",),
}
#: Texts in such a value that switch hooks off or move the entry.
SETTINGS_SWITCHES = (
    "disableallhooks",
    "features.hooks",
    "features.plugins",
    "features.codex_hooks",
    "hooks.",
    "enabledplugins",
    "allowmanagedhooksonly",
    "plugins.",
)
#: Variable -> the agent whose home it moves.
HOME_VARIABLES = {
    "CLAUDE_CONFIG_DIR": "claude-code",
    "CODEX_HOME": "codex",
    "GEMINI_CLI_HOME": "gemini-cli",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH": "gemini-cli",
    "COPILOT_HOME": "copilot-cli",
    "KIMI_CODE_HOME": "kimi-code",
    "GROK_HOME": "grok-build",
    "HERMES_HOME": "hermes-agent",
    "OPENCLAW_STATE_DIR": "openclaw",
    "OPENCLAW_HOME": "openclaw",
    "OPENCLAW_CONFIG_PATH": "openclaw",
    "OPENCODE_CONFIG_DIR": "opencode",
    "PI_CODING_AGENT_DIR": "pi",
}
#: Variables that move the home of every agent, or of those that keep to the XDG directories.
MOVING_ALL = ("HOME", "USERPROFILE")
XDG_AGENTS = ("opencode", "amp", "devin")
#: Variable -> (agent, values that leave hooks or plugins out; () for any but an empty one).
OFF_VARIABLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "PLUGINS": ("amp", ("off",)),
    "OPENCODE_PURE": ("opencode", ()),
    "HERMES_SAFE_MODE": ("hermes-agent", ()),
    "HERMES_IGNORE_USER_CONFIG": ("hermes-agent", ()),
    "GROK_CLAUDE_HOOKS_ENABLED": ("grok-build", ("0", "false", "off", "no")),
    "GROK_CURSOR_HOOKS_ENABLED": ("grok-build", ("0", "false", "off", "no")),
    "CLAUDE_CODE_SIMPLE": ("claude-code", ()),
}
#: All of them: in a settings file's `env` they count as switches.
VARIABLES = frozenset(
    (
        "CC_SAFETY_NET_HOME",
        "CC_SAFETY_NET_LEVEL",
        "CLAUDE_CODE_SIMPLE",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "GEMINI_CLI_HOME",
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
        "GROK_CLAUDE_HOOKS_ENABLED",
        "GROK_CURSOR_HOOKS_ENABLED",
        "GROK_HOME",
        "HERMES_HOME",
        "HERMES_IGNORE_USER_CONFIG",
        "HERMES_SAFE_MODE",
        "HOME",
        "KIMI_CODE_HOME",
        "OPENCLAW_CONFIG_PATH",
        "OPENCLAW_HOME",
        "OPENCLAW_STATE_DIR",
        "OPENCODE_CONFIG_DIR",
        "OPENCODE_PURE",
        "PI_CODING_AGENT_DIR",
        "PLUGINS",
        "USERPROFILE",
        "XDG_CONFIG_HOME",
    )
)
