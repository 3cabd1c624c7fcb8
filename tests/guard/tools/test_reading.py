"""File tools and unknown tools as accesses and executions."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, place, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.interpret.facts import Execution, Reading, known, shown
from cc_safety_net.guard.limits import Effort
from cc_safety_net.guard.tool_names import kind_of
from cc_safety_net.guard.tools.reading import read_call

ROOT = f"{HOME}/proj"


def _read_shell(text, dialect, where, world, effort):
    reading = Reading()
    reading.executions.append(
        Execution([known(text)], text.split()[0], (where.directory,), 0, len(text))
    )
    return reading


def _read(tool, kind=None, **arguments):
    call = ToolCall("claude-code", tool, kind or kind_of(tool), arguments)
    return read_call(call, place(), workspace(), Effort(), _read_shell)


def _accesses(tool, **arguments):
    return [
        (access.mode, "|".join(shown(choice) for choice in access.path.choices))
        for access in _read(tool, **arguments).accesses
    ]


def _commands(tool, **arguments):
    return [
        (execution.argv[0].text, execution.cwds[0])
        for execution in _read(tool, **arguments).executions
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Read", {"file_path": ".env"}, [("read", ".env")]),
        ("read_file", {"absolute_path": f"{ROOT}/.env"}, [("read", f"{ROOT}/.env")]),
        ("read_file", {"target_file": "~/.ssh/id_rsa"}, [("read", f"{HOME}/.ssh/id_rsa")]),
        ("ReadFile", {"uri": "file:///a%20b"}, [("read", "/a b")]),
        ("ReadFile", {"uri": "https://example.com/.env"}, []),
        ("readmany", {"include": [".env", "src/*"]}, [("read", ".env"), ("read", "src/*")]),
        ("read_many_files", {"paths": [".env", "b"]}, [("read", ".env"), ("read", "b")]),
        ("read_many_files", {"include": ["**/*.{ts,env}"]}, [("read", "**/*.ts|**/*.env")]),
        ("view_image", {"path": "a.png"}, [("read", "a.png")]),
        ("Read", {"files": [{"path": "a"}, {"path": "b"}]}, [("read", "a"), ("read", "b")]),
        ("Write", {"file_path": "a", "content": "x"}, [("write", "a")]),
        ("write_file", {"path": "a", "content": "x", "mode": "append"}, [("append", "a")]),
        ("append_file", {"path": "a", "text": "x"}, [("append", "a")]),
        ("Edit", {"file_path": "a"}, [("read", "a"), ("write", "a")]),
        ("MultiEdit", {"edits": [{"file_path": "a"}]}, [("read", "a"), ("write", "a")]),
        ("NotebookEdit", {"notebook_path": "a.ipynb"}, [("read", "a.ipynb"), ("write", "a.ipynb")]),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a"}, [("read", "a")]),
        ("str_replace_based_edit_tool", {"command": "create", "path": "a"}, [("write", "a")]),
        ("delete_file", {"target_file": "a"}, [("delete", "a")]),
        ("move_file", {"source": "a", "destination": "b"}, [("move", "a"), ("write", "b")]),
        ("rename", {"old_path": "a", "new_path": "b"}, [("move", "a"), ("write", "b")]),
        ("copy_file", {"from": "a", "to": "b"}, [("read", "a"), ("write", "b")]),
        ("Grep", {"pattern": "KEY"}, [("read", ROOT)]),
        ("Grep", {"pattern": "KEY", "path": "src"}, [("read", "src")]),
        ("Grep", {"pattern": "K", "glob": ".env*"}, [("read", f"{ROOT}/.env*")]),
        ("Grep", {"pattern": "K", "glob": "!.env*"}, []),
        ("search_file_content", {"pattern": "K", "include": "*.ts"}, [("read", f"{ROOT}/*.ts")]),
        ("mcp__web__search", {"query": "KEY"}, []),
        (
            "Glob",
            {"pattern": "**/.env*", "path": "src"},
            [("metadata", "src"), ("metadata", "src/**/.env*")],
        ),
        ("grep_search", {"pattern": "K", "include_pattern": "*.env"}, [("read", f"{ROOT}/*.env")]),
        ("Grep", {"pattern": "K", "path": "a", "glob_pattern": ".e*"}, [("read", "a/.e*")]),
        ("tool_call", {"id": "read", "args": {"path": "a"}}, [("read", "a")]),
        (
            "mcp_call_tool",
            {"server": "s", "toolName": "rm_x", "arguments": '{"path": "a"}'},
            [("delete", "a")],
        ),
        (
            "use_tool",
            {"tool_name": "use_tool", "tool_input": {"tool": "read", "args": {"path": "a"}}},
            [("read", "a")],
        ),
        ("container.write_file", {"path": "a"}, [("write", "a")]),
        ("frobnicate", {"target_path": "a"}, [("read", "a")]),
        ("frobnicate", {"where": "~/.ssh/id_rsa"}, [("read", f"{HOME}/.ssh/id_rsa")]),
        ("frobnicate", {"list": ["./a", "plain", "https://x/y"]}, [("read", "./a")]),
        ("erase", {"what": {"deep": ["/etc/passwd"]}}, [("delete", "/etc/passwd")]),
        ("frobnicate", {"message": "see /etc/passwd and ./a"}, []),
        ("delete_route", {"route": "/"}, []),
        ("LS", {"path": "/etc"}, [("metadata", "/etc")]),
        ("mcp__fs__read_file", {"path": ".env"}, [("read", ".env")]),
        ("fs__write_file", {"path": "a"}, [("write", "a")]),
        ("MCP: delete_file", {"path": "a"}, [("delete", "a")]),
        ("use_tool", {"tool_name": "fs__read_file", "tool_input": {"path": "k"}}, [("read", "k")]),
        ("apply_patch", {"patch": "*** Delete File: a"}, [("delete", "a")]),
        ("apply_patch", {"input": "*** Add File: a\n+x"}, [("read", "a"), ("write", "a")]),
        (
            "applypatch",
            {"patchText": "*** Update File: a\n*** Move to: b"},
            [("move", "a"), ("write", "b")],
        ),
        ("remove_records", {"path": "a"}, [("delete", "a")]),
        ("createWidget", {"path": "a"}, [("write", "a")]),
        ("frobnicate", {"path": "a", "content": "x"}, [("write", "a")]),
        ("frobnicate", {"path": "a"}, [("read", "a")]),
        ("frobnicate", {"options": [{"deep": {"file": "a"}}]}, [("read", "a")]),
        ("get_thing", {"output_file": "a"}, [("write", "a")]),
        ("moveThing", {"src": "a", "dst": "b"}, [("move", "a"), ("write", "b")]),
        ("WebFetch", {"url": "https://example.com", "prompt": "rm -rf /"}, []),
        ("TodoWrite", {"todos": [{"content": "delete .env"}]}, []),
    ],
)
def test_paths_are_found_by_their_keys(tool, arguments, expected):
    assert _accesses(tool, **arguments) == expected


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Bash", {"command": "ls"}, ["ls"]),
        ("exec", {"command": ["rm", "-rf", "a b"]}, ["rm -rf 'a b'"]),
        ("frob", {"command": "rm -rf /etc"}, ["rm -rf /etc"]),
        ("frob", {"cmd": "git reset --hard"}, ["git reset --hard"]),
        ("frob", {"command": ["git", "reset", "--hard"]}, ["git reset --hard"]),
        ("frob", {"command": ["rm -rf /etc"]}, ["rm -rf /etc"]),
        ("frob", {"commands": ["ls", "rm -rf x"]}, ["ls", "rm -rf x"]),
        ("frob", {"commands": [["rm", "-rf", "x"]]}, ["rm -rf x"]),
        ("frob", {"commands": [{"command": "rm x"}]}, ["rm x"]),
        ("frob", {"command": "rm", "args": ["-rf", "/etc"]}, ["rm -rf /etc"]),
        ("frob", {"program": "rm", "args": ["-rf", "/etc"]}, ["rm -rf /etc"]),
        ("frob", {"argv": ["rm", "-rf", "it's"]}, ["rm -rf 'it'\\''s'"]),
        ("frob", {"steps": [{"run": {"shell_command": "rm x"}}]}, ["rm x"]),
        ("frob", {"input": "rm x"}, []),
        ("send_to_terminal", {"input": "rm x"}, ["rm x"]),
        ("run_in_console", {"text": "rm x\n"}, ["rm x\n"]),
        ("mcp__box__run", {"script": "rm x"}, ["rm x"]),
        ("execute_code", {"code": "print(1)", "language": "python"}, ["python3 -c 'print(1)'"]),
        ("execute_code", {"code": "print(1)"}, ["python3 -c 'print(1)'"]),
        ("js_repl", {"code": "1"}, ["node -e 1"]),
        ("run_code", {"code": "rm x", "language": "bash"}, ["rm x"]),
        ("run_code", {"code": "x", "language": "cobol"}, []),
        ("write_stdin", {"chars": "rm x\r"}, ["rm x\n"]),
        ("process", {"action": "write", "data": "rm x"}, ["rm x"]),
        ("process", {"action": "list"}, []),
        ("process", {"action": "send-keys", "keys": ["rm x", "Enter"]}, ["rm x\n"]),
        ("frob", {"bash_command": "rm x"}, ["rm x"]),
        ("frob", {"executable": "rm", "args": ["x"]}, ["rm x"]),
        ("container.exec", {"cmd": ["rm", "x"]}, ["rm x"]),
        ("codemode", {"code": "1"}, ["node -e 1"]),
        ("run_code", {"code": "ls", "language": "PowerShell"}, ["ls"]),
        ("mcp__postgres__query", {"sql": "DROP TABLE t"}, ["psql -c 'DROP TABLE t'"]),
        ("execute_sql", {"query": "DROP TABLE t"}, ["psql -c 'DROP TABLE t'"]),
        ("mcp__web__search", {"query": "DROP TABLE t"}, []),
        ("sql", {"query": "DROP TABLE t"}, []),
    ],
)
def test_commands_are_found_by_their_keys(tool, arguments, expected):
    kind = "other" if tool == "process" and arguments["action"] == "list" else None

    found = [e.argv[0].text for e in _read(tool, kind, **arguments).executions]

    assert found == expected


@pytest.mark.parametrize("key", ["cwd", "workdir", "workingDirectory", "dir_path"])
def test_an_unknown_tool_may_name_its_directory(key):
    assert _commands("frob", command="rm -rf ssl", **{key: "/etc"}) == [("rm -rf ssl", "/etc")]
    assert _commands("frob", command="rm x", **{key: "src"}) == [("rm x", f"{ROOT}/src")]


def test_a_directory_is_deleted_with_all_in_it():
    (access,) = _read("delete", path="src").accesses
    (file,) = _read("delete", path="f").accesses

    assert (access.recursive, file.recursive) == (True, False)


def test_what_is_written_is_known():
    (access,) = _read("Write", file_path="a", content="rm -rf /").accesses

    assert access.content.text == "rm -rf /"
