"""Programs that delete, empty, re-permission, make or write files they are given by name."""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, looks_like_path, touch
from cc_safety_net.guard.interpret.options import lead, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess
    from cc_safety_net.guard.world import World

_TRUNCATE = "s,size: r,reference: c,no-create o,io-blocks help@query version@query"
_MODE_LETTERS = frozenset("rwxXstugoa+-=,01234567")


def _truncate(execution: Execution, _world: World) -> list[FileAccess]:
    """`-s 0` empties; another size is a write."""
    arguments = parse(execution.argv, _TRUNCATE, permute=True)
    if any(option.role == "query" for option in arguments.options):
        return []
    size = arguments.value("s")
    text = size.text if size is not None else None
    empties = text is not None and text.lstrip("=<").strip("0") in ("", "K", "M", "G", "B")
    reference = arguments.value("r")
    empties = empties or (reference is not None and reference.text == "/dev/null")
    mode = "truncate" if empties or (size is not None and text is None) else "write"
    return [touch(execution, path, mode) for path in arguments.operands if is_path(path)]


_CHMOD = (
    "R,recursive c,changes f,silent,quiet v,verbose reference: preserve-root no-preserve-root"
    " dereference h,no-dereference H L P from: help@query version@query"
)


def _chmod(execution: Execution, _world: World) -> list[FileAccess]:
    """The mode or owner is no path; `-x` and `-rwx` are modes, not options."""
    words = execution.argv
    kept = [words[0]]
    mode_given = False
    takes_mode = execution.program == "chmod"
    for word in words[1:]:
        text = lead(word)
        is_mode = takes_mode and len(text) > 1 and text[0] == "-" and text != "--"
        if is_mode and not mode_given and text[1] in "rwxXst" and set(text[1:]) <= _MODE_LETTERS:
            mode_given = True
        else:
            kept.append(word)
    arguments = parse(kept, _CHMOD, permute=True)
    if any(option.role == "query" for option in arguments.options):
        return []
    paths = list(arguments.operands)
    if not mode_given and not arguments.has("reference"):
        del paths[:1]
    recursive = arguments.has("R")
    return [
        touch(execution, path, "permissions", recursive=recursive)
        for path in paths
        if is_path(path)
    ]


def _setfacl(execution: Execution, _world: World) -> list[FileAccess]:
    options = "m,modify: x,remove: M: X: set: set-file: restore: b k n d R,recursive L P"
    arguments = parse(execution.argv, options, permute=True)
    return [
        touch(execution, path, "permissions", recursive=arguments.has("R"))
        for path in arguments.operands
    ]


def _chattr(execution: Execution, _world: World) -> list[FileAccess]:
    recursive = False
    found = []
    for word in execution.argv[1:]:
        text = lead(word)
        if text[:1] in ("+", "-", "="):
            recursive = recursive or text == "-R"
        else:
            found.append(touch(execution, word, "permissions"))
    for access in found:
        access.recursive = recursive
    return found


