"""Expansion of words: from what is written to the fields a program gets.

Order as in the shell: braces, tilde, parameters, arithmetic and substitutions, splitting. Pattern
characters that stay active become `Glob` pieces: the tree on disk is looked at only for the name
of a program.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret import braces, parameters, patterns
from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word
from cc_safety_net.guard.interpret.machine import HOLE
from cc_safety_net.guard.interpret.tilde import with_tilde
from cc_safety_net.guard.interpret.values import (
    choices_of,
    merge,
    only_text,
    unite,
    unknown_choice,
)
from cc_safety_net.guard.interpret.variables import settings
from cc_safety_net.guard.limits import WORD_VALUES
from cc_safety_net.guard.shell.posix import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.facts import Piece, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

    #: A part of a word on its way to fields: how it is treated, and what it is.
    Atom: TypeAlias = tuple[int, Piece]
    Field: TypeAlias = tuple[Pieces, bool]

#: Text as it is.
QUOTED = 0
#: Written text: patterns in it are active, it is not split.
SOURCE = 1
#: Text from an expansion: split, then patterns are active.
SPLIT = 2
#: An unknown or pattern that is not split.
FIXED = 3
#: An unknown that may be split into several fields or none.
OPEN = 4
#: A border between two fields (`"$@"`).
BREAK = 5
BORDER: Atom = (BREAK, "")

#: Different numbers of fields that one list of words may have.
_SHAPES = 16


def fields(m: Machine, state: State, words: Sequence[nodes.Word]) -> list[list[Word]]:
    """The words as a program may get them: one list for each number of fields that is possible."""
    shapes: list[list[Word]] = [[]]
    span, base = m.span, m.base
    for word in words:
        plain = _plain(word)
        if plain is not None:
            start, end = span or (word.start + base, word.end + base)
            made = Word(((plain,) if plain else (),), start, end)
            for shape in shapes:
                shape.append(made)
            continue
        options = word_shapes(m, state, word)
        m.effort.spend(1 + sum(len(option) for option in options), "the expansion of a word")
        if len(options) == 1:
            for shape in shapes:
                shape.extend(options[0])
        elif len(options) * len(shapes) <= _SHAPES:
            shapes = [shape + option for shape in shapes for option in options]
        else:
            start, end = m.span_of(word)
            for shape in shapes:
                shape.append(Word(unknown_choice("limit"), start, end, splits=True))
    return shapes


def word_shapes(m: Machine, state: State, word: nodes.Word) -> list[list[Word]]:
    """The fields of one word, a list for each number of them."""
    shapes: list[list[Word]] = [[]]
    for parts in braces.expand(word.parts):
        parts = with_tilde(m, state, parts)  # noqa: PLW2901 - the same word, one step further
        atoms = alternatives(m, state, parts)
        if m.arrays and m.zsh:
            from cc_safety_net.guard.interpret.zsh_words import in_zsh

            other = in_zsh(m, state, parts)
            if other is not None:
                found = alternatives(m, state, other)
                atoms = found if m.zsh == "yes" else atoms + found
        options = _group(m, word, [_finish(m, state, a) for a in atoms])
        if len(shapes) * len(options) > _SHAPES:
            start, end = m.span_of(word)
            return [[Word(unknown_choice("limit"), start, end, splits=True)]]
        if len(options) == 1:
            for shape in shapes:
                shape.extend(options[0])
        else:
            shapes = [shape + option for shape in shapes for option in options]
    return shapes


def _plain(word: nodes.Word) -> str | None:
    """The text of a word without any expansion: the everyday case."""
    parts = word.parts
    if len(parts) != 1:
        return None
    part = parts[0]
    if type(part) is not nodes.Lit:
        return None
    text = part.text
    if text.isascii():
        if part.quoted:
            return text
        if text[:1] != "~" and "=~" not in text and not patterns.is_active(text):
            return text
    return None


def _group(m: Machine, word: nodes.Word, options: list[list[Field]]) -> list[list[Word]]:
    start, end = m.span_of(word)
    by_count: dict[int, list[list[Field]]] = {}
    for option in options:
        by_count.setdefault(len(option), []).append(option)
    out = []
    for count, group in by_count.items():
        shape = []
        for index in range(count):
            choices = unite([option[index][0] for option in group])
            splits = any(option[index][1] for option in group)
            shape.append(Word(choices, start, end, splits=splits))
        out.append(shape)
    return out


def single(m: Machine, state: State, word: nodes.Word, *, assigned: bool = False) -> Choices:
    """The word as one text, without splitting: a value, a `case` word, a redirection's target."""
    plain = _plain(word)
    if plain is not None and not (assigned and ":~" in plain):
        return ((plain,),) if plain else ((),)
    parts = with_tilde(m, state, word.parts, assigned=assigned)
    out: list[Pieces] = []
    found = alternatives(m, state, parts)
    if m.arrays and m.zsh:
        from cc_safety_net.guard.interpret.zsh_words import in_zsh

        other = in_zsh(m, state, parts)
        if other is not None:
            more = alternatives(m, state, other)
            found = more if m.zsh == "yes" else found + more
    for atoms in found:
        pieces: list[Piece] = []
        for kind, piece in atoms:
            pieces.append(" " if kind == BREAK else piece)
        out.append(merge(pieces))
    return unite(out)


