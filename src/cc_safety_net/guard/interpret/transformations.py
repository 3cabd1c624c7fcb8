"""Transformations that read a value as shell text: `${x@P}`, `${x@A}`, zsh's `${(e)x}`."""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables, words
from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.values import choices_of, text_choice, unite, unknown_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.posix import nodes

#: What a prompt's escapes stand for; the others are not known.
_PROMPT = {
    "$": "$",
    "\\": "\\\\",
    "[": "",
    "]": "",
    "a": "\a",
    "e": "\x1b",
    "n": "\n",
    "r": "\r",
    "s": "bash",
}


def transformed(m: Machine, state: State, param: nodes.Param, choices: Choices) -> Choices | None:
    """The choices behind such a transformation, None if it is another one."""
    kind = _kind(param)
    if kind in ("P", "(e)"):
        at = m.span or m.span_of(param)
        found = [_expanded(m, state, choice, at, prompt=kind == "P") for choice in choices]
        return unite([choice for one in found for choice in one])
    if kind == "(P)":
        out: list[Pieces] = []
        for choice in choices:
            name = literal(choice)
            if name is None or not variables.is_name(name):
                return unknown_choice("variable", param.name)
            out.extend(choices_of(variables.settings(m, state, name)))
        return unite(out)
    if kind == "a":
        found_variable = variables.find(m, state, param.name)
        return text_choice(found_variable.flags) if found_variable is not None else None
    if kind == "A":
        return _assignments(m, state, param, choices)
    return None


def _kind(param: nodes.Param) -> str:
    parts = param.args[0].parts if param.args else ()
    return str(getattr(parts[0], "text", "")) if len(parts) == 1 else ""


def _assignments(m: Machine, state: State, param: nodes.Param, choices: Choices) -> Choices:
    """The value as an assignment that makes it again."""
    variable = variables.find(m, state, param.name)
    flags = variable.flags if variable is not None else ""
    head = f"declare -{flags} {param.name}=" if flags else f"{param.name}="
    out: list[Pieces] = []
    for choice in choices:
        text = literal(choice)
        if text is None:
            return unknown_choice("variable", param.name)
        out.append((head + quoted(text),))
    return unite(out)


def declaration(m: Machine, state: State, param: nodes.Param, items: list[Choices]) -> Choices:
    """`${a[@]@A}`: the whole array as a declaration."""
    variable = variables.find(m, state, param.name)
    keys = list(variable.items) if variable is not None and variable.items is not None else []
    if not keys or len(keys) != len(items):
        return unknown_choice("variable", param.name)
    flag = "A" if variable is not None and "A" in variable.flags else "a"
    found = []
    for key in keys:
        choices = variable.items[key] if variable is not None and variable.items else ()
        text = literal(choices[0]) if len(choices) == 1 else None
        if text is None:
            return unknown_choice("variable", param.name)
        found.append(f"[{quoted(key) if flag == 'A' else key}]={quoted(text)}")
    return text_choice(f"declare -{flag} {param.name}=({' '.join(found)})")


def is_declaration(param: nodes.Param) -> bool:
    return param.op == "@" and _kind(param) == "A"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def expand_prompt(m: Machine, state: State, name: str) -> None:
    """Expand the prompt in a variable, as the shell does before it shows it."""
    last = m.reading.executions[-1] if m.reading.executions else None
    at = m.span or ((last.start, last.end) if last is not None else (0, 0))
    for choice in choices_of(variables.settings(m, state, name)):
        _expanded(m, state, choice, at, prompt=True)


def _expanded(
    m: Machine, state: State, choice: Pieces, at: tuple[int, int], *, prompt: bool
) -> Choices:
    """The value read as if it stood in double quotes."""
    from cc_safety_net.guard.shell.posix.parser import quoted_word

    out = []
    for piece in choice:
        if isinstance(piece, str):
            out.append(_decoded(m, piece) if prompt else piece)
        else:
            out.append(m.hole(piece))
    text = "".join(out)
    if "$" not in text and "`" not in text and "\\" not in text and not m.holes:
        return text_choice(text)
    m.enter("a prompt")
    span, m.span = m.span, at
    found = words.single(m, state, quoted_word(text, m.effort))
    m.span = span
    m.depth -= 1
    return found


def _decoded(m: Machine, text: str) -> str:
    """The escapes of a prompt."""
    pieces = text.split("\\")
    out = [pieces[0]]
    at = 1
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if not piece:
            # A backslash that is escaped; what follows it is plain.
            out.append("\\\\")
            if at < len(pieces):
                out.append(pieces[at])
                at += 1
            continue
        known = _PROMPT.get(piece[0])
        if known is None and piece[0].isalpha():
            unknown = Unknown("variable", "PS1", may_be_empty=False)
            out.append(m.hole(unknown) + piece[1:])
        else:
            out.append(piece if known is None else known + piece[1:])
    return "".join(out)
