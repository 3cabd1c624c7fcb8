"""`update --check` says what is old, and changes nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cc_safety_net.cli.app import main
from cc_safety_net.install import release

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(release, "newest", lambda *_: ("", "no answer"))


def check(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["update", "--check", "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_what_was_just_installed_is_current(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--grok-build"]) == 0
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}

    code, document = check(capsys)

    assert (code, document["result"], document["runtime"]["old"]) == (0, "current", False)
    assert [agent["state"] for agent in document["agents"]] == ["current"]
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before


def test_an_old_runtime_and_an_old_entry_are_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "--grok-build"]) == 0
    manifest = home / ".local/share/cc-safety-net/current/manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "hash": "0" * 64}))
    entry = home / ".grok/hooks/cc-safety-net.json"
    entry.write_text(entry.read_text().replace('"timeout": 30', '"timeout": 29'))

    code, document = check(capsys)

    assert (code, document["result"], document["runtime"]["old"]) == (1, "old", True)
    assert "(00000000) -> " in document["runtime"]["change"]
    assert [agent["state"] for agent in document["agents"]] == ["old"]


@pytest.mark.parametrize(("newest", "code"), [("99.0", 1), ("0.0.1", 0)])
def test_a_newer_release_is_old_news_of_this_one(
    newest: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "newest", lambda *_: (newest, ""))

    assert check(capsys)[0] == code


def test_a_config_that_can_not_be_judged_is_no_success(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "--cursor"]) == 0
    (home / ".cursor/hooks.json").write_text("{")

    code, document = check(capsys)

    assert (code, document["agents"][0]["state"]) == (1, "failed")
    assert "hooks.json: line 1" in document["error"]["message"]
