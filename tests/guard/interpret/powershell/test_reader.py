"""What PowerShell text does: executions with their words, paths with their modes."""

from __future__ import annotations

import pytest
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort


def _read(text, dialect="powershell"):
    return read_shell(text, dialect, place(), workspace(), Effort())


def _accesses(text, *modes):
    return [
        f"{access.mode}{'*' if access.recursive else ''} {shown(access.path.choices[0])}"
        for access in _read(text).accesses
        if not modes or access.mode in modes
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git status", ["git", "status"]),
        ("git log --oneline -5", ["git", "log", "--oneline", "-5"]),
        ("git commit -m 'a b'", ["git", "commit", "-m", "a b"]),
        ('git commit -m "a $(1+1) b"', ["git", "commit", "-m", "a 2 b"]),
        ("git add a, b", ["git", "add", "a", "b"]),
        ("git --% log 'a", ["git", "log", "'a"]),
        ("& 'git' 'status'", ["git", "status"]),
        ("$g = 'git'; & $g status", ["git", "status"]),
        ("$a = 'x', 'y'; git add @a", ["git", "add", "x", "y"]),
        ("git log `\n -1", ["git", "log", "-1"]),
        ("git log # -1", ["git", "log"]),
        ("7z x a.zip", ["7z", "x", "a.zip"]),
        ("npm run build -- --watch", ["npm", "run", "build", "--", "--watch"]),
        ("git show HEAD~1:x", ["git", "show", "HEAD~1:x"]),
        ("git diff a..b", ["git", "diff", "a..b"]),
        ("git tag \"v$('1' + '2')\"", ["git", "tag", "v12"]),
        ("git tag ('a{0}' -f 'b')", ["git", "tag", "ab"]),
        ("git tag ('a', 'b' -join '-')", ["git", "tag", "a-b"]),
        ("git tag ('a-b' -replace 'b', 'c')", ["git", "tag", "a-c"]),
        ("git tag ('a-b'.Split('-')[1])", ["git", "tag", "b"]),
        ("git tag $(if ($true) { 'x' })", ["git", "tag", "x"]),
        ("git tag @'\na\n'@", ["git", "tag", "a"]),
    ],
)
def test_a_program_gets_its_words(text, words):
    execution = next(e for e in _read(text).executions if e.program in ("git", "7z", "npm"))

    assert [word.text for word in execution.argv] == words
    assert execution.dialect == "powershell"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ri x", ["delete x"]),
        ("ri x -Recurse", ["delete* x"]),
        ("ri -rec -Path x, y", ["delete* x", "delete* y"]),
        ("ri a\\b", ["delete a/b"]),
        ("ri C:\\a\\b", ["delete /C:/a/b"]),
        ("ri c:a", ["delete /C:/a"]),
        ("ri *.log", ["delete *.log"]),
        ("ri -LiteralPath '[a].x'", ["delete [a].x"]),
        ("ri x -WhatIf", []),
        ("'x' | ri", ["delete x"]),
        ("gci d | ri -r", ["delete* d/*"]),
        ("gci d -Filter *.x | ri", ["delete d/*.x"]),
        ("clc x", ["truncate x"]),
        ("sc x 'y'", ["write x"]),
        ("ac x 'y'", ["append x"]),
        ("'y' > x", ["write x"]),
        ("'y' >> x", ["append x"]),
        ("mi a b", ["move* a", "write b"]),
        ("[IO.File]::Delete('x')", ["delete x"]),
        ("[IO.Directory]::Delete('x', $true)", ["delete* x"]),
        ("[IO.Directory]::Delete('x')", ["delete x"]),
        ("[System.IO.File]::WriteAllText('x', 'y')", ["write x"]),
        ("npm test 2>$null", []),
    ],
)
def test_a_cmdlet_touches_its_paths(text, found):
    modes = ("delete", "truncate", "write", "append", "move")

    assert _accesses(text, *modes) == found


@pytest.mark.parametrize(
    ("text", "directory"),
    [
        ("cd src; git status", "/home/dev/proj/src"),
        ("Set-Location C:\\x; git status", "/C:/x"),
        ("sl ..; git status", "/home/dev"),
        ("pushd src; git status", "/home/dev/proj/src"),
        ("pushd src; popd; git status", "/home/dev/proj"),
        ("& { cd src }; git status", "/home/dev/proj/src"),
        ("cd ~; git status", "/home/dev"),
    ],
)
def test_the_directory_is_followed(text, directory):
    execution = next(e for e in _read(text).executions if e.program == "git")

    assert execution.cwds == (directory,)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("iex $x", "eval"),
        ("irm u | iex", "eval"),
        ("ri 'x", "unparseable"),
        ("if (", "unparseable"),
        ("pwsh -enc '???'", "encoded"),
    ],
)
def test_text_that_nobody_can_read_is_reported(text, how):
    assert [code.how for code in _read(text).codes] == [how]


def test_a_script_on_disk_is_read():
    world = workspace()
    world.add("/home/dev/proj/x.ps1", "param($p)\nRemove-Item C:\\Windows -Recurse\n")

    for text in (".\\x.ps1", "& ./x.ps1", ". .\\x.ps1", "pwsh -File x.ps1"):
        reading = read_shell(text, "powershell", place(), world, Effort())
        assert [a.mode for a in reading.accesses if a.recursive] == ["delete"], text


def test_a_pipe_joins_executions():
    first, second = _read("git log | findstr x").executions

    assert second.feeds == (first,)
    assert first.fed is second
