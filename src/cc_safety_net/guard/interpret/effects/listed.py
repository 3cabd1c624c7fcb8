"""Programs that are told on standard input, or in a text of commands, which files to take."""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, touch
from cc_safety_net.guard.interpret.facts import Unknown, Word, known
from cc_safety_net.guard.interpret.options import lead, parse
from cc_safety_net.guard.limits import WORD_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess
    from cc_safety_net.guard.world import World

#: So many names of a list are looked at one by one, the others together.
_NAMES = 256
_SFTP = "b:@use F:@use i:@use c: D: J: l: o: P: R: S: s: B:"
_LFTP = "e:@text c:@text f:@use p: u:"
#: Commands of a session that send a local file, and that fetch one.
_SENDS = frozenset(("append", "mput", "put", "reput", "send"))
_FETCHES = frozenset(("get", "mget", "recv", "reget"))
#: Verbs of tools for object stores that take a source and a target.
_COPIES = frozenset(("bisync", "copy", "copyto", "cp", "mirror", "move", "moveto", "mv", "sync"))
_MOVES = frozenset(("move", "moveto", "mv"))
_SHOWS = frozenset(("cat", "head"))
_OBJECTS = (
    "config: P progress v,verbose n,dry-run include: exclude: filter: files-from:@use transfers:"
    " checkers: bwlimit: max-age: min-age: max-size: min-size: backup-dir: r,recursive a"
)


def names(execution: Execution) -> list[Word]:
    """The names on standard input, one a line or ended by a null byte."""
    stdin = execution.stdin
    if stdin is None:
        # What a search or another program hands over is known by its origin.
        feeds = execution.feeds
        unknown = Unknown("input", origin=feeds)
        return [Word(((unknown,),), execution.start, execution.end)] if feeds else []
    if stdin.text is None:
        return [stdin]
    lines = list(filter(None, stdin.text.replace("\0", "\n").split("\n")))
    found = [known(line, stdin.start, stdin.end) for line in lines[:_NAMES]]
    for at in range(_NAMES, len(lines), WORD_VALUES):
        choices = tuple((line,) for line in lines[at : at + WORD_VALUES])
        found.append(Word(choices, stdin.start, stdin.end))
    return found


def taken(
    execution: Execution, mode: str, *, directory: Word | None = None, target: Word | None = None
) -> list[FileAccess]:
    """What an archiver or a copier does to the files that its standard input names."""
    return [
        touch(execution, name, mode, directory=directory, destination=target)
        for name in names(execution)
        if is_path(name)
    ]


def _session(execution: Execution, _world: World) -> list[FileAccess]:
    """`put .env` on the standard input of sftp, in a batch, or in an option of lftp."""
    arguments = parse(execution.argv, _LFTP if execution.program == "lftp" else _SFTP)
    found = []
    texts = [execution.stdin.text] if execution.stdin is not None else []
    for option in arguments.options:
        if option.value is None:
            continue
        if option.role == "text":
            texts.append(option.value.text)
        elif option.role and is_path(option.value):
            found.append(touch(execution, option.value, option.role))
    for text in texts:
        for line in (text or "").replace(";", "\n").split("\n"):
            found += _line(execution, line.split())
    return found


def _line(execution: Execution, words: Sequence[str]) -> list[FileAccess]:
    verb = words[0].lstrip("-@") if words else ""
    operands = [
        known(word.strip("\"'"), execution.start, execution.end)
        for word in words[1:]
        if word[:1] != "-"
    ]
    if verb in _SENDS:
        several = verb == "mput"
        return [touch(execution, word, "read") for word in (operands if several else operands[:1])]
    if verb in _FETCHES and len(operands) > 1 and verb != "mget":
        return [touch(execution, operands[-1], "write")]
    return []


def _objects(execution: Execution, _world: World) -> list[FileAccess]:
    """`rclone copy f r:b`, `mc cp f alias/b`: a local file goes out, or comes in."""
    arguments = parse(execution.argv, _OBJECTS, permute=True)
    operands = arguments.operands
    verb = operands[0].text if operands else ""
    if arguments.has("n") or len(operands) < 2:
        return []
    if verb in _SHOWS:
        return [touch(execution, word, "read") for word in operands[1:] if _is_local(word)]
    if verb not in _COPIES or len(operands) < 3:
        return []
    target = operands[-1]
    remote = not _is_local(target)
    if execution.program == "mc" and not lead(target).startswith((".", "/", "~")):
        remote = True
    found = []
    for source in operands[1:-1]:
        if _is_local(source):
            mode = "move" if verb in _MOVES else "read" if remote else "metadata"
            found.append(touch(execution, source, mode, recursive=True, destination=target))
        if not remote:
            found.append(touch(execution, target, "write", recursive=True, source=source))
    return found


def _is_local(word: Word) -> bool:
    head = lead(word)
    colon = head.find(":")
    return is_path(word) and (colon < 0 or "/" in head[:colon])


TABLE: dict[str, Entry] = {
    "sftp": _session,
    "ftp": _session,
    "lftp": _session,
    "rclone": _objects,
    "mc": _objects,
}
