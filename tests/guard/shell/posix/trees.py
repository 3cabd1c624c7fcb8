"""The golden trees: `trees.txt` holds sources (`⏎` is a new line), each with its tree below.

`python -m tests.guard.shell.posix.trees` writes the trees anew; read the difference before you
commit it.
"""

from __future__ import annotations

import os

from cc_safety_net.guard.shell.posix.dump import dump
from cc_safety_net.guard.shell.posix.parser import parse

PATH = os.path.join(os.path.dirname(__file__), "trees.txt")
_INDENT = "    = "


def tree(source: str) -> str:
    """The tree of a source, and its problem if it has one."""
    text = source.replace("⏎", "\n")
    result = parse(text)
    shown = dump(result.script)
    for problem in result.problems:
        shown += f" ! {problem.start}-{problem.end} {problem.message}; rest {result.rest}"
    return ascii(shown)[1:-1].replace("\\\\", "\\").replace("\\'", "'")


def cases() -> list[tuple[str, str]]:
    with open(PATH, encoding="utf-8") as file:
        lines = file.read().split("\n")
    return [
        (source, shown.removeprefix(_INDENT))
        for source, shown in zip(lines[::2], lines[1::2], strict=False)
    ]


def main() -> None:
    text = "".join([f"{source}\n{_INDENT}{tree(source)}\n" for source, _ in cases()])
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
