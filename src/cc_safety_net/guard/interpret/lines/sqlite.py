"""sqlite3: dot commands, which run a shell or open files, among the statements."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word
from cc_safety_net.guard.interpret.options import split_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost

#: Command -> what it does with its file; a `|` in front of the name makes it a command.
_FILES = {
    ".backup": "write",
    ".clone": "write",
    ".excel": "",
    ".import": "read",
    ".log": "write",
    ".once": "write",
    ".output": "write",
    ".read": "statements",
    ".restore": "read",
    ".save": "write",
    ".trace": "write",
}
_STREAMS = frozenset(("stdout", "stderr", "off", "on"))


def read(code: str, host: CodeHost) -> None:
    """Reports what the dot commands do."""
    for raw in code.split("\n"):
        host.effort.spend(1, "SQL text")
        line = raw.strip()
        if not line.startswith("."):
            _copies(line, host)
            continue
        name, _, rest = line.partition(" ")
        rest = rest.strip()
        if len(name) > 2 and any(full.startswith(name) for full in (".shell", ".system")):
            host.shell(Word(host.pieces(rest)), f"sqlite3 {name}")
        elif name == ".cd" and rest:
            host.chdir(Word(host.pieces(rest)))
        elif len(name) > 2:
            command = next((full for full in _FILES if full.startswith(name)), "")
            if command and rest:
                _file(command, rest, host)


def _copies(line: str, host: CodeHost) -> None:
    """`VACUUM INTO 'file'` writes a copy of the database."""
    words = line.replace(";", " ").split(None, 4)
    upper = [word.upper() for word in words]
    if upper[:1] == ["VACUUM"] and "INTO" in upper[:-1]:
        path = words[upper.index("INTO") + 1].strip("'\"")
        host.touch(Word(host.pieces(path)), "write", "sqlite3")


def _file(command: str, rest: str, host: CodeHost) -> None:
    if rest.strip("\"'").startswith("|"):
        host.shell(Word(host.pieces(rest.strip("\"'")[1:])), f"sqlite3 {command}")
        return
    words = [word for word in split_text(rest) if not word.startswith("-")]
    if not words or words[0] in _STREAMS:
        return
    # `.import FILE TABLE` names the file first, `.backup NAME FILE` last.
    path = Word(host.pieces(words[0] if command == ".import" else words[-1]))
    mode = _FILES[command]
    if mode == "statements":
        text = host.content(path)
        if text is not None:
            database = [w for w in host.execution.argv[1:] if not (w.text or "").startswith("-")]
            host.run([host.execution.argv[0], *database[:1]], "sqlite3 .read", stdin=text)
    elif mode:
        host.touch(path, mode, "sqlite3")
