"""Programs of Windows that start others: schedulers, `forfiles`, `runas`, `wmic`, `psexec`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Scope, Unknown, Word, literal
from cc_safety_net.guard.interpret.options import joined
from cc_safety_net.guard.interpret.values import merge
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv, InnerText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

#: Options of psexec that take the next word.
_PSEXEC_VALUES = frozenset(("-u", "-p", "-a", "-n", "-r", "-w", "-i"))
#: What stands for a file that `forfiles` has found, by what of it is a whole path.
_FOUND = ("@path", "@relpath", "@file", "@fname")


def _lower(word: Word) -> str:
    return (word.text or "").lower().replace("//", "/")


def _value_of(words: Sequence[Word], *switches: str) -> Word | None:
    """The word behind a switch."""
    for at, word in enumerate(words[:-1]):
        if _lower(word) in switches:
            return words[at + 1]
    return None


def _schtasks(execution: Execution, _world: World) -> list[Inner]:
    """`schtasks /create … /tr "text"`."""
    words = execution.argv
    text = _value_of(words, "/tr", "-tr")
    if text is None or not {"/create", "/change", "-create"} & {_lower(word) for word in words}:
        return []
    return [InnerText("schtasks /tr", text, dialect="cmd")]


def _wmic(execution: Execution, _world: World) -> list[Inner]:
    """`wmic [/node:x] process call create "text"`."""
    words = execution.argv
    lower = [_lower(word) for word in words]
    for at in range(1, len(lower) - 3):
        if lower[at : at + 3] == ["process", "call", "create"]:
            inner = InnerText("wmic process call create", joined(words[at + 3 :]), dialect="cmd")
            node = next((w[6:] for w in lower[1:at] if w.startswith(("/node:", "-node:"))), "")
            if node and node not in ("localhost", "127.0.0.1", "."):
                inner.scope = Scope("remote", node)
            return [inner]
    return []


def _runas(execution: Execution, _world: World) -> list[Inner]:
    """`runas /user:x "text"`."""
    rest = [word for word in execution.argv[1:] if not _lower(word).startswith(("/", "-"))]
    return [InnerText("runas", joined(rest), dialect="cmd")] if rest else []


def _psexec(execution: Execution, _world: World) -> list[Inner]:
    """`psexec [\\\\host] [-s -u x …] program words…`."""
    words = execution.argv
    at, host = 1, ""
    while at < len(words):
        text = _lower(words[at])
        if text.startswith("\\\\"):
            host = text[2:]
        elif not text.startswith(("-", "/")):
            break
        elif text in _PSEXEC_VALUES and not (text == "-i" and not _is_number(words, at + 1)):
            at += 1
        at += 1
    if at >= len(words):
        return []
    inner = InnerArgv("psexec", words[at:])
    if host and host not in ("localhost", "127.0.0.1"):
        inner.scope = Scope("remote", host)
    return [inner]


def _is_number(words: Sequence[Word], at: int) -> bool:
    return at < len(words) and _lower(words[at]).isdigit()


def _forfiles(execution: Execution, _world: World) -> list[Inner]:
    """`forfiles /p dir /m mask /s /c "cmd /c del @path"`: the command, for what is found."""
    words = execution.argv
    text = _value_of(words, "/c", "-c")
    if text is None:
        return []
    folder = _value_of(words, "/p", "-p")
    mask = _value_of(words, "/m", "-m")
    found: list[str | Unknown | Glob] = []
    if "/s" in {_lower(word) for word in words}:
        found += [Unknown("input", may_be_empty=False), "/"]
    name = (mask.text if mask is not None else None) or "*"
    found.append(Glob("*" if name == "*.*" else name) if "*" in name or "?" in name else name)
    lead = folder.text if folder is not None else None
    start: Pieces = () if folder is None else folder.choices[0] if lead is None else (lead + "/",)
    inner = InnerText("forfiles /c", _filled(text, merge((*start, *found))), dialect="cmd")
    if folder is not None:
        from cc_safety_net.guard.interpret.windows_paths import posix_word

        inner.directory = posix_word(folder)
    return [inner]


def _filled(text: Word, path: Pieces) -> Word:
    """The command with the path in quotes for each of the names of `forfiles`."""
    choices: list[Pieces] = []
    for choice in text.choices:
        source = literal(choice)
        if source is None:
            choices.append(choice)
            continue
        out: list[str | Unknown | Glob] = []
        rest = source.replace("0x22", '"').replace('"@', "@")
        while True:
            lower = rest.lower()
            places = [(at, name) for name in _FOUND if (at := lower.find(name)) >= 0]
            if not places:
                break
            at, name = min(places)
            out += [rest[:at], '"', *path, '"']
            rest = rest[at + len(name) :].removeprefix('"')
        choices.append(merge((*out, rest)))
    return Word(choices, text.start, text.end)


TABLE: dict[str, Entry] = {
    "forfiles": _forfiles,
    "psexec": _psexec,
    "psexec64": _psexec,
    "runas": _runas,
    "schtasks": _schtasks,
    "wmic": _wmic,
}
