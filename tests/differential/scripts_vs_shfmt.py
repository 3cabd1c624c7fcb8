"""Parse every shell script below some folders and compare the command words with shfmt's.

    python -m tests.differential.scripts_vs_shfmt [--shfmt PATH] [--show N] FOLDER…

For each simple command both parsers must give the same words at the same offsets, and both must
accept or refuse the same scripts. Needs shfmt (`pip install shfmt-py`). Scripts are only read.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.shell.posix.nodes import Lit, Node, SimpleCommand, Word
from cc_safety_net.guard.shell.posix.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Builtins whose operands shfmt reads in a way of its own: only the first word is compared.
_CLAUSES = {"declare", "local", "export", "readonly", "typeset", "nameref", "let"}
_ENDINGS = (".sh", ".bash", ".ksh", ".preinst", ".postinst", ".prerm", ".postrm")
_SHELLS = {"sh", "bash", "dash", "ksh", "ash"}
_SIZE = 2 * 1024 * 1024

Words = list[tuple[int, int]]


def is_script(path: str) -> bool:
    """Whether a file says that it is a shell script: by its first line, else by its name."""
    try:
        with open(path, "rb") as file:
            head = file.read(200)
    except OSError:
        return False
    if head.startswith(b"#!"):
        words = head.split(b"\n", 1)[0][2:].decode("latin-1").split()
        names = [os.path.basename(word) for word in words]
        return bool(names) and any(name in _SHELLS for name in names[:2])
    return path.endswith(_ENDINGS) and b"\0" not in head


def scripts(folders: list[str]) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    for folder in folders:
        for directory, folders_below, names in os.walk(folder):
            folders_below.sort()
            for name in sorted(names):
                path = os.path.join(directory, name)
                if os.path.islink(path) or not os.path.isfile(path):
                    continue
                status = os.stat(path)
                if status.st_size > _SIZE or (status.st_dev, status.st_ino) in seen:
                    continue
                seen.add((status.st_dev, status.st_ino))
                if is_script(path):
                    yield path


def nodes(root: object) -> Iterator[Node]:
    """All nodes below, without recursion."""
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Node):
            yield item
            for kind in type(item).__mro__:
                waiting += [getattr(item, slot) for slot in getattr(kind, "__slots__", ())]
        elif isinstance(item, (list, tuple)):
            waiting += item


def our_commands(text: str) -> tuple[list[Words], str]:
    """The words of each simple command by our parser, and its problem."""
    old = limits.COMMAND_CHARACTERS, limits.WORDS
    limits.COMMAND_CHARACTERS = limits.WORDS = 1 << 40
    try:
        result = parse(text, Effort(1 << 40, 1 << 60))
    finally:
        limits.COMMAND_CHARACTERS, limits.WORDS = old
    found = []
    for node in nodes(result.script):
        if isinstance(node, SimpleCommand) and node.words:
            first = node.words[0]
            words = node.words
            if isinstance(first, Word) and len(first.parts) == 1:
                part = first.parts[0]
                if isinstance(part, Lit) and not part.quoted and part.text in _CLAUSES:
                    words = words[:1]
            found.append([(word.start, word.end) for word in words])
    problem = result.problems[0] if result.problems else None
    return sorted(found), f"{problem.start}: {problem.message}" if problem else ""


def shfmt_commands(shfmt: str, raw: bytes, dialect: str) -> tuple[list[Words], str]:
    """The same by shfmt."""
    done = subprocess.run(
        [shfmt, "-ln", dialect, "--to-json"], input=raw, capture_output=True, check=False
    )
    if done.returncode:
        return [], done.stderr.decode("utf-8", "replace").strip() or "refused"
    found: list[Words] = []
    waiting = [json.loads(done.stdout)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            kind = item.get("Type")
            if kind == "CallExpr" and item.get("Args"):
                words = [(word["Pos"]["Offset"], word["End"]["Offset"]) for word in item["Args"]]
                # In its POSIX dialect these are ordinary commands.
                clause = raw[slice(*words[0])].decode("latin-1") in _CLAUSES
                found.append(words[:1] if clause else words)
            elif kind == "DeclClause":
                variant = item["Variant"]
                found.append([(variant["Pos"]["Offset"], variant["End"]["Offset"])])
            elif kind == "LetClause":
                start = item["Let"]["Offset"] if "Let" in item else item["Pos"]["Offset"]
                found.append([(start, start + 3)])
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return sorted(found), ""


def bash_refuses(raw: bytes) -> str:
    """What `bash -n` says of a script; "" if it accepts it."""
    done = subprocess.run(
        ["bash", "--norc", "-O", "extglob", "-n", "/dev/stdin"],
        input=raw,
        capture_output=True,
        check=False,
    )
    return done.stderr.decode("utf-8", "replace").strip() if done.returncode else ""


def compare(shfmt: str, path: str) -> tuple[str, str]:
    """The class of the outcome ("same" or a kind of difference) and its detail."""
    with open(path, "rb") as file:
        raw = file.read()
    text = raw.decode("latin-1")
    try:
        ours, problem = our_commands(text)
    except LimitReached as limit:
        return "our limit", limit.what
    theirs, refused = shfmt_commands(shfmt, raw, "bash")
    if refused:
        theirs, refused_posix = shfmt_commands(shfmt, raw, "posix")
        refused = refused if refused_posix else ""
    if problem and refused:
        return "same: both refuse", problem
    if problem or refused:
        bash = bash_refuses(raw)
        if problem:
            kind = "we refuse, bash too" if bash else "WE REFUSE, bash accepts"
            return kind, f"{problem} | {bash}"
        return ("shfmt refuses, bash too" if bash else "shfmt refuses, bash accepts"), refused
    if ours == theirs:
        return "same", ""
    # shfmt counts a continued line, or the backslash of an escaped backtick, as part of a word.
    for our, their in zip(ours, theirs, strict=False):
        theirs_trimmed = [(start, _trimmed(text, start, end)) for start, end in their]
        if [(start, _trimmed(text, start, end)) for start, end in our] != theirs_trimmed:
            if [start for start, _ in our] == [start for start, _ in their]:
                kind = "other end of a word"
            else:
                kind = "other words"
            at = min(our[0][0], their[0][0])
            line = text.count("\n", 0, at) + 1
            shown = [text[start:end] for start, end in our], [text[s:e] for s, e in their]
            return kind, f"line {line}: ours {shown[0]} shfmt {shown[1]}"
    if len(ours) == len(theirs):
        return "same", ""
    return "other number of commands", f"{len(ours)} {len(theirs)}"


def _trimmed(text: str, start: int, end: int) -> int:
    """The end of a word without what belongs to no word: a continued line, an escaped backtick."""
    while end > start:
        if text.startswith("\\\n", end - 2):
            end -= 2
        elif text.startswith(("\\\n", "\\`"), end - 1):
            end -= 1
        else:
            break
    return end


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--shfmt", default="shfmt")
    parser.add_argument("--show", type=int, default=5, help="examples per kind of difference")
    options = parser.parse_args()
    kinds: collections.Counter[str] = collections.Counter()
    examples: dict[str, list[str]] = collections.defaultdict(list)
    for path in scripts(options.folders):
        kind, detail = compare(options.shfmt, path)
        kinds[kind] += 1
        if not kind.startswith("same") and len(examples[kind]) < options.show:
            examples[kind].append(f"{path}\n        {detail[:300]}")
    total = sum(kinds.values())
    same = sum(count for kind, count in kinds.items() if kind.startswith("same"))
    print(f"{total} scripts, {same} in agreement ({100 * same / max(total, 1):.2f} %)")
    for kind, count in kinds.most_common():
        print(f"{count:7} {kind}")
        for example in examples[kind]:
            print(f"      {example}")
    return 0 if same == total else 1


if __name__ == "__main__":
    sys.exit(main())
