"""What programs print, where that is known."""

from __future__ import annotations

from cc_safety_net.guard.interpret import filters
from cc_safety_net.guard.interpret.contents import contents_of
from cc_safety_net.guard.interpret.escapes import echo_escapes, printf_escapes
from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, literal, prefix
from cc_safety_net.guard.interpret.values import (
    EMPTY,
    concat,
    known_texts,
    text_choice,
    unite,
    unknown_choice,
)
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

#: Programs whose output is not known and never empty.
_SAYS_SOMETHING = frozenset(
    (
        "arch",
        "date",
        "hostname",
        "id",
        "logname",
        "nproc",
        "uname",
        "uuidgen",
        "wc",
        "whoami",
        "tty",
    )
)
#: They print nothing.
_SILENT = frozenset(
    (
        ":", "[", "alias", "break", "builtin", "cd", "chgrp", "chmod", "chown", "continue", "cp",
        "eval", "exec", "exit", "export", "false", "hash", "kill", "let", "ln", "local", "mapfile",
        "mkdir", "mv", "read", "readarray", "readonly", "return", "rm", "rmdir", "set", "shift",
        "shopt", "sleep", "source", "test", "touch", "trap", "true", "umask", "unset", "wait",
    )
)  # fmt: skip
#: Words that may be none, in each combination.
_OPEN_WORDS = 3
_NEWLINE: Choices = (("\n",),)
_REPEATS = 1_024


def output_of(m: Machine, state: State, execution: Execution) -> Choices:
    """The text that the execution writes to standard output."""
    printer = _PRINTERS.get(execution.program)
    if printer is not None:
        found = printer(m, state, execution)
        if found is not None:
            return found
    elif execution.program in _SILENT:
        return EMPTY
    elif execution.program in filters.FILTERS:
        found = filters.filtered(m, state, execution)
        if found is not None:
            return found
    empty = execution.program not in _SAYS_SOMETHING
    return ((Unknown("command", execution.program, may_be_empty=empty, origin=(execution,)),),)


def _echo(m: Machine, state: State, execution: Execution) -> Choices | None:
    del m, state
    words = list(execution.argv[1:])
    newline, escapes = True, False
    while words:
        text = words[0].text
        if text is None or text[:1] != "-" or len(text) < 2 or text[1:].strip("neE"):
            break
        newline = newline and "n" not in text
        for letter in text[1:]:
            escapes = letter == "e" if letter in "eE" else escapes
        del words[0]
    out = unite([choice for shape in _shapes(words) for choice in _spaced(shape)])
    if escapes:
        out = _decoded(out)
    return concat(out, _NEWLINE) if newline else out


def _spaced(words: Sequence[Word]) -> Choices:
    out = EMPTY
    for index, word in enumerate(words):
        out = concat(concat(out, ((" ",),)), word.choices) if index else word.choices
    return out


def _shapes(words: Sequence[Word]) -> list[list[Word]]:
    """The words, and what is left of them where an unknown one turns out to be none."""
    shapes: list[list[Word]] = [[]]
    open_ended = sum(word.splits for word in words)
    for word in words:
        if word.splits and open_ended <= _OPEN_WORDS:
            shapes = [*([*shape, word] for shape in shapes), *shapes]
        else:
            shapes = [[*shape, word] for shape in shapes]
    if open_ended > _OPEN_WORDS:
        shapes.append([word for word in words if not word.splits])
    return shapes


def _decoded(choices: Choices) -> Choices:
    out = []
    for choice in choices:
        pieces = []
        for piece in choice:
            if isinstance(piece, str):
                text, goes_on = echo_escapes(piece)
                pieces.append(text)
                if not goes_on:
                    break
            else:
                pieces.append(piece)  # type: ignore[arg-type]  # pieces
        out.append(tuple(pieces))
    return unite(out)


def _printf(m: Machine, state: State, execution: Execution) -> Choices | None:
    del m, state
    words = execution.argv[1:]
    if words and words[0].text == "--":
        words = words[1:]
    if words and words[0].text == "-v":
        return EMPTY
    return formatted(words)


def formatted(words: Sequence[Word]) -> Choices:
    """The text of `printf FORMAT ARGUMENTS…`."""
    if not words:
        return EMPTY
    template = words[0].text
    if template is None:
        return unknown_choice("command", "printf")
    pieces = _directives(template)
    arguments = list(words[1:])
    wanted = sum(kind != "" for kind, _ in pieces)
    if wanted != 1 and any(word.splits or _is_pattern(word) for word in arguments):
        return unknown_choice("command", "printf")
    return unite([c for shape in _shapes(arguments) for c in _filled(pieces, shape, wanted)])


