"""Searches that run a template for what they find (find, fd), and what a producer yields.

A list that is not known gives a word of which only that part is known that all results share:
where the producer looks and how it names what it finds.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.options import joined, lead, parse
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

_EXEC = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
#: Predicates that name what is found: (only the last component, literal where there is no glob).
_NAMES = frozenset(("-name", "-iname"))
#: With one of these the start itself may not be among the results.
_NARROWS = frozenset(("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-mindepth"))
#: Choices of a word that are told apart.
LISTED = 64


# --- what a producer yields ----------------------------------------------------------------------


def find_starts(words: Sequence[Word]) -> tuple[list[Word], int]:
    """The starts of a find, and the index of its first predicate."""
    index = 1
    while index < len(words) and lead(words[index])[:2] in ("-H", "-L", "-P", "-O", "-D"):
        index += 2 if lead(words[index]) == "-D" else 1
    starts = []
    while index < len(words):
        text = lead(words[index])
        if text[:1] in ("-", "(", "!", ",") and (text[:1] != "-" or text != "-"):
            break
        starts.append(words[index])
        index += 1
    return starts or [known(".")], index


def found_word(execution: Execution) -> Word:
    """What a find yields: one choice for each start."""
    words = execution.argv
    starts, first = find_starts(words)
    predicates = [lead(word) for word in words[first:]]
    narrowed = any(text in _NARROWS for text in predicates)
    if not narrowed and "-type" in predicates:
        at = predicates.index("-type") + 1
        narrowed = at < len(predicates) and "d" not in predicates[at]
    names = _names(words, first) or [()]
    choices: list[Pieces] = []
    for start in starts:
        for choice in start.choices:
            text = literal(choice)
            unknown = Unknown("find", "find", may_be_empty=not narrowed, origin=(execution,))
            head: Pieces = choice
            if text is None:
                head = (*choice, "/")
            elif text:
                head = (text if text.endswith("/") else text + "/",)
            for name in names:
                choices.append((*head, unknown, *name))
                if len(choices) == LISTED:
                    # More than are worth telling apart: of the rest only the search is known.
                    unknown = Unknown("find", "find", origin=(execution,))
                    return Word([*choices, (unknown,)], words[0].start, words[-1].end)
    return Word(choices, words[0].start, words[-1].end)


def _names(words: Sequence[Word], first: int) -> list[Pieces]:
    """What the last component of every result looks like, where `-name` tests fix it.

    Each alternative of an `-o` must have one; a negated test only narrows.
    """
    found: list[Pieces] = []
    alternatives = 1
    negated = False
    for index in range(first, len(words) - 1):
        text = lead(words[index])
        if text in ("-o", "-or", ","):
            alternatives += 1
        elif text in _NAMES and not negated:
            pattern = words[index + 1].text
            if pattern is None:
                return []
            found.append(globbed("/" + pattern))
        elif negated and text == "(":
            return []
        negated = text in ("!", "-not")
    return found if len(found) == alternatives else []


def globbed(text: str) -> Pieces:
    """A pattern that a program expands itself, as literal runs and patterns."""
    pieces: list[str | Glob] = []
    run = ""
    index = 0
    while index < len(text):
        char = text[index]
        close = text.find("]", index + 2) if char == "[" else -1
        if char in "*?" or close > 0:
            if run:
                pieces.append(run)
            end = close + 1 if close > 0 else index + 1
            pieces.append(Glob(text[index:end]))
            run = ""
            index = end
            continue
        if char == "\\" and index + 1 < len(text):
            index += 1
            char = text[index]
        run += char
        index += 1
    if run:
        pieces.append(run)
    return tuple(pieces)


def listed_word(execution: Execution, world: World) -> Word:
    """One item of the unknown list on standard input, by what its producers are known to print."""
    choices: list[Pieces] = []
    start, end = execution.start, execution.end
    for producer in execution.feeds:
        choices.extend(_produced(producer, world, 0))
    if not choices:
        return Word(((Unknown("input", execution.program),),), start, end)
    return Word(choices[:LISTED], start, end)


#: These hand on a part of their input as it is.
_FILTERS = frozenset(
    ("egrep", "fgrep", "grep", "head", "shuf", "sort", "tac", "tail", "tee", "uniq", "rg", "sponge")
)


def _produced(producer: Execution, world: World, depth: int) -> list[Pieces]:
    name = producer.program
    if name in _FILTERS and producer.feeds and depth < 16:
        found: list[Pieces] = []
        for feed in producer.feeds:
            found.extend(_produced(feed, world, depth + 1))
        return found
    if name == "find":
        return list(found_word(producer).choices)
    unknown = Unknown("input", name, may_be_empty=False, origin=(producer,))
    if name == "git" and _is_listing(producer):
        return [("./", unknown)]
    if name == "ls":
        operands = parse(producer.argv, "I,ignore: w,width: T,tabsize:", permute=True).operands
        if not operands:
            return [("./", unknown)]
        return [
            choice if _is_file(choice, producer, world) else _listed(choice, unknown)
            for word in operands
            for choice in word.choices
        ]
    if name in ("fd", "fdfind"):
        start = fd_start(producer)
        return [_listed(choice, unknown) for choice in start.choices]
    return [(Unknown("input", name, origin=(producer,)),)]


def _is_file(choice: Pieces, producer: Execution, world: World) -> bool:
    text = literal(choice)
    if not text:
        return False
    return any(cwd is not None and world.is_file(join(cwd, text)) for cwd in producer.cwds)


def _listed(choice: Pieces, unknown: Unknown) -> Pieces:
    """What `ls CHOICE` prints: the operand itself for a pattern or a file, else bare names."""
    text = literal(choice)
    if text is None:
        return choice
    return (text.rstrip("/") + "/", unknown) if text.rstrip("/") else ("/", unknown)


def _is_listing(producer: Execution) -> bool:
    operands = parse(producer.argv, "C: c: git-dir: work-tree:").operands
    verb = operands[0].text if operands else ""
    return verb in ("ls-files", "ls-tree", "diff", "status", "grep")


# --- find ----------------------------------------------------------------------------------------


def _find(execution: Execution, _world: World) -> list[Inner]:
    """`-exec CMD {} ;` and `-exec CMD {} +`, any number of them."""
    words = execution.argv
    found: list[Inner] = []
    result: Word | None = None
    index = 1
    while index < len(words):
        verb = lead(words[index])
        index += 1
        if verb not in _EXEC:
            continue
        template: list[Word] = []
        while index < len(words):
            text = words[index].text
            if text == ";" or (text == "+" and template and template[-1].text == "{}"):
                break
            template.append(words[index])
            index += 1
        index += 1
        if template:
            result = result or found_word(execution)
            argv = [filled(word, "{}", result) for word in template]
            found.append(InnerArgv(f"find {verb}", argv, lists=True))
    return found


def filled(word: Word, hole: str, value: Word) -> Word:
    """The word with each `hole` in its known parts replaced by `value`."""
    if not any(isinstance(p, str) and hole in p for choice in word.choices for p in choice):
        return word
    filled: list[Word] = []
    for choice in word.choices:
        parts: list[Word] = []
        for piece in choice:
            if not isinstance(piece, str) or hole not in piece:
                parts.append(Word(((piece,),)))
                continue
            for number, text in enumerate(piece.split(hole)):
                if number:
                    parts.append(value)
                if text:
                    parts.append(known(text))
        filled.append(joined(parts, ""))
    choices = [choice for each in filled for choice in each.choices]
    return Word(choices[:LISTED], word.start, word.end)


# --- fd ------------------------------------------------------------------------------------------

_FD = (
    "x,exec$ X,exec-batch$ e,extension: E,exclude: t,type: d,max-depth: min-depth: exact-depth:"
    " S,size: changed-within: changed-before: o,owner: c,color: j,threads: base-directory:@dir"
    " search-path: max-results: ignore-file: path-separator: and: C: g,glob F,fixed-strings"
)


def fd_start(execution: Execution) -> Word:
    """Where an fd looks: the operands behind its pattern, else the directory."""
    arguments = parse(execution.argv, _FD, permute=True)
    operands = arguments.operands[: arguments.before_dashes]
    paths = operands[1:] or [v for v in (arguments.value("search-path"),) if v is not None]
    if not paths:
        return known(".")
    return Word([choice for path in paths for choice in path.choices])


def _fd(execution: Execution, _world: World) -> list[Inner]:
    arguments = parse(execution.argv, _FD, permute=True)
    if not arguments.has("x", "X"):
        return []
    template = [word for word in arguments.operands[arguments.before_dashes :] if word.text != ";"]
    if not template:
        return []
    extension = arguments.value("e")
    ending = f".{extension.text}" if extension is not None and extension.text else ""
    choices: list[Pieces] = []
    for choice in fd_start(execution).choices:
        unknown = Unknown("find", "fd", may_be_empty=False, origin=(execution,))
        head = _listed(choice, unknown)
        choices.append((*head, ending) if ending else head)
    value = Word(choices, execution.start, execution.end)
    holes = ("{}", "{/}", "{//}", "{.}", "{/.}")
    if not any(hole in piece for w in template for piece in strings_of(w) for hole in holes):
        template.append(known("{}"))
    argv = template
    for hole in holes:
        argv = [filled(word, hole, value) for word in argv]
    inner = InnerArgv("fd -x" if arguments.has("x") else "fd -X", argv, lists=True)
    inner.directory = arguments.value("base-directory")
    return [inner]


def strings_of(word: Word) -> Iterable[str]:
    return (piece for choice in word.choices for piece in choice if isinstance(piece, str))


TABLE: dict[str, Entry] = {
    "find": _find,
    "gfind": _find,
    "bfs": _find,
    "fd": _fd,
    "fdfind": _fd,
}
