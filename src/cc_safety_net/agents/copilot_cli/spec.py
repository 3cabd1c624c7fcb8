"""Copilot CLI: checked with 1.0.102."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "copilot-cli",
    "Copilot CLI",
    flags=("--copilot-cli", "-cp"),
    install_flag="--copilot-cli",
    executable="copilot",
    home=".copilot",
    home_variable="COPILOT_HOME",
    kind="plugin",
    configs=(
        ConfigFile("user", "hooks/cc-safety-net.json", "json", ours_alone=True),
        ConfigFile(
            "project", ".github/hooks/cc-safety-net.json", "json", base="project", ours_alone=True
        ),
    ),
    entry=HookEntry(
        "preToolUse",
        ("hooks", "preToolUse"),
        nested=False,
        options={"type": "command", "timeoutSec": 30},
        top={"version": 1},
    ),
    payload=Payload(
        # The camel case form of the payload names no event.
        event=(("hook_event_name",),),
        event_optional=True,
        event_values=("PreToolUse", "preToolUse"),
        tool=(("toolName",), ("tool_name",)),
        input=(("toolArgs",), ("tool_input",)),
        session=(("sessionId",), ("session_id",)),
        session_directory=(("cwd",),),
    ),
    shell_tools={
        "bash": "posix",
        "Bash": "posix",
        "powershell": "powershell",
        "PowerShell": "powershell",
    },
    # The flat form is obeyed under both spellings of the event.
    deny={"permissionDecision": "deny", "permissionDecisionReason": TEXT},
    ask={"permissionDecision": "ask", "permissionDecisionReason": TEXT},
    project_variables=("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    marker_variables=("COPILOT_CLI",),
    restart="Start a new session.",
    versions="1.0.102",
)
