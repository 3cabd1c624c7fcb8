"""Gemini CLI: checked with 0.61.0."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "gemini-cli",
    "Gemini CLI",
    flags=("--gemini-cli", "-gc"),
    install_flag="--gemini-cli",
    executable="gemini",
    home=".gemini",
    home_variable="GEMINI_CLI_HOME",
    home_below=".gemini",
    kind="plugin",
    configs=(
        ConfigFile("user", "settings.json", "jsonc"),
        ConfigFile("project", ".gemini/settings.json", "jsonc", base="project"),
        ConfigFile("managed", "/etc/gemini-cli/settings.json", "jsonc", base="absolute"),
    ),
    # The time-out is in milliseconds.
    entry=HookEntry(
        "BeforeTool",
        ("hooks", "BeforeTool"),
        nested=True,
        options={"name": "cc-safety-net", "type": "command", "timeout": 30_000},
    ),
    payload=Payload(
        event=(("hook_event_name",),),
        event_values=("BeforeTool",),
        tool=(("tool_name",),),
        input=(("tool_input",),),
        session=(("session_id",),),
        session_directory=(("cwd",),),
    ),
    shell_tools={"run_shell_command": "posix"},
    # The reason is for the model, the message for the person.
    deny={"decision": "deny", "reason": TEXT, "systemMessage": TEXT},
    project_variables=("GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    marker_variables=("GEMINI_CLI",),
    restart="Start a new session.",
    versions="0.61.0",
)
