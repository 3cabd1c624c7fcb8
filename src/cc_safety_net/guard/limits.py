"""Limits of one decision, and the count of effort that enforces them.

The numbers are the specification's (docs/reference/limits.md lists them). Effort is counted in
steps so that the same input ends the same way on every machine; the clock is the last fence.
"""

from __future__ import annotations

import time

PAYLOAD_BYTES = 8 * 1024 * 1024
JSON_DEPTH = 64
JSON_NODES = 20_000
COMMAND_CHARACTERS = 131_072
WORDS = 16_384
SYNTAX_DEPTH = 64
SHELL_DEPTH = 10
WRAPPER_CHAIN = 20
BRACE_RESULTS = 256
WORD_VALUES = 64
LOOP_VALUES = 64
#: Turns of a loop and of those around it, multiplied, that are run one by one.
LOOP_TURNS = 128
BRANCH_STATES = 64
CALL_DEPTH = 16
INLINE_CODE_CHARACTERS = 65_536
SCRIPT_FILES = 16
SCRIPT_BYTES = 128 * 1024
SCRIPT_TOTAL_BYTES = 256 * 1024
SCRIPT_DEPTH = 5
#: The divisor of the effort that scripts on disk may use.
SCRIPT_EFFORT = 2
#: Words after expansion in all scripts on disk; what runs costs more time than what is written.
SCRIPT_WORDS = 8_192
DIRECTORY_ENTRIES = 2_000
PATH_RESOLUTIONS = 4_096
SNIFF_FILES = 8
SNIFF_BYTES = 64 * 1024

#: One constant for all inputs. A step is about a microsecond (`benchmarks/budget.py`), so that no
#: decision takes much longer than a tenth of a second; a script of 1,000 lines needs half of it.
STEPS = 80_000
#: Wall clock from the end of input to the verdict, in nanoseconds.
TIME_NS = 2_000_000_000
_CLOCK_EVERY = 4_096


class LimitReached(Exception):
    """A limit of the specification was met; the call is denied.

    rule: `guard.input-limit` or `guard.time-budget`. what: the limit or the construct, for the
    message ("more than 64 nested constructs", "a loop over 4,096 words").
    """

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(what)
        self.rule = rule
        self.what = what


class Effort:
    """Counts steps and looks at the clock from time to time.

    `spend` raises `LimitReached("guard.time-budget", construct)` when either is used up.
    """

    __slots__ = ("_clock", "_deadline", "_next_look", "left", "total")
    #: Where no time is asked for.
    time_ns = TIME_NS

    def __init__(self, steps: int = STEPS, time_ns: int | None = None) -> None:
        self.total = steps
        self.left = steps
        self._clock = time.monotonic_ns
        self._deadline = self._clock() + (self.time_ns if time_ns is None else time_ns)
        self._next_look = steps - _CLOCK_EVERY

    def spend(self, steps: int, construct: str) -> None:
        """Take `steps`; `construct` names what is being read, for the refusal."""
        self.left -= steps
        if self.left < self._next_look:
            self._next_look = max(self.left - _CLOCK_EVERY, 0)
            if self.left < 0 or self._clock() > self._deadline:
                raise LimitReached("guard.time-budget", construct)

    def hold(self, steps: int) -> int:
        """Leave `steps` at most; what is put aside is given back by `release`."""
        aside = max(self.left - steps, 0)
        self.left -= aside
        self._next_look = max(self.left - _CLOCK_EVERY, 0)
        return aside

    def release(self, aside: int) -> None:
        """Give back what `hold` put aside; what was overspent stays spent."""
        self.left += aside
        self._next_look = max(self.left - _CLOCK_EVERY, 0)