def _tee(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(execution.argv, "a,append i,ignore-interrupts p output-error?", permute=True)
    mode = "append" if arguments.has("a") else "write"
    return [
        touch(execution, path, mode, content=execution.stdin)
        for path in arguments.operands
        if is_path(path)
    ]


#: What writes lines of a file that perl or ruby edits in place.
_PRINTING = ("print", "say", "write", "puts", "putc", "p ", "$<", "gsub", "sub!")


def _perl(execution: Execution, _world: World) -> list[FileAccess]:
    """`perl -i -pe CODE FILES` edits, `-ne CODE FILES` reads; else a script comes first."""
    options = "e: E: 0# l# i? I: M? m? F? x? D? C? d? a n p s t T u U w W X f g c v V?"
    if execution.program == "ruby":
        options = "e: r: I: E: K? x? i? 0# F? C: T? W? a l n p s S w y c v"
    arguments = parse(execution.argv, options)
    operands = arguments.operands
    if not arguments.has("e", "E"):
        return [touch(execution, word, "use") for word in operands[:1] if is_path(word)] + [
            touch(execution, word, "use") for word in operands[1:] if looks_like_path(word)
        ]
    if arguments.has("i"):
        code = [option.value for option in arguments.options if option.name in ("e", "E")]
        prints = arguments.has("p") or any(
            each is None or any(sign in (each.text or "print") for sign in _PRINTING)
            for each in code
        )
        mode = "write" if prints else "truncate"
        return [touch(execution, path, mode) for path in operands if is_path(path)]
    if arguments.has("n", "p"):
        return [touch(execution, path, "read") for path in operands if is_path(path)]
    return [touch(execution, path, "use") for path in operands if looks_like_path(path)]


_FD = (
    "x,exec$ X,exec-batch$ e,extension: E,exclude: t,type: d,max-depth: min-depth: exact-depth:"
    " S,size: changed-within: changed-before: o,owner: c,color: j,threads: base-directory:"
    " search-path: max-results: ignore-file: path-separator: and: C: g,glob F,fixed-strings"
)


def _fd(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(execution.argv, _FD, permute=True)
    paths = arguments.operands[: arguments.before_dashes][1:]
    return [touch(execution, path, "metadata", recursive=True) for path in paths]


def _rmdir(execution: Execution, _world: World) -> list[FileAccess]:
    """`-p` takes the parents along, all of which must be empty."""
    arguments = parse(
        execution.argv, "p,parents ignore-fail-on-non-empty v help@query", permute=True
    )
    if any(option.role == "query" for option in arguments.options):
        return []
    return [touch(execution, path, "delete") for path in arguments.operands]


def _gio(execution: Execution, _world: World) -> list[FileAccess]:
    words = execution.argv
    verb = words[1].text if len(words) > 1 else ""
    mode = {"trash": "delete", "remove": "delete", "cat": "read", "info": "metadata"}.get(
        verb or ""
    )
    if mode is None:
        return []
    recursive = verb == "trash"
    operands = parse(words, "", start=2, permute=True).operands
    return [touch(execution, path, mode, recursive=recursive) for path in operands if is_path(path)]


_RM = (
    "r,recursive,R@recursive f,force i I d,dir v,verbose interactive? one-file-system"
    " no-preserve-root preserve-root? help@query version@query"
)
_SHRED = (
    "n,iterations: s,size: random-source: u,remove? f,force v z,zero x,exact"
    " help@query version@query"
)

#: `mkdir` and `touch` make what is not there and leave alone what is: they count as a look.
TABLE: dict[str, Entry] = {
    "rm": (_RM, "delete*"),
    "grm": (_RM, "delete*"),
    "unlink": ("help@query version@query", "delete*"),
    "rmdir": _rmdir,
    "shred": (_SHRED, "delete*"),
    "gshred": (_SHRED, "delete*"),
    "srm": ("r@recursive R@recursive help@query", "delete*"),
    "wipe": ("r@recursive S: C: e: p: Q: help@query h@query", "delete*"),
    "sdelete": ("p: s r", "delete*"),
    "trash": ("h,help@query version@query v,verbose", "delete* tree"),
    "trash-cli": ("help@query version@query g,glob", "delete* tree"),
    "trash-put": ("r d f i v trash-dir: help@query version@query", "delete* tree"),
    "rmtrash": ("", "delete* tree"),
    "gio": _gio,
    "rimraf": (
        (
            "g,glob@globs no-glob preserve-root no-preserve-root tmp: max-retries: retry-delay:"
            " backoff:"
            " impl: i v,verbose help,h@query version@query"
        ),
        "delete* tree",
    ),
    "del-cli": ("f,force d,dry-run@query help@query version@query", "delete* tree globs"),
    "del": ("f,force d,dry-run@query help@query", "delete* tree globs"),
    "touch": ("d,date: r,reference: t: time: a c,no-create m h", "metadata*"),
    "mkdir": ("m,mode: p,parents v Z? context?", "metadata*"),
    "mkfifo": ("m,mode:", "metadata*"),
    "mknod": ("m,mode:", "write skip*"),
    "truncate": _truncate,
    "fallocate": ("l,length: o,offset: n p c d", "write*"),
    "chmod": _chmod,
    "gchmod": _chmod,
    "chown": _chmod,
    "chgrp": _chmod,
    "setfacl": _setfacl,
    "chattr": _chattr,
    "chflags": _chmod,
    "xattr": ("d: c r", "permissions*"),
    "tee": _tee,
    "sponge": ("a", "write*"),
    "perl": _perl,
    "ruby": _perl,
    "fd": _fd,
    "fdfind": _fd,
    "mkfs": ("t: V", "write"),
    "dos2unix": ("k q n", "write*"),
    "unix2dos": ("k q n", "write*"),
    "prettier": ("config: ignore-path: parser: w,write@only=write c,check l", "use*"),
    "source": ("", "use"),
    ".": ("", "use"),
}
