"""The engine of the tables: an entry of a program, applied to its words, gives file accesses.

An entry is `(options, operands)` or a function. The option string is that of
`interpret/options.py`; a role is a mode (`@read`: the value is a path that is read), or one of
`_SETTINGS`. The operand string is a list of modes in order, one of which may end in `*` and takes
all that the others leave; `skip` is an operand that is no path. Three words are no modes: `stop`
ends the options at the first operand, `tree` says that the whole tree below the path is meant,
`globs` that the program expands patterns itself.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import FileAccess, Word, known, literal, prefix
from cc_safety_net.guard.interpret.options import joined, lead, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.options import Arguments
    from cc_safety_net.guard.world import World

    Special: TypeAlias = "Callable[[Execution, World], list[FileAccess]]"
    Entry: TypeAlias = "tuple[str, str] | Mapping[str, Entry] | Special"

MODES = frozenset(
    (
        "read",
        "write",
        "append",
        "truncate",
        "delete",
        "move",
        "permissions",
        "link",
        "metadata",
        "use",
        "execute",
    )
)


def touch(
    execution: Execution,
    path: Word,
    mode: str,
    *,
    recursive: bool = False,
    found: bool = False,
    directory: Word | None = None,
    content: Word | None = None,
    source: Word | None = None,
    destination: Word | None = None,
    keeps: bool = False,
    names: bool = False,
    via: str = "",
) -> FileAccess:
    """An access of `execution`."""
    if directory is not None:
        path = below(directory, path)
    return FileAccess(
        path,
        mode,
        via or execution.program,
        execution.cwds,
        path.start or execution.start,
        path.end or execution.end,
        recursive=recursive,
        found=found,
        execution=execution,
        chain=execution.chain,
        scope=execution.scope,
        content=content,
        source=source,
        destination=destination,
        keeps=keeps,
        names=names,
    )


def below(directory: Word, path: Word) -> Word:
    """`path` as seen from `directory`."""
    if lead(path).startswith("/") or prefix(path.choices[0]).startswith("/"):
        return path
    whole = joined([directory, known("/"), path], "")
    return Word(whole.choices, path.start, path.end)


def is_path(word: Word) -> bool:
    """The operand may name a file: not `-`, not an URL, not empty."""
    text = prefix(word.choices[0]) if word.choices else ""
    if not word.choices[0]:
        return False
    return text != "-" and "://" not in text and "\n" not in text


def looks_like_path(word: Word) -> bool:
    """A word of a program that is not known names a file only if it has the form of a path."""
    for choice in word.choices:
        text = literal(choice)
        if text is None:
            head = prefix(choice)
            if "/" in head or head.startswith((".", "~")) or len(choice) > 1:
                return is_path(word)
            continue
        if len(text) < 2 or "://" in text or " " in text or "\n" in text:
            continue
        if "/" in text or "." in text or text.startswith("~") or text in _BARE_NAMES:
            return True
    return False


#: Names of files that have neither a slash nor a dot and matter.
_BARE_NAMES = frozenset(("credentials", "id_dsa", "id_ecdsa", "id_ed25519", "id_rsa", "kubeconfig"))


def apply(entry: Entry, execution: Execution, world: World, start: int = 1) -> list[FileAccess]:
    """The accesses of an execution by its program's entry."""
    while not isinstance(entry, tuple):
        if callable(entry):
            return entry(execution, world)
        if len(execution.argv) <= start:
            return []
        global_entry = entry.get("", ("", ""))
        if not isinstance(global_entry, tuple):
            return []
        arguments = parse(execution.argv, global_entry[0], start=start)
        operands = arguments.operands
        chosen = entry.get(operands[0].text or "?") if operands else None
        if chosen is None:
            entry = global_entry
        else:
            entry, start = chosen, arguments.rest + 1
    if len(execution.argv) <= start:
        return []
    options, text = entry
    form = _form(text)
    arguments = parse(execution.argv, options, start=start, permute=not form.stop)
    use = _Use(arguments, execution)
    if use.query:
        return []
    found = use.valued
    use.recursive = use.recursive or form.tree
    globs = form.globs or use.globs
    for word, mode in form.assigned(arguments.operands, use.supplied):
        if globs:
            word = _expanded(word)  # noqa: PLW2901 - what the program makes of the word
        if mode != "skip" and is_path(word):
            found.append(use.touch(word, use.only or mode))
    return found


