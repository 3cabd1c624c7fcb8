"""Variables by name: look-up with what the environment gives, and assignment."""

from __future__ import annotations

from cc_safety_net.guard.interpret import arithmetic
from cc_safety_net.guard.interpret.state import CWDS, EXPORTED, INHERITED, Variable
from cc_safety_net.guard.interpret.values import (
    EMPTY,
    choices_of,
    concat,
    known_texts,
    text_choice,
    unite,
    unite_settings,
    unknown_choice,
)
from cc_safety_net.guard.limits import WORD_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices, Settings

_ENVIRONMENT = frozenset(("TMPDIR", "USER", "LOGNAME", "SHELL"))
#: The shell sets these; they are never empty.
_SET_BY_SHELL = frozenset(
    (
        "BASH",
        "BASHPID",
        "BASH_VERSION",
        "EPOCHREALTIME",
        "EPOCHSECONDS",
        "EUID",
        "HOSTNAME",
        "HOSTTYPE",
        "LINENO",
        "MACHTYPE",
        "OSTYPE",
        "PATH",
        "PPID",
        "RANDOM",
        "SECONDS",
        "SRANDOM",
        "UID",
    )
)
_HOPS = 8
#: Elements of an array that are followed.
_ELEMENTS = 4_096
_TRUSTED = ("HOME", "TMPDIR")


def find(m: Machine, state: State, name: str) -> Variable | None:
    """The variable, namerefs followed; None if the text never set it."""
    name = resolve(state, name)
    variable: Variable | None = state.look(name)
    if variable is not None and INHERITED in variable.settings:
        own = [setting for setting in variable.settings if setting != INHERITED]
        settings = unite_settings([*own, *inherited(m, state, name)])
        return Variable(settings, items=variable.items, flags=variable.flags)
    return variable


def settings(m: Machine, state: State, name: str) -> Settings:
    """What the variable may hold; None among the choices: it is not set."""
    variable = find(m, state, name)
    if variable is None:
        return inherited(m, state, name)
    if variable.items is not None:
        return variable.items.get("0", (None,))
    return variable.settings


def inherited(m: Machine, state: State, name: str) -> Settings:
    """What a variable holds that the text has not set."""
    if name == "HOME":
        return text_choice(m.world.environment.get("HOME") or m.place.home)
    if name == "PWD":
        return directories(state.cwds, "PWD")
    if name == "IFS":
        return ((" \t\n",),)
    if name in _ENVIRONMENT or name.startswith("XDG_"):
        value = m.world.environment.get(name)
        if value is not None:
            return text_choice(value)
        return unknown_choice("environment", name)
    if name in _SET_BY_SHELL:
        return unknown_choice("variable", name, may_be_empty=False)
    return unknown_choice("environment", name)


def directories(cwds: tuple[str | None, ...], name: str) -> Choices:
    out: list[tuple[object, ...]] = []
    for cwd in cwds:
        if cwd is None:
            out.extend(unknown_choice("variable", name, may_be_empty=False))
        else:
            out.append((cwd,))
    return unite(out)  # type: ignore[arg-type]  # strings and unknowns


def assign(
    m: Machine,
    state: State,
    name: str,
    value: Choices,
    *,
    append: bool = False,
    key: str | None = None,
) -> None:
    """`name=value`, `name+=value`, `name[key]=value`; no name, no variable."""
    name = resolve(state, name)
    if not is_name(name):
        return
    old = find(m, state, name)
    if name in _TRUSTED:
        m.reading.reassigned.add(name)
    flags = old.flags if old is not None else ""
    if "r" in flags:
        return
    if key is not None or (old is not None and old.items is not None):
        _assign_element(m, state, name, value, key if key is not None else "0", append)
        return
    if append:
        value = appended(choices_of(settings(m, state, name)), value, flags)
    elif "i" in flags:
        value = _sum(EMPTY, value)
    value = _cased(value, flags)
    state.put(name, Variable(value, flags=flags))
    if state.option("allexport"):
        export(state, name)


def appended(before: Choices, value: Choices, flags: str) -> Choices:
    """`+=` of a variable with these attributes."""
    return _sum(before, value) if "i" in flags else concat(before, value)


