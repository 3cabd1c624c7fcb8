"""The files by which the fourteen agents call the guard, and the forms that they are kept in.

Data only; a test compares it with the agents' descriptions, which the guard does not know.
"""

from __future__ import annotations

#: Files that hold nothing but ours: any change is denied.
OURS = "ours"
#: Files in which every value counts: trusted folders, lists of disabled hooks.
WHOLE = "whole"
#: Shared files, judged by what they say of us afterwards. JSON is read with comments.
JSON = "json"
TOML = "toml"
YAML = "yaml"

#: Agent -> default home below the person's home, and variables that move it with what follows
#: them.
HOMES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "claude-code": (".claude", (("CLAUDE_CONFIG_DIR", ""),)),
    "codex": (".codex", (("CODEX_HOME", ""),)),
    "gemini-cli": (".gemini", (("GEMINI_CLI_HOME", ".gemini"),)),
    "copilot-cli": (".copilot", (("COPILOT_HOME", ""),)),
    "cursor": (".cursor", ()),
    "antigravity-cli": (".gemini/config", ()),
    "kimi-code": (".kimi-code", (("KIMI_CODE_HOME", ""),)),
    "grok-build": (".grok", (("GROK_HOME", ""),)),
    "hermes-agent": (".hermes", (("HERMES_HOME", ""),)),
    "openclaw": (
        ".openclaw",
        (("OPENCLAW_STATE_DIR", ""), ("OPENCLAW_HOME", ".openclaw")),
    ),
    "opencode": (
        ".config/opencode",
        (("OPENCODE_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "opencode")),
    ),
    "pi": (".pi/agent", (("PI_CODING_AGENT_DIR", ""),)),
    "amp": (".config/amp", (("XDG_CONFIG_HOME", "amp"),)),
    "devin": (".config/devin", (("XDG_CONFIG_HOME", "devin"),)),
}

#: (agent, pattern below its home, form). `*` stays inside a name, `/**` is all below.
HOME_FILES: tuple[tuple[str, str, str], ...] = (
    ("claude-code", "plugins/cache/cc-marketplace/**", OURS),
    ("claude-code", "plugins/cache/*/cc-safety-net/**", OURS),
    ("claude-code", "plugins/marketplaces/cc-marketplace/**", OURS),
    ("claude-code", "settings.json", JSON),
    ("claude-code", "settings.local.json", JSON),
    ("claude-code", "plugins/*.json", JSON),
    ("claude-code", ".claude.json", JSON),
    ("codex", "plugins/cache/cc-marketplace/**", OURS),
    ("codex", "plugins/cache/*/cc-safety-net/**", OURS),
    ("codex", "config.toml", TOML),
    ("codex", "*.config.toml", TOML),
    ("codex", "requirements.toml", WHOLE),
    ("codex", "managed_config.toml", TOML),
    ("codex", "hooks.json", JSON),
    ("gemini-cli", "extensions/cc-safety-net/**", OURS),
    ("gemini-cli", "extensions/gemini-safety-net/**", OURS),
    ("gemini-cli", "settings.json", JSON),
    ("gemini-cli", "extensions/extension-enablement.json", JSON),
    ("gemini-cli", "extensions/extension_integrity.json", JSON),
    ("gemini-cli", "extension_integrity.json", JSON),
    ("gemini-cli", "trustedFolders.json", WHOLE),
    ("copilot-cli", "hooks/cc-safety-net.json", OURS),
    ("copilot-cli", "installed-plugins/*/cc-safety-net/**", OURS),
    ("copilot-cli", "installed-plugins/cc-safety-net/**", OURS),
    ("copilot-cli", "config.json", JSON),
    ("copilot-cli", "settings.json", JSON),
    ("copilot-cli", "hooks/*.json", JSON),
    ("cursor", "hooks.json", JSON),
    ("antigravity-cli", "plugins/cc-safety-net/**", OURS),
    ("antigravity-cli", "hooks.json", JSON),
    ("antigravity-cli", "plugins/*/hooks.json", JSON),
    ("kimi-code", "config.toml", TOML),
    ("kimi-code", "plugins/installed.json", JSON),
    ("grok-build", "hooks/cc-safety-net.json", OURS),
    ("grok-build", "hooks/*.json", JSON),
    ("grok-build", "config.toml", TOML),
    ("grok-build", "managed_config.toml", TOML),
    ("grok-build", "requirements.toml", WHOLE),
    ("grok-build", "disabled-hooks", WHOLE),
    ("grok-build", "trusted_folders.toml", WHOLE),
    ("hermes-agent", "plugins/cc-safety-net/**", OURS),
    ("hermes-agent", "profiles/*/plugins/cc-safety-net/**", OURS),
    ("hermes-agent", "config.yaml", YAML),
    ("hermes-agent", "profiles/*/config.yaml", YAML),
    ("openclaw", "extensions/cc-safety-net/**", OURS),
    ("openclaw", "openclaw.json", JSON),
    ("opencode", "plugin/cc-safety-net*/**", OURS),
    ("opencode", "plugins/cc-safety-net*/**", OURS),
    ("opencode", "opencode.json", JSON),
    ("opencode", "opencode.jsonc", JSON),
    ("opencode", "config.json", JSON),
    ("pi", "extensions/cc-safety-net*/**", OURS),
    ("pi", "npm/node_modules/cc-safety-net/**", OURS),
    ("pi", "npm/lib/node_modules/cc-safety-net/**", OURS),
    ("pi", "settings.json", JSON),
    ("amp", "plugins/cc-safety-net*/**", OURS),
    ("amp", "settings.json", JSON),
    ("amp", "settings.jsonc", JSON),
    ("devin", "config.json", JSON),
)

#: (agent, pattern below the person's home, form).
USER_FILES: tuple[tuple[str, str, str], ...] = (
    ("claude-code", ".claude.json", JSON),
    ("openclaw", ".openclaw-*/extensions/cc-safety-net/**", OURS),
    ("openclaw", ".openclaw-*/openclaw.json", JSON),
    ("opencode", ".cache/opencode/packages/cc-safety-net@*/**", OURS),
    ("opencode", ".cache/opencode/packages/cc-safety-net/**", OURS),
    ("opencode", ".cache/opencode/node_modules/cc-safety-net/**", OURS),
)

#: (agent, pattern in a project's directory, form).
PROJECT_FILES: tuple[tuple[str, str, str], ...] = (
    ("claude-code", ".claude/settings.json", JSON),
    ("claude-code", ".claude/settings.local.json", JSON),
    ("codex", ".codex/*.toml", TOML),
    ("codex", ".codex/*.json", JSON),
    ("gemini-cli", ".gemini/settings.json", JSON),
    ("gemini-cli", ".gemini/extensions/cc-safety-net/**", OURS),
    ("copilot-cli", ".github/hooks/cc-safety-net.json", OURS),
    ("copilot-cli", ".github/hooks/*.json", JSON),
    ("copilot-cli", ".github/copilot/settings*.json", JSON),
    ("cursor", ".cursor/hooks.json", JSON),
    ("antigravity-cli", ".agents/hooks.json", JSON),
    ("antigravity-cli", ".agent/hooks.json", JSON),
    ("antigravity-cli", "_agents/hooks.json", JSON),
    ("antigravity-cli", "_agent/hooks.json", JSON),
    ("grok-build", ".grok/hooks/cc-safety-net.json", OURS),
    ("grok-build", ".grok/hooks/*.json", JSON),
    ("grok-build", ".grok/*.toml", TOML),
    ("grok-build", ".grok/disabled-hooks", WHOLE),
    ("hermes-agent", ".hermes/plugins/cc-safety-net/**", OURS),
    ("opencode", "opencode.json", JSON),
    ("opencode", "opencode.jsonc", JSON),
    ("opencode", ".opencode/opencode.json", JSON),
    ("opencode", ".opencode/opencode.jsonc", JSON),
    ("opencode", ".opencode/plugin/cc-safety-net*/**", OURS),
    ("opencode", ".opencode/plugins/cc-safety-net*/**", OURS),
    ("pi", ".pi/settings.json", JSON),
    ("pi", ".pi/extensions/cc-safety-net*/**", OURS),
    ("amp", ".amp/settings.json", JSON),
    ("amp", ".amp/settings.jsonc", JSON),
    ("amp", ".amp/plugins/cc-safety-net*/**", OURS),
    ("devin", ".devin/hooks.v1.json", JSON),
    ("devin", ".devin/config.json", JSON),
    ("devin", ".devin/config.local.json", JSON),
)

#: (agent, absolute pattern, form): what an organisation sets for all users of a machine.
SYSTEM_FILES: tuple[tuple[str, str, str], ...] = (
    ("claude-code", "/etc/claude-code/managed-settings.json", JSON),
    ("claude-code", "/etc/claude-code/managed-settings.d/*.json", JSON),
    ("claude-code", "/Library/Application Support/ClaudeCode/managed-settings.json", JSON),
    ("claude-code", "/Library/Application Support/ClaudeCode/managed-settings.d/*.json", JSON),
    ("codex", "/etc/codex/config.toml", TOML),
    ("codex", "/etc/codex/managed_config.toml", TOML),
    ("codex", "/etc/codex/requirements.toml", WHOLE),
    ("gemini-cli", "/etc/gemini-cli/settings.json", JSON),
    ("gemini-cli", "/etc/gemini-cli/system-defaults.json", JSON),
    ("gemini-cli", "/Library/Application Support/GeminiCli/settings.json", JSON),
    ("gemini-cli", "/Library/Application Support/GeminiCli/system-defaults.json", JSON),
    ("copilot-cli", "/etc/github-copilot/managed-settings.json", JSON),
    ("copilot-cli", "/etc/github-copilot/policy.d/**", WHOLE),
    ("cursor", "/etc/cursor/hooks.json", JSON),
    ("cursor", "/Library/Application Support/Cursor/hooks.json", JSON),
    ("grok-build", "/etc/grok/config.toml", TOML),
    ("grok-build", "/etc/grok/managed_config.toml", TOML),
    ("grok-build", "/etc/grok/requirements.toml", WHOLE),
)

#: Variables that name one file of an agent.
FILE_VARIABLES: tuple[tuple[str, str, str], ...] = (
    ("gemini-cli", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", JSON),
    ("gemini-cli", "GEMINI_CLI_TRUSTED_FOLDERS_PATH", WHOLE),
    ("openclaw", "OPENCLAW_CONFIG_PATH", JSON),
    ("opencode", "OPENCODE_CONFIG", JSON),
)
