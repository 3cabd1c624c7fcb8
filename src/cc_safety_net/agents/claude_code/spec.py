"""Claude Code: checked with 2.1.197 and 2.1.332."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "claude-code",
    "Claude Code",
    flags=("--coding-cli", "-cc", "--claude-code"),
    install_flag="--claude-code",
    executable="claude",
    home=".claude",
    home_variable="CLAUDE_CONFIG_DIR",
    kind="plugin",
    configs=(
        ConfigFile("user", "settings.json", "json"),
        ConfigFile("project", ".claude/settings.json", "json", base="project"),
        ConfigFile("project-local", ".claude/settings.local.json", "json", base="project"),
        ConfigFile("managed", "/etc/claude-code/managed-settings.json", "json", base="absolute"),
    ),
    entry=HookEntry(
        "PreToolUse",
        ("hooks", "PreToolUse"),
        nested=True,
        # 2.1.295 and later turn a crash, a missing program and a time-out into a block by
        # `onFailure`; older ones ignore it.
        options={"type": "command", "timeout": 30, "onFailure": "block"},
    ),
    payload=Payload(
        event=(("hook_event_name",),),
        event_values=("PreToolUse",),
        tool=(("tool_name",),),
        input=(("tool_input",),),
        session=(("session_id",),),
        call_id=(("tool_use_id",),),
        session_directory=(("cwd",),),
    ),
    # `Monitor` really runs its command.
    shell_tools={"Bash": "posix", "Monitor": "posix", "PowerShell": "powershell"},
    deny={
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": TEXT,
        }
    },
    ask={
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": TEXT,
        }
    },
    project_variables=("CLAUDE_PROJECT_DIR",),
    marker_variables=("CLAUDECODE",),
    restart="Start a new session, or run /reload-plugins in a running one.",
    versions="2.1.197 to 2.1.332",
)
