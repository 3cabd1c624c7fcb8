"""What a slow command shows on standard error while it works, and what is left of it."""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from tests.install import claude_program
from tests.terminal import at_terminal

from cc_safety_net.cli import progress
from cc_safety_net.cli.progress import Progress, named

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LONG", 0.0)


def test_away_from_a_terminal_a_long_wait_is_one_line(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    del quick
    told = threading.Event()
    lines: list[str] = []

    def line(text: str, stream: object) -> None:
        assert stream is sys.stderr
        lines.append(text)
        told.set()

    monkeypatch.setattr(progress.output, "line", line)
    with Progress() as shown:
        shown.step("codex", "installing")
        shown.watch("codex", ("/usr/bin/codex", "plugin", "add", "x"), 120)
        assert told.wait(30)

    assert lines[0].startswith("codex: waiting for codex plugin add x, ")
    assert lines[0].endswith(" s of 120 s")
    assert len(lines) == 1


def test_away_from_a_terminal_what_is_short_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress() as shown:
        shown.step("codex", "installing")
        shown.watch("codex", ("codex", "plugin", "list"), 30)
        shown.watch("codex", (), 0)

    assert capsys.readouterr().err == ""


def test_a_wait_is_named_after_ten_seconds_and_not_before() -> None:
    lines = {
        "codex": progress._Line("installing", "codex plugin list", 100.0, 30.0),
        "": progress._Line("taking back"),
        "cursor": progress._Line("proving"),
    }

    assert progress.shown(lines, 109.9) == [
        "  codex            installing",
        "  cursor           proving",
        "                   taking back",
    ]
    assert progress.shown(lines, 112.2)[0] == (
        "  codex            waiting for codex plugin list, 12 s of 30 s"
    )


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (("/opt/bin/claude", "plugin", "list", "--json"), "claude plugin list --json"),
        (("/bin/sh", "-c", "'/home/me/x' hook --codex || { exit 2; }"), "the installed command"),
        ((sys.executable, "-I", "-B", "-c", "import x", "folder"), "the installed command"),
        ((), ""),
    ],
)
def test_a_program_is_named_as_a_person_knows_it(argv: tuple[str, ...], name: str) -> None:
    assert named(argv) == name


@pytest.mark.parametrize(("term", "drawn"), [("xterm", True), ("dumb", False)])
def test_on_a_terminal_the_line_stands_until_the_end_and_no_longer(
    home: Path, term: str, drawn: bool
) -> None:
    program = claude_program.put(home.parent / "bin")
    (home.parent / "bin/claude.trouble").write_text(json.dumps({"install": "slow"}))
    path = f"{program.parent}:/usr/bin:/bin"

    code, shown = at_terminal("", "install", "--claude-code", TERM=term, PATH=path, COLUMNS="60")

    assert code == 0, shown
    assert ("  claude-code      installing" in shown) is drawn
    assert ("\x1b[2K" in shown) is drawn
    after = shown.rpartition("\x1b[2K")[2]
    assert "installing" not in after
    assert "claude-code      installed, verified" in after
