"""The engine of the tables: an entry of a program, applied to its words.

An entry is `(options, operands)`, a mapping of sub-commands to entries, or a function. The option
string is that of `interpret/options.py`; its roles are listed at `_ROLES`. The operand string is
a list of words: a form (`_FORMS`) and modifiers: `skip=N` operands before it, `assign` for
`NAME=value` words before it, `permute` and `again` for options between operands, `dashes` if it
begins only behind `--` (`dashes=N`: or after N operands), `optional` if without a program standard
input is a shell's text, a scope (`remote`, `box`, `fresh`), `hyphen` if a bare `-` is an option
(`env -`), `package` if the program is named by its package (`rimraf@6`), `python` if a name in
`.py` is a script.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Scope, Unknown, Word, known, literal, prefix
from cc_safety_net.guard.interpret.options import Arguments, cut, joined, lead, parse
from cc_safety_net.guard.interpret.wrappers.inner import (
    Inner,
    InnerArgv,
    InnerCode,
    InnerFile,
    InnerStdin,
    InnerText,
)
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.options import Option
    from cc_safety_net.guard.world import World

    Special: TypeAlias = "Callable[[Execution, World], list[Inner]]"
    Entry: TypeAlias = "tuple[str, str] | Mapping[str, Entry] | Special"

UNKNOWN_DIRECTORY = Word(((Unknown("environment", may_be_empty=False),),))


class Use:
    """One use of an entry: what was read so far and what is being collected."""

    __slots__ = (
        "clear",
        "directory",
        "env",
        "execution",
        "found",
        "label",
        "mode",
        "modifiers",
        "mounts",
        "supplied",
    )

    def __init__(self, label: str, execution: Execution, operands: str) -> None:
        self.label = label
        self.execution = execution
        self.found: list[Inner] = []
        self.directory: Word | None = None
        self.env: dict[str, Word] = {}
        self.clear = False
        self.mounts: list[tuple[str, str]] = []
        self.supplied = False
        self.mode = ""
        self.modifiers: dict[str, str] = {}
        for token in operands.split():
            name, _, value = token.partition("=")
            if name in _FORMS:
                self.mode = token
            else:
                self.modifiers[name] = value


def apply(
    entry: Entry, words: Sequence[Word], start: int, label: str, execution: Execution, world: World
) -> list[Inner]:
    """What `words` hands on by `entry`; its options begin at `start`."""
    while not isinstance(entry, tuple):
        if callable(entry):
            return entry(execution, world)
        global_entry = entry.get("", ("", ""))
        if not isinstance(global_entry, tuple):
            return []
        arguments = parse(words, global_entry[0], start=start)
        found = Use(label, execution, "")
        if not _read_options(arguments, found):
            return []
        if arguments.rest >= len(words):
            return _finished(found)
        word = words[arguments.rest].text
        chosen = entry.get(word or "")
        if word is None or not word or chosen is None:
            if global_entry[1]:
                return apply(global_entry, words, start, label, execution, world)
            return _finished(found)
        rest = apply(chosen, words, arguments.rest + 1, f"{label} {word}", execution, world)
        if found.directory is not None:
            for inner in rest:
                inner.directory = inner.directory or found.directory
        return [*_finished(found), *rest]
    return _apply(entry, words, start, label, execution)


def _apply(
    entry: tuple[str, str], words: Sequence[Word], start: int, label: str, execution: Execution
) -> list[Inner]:
    use = Use(label, execution, entry[1])
    modifiers = use.modifiers
    permute = "permute" in modifiers
    arguments = parse(words, entry[0], start=start, permute=permute)
    if not _read_options(arguments, use):
        return []
    operands = list(arguments.operands)
    skipped: list[Word] = []
    if "dashes" in modifiers:
        skipped, operands = _behind_dashes(arguments, words)
        count = modifiers["dashes"]
        if not operands and not arguments.dashed and count:
            skipped, operands = skipped[: int(count)], skipped[int(count) :]
    for _ in range(int(modifiers.get("skip", "0"))):
        if not operands:
            break
        skipped.append(operands.pop(0))
        if "again" in modifiers:
            again = parse(operands, entry[0], start=0)
            if not _read_options(again, use):
                return []
            operands = list(again.operands)
    if len(skipped) < int(modifiers.get("skip", "0")):
        return _finished(use)
    if skipped and operands and operands[0].text == "--":
        del operands[0]
    if "hyphen" in modifiers and operands and operands[0].text == "-":
        use.clear = True
        del operands[0]
    if "assign" in modifiers:
        operands = _assignments(operands, use)
    if use.mode:
        form = _FORMS[use.mode.partition("=")[0]]
        form(use, operands, use.mode.partition("=")[2])
    _set_scope(use, skipped)
    return _finished(use)


def _behind_dashes(arguments: Arguments, words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    if arguments.dashed:
        before = arguments.before_dashes
        return arguments.operands[:before], arguments.operands[before:]
    for index in range(arguments.rest, len(words)):
        if words[index].text == "--":
            return list(words[arguments.rest : index]), list(words[index + 1 :])
    return list(arguments.operands), []


def _assignments(operands: list[Word], use: Use) -> list[Word]:
    for number, word in enumerate(operands):
        name, equals, _ = lead(word).partition("=")
        if not equals or not name:
            return operands[number:]
        use.env[name] = cut(word, len(name) + 1)
    return []


def _set_scope(use: Use, skipped: Sequence[Word]) -> None:
    for kind in ("remote", "box", "fresh"):
        if kind in use.modifiers:
            host = (skipped[0].text or "") if skipped else ""
            scope = Scope(kind, host, use.mounts)
            for inner in use.found:
                inner.scope = scope
            if use.directory is None:
                use.directory = UNKNOWN_DIRECTORY


def _finished(use: Use) -> list[Inner]:
    for inner in use.found:
        if use.directory is not None:
            inner.directory = use.directory
        if use.env:
            inner.env = {**use.env, **inner.env}
        inner.clear_env = inner.clear_env or use.clear
    return use.found


# --- roles of options ----------------------------------------------------------------------------


def _read_options(arguments: Arguments, use: Use) -> bool:
    """Collects what the options mean; False if they make the program only answer a question."""
    for option in arguments.options:
        if not option.role:
            continue
        role, _, argument = option.role.partition("=")
        if role == "query":
            return False
        _ROLES[role](use, option, argument)
    return True


def _dir(use: Use, option: Option, _argument: str) -> None:
    if option.value is not None:
        use.directory = option.value


def _env(use: Use, option: Option, _argument: str) -> None:
    if option.value is not None:
        _assignments([option.value], use)


def _clear(use: Use, _option: Option, _argument: str) -> None:
    use.clear = True


def _text(use: Use, option: Option, argument: str) -> None:
    if option.value is not None:
        dialect = argument or "posix"
        use.found.append(InnerText(_optioned(use, option), option.value, dialect=dialect))
        use.supplied = True


def _also(use: Use, option: Option, argument: str) -> None:
    """As `text`, but the program's operands keep their meaning."""
    before = use.supplied
    _text(use, option, argument)
    use.supplied = before


