"""POSIX is taken for POSIX; cmdlets and cmd's switches are seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cc_safety_net.guard.interpret.detection import dialect_of

_CASES = Path(__file__).parents[2] / "data" / "cases" / "commands.jsonl"


@pytest.mark.parametrize(
    "text",
    [
        "Remove-Item x",
        "remove-item x -recurse",
        "cd src; Remove-Item x",
        "$x = 'a'; ri $x",
        "$env:A = 'b'",
        "ls $env:TEMP",
        "[IO.File]::Delete('x')",
        "irm u | iex",
        "gci | % { $_ }",
    ],
)
def test_powershell_is_seen(text):
    assert dialect_of(text) == "powershell"


@pytest.mark.parametrize(
    "text",
    [
        "del /s /q x",
        "rd /s /q x",
        "rd/s/q x",
        "if exist x rd /q x",
        "for %i in (a) do echo %i",
        "dir /s",
        r"del C:\x",
        "@echo off",
    ],
)
def test_cmd_is_seen(text):
    assert dialect_of(text) == "cmd"


@pytest.mark.parametrize(
    "text",
    [
        "git commit -m 'Remove-Item -Recurse C:\\'",
        "echo 'rd /s /q C:\\'",
        "ls -la /etc",
        "start-stop-daemon --stop",
        "update-alternatives --list x",
        "printf '%s' x",
        "docker run --rm get-started /s",
        "type rm",
        "rmdir /tmp/x",
        "[ -f x ] && rm x",
        "FOO=bar make",
    ],
)
def test_posix_stays_posix(text):
    assert dialect_of(text) == "posix"


def test_no_posix_case_of_the_shared_list_is_taken_for_another_shell():
    cases = [json.loads(line) for line in _CASES.read_text("utf-8").splitlines()]
    seen = [c["command"] for c in cases if c["shell"] == "posix"]

    assert [text for text in seen if dialect_of(text) != "posix"] == []
