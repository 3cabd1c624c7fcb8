"""What `find` would reach, as the guard reads it, against what the real one prints.

Only `-print` is run: the deletion is replaced before anything starts.
"""

from __future__ import annotations

import random
import subprocess

import pytest
from tests.guard.verdicts import verdict

pytestmark = pytest.mark.differential

_NAMES = [
    "'*.log'",
    "'*'",
    ".git",
    "'.g*'",
    "HEAD",
    "config",
    "'*.sample'",
    "'[a-z]*'",
    "'*.ts'",
    "src",
    "'??'",
    "'.*'",
    "'x*'",
    "index",
    "hooks",
    "objects",
    "'*e*'",
    "'[0-9]*'",
]
_PATHS = ["'./.git/*'", "'*/.git/*'", "./src", "'./src/*'", "'*a*'", "'*.log'", "'./*'", "'.git*'"]
_REGEXES = ("'.*'", "'.*\\.log'", "'\\./\\.git.*'", "'.*/[a-z]*'", "'\\./src/.*'")
_FILES = (
    ".git/HEAD",
    ".git/config",
    ".git/index",
    ".git/description",
    ".git/packed-refs",
    ".git/hooks/pre-commit.sample",
    ".git/info/exclude",
    ".git/objects/4b/0123456789abcdef0123456789abcdef012345",
    "src/a/x.ts",
    "a.log",
)


def _test(chance: random.Random, depth: int = 0) -> str:
    kind = chance.randint(0, 8)
    if kind < 3:
        return f"{chance.choice(('-name', '-iname'))} {chance.choice(_NAMES)}"
    if kind == 3:
        return f"-path {chance.choice(_PATHS)}"
    if kind == 4:
        return f"-type {chance.choice('fd')}"
    if kind == 5:
        return f"! {_test(chance, depth + 1)}"
    if kind == 6 and depth < 3:
        return f"\\( {_expression(chance, depth + 1)} \\)"
    return f"-regex {chance.choice(_REGEXES)}" if kind == 7 else "-empty"


def _expression(chance: random.Random, depth: int = 0) -> str:
    joint = chance.choice((" ", " -o ", " -a "))
    return joint.join(_test(chance, depth) for _ in range(chance.randint(1, 3)))


def _prints(command: str, directory) -> list[str]:
    done = subprocess.run(
        ["bash", "-c", command], cwd=directory, capture_output=True, text=True, check=True
    )
    return done.stdout.split("\n")


@pytest.mark.parametrize("seed", range(8))
def test_what_find_reaches_of_a_repository_is_denied(seed, tmp_path):
    for name in _FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    chance = random.Random(seed)
    missed = []
    for _ in range(25):
        lead = chance.choice(("", "-mindepth 1 ", "-maxdepth 2 ", "-mindepth 2 "))
        expression = _expression(chance)
        printed = _prints(f"find . {lead}-depth {expression} -print", tmp_path)
        if any(line.startswith("./.git") for line in printed):
            command = f"find . {lead}{expression} -delete"
            if verdict(command).verdict != "deny":
                missed.append(command)

    assert missed == []
