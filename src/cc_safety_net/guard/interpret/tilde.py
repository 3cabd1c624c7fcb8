"""Tilde expansion."""

from __future__ import annotations

from cc_safety_net.guard.interpret.values import choices_of
from cc_safety_net.guard.interpret.variables import is_name, settings
from cc_safety_net.guard.paths import parent
from cc_safety_net.guard.shell.posix.nodes import DoubleQuoted, Lit, Param

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.shell.posix.nodes import WordPart

_PASSWD_BYTES = 64 * 1024


def with_tilde(
    m: Machine, state: State, parts: Sequence[WordPart], *, assigned: bool = False
) -> Sequence[WordPart]:
    """The parts with a leading tilde-prefix replaced; after `:` too in an assigned value."""
    if not parts:
        return parts
    first = parts[0]
    if type(first) is Lit and not first.quoted:
        text = first.text
        if text[:1] == "~":
            made = _expand(m, state, first, text, 0, alone=len(parts) == 1, assigned=assigned)
            if made is not None:
                return (
                    _colons(m, state, [*made, *parts[1:]], 1)
                    if assigned
                    else [
                        *made,
                        *parts[1:],
                    ]
                )
        elif not assigned and "=~" in text:
            head, _, _ = text.partition("=~")
            if is_name(head):
                at = len(head) + 1
                made = _expand(m, state, first, text, at, alone=len(parts) == 1, assigned=True)
                if made is not None:
                    before = Lit(text[:at], quoted=False, start=first.start, end=first.end)
                    return [before, *made, *parts[1:]]
    return _colons(m, state, parts, 0) if assigned else parts


def _colons(m: Machine, state: State, parts: Sequence[WordPart], start: int) -> Sequence[WordPart]:
    """Tildes behind a colon (`PATH=$PATH:~/bin`)."""
    out: list[WordPart] = list(parts[:start])
    todo = list(reversed(parts[start:]))
    while todo:
        part = todo.pop()
        if type(part) is not Lit or part.quoted or ":~" not in part.text:
            out.append(part)
            continue
        text = part.text
        at = text.index(":~") + 1
        m.effort.spend(1, "a tilde")
        made = _expand(m, state, part, text, at, alone=not todo, assigned=True)
        if made is None:
            out.append(part)
            continue
        out.append(Lit(text[:at], quoted=False, start=part.start, end=part.end))
        out.append(made[0])
        todo.extend(made[1:])
    return out


def _expand(
    m: Machine, state: State, lit: Lit, text: str, at: int, *, alone: bool, assigned: bool
) -> list[WordPart] | None:
    end = at + 1
    while end < len(text) and text[end] != "/" and not (assigned and text[end] == ":"):
        end += 1
    if end == len(text) and not alone:
        return None  # the prefix goes on in a quoted or expanded part: it is none
    name = text[at + 1 : end]
    rest: list[WordPart] = (
        [Lit(text[end:], quoted=False, start=lit.start, end=lit.end)] if end < len(text) else []
    )
    parameter = {"": "HOME", "+": "PWD", "-": "OLDPWD"}.get(name)
    if parameter is not None:
        if parameter == "HOME" and choices_of(settings(m, state, "HOME")) == ((),):
            home = m.place.home  # `~` of an unset HOME is the account's home
            return [Lit(home, quoted=True, start=lit.start, end=lit.end), *rest]
        # Quoted: the result is not split and not matched.
        return [DoubleQuoted([Param(parameter, lit.start, lit.end)], lit.start, lit.end), *rest]
    named = state.look("~" + name) if m.named else None
    home_of = named[0] if isinstance(named, tuple) and named else _home_of(m, name)
    if home_of is None:
        return None
    return [Lit(home_of, quoted=True, start=lit.start, end=lit.end), *rest]


def _home_of(m: Machine, user: str) -> str | None:
    if not user.replace("-", "a").replace(".", "a").replace("_", "a").isalnum():
        return None
    environment = m.world.environment
    if user in (environment.get("USER"), environment.get("LOGNAME")):
        return m.place.home
    if user == "root":
        return "/root"
    for line in (m.world.text("/etc/passwd", _PASSWD_BYTES) or "").split("\n"):
        record = line.split(":")
        if record[0] == user and len(record) > 5:
            return record[5]
    # An account of a directory service is not in the file; its home lies beside the others.
    beside = parent(m.place.home) + "/" + user
    return beside if m.world.is_directory(beside) else None
