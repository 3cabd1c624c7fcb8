"""Programs that run a template for each item of a list: xargs, parallel.

A list that is known gives concrete words, one that is not what its producers are known to print.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, known
from cc_safety_net.guard.interpret.options import joined, parse, split_text
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv, InnerText
from cc_safety_net.guard.interpret.wrappers.searches import (
    LISTED,
    filled,
    listed_word,
    strings_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

#: Words or characters / 16 that all runs of a template may have together.
_FILLED = 4_096


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
            return [InnerArgv(label, [filled(w, hole, item) for w in template], lists=True)]
        return [InnerArgv(label, [*template, item], lists=True)]
    if not items:
        return [] if arguments.has("r") or hole else [InnerArgv(label, template)]
    if hole:
        return [
            InnerArgv(label, [filled(word, hole, item) for word in template])
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
    return max(1, min(LISTED, _FILLED // max(size, 1)))


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
    length = sum(len(piece) for piece in strings_of(text_template))
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
    strings = list(strings_of(template))
    value = joined([_quoted(word) for word in row])
    numbered = [f"{{{number}}}" for number in range(1, len(row) + 1)]
    used = [h for h in (*_HOLES, hole, *numbered) if any(h in s for s in strings)]
    if not used:
        return joined([template, value])
    for number, name in enumerate(numbered):
        if name in used:
            text = filled(text, name, _quoted(row[number]))
    for name in used:
        if name not in numbered:
            text = filled(text, name, value)
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
    strings = list(strings_of(template))
    numbered = [f"{{{number}}}" for number in range(1, len(row) + 1)]
    used = [h for h in (*_HOLES, hole, *numbered) if any(h in s for s in strings)]
    if not used:
        text = joined([template, known('"$@"')])
    quoted = any("'" in s or '"' in s for s in strings)
    for name in used:
        number = numbered.index(name) if name in numbered else 0
        # Inside quotes of the template the value itself is the only thing that can stand there.
        text = filled(text, name, row[number] if quoted else known(f'"${number + 1}"'))
    return InnerText("parallel", text, positionals=(known("parallel"), *row))


TABLE: dict[str, Entry] = {
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
}
