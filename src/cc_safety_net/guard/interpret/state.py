"""The state of a shell: variables, functions, aliases, positional parameters, directories.

States are layers. A branch or subshell writes into a layer of its own, which is dropped or joined
when it ends; nothing is copied. A key is a variable's name or, with a first character that no name
has, something else: `(f` a function, `=a` an alias, `/…` what is listed below.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown
from cc_safety_net.guard.interpret.values import unite_settings
from cc_safety_net.guard.limits import BRANCH_STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.values import Choices, Settings

#: Possible directories: a tuple of absolute paths and None.
CWDS = "/cwds"
#: Directory stack below the current one: a tuple of such tuples, None if it is not known.
STACK = "/stack"
#: Positional parameters: a tuple of possible lists, each a tuple of Choices.
ARGUMENTS = "/arguments"
#: `$0`, as Choices.
ZERO = "/zero"
#: Exported names of the text, and prefix assignments of an enclosing shell: a tuple.
EXPORTED = "/exported"
#: Names of exported functions: a tuple.
FUNCTIONS = "/functions"
#: Options that are on: a tuple of words (`errexit`, `noglob`, …).
OPTIONS = "/options"


class Variable:
    """A variable.

    settings: its possible texts. items: elements of an array (key -> Choices) in order, None for
    a scalar. target: the name that a nameref stands for. flags: attributes of `declare`
    (`i l u x r n a A`).
    """

    __slots__ = ("flags", "items", "settings", "target")

    def __init__(
        self,
        settings: Settings,
        *,
        items: dict[str, Choices] | None = None,
        target: str = "",
        flags: str = "",
    ) -> None:
        self.settings = settings
        self.items = items
        self.target = target
        self.flags = flags


class State:
    """One layer: what was written since it was made, above `parent`."""

    __slots__ = ("depth", "own", "parent")

    def __init__(self, parent: State | None = None) -> None:
        self.own: dict[str, Any] = {}
        if parent is not None and parent.depth >= _LAYERS:
            for layer in reversed(_chain(parent, None)):
                self.own.update(layer.own)
            parent = None
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1

    def look(self, key: str) -> Any:
        """The value of `key`, None if nothing was written."""
        layer: State | None = self
        while layer is not None:
            if key in layer.own:
                return layer.own[key]
            layer = layer.parent
        return None

    def put(self, key: str, value: Any) -> None:
        self.own[key] = value

    def names(self) -> set[str]:
        """All keys that were ever written."""
        found: set[str] = set()
        layer: State | None = self
        while layer is not None:
            found.update(layer.own)
            layer = layer.parent
        return found

    @property
    def cwds(self) -> tuple[str | None, ...]:
        found: tuple[str | None, ...] = self.look(CWDS)
        return found

    def option(self, name: str) -> bool:
        return name in (self.look(OPTIONS) or ())


def settle(base: State, outcomes: Sequence[State | None]) -> bool:
    """Make `base` what is true after any of `outcomes`, all of them layers above it or itself.

    False if there is none: the text behind is not reached.
    """
    live = [state for state in dict.fromkeys(outcomes) if state is not None]
    if not live:
        return False
    if live != [base]:
        base.own.update(_joined(base, live))
    return True


def above(state: State, base: State) -> State:
    """A copy of `state` that no longer depends on layers between it and `base`."""
    copy = State(base)
    for layer in reversed(_chain(state, base)):
        copy.own.update(layer.own)
    return copy


def joined(base: State, outcomes: Sequence[State | None]) -> State | None:
    """What is true after any of `outcomes`, as a layer of its own above `base`."""
    live = [state for state in dict.fromkeys(outcomes) if state is not None]
    if len(live) < 2:
        return live[0] if live else None
    layer = State(base)
    layer.own.update(_joined(base, live))
    return layer


def _joined(base: State, live: list[State]) -> dict[str, Any]:
    keys: dict[str, None] = {}
    for state in live:
        for layer in _chain(state, base):
            keys.update(dict.fromkeys(layer.own))
    return {key: join(key, [state.look(key) for state in live]) for key in keys}


def _chain(state: State, base: State | None) -> list[State]:
    """The layers from `state` down to `base`, without `base`."""
    layers = []
    layer: State | None = state
    while layer is not None and layer is not base:
        layers.append(layer)
        layer = layer.parent
    return layers


def join(key: str, values: list[Any]) -> Any:
    """What `key` may be when it is one of `values`; None among them: never written."""
    first = values[0]
    if all(value is first for value in values):
        return first
    if key[:1] not in _SPECIAL:
        return _join_variables(values)
    if key == STACK:
        return first if all(value == first for value in values) else None
    if key in (OPTIONS, FUNCTIONS):
        return _union([value or () for value in values])
    if key == EXPORTED:
        return _join_exported(values)
    return _union(values)[:BRANCH_STATES]


_SPECIAL = ("/", "(", "=")
#: Deeper stacks of layers are flattened.
_LAYERS = 96


def _join_exported(values: list[Any]) -> tuple[str, ...]:
    """Names that are exported in some of the outcomes only are marked by a `?`."""
    sets = [value or () for value in values]
    out = dict.fromkeys(name for names in sets for name in names)
    for name in list(out):
        plain = name.lstrip("?")
        if any(name not in names for names in sets) and name == plain:
            del out[name]
            out["?" + name] = None
    return tuple(out)


def _union(values: list[Any]) -> tuple[Any, ...]:
    """The union of tuples; for a function or alias, None (not defined) is a member of its own."""
    seen: dict[Any, None] = {}
    for value in values:
        if value is None:
            seen[None] = None
        else:
            seen.update(dict.fromkeys(value))
    return tuple(seen)


def _join_variables(values: list[Any]) -> Variable:
    present: list[Variable] = [value for value in values if value is not None]
    if any("n" in v.flags for v in present) and any(v.target != present[0].target for v in present):
        return Variable(((Unknown("variable"),),))
    flags = "".join(dict.fromkeys("".join(variable.flags for variable in present)))
    settings: list[Any] = []
    for value in values:
        # None: what the environment gives, which is looked up by the caller under this marker.
        settings.extend((INHERITED,) if value is None else value.settings)
    arrays = [variable.items for variable in present]
    items = arrays[0] if all(array == arrays[0] for array in arrays) else None
    if len(present) < len(values) and items is not None:
        items = None
    target = present[0].target if all(v.target == present[0].target for v in present) else ""
    return Variable(unite_settings(settings), items=items, target=target, flags=flags)


#: A setting that stands for the value the variable had before the text began.
INHERITED = ("\x00inherited",)
