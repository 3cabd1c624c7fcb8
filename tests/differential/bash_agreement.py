"""Which texts bash accepts (`bash -n`), against the parser; long form by command.

    python -m tests.differential.bash_agreement [--seed N] [--count N] [--mutate]

Nothing runs: `-n` only reads. Prints agreement, the reasons of known differences with their
numbers, the count of each construct, and every unexplained difference.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import subprocess
import sys
from random import Random

from tests.differential.shell_text import ShellText, mutated

from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.shell.posix.nodes import Compound, For, FunctionDef, Node, ProcessSub
from cc_safety_net.guard.shell.posix.parser import Parser

_BASH = ["bash", "--norc", "-O", "extglob", "-n", "-c", "--"]


def bash_accepts(text: str) -> bool | None:
    """Whether bash reads the text; None where bash itself hangs.

    For a condition (`[[`) bash reports the error and still exits 0 under `-n`.
    """
    try:
        done = subprocess.run(
            [*_BASH, text], capture_output=True, stdin=subprocess.DEVNULL, timeout=5, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    return done.returncode == 0 and all("warning:" in line for line in lines)


def read(text: str) -> tuple[Parser, Node]:
    parser = Parser(text, Effort())
    return parser, parser.whole_script()


def difference(text: str, accepted: bool) -> str:
    """ "" if both agree, else the reason of a known difference, else "unexplained"."""
    try:
        parser, script = read(text)
    except LimitReached:
        return "a limit of ours"
    if parser.failed != accepted:
        return ""
    flat = " ".join(text.split())
    if accepted:
        message = parser.problems[0].message
        if "for ((" in flat and ("((" in message or "three expressions" in message):
            return "bash takes a broken `for ((` for the end of the text"
        if "[[ ]]" in flat:
            return "bash -n accepts an empty condition"
        if "${ " in flat or "${|" in flat or "${\n" in text:
            return "`${ …; }` is a command substitution from bash 5.3 on"
        if "$((" in text.replace("\\\n", ""):
            return "bash reads `$((` that is no arithmetic when it runs"
        return "unexplained"
    for node in _nodes(script):
        if isinstance(node, FunctionDef) and not (node.name and isinstance(node.body, Compound)):
            return "dash and zsh take any command as the body of a function"
        if isinstance(node, For) and (len(node.names) > 1 or text.find("for") < 0):
            return "zsh has several names in `for`"
        if isinstance(node, ProcessSub) and node.direction == "=":
            return "zsh has `=(…)`"
    if "((" in text:
        return "bash reads a nested subshell `((` twice, and loses new lines in it"
    if "time" in flat or ("case" in flat and "for" in flat):
        return "bash 5.2 loses a reserved word after `time` in `$(…)`, after `for x` in `case`"
    return "unexplained"


def _nodes(root: object) -> list[Node]:
    found: list[Node] = []
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Node):
            found.append(item)
            for kind in type(item).__mro__:
                waiting += [getattr(item, slot) for slot in getattr(kind, "__slots__", ())]
        elif isinstance(item, (list, tuple)):
            waiting += item
    return found


def run(
    seed: int, count: int, mutate: bool
) -> tuple[collections.Counter[str], collections.Counter[str], list[str]]:
    """The outcomes, the use of each construct, and the texts of unexplained differences."""
    random = Random(seed)
    used: collections.Counter[str] = collections.Counter()
    texts = []
    for _ in range(count):
        text = ShellText(random, used).text()
        texts.append(mutated(random, text) if mutate else text)
    outcomes: collections.Counter[str] = collections.Counter()
    unexplained = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for text, accepted in zip(texts, pool.map(bash_accepts, texts), strict=True):
            outcome = "bash hangs" if accepted is None else difference(text, accepted) or "same"
            outcomes[outcome] += 1
            if outcome == "unexplained":
                unexplained.append(text)
    return outcomes, used, unexplained


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--mutate", action="store_true", help="change each text a little")
    options = parser.parse_args()
    outcomes, used, unexplained = run(options.seed, options.count, options.mutate)
    for outcome, count in outcomes.most_common():
        print(f"{count:8} {outcome}")
    print(f"{len(used)} constructs, the rarest: {used.most_common()[-3:]}")
    for text in sorted(unexplained, key=len)[:10]:
        print("---", _BASH, f"\n{text}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
