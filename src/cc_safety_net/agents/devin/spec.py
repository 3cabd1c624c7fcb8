"""Devin CLI and Desktop: from its documentation and from payloads captured in the field."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "devin",
    "Devin",
    flags=("--devin", "-dv"),
    install_flag="--devin",
    executable="devin",
    home=".config/devin",
    windows_home=r"%APPDATA%\devin",
    kind="entry",
    configs=(
        ConfigFile("user", "config.json", "jsonc"),
        # This file is the hooks object itself, without a key `hooks` around it.
        ConfigFile(
            "project", ".devin/hooks.v1.json", "jsonc", base="project", keys=("PreToolUse",)
        ),
        ConfigFile("project-config", ".devin/config.json", "jsonc", base="project"),
        ConfigFile("project-local", ".devin/config.local.json", "jsonc", base="project"),
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
        session_directory=(("cwd",),),
    ),
    shell_tools={"exec": "auto"},
    deny={"decision": "block", "reason": TEXT},
    deny_status=2,
    project_variables=("DEVIN_PROJECT_DIR",),
    marker_variables=("DEVIN_PROJECT_DIR",),
    restart="Start a new session. Hooks do not load in a workspace in Restricted Mode.",
    versions="3000.6 to 3000.11 (documentation)",
)
