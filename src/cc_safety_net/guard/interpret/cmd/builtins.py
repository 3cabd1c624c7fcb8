"""Commands that are built into cmd.exe: what each does with its words."""

from __future__ import annotations

from cc_safety_net.guard.interpret import contents
from cc_safety_net.guard.interpret.accesses import touch
from cc_safety_net.guard.interpret.cmd.variables import DELAYED
from cc_safety_net.guard.interpret.cmd.words import cut, parted, stripped, without_last_quote
from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.powershell.values import Value
from cc_safety_net.guard.interpret.powershell.variables import set_environment
from cc_safety_net.guard.interpret.state import ARGUMENTS, CWDS, STACK
from cc_safety_net.guard.interpret.values import EMPTY, concat, merge, size, text_choice
from cc_safety_net.guard.interpret.windows_paths import posix_pieces, reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.cmd.commands import Commands
    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.values import Choices

    #: (shell, execution, what follows the name, that cut into words) -> None
    Handler: TypeAlias = Callable[[Commands, Execution, Pieces, list[Pieces]], None]

_NULL = frozenset(("nul", "/dev/null", "nul:"))
#: cmd keeps no longer values.
_VALUE_CHARACTERS = 8_191
_LABEL_ENDS = frozenset(" \t:+,;=&|<>()")


# --- files ---------------------------------------------------------------------------------------


def _path(execution: Execution, word: Pieces, *, wild: bool = True) -> Word:
    pieces = posix_pieces(word, wild=wild, all_dots=True)
    return Word((pieces,), execution.start, execution.end)


