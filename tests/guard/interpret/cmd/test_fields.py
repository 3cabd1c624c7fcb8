"""The parts of a line that `for /f` gives names, and what variables of cmd stand for."""

from __future__ import annotations

import pytest
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.cmd.fields import Fields
from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort


@pytest.mark.parametrize(
    ("options", "line", "parts"),
    [
        ("", "a b c", ["a"]),
        ('"tokens=2"', "a b c", ["b"]),
        ('"tokens=1,3"', "a b c", ["a", "c"]),
        ('"tokens=2-3"', "a b c", ["b", "c"]),
        ('"tokens=1*"', "a b c", ["a", "b c"]),
        ('"tokens=*"', "a b c", ["a b c"]),
        ('"delims="', "a b c", ["a b c"]),
        ('"tokens=2 delims=,"', "a b,c d", ["c d"]),
        ('"tokens=1,2 delims=="', "K=v", ["K", "v"]),
        ('"tokens=3"', "a b", [""]),
        ("", "; a comment", None),
        ('"eol=#"', "# a comment", None),
        ("", "  ", None),
    ],
)
def test_a_line_is_cut_by_the_options(options, line, parts):
    found = Fields(options).of((line,))

    texts = None if found is None else [literal(choices[0]) for choices in found]
    assert texts == parts


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("set X=abcdef\necho %X:~0,3%", "abc"),
        ("set X=abcdef\necho %X:~-2%", "ef"),
        ("set X=abcdef\necho %X:~1,-1%", "bcde"),
        ("set X=abcdef\necho %X:CD=x%", "abxef"),
        ("set X=abcdef\necho %X:*c=x%", "xdef"),
        ("set X=a\nsetlocal enabledelayedexpansion\necho !X!", "a"),
        ("echo !X!", "!X!"),
        ("call :sub one two\nexit /b\n:sub\necho %2", "two"),
        ("set X=a\ncall echo %%X%%", "a"),
        ("for %f in (d/x.txt) do echo %~nxf", "x.txt"),
    ],
)
def test_a_variable_stands_for_its_text(text, printed):
    reading = read_shell(text, "cmd", place(), workspace(), Effort())

    found = [word.text for e in reading.executions if e.program == "echo" for word in e.argv[1:]]
    assert found[0] == printed
