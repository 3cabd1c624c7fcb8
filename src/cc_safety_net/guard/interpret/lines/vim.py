"""Ex commands of vim, nvim and ex: shell commands, calls of functions, files that are written."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word
from cc_safety_net.guard.interpret.lines.ed import WHOLE
from cc_safety_net.guard.interpret.values import concat, unknown_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.values import Choices

_ADDRESS = frozenset("0123456789.$%,;+-*<> \t:")
#: Words in front of a command that only change how it runs.
_MODIFIERS = frozenset(
    (
        "aboveleft", "belowright", "botright", "browse", "confirm", "hide", "keepalt",
        "keepjumps", "keepmarks", "keeppatterns", "lockmarks", "noautocmd", "noa", "noswapfile",
        "rightbelow", "sandbox", "sil", "silent", "tab", "topleft", "unsilent", "verbose",
        "vert", "vertical",
    )
)  # fmt: skip
#: Commands whose text goes on over a `|`, and that run a command for many places.
_FOR_EACH = frozenset(
    (
        "argdo", "bufdo", "cdo", "cfdo", "folddoc", "folddoclosed", "folddoopen", "ldo", "lfdo",
        "tabdo", "windo",
    )
)  # fmt: skip
#: Language of a command -> the reader's name.
_LANGUAGES = {
    "lua": "lua",
    "perl": "perl",
    "py": "python",
    "py3": "python",
    "python": "python",
    "python3": "python",
    "pythonx": "python",
    "pyx": "python",
    "ruby": "ruby",
    "tcl": "tcl",
}
#: Function -> what it does with its first argument.
_FUNCTIONS = {
    "delete": "delete",
    "job_start": "shell",
    "jobstart": "shell",
    "readfile": "read",
    "rename": "move",
    "system": "shell",
    "systemlist": "shell",
    "term_start": "shell",
    "termopen": "shell",
}
_WRITING = frozenset(("wq", "x", "xit", "wa", "wall", "wqa", "xa", "xall"))
#: Options whose value is a command.
_SCRIPTED = frozenset(("-c", "--cmd", "-sc", "-esc", "-Esc"))
#: Commands after which the text is not empty.
_FILLING = frozenset(
    ("a", "i", "c", "r", "read", "put", "pu", "norm", "normal", "call", "t", "copy")
)
_INSERTING = ("append", "change", "insert")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b"}


def read(code: str, host: CodeHost) -> None:
    """Reports what a script of Ex commands runs, and the files that it writes."""
    text = code.replace("\r\n", "\n").replace("\n\\", " ")
    inserting = False
    for line in text.split("\n"):
        host.effort.spend(1 + len(line) // 8, "vim commands")
        plain = line.strip()
        if inserting:
            inserting = plain != "."
            continue
        word = plain.rstrip("!")
        if len(word) and any(full.startswith(word) for full in _INSERTING) and "\n" in text:
            inserting = True
            continue
        host.enter("vim commands")
        _line(line, host)
        host.leave()


def _line(line: str, host: CodeHost) -> None:
    """The commands of a line, which `|` separates."""
    while line:
        host.effort.spend(1 + len(line) // 256, "vim commands")
        line = _without_range(line)
        if not line or line[0] == '"':
            return
        name, rest = _named(line)
        if name in _MODIFIERS:
            line = rest.lstrip("!").strip()
            continue
        if _takes_all(name, rest):
            _command(name, rest, host)
            return
        end = _bar(rest)
        _command(name, rest[:end], host)
        line = rest[end + 1 :]


def _without_range(line: str) -> str:
    at = 0
    while at < len(line):
        sign = line[at]
        if sign in _ADDRESS:
            at += 1
        elif sign == "'":
            at += 2
        elif sign in "/?" and line.find(sign, at + 1) > 0:
            at = line.find(sign, at + 1) + 1
        else:
            break
    return line[at:]


def _named(line: str) -> tuple[str, str]:
    """The command's name and what follows it; `!` is a name of its own."""
    at = 0
    while at < len(line) and (line[at].isalpha() or (at and line[at].isdigit())):
        at += 1
    return (line[:at], line[at:]) if at else (line[:1], line[1:])


def _bar(text: str) -> int:
    """The first `|` that ends a command: not escaped, not in a string, not `||`."""
    quote = ""
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\" or text.startswith("||", at):
            at += 1
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"" and text.find(sign, at + 1) > 0:
            quote = sign
        elif sign == "|":
            return at
        at += 1
    return len(text)


def _is(name: str, full: str, shortest: int) -> bool:
    return len(name) >= shortest and full.startswith(name)


def _takes_all(name: str, rest: str) -> bool:
    if name in ("!", "norm", "normal") or name in _FOR_EACH or name in _LANGUAGES:
        return True
    if _is(name, "global", 1) or name in ("v", "vglobal") or _is(name, "autocmd", 2):
        return True
    if _is(name, "terminal", 3):
        return True
    return rest.lstrip("!").lstrip().startswith("!") and (
        _is(name, "read", 1) or _is(name, "write", 1)
    )


