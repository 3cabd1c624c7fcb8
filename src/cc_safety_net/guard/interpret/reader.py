"""The door to interpretation: shell text in, executions and file accesses out."""

from __future__ import annotations

import sys

from cc_safety_net.guard.interpret import commands, flow
from cc_safety_net.guard.interpret.machine import Frame, Machine
from cc_safety_net.guard.interpret.sources import run_source
from cc_safety_net.guard.interpret.state import ARGUMENTS, CWDS, STACK, State, settle
from cc_safety_net.guard.limits import COMMAND_CHARACTERS, LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Reading
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.place import Place
    from cc_safety_net.guard.world import World

#: Python frames that the deepest permitted nesting needs.
_FRAMES = 12_000


def read_shell(text: str, dialect: str, place: Place, world: World, effort: Effort) -> Reading:
    """What `text` would do in a shell of `dialect` at `place`; raises `LimitReached` only."""
    if len(text) > COMMAND_CHARACTERS:
        raise LimitReached(
            "guard.input-limit", f"a command of more than {COMMAND_CHARACTERS:,} characters"
        )
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)
    m = Machine(place, world, effort)
    m.source = text
    m.run_script = flow.run_script
    m.capture = flow.capture
    if world.environment.get("SHELL", "").endswith("/zsh"):
        m.zsh = "likely"
    state = State()
    state.put(CWDS, (place.directory,))
    state.put(STACK, ())
    state.put(ARGUMENTS, ((),))
    frame = Frame("shell", state)
    layer = State(state)
    m.frames.append(frame)
    if dialect == "auto":
        from cc_safety_net.guard.interpret.detection import dialect_of

        dialect = dialect_of(text)
    if dialect == "posix":
        outcome = run_source(m, layer, text)
    else:
        from cc_safety_net.guard.interpret.dialects import run_dialect

        outcome = run_dialect(m, layer, text, dialect, "shell-string")
    settle(state, (outcome.ok, outcome.fail, *(left for left, _ in frame.left)))
    commands.run_traps(m, state)
    return m.reading
