"""`explain` answers for commands, tools and payloads, in text and JSON, and runs nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cc_safety_net.cli.app import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = home / "proj"
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()
    monkeypatch.chdir(root)
    return root


def explain(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["explain", "--json", *arguments]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_the_chain_of_wrappers_and_the_span_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    command = 'cd src && sudo env -u A timeout 5 bash -c "git reset --hard"'

    document = explain(capsys, command)

    found = document["findings"][0]
    start, end = found["span"]
    assert (document["decision"], document["rule"]) == ("deny", "git.reset-hard")
    assert found["chain"] == ["sudo", "env", "timeout", "bash -c"]
    assert command[start:end] == "git reset --hard"


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("sudo git reset --hard", "git reset --hard"),
        ("bash -c 'cd /tmp; sh -c \"git reset --hard\"'", "git reset --hard"),
        ("eval 'f() { git reset --hard; }'; f", "git reset --hard"),
        # Letters that are written in another way have no place of their own.
        ("bash -c 'git reset '\"--hard\"", "bash -c 'git reset '\"--hard\""),
    ],
)
def test_the_span_is_that_of_the_innermost_text_that_is_written_out(
    command: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start, end = explain(capsys, command)["findings"][0]["span"]

    assert command[start:end] == part


def test_words_are_joined_as_the_shell_had_them(capsys: pytest.CaptureFixture[str]) -> None:
    document = explain(capsys, "--", "git", "commit", "-m", "rm -rf /")

    assert (document["decision"], document["text"]) == ("allow", "git commit -m 'rm -rf /'")


def test_another_directory_and_level_can_be_asked(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    standard = explain(capsys, "--cwd", "src", "rm -rf $X")
    strict = explain(capsys, "--cwd", "src", "--level", "strict", "rm -rf $X")

    assert (standard["decision"], strict["decision"]) == ("allow", "deny")
    assert standard["directory"] == str(project / "src")


def test_a_payload_is_decoded_and_answered_in_its_agents_form(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    payload = {
        "hook_event_name": "preToolUse",
        "workspace_roots": [str(project)],
        "tool_name": "Shell",
        "tool_input": {"command": "git reset --hard"},
        "cwd": str(project),
    }
    (project / "call.json").write_text(json.dumps(payload))

    document = explain(capsys, "--agent", "cursor", "--payload", "call.json")

    reply = json.loads(document["reply"]["stdout"])
    assert (document["rule"], reply["permission"]) == ("git.reset-hard", "deny")


def test_text_shows_verdict_rule_chain_columns_and_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", "sudo git reset --hard"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("deny  git.reset-hard   level standard   root ~/proj")
    assert lines[1:3] == ["  1 sudo", "      git reset --hard"]
    assert lines[3].strip().startswith("^ git.reset-hard  (columns ")
    assert "  Rule: git.reset-hard" in lines


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--tool", "Read", "git status"],
        ["--level", "lax", "git status"],
        ["--dialect", "fish", "git status"],
        ["--tool", "Read", "--args", "[1]"],
        ["--payload", "x.json", "--agent", "nobody"],
    ],
)
def test_a_question_that_can_not_be_understood_is_usage(
    arguments: list[str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "x.json").write_text("{}")

    assert main(["explain", *arguments]) == 2
    assert "hint: " in capsys.readouterr().err


def test_a_broken_payload_is_an_error_that_says_what_the_agent_gets(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "x.json").write_text('{"hook_event_name": ')

    code = main(["explain", "--agent", "cursor", "--payload", "x.json"])

    assert (code, "answered with a denial" in capsys.readouterr().err) == (1, True)


def test_nothing_is_logged(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    explain(capsys, "git reset --hard")

    assert not (home / ".local").exists()


def test_every_stage_says_what_it_saw(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = explain(capsys, "git reset --hard")

    saw = {stage["name"]: stage["saw"] for stage in document["stages"]}
    assert saw["input"] == "16 characters for a shell, dialect auto"
    assert saw["directories"] == f"runs in {project}, workspace {project}"
    assert saw["policy"] == "level standard; read: 1 execution, 0 file accesses"
    assert "git" in saw["commands"]
    assert all(saw.values())


def test_a_file_tool_shows_its_accesses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--tool", "Read", "--path", ".env"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("deny  secret.basename.env")
    assert "  read .env" in lines


@pytest.mark.parametrize(
    "arguments",
    [("--cwd", "/nonexistent", "ls"), ("git worktree remove --force ../wt-login",), ("rm -rf /",)],
    ids=" ".join,
)
def test_the_texts_of_a_finding_have_no_holes(
    arguments: tuple[str, ...], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del project
    found = explain(capsys, *arguments)["findings"]

    assert found
    for finding in found:
        texts = (finding["reason"], finding["instead"], finding["do_not"])
        assert not any("{" in text for text in texts), texts


def _log(home: Path, **fields: Any) -> None:
    folder = home / ".local/state/cc-safety-net/logs"
    folder.mkdir(parents=True, exist_ok=True)
    line = {"ts": "2026-01-02T03:04:05.678Z", "agent": "cursor", "decision": "deny", **fields}
    with (folder / "2026-01-02.jsonl").open("a", encoding="utf-8") as stream:
        stream.write("not JSON\n" + json.dumps(line) + "\n")


def test_a_call_of_the_log_is_judged_again_where_it_ran(
    home: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _log(
        home,
        id="3f9c21ab55e0d417",
        tool="Shell",
        command="rm -rf ../src/..",
        rule="rm.recursive-force-cwd-self",
        cwd=str(project / "src"),
        root=str(project),
    )
    document = explain(capsys, "--id", "3f9c21ab")

    assert (document["decision"], document["rule"]) == ("deny", "rm.git-metadata")
    assert document["directory"] == str(project / "src")
    assert document["recorded"]["rule"] == "rm.recursive-force-cwd-self"
    assert document["recorded"]["exact"] is True
    assert main(["explain", "--id", "3F9C21AB55E0D417"]) == 0
    assert "then   deny  rm.recursive-force-cwd-self" in capsys.readouterr().out


def test_a_tool_of_the_log_is_judged_again_and_says_what_was_not_kept(
    home: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _log(
        home,
        id="aaaabbbbccccdddd",
        tool="Write",
        args={"file_path": ".git/config", "content": "[3 characters, sha256 00]"},
        cwd=str(project),
    )
    document = explain(capsys, "--id", "aaaabbbbccccdddd")

    assert document["rule"] == "git.metadata-write"
    assert document["recorded"]["exact"] is False


@pytest.mark.parametrize(
    ("identifier", "status"), [("12345678", 1), ("1234567", 2), ("zzzzzzzz", 2)]
)
def test_an_unknown_id_is_an_error_with_a_hint(
    identifier: str, status: int, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _log(home, id="3f9c21ab55e0d417", tool="Shell", command="ls")

    assert main(["explain", "--id", identifier]) == status
    assert "hint: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain"],
        ["explain", "--payload", "missing.json", "--agent", "cursor"],
        ["explain", "--payload", "missing.json"],
        ["explain", "--payload", "missing.json", "--agent", "nobody"],
        ["explain", "--level", "high", "ls"],
        ["explain", "--dialect", "tcl", "ls"],
        ["explain", "--tool", "Read", "--args", "["],
        ["explain", "--tool", "Read", "--args", "[]"],
        ["explain", "ls", "--tool", "Read"],
        ["allow", "--minutes", "100", "3f9c21ab"],
        ["allow", "--minutes", "0", "3f9c21ab"],
        ["allow"],
        ["allow", "3f9c21ab"],
        ["allow", "--revoke", "3f9c21ab"],
    ],
)
def test_every_error_says_what_to_do(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) in (1, 2)
    error = capsys.readouterr().err
    hint = error.partition("hint: ")[2].strip()
    assert hint, error
    assert main([arguments[0], "--json", *arguments[1:]]) in (1, 2)
    assert json.loads(capsys.readouterr().out)["error"]["hint"]