def _filled(pieces: Sequence[tuple[str, str]], arguments: list[Word], wanted: int) -> Choices:
    """The pieces of a format, as often as the arguments last."""
    out = EMPTY
    for _ in range(_REPEATS):
        for kind, text in pieces:
            if not kind:
                out = concat(out, text_choice(text))
                continue
            argument = arguments.pop(0).choices if arguments else EMPTY
            out = concat(out, _directive(kind, text, argument))
        if not arguments or not wanted:
            return out
    return unknown_choice("limit")


def _is_pattern(word: Word) -> bool:
    return any(isinstance(piece, Glob) for choice in word.choices for piece in choice)


def _directives(template: str) -> list[tuple[str, str]]:
    """(conversion letter or "", literal text or the directive's flags)."""
    out: list[tuple[str, str]] = []
    at = 0
    while at < len(template):
        percent = template.find("%", at)
        if percent < 0:
            out.append(("", printf_escapes(template[at:])))
            break
        out.append(("", printf_escapes(template[at:percent])))
        end = percent + 1
        while end < len(template) and template[end] in "-+ #0123456789.*'hlLjzt":
            end += 1
        letter = template[end : end + 1]
        flags = template[percent + 1 : end]
        out.append(("", "%") if letter in ("%", "") else (letter, flags))
        at = end + 1
    return out


def _directive(kind: str, flags: str, value: Choices) -> Choices:
    texts = known_texts(value)
    if kind == "s" and not flags:
        return value
    if texts is None:
        return value if kind in "sbq" else unknown_choice("command", "printf", may_be_empty=False)
    out = []
    for text in texts:
        done = _converted(kind, flags, text)
        if done is None:
            return unknown_choice("command", "printf", may_be_empty=False)
        out.append((done,) if done else ())
    return unite(out)


def _converted(kind: str, flags: str, text: str) -> str | None:
    if kind == "b":
        return echo_escapes(text)[0]
    if kind == "q":
        return "'" + text.replace("'", "'\\''") + "'"
    if kind == "c":
        return text[:1]
    if "*" in flags or len(flags) > 8:
        return None
    if kind == "s":
        width, _, precision = flags.lstrip("-+ #'").partition(".")
        if precision.isdigit():
            text = text[: int(precision)]
        if width.isdigit() and int(width) < 1_000:
            left = "-" in flags
            return text.ljust(int(width)) if left else text.rjust(int(width))
        return text
    if kind in "dioxXu":
        from cc_safety_net.guard.interpret.arithmetic import number

        value = ord(text[1]) if text[:1] in "\"'" and len(text) > 1 else number(text or "0")
        if value is None or flags.strip("0123456789- "):
            return None
        form = {"i": "d", "u": "d"}.get(kind, kind)
        try:
            return ("%" + flags + form) % value
        except (ValueError, OverflowError):
            return None
    return None


def _pwd(m: Machine, state: State, execution: Execution) -> Choices | None:
    del m, state
    from cc_safety_net.guard.interpret.variables import directories

    return concat(directories(execution.cwds, "PWD"), _NEWLINE)


def _cat(m: Machine, state: State, execution: Execution) -> Choices | None:
    del state
    operands = _operands(execution)
    if operands is None:
        return None
    if not operands:
        return execution.stdin.choices if execution.stdin is not None else _from_input(m)
    out = EMPTY
    for word in operands:
        if word.text == "-":
            choices = execution.stdin.choices if execution.stdin is not None else None
        else:
            choices, _ = contents_of(m, execution.cwds, word)
        if choices is None:
            return None
        out = concat(out, choices)
    return out


def _from_input(m: Machine) -> Choices | None:
    return m.input.choices if m.input is not None else None


def _operands(execution: Execution, flags: str = "") -> list[Word] | None:
    """The operands if there are no options but those in `flags`, else None."""
    out = []
    options = True
    for word in execution.argv[1:]:
        text = word.text
        if options and text is not None and text[:1] == "-" and len(text) > 1:
            if text == "--":
                options = False
            elif text[1:].strip(flags) if flags else True:
                return None
            continue
        out.append(word)
    return out