def target(m: Machine, state: State, word: nodes.Word) -> Word:
    """A redirection's target: not split, but patterns are active."""
    start, end = m.span_of(word)
    plain = _plain(word)
    if plain is not None:
        return Word(((plain,) if plain else (),), start, end)
    shapes = word_shapes(m, state, word)
    if len(shapes) == 1 and len(shapes[0]) == 1:
        return shapes[0][0]
    return Word(single(m, state, word), start, end)


def pattern(m: Machine, state: State, word: nodes.Word) -> list[str] | None:
    """The word as patterns (a backslash marks literal characters), None if it is not known."""
    out = []
    for atoms in alternatives(m, state, with_tilde(m, state, word.parts)):
        pieces = []
        for kind, piece in atoms:
            if isinstance(piece, Glob):
                pieces.append(piece.text)
            elif not isinstance(piece, str):
                return None
            else:
                pieces.append(patterns.escape(piece) if kind == QUOTED else piece)
        out.append("".join(pieces))
    return out


def alternatives(
    m: Machine, state: State, parts: Sequence[nodes.WordPart], *, quoted: bool = False
) -> list[list[Atom]]:
    """What the parts may become, before splitting."""
    found: list[list[Atom]] = [[]]
    for part in parts:
        options = _part(m, state, part, quoted)
        if len(options) == 1:
            for atoms in found:
                atoms.extend(options[0])
        elif len(found) * len(options) <= WORD_VALUES:
            found = [[*atoms, *option] for atoms in found for option in options]
        else:
            limit = (FIXED if quoted else OPEN, Unknown("limit"))
            for atoms in found:
                atoms.append(limit)
    return found


def _part(m: Machine, state: State, part: nodes.WordPart, quoted: bool) -> Sequence[Sequence[Atom]]:
    if isinstance(part, nodes.Lit):
        return [_literal(m, part.text, quoted or part.quoted)]
    if isinstance(part, nodes.DoubleQuoted):
        if not part.parts:
            return [[(QUOTED, "")]]
        return alternatives(m, state, part.parts, quoted=True)
    if isinstance(part, nodes.Param):
        return parameters.expand(m, state, part, quoted)
    if isinstance(part, nodes.CommandSub):
        m.enter("a command substitution")
        choices = m.capture(m, part.body, state)
        m.depth -= 1
        return [value_atoms(choice, quoted) for choice in choices]
    if isinstance(part, nodes.ArithSub):
        from cc_safety_net.guard.interpret.integers import evaluate

        value = evaluate(m, state, part.expression)
        if value is None:
            return [[(FIXED, Unknown("arithmetic", may_be_empty=False))]]
        return [[(QUOTED if quoted else SPLIT, str(value))]]
    if isinstance(part, nodes.ProcessSub):
        from cc_safety_net.guard.interpret.flow import process_substitution

        return [[(FIXED, process_substitution(m, state, part))]]
    if isinstance(part, nodes.ExtGlob):
        return _extended(m, state, part)
    # A brace expansion inside a parameter's argument: as its items.
    return [a for p in braces.expand([part]) for a in alternatives(m, state, p, quoted=quoted)]


def _extended(m: Machine, state: State, part: nodes.ExtGlob) -> list[list[Atom]]:
    texts = []
    if m.zsh and part.op in "*?" and len(part.alternatives) == 1:
        from cc_safety_net.guard.interpret.zsh_words import is_qualifier

        if is_qualifier(m, state, part.alternatives[0]):
            return [[(FIXED, Glob(part.op))]]
    for word in part.alternatives:
        found = pattern(m, state, word)
        texts.extend(["*"] if found is None else found)
    return [[(FIXED, Glob(part.op + "(" + "|".join(texts) + ")"))]]


def _literal(m: Machine, text: str, quoted: bool) -> list[Atom]:
    kind = QUOTED if quoted else SOURCE
    if not m.holes or text.isascii():
        return [(kind, text)]
    atoms: list[Atom] = []
    start = 0
    for at, character in enumerate(text):
        if ord(character) < HOLE:
            continue
        piece = m.piece(character)
        if piece is None:
            continue
        if at > start:
            atoms.append((kind, text[start:at]))
        atoms.append((FIXED if quoted or isinstance(piece, Glob) else OPEN, piece))
        start = at + 1
    if start < len(text) or not atoms:
        atoms.append((kind, text[start:]))
    return atoms


