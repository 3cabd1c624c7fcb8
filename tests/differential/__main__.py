"""The long mode: `python -m tests.differential 100000 [first seed]`, from the project's folder.

Prints every command in which the interpreter and bash differ, and the figures.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.differential.compare import Figures, Verdict, compare
from tests.differential.grammar import COMMANDS, PREAMBLE, WORDS, Grammar
from tests.differential.oracle import Oracle

_BATCH = 100


def main(count: int, first: int) -> int:
    figures = Figures()
    used: Counter[str] = Counter()
    for start in range(first, first + count, _BATCH):
        folder = Path(tempfile.mkdtemp(prefix="differential-")).resolve()
        try:
            texts = []
            for seed in range(start, min(start + _BATCH, first + count)):
                grammar = Grammar.seeded(seed)
                texts.append(PREAMBLE + grammar.program())
                used.update(grammar.used)
            for seed, verdict in enumerate(compare(Oracle(folder / "o"), texts), start):
                figures.add(verdict)
                if verdict.missed or verdict.skipped or (verdict.known and not verdict.exact):
                    _show(seed, verdict)
        finally:
            shutil.rmtree(folder)
    print(figures)
    unused = sorted(set(WORDS + COMMANDS) - set(used))
    print("constructs:", ", ".join(f"{name} {count}" for name, count in used.most_common()))
    print("not used:", ", ".join(unused) or "none")
    return 1 if figures.missed or unused else 0


def _show(seed: int, verdict: Verdict) -> None:
    kind = verdict.skipped or ("missed" if verdict.missed else "not exact")
    print(f"seed {seed}: {kind}: {verdict.text.removeprefix(PREAMBLE)!r}")
    for line in (*verdict.ours, *map(repr, verdict.real)):
        print("   ", line)


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(arguments[0] if arguments else 10_000, arguments[1] if arguments[1:] else 1))