def _basename(m: Machine, state: State, execution: Execution) -> Choices | None:
    del m, state
    operands = _operands(execution)
    if not operands or len(operands) > 2:
        return None
    texts = operands[0].texts
    suffix = operands[1].text if len(operands) > 1 else ""
    if suffix is None:
        return None
    if texts is None:
        return concat(unite([_last_part(c) for c in operands[0].choices]), _NEWLINE)
    out = []
    for text in texts:
        name = text.rstrip("/").rpartition("/")[2] or ("/" if text else "")
        if suffix and name.endswith(suffix) and name != suffix:
            name = name[: -len(suffix)]
        out.append((name,) if name else ())
    return concat(unite(out), _NEWLINE)


def _last_part(choice: Pieces) -> Pieces:
    unknown = next((p for p in choice if isinstance(p, Unknown)), None)
    if unknown is None:
        text = prefix(choice)
        return (text.rpartition("/")[2], *choice[1:])
    return (Unknown(unknown.why, unknown.name, may_be_empty=False, origin=unknown.origin),)


def _dirname(m: Machine, state: State, execution: Execution) -> Choices | None:
    del m, state
    operands = _operands(execution)
    texts = operands[0].texts if operands and len(operands) == 1 else None
    if texts is None:
        return None
    out = []
    for text in texts:
        head = text.rstrip("/")
        head, slash, _ = head.rpartition("/")
        out.append((head.rstrip("/") or ("/" if slash or text.startswith("/") else "."),))
    return concat(unite(out), _NEWLINE)


def _realpath(m: Machine, state: State, execution: Execution) -> Choices | None:
    """`realpath`, and `readlink` with or without `-f`."""
    del state
    follows = execution.program == "realpath"
    operands = []
    for word in execution.argv[1:]:
        text = word.text
        if text is not None and text[:1] == "-" and len(text) > 1:
            if text.strip("-") in ("f", "e", "m", "canonicalize", "canonicalize-existing"):
                follows = True
            elif text not in ("-q", "-s", "-n", "--", "-m", "-e", "--no-symlinks"):
                return None
            continue
        operands.append(word)
    texts = operands[0].texts if len(operands) == 1 else None
    if texts is None:
        return None
    out: list[Pieces] = []
    for text in texts:
        for cwd in execution.cwds:
            if cwd is None and not text.startswith("/"):
                return None
            path = join(cwd or "/", text)
            if follows:
                out.append((m.world.resolve(path),))
                continue
            target = m.world.link(normalise(path))
            out.append((target,) if target else ())
    return concat(unite(out), _NEWLINE)


def _which(m: Machine, state: State, execution: Execution) -> Choices | None:
    """A path of the named program; where it lies does not matter, its name does."""
    del state
    operands = _operands(execution, "apvV") or []
    asks = any(word.text in ("-v", "-V") for word in execution.argv[1:])
    if execution.program == "command" and not asks:
        return EMPTY
    name = operands[0].text if len(operands) == 1 else None
    if name is None or not name:
        return None
    if "/" in name:
        return text_choice(name + "\n")
    for directory in ("/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"):
        if m.world.exists(directory + name):
            return text_choice(directory + name + "\n")
    return text_choice("/usr/bin/" + name + "\n")


def _mktemp(m: Machine, state: State, execution: Execution) -> Choices | None:
    """A fresh path below the temp root, or beside the template."""
    del state
    root = m.world.environment.get("TMPDIR") or (m.place.temps[0] if m.place.temps else "/tmp")  # noqa: S108
    if "TMPDIR" in m.reading.reassigned:
        return unknown_choice("command", "mktemp", may_be_empty=False)
    template: str | None = None
    inside = False
    words = list(execution.argv[1:])
    while words:
        text = words.pop(0).text
        if text is None:
            return unknown_choice("command", "mktemp", may_be_empty=False)
        if text in ("-p", "--tmpdir") and words and text == "-p":
            root = words.pop(0).text or root
            inside = True
        elif text.startswith("--tmpdir"):
            root = text.partition("=")[2] or root
            inside = True
        elif text.startswith("-p") and len(text) > 2:
            root, inside = text[2:], True
        elif text == "--suffix":
            words[:1] = []
        elif text.startswith("-"):
            inside = inside or ("t" in text and not text.startswith("--"))
        else:
            template = text
    unknown = Unknown("command", "mktemp", may_be_empty=False, origin=(execution,))
    start = root.rstrip("/") + "/"
    if template is not None:
        head = template.rstrip("X") if "X" in template else template
        head = head.partition("XXX")[0]
        start = start + head if inside else head
    made: Pieces = (start, unknown, "\n") if start else (unknown, "\n")
    return (made,)