def _command(name: str, rest: str, host: CodeHost) -> None:
    if name == "!":
        _shell(rest, "!", host)
    elif _is(name, "terminal", 3):
        _shell(rest.lstrip("!"), ":terminal", host)
    elif _is(name, "read", 1):
        _read(rest, host)
    elif (
        _is(name, "write", 1)
        or name in _WRITING
        or _is(name, "saveas", 3)
        or _is(name, "update", 2)
    ):
        _write(name, rest, host)
    elif _is(name, "source", 2) or _is(name, "runtime", 2) or _is(name, "luafile", 4):
        _source(name, rest.lstrip("!").strip(), host)
    elif _is(name, "global", 1) or name in ("v", "vglobal"):
        _global(rest, host)
    elif name in _FOR_EACH:
        _line(rest.strip(), host)
    elif _is(name, "execute", 3):
        _execute(rest, host)
    elif _is(name, "autocmd", 2):
        _line(" ".join(rest.split()[2:]), host)
    elif name in _LANGUAGES:
        _code(name, rest, host)
    elif name == "cd" or _is(name, "lcd", 2) or name == "chdir":
        host.chdir(_file(rest.lstrip("!").strip(), host))
    else:
        _calls(rest, host)


def _shell(command: str, label: str, host: CodeHost) -> None:
    if command.strip():
        host.shell(Word(host.pieces(command.strip())), f"{host.execution.program} {label}")


def _read(rest: str, host: CodeHost) -> None:
    name = rest.lstrip("!") if rest.startswith("!") and not rest[1:2].strip() else rest
    name = name.strip()
    if name.startswith("!"):
        _shell(name[1:], ":r !", host)
    elif name and "=" not in name[:1]:
        host.touch(_file(name, host), "read", host.execution.program)


def _file(name: str, host: CodeHost) -> Word:
    """The name of a file; the editor expands `~` itself."""
    if name == "~" or name.startswith("~/"):
        name = host.home + name[1:]
    return Word(host.pieces(name))


def _write(name: str, rest: str, host: CodeHost) -> None:
    """`:w file`, `:w !command`; without a name the file that is edited."""
    if rest[:1] == " " and rest.strip().startswith("!") and _is(name, "write", 1):
        _shell(rest.strip()[1:], ":w !", host)
        return
    target = rest.removeprefix("!").strip()
    append = target.startswith(">>")
    target = target.removeprefix(">>").strip()
    while target.startswith("++"):
        target = target.partition(" ")[2].strip()
    mode = "append" if append else "truncate" if _is_emptied(host) else "write"
    if target and not name.startswith(("wa", "wqa", "xa")):
        host.touch(_file(target, host), mode, host.execution.program)
        return
    for word in _edited(host):
        host.touch(word, mode, host.execution.program)


