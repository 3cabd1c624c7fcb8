"""How bash splits a simple command into words, against the tree; long form by command.

    python -m tests.differential.bash_words [--seed N] [--count N]

The generated commands have quotes of every kind, backslashes, continued lines, comments and brace
expansions, nothing that depends on a value. bash has no PATH, so the one command, `cmd`, is never
found; the handler for that prints its words. Nothing else can run.
"""

from __future__ import annotations

import argparse
import collections
import subprocess
import sys
from random import Random

from tests.differential.shell_text import ANSI_C

from cc_safety_net.guard.shell.posix.nodes import (
    BraceExpansion,
    DoubleQuoted,
    Lit,
    SimpleCommand,
    Word,
)
from cc_safety_net.guard.shell.posix.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.shell.posix.nodes import WordPart

_DRIVER = r"""
set -f
command_not_found_handle() { printf '%s\0' "$@"; }
for text in "$@"; do eval "$text"; printf '\1END\1\0'; done
"""
_END = "\1END\1"


class Words:
    """Makes simple commands of known words and counts the forms used."""

    def __init__(self, random: Random, counts: collections.Counter[str]) -> None:
        self.random = random
        self.counts = counts

    def command(self) -> str:
        words = [self.word() for _ in range(self.random.randint(1, 4))]
        made = "cmd"
        for word in words:
            made += self.random.choice((" ", "  ", "\t", " \\\n ", " \\\n")) + word
        if self.random.randrange(6) == 0:
            self.counts["comment"] += 1
            made += " # it's \"a"
        return made

    def word(self) -> str:
        return "".join([self.part(0) for _ in range(self.random.randint(1, 3))])

    def part(self, depth: int) -> str:
        kind = self.random.choice(
            ("plain", "single", "double", "ansi", "locale", "backslash", "continued", "brace")
            + (("list", "range", "list") if depth < 3 else ())
        )
        self.counts[kind] += 1
        choice = self.random.choice
        if kind == "plain":
            return choice(
                ("a", "b-c", "--x=y", "a#b", "%", "]", "1", "é", ":", "a,b", "=", "!", "^")
            )
        if kind == "single":
            return choice(("'a b'", "''", "'\"$x`\\'", "'{a,b}'", "'\n'", "'\\\n'"))
        if kind == "double":
            inner = (
                "a  b",
                "'",
                r"\$",
                r"\"",
                r"\\",
                r"\a",
                "\\`",
                "{a,b}",
                "\\\n",
                "#",
                "$ ",
                "é",
            )
            return '"' + "".join([choice(inner) for _ in range(self.random.randint(0, 3))]) + '"'
        if kind == "ansi":
            return "$'" + choice(ANSI_C) + "'"
        if kind == "locale":
            return choice(('$"a b"', '$""', '$"\\$"'))
        if kind == "backslash":
            return choice(
                (r"\ ", r"\$", r"\"", r"\'", r"\\", r"\a", r"\(", r"\;", r"\{", r"\,", r"\}")
            )
        if kind == "continued":
            return "\\\n"
        if kind == "brace":
            return choice(
                ("{", "}", "{}", "{a}", ",", "..", "{a,b", "{1..b}", "{1..3..x}", "{a..bb}")
            )
        if kind == "range":
            return choice(RANGES)
        items = [
            "".join([self.part(depth + 1) for _ in range(self.random.randint(0, 2))])
            for _ in range(self.random.randint(2, 3))
        ]
        return "{" + ",".join(items) + "}"


RANGES = (
    *("{1..3}", "{3..1}", "{-1..1}", "{01..3}", "{1..10..4}", "{10..1..3}", "{a..e}", "{e..a..2}"),
    *("{1..1}", "{-03..2..2}", "{1..5..-2}", "{A..D}", "{1..3..0}", "{08..11}", "{+1..3}"),
)


def expanded(word: Word) -> list[str]:
    """The words that one word of a tree stands for; an unquoted empty one is no word."""
    return [text for text, exists in _alternatives(word.parts) if text or exists]


def _alternatives(parts: Sequence[WordPart]) -> Iterator[tuple[str, bool]]:
    if not parts:
        yield "", False
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, Lit):
        heads = [(first.text, first.quoted)]
    elif isinstance(first, DoubleQuoted):
        heads = [("".join([part.text for part in first.parts if isinstance(part, Lit)]), True)]
    elif isinstance(first, BraceExpansion):
        if first.sequence is not None:
            heads = [(text, False) for text in _sequence(*first.sequence)]
        else:
            heads = [head for item in first.items for head in _alternatives(item.parts)]
    else:
        raise TypeError(first)
    for head, exists in heads:
        for tail, too in _alternatives(rest):
            yield head + tail, exists or too


def _sequence(first: str, last: str, step: str) -> list[str]:
    letters = first.isalpha()
    low, high = (ord(first), ord(last)) if letters else (int(first), int(last))
    width = 0
    if not letters and any(
        text.lstrip("-+").startswith("0") and len(text.lstrip("-+")) > 1 for text in (first, last)
    ):
        width = max(len(first), len(last))
    stride = abs(int(step or "1")) or 1
    values = range(low, high + 1, stride) if low <= high else range(low, high - 1, -stride)
    if letters:
        return [chr(value) for value in values]
    return [f"{value:0{width}d}" for value in values]


def ours(text: str) -> list[str] | None:
    """The words by the tree; None if it has a problem."""
    result = parse(text)
    if result.problems or len(result.script.items) != 1:
        return None
    command = result.script.items[0][0]
    if not isinstance(command, SimpleCommand) or command.assignments or command.redirects:
        return None
    found: list[str] = []
    for word in command.words:
        assert isinstance(word, Word)
        found += expanded(word)
    return found


def by_bash(texts: list[str]) -> list[list[str]]:
    done = subprocess.run(
        ["/bin/bash", "--norc", "-c", _DRIVER, "bash", *texts],
        env={"PATH": "/nonexistent", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    words = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    found: list[list[str]] = []
    command: list[str] = []
    for word in words[:-1]:
        if word == _END:
            found.append(command)
            command = []
        else:
            command.append(word)
    return found


def run(seed: int, count: int) -> tuple[collections.Counter[str], list[tuple[str, object, object]]]:
    random = Random(seed)
    counts: collections.Counter[str] = collections.Counter()
    maker = Words(random, counts)
    texts = [maker.command() for _ in range(count)]
    different: list[tuple[str, object, object]] = []
    for start in range(0, count, 500):
        batch = texts[start : start + 500]
        theirs = by_bash(batch)
        assert len(theirs) == len(batch)
        different += [
            (text, ours(text), argv)
            for text, argv in zip(batch, theirs, strict=True)
            if ours(text) != argv
        ]
    return counts, different


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20_000)
    options = parser.parse_args()
    counts, different = run(options.seed, options.count)
    print(f"{options.count} commands, {len(different)} different; {dict(counts)}")
    for text, mine, theirs in sorted(different, key=lambda item: len(item[0]))[:10]:
        print(f"--- {text!r}\n  ours {mine}\n  bash {theirs}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
