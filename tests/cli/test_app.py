"""The frame of the command line: exit codes, streams, help, and errors in both forms."""

from __future__ import annotations

import json

import pytest

from cc_safety_net import __version__
from cc_safety_net.cli.app import main


def test_no_arguments_show_short_help(capsys: pytest.CaptureFixture[str]) -> None:
    code = main([])

    streams = capsys.readouterr()
    assert (code, streams.err) == (0, "")
    assert "explain" in streams.out


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version_is_one_line(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([flag]) == 0
    assert capsys.readouterr().out == f"cc-safety-net {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["exlpain", "x"], "error: unknown command: exlpain\nhint: did you mean"),
        (["--coding-cli"], "error: No such option: --coding-cli"),
        (["explain", "--nope", "x"], "error: No such option: --nope"),
        (["help", "nothing"], "error: unknown command: nothing"),
        (["install", "cursor"], "error: agents are named by options: --cursor"),
        (["install", "--amp"], "error: Amp is not supported by this version"),
        (["allow", "--minutes", "100", "abcdef01"], "error: --minutes: 100 is not from 1 to 60"),
        (
            ["doctor", "--agent", "curser"],
            "error: unknown agent: curser\nhint: did you mean cursor",
        ),
    ],
)
def test_usage_errors_exit_2_with_a_hint(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(arguments)

    streams = capsys.readouterr()
    assert (code, streams.out) == (2, "")
    assert streams.err.startswith(message)
    assert "\nhint: " in streams.err


def test_usage_errors_are_one_document_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain", "--json", "--nope"])

    document = json.loads(capsys.readouterr().out)
    assert (code, document["v"], document["error"]["code"]) == (2, 1, "usage")


def test_help_of_a_command_is_the_same_by_each_way(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for arguments in (["help", "explain"], ["EXPLAIN", "--help"], ["explain", "-h"]):
        assert main(arguments) == 0
        texts.append(capsys.readouterr().out.lower())

    assert len(set(texts)) == 1


def test_doctor_has_a_spelling_as_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    found = [main([word, "--json", "--agent", "cursor"]) for word in ("doctor", "--doctor")]

    first, second = capsys.readouterr().out.split("\n}\n", 1)
    assert found == [0, 0]
    assert json.loads(first + "\n}")["command"] == json.loads(second)["command"] == "doctor"


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("agents", "--kimi-code"),
        ("environment", "CODEX_HOME"),
        ("EXIT-CODES", "usage"),
        ("json", '"v": 1'),
    ],
)
def test_topics_have_help_too(topic: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", topic]) == 0
    assert said in capsys.readouterr().out


def test_the_help_of_install_speaks_of_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--help"]) == 0
    assert "terminal shows a list" in " ".join(capsys.readouterr().out.split())


def test_an_alias_names_the_agent_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--agy-cli", "--dry-run", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [agent["name"] for agent in document["agents"]] == ["antigravity-cli"]
