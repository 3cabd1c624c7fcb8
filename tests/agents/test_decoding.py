"""What the shared decoder makes of arguments that agents spell in several ways."""

from __future__ import annotations

from typing import Any

import pytest

from cc_safety_net.agents.claude_code.protocol import decode
from cc_safety_net.guard.call import BadCall


def call(tool: str, arguments: Any, **payload: Any) -> Any:
    fields = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": arguments}
    return decode({**fields, "cwd": "/proj", "transcript_path": "/t", **payload}, {}, "/process")


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ({"command": "rm -rf x"}, "rm -rf x"),
        ({"command": ["rm", "-rf", "a b"]}, "rm -rf 'a b'"),
        ({"cmd": "rm", "args": ["-rf", "it's"]}, "rm -rf 'it'\\''s'"),
        ({"commands": ["ls", "rm -rf x"]}, "ls\nrm -rf x"),
        ({"CommandLine": "ls", "Cwd": "/x"}, "ls"),
        ({"shell-command": "ls"}, "ls"),
    ],
)
def test_the_command_is_found_under_each_of_its_names(
    arguments: dict[str, Any], command: str
) -> None:
    assert call("run_command", arguments).command == command


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("Bash", "shell"),
        ("Monitor", "shell"),
        ("mcp__box__bash", "shell"),
        ("Read", "read"),
        ("Write", "write"),
        ("MultiEdit", "edit"),
        ("NotebookEdit", "edit"),
        ("apply_patch", "patch"),
        ("Grep", "search"),
        ("Glob", "names"),
        ("write_stdin", "typed"),
        ("WebFetch", "other"),
        ("mcp__probe__make_file", "other"),
    ],
)
def test_a_tool_has_its_kind_by_its_name(tool: str, kind: str) -> None:
    assert call(tool, {"command": "ls", "input": "ls"}).kind == kind


def test_a_tool_named_like_a_shell_without_a_command_is_another_tool() -> None:
    assert (call("terminal", {"size": 3}).kind, call("terminal", {"size": 3}).command) == (
        "other",
        None,
    )


def test_the_agents_own_shell_without_a_command_is_refused() -> None:
    with pytest.raises(BadCall, match="command is missing"):
        call("Bash", {"description": "x"})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("use_tool", {"tool_name": "fs__bash", "tool_input": {"command": "ls"}}),
        ("fs__bash", {"tool_name": "fs__bash", "tool_input": {"command": "ls"}}),
        ("mcp_call_tool", {"server": "fs", "tool": "bash", "arguments": {"command": "ls"}}),
    ],
)
def test_the_call_inside_a_dispatcher_is_the_one_that_counts(
    tool: str, arguments: dict[str, Any]
) -> None:
    found = call(tool, arguments)

    assert (found.kind, found.command) == ("shell", "ls")


def test_the_directory_is_the_calls_own_then_the_payloads_then_the_process() -> None:
    own = call("Bash", {"command": "ls", "cwd": "sub"})
    payloads = call("Bash", {"command": "ls"})
    none = call("Bash", {"command": "ls"}, cwd=None)

    found = [(c.directory, c.session_directory) for c in (own, payloads, none)]
    assert found == [("sub", "/proj"), ("", "/proj"), ("", "/process")]


@pytest.mark.parametrize("cwd", [7, [], {}, True])
def test_a_directory_that_is_no_text_is_refused(cwd: Any) -> None:
    with pytest.raises(BadCall):
        call("Bash", {"command": "ls"}, cwd=cwd)
    with pytest.raises(BadCall):
        call("Bash", {"command": "ls", "cwd": cwd})
