"""Code of languages without a parser of their own: what it would do, and what it costs to read."""

from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check, verdict
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort

TABLES = ("javascript", "ruby", "perl", "others", "realistic", "deeper")
RUNNERS = {
    "javascript": "node -",
    "ruby": "ruby -",
    "perl": "perl -",
    "php": "php",
    "lua": "lua -",
    "groovy": "groovy -",
    "tcl": "tclsh",
    "applescript": "osascript -",
}
HOSTILE = {
    "brackets": "(" * 20_000,
    "closed brackets": "(" * 10_000 + ")" * 10_000,
    "lists": "[" * 20_000,
    "blocks": "{" * 20_000,
    "quotes": "'" * 20_001,
    "back quotes": "`" * 20_001,
    "holes": '"' + "${" * 10_000 + '"',
    "ruby holes": '"' + "#{" * 10_000 + '"',
    "back quoted holes": "`" + "${`" * 8_000,
    "slashes": "/ " * 20_000,
    "classes of regular expressions": "= /[ " * 8_000,
    "arrows": "a => " * 10_000,
    "dots": "a" + ".b" * 20_000,
    "calls": "f(" * 10_000 + ")" * 10_000,
    "questions": "a ? " * 10_000,
    "functions": "function f() { " * 3_000,
    "definitions": "def f\n" * 8_000,
    "subs": "sub f { " * 6_000,
    "equals": "a = " * 10_000,
    "percents": "%w[" * 10_000,
    "here-documents": "<<E + " * 8_000 + "\nE\n",
    "angles": "<a" * 20_000,
    "dollars": "${a" * 15_000,
    "loops": "for (a of " * 5_000,
    "imports": "import {a " * 5_000,
    "not": "!" * 20_000,
    "words in brackets": "a [b " * 10_000,
    "words in braces": "if {a} {" * 6_000,
    "variables": "$a(" * 15_000,
    "joined": '"a" & ' * 8_000,
    "dotted joins": '"a" .. ' * 8_000,
    "long brackets": "[[ " * 15_000,
}


@pytest.mark.parametrize("case", [case for table in TABLES for case in cases(f"inline_{table}")])
def test_code_is_decided_by_what_it_does(case):
    check(case)


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
def test_hostile_code_ends_in_a_decision(runner, code):
    decision = verdict(f"{runner} <<'EOF'\n{code}\nEOF")

    rule = decision.finding.rule if decision.finding is not None else ""
    assert rule in ("", "guard.input-limit", "guard.time-budget")


@pytest.mark.parametrize(
    ("runner", "line"),
    [
        ("node -", "const x = require('path').join('a', 'b'); console.log(`${x}`)"),
        ("node -", "[1, 2].forEach(f => { console.log(f) })"),
        ("ruby -", 'x = "a#{y}"; puts x.upcase if z'),
        ("perl -", 'my $x = "a$y"; print $x if $z;'),
    ],
)
def test_the_effort_for_code_grows_with_its_length_only(runner, line):
    def steps(lines: int) -> int:
        code = (line + "\n") * lines
        effort = Effort(1 << 40, 1 << 60)
        read_shell(f"{runner} <<'EOF'\n{code}EOF", "posix", place(), workspace(), effort)
        return effort.total - effort.left

    few = 65_000 // (len(line) + 1) // 8

    assert steps(few * 2) < 2.3 * steps(few)
