"""The whole proof: every path by every route, bare and wrapped; reading each.

`PYTHONPATH=src python -m tests.guard.rules.self_protection.proof` prints the counts and what is
decided wrongly.
`test_routes.py` runs a part of it.
"""

from __future__ import annotations

import sys

from tests.guard.rules.self_protection.routes import (
    COMMANDS,
    FILES,
    TOOLS,
    WRAPPERS,
    changing_calls,
    described,
    reading_calls,
    world,
)

from cc_safety_net.guard.engine import decide


def main() -> int:
    changing = reading = failed = 0
    out = sys.stdout.write
    for route in (*COMMANDS, *TOOLS):
        for call in changing_calls(list(FILES), route, WRAPPERS):
            changing += 1
            if decide(call, world()).verdict != "deny":
                failed += 1
                out(f"allowed by {route}: {described(call)}\n")
    for path in FILES:
        for call in reading_calls(path):
            reading += 1
            finding = decide(call, world()).finding
            if finding is not None:
                failed += 1
                out(f"refused by {finding.rule}: {described(call)}\n")
    out(
        f"{len(FILES)} paths, {len(COMMANDS)} commands in {len(WRAPPERS)} forms, {len(TOOLS)} "
        f"tools: {changing} changing calls, {reading} reading calls, {failed} decided wrongly\n"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