def _code(use: Use, option: Option, argument: str) -> None:
    if option.value is not None:
        use.found.append(InnerCode(_optioned(use, option), argument, option.value))
        use.supplied = True


def _file(use: Use, option: Option, argument: str) -> None:
    if option.value is not None and argument == "python-module":
        from cc_safety_net.guard.interpret.wrappers.modules import module

        behind = use.execution.argv[option.index + 1 :]
        use.found.extend(module(_optioned(use, option), option.value, behind))
        use.supplied = True
    elif option.value is not None and option.value.text == "-":
        _stdin(use, [], argument)
        use.supplied = True
    elif option.value is not None:
        use.found.append(InnerFile(_optioned(use, option), argument, option.value))
        use.supplied = True


def _startup(use: Use, option: Option, argument: str) -> None:
    """A file that is run before the program does its own work (`--rcfile`, `-r`)."""
    if option.value is not None:
        use.found.append(InnerFile(_optioned(use, option), argument, option.value))


def _mode(use: Use, _option: Option, argument: str) -> None:
    """The option decides what the operands are."""
    use.mode = argument.replace(":", "=")


def _modifier(use: Use, _option: Option, argument: str) -> None:
    use.modifiers[argument] = ""


def _supplied(use: Use, _option: Option, _argument: str) -> None:
    use.supplied = True