def value_atoms(choice: Pieces, quoted: bool) -> list[Atom]:
    """A value's pieces as the result of an expansion."""
    if not choice:
        return [(QUOTED if quoted else SPLIT, "")]
    out: list[Atom] = []
    for piece in choice:
        if isinstance(piece, str):
            out.append((QUOTED if quoted else SPLIT, piece))
        elif quoted or isinstance(piece, Glob):
            out.append((FIXED, piece))
        else:
            out.append((OPEN, piece))
    return out


def _finish(m: Machine, state: State, atoms: Sequence[Atom]) -> list[Field]:
    """Split into fields and make the patterns visible."""
    out: list[Field] = []
    current: list[Piece] = []
    exists = splits = False
    globbing = not state.option("noglob")
    separators: str | None = None
    for kind, piece in atoms:
        if kind == SPLIT and isinstance(piece, str):
            if separators is None:
                separators = field_separators(m, state)
            pieces = split(piece, separators)
            for index, text in enumerate(pieces):
                if index:
                    if exists:
                        out.append((merge(current), splits))
                    current, exists, splits = [], False, False
                if text is not None:
                    current.extend(_active(m, text) if globbing else (text,))
                    exists = True
            continue
        if kind == BREAK:
            if exists:
                out.append((merge(current), splits))
            current, exists, splits = [], False, False
            continue
        if kind == SOURCE and isinstance(piece, str):
            if not piece:
                continue
            current.extend(_active(m, piece) if globbing else (piece,))
        else:
            current.append(piece)
        exists = True
        splits = splits or kind == OPEN
    if exists:
        out.append((merge(current), splits))
    if state.option("nullglob"):
        return [(field, s or any(isinstance(p, Glob) for p in field)) for field, s in out]
    return out


def _active(m: Machine, text: str) -> list[Piece]:
    """The text with its pattern characters as Glob pieces."""
    if not patterns.is_active(text):
        return [text]
    out: list[Piece] = []
    last = text.rfind("]")
    start = at = 0
    while at < len(text):
        character = text[at]
        behind = at + 1
        if character == "*":
            while text[behind : behind + 1] == "*":
                behind += 1
        elif character == "[":
            behind = patterns.bracket_end(text, at) if at < last else -1
            if behind < 0 or "/" in text[at:behind]:
                if at < last:
                    m.effort.spend(1 + (max(behind, last) - at) // 8, "a pattern")
                at += 1
                continue
        elif character != "?":
            at += 1
            continue
        out.append(text[start:at])
        out.append(Glob(text[at:behind]))
        start = at = behind
    out.append(text[start:])
    return out


def field_separators(m: Machine, state: State) -> str:
    """`$IFS`; a character that occurs nowhere if it is empty."""
    found = state.look("IFS")
    if found is None:
        return " \t\n"
    text = only_text(choices_of(settings(m, state, "IFS")))
    return " \t\n" if text is None else text or "\0"


def split(text: str, separators: str) -> list[str | None]:
    """Fields of an expanded text; None at a border where nothing joins the neighbour."""
    if not text:
        return [None]
    blanks = [c for c in separators if c in " \t\n"]
    others = [c for c in separators if c not in " \t\n"]
    if not others:
        if not any(c in text for c in blanks):
            return [text]
        for blank in blanks[1:]:
            text = text.replace(blank, blanks[0])
        pieces = [piece for piece in text.split(blanks[0]) if piece]
        if not pieces:
            return [None, None]
        out: list[str | None] = list(pieces)
        if text[0] == blanks[0]:
            out.insert(0, None)
        if text[-1] == blanks[0]:
            out.append(None)
        return out
    if others == ["\0"]:
        return [text]
    return _split_at(text, frozenset(blanks), frozenset(others))


def _split_at(text: str, blanks: frozenset[str], others: frozenset[str]) -> list[str | None]:
    out: list[str | None] = []
    at = 0
    end = len(text)
    while at < end and text[at] in blanks:
        at += 1
    if at:
        out.append(None)
    start = at
    while at < end:
        if text[at] not in blanks and text[at] not in others:
            at += 1
            continue
        out.append(text[start:at])
        # A separator is blanks around at most one character that is none.
        while at < end and text[at] in blanks:
            at += 1
        if at < end and text[at] in others:
            at += 1
            while at < end and text[at] in blanks:
                at += 1
        start = at
    out.append(text[start:] if start < end else None)
    return out
