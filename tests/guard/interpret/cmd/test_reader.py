"""What text of cmd.exe does: executions with their words, paths with their modes."""

from __future__ import annotations

import pytest
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort

_MODES = ("delete", "truncate", "write", "append", "move")


def _read(text):
    return read_shell(text, "cmd", place(), workspace(), Effort())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git status", ["git", "status"]),
        ('git commit -m "a & b"', ["git", "commit", "-m", "a & b"]),
        ("git commit -m a^&b", ["git", "commit", "-m", "a&b"]),
        ("g^it status", ["git", "status"]),
        ("@git status", ["git", "status"]),
        ("set A=status&git %A%", ["git", "status"]),
        ('set "A=status" & git %A%', ["git", "status"]),
        ("call git status", ["git", "status"]),
        ("(git status)", ["git", "status"]),
        ("for %i in (status) do git %i", ["git", "status"]),
        ("for %%i in (status) do git %%i", ["git", "status"]),
        ('git log "--format=\\"x\\""', ["git", "log", '--format="x"']),
        ('start "" /wait git status', ["git", "status"]),
        ("git status > x", ["git", "status"]),
        ("git status 2>&1", ["git", "status"]),
        ("git ^\nstatus", ["git", "status"]),
        ('"git" status', ["git", "status"]),
    ],
)
def test_a_program_gets_its_words(text, words):
    execution = next(e for e in _read(text).executions if e.program == "git")

    assert [word.text for word in execution.argv] == words
    assert execution.dialect == "cmd"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("del x", ["delete x"]),
        ("del /s x", ["delete* x"]),
        ("del x y", ["delete x", "delete y"]),
        ("del a,b;c", ["delete a", "delete b", "delete c"]),
        ('del "a b"', ["delete a b"]),
        ("del a\\b", ["delete a/b"]),
        ("del build", ["delete build/*"]),
        ("del *.*", ["delete *"]),
        ("rd x", ["delete x"]),
        ("rd /s/q x", ["delete* x"]),
        ("rd /s C:\\", ["delete* /C:"]),
        ("rd /s \\\\srv\\a\\b", ["delete* /\\\\srv/a/b"]),
        ("rd /s %X%", ["delete* $X"]),
        ("echo x > f", ["write f"]),
        ("echo x >> f", ["append f"]),
        ("type nul > f", ["truncate f"]),
        ("echo x > nul", []),
        ("echo x 2> nul", []),
        ("copy a b", ["write b"]),
        ("move a b", ["move* a", "write b"]),
        ("ren d\\a b", ["move* d/a", "write d/b"]),
        ("(echo a & echo b) > f", ["write f"]),
        ("rem del x", []),
        (":: del x", []),
        ("echo del x", []),
        ("echo a ^& del x", []),
        ("if 1==2 del x", []),
        ("if 1==1 del x", ["delete x"]),
        ("if exist a (del x) else del y", ["delete x", "delete y"]),
    ],
)
def test_a_command_touches_its_paths(text, found):
    accesses = [a for a in _read(text).accesses if a.mode in _MODES]

    shapes = [f"{a.mode}{'*' if a.recursive else ''} {shown(a.path.choices[0])}" for a in accesses]
    assert shapes == found


@pytest.mark.parametrize(
    ("text", "directory"),
    [
        ("cd src & git status", "/home/dev/proj/src"),
        ("cd .. & git status", "/home/dev"),
        ("cd.. & git status", "/home/dev"),
        ("cd /d C:\\x & git status", "/C:/x"),
        ("D: & git status", "/D:"),
        ("pushd src & popd & git status", "/home/dev/proj"),
        ("cmd /c cd src & git status", "/home/dev/proj"),
    ],
)
def test_the_directory_is_followed(text, directory):
    execution = next(e for e in _read(text).executions if e.program == "git")

    assert execution.cwds == (directory,)


@pytest.mark.parametrize("text", ["(", "for %i", "if a", "a | ", "& a", "for %i in (a) b"])
def test_what_cmd_would_not_take_is_reported(text):
    assert [code.how for code in _read(text).codes] == ["unparseable"]


def test_a_batch_file_is_read():
    world = workspace()
    world.add("/home/dev/proj/x.bat", "@echo off\nrd /s /q C:\\Windows\n")

    reading = read_shell("x.bat", "cmd", place(), world, Effort())

    assert [a.mode for a in reading.accesses if a.recursive] == ["delete"]
