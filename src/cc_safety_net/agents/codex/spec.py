"""Codex: checked with 0.171."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "codex",
    "Codex",
    flags=("--codex", "-cx"),
    install_flag="--codex",
    executable="codex",
    home=".codex",
    home_variable="CODEX_HOME",
    kind="plugin",
    configs=(
        ConfigFile("user", "hooks.json", "json"),
        ConfigFile("project", ".codex/hooks.json", "json", base="project"),
        ConfigFile("user-config", "config.toml", "toml"),
        ConfigFile("managed", "/etc/codex/config.toml", "toml", base="absolute"),
    ),
    entry=HookEntry(
        "PreToolUse",
        ("hooks", "PreToolUse"),
        nested=True,
        options={"type": "command", "timeout": 30},
    ),
    payload=Payload(
        event=(("hook_event_name",),),
        event_values=("PreToolUse",),
        tool=(("tool_name",),),
        input=(("tool_input",),),
        session=(("session_id",),),
        call_id=(("tool_use_id",),),
        # The call's own directory: a `workdir` of the call is already in it.
        session_directory=(("cwd",),),
    ),
    shell_tools={"Bash": "posix"},
    # One key more, anywhere, and Codex takes the document for none.
    deny={
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": TEXT,
        }
    },
    restart="Start a new session.",
    versions="0.171",
)