def _mount(use: Use, option: Option, _argument: str) -> None:
    """`-v HOST:INSIDE[:options]`."""
    if option.value is None:
        return
    inside, host = "", ""
    for choice in option.value.choices:
        text = literal(choice)
        if text is not None:
            host, _, rest = text.partition(":")
            inside = rest.partition(":")[0]
        else:
            tail = choice[-1]
            inside = tail.partition(":")[2].partition(":")[0] if isinstance(tail, str) else ""
    if inside:
        use.mounts.append((inside, host_path(host, use.execution)))


def _bind(use: Use, option: Option, _argument: str) -> None:
    """`--mount type=bind,source=HOST,target=INSIDE`."""
    if option.value is None or option.value.text is None:
        return
    fields = dict(field.partition("=")[::2] for field in option.value.text.split(","))
    inside = fields.get("target") or fields.get("dst") or fields.get("destination") or ""
    host = fields.get("source") or fields.get("src") or ""
    if fields.get("type", "bind") != "bind":
        host = ""
    if inside:
        use.mounts.append((inside, host_path(host, use.execution)))


def host_path(host: str, execution: Execution) -> str:
    """The host's side of a bind mount as an absolute path; "" for a volume's name."""
    if host.startswith("/"):
        return host
    if host.startswith("~") or not host or (host[0] != "." and "/" not in host):
        return ""
    directory = execution.cwds[0] if execution.cwds else None
    return normalise(join(directory, host)) if directory else ""


def _split(use: Use, option: Option, _argument: str) -> None:
    """`env -S`: the text is cut into words and the operands follow."""
    use.mode = "split"
    if option.value is not None:
        use.modifiers["split"] = ""
        use.env[""] = option.value


def _optioned(use: Use, option: Option) -> str:
    dash = "-" if len(option.name) == 1 else "--"
    return f"{use.label} {dash}{option.name}"


_ROLES: dict[str, Callable[[Use, Option, str], None]] = {
    "also": _also,
    "bind": _bind,
    "clear": _clear,
    "code": _code,
    "dir": _dir,
    "env": _env,
    "file": _file,
    "mode": _mode,
    "modifier": _modifier,
    "mount": _mount,
    "split": _split,
    "startup": _startup,
    "supplied": _supplied,
    "text": _text,
}


# --- forms of operands ---------------------------------------------------------------------------


def _tail(use: Use, operands: list[Word], _argument: str) -> None:
    if not operands:
        if "optional" in use.modifiers:
            use.found.append(InnerStdin(use.label))
        return
    first = operands[0].text or ""
    if "package" in use.modifiers and "@" in first[1:]:
        at = first.index("@", 1)
        operands = [known(first[:at], operands[0].start, operands[0].end), *operands[1:]]
    if "python" in use.modifiers and first.endswith((".py", ".pyw")):
        use.found.append(
            InnerFile(f"script {first}", "python", operands[0], positionals=operands[1:])
        )
        return
    use.found.append(InnerArgv(use.label, operands))
    # `sudo $FLAGS rm`: an unquoted unknown may be no word, or options.
    while len(operands) > 1 and operands[0].splits and not prefix(operands[0].choices[0]):
        operands = operands[1:]
        use.found.append(InnerArgv(use.label, operands))