def _expanded(word: Word) -> Word:
    """The program expands patterns itself (`del-cli '*.log'`)."""
    from cc_safety_net.guard.interpret.wrappers.searches import globbed

    text = word.text
    if text is None or not any(char in text for char in "*?["):
        return word
    return Word((globbed(text),), word.start, word.end)


class _Use:
    """What the options of one execution mean."""

    __slots__ = (
        "directory",
        "execution",
        "globs",
        "keeps",
        "names",
        "only",
        "query",
        "recursive",
        "supplied",
        "valued",
    )

    def __init__(self, arguments: Arguments, execution: Execution) -> None:
        self.execution = execution
        self.directory: Word | None = None
        self.recursive = self.names = self.query = self.supplied = self.keeps = False
        self.globs = False
        self.only = ""
        self.valued: list[FileAccess] = []
        for option in arguments.options:
            role, _, argument = option.role.partition("=")
            if not role:
                continue
            if role in MODES:
                if option.value is not None and is_path(option.value):
                    self.valued.append(touch(execution, option.value, role))
            elif role == "dir":
                self.directory = option.value
            elif role == "only":
                self.only = argument
            else:
                _SETTINGS[role](self)

    def touch(self, word: Word, mode: str) -> FileAccess:
        writes = mode in ("write", "append")
        return touch(
            self.execution,
            word,
            mode,
            recursive=self.recursive,
            directory=self.directory,
            names=self.names,
            keeps=self.keeps,
            content=self.execution.stdin if writes else None,
        )


def _set_recursive(use: _Use) -> None:
    use.recursive = True


def _set_names(use: _Use) -> None:
    use.names = True


def _set_query(use: _Use) -> None:
    use.query = True


def _set_supplied(use: _Use) -> None:
    use.supplied = True


def _set_globs(use: _Use) -> None:
    use.globs = True


def _set_keeps(use: _Use) -> None:
    use.keeps = True


_SETTINGS: dict[str, Callable[[_Use], None]] = {
    "globs": _set_globs,
    "keeps": _set_keeps,
    "names": _set_names,
    "query": _set_query,
    "recursive": _set_recursive,
    "supplied": _set_supplied,
}


class _Form:
    """An operand string, read: the modes of the first operands, of the last, of those between."""

    __slots__ = ("back", "between", "front", "globs", "stop", "tree")

    def __init__(self, text: str) -> None:
        tokens = text.split()
        self.stop = "stop" in tokens
        self.tree = "tree" in tokens
        self.globs = "globs" in tokens
        modes = [token for token in tokens if token not in ("stop", "tree", "globs")]
        star = next((i for i, mode in enumerate(modes) if mode[-1] == "*"), len(modes))
        self.front = modes[:star]
        self.between = modes[star][:-1] if star < len(modes) else ""
        self.back = modes[star + 1 :]

    def assigned(self, operands: Sequence[Word], supplied: bool) -> list[tuple[Word, str]]:
        """Each operand with its mode. An option that supplies the pattern takes the first skip."""
        front = self.front
        if supplied and front and front[0] == "skip":
            front = front[1:]
        paired = list(zip(operands, front, strict=False))
        rest = operands[len(front) :]
        tail: list[tuple[Word, str]] = []
        if self.back and rest:
            count = min(len(self.back), len(rest))
            tail = list(zip(rest[-count:], self.back[-count:], strict=True))
            rest = rest[:-count]
        if self.between:
            paired += [(word, self.between) for word in rest]
        return paired + tail


_READ: dict[str, _Form] = {}


def _form(text: str) -> _Form:
    form = _READ.get(text)
    if form is None:
        form = _READ[text] = _Form(text)
    return form
