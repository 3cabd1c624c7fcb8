"""Consoles of databases: the lines that are for the client, which may run a shell or open files.

The statements themselves are judged by the rules on databases, from the client's words and input.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.options import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost

_POSTGRES = frozenset(("psql", "pgcli", "cockroach", "usql"))
_MYSQL = frozenset(("mysql", "mariadb", "mycli"))
#: Options that say which database; all others are left out when a file of statements is read.
_CONNECTION = (
    "c,command: f,file: e,execute: d,dbname: D,database: h,host: p,port: P, U,username: u,user:"
    " v,set,variable: o,output:"
)


def read(code: str, host: CodeHost) -> None:
    """Reports what the client does itself."""
    program = host.execution.program
    for line in lines(code, host):
        text = line.strip()
        if "\\" in text and program not in _MYSQL:
            _postgres(text, host)
        elif program in _MYSQL:
            _mysql(text.rstrip(";").strip(), host)
        if " program " in text.lower():
            _program(text, host)


def lines(code: str, host: CodeHost) -> list[str]:
    """The lines without comments; a line break in a string ends no line."""
    out: list[str] = []
    start = at = 0
    parts: list[str] = []
    while at < len(code):
        host.effort.spend(1, "SQL text")
        sign = code[at]
        if sign in "'\"`":
            end = code.find(sign, at + 1)
            at = len(code) if end < 0 else end + 1
        elif code.startswith(("--", "# "), at) and (at == 0 or code[at - 1].isspace()):
            parts.append(code[start:at])
            end = code.find("\n", at)
            at = start = len(code) if end < 0 else end
        elif code.startswith("/*", at):
            parts.append(code[start:at] + " ")
            end = code.find("*/", at + 2)
            at = start = len(code) if end < 0 else end + 2
        elif sign == "\n":
            out.append("".join(parts) + code[start:at])
            parts = []
            at += 1
            start = at
        else:
            at += 1
    out.append("".join(parts) + code[start:])
    return out


def _postgres(line: str, host: CodeHost) -> None:
    r"""`\! command`, `\i file`, `\o |command`, `\copy … program '…'`, `` \set x `command` ``."""
    at = _backslash(line)
    if at < 0:
        return
    name, _, rest = line[at + 1 :].partition(" ")
    rest = rest.strip()
    label = f"psql \\{name}"
    if name.startswith("!"):
        host.shell(Word(host.pieces((name[1:] + " " + rest).strip())), "psql \\!")
    elif name in ("i", "ir", "include", "include_relative"):
        _statements(rest.rstrip(";").strip("'\""), label, host)
    elif name in ("o", "out", "g", "gx", "w", "write"):
        if rest.startswith("|"):
            host.shell(Word(host.pieces(rest[1:])), label)
        elif rest:
            host.touch(Word(host.pieces(rest.strip("'\""))), "write", "psql")
    elif name == "copy":
        _copy(rest, host)
    elif name == "cd" and rest:
        host.chdir(Word(host.pieces(rest.strip("'\""))))
    if rest.count("`") > 1 and name in ("set", "echo", "if", "elif", "prompt", "qecho"):
        host.shell(Word(host.pieces(rest.split("`")[1])), label)


def _backslash(line: str) -> int:
    """The first backslash outside strings, -1 if there is none."""
    quote = ""
    for at, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "\\":
            return at
    return -1


def _copy(text: str, host: CodeHost) -> None:
    words = text.split()
    for place, word in enumerate(words[:-1]):
        following = words[place + 1].strip("'\"")
        if word.lower() in ("to", "from") and following.lower() not in (
            "program", "stdin", "stdout", "pstdin", "pstdout",
        ):  # fmt: skip
            mode = "write" if word.lower() == "to" else "read"
            host.touch(Word(host.pieces(following.rstrip(";"))), mode, "psql")


def _program(line: str, host: CodeHost) -> None:
    """`COPY … TO PROGRAM 'command'`."""
    low = line.lower()
    at = low.find(" program ")
    quote = line.find("'", at)
    if "copy" in low[:at] and quote >= 0:
        end = line.find("'", quote + 1)
        command = line[quote + 1 : end if end >= 0 else len(line)]
        host.shell(Word(host.pieces(command)), "copy program")


def _mysql(line: str, host: CodeHost) -> None:
    r"""`system command`, `\! command`, `source file`, `\. file`, `tee file`, `pager command`."""
    name, _, rest = line.partition(" ")
    rest = rest.strip()
    low = name.lower()
    if low == "system" or name == "\\!":
        host.shell(Word(host.pieces(rest)), "mysql system")
    elif name.startswith("\\!"):
        host.shell(Word(host.pieces(line[2:])), "mysql system")
    elif low in ("pager", "nopager") or name == "\\P":
        if rest:
            host.shell(Word(host.pieces(rest)), "mysql pager")
    elif (low == "tee" or name == "\\T") and rest:
        host.touch(Word(host.pieces(rest)), "append", "mysql")
    elif low == "source" or name == "\\.":
        _statements(rest, "mysql source", host)
    elif name.startswith("\\."):
        _statements(line[2:].strip(), "mysql source", host)


def _statements(name: str, label: str, host: CodeHost) -> None:
    """A file of statements is one that the client is given on its command line."""
    if not name:
        return
    argv = host.execution.argv
    program = host.execution.program
    file = Word(host.pieces(name))
    arguments = parse(argv, _CONNECTION, permute=True)
    words = [argv[0]]
    for option in arguments.options:
        if option.name in ("d", "D") and option.value is not None:
            words += [known("-" + option.name), option.value]
    words += arguments.operands[:1]
    if program in _POSTGRES:
        host.run([*words, known("-f"), file], label)
        return
    text = host.content(file)
    if text is not None:
        host.run(words, label, stdin=text)
