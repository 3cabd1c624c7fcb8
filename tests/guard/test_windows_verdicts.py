"""PowerShell and cmd.exe through the whole engine: the table, and the rules' suggestions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.guard.verdicts import ROOT
from tests.guard.worlds import workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import examine

_FILE = Path(__file__).parent.parent / "data" / "verdicts" / "windows.jsonl"


def _cases():
    cases = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
    return [
        pytest.param(case, id=f"{case['dialect']}: {case['command']} at {case.get('level', 'S')}")
        for case in cases
    ]


def _decide(command, dialect, level="standard", files=()):
    world = workspace()
    for name in files:
        world.add(f"{ROOT}/{name}", files[name])
    call = ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": command},
        command=command,
        dialect=dialect,
        directory=ROOT,
        session_directory=ROOT,
        workspaces=(ROOT,),
    )
    return examine(call, world, level=level)[0]


@pytest.mark.parametrize("case", _cases())
def test_a_command_is_decided_as_the_language_says(case):
    files = {name: "\r\n".join(lines) for name, lines in case.get("files", {}).items()}
    level = case.get("level", "standard")
    decision = _decide(case["command"], case["dialect"], level, files)

    rule = decision.finding.rule if decision.finding is not None else ""
    assert decision.verdict == case["expect"], rule
    if "rule" in case:
        assert rule == case["rule"]


def test_both_shells_are_in_the_table_by_hundreds():
    commands = [(case.values[0]["dialect"], case.values[0]["command"]) for case in _cases()]

    assert len([1 for dialect, _ in commands if dialect == "powershell"]) > 250
    assert len([1 for dialect, _ in commands if dialect == "cmd"]) > 120
    assert len({(d, c) for d, c in commands}) > 450


@pytest.mark.parametrize(
    "command",
    [
        "pwsh -c 'Remove-Item -Recurse C:\\'",
        "powershell -Command 'ri C:\\ -r'",
        "powershell -EncodedCommand cgBpACAAQwA6AFwAIAAtAHIA",
        r"cmd /c del /s /q C:\*",
        r"[IO.Directory]::Delete('C:\Users\dev', $true)",
        r"iex 'ri C:\ -r'",
    ],
)
def test_it_is_found_from_a_shell_that_is_not_named(command):
    decision = _decide(command, "auto")

    assert decision.finding is not None
    assert decision.finding.rule == "powershell.remove-item-recursive-force-root-or-home"


def test_the_refusal_writes_paths_as_windows_does():
    text = _decide(r"ri C:\Users\dev\Documents -r", "powershell").text

    assert r"C:\Users\dev\Documents" in text
    assert "/C:/" not in text
