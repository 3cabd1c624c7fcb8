"""`install`, `uninstall`, `update` on the command line: targets, consent, forms of the outcome."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cc_safety_net.cli.app import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_agents_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


def test_no_target_lists_what_is_found_and_exits_2(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cursor").mkdir()

    code = main(["install"])

    streams = capsys.readouterr()
    assert (code, streams.out) == (2, "")
    assert "found on this machine: --cursor" in streams.err


def test_all_without_a_terminal_needs_yes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".cursor").mkdir()

    assert main(["install", "--all"]) == 2
    assert "hint: add --yes" in capsys.readouterr().err
    assert list((home / ".cursor").iterdir()) == []


def test_all_on_an_empty_machine_says_so_and_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--all", "--yes"]) == 0
    assert "no agent was found on this machine" in capsys.readouterr().out


def test_a_dry_run_shows_the_diff_and_writes_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "hooks.json").write_text('{"version": 1}')

    code = main(["install", "--cursor", "--dry-run", "--diff"])

    out = capsys.readouterr().out
    assert code == 0
    assert "would be installed" in out
    assert "+++ " in out
    assert (home / ".cursor" / "hooks.json").read_text() == '{"version": 1}'
    assert not (home / ".local").exists()


def test_install_update_uninstall_as_json_documents(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for words in (["install", "--cursor"], ["update"], ["uninstall", "--all", "--yes"]):
        assert main([*words, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        states = {agent["name"]: agent["state"] for agent in document["agents"]}
        found.append((document["v"], document["command"], document["result"], states))

    assert found == [
        (1, "install", "applied", {"cursor": "installed"}),
        (1, "update", "unchanged", {"cursor": "unchanged"}),
        (1, "uninstall", "applied", {"cursor": "removed"}),
    ]
    assert not (home / ".cursor").exists()


def test_a_refusal_is_exit_1_with_the_reason_and_what_to_do(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "hooks.json").write_text('{"version": 1,\n oops}')

    code = main(["install", "--cursor", "--grok-build"])

    streams = capsys.readouterr()
    assert code == 1
    assert "error: ~/.cursor/hooks.json: line 2" in streams.err
    assert "\nhint: " in streams.err
    assert not (home / ".grok").exists()


def test_a_refusal_is_one_document_with_json(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "hooks.json").write_text("[]")

    code = main(["install", "--cursor", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert (code, document["error"]["code"]) == (1, "wrong_shape")
    assert document["agents"][0]["state"] == "failed"


def test_an_update_of_an_agent_without_the_guard_leaves_nothing_behind(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["update", "--cursor", "--json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert (document["result"], "runtime" in document) == ("unchanged", False)
    assert "nothing to update" in document["agents"][0]["notes"][0]
    assert list(home.iterdir()) == []


def test_in_the_home_the_file_that_is_edited_is_not_named_as_another_way_in(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cursor").mkdir()
    npm = {"command": "npx -y cc-safety-net hook --cursor"}
    (home / ".cursor" / "hooks.json").write_text(
        json.dumps({"version": 1, "hooks": {"preToolUse": [npm]}})
    )
    monkeypatch.chdir(home)

    assert main(["install", "--cursor", "--dry-run"]) == 0

    out = capsys.readouterr().out
    assert "replaces the entry of the npm edition" in out
    assert "calls the guard too" not in out


def test_taking_out_what_is_not_there_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["uninstall", "--cursor"]) == 0
    assert "cursor           not installed" in capsys.readouterr().out


def test_an_update_says_what_has_moved_and_what_moves_the_program(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "--cursor"]) == 0
    manifest = home / ".local/share/cc-safety-net/current/manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "hash": "0" * 64}))
    capsys.readouterr()

    assert main(["update"]) == 0

    out = capsys.readouterr().out
    assert "(00000000) -> 0." in out
    assert "what updates it: " in out


def test_an_older_program_does_not_take_a_newer_guards_place(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "--cursor"]) == 0
    manifest = home / ".local/share/cc-safety-net/current/manifest.json"
    newer = {**json.loads(manifest.read_text()), "version": "99.1", "hash": "0" * 64}
    manifest.write_text(json.dumps(newer))
    capsys.readouterr()

    codes = [main([*words, "--json"]) for words in (["update"], ["install", "--grok-build"])]

    assert codes == [1, 1]
    assert capsys.readouterr().out.count('"code": "downgrade"') >= 2
    assert not (home / ".grok").exists()
    assert json.loads(manifest.read_text())["version"] == "99.1"
    assert main(["update", "--yes"]) == 0


def test_a_broken_config_of_an_agent_without_the_guard_stops_no_update(home: Path) -> None:
    assert main(["install", "--grok-build"]) == 0
    (home / ".cursor").mkdir()
    (home / ".cursor/hooks.json").write_text("{")

    assert main(["update"]) == 0
    assert main(["uninstall", "--all", "--yes"]) == 0
