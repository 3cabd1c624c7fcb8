"""Parameter expansion: `$x`, `${x…}`, positional and special parameters, arrays."""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables, words
from cc_safety_net.guard.interpret.facts import Glob, Unknown, literal
from cc_safety_net.guard.interpret.operators import edited
from cc_safety_net.guard.interpret.state import ARGUMENTS, OPTIONS, ZERO
from cc_safety_net.guard.interpret.tilde import with_tilde
from cc_safety_net.guard.interpret.values import (
    EMPTY,
    choices_of,
    concat,
    filled,
    known_texts,
    may_be_empty,
    only_text,
    text_choice,
    unite,
    unite_settings,
    unknown_choice,
)
from cc_safety_net.guard.limits import WORD_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State, Variable
    from cc_safety_net.guard.interpret.values import Choices, Settings
    from cc_safety_net.guard.interpret.words import Atom
    from cc_safety_net.guard.shell.posix import nodes

_DEFAULTS = frozenset((":-", ":=", ":?", ":+", "-", "=", "?", "+"))


def expand(m: Machine, state: State, param: nodes.Param, quoted: bool) -> Sequence[Sequence[Atom]]:
    """What the parameter may become, each as atoms."""
    m.effort.spend(1, "a parameter expansion")
    if param.names:
        return _names(m, state, param, quoted)
    if param.indirect:
        return _indirect(m, state, param, quoted)
    if _is_list(param):
        return _list(m, state, param, quoted)
    values = scalar(m, state, param)
    if param.length:
        return [_atoms(choice, quoted) for choice in _lengths(values)]
    if param.op in _DEFAULTS:
        return _with_default(m, state, param, values, quoted)
    choices = choices_of(values)
    if param.op:
        choices = edited(m, state, param, choices)
    return [_atoms(choice, quoted) for choice in choices]


def _atoms(choice: tuple[object, ...], quoted: bool) -> list[Atom]:
    return words.value_atoms(choice, quoted)  # type: ignore[arg-type]  # pieces


def _is_list(param: nodes.Param) -> bool:
    if param.name in ("@", "*"):
        return True
    return param.index is not None and _subscript(param) in ("@", "*")


def _subscript(param: nodes.Param) -> str:
    parts = param.index.parts if param.index is not None else ()
    text = getattr(parts[0], "text", "") if len(parts) == 1 else ""
    return str(text)


def scalar(m: Machine, state: State, param: nodes.Param) -> Settings:
    """The parameter's value, if it is no list."""
    name = param.name
    if param.index is not None:
        return element(m, state, name, param.index)
    if variables.is_name(name) and name != "_":
        return variables.settings(m, state, name)
    return special(m, state, name)


def element(m: Machine, state: State, name: str, index: nodes.Word) -> Settings:
    variable = variables.find(m, state, name)
    keys = subscripts(m, state, name, index)
    if variable is None or keys is None:
        if variable is not None and variable.items is not None and variable.items:
            return unite([c for value in variable.items.values() for c in value] + [()])
        return (
            variables.inherited(m, state, name)
            if variable is None
            else unknown_choice("variable", name)
        )
    if variable.items is None:
        if "a" in variable.flags or "A" in variable.flags:
            return unknown_choice("variable", name)
        return variable.settings if keys == ["0"] else (None,)
    if _is_open(list(variable.items.values())) and keys != ["0"]:
        # A pattern among them moves what follows it.
        lacks = any(not key.isdigit() or int(key) >= len(variable.items) for key in keys)
        every = [choice for value in variable.items.values() for choice in value]
        return unite([*every, ()] if lacks else every)
    out: list[object] = []
    for key in keys:
        out.extend(variable.items.get(_from_end(key, variable.items), (None,)))
    return unite_settings(out)  # type: ignore[arg-type]  # pieces or None


def _from_end(key: str, items: dict[str, Choices]) -> str:
    """A negative index counts from behind."""
    if key[:1] != "-" or not key[1:].isdigit() or not items:
        return key
    last = max((int(k) for k in items if k.isdigit()), default=-1)
    return str(last + 1 + int(key))


