"""Descriptors beyond the three that every command has: what they read, and what they write to."""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables
from cc_safety_net.guard.interpret.contents import content_at, contents_of, paths_of, write
from cc_safety_net.guard.interpret.values import EMPTY, concat, text_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Redirection, Word
    from cc_safety_net.guard.interpret.machine import Input, Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

_DESCRIPTORS = 64
#: The first number that the shell itself gives to a descriptor.
_FIRST = 10
_WRITES = frozenset((">", ">>", ">|", "<>"))


def number_for(m: Machine, state: State, name: str, target: Word) -> int:
    """The descriptor of `{name}>file`: a new one, or the one that `{name}>&-` closes."""
    if target.text == "-":
        held = variables.integer(m, state, name)
        return held if held is not None and 0 <= held < 1 << 16 else _FIRST
    taken = {*m.descriptors, *m.sinks}
    number = next(n for n in range(_FIRST, _FIRST + len(taken) + 1) if f"/dev/fd/{n}" not in taken)
    variables.assign(m, state, name, text_choice(str(number)))
    return number


def open_sinks(m: Machine, cwds: Sequence[str | None], redirects: Sequence[Redirection]) -> None:
    """Note the files that descriptors beyond the third write to from here on."""
    m.sinks = dict(m.sinks)
    for redirect in redirects:
        if redirect.fd is None or redirect.fd < 3 or redirect.op[0] not in "<>":
            continue
        name = f"/dev/fd/{redirect.fd}"
        before = m.sinks.pop(name, None)
        if redirect.op == ">&":
            moved = (redirect.target.text or "").rstrip("-")
            found = m.sinks.get(f"/dev/fd/{moved}") if moved else None
            if found is not None:
                m.sinks[name] = found
        elif redirect.op in _WRITES and len(m.sinks) < _DESCRIPTORS:
            m.sinks[name] = (redirect.target, tuple(cwds))
            # What a redirection opens twice, for its command and for the body, is one.
            if redirect.op != ">>" and before != m.sinks[name]:
                _empty(m, cwds, redirect)


def _empty(m: Machine, cwds: Sequence[str | None], redirect: Redirection) -> None:
    """An opened file begins anew; one that is opened for both is written from its beginning."""
    paths = paths_of(cwds, redirect.target) or ()
    if redirect.op != "<>" or any(content_at(m, path) is not None for path in paths):
        write(m, cwds, redirect.target, EMPTY, append=False)


def opened(
    m: Machine, cwds: Sequence[str | None], redirects: Sequence[Redirection]
) -> dict[str, Input | None]:
    """What redirections of input open, by the descriptors' names as files; None: not known."""
    from cc_safety_net.guard.interpret.machine import Input

    out: dict[str, Input | None] = {}
    for redirect in redirects:
        choices: Choices | None = None
        origin: tuple[Execution, ...] = ()
        if redirect.op in ("<<", "<<-"):
            choices = redirect.target.choices
        elif redirect.op == "<<<":
            choices = concat(redirect.target.choices, text_choice("\n"))
        elif redirect.op in ("<", "<>"):
            choices, origin = contents_of(m, cwds, redirect.target)
        elif redirect.fd is None:
            continue
        name = f"/dev/fd/{redirect.fd or 0}"
        out[name] = None if choices is None else Input(choices, origin)
    return out


def open_further(m: Machine, cwds: Sequence[str | None], redirects: Sequence[Redirection]) -> None:
    """Open descriptors beyond the three that every command has."""
    further = [r for r in redirects if r.fd is not None and r.fd > 2]
    _open_all(m, opened(m, cwds, further))


def keep_open(m: Machine) -> None:
    """What `exec 3< file` opened stays open for what follows."""
    kept, m.kept = m.kept, {}
    if "/dev/fd/0" in kept:
        m.input, m.feeds = kept.pop("/dev/fd/0"), ()
    _open_all(m, kept)


def _open_all(m: Machine, found: dict[str, Input | None]) -> None:
    m.descriptors = dict(m.descriptors)
    for name, given in found.items():
        if given is None:
            m.descriptors.pop(name, None)
        elif len(m.descriptors) < _DESCRIPTORS:
            m.descriptors[name] = given
