"""ftp, lftp, sftp: lines that begin with `!` are for the local shell."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost


def read(code: str, host: CodeHost) -> None:
    """Reports the local commands among those for the server."""
    program = host.execution.program
    for raw in code.split("\n"):
        host.effort.spend(1, "commands of ftp")
        line = raw.strip()
        if program == "lftp":
            # Its commands are separated by `;` too; what follows `!` is for the shell.
            while line and not line.startswith("!") and ";" in line:
                line = line.partition(";")[2].strip()
        if line.startswith("!"):
            host.shell(Word(host.pieces(line[1:])), f"{program} !")
        elif line.startswith("shell ") and program == "lftp":
            host.shell(Word(host.pieces(line[6:])), "lftp shell")
        elif line.startswith("lcd "):
            host.chdir(Word(host.pieces(line[4:].strip())))
