"""CPU milliseconds of the POSIX parser per construct at 12.5, 25, 50, 100 KB, and per doubling.

    python -m benchmarks.parser [CONSTRUCT…]

Limits of the specification are lifted for words, so that long inputs are read to their end.
"""

from __future__ import annotations

import sys
import time

from tests.guard.shell.posix.test_parser import UNITS

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import LimitReached
from cc_safety_net.guard.shell.posix.parser import parse

SIZES = (12_500, 25_000, 50_000, 100_000)


def milliseconds(text: str) -> tuple[float, str]:
    best = 1e9
    end = ""
    for _ in range(3):
        start = time.process_time()
        try:
            result = parse(text)
            end = result.problems[0].message if result.problems else "read"
        except LimitReached as limit:
            end = limit.what
        best = min(best, (time.process_time() - start) * 1e3)
    return best, end


def main() -> None:
    print(f"{'construct':24}{'12.5':>9}{'25':>9}{'50':>9}{'100 KB':>9}{'ratio':>8}  end")
    for unit in sys.argv[1:] or UNITS:
        found = [milliseconds((unit * (size // len(unit) + 1))[:size]) for size in SIZES]
        ratio = found[3][0] / found[2][0] if found[2][0] > 1 else 1.0
        times = "".join([f"{taken:9.1f}" for taken, _ in found])
        print(f"{unit!r:24}{times}{ratio:8.2f}  {found[3][1]}")
    for text in ("git status", 'cd /x && git commit -m "a b c" 2>&1 | tee log'):
        start = time.process_time()
        for _ in range(1_000):
            parse(text)
        print(f"{(time.process_time() - start) * 1e3:8.1f} us  {text}  ({limits.STEPS:,} steps)")


if __name__ == "__main__":
    main()
