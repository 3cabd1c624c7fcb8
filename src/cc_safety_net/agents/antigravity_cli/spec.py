"""Antigravity CLI: from its documentation and from payloads captured in the field."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, HookEntry, Payload

SPEC = AgentSpec(
    "antigravity-cli",
    "Antigravity CLI",
    flags=("--antigravity-cli", "-ac", "--agy-cli"),
    install_flag="--antigravity-cli",
    executable="agy",
    home=".gemini/config",
    kind="entry",
    configs=(
        ConfigFile("user", "hooks.json", "json"),
        ConfigFile("project", ".agents/hooks.json", "json", base="project"),
    ),
    # The top-level keys of the file are names of hooks; ours is one of them. Whether a shell runs
    # the command is not documented, and a launcher that is gone is denied anyway.
    entry=HookEntry(
        "PreToolUse",
        ("cc-safety-net", "PreToolUse"),
        nested=True,
        matcher="*",
        options={"type": "command", "timeout": 30},
        shell=False,
    ),
    payload=Payload(
        # Most versions name no event.
        event=(("hookEventName",),),
        event_optional=True,
        event_values=("PreToolUse", "preToolUse", "pre_tool_use"),
        tool=(("toolCall", "name"),),
        input=(("toolCall", "args"),),
        session=(("conversationId",),),
        workspaces=(("workspacePaths",),),
    ),
    shell_tools={"run_command": "auto"},
    deny={"decision": "deny", "reason": TEXT},
    ask={"decision": "force_ask", "reason": TEXT},
    contained=True,
    # Exit status 2 means nothing special: only the document counts.
    block_status=None,
    restart="Start a new conversation.",
    versions="1.0.3 to 1.5.0 (documentation)",
)
