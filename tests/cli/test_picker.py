"""Without targets a person at a terminal marks agents in a list; nobody else is asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.terminal import at_terminal

from cc_safety_net.cli.app import main
from cc_safety_net.install.setup import installable

if TYPE_CHECKING:
    from pathlib import Path

DOWN = "\x1b[B"
UP = "\x1b[A"
TO_CURSOR = DOWN * installable().index("cursor")


@pytest.fixture(autouse=True)
def no_agents_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


def events(home: Path) -> list[str]:
    file = home / ".cursor/hooks.json"
    return list(json.loads(file.read_text())["hooks"]) if file.exists() else []


def test_what_is_marked_is_installed_and_removed_after_a_yes(home: Path) -> None:
    (home / ".cursor").mkdir()

    code, shown = at_terminal(f"{TO_CURSOR} \ny\n", "install")

    assert (code, bool(events(home))) == (0, True), shown
    assert "Apply these" in shown or "Apply this" in shown
    assert not (home / ".kimi-code").exists()

    code, shown = at_terminal(f"{TO_CURSOR} \ny\n", "uninstall")

    assert (code, events(home)) == (0, []), shown
    assert "[ ] cursor           installed" in shown


def test_all_agents_are_listed_with_their_state(home: Path) -> None:
    (home / ".cursor").mkdir()

    code, shown = at_terminal("q", "install")

    states = {
        words[-1] if words[-2] != "not" else "not found": words[-3 if words[-2] == "not" else -2]
        for words in (line.split() for line in shown.splitlines() if "[ ]" in line)
    }
    listed = [name for name in installable() if f"[ ] {name} " in shown]
    assert (code, listed) == (1, installable())
    assert states["found"] == "cursor"
    assert "not found" in states


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("q", "nothing was changed"),
        (f"{TO_CURSOR} q", "nothing was changed"),
        ("\nq", "nothing is marked"),
        (f"{TO_CURSOR}  \nq", "nothing is marked"),
        (f"{TO_CURSOR} \nn\n", "nothing was changed"),
    ],
    ids=["q", "q after a mark", "no mark", "mark taken back", "no to the plan"],
)
def test_leaving_changes_nothing(keys: str, said: str, home: Path) -> None:
    code, shown = at_terminal(keys, "install")

    assert (code, said in shown) == (1, True)
    assert not any(home.iterdir())


def test_only_a_terminal_that_can_move_its_cursor_is_told_to(home: Path) -> None:
    size = {"LINES": "40", "COLUMNS": "80"}

    _, plain = at_terminal("jk q", "install", TERM="dumb", **size)
    _, moved = at_terminal("jk q", "install", TERM="xterm", **size)
    _, low = at_terminal("jk q", "install", TERM="xterm", LINES="5", COLUMNS="80")

    assert ("\x1b" in plain, "\x1b[" in moved, "\x1b" in low) == (False, True, False)
    assert moved.count("> [x] " + installable()[0]) == 1
    assert not any(home.iterdir())


def test_only_agents_with_a_project_scope_are_offered_for_it(home: Path) -> None:
    _, shown = at_terminal("q", "install", "--scope", "project")

    assert ("[ ] cursor" in shown, "[ ] hermes-agent" in shown) == (True, False)
    assert not any(home.iterdir())


def test_agents_of_later_versions_are_shown_and_can_not_be_marked(home: Path) -> None:
    _, shown = at_terminal(f"{UP} \nq", "install", LINES="40", TERM="xterm")

    assert "> [ ]" in shown
    assert ">     amp" in shown
    assert shown.count("not supported yet") >= 4
    assert "nothing is marked" in shown
    assert not any(home.iterdir())


def test_a_config_that_can_not_be_read_is_not_shown_as_installed(home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor/hooks.json").write_text("{")

    _, shown = at_terminal("q", "install")

    line = next(line for line in shown.splitlines() if "] cursor" in line)
    assert line.endswith("its config can't be read")


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_without_a_terminal_nothing_is_asked(
    command: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([command])

    assert (code, "no agent is named" in capsys.readouterr().err) == (2, True)
    assert not any(home.iterdir())


def test_json_asks_nothing_on_a_terminal_either(home: Path) -> None:
    code, shown = at_terminal("", "install", "--json")

    assert (code, json.loads(shown)["error"]["code"]) == (2, "usage")
    assert not any(home.iterdir())
