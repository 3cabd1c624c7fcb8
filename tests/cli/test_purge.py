"""`uninstall --purge` takes everything of ours away, and only a person can ask for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.terminal import at_terminal

from cc_safety_net.cli.app import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_agents_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.fixture
def kept(home: Path) -> Path:
    """A home with a policy, a log, and a file of the person's own, as an uninstall leaves it."""
    config = home / ".config/cc-safety-net"
    logs = home / ".local/state/cc-safety-net/logs"
    (config / "rules").mkdir(parents=True)
    logs.mkdir(parents=True, mode=0o700)
    (config / "policy.json").write_text('{"version": 2}')
    (logs / "2026-01-01.jsonl").write_text("")
    (config / "notes.txt").write_text("mine")
    return home


@pytest.fixture
def used(kept: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The same with the guard in one agent."""
    assert main(["install", "--grok-build"]) == 0
    capsys.readouterr()
    return kept


def files(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_all_of_ours_goes_and_nothing_else(used: Path) -> None:
    code, shown = at_terminal("yes\n", "uninstall", "--purge")

    assert (code, files(used)) == (0, {".config/cc-safety-net/notes.txt"}), shown
    assert not (used / ".local/state/cc-safety-net").exists()
    assert shown.index("~/.config/cc-safety-net/policy.json") < shown.index("Type yes")


@pytest.mark.parametrize("answer", ["no\n", "y\n", "\n"])
def test_anything_but_yes_changes_nothing(answer: str, kept: Path) -> None:
    before = files(kept)

    code, shown = at_terminal(answer, "uninstall", "--purge")

    assert (code, "nothing was changed" in shown, files(kept)) == (1, True, before)


@pytest.mark.parametrize("more", [[], ["--yes"], ["--all", "--yes"], ["--json"]])
def test_no_option_stands_for_the_person(more: list[str], kept: Path) -> None:
    before = files(kept)

    assert main(["uninstall", "--purge", *more]) == 2
    assert files(kept) == before


def test_an_agent_can_not_ask_for_it(kept: Path) -> None:
    code, shown = at_terminal("yes\n", "uninstall", "--purge", CLAUDECODE="1")

    assert (code, "belongs to an agent" in shown) == (1, True)
    assert (kept / ".config/cc-safety-net/policy.json").exists()


def test_a_preview_needs_no_person(used: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(used)

    code = main(["uninstall", "--purge", "--dry-run", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert (code, document["agents"], files(used)) == (0, ["grok-build"], before)
    assert str(used / ".local/state/cc-safety-net/logs") in document["paths"]


def test_it_is_refkept_while_a_project_still_has_the_guard(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = kept / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert main(["install", "--cursor", "--scope", "project"]) == 0

    code, shown = at_terminal("yes\n", "uninstall", "--purge")

    assert (code, f"cursor/project:{project}" in shown) == (1, True)
    assert (kept / ".config/cc-safety-net/policy.json").exists()


@pytest.mark.usefixtures("kept")
def test_a_link_goes_and_what_it_leads_to_stays(home: Path) -> None:
    target = home / "target"
    target.mkdir()
    (target / "a").write_text("mine")
    rules = home / ".config/cc-safety-net/rules"
    rules.rmdir()
    rules.symlink_to(target)

    code, _ = at_terminal("yes\n", "uninstall", "--purge")

    assert (code, rules.is_symlink(), (target / "a").read_text()) == (0, False, "mine")