def subscripts(m: Machine, state: State, name: str, index: nodes.Word) -> list[str] | None:
    """The keys that a subscript may mean; None if they are not known."""
    variable = variables.find(m, state, name)
    if variable is not None and "A" in variable.flags:
        return known_texts(words.single(m, state, index))
    from cc_safety_net.guard.interpret.integers import evaluate

    value = evaluate(m, state, index)
    return None if value is None else [str(value)]


def special(m: Machine, state: State, name: str) -> Settings:
    """`$1`, `$#`, `$?`, …"""
    if name.isdigit():
        return _positional(state, int(name[:9]))
    if name == "#":
        shapes = state.look(ARGUMENTS) or ((),)
        if None in shapes:
            return unknown_choice("argument", "#", may_be_empty=False)
        return unite([(str(len(shape)),) for shape in shapes])
    if name == "_":
        return m.last
    if name == "-":
        options = state.look(OPTIONS) or ()
        return unknown_choice("variable", "-") if options else (("hBc",),)
    if name == "!":
        return unknown_choice("variable", "!")
    if not name:
        return (None,)
    return unknown_choice("variable", name, may_be_empty=False)


def _positional(state: State, number: int) -> Settings:
    if number == 0:
        zero: Choices = state.look(ZERO) or unknown_choice("argument", "0", may_be_empty=False)
        return zero
    out: list[object] = []
    for shape in state.look(ARGUMENTS) or ((),):
        if shape is None:
            out.extend(unknown_choice("argument", str(number)))
        elif number <= len(shape):
            out.extend(shape[number - 1])
        else:
            out.append(None)
    return unite_settings(out)  # type: ignore[arg-type]  # pieces or None


def _lengths(values: Settings) -> Choices:
    out = []
    for choice in values:
        text = "" if choice is None else literal(choice)
        if text is None:
            return unknown_choice("variable", "#", may_be_empty=False)
        out.append((str(len(text)),))
    return unite(out)


# --- defaults ------------------------------------------------------------------------------------


def _with_default(
    m: Machine, state: State, param: nodes.Param, values: Settings, quoted: bool
) -> list[list[Atom]]:
    """`:-`, `:=`, `:?`, `:+` and the forms without a colon."""
    op = param.op[-1]
    kept: list[object] = []
    replaced = False
    for choice in values:
        holds, lacks = _holds(choice, colon=param.op[0] == ":" and len(param.op) == 2)
        replaced = replaced or (holds if op == "+" else lacks)
        if op == "+":
            if lacks:
                kept.append(())
        elif holds:
            kept.append(filled(choice or ()) if lacks or param.op[0] == ":" else choice)
    out = [_atoms(choice, quoted) for choice in unite(kept)]  # type: ignore[arg-type]  # pieces
    if replaced and op == "?":
        # The shell stops here; whatever follows sees a value.
        _argument(m, state, param, quoted)
        if not out:
            out = [_atoms(unknown_choice("variable", param.name, may_be_empty=False)[0], quoted)]
    elif replaced:
        if op == "=" and param.args:
            # What is assigned has lost its quotes.
            value = words.single(m, state, param.args[0], assigned=True)
            _assign_default(m, state, param, kept, value)
            arguments = [_atoms(choice, quoted) for choice in value]
        else:
            arguments = _argument(m, state, param, quoted)
        out.extend(arguments)
    if len(out) > WORD_VALUES:
        return [_atoms(unknown_choice("limit")[0], quoted)]
    return out or [_atoms((), quoted)]


def _holds(choice: tuple[object, ...] | None, *, colon: bool) -> tuple[bool, bool]:
    """(it may count as set, it may count as not set)."""
    if choice is None:
        return False, True
    if not choice:
        return (False, True) if colon else (True, False)
    if may_be_empty(choice):  # type: ignore[arg-type]  # pieces
        first = choice[0]
        inherited = isinstance(first, Unknown) and first.why in ("environment", "argument")
        return True, colon or inherited
    return True, False


