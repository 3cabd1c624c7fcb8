"""sed: commands that run a shell (`e`, `s///e`), and files that are written and read."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, literal
from cc_safety_net.guard.interpret.values import merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost

_STREAMS = frozenset(("/dev/stdout", "/dev/stderr"))
#: Commands that take a label or text to the end of the line.
_TO_LINE_END = frozenset("btT:#")
_ADDRESS = frozenset("0123456789$,~+ \t")


def read(code: str, host: CodeHost) -> None:
    """Reports the commands that a sed script runs, and the files that it opens."""
    at = 0
    while at < len(code):
        host.effort.spend(1, "sed code")
        at = _command(code, at, host)


def _command(code: str, at: int, host: CodeHost) -> int:
    """One command with its address; where the next begins."""
    at = _address(code, at)
    if at >= len(code):
        return at
    sign = code[at]
    if sign in ";\n{} \t!":
        return at + 1
    if sign in "sy":
        return _substitution(code, at, host)
    end = _line_end(code, at)
    if sign == "e":
        command = code[at + 1 : end].strip()
        if command:
            host.shell(Word(host.pieces(command)), "sed e")
        else:
            _run_input(host)
        return end
    if sign in "wWrR":
        _open(code[at + 1 : end].strip(), "write" if sign in "wW" else "read", host)
        return end
    if sign in "aic":
        while end < len(code) and code[end - 1] == "\\":
            end = _line_end(code, end + 1)
        return end
    return end if sign in _TO_LINE_END else at + 1


def _address(code: str, at: int) -> int:
    while at < len(code):
        sign = code[at]
        if sign in _ADDRESS:
            at += 1
        elif sign == "/":
            at = _delimited(code, at + 1, "/")
            while at < len(code) and code[at] in "IM":
                at += 1
        elif sign == "\\" and at + 1 < len(code):
            at = _delimited(code, at + 2, code[at + 1])
        else:
            break
    return at


def _delimited(code: str, at: int, delimiter: str) -> int:
    """The place behind the closing delimiter."""
    inside = False
    while at < len(code):
        sign = code[at]
        if sign == "\\":
            at += 1
        elif sign == "[" and delimiter != "[":
            inside = True
        elif sign == "]":
            inside = False
        elif sign == delimiter and not inside:
            return at + 1
        elif sign == "\n" and not inside:
            return at
        at += 1
    return at


def _line_end(code: str, at: int) -> int:
    end = code.find("\n", at)
    return len(code) if end < 0 else end


def _substitution(code: str, at: int, host: CodeHost) -> int:
    """`s/pattern/replacement/flags` and `y/abc/xyz/`."""
    if at + 1 >= len(code):
        return len(code)
    delimiter = code[at + 1]
    middle = _delimited(code, at + 2, delimiter)
    # A bracket in a replacement is only a sign.
    end = middle
    while end < len(code) and code[end] != delimiter:
        end += 2 if code[end] == "\\" else 1
    pattern, replacement = code[at + 2 : middle - 1], code[middle:end]
    at = end + 1
    if code[end - 1 : end] == "y":
        return at
    while at < len(code) and code[at] not in ";\n}":
        if code[at] == "w":
            end = _line_end(code, at)
            _open(code[at + 1 : end].strip(), "write", host)
            return end
        if code[at] == "e":
            _run_replaced(pattern, replacement, delimiter, host)
        at += 1
    return at


def _run_replaced(pattern: str, replacement: str, delimiter: str, host: CodeHost) -> None:
    """The line that the substitution leaves is run."""
    out: list[object] = []
    whole = pattern in (".*", "^.*", "^.*$", ".*$", "^.+$", ".+", ".\\+")
    if not whole and not pattern.startswith("^"):
        out.append(Unknown("input", "line"))
    text: list[str] = []
    at = 0
    while at < len(replacement):
        sign = replacement[at]
        following = replacement[at + 1 : at + 2]
        if sign == "\\" and following.isdigit():
            out.extend(("".join(text), Unknown("input", "line")))
            text = []
            at += 2
        elif sign == "&":
            out.extend(("".join(text), Unknown("input", "line")))
            text = []
            at += 1
        elif sign == "\\":
            text.append({"n": "\n", "t": "\t"}.get(following, following))
            at += 2
        else:
            text.append(sign)
            at += 1
    for choice in host.pieces("".join(text)):
        out.extend(choice)
    if not whole and not pattern.endswith("$"):
        out.append(Unknown("input", "line"))
    del delimiter
    line = merge(out)  # type: ignore[arg-type]  # strings and unknowns
    if literal(line) is None:
        host.opaque(Word((line,)), "shell-input")
        if not isinstance(line[0], str):
            return
    host.shell(Word((line,)), "sed s///e")


def _run_input(host: CodeHost) -> None:
    """`e` alone runs each line that is read."""
    stdin = host.execution.stdin
    if stdin is not None and stdin.texts is not None:
        host.shell(stdin, "sed e")
    else:
        host.opaque(Word(((Unknown("input", "line"),),)), "shell-input")


def _open(path: str, mode: str, host: CodeHost) -> None:
    if path and path not in _STREAMS and path != "/dev/stdin":
        host.touch(Word(host.pieces(path)), mode, "sed")