def _del(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    switches, operands = parted(words)
    recursive = "s" in switches
    for operand in operands:
        word = _path(execution, operand)
        if _is_directory(shell, execution, word):
            word = Word((merge((*word.choices[0], "/", Glob("*"))),), word.start, word.end)
        touch(shell.m, execution, word, "delete", recursive=recursive)


def _is_directory(shell: Commands, execution: Execution, word: Word) -> bool:
    text = word.text
    if text is None:
        return False
    if text.endswith("/") or (len(text) == 3 and text[2] == ":"):
        return True
    found = contents.paths_of(execution.cwds, word)
    return any(shell.m.world.is_directory(path) for path in found or ())


def _rd(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    switches, operands = parted(words)
    recursive = "s" in switches
    for operand in operands:
        word = _path(execution, operand, wild=False)
        via = "" if recursive else "rmdir"
        touch(shell.m, execution, word, "delete", recursive=recursive, via=via)


def _move(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    _, operands = parted(words)
    if not operands:
        return
    place = _path(execution, operands[-1] if len(operands) > 1 else (".",), wild=False)
    for operand in operands[:-1] if len(operands) > 1 else operands:
        source = _path(execution, operand)
        if execution.program in ("ren", "rename"):
            target = _beside(source, place)
        else:
            target = _in_directory(shell, execution, place, source)
        touch(shell.m, execution, source, "move", recursive=True, destination=target)
        touch(shell.m, execution, target, "write", source=source)


def _copy(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    _, operands = parted([w for w in words if w != ("+",)])
    if not operands:
        return
    place = _path(execution, operands[-1] if len(operands) > 1 else (".",), wild=False)
    for operand in operands[:-1] if len(operands) > 1 else operands:
        if (literal(operand) or "").lower() in _NULL:
            touch(shell.m, execution, place, "truncate")
            continue
        source = _path(execution, operand)
        if (place.text or "").lower() in ("con", "con:"):
            touch(shell.m, execution, source, "read")
            continue
        target = _in_directory(shell, execution, place, source)
        touch(shell.m, execution, source, "metadata", destination=target)
        touch(shell.m, execution, target, "write", source=source)


def _beside(source: Word, place: Word) -> Word:
    """`ren dir\\a b` leaves the file in its directory."""
    folder = (source.text or "").rpartition("/")[0]
    name = place.text
    if not folder or name is None or "/" in name:
        return place
    return known(folder + "/" + name, place.start, place.end)


def _in_directory(shell: Commands, execution: Execution, place: Word, source: Word) -> Word:
    """In a directory a file keeps its name."""
    text, name = place.text, source.text
    if text is None or name is None or not _is_directory(shell, execution, place):
        return place
    leaf = name.rstrip("/").rpartition("/")[2]
    return known(f"{text.rstrip('/')}/{leaf}", place.start, place.end)


def _type(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    _, operands = parted(words)
    out: Choices = EMPTY
    for operand in operands:
        if (literal(operand) or "").lower() in _NULL:
            continue
        word = _path(execution, operand)
        touch(shell.m, execution, word, "read")
        found, _ = contents.contents_of(shell.m, execution.cwds, word)
        out = concat(out, found or ((Unknown("command", "type", origin=(execution,)),),))
    shell.m.emit(out)


def _dir(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    """`dir /b` prints names, `dir /b /s` whole paths below the directory."""
    switches, operands = parted(words)
    out: Choices = ((Unknown("command", execution.program, origin=(execution,)),),)
    for operand in operands or [(".",)]:
        word = _path(execution, operand)
        if operands:
            touch(shell.m, execution, word, "metadata")
        if "b" in switches and "s" in switches:
            out = tuple(_found_below(choice) for choice in word.choices)
    shell.m.emit(out)


def _found_below(choice: Pieces) -> Pieces:
    """A path that a search below a directory finds, or for a pattern below that of the pattern."""
    some = Unknown("input", may_be_empty=False)
    if not any(isinstance(piece, Glob) for piece in choice):
        return merge((*choice, "/", some))
    first = choice[0] if isinstance(choice[0], str) else ""
    folder, slash, leaf = first.rpartition("/")
    return merge(((folder + slash) or "./", some, "/" + leaf, *choice[1 if first else 0 :]))


def _look(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    for operand in parted(words)[1]:
        touch(shell.m, execution, _path(execution, operand), "metadata")


def _mklink(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    _, operands = parted(words)
    if len(operands) > 1:
        source = _path(execution, operands[1], wild=False)
        link = _path(execution, operands[0], wild=False)
        touch(shell.m, execution, link, "link", source=source, destination=source)


# --- directories ---------------------------------------------------------------------------------


def _cd(shell: Commands, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    words = [w for w in words if not (literal(w) or "").lower().startswith("/d")]
    if execution.program == "pushd":
        stack = shell.state.look(STACK)
        if words and stack is not None:
            shell.state.put(STACK, (shell.state.cwds, *stack))
    if not words:
        return
    # An unquoted path may hold blanks.
    line = merge(p for index, w in enumerate(words) for p in ((" ", *w) if index else w))
    path = literal(posix_pieces(line))
    shell.state.put(CWDS, reach(shell.state.cwds, path))


def _popd(shell: Commands, _execution: Execution, _rest: Pieces, _words: list[Pieces]) -> None:
    stack = shell.state.look(STACK)
    if stack:
        shell.state.put(CWDS, stack[0])
        shell.state.put(STACK, stack[1:])
    elif stack is None:
        shell.state.put(CWDS, (None,))


# --- text and variables --------------------------------------------------------------------------


def _echo(shell: Commands, execution: Execution, rest: Pieces, _words: list[Pieces]) -> None:
    text = literal(rest)
    if text is not None and text.strip().lower() in ("on", "off", ""):
        return
    for piece in rest:
        if isinstance(piece, Unknown) and piece.why == "environment" and not shell.m.captured:
            _prints(shell, execution, piece.name)
    first = rest[0] if rest and isinstance(rest[0], str) else ""
    shell.m.emit((merge((first[1:], *rest[1:], "\n")) if rest else ("\n",),))


def _prints(shell: Commands, execution: Execution, *names: str) -> None:
    """What is shown of the environment is judged as `printenv NAME` is."""
    from cc_safety_net.guard.shell.cmd.nodes import Node

    node = Node(execution.start, execution.end)
    shell.execution([("printenv",), *((name,) for name in names)], node, ())


def _set(shell: Commands, execution: Execution, rest: Pieces, _words: list[Pieces]) -> None:
    """`set NAME=value`, `set "NAME=value"`, `set /p NAME=`; without a sign it prints."""
    first = rest[0] if rest and isinstance(rest[0], str) else ""
    text = first.strip()
    if not text and not rest[1:]:
        _prints(shell, execution)
        shell.m.emit(((Unknown("command", "set", origin=(execution,)),),))
        return
    switch = text[:2].lower()
    if switch in ("/p", "/a"):
        text = text[2:].strip()
    name, sign, value = text.strip('"').partition("=")
    if not sign:
        if switch not in ("/p", "/a"):
            _prints(shell, execution, name)
        return
    if switch == "/p":
        found = _first_line(shell)
    elif switch == "/a":
        found = ((Unknown("arithmetic"),),)
    else:
        pieces = merge((value, *rest[1:]))
        found = (without_last_quote(pieces),)
        if size(pieces) > _VALUE_CHARACTERS:
            found = ((Unknown("limit"),),)
    set_environment(shell.m, shell.state, name.strip(), Value((found,)))


def _first_line(shell: Commands) -> Choices:
    """What `set /p` gets from a file that is its input."""
    given = shell.m.input
    choices = given.choices if given is not None else None
    texts = [literal(choice) for choice in choices or ()]
    if not texts or None in texts:
        return ((Unknown("input"),),)
    return tuple(text_choice((text or "").partition("\n")[0].rstrip("\r"))[0] for text in texts)


def _setlocal(shell: Commands, _execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
    if any((literal(word) or "").lower() == "enabledelayedexpansion" for word in words):
        shell.state.put(DELAYED, (True,))


def _shift(shell: Commands, _execution: Execution, _rest: Pieces, _words: list[Pieces]) -> None:
    lists = shell.state.look(ARGUMENTS)
    if lists is not None:
        shell.state.put(ARGUMENTS, tuple(None if words is None else words[1:] for words in lists))


# --- what runs something else, or ends something -------------------------------------------------


def _call(shell: Commands, execution: Execution, rest: Pieces, words: list[Pieces]) -> None:
    """`call program …`, `call :label …`; the line is read for variables once more."""
    if not words:
        return
    line = stripped(rest)
    text = literal(line)
    if text is not None and "%" in text:
        from cc_safety_net.guard.shell.cmd.parser import parse

        for statement in parse(text.replace("%%", "%"), shell.m.effort).script.statements[:1]:
            line = shell.expand(getattr(statement, "line", ()))[0]
        words = cut(line)
    first = literal(words[0]) if words else None
    if (first or "").startswith(":"):
        shell.call((first or "")[1:].lower(), words[1:], execution)
        return
    shell.again(execution, line, "call")


def _start(shell: Commands, execution: Execution, rest: Pieces, _words: list[Pieces]) -> None:
    """`start "title" /wait /d dir program …`."""
    text = rest[0] if rest and isinstance(rest[0], str) else ""
    saved = shell.state.cwds
    text = text.lstrip()
    if text.startswith('"') and '"' in text[1:]:
        close = text.find('"', 1)
        if text[close + 1 :].strip() or rest[1:]:
            text = text[close + 1 :].lstrip()
    while text.startswith("/"):
        switch, _, after = text.partition(" ")
        text = after.lstrip()
        if switch.lower() == "/d":
            folder, _, text = text.partition(" ")
            path = literal(posix_pieces((folder.strip('"'),)))
            if path is not None:
                shell.state.put(CWDS, reach(saved, path))
    shell.again(execution, merge((text, *rest[1:])), "start")
    shell.state.put(CWDS, saved)


def _goto(shell: Commands, _execution: Execution, rest: Pieces, _words: list[Pieces]) -> None:
    """`goto label`, `goto :eof`; where the label is not known, what follows counts."""
    text = (literal(rest) or "").strip().lstrip(":+").lower()
    end = next((at for at, letter in enumerate(text) if letter in _LABEL_ENDS), len(text))
    if shell.is_file and text[:end]:
        shell.leaving = text[:end]


def _exit(shell: Commands, _execution: Execution, _rest: Pieces, _words: list[Pieces]) -> None:
    if shell.bound:
        shell.leaving = "eof"


def _quiet(_shell: Commands, _execution: Execution, _rest: Pieces, _words: list[Pieces]) -> None:
    return


HANDLERS: dict[str, Handler] = {
    "assoc": _quiet, "break": _quiet, "call": _call, "cd": _cd, "chdir": _cd, "cls": _quiet,
    "color": _quiet, "copy": _copy, "date": _quiet, "del": _del, "dir": _dir, "echo": _echo,
    "endlocal": _quiet, "erase": _del, "exit": _exit, "ftype": _quiet, "goto": _goto,
    "md": _look, "mkdir": _look, "mklink": _mklink, "move": _move, "path": _quiet,
    "pause": _quiet, "popd": _popd, "prompt": _quiet, "pushd": _cd, "rd": _rd, "rem": _quiet,
    "ren": _move, "rename": _move, "rmdir": _rd, "set": _set, "setlocal": _setlocal,
    "shift": _shift, "start": _start, "time": _quiet, "title": _quiet, "type": _type,
    "ver": _quiet, "verify": _quiet, "vol": _quiet,
}  # fmt: skip