def _assign_element(
    m: Machine, state: State, name: str, value: Choices, key: str, append: bool
) -> None:
    old = find(m, state, name)
    flags = old.flags if old is not None else ""
    if old is None:
        items: dict[str, Choices] | None = {}
    elif old.items is not None:
        items = dict(old.items)
    elif "a" in flags or "A" in flags:
        items = None  # an array that is not known
    else:
        items = {"0": choices_of(old.settings)} if old.settings != (None,) else {}
    if items is None or len(items) >= _ELEMENTS:
        state.put(name, Variable(unknown_choice("variable", name), flags=flags))
        return
    m.effort.spend(1 + len(items) // 8, "an array")
    if append and key in items:
        value = appended(items[key], value, flags)
    items[key] = _cased(value, flags)
    m.arrays = True
    state.put(name, Variable(items.get("0", EMPTY), items=items, flags=flags or "a"))


def assign_array(
    m: Machine,
    state: State,
    name: str,
    items: dict[str, Choices] | None,
    *,
    flags: str = "",
) -> None:
    """`name=( … )`; None for elements that are not known."""
    name = resolve(state, name)
    if not is_name(name):
        return
    old = find(m, state, name)
    flags = "".join(dict.fromkeys((old.flags if old is not None else "") + flags))
    if "a" not in flags and "A" not in flags:
        flags += "a"
    m.effort.spend(1 + len(items or ()) // 8, "an array")
    if items is None:
        state.put(name, Variable(unknown_choice("variable", name), flags=flags))
        return
    m.arrays = True
    state.put(name, Variable(items.get("0", EMPTY), items=items, flags=flags))


def declare(
    m: Machine, state: State, name: str, on: str, off: str = "", value: Choices | None = None
) -> None:
    """Attributes of `declare`, with a value if one is given."""
    if "n" in on:
        texts = known_texts(value) if value is not None else None
        target = texts[0] if texts is not None and len(texts) == 1 else ""
        state.put(name, Variable(value or EMPTY, target=target, flags="n"))
        return
    old: Variable | None = state.look(name)
    if old is None and (on or off):
        held: Settings = inherited(m, state, name) if value is None else EMPTY
        state.put(name, Variable(held, items=_no_items((None,), None, on), flags=on))
    elif old is not None:
        flags = "".join(f for f in dict.fromkeys(old.flags + on) if f not in off)
        items = _no_items(old.settings, old.items, on)
        state.put(name, Variable(old.settings, items=items, target=old.target, flags=flags))
    if value is not None:
        read_only = "r" in on
        if read_only:
            _drop_flag(state, name, "r")
        assign(m, state, name, value)
        if read_only:
            declare(m, state, name, "r")
    if "x" in on:
        export(state, name)


def _no_items(
    held: Settings, items: dict[str, Choices] | None, on: str
) -> dict[str, Choices] | None:
    """A variable that had no value and is declared as an array has no elements, for certain."""
    return {} if items is None and held == (None,) and ("a" in on or "A" in on) else items


def _drop_flag(state: State, name: str, flag: str) -> None:
    old: Variable | None = state.look(name)
    if old is not None:
        flags = old.flags.replace(flag, "")
        state.put(name, Variable(old.settings, items=old.items, target=old.target, flags=flags))


def unset(state: State, name: str, key: str | None = None) -> None:
    name = resolve(state, name)
    old: Variable | None = state.look(name)
    if key is not None and old is not None and old.items is not None:
        items = {k: v for k, v in old.items.items() if k != key}
        state.put(name, Variable(items.get("0", EMPTY), items=items, flags=old.flags))
        return
    state.put(name, Variable((None,)))


def export(state: State, name: str) -> None:
    names = state.look(EXPORTED) or ()
    if name not in names:
        state.put(EXPORTED, (*names, name)[-WORD_VALUES:])


def resolve(state: State, name: str) -> str:
    """The name that a nameref leads to."""
    for _ in range(_HOPS):
        variable: Variable | None = state.look(name)
        if variable is None or "n" not in variable.flags or not variable.target:
            return name
        name = variable.target
    return name


def change_directory(state: State, cwds: tuple[str | None, ...]) -> None:
    """Enter one of `cwds`; `$OLDPWD` follows, and `$PWD` is the shell's own again."""
    state.put("OLDPWD", Variable(directories(state.cwds, "OLDPWD")))
    state.put(CWDS, cwds)
    if state.look("PWD") is not None:
        state.put("PWD", None)


def integer(m: Machine, state: State, name: str) -> int | None:
    """The variable as arithmetic sees it: 0 if it is empty, None if it is not known."""
    for _ in range(_HOPS):
        texts = known_texts(choices_of(settings(m, state, name)))
        if texts is None or len(texts) != 1:
            return None
        text = texts[0].strip()
        if not text:
            return 0
        value = arithmetic.number(text)
        if value is not None:
            return value
        if not is_name(text):
            return None
        name = text
    return None


def is_name(text: str) -> bool:
    return text.isascii() and text.replace("_", "a").isalnum() and not text[:1].isdigit()


def _sum(first: Choices, second: Choices) -> Choices:
    a, b = known_texts(first), known_texts(second)
    if a is None or b is None or len(a) != 1 or len(b) != 1:
        return unknown_choice("arithmetic", may_be_empty=False)
    left, right = arithmetic.number(a[0] or "0"), arithmetic.number(b[0] or "0")
    if left is None or right is None:
        return unknown_choice("arithmetic", may_be_empty=False)
    return text_choice(str(left + right))


def _cased(value: Choices, flags: str) -> Choices:
    if "l" not in flags and "u" not in flags:
        return value
    texts = known_texts(value)
    if texts is None:
        return value
    return unite(
        [(t,) if t else () for t in (x.lower() if "l" in flags else x.upper() for x in texts)]
    )
