"""Words as zsh reads them where bash reads them otherwise: arrays, and qualifiers of patterns."""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables
from cc_safety_net.guard.interpret.values import known_texts, text_choice, unite
from cc_safety_net.guard.shell.posix import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State, Variable
    from cc_safety_net.guard.interpret.values import Choices

#: Letters and signs of glob qualifiers.
_QUALIFIERS = frozenset("/.@=p*%rwxARWXEsStUGNDnMTFLmaco0123456789-+^,[]ukMhHKkb:")


def in_zsh(
    m: Machine, state: State, parts: Sequence[nodes.WordPart]
) -> list[nodes.WordPart] | None:
    """The parts with zsh's way of naming arrays in bash's; None if both read them alike."""
    out: list[nodes.WordPart] = []
    changed = False
    index = 0
    while index < len(parts):
        part = parts[index]
        index += 1
        if isinstance(part, nodes.DoubleQuoted):
            inner = in_zsh(m, state, part.parts)
            if inner is not None:
                changed = True
                part = nodes.DoubleQuoted(inner, part.start, part.end)
        elif isinstance(part, nodes.Param):
            array = _array(m, state, part)
            if array is not None:
                found, taken = _named(m, part, array, parts[index:])
                if found is not part:
                    changed = True
                    out.extend(found if isinstance(found, list) else [found])
                    index += taken
                    continue
        out.append(part)
    return out if changed else None


def _array(m: Machine, state: State, part: nodes.Param) -> Variable | None:
    if part.length or part.indirect or part.names or not variables.is_name(part.name):
        return None
    if part.op and not (part.op == "@" and part.args and _text(part.args[0].parts)[:1] == "("):
        return None
    variable = variables.find(m, state, part.name)
    return variable if variable is not None and variable.items else None


def _named(
    m: Machine, part: nodes.Param, array: Variable, rest: Sequence[nodes.WordPart]
) -> tuple[nodes.Param | list[nodes.WordPart], int]:
    """(what stands for the parameter, how many of the parts behind it belong to it)."""
    if part.index is not None:
        text = _text(part.index.parts)
        if m.zsh != "maybe" and text.isdigit() and int(text[:6]) > 0 and "A" not in array.flags:
            return _element(part, str(int(text[:6]) - 1)), 0
        return part, 0
    follows = rest[0] if rest else None
    plain = part.end - part.start == len(part.name) + 1
    if isinstance(follows, nodes.Lit) and plain and follows.text.startswith("["):
        subscript, bracket, tail = follows.text[1:].partition("]")
        if not bracket:
            return part, 0
        found: list[nodes.WordPart] = [_element(part, _index(subscript, array))]
        if tail:
            found.append(nodes.Lit(tail, follows.quoted, follows.start, follows.end))
        return found, 1
    return _element(part, "@"), 0


def _index(subscript: str, array: Variable) -> str:
    """The subscript as bash counts; all elements where that is not known."""
    if "A" in array.flags:
        return subscript
    number = subscript.lstrip("-")
    if not number.isdigit() or not subscript:
        return "@"
    return subscript if subscript[0] == "-" else str(max(int(number[:6]) - 1, 0))


def _element(part: nodes.Param, index: str) -> nodes.Param:
    lit = nodes.Lit(index, False, part.start, part.end)
    word = nodes.Word([lit], part.start, part.end)
    return nodes.Param(part.name, part.start, part.end, index=word)


def _text(parts: Sequence[nodes.WordPart]) -> str:
    return str(getattr(parts[0], "text", "")) if len(parts) == 1 else ""


def is_qualifier(m: Machine, state: State, word: nodes.Word) -> bool:
    """What stands in `*( … )` may be qualifiers of zsh; code among them is run."""
    parts = word.parts
    if not parts:
        return False
    first = parts[0]
    head = first.text if isinstance(first, nodes.Lit) else ""
    if head[:1] == "e" and (len(parts) > 1 or len(head) > 2):
        _evaluate(m, state, word)
        return True
    text = _text(parts)
    return bool(text) and all(letter in _QUALIFIERS for letter in text)


def _written(part: nodes.WordPart) -> str:
    if isinstance(part, nodes.DoubleQuoted):
        return "".join(_written(inner) for inner in part.parts)
    return str(getattr(part, "text", ""))


def _evaluate(m: Machine, state: State, word: nodes.Word) -> None:
    """`*(e:'code':)`."""
    from cc_safety_net.guard.interpret.facts import known
    from cc_safety_net.guard.interpret.state import State as Layer
    from cc_safety_net.guard.interpret.texts import run_text

    text = "".join(_written(part) for part in word.parts)[1:]
    mark = text[:1]
    code = text[1:].removesuffix(mark) if mark and not mark.isalnum() else ""
    if code:
        span, m.span = m.span, m.span or m.span_of(word)
        run_text(m, Layer(state), known(code, *m.span), "", how="eval")
        m.span = span


def modified(param: nodes.Param, choices: Choices) -> Choices | None:
    """zsh's `${x:h}` and the like; to bash the letter is a number, of nothing mostly."""
    parts = param.args[0].parts if len(param.args) == 1 else ()
    letter = str(getattr(parts[0], "text", "")) if len(parts) == 1 else ""
    modify = _MODIFIERS.get(letter)
    texts = known_texts(choices)
    if modify is None or texts is None:
        return None
    return unite([*choices, *(choice for text in texts for choice in text_choice(modify(text)))])


_MODIFIERS: dict[str, Callable[[str], str]] = {
    "h": lambda text: text.rstrip("/").rpartition("/")[0] or ("/" if text[:1] == "/" else "."),
    "t": lambda text: text.rstrip("/").rpartition("/")[2],
    "r": lambda text: text.rpartition(".")[0] or text,
    "l": str.lower,
    "u": str.upper,
}
