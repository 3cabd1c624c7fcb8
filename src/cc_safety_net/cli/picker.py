"""The list on a terminal from which a person marks agents: plain text, one line an agent.

Where the cursor can't be moved (TERM=dumb, a low window) only the line that changed is printed.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

try:
    import termios
except ImportError:  # Windows has none
    available = False
else:
    available = True

_UP = "up"
_DOWN = "down"
_MARK = "mark"
_GO_ON = "go on"
_LEAVE = "leave"
#: An end of the input, and Ctrl-D, leave too.
_KEYS = {
    b" ": _MARK,
    b"\r": _GO_ON,
    b"\n": _GO_ON,
    b"q": _LEAVE,
    b"Q": _LEAVE,
    b"\x04": _LEAVE,
    b"": _LEAVE,
    b"j": _DOWN,
    b"k": _UP,
    b"\x1b[A": _UP,
    b"\x1b[B": _DOWN,
    b"\x1bOA": _UP,
    b"\x1bOB": _DOWN,
}
#: The rest of an arrow key's bytes follows the first at once.
_REST_SECONDS = 0.05


@dataclass
class Choice:
    """An agent in the list, by its canonical name. state: a word for people.

    offered: it can be marked.
    """

    name: str
    state: str
    marked: bool = False
    offered: bool = True


def pick(command: str, choices: Sequence[Choice]) -> list[str] | None:
    """Names of those that are marked when the person goes on; None if they leave."""
    screen = _Screen(choices)
    output.line(f"Agents to {command}: space marks, up and down move,", sys.stderr)
    output.line("enter goes on, q leaves.", sys.stderr)
    screen.show()
    current = 0
    with _key_by_key() as descriptor:
        while True:
            key = _KEYS.get(_key(descriptor))
            if key == _LEAVE:
                return None
            if key == _GO_ON:
                marked = [choice.name for choice in choices if choice.marked]
                if marked:
                    return marked
                screen.say("nothing is marked; space marks, q leaves")
            elif key == _MARK:
                if choices[current].offered:
                    choices[current].marked = not choices[current].marked
                screen.update(current)
            elif key is not None:
                current = (current + (1 if key == _DOWN else -1)) % len(choices)
                screen.update(current)


class _Screen:
    """The lines as they stand on the terminal."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = choices
        self._current = 0
        self._below = 0
        size = shutil.get_terminal_size()
        self._moves = os.environ.get("TERM", "dumb") not in ("", "dumb")
        self._moves &= size.lines > len(choices) + 3
        self._moves &= size.columns > max(len(self._line(i)) for i in range(len(choices)))

    def _line(self, index: int) -> str:
        choice = self._choices[index]
        sign = ">" if index == self._current else " "
        box = "   " if not choice.offered else "[x]" if choice.marked else "[ ]"
        names = max(len(each.name) for each in self._choices)
        return f"{sign} {box} {choice.name:{names}}  {choice.state}"

    def show(self) -> None:
        for index in range(len(self._choices)):
            output.line(self._line(index), sys.stderr)

    def update(self, current: int) -> None:
        self._current = current
        if not self._moves:
            output.line(self._line(current), sys.stderr)
            return
        sys.stderr.write(f"\x1b[{len(self._choices) + self._below}A\x1b[J")
        self._below = 0
        self.show()

    def say(self, text: str) -> None:
        self._below += 1
        output.line(text, sys.stderr)


@contextlib.contextmanager
def _key_by_key() -> Iterator[int]:
    """The terminal, which gives keys one by one and does not show them meanwhile."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    keyed = termios.tcgetattr(descriptor)
    keyed[3] &= ~(termios.ICANON | termios.ECHO)
    keyed[6][termios.VMIN], keyed[6][termios.VTIME] = 1, 0
    termios.tcsetattr(descriptor, termios.TCSADRAIN, keyed)
    try:
        yield descriptor
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _key(descriptor: int) -> bytes:
    """The bytes of one key, and no byte more: what follows may be the answer to a question."""
    try:
        key = os.read(descriptor, 1)
        while key in (b"\x1b", b"\x1b[", b"\x1bO"):
            if not select.select([descriptor], [], [], _REST_SECONDS)[0]:
                break
            key += os.read(descriptor, 1)
    except OSError:  # the terminal is gone
        return b""
    return key
