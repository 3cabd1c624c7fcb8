"""The plugin inside Hermes: what it asks, in which directory, and that every failure blocks."""

from __future__ import annotations

import json
import sys
import types
from typing import TYPE_CHECKING, Any

import pytest

from cc_safety_net.install.templates import filled, template

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Handler = "Callable[..., Any]"
RECORD = {"t1": "/task/sub", "default": "/task/default"}
#: Keeps what it was asked, and answers what `answer` holds.
LAUNCHER = """#!/bin/sh
pwd > {folder}/pwd
cat > {folder}/asked
{answer}
"""


class Plugin:
    """The loaded plugin and the launcher that it calls."""

    def __init__(self, folder: Path, launcher: Path) -> None:
        self.folder = folder
        self.launcher = launcher
        text = template("hermes-agent", "plugin.py.in")
        values = {"version": "1.0.0", "launcher": json.dumps(str(launcher))}
        self.module = types.ModuleType("plugin")
        exec(compile(filled(text, values), "plugin", "exec"), self.module.__dict__)
        hooks: dict[str, Callable[..., Any]] = {}
        self.module.register(types.SimpleNamespace(register_hook=hooks.__setitem__))
        self.call = hooks["pre_tool_call"]

    def answers(self, answer: str) -> None:
        self.launcher.write_text(LAUNCHER.format(folder=self.folder, answer=answer))
        self.launcher.chmod(0o755)

    def asked(self) -> dict[str, Any]:
        return json.loads((self.folder / "asked").read_text())

    def terminal(self, **arguments: object) -> Any:
        return self.call(tool_name="terminal", args={"command": "ls", **arguments}, task_id="t1")


