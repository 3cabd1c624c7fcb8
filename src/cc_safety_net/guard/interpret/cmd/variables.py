"""What `%NAME%`, `%NAME:~0,3%`, `%1`, `%*`, `%~dp0`, `%x` and `!NAME!` stand for."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, literal
from cc_safety_net.guard.interpret.powershell.expressions import without_case
from cc_safety_net.guard.interpret.powershell.values import Value
from cc_safety_net.guard.interpret.powershell.variables import environment_value
from cc_safety_net.guard.interpret.state import ARGUMENTS, ZERO, Variable
from cc_safety_net.guard.interpret.values import EMPTY, concat, merge, text_choice, unite
from cc_safety_net.guard.interpret.windows_paths import posix_pieces, reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.cmd import nodes

#: Key of the state: `!NAME!` is a variable.
DELAYED = "(!"
_UNKNOWN_ARGUMENT = Unknown("argument")
#: What makes an argument need the quotes that it was written with.
_NEEDS_QUOTES = frozenset(" \t,;=&|<>()")


def value_of(m: Machine, state: State, part: nodes.Variable, *, bound: bool) -> Choices:
    """The texts that a variable may be; `bound`: the arguments of the text are known."""
    if part.kind == "argument":
        return _argument(state, part.name, part.modifier, bound=bound)
    if part.kind == "for":
        return _loop_variable(state, part)
    name = part.name
    if part.kind == "delayed" and not (state.look(DELAYED) or _is_set(state, name)):
        return text_choice(f"!{name}!" if not part.modifier else f"!{name}:{part.modifier}!")
    if name.lower() in ("cd", "__cd__"):
        end = "\\" if name.startswith("_") else ""
        return tuple(
            (Unknown("variable", "cd", may_be_empty=False),) if cwd is None else (cwd + end,)
            for cwd in state.cwds
        )
    if name.lower() in ("random", "time", "date", "errorlevel", "cmdcmdline"):
        return ((Unknown("variable", name, may_be_empty=False),),)
    value = environment_value(m, state, name).joined()
    if not part.modifier or value == EMPTY:
        return value
    return unite([piece for choice in value for piece in _modified(choice, part.modifier)])


def _is_set(state: State, name: str) -> bool:
    return isinstance(state.look(name.upper()), Variable)


def _modified(choice: Pieces, modifier: str) -> Choices:
    """`:~start,length` and `:old=new`, of a known text."""
    text = literal(choice)
    if text is None:
        return ((Unknown("variable"),),)
    if modifier.startswith("~"):
        first, comma, second = modifier[1:].partition(",")
        start, length = _number(first or "0"), _number(second) if comma else None
        if start is None or (comma and length is None):
            return ((Unknown("variable"),),)
        start = max(start + len(text), 0) if start < 0 else start
        end = len(text) if length is None else length + (len(text) if length < 0 else start)
        return text_choice(text[start:end])
    old, sign, new = modifier.partition("=")
    if not sign or not old:
        return ((Unknown("variable"),),)
    if old.startswith("*") and len(old) > 1:
        at = text.lower().find(old[1:].lower())
        return text_choice(text if at < 0 else new + text[at + len(old) - 1 :])
    return text_choice(without_case(text, old, new))


def _number(text: str) -> int | None:
    digits = text.strip().lstrip("+-")
    if not digits.isdigit() or len(digits) > 6 or not digits.isascii():
        return None
    return -int(digits) if text.strip().startswith("-") else int(digits)


def _loop_variable(state: State, part: nodes.Variable) -> Choices:
    found = state.look("($%" + part.name.lower())
    if found is None:
        return text_choice(part.raw)
    values = [v.joined() for v in found if isinstance(v, Value)]
    choices = unite([choice for choices in values for choice in choices]) if values else EMPTY
    return _with_letters(state, choices, part.modifier) if part.modifier else choices


def _argument(state: State, name: str, letters: str, *, bound: bool) -> Choices:
    """`%0` to `%9` and `%*`."""
    if name == "0":
        zero: Choices | None = state.look(ZERO)
        if zero is None:
            return ((Unknown("argument", "0", may_be_empty=False),),)
        return _with_letters(state, zero, letters) if letters else _quoted(zero)
    if not bound:
        return ((Unknown("argument", name),),)
    out: list[Pieces] = []
    for words in state.look(ARGUMENTS) or ((),):
        if words is None:
            out.append((_UNKNOWN_ARGUMENT,))
        elif name == "*":
            out.extend(_all(words))
        else:
            at = int(name) - 1
            found: Choices = words[at] if at < len(words) else EMPTY
            out.extend(_with_letters(state, found, letters) if letters else _quoted(found))
    return unite(out)


def _all(words: Sequence[Choices]) -> Choices:
    out: Choices = EMPTY
    for index, word in enumerate(words):
        out = concat(concat(out, text_choice(" ")) if index else out, _quoted(word))
    return out


def _quoted(word: Choices) -> Choices:
    """An argument keeps its quotes."""
    return tuple(
        merge(('"', *choice, '"'))
        if any(isinstance(p, str) and not _NEEDS_QUOTES.isdisjoint(p) for p in choice)
        else choice
        for choice in word
    )


def _with_letters(state: State, word: Choices, letters: str) -> Choices:
    """`%~dp1`: drive, path, name, extension of a path."""
    wanted = set(letters.lower()) & set("fdpnx")
    if not wanted:
        return word
    out: list[Pieces] = []
    for choice in word:
        text = literal(choice)
        if text is None:
            out.append(_part_of_unknown(choice, wanted))
            continue
        path = literal(posix_pieces((text.strip('"'),))) or ""
        if not path:
            out.append(())
            continue
        full = reach(state.cwds, path) if wanted & set("fdp") else (path,)
        out.extend(
            (Unknown("variable", may_be_empty=False),) if one is None else _parts(one, wanted)
            for one in full
        )
    return unite(out)


def _parts(path: str, wanted: set[str]) -> Pieces:
    if "f" in wanted:
        return (path,)
    folder, _, leaf = path.rpartition("/")
    name, dot, extension = leaf.rpartition(".")
    if not dot:
        name, extension = leaf, ""
    drive = folder[:3] if folder[2:3] == ":" else ""
    out = drive if "d" in wanted else ""
    if "p" in wanted:
        out += folder[len(drive) :] + "/"
    if "n" in wanted:
        out += name
    if "x" in wanted:
        out += dot + extension
    return (out,) if out else ()


def _part_of_unknown(choice: Pieces, wanted: set[str]) -> Pieces:
    """A path that is known in part: its directory, if the part that is unknown is the name."""
    first = choice[0] if choice and isinstance(choice[0], str) else ""
    cut = max(first.rfind("/"), first.rfind("\\")) + 1
    rest = [p if isinstance(p, str) else p.text for p in choice[1:] if not isinstance(p, Unknown)]
    if "f" in wanted or {"p", "n"} <= wanted:
        return choice
    if "n" not in wanted and "x" not in wanted:
        return (first[:cut],) if cut and not any("/" in t or "\\" in t for t in rest) else choice
    last = choice[-1]
    if isinstance(last, Glob) and not cut:
        return choice
    return (Unknown("variable", may_be_empty=False),)
