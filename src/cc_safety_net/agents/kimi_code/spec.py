"""Kimi Code: checked with 2.1.0."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "kimi-code",
    "Kimi Code",
    flags=("--kimi-code", "-kc"),
    install_flag="--kimi-code",
    executable="kimi",
    home=".kimi-code",
    home_variable="KIMI_CODE_HOME",
    kind="entry",
    configs=(ConfigFile("user", "config.toml", "toml"),),
    # Exactly event, matcher, command and timeout are legal: one key more drops all hooks.
    entry=HookEntry("PreToolUse", ("hooks",), nested=False, options={"timeout": 30}),
    payload=Payload(
        event=(("hook_event_name",),),
        event_values=("PreToolUse",),
        tool=(("tool_name",),),
        input=(("tool_input",),),
        session=(("session_id",),),
        call_id=(("tool_call_id",),),
        session_directory=(("cwd",),),
    ),
    shell_tools={"Bash": "posix"},
    deny={
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": TEXT,
        }
    },
    contained=True,
    project_scope=False,
    restart="Start a new session: hooks are read once, at the start.",
    versions="2.1.0",
)