@pytest.fixture
def plugin(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Plugin:
    terminal = types.ModuleType("tools.terminal_tool")
    terminal.get_session_cwd = RECORD.get
    files = types.ModuleType("tools.file_tools")
    files._registered_task_cwd_override = {"t2": "/task/registered"}.get
    for name, module in (
        ("tools", types.ModuleType("tools")),
        ("tools.terminal_tool", terminal),
        ("tools.file_tools", files),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("TERMINAL_CWD", raising=False)
    loaded = Plugin(tmp_path, tmp_path / "cc-safety-net")
    loaded.answers("true")
    return loaded


def test_an_empty_answer_lets_the_call_pass(plugin: Plugin) -> None:
    assert plugin.terminal() is None
    assert plugin.asked() == {
        "hook_event_name": "pre_tool_call",
        "tool_name": "terminal",
        "tool_input": {"command": "ls"},
        "session_id": "",
        "cwd": "/task/sub",
    }


def test_a_block_is_passed_on(plugin: Plugin) -> None:
    plugin.answers('echo \'{"action":"block","message":"because"}\'')

    assert plugin.terminal() == {"action": "block", "message": "because"}


def test_the_guard_starts_in_the_home_directory(plugin: Plugin, home: Path) -> None:
    plugin.terminal()

    assert (plugin.folder / "pwd").read_text().strip() == str(home)


@pytest.mark.parametrize(
    "answer",
    [
        "exit 1",
        "exit 2",
        "kill -9 $$",
        "echo nonsense",
        "echo '{}'",
        "echo null",
        "echo '[]'",
        """echo '{"action":"block"}'""",
        """echo '{"action":"block","message":""}'""",
        """echo '{"action":"block","message":"  "}'""",
        """echo '{"action":"block","message":5}'""",
        """echo '{"action":"allow"}'""",
        """echo '{"decision":"block","reason":"x"}'""",
        """echo '{"action":"block","message":"x"}'; exit 1""",
        """echo '{"action":"block","message":"x"} more'""",
        "printf '\\377'",
    ],
)
def test_every_other_answer_blocks(plugin: Plugin, answer: str) -> None:
    plugin.answers(answer)

    reply = plugin.terminal()

    assert reply["action"] == "block"
    assert "guard.runtime-unavailable" in reply["message"]


def test_a_missing_and_an_unusable_launcher_block(plugin: Plugin) -> None:
    plugin.launcher.write_text("no program")
    assert plugin.terminal()["action"] == "block"
    plugin.launcher.unlink()
    assert "missing" in plugin.terminal()["message"]


def test_no_answer_in_time_blocks_and_ends_the_whole_group(plugin: Plugin) -> None:
    plugin.module.SECONDS = 0.3
    plugin.answers(f"sleep 600 & echo $! > {plugin.folder}/child; wait")

    reply = plugin.terminal()

    assert "no answer" in reply["message"]
    child = int((plugin.folder / "child").read_text())
    state = f"/proc/{child}/stat"
    try:
        with open(state) as file:
            assert file.read().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        pass


@pytest.mark.parametrize(
    "call",
    [
        {"tool_name": "terminal", "args": None},
        {"tool_name": "terminal", "args": "ls"},
        {"tool_name": "terminal", "args": {"command": "ls", "workdir": 5}},
        {"tool_name": "terminal", "args": {"command": "ls", "workdir": "  "}},
        {"tool_name": "terminal", "args": {"command": "ls", "workdir": "a\0b"}},
        {"tool_name": "terminal", "args": {"command": "ls", "workdir": "~/x"}},
        {"tool_name": "terminal", "args": {"command": {1, 2}}},
        {"tool_name": "terminal", "args": {"command": "ls"}, "task_id": 5},
        {"tool_name": None, "args": {}},
        {"tool_name": "", "args": {}},
        {},
    ],
)
def test_arguments_of_the_wrong_type_block(plugin: Plugin, call: dict[str, Any]) -> None:
    reply = plugin.call(**call)

    assert reply["action"] == "block"
    assert reply["message"]


def test_a_session_record_that_cannot_be_read_blocks(
    plugin: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(sys.modules["tools.terminal_tool"], "get_session_cwd")

    assert "directory can't be read" in plugin.terminal()["message"]


@pytest.mark.parametrize(
    ("arguments", "task", "variable", "directory"),
    [
        ({}, "t1", "", "/task/sub"),
        ({}, "", "", "/task/default"),
        ({}, None, "", "/task/default"),
        ({"workdir": None, "timeout": None}, "t1", "", "/task/sub"),
        ({"workdir": "/abs"}, "t1", "", "/abs"),
        ({"workdir": "rel"}, "t1", "", "/task/sub/rel"),
        ({}, "new", "/seed", "/seed"),
        ({"workdir": "rel"}, "new", "/seed", "/seed/rel"),
        ({}, "new", "relative", "{process}"),
        ({}, "new", ".", "{process}"),
        ({}, "new", "auto", "{process}"),
        ({}, "t2", "/seed", "/seed"),
    ],
)
def test_the_directory_of_a_command(
    plugin: Plugin,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: dict[str, object],
    task: str | None,
    variable: str,
    directory: str,
) -> None:
    monkeypatch.setenv("TERMINAL_CWD", variable)
    monkeypatch.chdir(tmp_path)

    plugin.call(tool_name="terminal", args={"command": "ls", **arguments}, task_id=task)

    assert plugin.asked()["cwd"] == directory.format(process=tmp_path)


def test_file_tools_know_a_registered_workspace(plugin: Plugin) -> None:
    plugin.call(tool_name="write_file", args={"path": "x", "content": ""}, task_id="t2")

    assert plugin.asked()["cwd"] == "/task/registered"


@pytest.mark.parametrize(
    ("tool", "args", "forwarded"),
    [
        ("terminal", {"command": "ls"}, True),
        ("write_file", {"path": "a"}, True),
        ("patch", {"path": "a"}, True),
        ("read_file", {"path": "a"}, True),
        ("search_files", {"pattern": "a"}, True),
        ("execute_code", {"code": "1"}, True),
        ("process", {"action": "write", "data": "x"}, True),
        ("process", {"action": "submit", "data": "x"}, True),
        ("process", {"action": "poll"}, False),
        ("mcp__files__write", {"path": "a"}, True),
        ("never_heard_of", {}, True),
        ("todo", {}, False),
        ("web_search", {}, False),
        ("browser_click", {}, False),
        ("skill_view", {}, False),
    ],
)
def test_what_is_forwarded(
    plugin: Plugin, tool: str, args: dict[str, object], forwarded: bool
) -> None:
    assert plugin.call(tool_name=tool, args=args, task_id="t1") is None

    assert (plugin.folder / "asked").exists() == forwarded
