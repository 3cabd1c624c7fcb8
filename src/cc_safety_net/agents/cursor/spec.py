"""Cursor (IDE and CLI): from its documentation and from payloads captured in the field."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "cursor",
    "Cursor",
    flags=("--cursor", "-cu"),
    install_flag="--cursor",
    executable="cursor-agent",
    home=".cursor",
    kind="entry",
    configs=(
        ConfigFile("user", "hooks.json", "json"),
        ConfigFile("project", ".cursor/hooks.json", "json", base="project"),
        ConfigFile("managed", "/etc/cursor/hooks.json", "json", base="absolute"),
    ),
    # One event only: a shell call fires `beforeShellExecution` as well, and would be asked twice.
    entry=HookEntry(
        "preToolUse",
        ("hooks", "preToolUse"),
        nested=False,
        options={"timeout": 30, "failClosed": True},
        top={"version": 1},
    ),
    payload=Payload(
        event=(("hook_event_name",),),
        # Hooks imported from Claude keep Claude's names of events.
        event_values=("preToolUse", "PreToolUse"),
        tool=(("tool_name",),),
        input=(("tool_input",),),
        session=(("conversation_id",), ("session_id",)),
        call_id=(("tool_use_id",), ("generation_id",)),
        session_directory=(("cwd",),),
        workspaces=(("workspace_roots",),),
    ),
    shell_tools={"Shell": "auto"},
    # Recent builds block an empty output: "not valid JSON".
    allow={"permission": "allow"},
    deny={"permission": "deny", "user_message": TEXT, "agent_message": TEXT},
    contained=True,
    project_variables=("CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    marker_variables=("CURSOR_AGENT",),
    restart="Cursor reads hooks.json again by itself; restart it if it does not.",
    versions="IDE 1.7 to 3.18, CLI 2026.07 to 2026.08 (documentation)",
)
