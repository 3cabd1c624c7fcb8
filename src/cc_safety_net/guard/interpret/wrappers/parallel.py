"""GNU parallel: a template whose replacement strings are filled by values from lists."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, known, literal
from cc_safety_net.guard.interpret.options import joined, parse
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerText
from cc_safety_net.guard.interpret.wrappers.item_lists import items_of, runs
from cc_safety_net.guard.interpret.wrappers.searches import filled, listed_word, strings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.options import Arguments
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

_OPTIONS = (
    "a,arg-file: j,jobs,P,max-procs: I: C,colsep: d,delimiter: N,max-replace-args: n,max-args:"
    " S,sshlogin: joblog: results: tempdir: tmpdir: workdir,wd:@dir delay: timeout: retries: halt:"
    " halt-on-error: load: noswap memfree: env: profile,J: block: recstart: recend: tagstring: L:"
    " l? X m k,keep-order q,quote u,ungroup t v bar eta progress r,no-run-if-empty 0,null pipe"
    " dry-run,dryrun@query version@query help@query citation will-cite plus linebuffer,lb rpl:"
    " basefile: return: trc: transferfile: shuf s,max-chars: nice: seqreplace: x xargs tag"
)
_SOURCES = frozenset((":::", "::::", ":::+", "::::+"))
#: What may stand in a replacement string behind its number: the part of the value.
_PARTS = ("/.", "//", "/", ".", "")
#: Columns and sources that are told apart.
_NUMBERS = 32
#: Separators of columns that are no plain text but are known: a pattern of perl.
_SEPARATORS = {"\\t": "\t", "\\s+": None, " +": None, "\\s": None, "\\|": "|", "\\.": "."}
_META = frozenset("\\|.*+?()[]{}^$")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+")


def _parallel(execution: Execution, world: World) -> list[Inner]:
    """The words before `:::` are joined to a text for a shell; each row of values fills it once."""
    arguments = parse(execution.argv, _OPTIONS)
    if any(option.role == "query" for option in arguments.options):
        return []
    template, values = _sources(execution, arguments)
    text = joined(template)
    if arguments.has("pipe"):
        return [InnerText("parallel --pipe", text)] if template else []
    length = sum(len(piece) for piece in strings_of(text))
    rows = _rows(values, runs(length // 16))
    if rows is not None:
        rows = _columns(rows, arguments)
    if rows is None:
        item = listed_word(execution, world)
        if not template:
            return [InnerText("parallel", item, how="list")]
        return [_run(text, arguments, [item], bound=True)]
    if not template:
        return [InnerText("parallel", joined(row)) for row in rows]
    return [
        _run(text, arguments, row, bound=any(word.text is None for word in row)) for row in rows
    ]


def list_files(execution: Execution) -> list[Word]:
    """The words that name a file as a source of values."""
    arguments = parse(execution.argv, _OPTIONS)
    value = arguments.value("a")
    found = [] if value is None else [value]
    kind = ""
    for word in arguments.operands:
        if word.text in _SOURCES:
            kind = word.text or ""
        elif "::::" in kind:
            found.append(word)
    return found


def _sources(
    execution: Execution, arguments: Arguments
) -> tuple[list[Word], list[list[Word] | None]]:
    """(the template, the values of each source; None where they are not known)."""
    template: list[Word] = []
    values: list[list[Word] | None] = []
    kind = ""
    for word in arguments.operands:
        text = word.text or ""
        if text in _SOURCES:
            kind = text
            if "::::" not in kind:
                values.append([])
        elif not kind:
            template.append(word)
        elif "::::" in kind:
            values.append(items_of(execution, False, known("\\n"), word, ""))
        elif values[-1] is not None:
            values[-1].append(word)
    if not kind:
        null, file = arguments.has("0"), arguments.value("a")
        delimiter = arguments.value("d") or known("\\n")
        values.append(items_of(execution, null, delimiter, file, ""))
    return template, values


def _rows(values: Sequence[list[Word] | None], most: int) -> list[list[Word]] | None:
    """One row for each combination; where they are too many, one whose words have many choices."""
    rows: list[list[Word]] = [[]]
    for source in values:
        if source is None:
            return None
        few = source
        if len(rows) * len(source) > most:
            few = [Word([choice for word in source for choice in word.choices])]
        rows = [[*row, value] for row in rows for value in few]
    return rows


def _columns(rows: list[list[Word]], arguments: Arguments) -> list[list[Word]] | None:
    """Rows whose values are cut into columns, or taken together by a number of them."""
    separator = arguments.value("C")
    if separator is not None:
        return [[column for value in row for column in _cut(value, separator)] for row in rows]
    size = (arguments.value("N") or arguments.value("n") or known("")).text or ""
    together = int(size[:4]) if size.isdigit() else 0
    if arguments.has("X", "m", "xargs"):
        together = len(rows)
    if together > 1 and all(len(row) == 1 for row in rows):
        return [
            [word for row in rows[at : at + together] for word in row]
            for at in range(0, len(rows), together)
        ]
    return rows


def _cut(value: Word, separator: Word) -> list[Word]:
    """The columns of a value; itself in each place where they are not known."""
    text, mark = value.text, separator.text
    if text is None or not mark:
        return [value] * 2
    found: list[str]
    if mark in _SEPARATORS:
        found = text.split(_SEPARATORS[mark])
    elif any(char in _META for char in mark):
        pieces = "".join(char if char in _PLAIN else " " for char in text).split()
        return [Word([(piece,) for piece in pieces] or [()], value.start, value.end)] * 4
    else:
        found = text.split(mark)
    return [known(piece, value.start, value.end) for piece in found[:_NUMBERS]]


# --- the template --------------------------------------------------------------------------------


def _run(template: Word, arguments: Arguments, row: Sequence[Word], *, bound: bool) -> Inner:
    """The template with its replacement strings filled; without one the values follow.

    bound: the values are bound as `$1`, `$2`, so that no text is made of them.
    """
    hole = (arguments.value("I") or known("{}")).text or "{}"
    text = template
    found = list(strings_of(template))
    used = [
        (name, value) for name, value in _replacements(hole, row) if any(name in s for s in found)
    ]
    if not used:
        if bound:
            text = joined([template, known('"$@"')])
            return InnerText("parallel", text, positionals=(known("parallel"), *row))
        return InnerText("parallel", joined([template, *(_quoted(word) for word in row)]))
    quoted = any("'" in s or '"' in s for s in found)
    values: list[Word] = []
    for name, value in used:
        if not bound:
            text = filled(text, name, joined([_quoted(word) for word in value]))
        elif quoted:
            # Inside quotes of the template the value itself is all that can stand there.
            text = filled(text, name, value[0])
        else:
            same = [at for at, other in enumerate(values) if other.choices == value[0].choices]
            if not same:
                values.append(value[0])
            text = filled(text, name, known(f'"${same[0] + 1 if same else len(values)}"'))
    positionals = (known("parallel"), *values) if bound else ()
    return InnerText("parallel", text, positionals=positionals)


def _replacements(hole: str, row: Sequence[Word]) -> list[tuple[str, Sequence[Word]]]:
    """Replacement strings, the longest of a kind first, and the words that they stand for."""
    out: list[tuple[str, Sequence[Word]]] = []
    for part in _PARTS:
        every = [_part(word, part) for word in row]
        for number in range(min(len(row), _NUMBERS)):
            out.append((f"{{{number + 1}{part}}}", [every[number]]))
            out.append((f"{{-{len(row) - number}{part}}}", [every[number]]))
        out.append(("{" + part + "}", every))
        if hole != "{}" and not part:
            out.append((hole, every))
    return out


def _part(word: Word, part: str) -> Word:
    """`.` without extension, `/` the last component, `//` what is before it."""
    if not part:
        return word
    return Word([_part_of(choice, part) for choice in word.choices], word.start, word.end)


def _part_of(choice: Pieces, part: str) -> Pieces:
    text = literal(choice)
    if text is None:
        unknown = next((piece for piece in choice if isinstance(piece, Unknown)), None)
        if part in ("/", "/.") and unknown is not None:
            origin = unknown.origin
            return (Unknown(unknown.why, unknown.name, may_be_empty=False, origin=origin),)
        return choice
    if part == "//":
        head, slash, _ = text.rstrip("/").rpartition("/")
        text = head or ("/" if slash else ".")
    if part in ("/", "/."):
        text = text.rpartition("/")[2]
    if part in (".", "/."):
        head, dot, extension = text.rpartition(".")
        text = head if dot and "/" not in extension else text
    return (text,) if text else ()


def _quoted(word: Word) -> Word:
    """The value as parallel quotes it for the shell."""
    text = word.text
    if text is None or (text and all(char in _PLAIN for char in text)):
        return word
    return known("'" + text.replace("'", "'\\''") + "'", word.start, word.end)


TABLE: dict[str, Entry] = {
    "env_parallel": _parallel,
    "parallel": _parallel,
    "sem": (
        "j,jobs,P,max-procs: id,semaphorename: semaphoretimeout,st: fg bg u wait@query help@query",
        "join",
    ),
}