#: What `git rev-parse` prints for these, below the top of the work tree. git-rev-parse(1).
_GIT_PLACES = {
    "--show-toplevel": "",
    "--git-dir": ".git",
    "--absolute-git-dir": ".git",
    "--git-common-dir": ".git",
    "--git-path": ".git",
}


def _git(m: Machine, state: State, execution: Execution) -> Choices | None:
    del state
    texts = [word.text or "" for word in execution.argv[1:]]
    cwds: Sequence[str | None] = execution.cwds
    while len(texts) > 1 and texts[0] in ("-C", "-c"):
        if texts[0] == "-C":
            cwds = tuple(None if c is None else normalise(join(c, texts[1])) for c in cwds)
        texts = texts[2:]
    if texts[:1] == ["ls-files"]:
        return filters.found_below(execution, [""], "git ls-files")
    asked = [text for text in texts[1:] if not text.startswith("--path-format=")]
    below = _GIT_PLACES.get(asked[0]) if texts[:1] == ["rev-parse"] and asked else None
    if below is not None and len(asked) == (2 if asked[0] == "--git-path" else 1):
        out: list[Pieces] = []
        for cwd in cwds:
            root = None if cwd is None else _top_level(m, cwd)
            if root is None or (below and m.world.kind(join(root, ".git")) != "directory"):
                return None
            out.append((normalise(join(root, "/".join((below or ".", *asked[1:])))),))
        return concat(unite(out), _NEWLINE)
    if texts[:1] == ["rev-parse"] and len(texts) > 1:
        return ((Unknown("command", "git", may_be_empty=False, origin=(execution,)),),)
    return None


def _top_level(m: Machine, cwd: str) -> str | None:
    path = cwd
    while True:
        if m.world.exists(join(path, ".git")):
            return path
        if path == "/":
            return m.place.root_of(cwd) or None
        path = path.rpartition("/")[0] or "/"


def _seq(m: Machine, state: State, execution: Execution) -> Choices | None:
    del state
    separator = "\n"
    numbers = []
    words = list(execution.argv[1:])
    while words:
        text = words.pop(0).text
        if text == "-s" and words:
            separator = words.pop(0).text or ""
            continue
        try:
            numbers.append(int(text or ""))
        except ValueError:
            return None
    if not 1 <= len(numbers) <= 3:
        return None
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0:
        return None
    last = numbers[-1]
    count = (last - first) // step + 1
    if count > _REPEATS:
        return None
    m.effort.spend(max(count, 1), "seq")
    values = [str(first + step * index) for index in range(max(count, 0))]
    return text_choice(separator.join(values) + "\n") if values else EMPTY


def _searched(m: Machine, state: State, execution: Execution) -> Choices | None:
    """`find` and `ls`: only where their results lie is known."""
    del m, state
    starts: list[str] = []
    listing = execution.program in ("ls", "fd", "fdfind")
    for word in execution.argv[1:]:
        for choice in word.choices:
            text = literal(choice)
            if text is not None and text[:1] in ("-", "(", "!"):
                if not listing:
                    return filters.found_below(execution, starts or ["."], "find")
                continue
            starts.append(prefix(choice) if text is None else text)
    if execution.program in ("fd", "fdfind"):
        starts = starts[1:]
    if listing:
        # `ls D` prints names in D; as words they are relative to the directory of the shell.
        return filters.found_below(execution, [""], "find")
    return filters.found_below(execution, starts or ["."], "find")


_PRINTERS: dict[str, Callable[[Machine, State, Execution], Choices | None]] = {
    "basename": _basename,
    "cat": _cat,
    "command": _which,
    "dirname": _dirname,
    "echo": _echo,
    "fd": _searched,
    "fdfind": _searched,
    "find": _searched,
    "git": _git,
    "gmktemp": _mktemp,
    "ls": _searched,
    "mktemp": _mktemp,
    "printf": _printf,
    "pwd": _pwd,
    "readlink": _realpath,
    "realpath": _realpath,
    "seq": _seq,
    "tee": _cat,
    "type": _which,
    "which": _which,
}
