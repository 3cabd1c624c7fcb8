"""What developers and agents run all day passes: thousands of commands through the whole engine.

`packages.jsonl` comes from the documentation, CI files and scripts of published packages
(`collect.py`), `written.jsonl` was written by hand. `refused.jsonl` lists every refusal, with its
rule, the reason and a judgement: `right` (the specification demands it, in this section of it),
`wrong` (a false alarm) or `undecided`. Its lines of level `standard` come from the same packages
and stand in no other file; those of level `strict` pass at `standard`.
"""

from __future__ import annotations

import collections
import json
from pathlib import Path
from typing import Any

import pytest
from tests.everyday.collect import program, shape
from tests.guard.verdicts import cases, check, verdict

_FOLDER = Path(__file__).parent.parent / "data" / "everyday"
_SHARE = 0.05
_FALSE_ALARMS = 0.002


def _read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_FOLDER / name).read_text("utf-8").splitlines()]


PACKAGES = _read("packages.jsonl")
WRITTEN = _read("written.jsonl")
REFUSED = _read("refused.jsonl")
CORPUS = PACKAGES + WRITTEN
_AT_STANDARD = {
    entry["command"]: entry["rule"] for entry in REFUSED if entry["level"] == "standard"
}
_AT_STRICT = {entry["command"]: entry["rule"] for entry in REFUSED}


def _refused_at(level: str) -> dict[str, str]:
    """Command -> rule of all that is refused of the corpus and of the list of refusals."""
    found = {}
    for command in dict.fromkeys(entry["command"] for entry in CORPUS + REFUSED):
        decision = verdict(command, level)
        if decision.verdict != "allow":
            found[command] = decision.finding.rule if decision.finding is not None else ""
    return found


@pytest.mark.parametrize(
    ("level", "listed"),
    [("standard", _AT_STANDARD), ("strict", _AT_STRICT)],
    ids=lambda v: str(v)[:8],
)
def test_exactly_the_listed_commands_are_refused(level, listed, capsys):
    found = _refused_at(level)

    with capsys.disabled():
        print(
            f"\n{level}: {len(CORPUS)} everyday commands ({len(PACKAGES)} of packages,"
            f" {len(WRITTEN)} written) and {len(REFUSED)} listed as refused at a level:"
            f" {len(found)} refused"
        )
    assert found == listed


def test_false_alarms_are_at_most_two_in_a_thousand(capsys):
    wrong = [entry for entry in REFUSED if entry["judgement"] != "right"]

    with capsys.disabled():
        print(f"\nfalse alarms and undecided: {len(wrong)} of {len(CORPUS) + len(REFUSED)}")
    assert len(wrong) <= _FALSE_ALARMS * len(CORPUS)


def test_every_refusal_is_judged():
    for entry in REFUSED:
        assert entry["judgement"] in ("right", "wrong", "undecided"), entry
        assert entry["reason"], entry
        assert entry["section"][0].isdigit(), entry


def test_the_corpus_is_as_large_as_promised():
    assert len(CORPUS) >= 2_000
    assert len(PACKAGES) >= 1_000
    assert len(WRITTEN) >= 700


def test_each_command_of_a_package_names_its_source():
    for entry in PACKAGES:
        package, _, name = entry["source"].partition(":")
        assert package.endswith((".tgz", ".tar.gz", ".whl", ".zip")), entry
        assert any(sign.isdigit() for sign in package), entry
        assert name, entry


def test_no_line_stands_twice_after_names_and_numbers_are_made_equal():
    entries = CORPUS + [entry for entry in REFUSED if entry["level"] == "standard"]
    shapes = collections.Counter(shape(entry["command"]) for entry in entries)

    assert [found for found, count in shapes.items() if count > 1] == []


@pytest.mark.parametrize("entries", [PACKAGES, CORPUS], ids=["packages", "corpus"])
def test_no_program_has_more_than_five_in_a_hundred(entries):
    counts = collections.Counter(program(entry["command"]) for entry in entries)
    most = counts.most_common(1)[0]

    assert most[1] <= _SHARE * len(entries), most


@pytest.mark.parametrize("case", cases("everyday"))
def test_a_command_of_every_day_is_decided_as_listed(case):
    check(case)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm install lodash@4", "npm install x"),
        ("npm install express", "npm install x"),
        ("git log -20 --format=%h", "git log -0 --format"),
        ("cat a.txt | grep 'x y' > out", "cat x | grep x > x"),
        ("docker compose up web # start it", "docker compose up x"),
        ("FOO=1 node server.js", "x=x node x"),
    ],
)
def test_a_shape_keeps_programs_verbs_and_options(command, expected):
    assert shape(command) == expected
