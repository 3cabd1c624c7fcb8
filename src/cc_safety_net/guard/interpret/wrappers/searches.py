"""Programs that run a template for what a search or a list yields: find, fd, xargs, parallel.

A list that is known gives concrete words. One that is not gives a word of which only that part is
known that all results share: where the producer looks and how it names what it finds.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.options import joined, lead, parse, split_text
from cc_safety_net.guard.interpret.wrappers.inner import (
    Inner,
    InnerArgv,
    InnerText,
)

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
_LISTED = 64
#: Words or characters / 16 that all runs of a template may have together.
_FILLED = 4_096


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
                if len(choices) == _LISTED:
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


def listed_word(execution: Execution) -> Word:
    """One item of the unknown list on standard input, by what its producers are known to print."""
    choices: list[Pieces] = []
    start, end = execution.start, execution.end
    for producer in execution.feeds:
        choices.extend(_produced(producer, 0))
    if not choices:
        return Word(((Unknown("input", execution.program),),), start, end)
    return Word(choices[:_LISTED], start, end)


#: These hand on a part of their input as it is.
_FILTERS = frozenset(
    ("egrep", "fgrep", "grep", "head", "shuf", "sort", "tac", "tail", "tee", "uniq", "rg", "sponge")
)


def _produced(producer: Execution, depth: int) -> list[Pieces]:
    name = producer.program
    if name in _FILTERS and producer.feeds and depth < 16:
        found: list[Pieces] = []
        for feed in producer.feeds:
            found.extend(_produced(feed, depth + 1))
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
        return [_listed(choice, unknown) for word in operands for choice in word.choices]
    if name in ("fd", "fdfind"):
        start = fd_start(producer)
        return [_listed(choice, unknown) for choice in start.choices]
    return [(Unknown("input", name, origin=(producer,)),)]


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
            argv = [_filled(word, "{}", result) for word in template]
            found.append(InnerArgv(f"find {verb}", argv, lists=True))
    return found


def _filled(word: Word, hole: str, value: Word) -> Word:
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
    return Word(choices[:_LISTED], word.start, word.end)


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
    if not any(hole in piece for w in template for piece in _strings(w) for hole in holes):
        template.append(known("{}"))
    argv = template
    for hole in holes:
        argv = [_filled(word, hole, value) for word in argv]
    inner = InnerArgv("fd -x" if arguments.has("x") else "fd -X", argv, lists=True)
    inner.directory = arguments.value("base-directory")
    return [inner]


def _strings(word: Word) -> Iterable[str]:
    return (piece for choice in word.choices for piece in choice if isinstance(piece, str))


# --- xargs ---------------------------------------------------------------------------------------

_XARGS = (
    "a,arg-file: d,delimiter: E: e? eof? I: i?  replace? J: L: l? max-lines? n,max-args:"
    " P,max-procs:"
    " s,max-chars: S: R: process-slot-var: 0,null o,open-tty p,interactive r,no-run-if-empty t x"
    " version@query help@query"
)


def _xargs(execution: Execution, _world: World) -> list[Inner]:
    arguments = parse(execution.argv, _XARGS)
    if any(option.role == "query" for option in arguments.options):
        return []
    template = arguments.operands
    label = "xargs"
    hole = ""
    for option in arguments.options:
        if option.name in ("I", "J") and option.value is not None:
            hole = option.value.text or ""
        elif option.name in ("i", "replace"):
            hole = (option.value.text if option.value is not None else None) or "{}"
    items = _items(execution, arguments.has("0"), arguments.value("d"), arguments.value("a"), hole)
    if not template:
        template = [known("echo")]
    if items is None:
        item = listed_word(execution)
        if arguments.has("a"):
            item = Word(((Unknown("input", "xargs"),),), execution.start, execution.end)
        if hole:
            return [InnerArgv(label, [_filled(w, hole, item) for w in template], lists=True)]
        return [InnerArgv(label, [*template, item], lists=True)]
    if not items:
        return [] if arguments.has("r") or hole else [InnerArgv(label, template)]
    if hole:
        return [
            InnerArgv(label, [_filled(word, hole, item) for word in template])
            for item in _few(items, _runs(len(template)))
        ]
    size = (arguments.value("n") or known("")).text or ""
    count = int(size) if size.isdigit() and int(size) > 0 else len(items)
    groups = [items[at : at + count] for at in range(0, len(items), count)]
    # Beyond that many runs the items are taken as those of one run: no item is lost.
    most = _runs(len(template))
    rest = [item for group in groups[most:] for item in group]
    groups = [*groups[:most], rest] if rest else groups
    return [InnerArgv(label, [*template, *group]) for group in groups]


def _runs(size: int) -> int:
    """How many runs of a template are told apart: few of a long one."""
    return max(1, min(_LISTED, _FILLED // max(size, 1)))


def _few(items: Sequence[Word], most: int) -> list[Word]:
    """At most `most` items; all that are over become the choices of one."""
    if len(items) <= most:
        return list(items)
    rest = [choice for item in items[most:] for choice in item.choices]
    return [*items[:most], Word(rest, items[0].start, items[0].end)]


def _items(
    execution: Execution, null: bool, delimiter: Word | None, file: Word | None, hole: str
) -> list[Word] | None:
    """The items on standard input, None if they are not known."""
    stdin = execution.stdin
    text = stdin.text if stdin is not None else None
    if text is None or stdin is None or file is not None:
        return None
    if null:
        parts = text.split("\0")
    elif delimiter is not None:
        mark = delimiter.text or ""
        mark = {"\\n": "\n", "\\0": "\0", "\\t": "\t"}.get(mark, mark)
        parts = text.split(mark) if mark else [text]
        if parts and parts[-1] == "\n":
            del parts[-1]
    elif hole:
        parts = [line.lstrip(" \t") for line in text.split("\n")]
        parts = [" ".join(split_text(line.replace(" ", "\\ "))) for line in parts if line]
    else:
        parts = split_text(text)
    if parts and not parts[-1] and (null or delimiter is not None):
        del parts[-1]
    return [known(part, stdin.start, stdin.end) for part in parts]


# --- parallel ------------------------------------------------------------------------------------

_PARALLEL = (
    "a,arg-file: j,jobs,P,max-procs: I: C,colsep: d,delimiter: N,max-replace-args: n,max-args:"
    " S,sshlogin: joblog: results: tempdir: tmpdir: workdir,wd:@dir delay: timeout: retries: halt:"
    " halt-on-error: load: noswap memfree: env: profile,J: block: recstart: recend: tagstring: L:"
    " l? X m k,keep-order q,quote u,ungroup t v bar eta progress r,no-run-if-empty 0,null pipe"
    " dry-run,dryrun@query version@query help@query citation will-cite plus linebuffer,lb rpl:"
    " basefile: return: trc: transferfile: shuf s,max-chars: nice: seqreplace: x xargs tag"
)
_SOURCES = frozenset((":::", "::::", ":::+", "::::+"))


def _parallel(execution: Execution, _world: World) -> list[Inner]:
    """The words before `:::` are joined to a text for a shell; each value fills it once."""
    arguments = parse(execution.argv, _PARALLEL)
    if any(option.role == "query" for option in arguments.options):
        return []
    template: list[Word] = []
    values: list[list[Word] | None] = []
    kind = ""
    for word in arguments.operands:
        text = word.text or ""
        if text in _SOURCES:
            kind = text
            values.append([] if kind.startswith(":::") and "::::" not in kind else None)
        elif not kind:
            template.append(word)
        elif values[-1] is not None:
            values[-1].append(word)
    if not values:
        values.append(_items(execution, arguments.has("0"), known("\\n"), arguments.value("a"), ""))
    text_template = joined(template)
    hole = (arguments.value("I") or known("{}")).text or "{}"
    length = sum(len(piece) for piece in _strings(text_template))
    rows = _rows(values, _runs(length // 16))
    if arguments.has("pipe"):
        return [InnerText("parallel --pipe", text_template)] if template else []
    if rows is None:
        return [_parallel_unknown(execution, text_template if template else None, hole)]
    if not template:
        return [InnerText("parallel", joined(row)) for row in rows]
    return [
        _bound(text_template, hole, row)
        if any(len(word.choices) > 1 for word in row)
        else InnerText("parallel", _parallel_text(text_template, hole, row))
        for row in rows
    ]


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


#: Replacement strings, longest first; all stand for a part of the value.
_HOLES = ("{/.}", "{//}", "{/}", "{.}", "{}")


def _parallel_text(template: Word, hole: str, row: Sequence[Word]) -> Word:
    """The template with its holes filled; without a hole the values follow."""
    text = template
    strings = list(_strings(template))
    value = joined([_quoted(word) for word in row])
    numbered = [f"{{{number}}}" for number in range(1, len(row) + 1)]
    used = [h for h in (*_HOLES, hole, *numbered) if any(h in s for s in strings)]
    if not used:
        return joined([template, value])
    for number, name in enumerate(numbered):
        if name in used:
            text = _filled(text, name, _quoted(row[number]))
    for name in used:
        if name not in numbered:
            text = _filled(text, name, value)
    return text


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+")


def _quoted(word: Word) -> Word:
    """The value as parallel quotes it for the shell."""
    text = word.text
    if text is None or (text and all(char in _PLAIN for char in text)):
        return word
    return known("'" + text.replace("'", "'\\''") + "'", word.start, word.end)


def _parallel_unknown(execution: Execution, template: Word | None, hole: str) -> Inner:
    """Values come from an unknown list; without a template they are the commands."""
    item = listed_word(execution)
    if template is None:
        return InnerText("parallel", item, how="list")
    return _bound(template, hole, [item])


def _bound(template: Word, hole: str, row: Sequence[Word]) -> Inner:
    """The values are bound as `$1`, `$2`, so that no text is made of them."""
    text = template
    strings = list(_strings(template))
    numbered = [f"{{{number}}}" for number in range(1, len(row) + 1)]
    used = [h for h in (*_HOLES, hole, *numbered) if any(h in s for s in strings)]
    if not used:
        text = joined([template, known('"$@"')])
    quoted = any("'" in s or '"' in s for s in strings)
    for name in used:
        number = numbered.index(name) if name in numbered else 0
        # Inside quotes of the template the value itself is the only thing that can stand there.
        text = _filled(text, name, row[number] if quoted else known(f'"${number + 1}"'))
    return InnerText("parallel", text, positionals=(known("parallel"), *row))


TABLE: dict[str, Entry] = {
    "find": _find,
    "gfind": _find,
    "bfs": _find,
    "fd": _fd,
    "fdfind": _fd,
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
}
