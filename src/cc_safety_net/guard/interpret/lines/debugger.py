"""gdb and lldb: lines that run a shell or Python, and files of more lines."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost

_SHELL = ("platform shell ", "shell ", "!", "make ")
_PYTHON = ("python-interactive ", "python ", "py ", "pi ", "script ")
_FILES = ("command source ", "source ")
_PYTHON_BLOCKS = frozenset(("python", "py", "script"))


def read(code: str, host: CodeHost) -> None:
    """Reports what the lines of a debugger run."""
    program = host.execution.program
    lines = iter(code.split("\n"))
    for raw in lines:
        host.effort.spend(1, "debugger commands")
        line = raw.strip()
        if line in _PYTHON_BLOCKS:
            block = []
            for inner in lines:
                if inner.strip() == "end":
                    break
                block.append(inner)
            host.code(Word(host.pieces("\n".join(block))), f"{program} python", "python")
        elif line.startswith(_PYTHON):
            text = line.partition(" ")[2].removeprefix("-- ")
            host.code(Word(host.pieces(text)), f"{program} python", "python")
        elif line.startswith(_FILES):
            _source(line, host)
        elif line.startswith(("pipe ", "|")):
            command = line.removeprefix("pipe ").lstrip("| ").partition("|")[2]
            _shell(command, host)
        elif line.startswith(_SHELL):
            prefix = next(each for each in _SHELL if line.startswith(each))
            text = "make " if prefix == "make " else ""
            _shell(text + line[len(prefix) :].removeprefix("-- "), host)


def _shell(command: str, host: CodeHost) -> None:
    if command.strip():
        host.shell(Word(host.pieces(command.strip())), f"{host.execution.program} shell")


def _source(line: str, host: CodeHost) -> None:
    name = line.rpartition(" ")[2]
    text = host.content(Word(host.pieces(name)))
    if text is not None:
        language = "python" if name.endswith(".py") else ""
        host.code(text, f"{host.execution.program} source", language)
