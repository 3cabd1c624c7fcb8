"""xargs: a template that is run for the items of a list.

A list that is known gives concrete words, one that is not what its producers are known to print.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, known
from cc_safety_net.guard.interpret.options import lead, parse, split_text
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv
from cc_safety_net.guard.interpret.wrappers.searches import (
    LISTED,
    filled,
    listed_word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

#: Words or characters / 16 that all runs of a template may have together.
_FILLED = 4_096


_XARGS = (
    "a,arg-file: d,delimiter: E: e? eof? I: i?  replace? J: L: l? max-lines? n,max-args:"
    " P,max-procs:"
    " s,max-chars: S: R: process-slot-var: 0,null o,open-tty p,interactive r,no-run-if-empty t x"
    " version@query help@query"
)


def _xargs(execution: Execution, world: World) -> list[Inner]:
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
    delimiter, file = arguments.value("d"), arguments.value("a")
    items = items_of(execution, arguments.has("0"), delimiter, file, hole)
    if not template:
        template = [known("echo")]
    if items is None:
        item = listed_word(execution, world)
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
            for item in _few(items, runs(len(template)))
        ]
    size = (arguments.value("n") or known("")).text or ""
    count = int(size) if size.isdigit() and int(size) > 0 else len(items)
    groups = [items[at : at + count] for at in range(0, len(items), count)]
    # Beyond that many runs the items are taken as those of one run: no item is lost.
    most = runs(len(template))
    rest = [item for group in groups[most:] for item in group]
    groups = [*groups[:most], rest] if rest else groups
    return [InnerArgv(label, [*template, *group]) for group in groups]


def list_files(execution: Execution) -> list[Word]:
    """The words that name a file as the list (`xargs -a`, `parallel ::::`)."""
    if "parallel" in execution.program:
        from cc_safety_net.guard.interpret.wrappers.parallel import list_files as of_parallel

        return of_parallel(execution)
    value = parse(execution.argv, _XARGS).value("a")
    return [] if value is None else [value]


def runs(size: int) -> int:
    """How many runs of a template are told apart: few of a long one."""
    return max(1, min(LISTED, _FILLED // max(size, 1)))


def _few(items: Sequence[Word], most: int) -> list[Word]:
    """At most `most` items; all that are over become the choices of one."""
    if len(items) <= most:
        return list(items)
    rest = [choice for item in items[most:] for choice in item.choices]
    return [*items[:most], Word(rest, items[0].start, items[0].end)]


def items_of(
    execution: Execution, null: bool, delimiter: Word | None, file: Word | None, hole: str
) -> list[Word] | None:
    """The items on standard input, None if they are not known."""
    stdin = execution.stdin
    text = stdin.text if stdin is not None else None
    if file is not None and file.text != "-":
        stdin = execution.lists.get(file.text or "")
        text = stdin.text if stdin is not None else None
    if text is None or stdin is None:
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


def _zargs(execution: Execution, _world: World) -> list[Inner]:
    """zsh's `zargs [options] -- items -- command`; `-i{}` puts each item where `{}` stands."""
    words = list(execution.argv[1:])
    hole = ""
    while words and lead(words[0])[:1] == "-" and words[0].text != "--":
        text = words.pop(0).text or ""
        if text in ("-i", "--replace"):
            hole = "{}"
        elif text[:2] in ("-i", "-I"):
            hole = text[2:] or ((words.pop(0).text or "") if words else "")
        elif text in ("-n", "-L", "-s", "-P", "-E") and words:
            words.pop(0)
    if words and words[0].text == "--":
        del words[0]
    end = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
    items, template = words[:end], words[end + 1 :]
    if not template:
        return []
    if hole:
        return [
            InnerArgv("zargs", [filled(word, hole, item) for word in template])
            for item in _few(items, runs(len(template)))
        ]
    return [InnerArgv("zargs", [*template, *items])]


TABLE: dict[str, Entry] = {
    "zargs": _zargs,
    "xargs": _xargs,
    "gxargs": _xargs,
}