def _join(use: Use, operands: list[Word], argument: str) -> None:
    """The operands are joined by blanks into one text for a shell."""
    if not operands:
        if "optional" in use.modifiers:
            use.found.append(InnerStdin(use.label))
        return
    text = joined(operands)
    same = argument == "same"
    how = "eval" if same else "shell-string"
    use.found.append(InnerText(use.label, text, how=how, same_shell=same))


def _string(use: Use, operands: list[Word], argument: str) -> None:
    """The first operand is a shell's text, the rest its positionals."""
    if operands and not use.supplied:
        dialect = argument or "posix"
        use.found.append(
            InnerText(f"{use.label} -c", operands[0], positionals=operands[1:], dialect=dialect)
        )


def _script(use: Use, operands: list[Word], argument: str) -> None:
    """The first operand is a script's file; without one standard input is the text."""
    if use.supplied:
        return
    if operands and operands[0].text != "-":
        path = operands[0]
        label = f"script {path.text}" if path.text else f"{use.label} script"
        use.found.append(InnerFile(label, argument, path, positionals=operands[1:]))
        return
    _stdin(use, operands[1:], argument)


def _stdin(use: Use, operands: list[Word], argument: str) -> None:
    if use.supplied:
        return
    dialect = argument if argument in ("powershell", "cmd") else "posix"
    language = "shell" if argument in ("", "shell", "powershell", "cmd") else argument
    use.found.append(
        InnerStdin(use.label, dialect=dialect, language=language, positionals=operands)
    )


def _program(use: Use, operands: list[Word], argument: str) -> None:
    """The first operand is code of a language (`awk`, `sed`). BSD's `sed -i ''` has one before."""
    if len(operands) > 2 and argument == "sed" and operands[0].text == "":
        operands = operands[1:]
    if operands and not use.supplied:
        use.found.append(InnerCode(use.label, argument, operands[0]))


def _each(use: Use, operands: list[Word], _argument: str) -> None:
    """Each operand is a text for a shell."""
    use.found.extend(InnerText(use.label, operand) for operand in operands)


def _console(use: Use, operands: list[Word], argument: str) -> None:
    """Statements come as operands after the database, else on standard input."""
    if operands:
        use.found.extend(InnerCode(use.label, argument, operand) for operand in operands)
        return
    _stdin(use, operands, argument)


def _sourced(use: Use, operands: list[Word], _argument: str) -> None:
    if operands:
        use.found.append(
            InnerFile(use.label, "shell", operands[0], positionals=operands[1:], same_shell=True)
        )


def _first(use: Use, operands: list[Word], _argument: str) -> None:
    """The first operand is a shell's text, run in the same shell (`trap`)."""
    if operands and operands[0].text not in ("", "-"):
        use.found.append(InnerText(use.label, operands[0], how="eval", same_shell=True))


def _divided(use: Use, operands: list[Word], _argument: str) -> None:
    """`env -S 'words'`, then the operands."""
    from cc_safety_net.guard.interpret.options import split_text

    text = use.env.pop("", None)
    use.modifiers.pop("split", None)
    if text is None:
        return
    whole = text.text
    if whole is None:
        use.found.append(InnerText(f"{use.label} -S", text))
        return
    words = [known(part, text.start, text.end) for part in split_text(whole)] + operands
    # The words may again be options and assignments of env itself.
    rest = parse(words, "u,unset: C,chdir:@dir i,ignore-environment@clear", start=0)
    if _read_options(rest, use):
        _tail(use, _assignments(list(rest.operands), use), "")


_FORMS: dict[str, Callable[[Use, list[Word], str], None]] = {
    "console": _console,
    "each": _each,
    "first": _first,
    "join": _join,
    "program": _program,
    "script": _script,
    "sourced": _sourced,
    "split": _divided,
    "stdin": _stdin,
    "string": _string,
    "tail": _tail,
}
