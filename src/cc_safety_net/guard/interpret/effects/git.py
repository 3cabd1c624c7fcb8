"""Paths that git itself shows, stages, or writes beside its repository.

What it does to the work tree and to `.git` in its own work is judged by the rules on git.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import below, is_path, looks_like_path, touch
from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.options import cut, lead, parse
from cc_safety_net.guard.interpret.wrappers.git import GLOBAL_OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.interpret.options import Arguments
    from cc_safety_net.guard.world import World

_DIFF = (
    "U,unified: S: G: O: l: diff-filter: stat?@names"
    " format,pretty? since,after: until,before: author:"
    " committer: grep: n,max-count: skip: L: output:@write word-diff? color? M? C? B? X?"
    " dirstat?@names"
    " src-prefix: dst-prefix: inter-hunk-context: anchored: diff-algorithm: ignore-submodules?"
    " submodule? p,patch,u name-only@names name-status@names numstat@names shortstat@names"
    " summary@names quiet@names raw@names check"
)
#: Sub-command -> (options, mode of its paths). Only what stands behind `--` or has the form of a
#: path counts as one.
_SHOWING = {
    "show": (_DIFF, "read"),
    "diff": (_DIFF, "read"),
    "diff-index": (_DIFF, "read"),
    "diff-tree": (_DIFF, "read"),
    "diff-files": (_DIFF, "read"),
    "log": (_DIFF, "log"),
    "whatchanged": (_DIFF, "read"),
    "stash show": (_DIFF, "log"),
    "blame": ("L: C? M? S: date: contents:@read ignore-rev: ignore-revs-file:@use", "read"),
    "annotate": ("L: C? M? S: date:", "read"),
    "cat-file": ("t@names s@names e@names p batch? batch-check?", "read"),
    "check-ignore": ("stdin z v n", "metadata"),
    "ls-files": ("x: X: exclude-standard o c d m z error-unmatch", "metadata"),
    "ls-tree": ("r d t l z name-only full-tree format:", "metadata"),
    "status": ("s u? ignored? porcelain? ignore-submodules? z", "metadata"),
    "add": ("f A u p i n v e N chmod: pathspec-from-file:@use", "metadata"),
    "stage": ("f A u p i n v", "metadata"),
    "update-index": ("chmod: cacheinfo: index-info", "metadata"),
    "hash-object": ("t: w stdin path:", "metadata"),
    "apply": (
        "p: C: directory: exclude: include: whitespace: check stat numstat summary cached index R",
        "use",
    ),
}
#: Sub-command -> options with the paths that it writes.
_WRITING = {
    "archive": "output,o:@write remote: exec: format: prefix: add-file:@read",
    "format-patch": "output-directory,o:@write signature-file:@use cover-from-description: base:",
    "bugreport": "output-directory,o:@write suffix,s:",
    "diagnose": "output-directory,o:@write suffix,s:",
    "fast-export": "export-marks:@write import-marks:@use",
    "config": "file,f:@config blob: type: default:",
    "commit": "file,F:@use template,t:@use m: C: c: author: date:",
    "tag": "file,F:@use m: u:",
    "notes": "file,F:@use m: C: c:",
    "credential-store": "file:@use",
}


def _git(execution: Execution, world: World) -> list[FileAccess]:
    arguments = parse(execution.argv, GLOBAL_OPTIONS)
    operands = arguments.operands
    if not operands:
        return []
    command = operands[0].text or ""
    directory = arguments.value("C")
    if command in _SHOWING:
        found = _shown(execution, command, operands, directory)
        if command == "apply":
            found += _applied(execution, operands, directory, world)
        return found
    if command in _WRITING:
        given = parse(operands, _WRITING[command], permute=True)
        found = _written(execution, command, given, directory)
        if command == "archive":
            # What it packs goes to standard output, or under another name.
            found += _each(execution, given.operands[1:], "read", directory)
        return found
    if command == "stash" and len(operands) > 1 and operands[1].text == "show":
        return _shown(execution, "stash show", operands[1:], directory)
    if command == "grep":
        return _searched(execution, operands, directory)
    if command == "mv":
        return _moved(execution, operands, directory)
    if command == "rm":
        given = parse(operands, "cached f,force r n q,quiet pathspec-from-file:", permute=True)
        if given.has("cached"):
            return _each(execution, given.operands, "metadata", directory)
        return _deleted(execution, given, directory, tree=given.has("r"))
    if command == "clean":
        given = parse(operands, "f,force n,dry-run i,interactive e,exclude: d x X q,quiet",
                      permute=True)  # fmt: skip
        if given.has("f") and not given.has("i"):
            return _deleted(execution, given, directory, tree=True)
    if command == "bundle" and len(operands) > 2 and operands[1].text == "create":
        paths = parse(operands, "q version: progress", start=2, permute=True).operands[:1]
        return _each(execution, paths, "write", directory)
    if command == "clone":
        given = parse(
            operands, "b,branch: o,origin: u,upload-pack: depth: reference: template:@use"
            " separate-git-dir:@write c,config: j,jobs: filter:", permute=True,
        )  # fmt: skip
        found = _written(execution, command, given, directory)
        return found + _each(execution, given.operands[1:2], "write", directory, tree=True)
    if command == "init":
        given = parse(
            operands, "b,initial-branch: template:@use separate-git-dir:@write object-format:"
            " q,quiet bare shared?", permute=True,
        )  # fmt: skip
        found = _written(execution, command, given, directory)
        return found + _each(execution, given.operands[:1], "write", directory)
    if command == "worktree" and len(operands) > 2 and operands[1].text == "add":
        given = parse(operands, "b: B: reason: f,force d,detach", start=2, permute=True)
        return _each(execution, given.operands[:1], "write", directory, tree=True)
    return []


def _shown(
    execution: Execution, command: str, words: Sequence[Word], directory: Word | None
) -> list[FileAccess]:
    options, mode = _SHOWING[command]
    given = parse(words, options, permute=True)
    names = any(option.role == "names" for option in given.options)
    if mode == "log":
        mode = "read" if given.has("p", "L", "U", "word-diff") else "metadata"
    found = [
        touch(execution, option.value, option.role, directory=directory)
        for option in given.options
        if option.role and option.role != "names" and option.value is not None
    ]
    for number, word in enumerate(given.operands):
        behind = given.dashed and number >= given.before_dashes
        path = word
        if not behind and mode == "read":
            inside = _revision_path(word)
            if inside is not None:
                path = inside
            elif command == "cat-file" or _is_range(word) or not looks_like_path(word):
                continue
        if is_path(path) and not (lead(path).startswith(":") and len(lead(path)) == 1):
            found.append(
                touch(execution, path, mode, directory=directory, names=names and mode == "read")
            )
    return found


_GREP = (
    "e:@supplied f:@supplied l,files-with-matches,name-only@names L,files-without-match@names"
    " c,count@names q,quiet@names A,after-context: B,before-context: C,context: m,max-count:"
    " max-depth: threads: O,open-files-in-pager? n i w v h H E F P o p W cached untracked"
)


def _searched(
    execution: Execution, words: Sequence[Word], directory: Word | None
) -> list[FileAccess]:
    """`git grep PATTERN -- PATH`: tracked files, or those of a revision."""
    given = parse(words, _GREP, permute=True)
    roles = {option.role for option in given.options}
    start = 0 if "supplied" in roles else 1
    return [
        touch(execution, word, "read", directory=directory, names="names" in roles)
        for number, word in enumerate(given.operands)
        if number >= start and (number >= given.before_dashes or looks_like_path(word))
    ]


def _applied(
    execution: Execution, operands: Sequence[Word], directory: Word | None, world: World
) -> list[FileAccess]:
    """The files that `git apply` changes; with `--check` and its like none."""
    given = parse(operands, _SHOWING["apply"][0], permute=True)
    if given.has("check", "stat", "numstat", "summary", "cached"):
        return []
    # Only for a patch.
    from cc_safety_net.guard.interpret.effects.patched import applied

    return applied(execution, given.operands, given.value("directory") or directory, world)


def _is_range(word: Word) -> bool:
    """`main..topic`: revisions, not a path."""
    text = lead(word)
    return ".." in text and "../" not in text and text != ".."


def _revision_path(word: Word) -> Word | None:
    """The path of `HEAD:path`, `:path` and `:2:path`."""
    text = literal(word.choices[0]) or lead(word)
    head, colon, rest = text.rpartition(":")
    if not colon or text.startswith((":(", ":!", ":/")) or not (rest or len(word.choices[0]) > 1):
        return None
    return cut(word, len(head) + 1)


def _written(
    execution: Execution, command: str, given: Arguments, directory: Word | None
) -> list[FileAccess]:
    found = []
    for option in given.options:
        if option.value is None or not option.role or not is_path(option.value):
            continue
        mode = option.role
        if mode == "config":
            reads = given.has("get", "l", "list", "get-all", "get-regexp")
            mode = "use" if reads or len(given.operands) < 2 else "write"
        tree = command in ("format-patch", "bugreport", "diagnose")
        found.append(touch(execution, option.value, mode, directory=directory, recursive=tree))
    return found


def _moved(execution: Execution, words: Sequence[Word], directory: Word | None) -> list[FileAccess]:
    from cc_safety_net.guard.interpret.effects.transfers import landing

    operands = parse(words, "f,force k n,dry-run v", permute=True).operands
    if len(operands) < 2:
        return []
    target = operands[-1]
    into = len(operands) > 2 or (target.text or "").endswith("/")
    found = []
    for source in operands[:-1]:
        place = landing(source, target, into)
        found.append(touch(execution, source, "metadata", directory=directory, destination=place))
        taken = source if directory is None else below(directory, source)
        found.append(touch(execution, place, "write", directory=directory, source=taken))
    return found


def _deleted(
    execution: Execution, given: Arguments, directory: Word | None, *, tree: bool
) -> list[FileAccess]:
    """Parts of the work tree that are named; the whole of it is judged by the rules on git."""
    if given.has("n", "h", "help"):
        return []
    named = [word for word in given.operands if _is_part(word)]
    return _each(execution, named, "delete", directory, tree=tree)


def _is_part(word: Word) -> bool:
    """Not the directory itself, and no pattern that may match all of it."""
    for choice in word.choices:
        head = choice[0] if choice else ""
        if not isinstance(head, str) or head.startswith(":") or not head.strip("./"):
            return False
        literal_part = head
        for sign in "*?[":
            literal_part = literal_part.partition(sign)[0]
        if "/" not in literal_part and (len(choice) > 1 or literal_part != head):
            return False
    return True


def _each(
    execution: Execution,
    words: Sequence[Word],
    mode: str,
    directory: Word | None,
    *,
    tree: bool = False,
) -> list[FileAccess]:
    return [
        touch(execution, word, mode, directory=directory, recursive=tree)
        for word in words
        if is_path(word)
    ]


TABLE: dict[str, Entry] = {"git": _git}