def _is_emptied(host: CodeHost) -> bool:
    """Whether a command deletes every line, and none puts text in before the file is written."""
    texts = []
    words = [word.text or "" for word in host.execution.argv[1:]]
    for before, text in zip(["", *words], words, strict=False):
        if text[:1] == "+" or before in _SCRIPTED:
            texts.append(text[1:] if text[:1] == "+" else text)
        elif before[:1] == "-" and before[1:2] != "-" and before[-1:] == "c":
            texts.append(text)
    if host.source not in texts:
        texts.append(host.source)
    emptied = found = False
    for command in "\n".join(texts).replace("|", "\n").split("\n"):
        host.effort.spend(1 + len(command) // 64, "vim commands")
        plain = command.replace(" ", "").lstrip(":").removeprefix("silent").lstrip("!")
        name = _named(_without_range(plain))[0]
        if plain in WHOLE:
            emptied = True
        elif name in _WRITING or _is(name, "write", 1) or _is(name, "update", 2):
            found = found or emptied
        elif name in _INSERTING or name in _FILLING:
            emptied = False
    return found


def _edited(host: CodeHost) -> list[Word]:
    """The files that the editor was started with."""
    out: list[Word] = []
    skip = False
    for word in host.execution.argv[1:]:
        text = word.text or "?"
        if skip:
            skip = False
        elif text.startswith("-") and len(text) > 1:
            skip = text in ("-c", "--cmd", "-S", "-s", "-u", "-U", "-i", "-T", "-w", "-W", "-t")
        elif not text.startswith("+"):
            out.append(word)
    return out


def _source(name: str, file: str, host: CodeHost) -> None:
    text = host.content(_file(file, host))
    if text is not None:
        language = "lua" if name.startswith("lua") or file.endswith(".lua") else ""
        host.code(text, f"{host.execution.program} :source", language)


def _global(rest: str, host: CodeHost) -> None:
    """`:g/pattern/command`."""
    rest = rest.lstrip("!").strip()
    if not rest or rest[0].isalnum():
        return
    at = 1
    while at < len(rest) and rest[at] != rest[0]:
        at += 2 if rest[at] == "\\" else 1
    host.enter("vim commands")
    _line(rest[at + 1 :], host)
    host.leave()


def _execute(rest: str, host: CodeHost) -> None:
    """`:execute "…"`: the text is a command."""
    choices = _value(rest, host)
    for choice in choices:
        text = "".join(piece for piece in choice if isinstance(piece, str))
        if all(isinstance(piece, str) for piece in choice) and text:
            host.enter("vim commands")
            _line(text, host)
            host.leave()
        elif text.lstrip(": ").startswith("!"):
            host.opaque(Word((choice,)), "shell-string")
    _calls(rest, host)


def _code(name: str, rest: str, host: CodeHost) -> None:
    code = rest.strip().lstrip("=")
    if code.startswith("<<"):
        return
    host.code(Word(host.pieces(code)), f"{host.execution.program} :{name}", _LANGUAGES[name])


# --- expressions ---------------------------------------------------------------------------------


def _calls(text: str, host: CodeHost) -> None:
    """Calls of functions in an expression, with what their first argument is known to be."""
    at = 0
    while at < len(text):
        host.effort.spend(1, "vim commands")
        sign = text[at]
        if sign in "'\"":
            end = _string_end(text, at)
            if end >= len(text) and sign == '"':
                return  # a comment
            at = end + 1
            continue
        if sign.isalpha() or sign == "_":
            start = at
            while at < len(text) and (text[at].isalnum() or text[at] in "_:."):
                at += 1
            name = text[start:at].rpartition(".")[2]
            if text[at : at + 1] == "(" and (name in _FUNCTIONS or name == "writefile"):
                _call(name, _arguments(text, at), host)
            continue
        at += 1


def _string_end(text: str, at: int) -> int:
    quote = text[at]
    at += 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" and quote == '"' else 1
    return at


def _arguments(text: str, at: int) -> list[str]:
    out: list[str] = []
    depth = 0
    start = at + 1
    while at < len(text):
        sign = text[at]
        if sign in "'\"":
            at = _string_end(text, at)
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if not depth:
                break
        elif sign == "," and depth == 1:
            out.append(text[start:at])
            start = at + 1
        at += 1
    out.append(text[start:at])
    return [part.strip() for part in out]


def _call(name: str, arguments: list[str], host: CodeHost) -> None:
    program = host.execution.program
    what = _FUNCTIONS.get(name, "")
    first = arguments[0]
    if name == "writefile":
        if len(arguments) > 1:
            host.touch(Word(_value(arguments[1], host)), "write", "writefile")
    elif what == "shell" and first.startswith("["):
        words = _arguments("(" + first[1:].rstrip("]") + ")", 0)
        host.run([Word(_value(word, host)) for word in words], f"{program} {name}")
    elif what == "shell":
        value = _value(first, host)
        for choice in value:
            if any(isinstance(piece, str) for piece in choice):
                host.shell(Word((choice,)), f"{program} {name}")
    else:
        flags = arguments[1] if len(arguments) > 1 else ""
        recursive = name == "delete" and "rf" in flags
        host.touch(Word(_value(first, host)), what, name, recursive=recursive)


def _value(text: str, host: CodeHost) -> Choices:
    """Strings joined by `.` or `..` (or by a blank, as `:execute` does); else unknown."""
    out: Choices = ((),)
    at = 0
    while at < len(text):
        sign = text[at]
        if sign in "'\"":
            end = _string_end(text, at)
            out = concat(out, host.pieces(_unescaped(text[at + 1 : end], sign)))
            following = text[end + 1 : end + 3]
            if following[:1] == " " and following[1:2] in ("'", '"'):
                out = concat(out, ((" ",),))
            at = end + 1
        elif sign in ". ":
            at += 1
        elif text.startswith("expand(", at) or text.startswith("$HOME", at):
            if "~" in text[at:] or text.startswith("$HOME", at):
                out = concat(out, host.pieces(host.home))
            else:
                out = concat(out, unknown_choice("variable", "expand"))
            end = text.find(")", at)
            at = at + 5 if text.startswith("$HOME", at) else len(text) if end < 0 else end + 1
        else:
            start = at
            while at < len(text) and (text[at].isalnum() or text[at] in "_:$&@"):
                at += 1
            name = text[start:at]
            if not name:
                return concat(out, ((Unknown("variable"),),))
            out = concat(out, ((Unknown("variable", name),),))
    return out


def _unescaped(text: str, quote: str) -> str:
    if quote == "'" or "\\" not in text:
        return text
    out = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            out.append(_ESCAPES.get(text[at + 1], text[at + 1]))
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)
