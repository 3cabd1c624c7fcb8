"""Emacs Lisp: calls with literal arguments that run programs, and delete or write files."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word
from cc_safety_net.guard.interpret.values import concat, unknown_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.values import Choices

    #: A list, a string as (text,), or a symbol as text.
    Form: TypeAlias = "list[Form] | tuple[str] | str"

_SHELL = frozenset(
    (
        "shell-command", "shell-command-to-string", "async-shell-command", "compile",
        "call-process-shell-command", "process-lines-shell", "eshell-command",
    )
)  # fmt: skip
#: Name -> number of the argument that is the program; `-1`: it is the first of a list.
_PROGRAMS = {
    "call-process": (0, 4),
    "process-file": (0, 4),
    "start-process": (2, 3),
    "start-file-process": (2, 3),
    "process-lines": (0, 1),
    "make-process": (-1, -1),
}
#: Name -> (mode, the argument that is a path, the whole tree if this argument is set or -1).
_FILES = {
    "delete-file": ("delete", 0, -1),
    "delete-directory": ("delete", 0, 1),
    "move-file-to-trash": ("delete", 0, 0),
    "rename-file": ("move", 0, -1),
    "copy-file": ("write", 1, -1),
    "write-region": ("write", 2, -1),
    "write-file": ("write", 0, -1),
    "append-to-file": ("append", 2, -1),
    "insert-file-contents": ("read", 0, -1),
    "insert-file": ("read", 0, -1),
    "find-file": ("read", 0, -1),
    "set-file-modes": ("permissions", 0, -1),
}
_ESCAPES = {"n": "\n", "t": "\t", "e": "\x1b", "\n": ""}
_QUOTES = "'`,@#"


def read(code: str, host: CodeHost) -> None:
    """Reports what the forms do when they are evaluated."""
    todo: list[Form] = forms(code, host)[::-1]
    while todo:
        form = todo.pop()
        if not isinstance(form, list) or not form:
            continue
        host.effort.spend(2, "Emacs Lisp")
        name = form[0]
        if name in ("defun", "defmacro", "quote", "lambda"):
            continue
        todo.extend(reversed(form[1:] if isinstance(name, str) else form))
        if isinstance(name, str):
            _call(name, form[1:], host)


def forms(code: str, host: CodeHost) -> list[Form]:
    """The forms of a text; what is not closed is closed at its end."""
    top: list[Form] = []
    stack = [top]
    at = 0
    while at < len(code):
        host.effort.spend(1, "Emacs Lisp")
        sign = code[at]
        if sign == ";":
            end = code.find("\n", at)
            at = len(code) if end < 0 else end
        elif sign == '"':
            text, at = _string(code, at + 1)
            stack[-1].append((text,))
            continue
        elif sign == "(":
            inner: list[Form] = []
            stack[-1].append(inner)
            stack.append(inner)
        elif sign == ")":
            if len(stack) > 1:
                stack.pop()
        elif sign == "?" and at + 1 < len(code):
            at += 2 if code[at + 1] == "\\" else 1
        elif not sign.isspace() and sign not in _QUOTES:
            start = at
            while at < len(code) and not code[at].isspace() and code[at] not in "()\";'":
                at += 1
            stack[-1].append(code[start:at])
            continue
        at += 1
    return top


def _string(code: str, at: int) -> tuple[str, int]:
    out = []
    while at < len(code) and code[at] != '"':
        if code[at] == "\\" and at + 1 < len(code):
            out.append(_ESCAPES.get(code[at + 1], code[at + 1]))
            at += 2
        else:
            out.append(code[at])
            at += 1
    return "".join(out), at + 1


def _call(name: str, arguments: Sequence[Form], host: CodeHost) -> None:
    label = f"emacs {name}"
    if name in _SHELL:
        if arguments:
            host.shell(Word(_value(arguments[0], host)), label)
    elif name in _PROGRAMS:
        _program(name, arguments, host)
    elif name in _FILES:
        mode, place, tree = _FILES[name]
        if place < len(arguments):
            recursive = 0 <= tree < len(arguments) and arguments[tree] != "nil"
            host.touch(
                Word(_value(arguments[place], host)),
                mode,
                name,
                recursive=recursive,
            )
    elif name in ("load", "load-file") and arguments:
        text = host.content(Word(_value(arguments[0], host)))
        if text is not None:
            host.code(text, label)
    elif name == "cd" and arguments:
        host.chdir(Word(_value(arguments[0], host)))


def _program(name: str, arguments: Sequence[Form], host: CodeHost) -> None:
    place, rest = _PROGRAMS[name]
    if place < 0:
        for number, value in enumerate(arguments):
            if arguments[number - 1] == ":command" and isinstance(value, list):
                words = value[1:] if value[:1] == ["list"] else value
                host.run([Word(_value(word, host)) for word in words], f"emacs {name}")
        return
    if place < len(arguments):
        words = [arguments[place], *arguments[rest:]]
        host.run([Word(_value(word, host)) for word in words], f"emacs {name}")


def _value(form: Form, host: CodeHost) -> Choices:
    """A string, or what is made of strings; anything else is unknown."""
    if isinstance(form, tuple):
        return host.pieces(form[0])
    if isinstance(form, list) and form and isinstance(form[0], str):
        if form[0] == "concat":
            out: Choices = ((),)
            host.enter("Emacs Lisp")
            for part in form[1:]:
                out = concat(out, _value(part, host))
            host.leave()
            return out
        if form[0] in ("expand-file-name", "file-truename", "shell-quote-argument"):
            first = form[1] if len(form) > 1 else ""
            return _value(first, host) if not isinstance(first, list) else unknown_choice("call")
        if form[0] == "getenv" and len(form) > 1 and isinstance(form[1], tuple):
            word = host.variable(form[1][0])
            if word is not None:
                return word.choices
    return ((Unknown("variable", form if isinstance(form, str) else ""),),)
