"""Command lines split into options and operands, as getopt and getopt_long do it.

A program's options stand in one string, a word for each: `user,u:@role`. The first name is the
canonical one; a name of one character is short, a longer one long, one with a leading dash is
long behind a single dash (`-exec`). Then how it takes a value: nothing (a flag), `:` needed, `;`
two of them, `?` attached or none, `#` attached digits or none, `!` needed, and it ends the
options, `$` nothing, but it ends the options as `--` does. A role says what the value means to
the reader of the table. Options that are not listed are flags.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, known, literal, prefix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Pieces

_JOINED_CHOICES = 16


class Option:
    """An option that was given: canonical name, role ("" if none), value (None for a flag)."""

    __slots__ = ("index", "name", "role", "value")

    def __init__(self, name: str, role: str, value: Word | None, index: int) -> None:
        self.name = name
        self.role = role
        self.value = value
        self.index = index


class Arguments:
    """options in order; operands in order. rest: index in argv of the first word not read.

    dashed: `--` was met; before_dashes: number of operands that stood before it.
    """

    __slots__ = ("before_dashes", "dashed", "operands", "options", "rest")

    def __init__(self) -> None:
        self.options: list[Option] = []
        self.operands: list[Word] = []
        self.rest = 0
        self.dashed = False
        self.before_dashes = 0

    def has(self, *names: str) -> bool:
        """One of these canonical names was given."""
        return any(option.name in names for option in self.options)

    def value(self, name: str) -> Word | None:
        """The last value given to `name`."""
        for option in reversed(self.options):
            if option.name == name and option.value is not None:
                return option.value
        return None


class _Spec:
    __slots__ = ("longs", "shorts", "singles")

    def __init__(self) -> None:
        self.shorts: dict[str, tuple[str, str, str]] = {}
        self.longs: dict[str, tuple[str, str, str]] = {}
        self.singles: dict[str, tuple[str, str, str]] = {}


_SPECS: dict[str, _Spec] = {}


def _read_spec(text: str) -> _Spec:
    spec = _SPECS.get(text)
    if spec is not None:
        return spec
    spec = _Spec()
    for token in text.split():
        head, _, role = token.partition("@")
        takes = ""
        if head[-1] in ":;?#!$" and len(head) > 1:
            takes = head[-1]
            head = head[:-1]
        names = head.split(",")
        entry = (names[0].lstrip("-"), takes, role)
        for name in names:
            if name.startswith("-") and len(name) > 1:
                spec.singles[name[1:]] = entry
            elif len(name) == 1:
                spec.shorts[name] = entry
            else:
                spec.longs[name] = entry
    _SPECS[text] = spec
    return spec


def lead(word: Word) -> str:
    """The known text at the start; "" where the choices disagree about being an option."""
    first = prefix(word.choices[0]) if word.choices else ""
    if first.startswith(("-", "+")):
        for choice in word.choices:
            if prefix(choice)[:1] != first[:1]:
                return ""
    return first


def cut(word: Word, length: int) -> Word:
    """The word without its first `length` known characters."""
    choices: list[Pieces] = []
    for choice in word.choices:
        head = prefix(choice)
        rest: Pieces = choice[1:] if head else choice
        head = head[length:]
        choices.append((head, *rest) if head else rest)
    return Word(choices, word.start, word.end)


def joined(words: Sequence[Word], separator: str = " ") -> Word:
    """The words as one, as `"$*"` would join them."""
    if not words:
        return known("")
    results: list[list[object]] = [[]]
    for number, word in enumerate(words):
        choices = word.choices
        if len(results) * len(choices) > _JOINED_CHOICES:
            choices = ((Unknown("limit"),),)
        if number and separator:
            for result in results:
                result.append(separator)
        if len(choices) == 1:
            for result in results:
                result.extend(choices[0])
        else:
            results = [[*result, *choice] for result in results for choice in choices]
    merged = tuple(_merged(result) for result in results)
    return Word(merged, words[0].start, words[-1].end)


def _merged(pieces: Sequence[object]) -> Pieces:
    out: list[object] = []
    text: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            text.append(piece)
            continue
        if text:
            out.append("".join(text))
            text = []
        out.append(piece)
    if text:
        out.append("".join(text))
    return tuple(piece for piece in out if piece != "")  # type: ignore[misc]  # they are pieces


def parse(
    words: Sequence[Word], options: str, *, start: int = 1, permute: bool = False
) -> Arguments:
    """Options and operands of `words` from `start` on.

    Without `permute` reading stops at the first operand (`rest` is its index, and all words from
    there are the operands).
    """
    spec = _read_spec(options)
    found = Arguments()
    index = start
    while index < len(words):
        word = words[index]
        text = lead(word)
        if text == "--" and literal(word.choices[0]) == "--":
            found.dashed = True
            found.before_dashes = len(found.operands)
            index += 1
            break
        if len(text) < 2 or text[0] != "-":
            if not permute:
                break
            found.operands.append(word)
            index += 1
            continue
        ends, index = _option(words, index, text, spec, found)
        if ends:
            break
    if not found.dashed:
        found.before_dashes = len(found.operands)
    found.rest = min(index, len(words))
    found.operands.extend(words[found.rest :])
    return found


def _option(
    words: Sequence[Word], index: int, text: str, spec: _Spec, found: Arguments
) -> tuple[bool, int]:
    """Reads the option word at `index`: (it ends the options, index of the next word)."""
    name, equals, _ = text.lstrip("-").partition("=")
    entry = None
    if spec.singles:
        entry = spec.singles.get(name)
    if entry is None and text.startswith("--"):
        entry = _long(name, spec)
        if entry is None:
            entry = (name, "?", "")
    if entry is None:
        return _cluster(words, index, text, spec, found)
    canonical, takes, role = entry
    dashes = len(text) - len(text.lstrip("-"))
    value = cut(words[index], dashes + len(name) + 1) if equals else None
    if value is None and takes in (":", ";", "!"):
        index += 2 if takes == ";" else 1
        if index < len(words):
            value = words[index]
    found.options.append(Option(canonical, role, value, index))
    return _ends(takes, found), index + 1


def _ends(takes: str, found: Arguments) -> bool:
    if takes == "$":
        found.dashed = True
        found.before_dashes = len(found.operands)
    return takes in ("!", "$")


def _long(name: str, spec: _Spec) -> tuple[str, str, str] | None:
    entry = spec.longs.get(name)
    if entry is not None or len(name) < 2:
        return entry
    entries = {spec.longs[other] for other in spec.longs if other.startswith(name)}
    return entries.pop() if len(entries) == 1 else None


def _cluster(
    words: Sequence[Word], index: int, text: str, spec: _Spec, found: Arguments
) -> tuple[bool, int]:
    """`-abc`: flags, the last of which may take the rest or the next word as its value."""
    position = 1
    seen: set[str] = set()
    while position < len(text):
        letter = text[position]
        position += 1
        if letter in seen:
            continue
        canonical, takes, role = spec.shorts.get(letter, (letter, "", ""))
        value = None
        if takes == "#":
            begin = position
            while position < len(text) and text[position].isalnum() and text[position].isdigit():
                position += 1
            value = known(text[begin:position]) if position > begin else None
            found.options.append(Option(canonical, role, value, index))
            continue
        if takes == "$":
            found.options.append(Option(canonical, role, None, index))
            return _ends(takes, found), index + 1
        if takes:
            whole = literal(words[index].choices[0])
            if position < len(text) or whole is None:
                value = cut(words[index], position)
            elif takes in (":", "!"):
                if index + 1 < len(words):
                    value = words[index + 1]
                index += 1
            found.options.append(Option(canonical, role, value, index))
            return takes == "!", index + 1
        seen.add(letter)
        found.options.append(Option(canonical, role, None, index))
    return False, index + 1


def split_text(text: str) -> list[str]:
    """Words of a text by blanks, quotes and backslashes (`env -S`, the input of xargs)."""
    found: list[str] = []
    current: list[str] = []
    open_word = False
    quote = ""
    index = 0
    while index < len(text):
        char = text[index]
        index += 1
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and quote == '"' and index < len(text) and text[index] in '"\\$`':
                current.append(text[index])
                index += 1
            else:
                current.append(char)
        elif char in " \t\n\r":
            if open_word:
                found.append("".join(current))
                current = []
                open_word = False
        else:
            open_word = True
            if char in "'\"":
                quote = char
            elif char == "\\" and index < len(text):
                current.append(text[index])
                index += 1
            else:
                current.append(char)
    if open_word:
        found.append("".join(current))
    return found
