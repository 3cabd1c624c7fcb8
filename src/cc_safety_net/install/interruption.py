"""Ctrl-C, a terminal that goes away, and a polite kill: what runs is taken back, once.

The first signal raises `Interrupted` in the main thread. Later ones, and those while a change is
taken back or finished, do nothing: that is not left half done.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

from cc_safety_net.errors import Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """Within it the first signal raises `Interrupted`. One that is ignored (nohup) stays so."""
    before = {number: signal.getsignal(number) for number in _ours() if not _ignored(number)}

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        for each in before:
            signal.signal(each, _nothing)
        raise Interrupted

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Within it signals do nothing."""
    # A function and not SIG_IGN: a program that is started meanwhile would inherit that.
    before = {number: signal.getsignal(number) for number in _ours() if not _ignored(number)}
    for number in before:
        signal.signal(number, _nothing)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _nothing(number: int, frame: FrameType | None) -> None:
    del number, frame


def _ours() -> tuple[signal.Signals, ...]:
    """Only the main thread may say what signals do."""
    return _SIGNALS if threading.current_thread() is threading.main_thread() else ()


def _ignored(number: signal.Signals) -> bool:
    return signal.getsignal(number) in (signal.SIG_IGN, None)