def _argument(m: Machine, state: State, param: nodes.Param, quoted: bool) -> list[list[Atom]]:
    if not param.args:
        return [[(words.QUOTED if quoted else words.SPLIT, "")]]
    parts = with_tilde(m, state, param.args[0].parts)
    nothing: list[Atom] = [(words.QUOTED if quoted else words.SPLIT, "")]
    return [
        [(words.SPLIT, p) if kind == words.SOURCE else (kind, p) for kind, p in atoms] or nothing
        for atoms in words.alternatives(m, state, parts, quoted=quoted)
    ]


def _assign_default(
    m: Machine, state: State, param: nodes.Param, kept: list[object], value: Choices
) -> None:
    if not variables.is_name(param.name):
        return
    variables.assign(m, state, param.name, unite([*kept, *value]))  # type: ignore[list-item]


# --- lists ---------------------------------------------------------------------------------------


def _list(m: Machine, state: State, param: nodes.Param, quoted: bool) -> list[list[Atom]]:
    """`$@`, `$*`, `${a[@]}`, `${a[*]}` with any operator."""
    lists = elements(m, state, param)
    if param.length:
        if any(items is None or _is_open(items) for items in lists):
            return [[(words.FIXED, Unknown("variable", "#", may_be_empty=False))]]
        return [_atoms((str(len(items or ())),), quoted) for items in lists]
    star = (param.name == "*" or _subscript(param) == "*") and quoted
    out: list[list[Atom]] = []
    for items in lists:
        if param.op in _DEFAULTS:
            empty = items is not None and not any(choice for item in items for choice in item)
            if (param.op[-1] == "+") != empty:
                if param.op[-1] == "+":
                    out.extend(_argument(m, state, param, quoted))
                    continue
            elif param.op[-1] == "+":
                out.append([])
                continue
            else:
                out.extend(_argument(m, state, param, quoted))
                continue
        if items is None:
            unknown = Unknown("argument" if param.name in "@*" else "variable", param.name)
            out.append([(words.FIXED if star else words.OPEN, unknown)])
            continue
        if param.op == ":":
            items = _slice(m, state, param, items)  # noqa: PLW2901 - the same list, cut
        elif param.op == "@" and _is_declaration(param):
            from cc_safety_net.guard.interpret.transformations import declaration

            items = [declaration(m, state, param, items)]  # noqa: PLW2901 - as above
        elif param.op and param.op not in _DEFAULTS:
            items = [edited(m, state, param, item) for item in items]  # noqa: PLW2901 - as above
        out.extend(_joined(m, state, items, quoted, star))
    return out


def _is_declaration(param: nodes.Param) -> bool:
    from cc_safety_net.guard.interpret.transformations import is_declaration

    return param.index is not None and is_declaration(param)


def elements(m: Machine, state: State, param: nodes.Param) -> list[list[Choices] | None]:
    """The lists that `$@` or an array may be; None: not known."""
    if param.name in ("@", "*"):
        shapes = state.look(ARGUMENTS) or ((),)
        return [None if shape is None else list(shape) for shape in shapes]
    variable = variables.find(m, state, param.name)
    if variable is None:
        return [None] if variables.inherited(m, state, param.name) else [[]]
    if variable.items is not None:
        return [ordered(variable)]
    if "a" in variable.flags or "A" in variable.flags:
        return [None]
    return [[] if choice is None else [(choice,)] for choice in variable.settings]


def ordered(variable: Variable) -> list[Choices]:
    """The elements as `"${a[@]}"` lists them; the order of an associative array is not known."""
    items = variable.items or {}
    if "A" not in variable.flags:
        return [items[key] for key in sorted(items, key=_position)]
    if len(items) < 2:
        return list(items.values())
    union = unite([choice for value in items.values() for choice in value])
    return [union] * len(items)


def _position(key: str) -> int:
    return int(key) if key.lstrip("-").isdigit() else 0


def _is_open(items: Sequence[Choices]) -> bool:
    """An element is a pattern, which stands for any number of them."""
    return any(isinstance(p, Glob) for item in items for choice in item for p in choice)


