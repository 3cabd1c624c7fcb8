"""What a slow command is doing, on standard error: nothing at first, nothing left at the end.

On a terminal one line an agent, written anew in place; elsewhere a line for each wait that is
long. Rich, which draws it, is loaded only when there is something to draw.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from cc_safety_net.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from rich.live import Live

#: Seconds without a word, and those after which it is said what is waited for.
QUIET = 0.4
LONG = 10.0
_TICK = 0.1


@dataclass
class _Line:
    """doing: a word for people. waits: the program that was started, if one was."""

    doing: str
    waits: str = ""
    since: float = 0.0
    limit: float = 0.0
    told: bool = False


class Progress:
    """A context: within it the steps are shown as they pass. Any thread may tell of them."""

    def __init__(self) -> None:
        stream = sys.stderr
        self._terminal = stream is not None and stream.isatty()
        self._terminal &= os.environ.get("TERM", "dumb") not in ("", "dumb")
        self._lines: dict[str, _Line] = {}
        self._lock = threading.RLock()
        self._begun = time.monotonic()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._live: Live | None = None

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.pause()

    def step(self, agent: str, doing: str) -> None:
        """The agent's line says so from now on; "" for an agent: one that speaks of all."""
        with self._lock:
            self._lines[agent] = _Line(doing)
            self._begin()

    def watch(self, agent: str, argv: Sequence[str], limit: float) -> None:
        """A program was started for the agent, and may take so many seconds; none: it has ended."""
        with self._lock:
            line = self._lines.setdefault(agent, _Line("running"))
            line.waits, line.since, line.limit = named(argv), time.monotonic(), limit
            line.told = False

    def say(self, text: str) -> None:
        """A line that stays."""
        with self._lock:
            self._wipe()
            output.line(text, sys.stderr)

    def pause(self) -> None:
        """Nothing is shown until the next step."""
        thread, self._thread = self._thread, None
        self._ended.set()
        if thread is not None:
            thread.join()
        with self._lock:
            self._lines.clear()
            self._wipe()

    def _begin(self) -> None:
        if self._thread is None:
            self._begun = time.monotonic()
            self._ended = threading.Event()
            self._thread = threading.Thread(target=self._watch, args=(self._ended,), daemon=True)
            self._thread.start()

    def _watch(self, ended: threading.Event) -> None:
        while not ended.wait(_TICK):
            with self._lock:
                now = time.monotonic()
                if not self._terminal:
                    self._tell(now)
                elif now - self._begun >= QUIET and self._lines:
                    self._draw(shown(self._lines, now))

    def _tell(self, now: float) -> None:
        for agent, line in self._lines.items():
            if line.waits and not line.told and now - line.since >= LONG:
                line.told = True
                output.line(f"{agent or 'waiting'}: {_words(line, now)}", sys.stderr)

    def _draw(self, lines: Sequence[str]) -> None:
        from rich.text import Text

        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True, highlight=False, force_terminal=True)
            self._live = Live(
                console=console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        self._live.update(Text("\n".join(lines), no_wrap=True, overflow="ellipsis"), refresh=True)

    def _wipe(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.stop()


def shown(lines: dict[str, _Line], now: float) -> list[str]:
    """One line an agent, the one that speaks of all last."""
    names = [agent for agent in lines if agent] + [agent for agent in lines if not agent]
    return [f"  {agent:15}  {_words(lines[agent], now)}".rstrip() for agent in names]


def _words(line: _Line, now: float) -> str:
    if not line.waits or now - line.since < LONG:
        return line.doing
    return f"waiting for {line.waits}, {now - line.since:.0f} s of {line.limit:.0f} s"


def named(argv: Sequence[str]) -> str:
    """A command line as a person knows it: the program without its folder."""
    if not argv:
        return ""
    if "-c" in argv:  # a shell or Python with a text of ours
        return "the installed command"
    return " ".join([os.path.basename(argv[0]), *argv[1:]])
