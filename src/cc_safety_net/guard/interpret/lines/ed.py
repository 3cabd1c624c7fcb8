"""ed: `!command`, `r !command`, `w !command`, and the files that it writes."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost

_FILE_COMMANDS = frozenset("eErwWf")
#: Commands that delete every line, without blanks.
WHOLE = frozenset(
    (
        ",d", "%d", "1,$d", "0,$d", "1,$delete", "%delete", "%d_", "%delete_", "1,$d_", "g/^/d",
        "g/.*/d", "g/$/d", "v/a^/d", "%!true", "%!cat/dev/null", "%!:", ";$d",
    )
)  # fmt: skip
_ADDRESS = frozenset("0123456789.$,;+- \t%")


def read(code: str, host: CodeHost) -> None:
    """Reports the commands and files of a script of ed."""
    inserting = empty = False
    for raw in code.split("\n"):
        host.effort.spend(1, "ed code")
        if inserting:
            inserting = raw != "."
            continue
        if raw.replace(" ", "") in WHOLE:
            empty = True
            continue
        line = _without_address(raw)
        if line[:1] in ("g", "v", "G", "V") and len(line) > 2:
            end = line.find(line[1], 2)
            line = line[end + 1 :] if end > 0 else ""
        if line[:1] in ("a", "i", "c") and not line[1:].strip(" \tpnl"):
            inserting, empty = True, False
        elif line.startswith("!"):
            host.shell(Word(host.pieces(line[1:])), "ed !")
        elif line[:1] in _FILE_COMMANDS:
            empty = empty and line[0] in "wW"
            _file(line, host, empty=empty)


def _without_address(line: str) -> str:
    at = 0
    while at < len(line):
        sign = line[at]
        if sign in _ADDRESS:
            at += 1
        elif sign in "/?":
            end = line.find(sign, at + 1)
            at = len(line) if end < 0 else end + 1
        elif sign == "'":
            at += 2
        else:
            break
    return line[at:]


def _file(line: str, host: CodeHost, *, empty: bool = False) -> None:
    command, rest = line[0], line[1:]
    if command in "wW" and rest[:1] == "q":
        rest = rest[1:]
    if rest[:1] not in ("", " ", "\t"):
        return
    name = rest.strip()
    if name.startswith("!"):
        host.shell(Word(host.pieces(name[1:])), f"ed {command} !")
    elif command in "wW":
        mode = "append" if command == "W" else "truncate" if empty else "write"
        operands = host.execution.argv[1:]
        if name:
            host.touch(Word(host.pieces(name)), mode, "ed")
        elif operands and not (operands[-1].text or "-").startswith("-"):
            host.touch(operands[-1], mode, "ed")
    elif name and command != "f":
        host.touch(Word(host.pieces(name)), "read", "ed")
