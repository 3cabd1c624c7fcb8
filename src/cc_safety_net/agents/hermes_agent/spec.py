"""Hermes Agent: checked with 0.19.0. Its plugin asks in the form of Hermes' own shell hooks."""

from __future__ import annotations

from cc_safety_net.agents.spec import TEXT, AgentSpec, ConfigFile, Payload

SPEC = AgentSpec(
    "hermes-agent",
    "Hermes Agent",
    flags=("--hermes-agent", "-ha"),
    install_flag="--hermes-agent",
    executable="hermes",
    home=".hermes",
    windows_home=r"%LOCALAPPDATA%\hermes",
    home_variable="HERMES_HOME",
    kind="plugin",
    configs=(ConfigFile("user", "config.yaml", "yaml"),),
    payload=Payload(
        event=(("hook_event_name",),),
        event_values=("pre_tool_call",),
        tool=(("tool_name",),),
        input=(("tool_input",),),
        session=(("session_id",),),
        call_id=(("tool_call_id",), ("extra", "tool_call_id")),
        session_directory=(("cwd",),),
    ),
    shell_tools={"terminal": "posix"},
    deny={"action": "block", "message": TEXT},
    # The plugin reads the document, whatever the exit status.
    block_status=None,
    project_scope=False,
    restart="Start a new session; restart a running gateway or TUI.",
    versions="0.19.0",
)
