"""Crontabs: each line's command is a text for a shell, `%` in it a line end."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost

_FIELDS = 5
_TIME = frozenset("0123456789*,-/~")
_NAMES = frozenset(
    (
        "sun", "mon", "tue", "wed", "thu", "fri", "sat", "jan", "feb", "mar", "apr", "may", "jun",
        "jul", "aug", "sep", "oct", "nov", "dec",
    )
)  # fmt: skip


def read(code: str, host: CodeHost) -> None:
    """Hands the commands of a crontab to the shell."""
    for raw in code.split("\n"):
        host.effort.spend(1, "a crontab")
        line = raw
        first = host.pieces(raw)[0]
        if first and isinstance(first[0], Unknown):
            # `(crontab -l; echo '…') | crontab -`: unknown lines, then those that were added.
            if not _is_kept(first[0]):
                host.shell(Word((first[:1],)), "crontab")
            first = first[1:]
            line = first[0] if first and isinstance(first[0], str) else ""
        command = command_of(line)
        if command:
            host.shell(Word(host.pieces(command)), "crontab")


def _is_kept(part: Unknown) -> bool:
    """The jobs that are there already."""
    return bool(part.origin) and all(
        origin.program == "crontab" and any(word.text == "-l" for word in origin.argv)
        for origin in part.origin
    )


def command_of(line: str) -> str:
    """The command of one line; the whole line where it has no times, "" for a setting."""
    text = line.strip()
    if not text or text[0] == "#":
        return ""
    words = text.split(None, 1)
    if words[0].startswith("@"):
        return _unescaped(words[1]) if len(words) > 1 else ""
    name, equals, _ = text.partition("=")
    if equals and name.strip().replace("_", "").isalnum():
        return ""
    fields = text.split(None, _FIELDS)
    if len(fields) > _FIELDS and all(_is_time(field) for field in fields[:_FIELDS]):
        return _unescaped(fields[_FIELDS])
    return text


def _is_time(field: str) -> bool:
    return set(field) <= _TIME or field.partition("-")[0][:3].lower() in _NAMES


def _unescaped(command: str) -> str:
    """An unescaped `%` ends the command: what follows is its input."""
    if "%" not in command:
        return command
    parts = command.replace("\\%", "\0").split("%")
    text = parts[0]
    if len(parts) > 1:
        text += " <<'CRONTAB_INPUT'\n" + "\n".join(parts[1:]) + "\nCRONTAB_INPUT\n"
    return text.replace("\0", "%")
