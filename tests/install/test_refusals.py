"""What is not ours, not valid or not writable is refused before anything is touched."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest
from tests.install.stand_in import everything, ok

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.install.stand_in import Machine

CURSOR = ".cursor/hooks.json"
KIMI = ".kimi-code/config.toml"
GROK = ".grok/hooks/cc-safety-net.json"
CLAUDE = ".claude/settings.json"
ANTIGRAVITY = ".gemini/config/hooks.json"
DEVIN = ".config/devin/config.json"
CODEX = ".codex/hooks.json"

#: agent, file, content, what the message must name.
INVALID = [
    ("cursor", CURSOR, b'{"a": 1,}', "line 1, column 9"),
    ("cursor", CURSOR, b'{\n  // mine\n  "a": 1\n}', "line 2"),
    ("cursor", CURSOR, b'{"a": 1', 'expected "," or "}"'),
    ("cursor", CURSOR, b'{"a": 1} x', "expected the end"),
    ("cursor", CURSOR, b"[]", "not an object"),
    ("cursor", CURSOR, b'"text"', "not an object"),
    ("cursor", CURSOR, b'{"hooks": []}', '"hooks" is not an object'),
    ("cursor", CURSOR, b'{"hooks": null}', '"hooks" is not an object'),
    ("cursor", CURSOR, b'{"hooks": {"preToolUse": {}}}', "is not a list"),
    ("cursor", CURSOR, b'{"hooks": {"stop": {}}}', '"stop" is not a list'),
    ("cursor", CURSOR, b'{\n"version": 2}', 'line 2: "version" must be 1'),
    ("cursor", CURSOR, b'{"version": "1"}', '"version" must be 1'),
    ("cursor", CURSOR, b'{"a": "\xff"}', "not UTF-8"),
    ("cursor", CURSOR, '{"a": 1}'.encode("utf-16"), "not UTF-8"),
    ("cursor", CURSOR, b'{"a": "\x00"}', "line 1"),
    ("cursor", CURSOR, b"{\x00}", "line 1"),
    ("cursor", CURSOR, b'{"a": NaN}', "expected a value"),
    ("cursor", CURSOR, b'{"a": 01}', 'expected "," or "}"'),
    ("cursor", CURSOR, b'{"a": "\n"}', "expected a value"),
    ("cursor", CURSOR, b"[" * 5000, "nested deeper"),
    ("claude-code", CLAUDE, b'{\n// c\n"a": 1}', "line 2"),
    *(
        ("antigravity-cli", ANTIGRAVITY, content, says)
        for content, says in (
            (b'{\n"a": {} // c\n}', "line 2"),
            (b'{\n"PreToolUse": []}', "line 2: something that Antigravity CLI does not accept"),
            (b'{"enabled": true}', '"enabled" is not an object'),
            (b'{"a": {"enabled": 1}}', '"enabled" must be true or false'),
            (b'{"a": {"PreToolUse": {}}}', '"PreToolUse" is not a list'),
            (b'{"a": {"PreToolUse": [{"command": "x"}]}}', 'the list "hooks" is missing'),
            (b'{"a": {"Stop": [{"hooks": []}]}}', 'a group with "hooks"'),
            (b'{"a": {"Stop": [{"type": "http"}]}}', 'unknown "type": "http"'),
            (b'{"a": {"Stop": [{"command": "x", "timeout": 1.5}]}}', '"timeout" must be a whole'),
            (b'{"a": {"Stop": [{"command": "x", "timeout": "5"}]}}', '"timeout" must be a whole'),
            (b'{"a": {"Stop": [{"command": 5}]}}', '"command" must be a string'),
        )
    ),
    *(
        ("devin", DEVIN, content, says)
        for content, says in (
            (b'{"hooks": {\n"BeforeTool": []}}', "line 2: something that Devin does not accept"),
            (b'{"hooks": {"Stop": {}}}', '"Stop" is not a list'),
            (b'{"hooks": {"Stop": [{"command": "x"}]}}', 'the list "hooks" is missing'),
            (b'{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}', 'unknown "type": null'),
            (b'{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}', '"command" is missing'),
            (b'{"hooks": {"Stop": [{"matcher": 1, "hooks": []}]}}', '"matcher" must be a string'),
            (b'{"a": 1, "b" 2}', "line 1, column 14"),
        )
    ),
    *(
        ("codex", CODEX, content, says)
        for content, says in (
            (b'{\n"PreToolUse": []}', "line 2: something that Codex does not accept"),
            (b'{"hooks": {}, "version": 1}', 'the key "version" beside "hooks"'),
            (b'{"hooks": {} /* c */}', "a comment"),
            (
                b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "timeout": 1.5}]}]}}',
                '"timeout" must be a whole number',
            ),
            (b'{"hooks": {"Stop": [{"hooks": [{"type": "http"}]}]}}', 'unknown "type": "http"'),
        )
    ),
    ("claude-code", CLAUDE, b'{"hooks": {"PreToolUse": [{"matcher": "x"}]}}', "is missing"),
    (
        "claude-code",
        CLAUDE,
        b'{"hooks": {"Stop": [\n{"hooks": [\n{"type": "shell", "command": "x"}]}]}}',
        "line 3: a hook that Claude Code does not accept, so it drops all hooks of the file: ",
    ),
    (
        "claude-code",
        CLAUDE,
        b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": "5"}]}]}}',
        '"timeout" must be a number above 0',
    ),
    (
        "claude-code",
        CLAUDE,
        b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 0}]}]}}',
        '"timeout" must be a number above 0',
    ),
    ("kimi-code", KIMI, b"a = \n", "line 1"),
    ("kimi-code", KIMI, b"a = 1\na = 2\n", "line 2"),
    ("kimi-code", KIMI, b"hooks = []\n[[hooks]]\n", "hooks"),
    ("kimi-code", KIMI, b"[hooks]\nx = 1\n", '"hooks" is not a list'),
    ("kimi-code", KIMI, b"a = 1\rb = 2\r", "config.toml"),
    (
        "kimi-code",
        KIMI,
        b'a = 1\n[[hooks]]\nevent = "Stop"\ncommand = "x"\ntype = "command"\n',
        'line 2: a hook that Kimi Code does not accept, so it drops all hooks: unknown key "type"',
    ),
    ("kimi-code", KIMI, b'[[hooks]]\nevent = "Stop"\ncommand = "x"\ntimeout = 601\n', "1 to 600"),
    ("kimi-code", KIMI, b'[[hooks]]\nevent = "Stop"\ncommand = "x"\ntimeout = 2.5\n', "1 to 600"),
    ("kimi-code", KIMI, b'[[hooks]]\nevent = "Stop"\n', '"command" must be a string'),
    ("kimi-code", KIMI, b'hooks = [\n{ event = "Stop" }]\n', "line 2: a hook"),
    ("grok-build", GROK, b'{"hooks": {}}', "is not ours"),
    ("grok-build", GROK, b'{"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}]}]}}', "not ours"),
    ("grok-build", GROK, b"not json", "line 1"),
]


def put(home: Path, path: str, content: bytes) -> Path:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


@pytest.mark.parametrize(("agent", "path", "content", "named"), INVALID)
def test_an_invalid_or_foreign_file_stops_everything(
    machine: Machine, agent: str, path: str, content: bytes, named: str
) -> None:
    put(machine.home, path, content)
    before = everything(machine.home)
    others = [name for name in ("cursor", "kimi-code") if name != agent]

    result = machine.install(*others, agent)

    assert result.exit_code == 1
    assert result.error is not None
    assert named in result.error.message
    assert path in result.error.message
    assert result.error.hint
    assert [agent.state for agent in result.agents].count("failed") == 1
    assert everything(machine.home) == before


def test_an_unknown_event_of_kimi_is_a_warning(machine: Machine) -> None:
    put(machine.home, KIMI, b'[[hooks]]\nevent = "NewEvent"\ncommand = "x"\n')

    result = ok(machine.install("kimi-code"))

    assert any("line 1" in note and "NewEvent" in note for note in result.agents[0].notes)


def link(home: Path, name: str, to: object) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(str(to))


def good_file(home: Path) -> None:
    put(home, "dotfiles/hooks.json", b'{"version": 1}\n')
    link(home, CURSOR, home / "dotfiles/hooks.json")


def good_relative(home: Path) -> None:
    put(home, "dotfiles/hooks.json", b'{"version": 1}\n')
    link(home, CURSOR, "../dotfiles/hooks.json")


def good_chain(home: Path) -> None:
    good_relative(home)
    (home / CURSOR).unlink()
    link(home, "middle.json", "dotfiles/hooks.json")
    link(home, CURSOR, "../middle.json")


def good_folder(home: Path) -> None:
    put(home, "dotfiles/cursor/hooks.json", b'{"version": 1}\n')
    link(home, ".cursor", "dotfiles/cursor")


def good_new_in_folder(home: Path) -> None:
    (home / "dotfiles/cursor").mkdir(parents=True)
    link(home, ".cursor", "dotfiles/cursor")


@pytest.mark.parametrize(
    "make", [good_file, good_relative, good_chain, good_folder, good_new_in_folder]
)
def test_a_config_that_is_a_link_inside_the_home_stays_one(
    machine: Machine, make: Callable[[Path], None]
) -> None:
    make(machine.home)
    before = everything(machine.home)

    ok(machine.install("cursor"))

    assert b"hook --cursor" in (machine.home / CURSOR).read_bytes()
    during = everything(machine.home)
    assert {
        key: value for key, value in during.items() if value[0] == "link" and "current" not in key
    } == {key: value for key, value in before.items() if value[0] == "link"}
    ok(machine.uninstall("cursor"))
    assert everything(machine.home) == before


def test_a_home_that_is_reached_through_a_link_is_fine(machine: Machine, tmp_path: Path) -> None:
    link(tmp_path, "house", machine.home)
    machine.environment["HOME"] = str(tmp_path / "house")
    put(machine.home, "dotfiles/hooks.json", b"{}\n")
    link(machine.home, CURSOR, tmp_path / "house/dotfiles/hooks.json")

    ok(machine.install("cursor"))

    assert b"hook --cursor" in (machine.home / "dotfiles/hooks.json").read_bytes()


def outside(home: Path) -> None:
    put(home.parent, "elsewhere.json", b"{}\n")
    link(home, CURSOR, home.parent / "elsewhere.json")


def outside_and_back(home: Path) -> None:
    put(home, "inside.json", b"{}\n")
    link(home.parent, "bridge", home / "inside.json")
    link(home, CURSOR, "../../bridge")


def outside_folder(home: Path) -> None:
    put(home.parent, "elsewhere/hooks.json", b"{}\n")
    link(home, ".cursor", home.parent / "elsewhere")


def dangling(home: Path) -> None:
    link(home, CURSOR, "nothing.json")


def loop(home: Path) -> None:
    link(home, CURSOR, "other.json")
    link(home, ".cursor/other.json", "hooks.json")


def to_itself(home: Path) -> None:
    link(home, CURSOR, "hooks.json")


def folder_in_place(home: Path) -> None:
    (home / CURSOR).mkdir(parents=True)


def fifo(home: Path) -> None:
    (home / ".cursor").mkdir()
    os.mkfifo(home / CURSOR)


def hard_link(home: Path) -> None:
    put(home, "other.json", b"{}\n")
    (home / ".cursor").mkdir()
    os.link(home / "other.json", home / CURSOR)


def file_instead_of_folder(home: Path) -> None:
    (home / ".cursor").write_text("x")


def open_folder(home: Path) -> None:
    put(home, CURSOR, b"{}\n")
    (home / ".cursor").chmod(0o777)


def read_only_file(home: Path) -> None:
    put(home, CURSOR, b"{}\n").chmod(0o444)


def read_only_folder(home: Path) -> None:
    put(home, CURSOR, b"{}\n")
    (home / ".cursor").chmod(0o555)


REFUSED = [
    outside,
    outside_and_back,
    outside_folder,
    dangling,
    loop,
    to_itself,
    folder_in_place,
    fifo,
    hard_link,
    file_instead_of_folder,
    open_folder,
    read_only_file,
    read_only_folder,
]


@pytest.mark.parametrize("make", REFUSED)
def test_a_place_that_is_not_safe_is_refused_with_its_name(
    machine: Machine, make: Callable[[Path], None]
) -> None:
    make(machine.home)
    before = everything(machine.home.parent)

    result = machine.install("kimi-code", "cursor")

    assert result.error is not None
    assert ".cursor" in result.error.message
    assert result.error.hint
    assert result.exit_code == 1
    assert everything(machine.home.parent) == before


@pytest.mark.parametrize("make", [outside, outside_and_back, loop])
def test_a_refused_chain_is_shown(machine: Machine, make: Callable[[Path], None]) -> None:
    make(machine.home)

    result = machine.install("cursor")

    assert result.error is not None
    assert "hooks.json -> " in result.error.message


def test_a_socket_in_the_place_is_refused(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine.home / ".cursor").mkdir()
    monkeypatch.chdir(machine.home / ".cursor")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("hooks.json")

        result = machine.install("cursor")

    assert result.error is not None
    assert "hooks.json" in result.error.message


def test_a_managed_file_that_is_a_link_is_refused_even_inside_the_home(machine: Machine) -> None:
    put(machine.home, "mine.json", b"{}")
    link(machine.home, GROK, machine.home / "mine.json")
    before = everything(machine.home)

    result = machine.install("grok-build")

    assert result.error is not None
    assert "cc-safety-net.json -> " in result.error.message
    assert everything(machine.home) == before


@pytest.mark.parametrize("name", [".local/share/cc-safety-net", ".local/state/cc-safety-net"])
def test_a_folder_of_ours_that_is_a_link_is_refused(machine: Machine, name: str) -> None:
    (machine.home / "elsewhere").mkdir()
    link(machine.home, name, machine.home / "elsewhere")
    before = everything(machine.home)

    result = machine.install("cursor")

    assert result.error is not None
    assert name in result.error.message
    assert everything(machine.home) == before


def test_a_read_only_home_is_refused(machine: Machine) -> None:
    machine.home.chmod(0o555)

    result = machine.install("cursor")

    assert result.error is not None
    assert "can't be written" in result.error.message
    assert everything(machine.home) == {}


def test_another_users_home_is_refused(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = machine.home.stat().st_uid
    monkeypatch.setattr("os.geteuid", lambda: owner + 1)

    result = machine.install("cursor")

    assert result.error is not None
    assert result.error.code == "other_home"
    assert str(machine.home) in result.error.message
    assert everything(machine.home) == {}


@pytest.mark.parametrize("value", ["relative", "/", "/nonexistent/home"])
def test_a_home_that_is_none_is_refused(machine: Machine, value: str) -> None:
    machine.environment["HOME"] = value

    result = machine.install("cursor")

    assert result.error is not None
    assert "HOME" in result.error.message


def test_a_file_of_another_user_is_refused(machine: Machine) -> None:
    if os.geteuid() != 0:
        # Only root can make such a file; the check itself is tested with a made-up user above.
        return
    file = put(machine.home, CURSOR, b"{}")
    os.chown(file, 12345, 12345)
    before = everything(machine.home)

    result = machine.install("cursor")

    assert result.error is not None
    assert "belongs to another user" in result.error.message
    assert everything(machine.home) == before


def test_project_scope_where_there_is_none_is_a_usage_error(machine: Machine) -> None:
    result = machine.install("kimi-code", scope="project")

    assert result.exit_code == 2


def test_an_unknown_agent_is_a_usage_error(machine: Machine) -> None:
    assert machine.install("nobody").exit_code == 2