def _slice(m: Machine, state: State, param: nodes.Param, items: list[Choices]) -> list[Choices]:
    from cc_safety_net.guard.interpret.integers import evaluate

    offset = evaluate(m, state, param.args[0]) if param.args else 0
    length = evaluate(m, state, param.args[1]) if len(param.args) > 1 else len(items) + 1
    if offset is None or length is None:
        return [unknown_choice("variable", param.name)]
    if param.name in ("@", "*"):
        zero: Choices = state.look(ZERO) or unknown_choice("argument", "0", may_be_empty=False)
        items = [zero, *items]
    if offset < 0:
        offset += len(items)
        if offset < 0:
            return []
    return items[offset : offset + length] if length >= 0 else []


def _joined(
    m: Machine, state: State, items: Sequence[Choices], quoted: bool, star: bool
) -> list[list[Atom]]:
    m.effort.spend(1 + len(items), "a list")
    if star:
        separator = words.field_separators(m, state)[0]
        between = text_choice("" if separator == "\0" else separator)
        total = EMPTY
        for index, item in enumerate(items):
            total = concat(concat(total, between), item) if index else item
        return [_atoms(choice, True) for choice in total]
    found: list[list[Atom]] = [[]]
    for index, item in enumerate(items):
        options = [_atoms(choice, quoted) for choice in item]
        if len(found) * len(options) > WORD_VALUES:
            options = [[(words.FIXED, Unknown("limit"))]]
        if index:
            for atoms in found:
                atoms.append(words.BORDER)
        if len(options) == 1:
            for atoms in found:
                atoms.extend(options[0])
        else:
            found = [atoms + option for atoms in found for option in options]
    return found


# --- names ---------------------------------------------------------------------------------------


def _names(m: Machine, state: State, param: nodes.Param, quoted: bool) -> list[list[Atom]]:
    """`${!prefix*}`, `${!prefix@}`, `${!array[@]}`."""
    if param.names == "keys":
        variable = variables.find(m, state, param.name)
        if variable is None or variable.items is None:
            if variable is not None and "a" not in variable.flags and "A" not in variable.flags:
                return [_atoms(("0",), quoted)]
            return [[(words.OPEN, Unknown("variable", param.name))]]
        keys = list(variable.items)
        if "A" not in variable.flags:
            keys.sort(key=_position)
    else:
        found = state.names()
        m.effort.spend(len(found), "a list of names")
        keys = sorted(
            name for name in found if name.startswith(param.name) and state.look(name) is not None
        )
    star = quoted and (param.names == "*" or _subscript(param) == "*")
    return _joined(m, state, [text_choice(key) for key in keys], quoted, star)


def _indirect(m: Machine, state: State, param: nodes.Param, quoted: bool) -> list[list[Atom]]:
    """`${!name}`: the parameter whose name is the value of `name`."""
    from cc_safety_net.guard.shell.posix import nodes

    variable = state.look(param.name)
    if variable is not None and "n" in variable.flags:
        return [_atoms((variable.target,), quoted)]
    choices = choices_of(scalar(m, state, _bare(param)))
    text = only_text(choices)
    if not text:
        m.failed_expansion()  # there is no name
    if text is None:
        # A name that a program printed: whose, tells what the value may be.
        origin = [
            execution
            for choice in choices
            for piece in choice
            if isinstance(piece, Unknown)
            for execution in piece.origin
        ]
        return [_atoms((Unknown("variable", param.name, origin=origin),), quoted)]
    name, bracket, rest = text.partition("[")
    index = None
    if bracket:
        lit = nodes.Lit(rest.rstrip("]"), quoted=False, start=param.start, end=param.end)
        index = nodes.Word([lit], param.start, param.end)
    if not name:
        return [_atoms((), quoted)]
    target = nodes.Param(
        name, param.start, param.end, op=param.op, args=param.args, index=index, length=param.length
    )
    return [list(atoms) for atoms in expand(m, state, target, quoted)]


def _bare(param: nodes.Param) -> nodes.Param:
    from cc_safety_net.guard.shell.posix import nodes

    return nodes.Param(param.name, param.start, param.end, index=param.index)
