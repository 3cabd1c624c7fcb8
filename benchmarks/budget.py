"""What a decision about a long command costs: every construct at 12.5, 25, 50 and 100 KB.

    python -m benchmarks.budget                 milliseconds, ratio of the last doubling, the end
    python -m benchmarks.budget pipes braces    these constructs only
    python -m benchmarks.budget --maximum 150   exit 1 when a decision took longer

The whole engine decides, in a made-up workspace, with the garbage collector off as in the hook.
Figures are the least CPU time of some runs. A construct that ends in a limit before 100 KB shows
no growth from there on: its ratio is that of the last doubling that was read to the end.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from tests.guard.constructs import REPEATED, SIZES, text_of
from tests.guard.verdicts import verdict

_RUNS = 3


def decided(text: str) -> tuple[float, str]:
    """Least CPU milliseconds, and how the decision ended."""
    best = 1e9
    for _ in range(_RUNS):
        gc.collect()
        gc.disable()
        started = time.process_time()
        decision = verdict(text)
        best = min(best, (time.process_time() - started) * 1e3)
        gc.enable()
    finding = decision.finding
    if finding is None:
        return best, decision.verdict
    what = finding.values.get("what", "") if finding.rule.startswith("guard.") else ""
    return best, f"{finding.rule}: {what}" if what else finding.rule


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("constructs", nargs="*")
    parser.add_argument("--maximum", type=float, default=0.0)
    options = parser.parse_args()
    verdict("ls")  # what is loaded once
    slow = False
    print(f"{'construct':32}{'12.5':>8}{'25':>8}{'50':>8}{'100 KB':>8}{'ratio':>7}  end")
    for construct in options.constructs or REPEATED:
        found = [decided(text_of(construct, size)) for size in SIZES]
        times = [taken for taken, _ in found]
        ends = [end for _, end in found]
        ratio = max(
            (
                after / before
                for before, after, one, other in zip(times, times[1:], ends, ends[1:], strict=False)
                if one == other and before > 2
            ),
            default=1.0,
        )
        slow = slow or (options.maximum > 0 and max(times) > options.maximum)
        figures = "".join(f"{taken:8.1f}" for taken in times)
        print(f"{construct:32}{figures}{ratio:7.2f}  {ends[-1]}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
