"""Grok Build: checked with 1.0.41."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "grok-build",
    "Grok Build",
    flags=("--grok-build", "-gb"),
    install_flag="--grok-build",
    executable="grok",
    home=".grok",
    home_variable="GROK_HOME",
    kind="file",
    configs=(
        ConfigFile("user", "hooks/cc-safety-net.json", "json", ours_alone=True),
        ConfigFile(
            "project", ".grok/hooks/cc-safety-net.json", "json", base="project", ours_alone=True
        ),
    ),
    # No matcher: `Bash` would miss `monitor`. The default time-out of 5 s lets a late call pass.
    entry=HookEntry(
        "PreToolUse",
        ("hooks", "PreToolUse"),
        nested=True,
        options={"type": "command", "timeout": 30},
    ),
    payload=Payload(
        # Before 1.0.41 there were only the names in camel case.
        event=(("hookEventName",), ("hook_event_name",)),
        event_values=("pre_tool_use", "PreToolUse", "preToolUse"),
        tool=(("toolName",), ("tool_name",)),
        input=(("toolInput",), ("tool_input",)),
        session=(("sessionId",), ("session_id",)),
        call_id=(("toolUseId",), ("tool_use_id",)),
        session_directory=(("cwd",),),
        workspaces=(("workspaceRoot",),),
    ),
    shell_tools={
        "run_terminal_command": "auto",
        "run_terminal_cmd": "auto",
        "monitor": "auto",
        "Shell": "auto",
    },
    tools={"list_dir": "names"},
    allow={"decision": "allow"},
    deny={"decision": "deny", "reason": TEXT},
    contained=True,
    project_variables=("GROK_WORKSPACE_ROOT", "CLAUDE_PROJECT_DIR"),
    marker_variables=("GROK_SESSION_ID",),
    restart="Start a new session, or press r in the /hooks tab. Project hooks: run /hooks-trust.",
    versions="1.0.41",
)
