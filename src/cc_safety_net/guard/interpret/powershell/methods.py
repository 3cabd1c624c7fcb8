"""Calls of .NET: static methods of types, methods of strings, files and blocks."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import FileAccess, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.powershell import values
from cc_safety_net.guard.interpret.powershell.paths import below, path_words
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value
from cc_safety_net.guard.interpret.values import text_choice
from cc_safety_net.guard.shell.powershell import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.powershell.commands import Commands

#: Type and method -> how each argument that is a path is used; `*`: the whole tree. `2?` stands
#: for a tree if the second argument is not false.
_FILES = {
    ("io.file", "delete"): "delete",
    ("io.file", "writealltext"): "write",
    ("io.file", "writeallbytes"): "write",
    ("io.file", "writealllines"): "write",
    ("io.file", "create"): "truncate",
    ("io.file", "createtext"): "truncate",
    ("io.file", "openwrite"): "append",
    ("io.file", "open"): "append",
    ("io.file", "appendalltext"): "append",
    ("io.file", "appendalllines"): "append",
    ("io.file", "readalltext"): "read",
    ("io.file", "readallbytes"): "read",
    ("io.file", "readalllines"): "read",
    ("io.file", "readlines"): "read",
    ("io.file", "opentext"): "read",
    ("io.file", "openread"): "read",
    ("io.file", "copy"): "metadata write",
    ("io.file", "move"): "move write",
    ("io.file", "replace"): "move write",
    ("io.file", "exists"): "metadata",
    ("io.directory", "delete"): "delete 2?",
    ("io.directory", "move"): "move* write",
    ("io.directory", "exists"): "metadata",
    ("io.directory", "createdirectory"): "metadata",
    ("microsoft.visualbasic.fileio.filesystem", "deletedirectory"): "delete*",
    ("microsoft.visualbasic.fileio.filesystem", "deletefile"): "delete",
}
_LISTING = frozenset(
    ("getfiles", "getdirectories", "getfilesystementries", "enumeratefiles",
     "enumeratedirectories", "enumeratefilesystementries")
)  # fmt: skip
_DOWNLOADS = frozenset(
    ("downloadstring", "downloaddata", "downloadstringtaskasync", "getstringasync", "openread",
     "getstreamasync", "getbytearrayasync", "downloadfile", "downloadfileasync")
)  # fmt: skip
#: Methods of `Scripting.FileSystemObject`.
_OF_FILE_SYSTEM = frozenset(("deletefile", "deletefolder"))
#: Methods that put objects into a list.
_ADDING = frozenset(("add", "addrange", "enqueue", "push"))
_FOLDERS = {
    "desktop": "\\Desktop", "mydocuments": "\\Documents", "userprofile": "", "personal":
    "\\Documents", "applicationdata": "\\AppData\\Roaming",
    "localapplicationdata": "\\AppData\\Local", "mymusic": "\\Music", "mypictures": "\\Pictures",
}  # fmt: skip
_SYSTEM_FOLDERS = {
    "windows": "C:\\Windows", "system": "C:\\Windows\\System32",
    "programfiles": "C:\\Program Files", "commonapplicationdata": "C:\\ProgramData",
}  # fmt: skip


def call(shell: Commands, node: nodes.Member) -> Value:
    """`[Type]::Method(…)`, `[Type]::Name`, `object.Method(…)`."""
    name = (shell.evaluate(node.name).text or "").lower()
    m = shell.m
    saved, m.captured = m.captured, True
    arguments = [shell.evaluate(argument) for argument in node.arguments or ()]
    target = shell.evaluate(node.target)
    m.captured = saved
    if name in _ADDING and isinstance(node.target, nodes.Variable) and not node.target.scope:
        key = arguments[0].text if arguments else None
        if target.table is not None and key is not None and len(arguments) > 1:
            target = Value(table={**target.table, key.lower(): arguments[1]})
        else:
            for argument in arguments:
                target = values.both(target, argument)
        shell.assign(node.target, target)
        return NOTHING
    if node.static and target.kind == "type":
        kind = (target.text or "").removeprefix("system.")
        if node.arguments is None:
            return _static_property(shell, kind, name)
        return _static(shell, kind, name, arguments, node)
    return call_on(shell, target, name, arguments, node)


def _static_property(shell: Commands, kind: str, name: str) -> Value:
    if kind == "environment" and name == "currentdirectory":
        from cc_safety_net.guard.interpret.powershell.variables import current_directory

        return Value((current_directory(shell.state),))
    if kind == "text.encoding":
        return Value((text_choice(name),), kind="encoding")
    if kind == "io.path" and name.endswith("separatorchar"):
        return values.known("\\")
    if kind == "environment" and name == "newline":
        return values.known("\n")
    if kind == "string" and name == "empty":
        return values.known("")
    return values.known(name)


def _execution(shell: Commands, label: str, node: nodes.Node, words: Sequence[Word]) -> Execution:
    return shell.execution(
        [known(label, node.start, node.end), *words], node, program=label.lower()
    )


def _static(
    shell: Commands, kind: str, name: str, arguments: list[Value], node: nodes.Member
) -> Value:
    first = arguments[0] if arguments else NOTHING
    if kind in ("io.fileinfo", "io.directoryinfo"):
        return first
    use = _FILES.get((kind, name))
    if use is not None:
        return _file(shell, kind, name, use, arguments, node)
    if kind == "io.directory" and name in _LISTING:
        from cc_safety_net.guard.interpret.powershell.paths import listed

        pattern = arguments[1] if len(arguments) > 1 else NOTHING
        return listed(first, pattern, narrowed=False)
    if kind == "io.path":
        return _path(shell, name, arguments)
    if kind == "environment":
        return _environment(shell, name, arguments, node)
    if kind.endswith("process") and name == "start":
        return _process(shell, arguments, node)
    if kind == "convert" and name == "frombase64string":
        return _decoded(first)
    if kind == "scriptblock" and name == "create":
        return _block(shell, first)
    if kind == "string" and name in ("join", "concat", "format"):
        return _strings(name, arguments)
    if kind in ("io.fileinfo", "io.directoryinfo", "string", "char") and name == "new":
        return Value(first.items, kind="file", origin=first.origin)
    if kind.startswith(("net.webclient", "net.http")):
        return Value((((Unknown("command", name),),),), kind="client")
    return _unknown_result(arguments)


def _block(shell: Commands, value: Value) -> Value:
    """A text made into a script block, which runs when it is called; `code` if it is unknown."""
    from cc_safety_net.guard.shell.powershell.parser import parse

    if value.text is None:
        return Value(value.items, more=value.more, origin=value.origin, kind="code")
    script = parse(value.text, shell.m.effort).script
    return Value(block=nodes.Block((), script, script.start, script.end))


def _unknown_result(arguments: list[Value]) -> Value:
    origin = [e for value in arguments for e in value.origin]
    return values.unknown("command", origin=origin)


def _file(
    shell: Commands,
    kind: str,
    name: str,
    use: str,
    arguments: list[Value],
    node: nodes.Member,
) -> Value:
    label = f"[{kind}]::{name}"
    home = shell.m.place.home
    found = [path_words(value, "", node.start, node.end, wild=False) for value in arguments[:2]]
    execution = _execution(shell, label, node, [word for words in found for word in words])
    modes = use.split()
    tree = modes[-1] == "2?" and len(arguments) > 1 and arguments[1].text != "False"
    del home
    for words, mode in zip(found, [m for m in modes if m != "2?"], strict=False):
        for word in words:
            content = arguments[1] if name.startswith("writeall") and len(arguments) > 1 else None
            text = None
            if content is not None and content.kind != "bytes":
                text = Word(content.joined("\n"))
            place = (
                found[1][0]
                if mode.startswith(("move", "metadata"))
                and (len(found) > 1 and found[1] and len(modes) > 1)
                else None
            )
            shell.m.reading.accesses.append(
                FileAccess(
                    word, mode.rstrip("*"), label, execution.cwds, execution.start, execution.end,
                    recursive=tree or mode.endswith("*"), execution=execution,
                    chain=execution.chain, scope=execution.scope, content=text, destination=place,
                )
            )  # fmt: skip
            if text is not None:
                from cc_safety_net.guard.interpret.contents import write

                write(shell.m, execution.cwds, word, text.choices, append=False)
    piece = Unknown("command", label, origin=(execution,))
    return Value((((piece,),),), more=True, origin=(execution,))


def _path(shell: Commands, name: str, arguments: list[Value]) -> Value:
    first = arguments[0] if arguments else NOTHING
    if name in ("combine", "join"):
        if len(arguments) == 1:  # an array
            arguments = [Value((item,)) for item in first.items] or [NOTHING]
        found = arguments[0]
        for child in arguments[1:]:
            found = below(found, child)
        return found
    if name == "gettemppath":
        from cc_safety_net.guard.interpret.powershell.variables import environment_value

        return environment_value(shell.m, shell.state, "TEMP")
    if name == "gettempfilename":
        temp = shell.m.place.temps[0] if shell.m.place.temps else "/tmp"  # noqa: S108 - a name
        piece = Unknown("command", "mktemp", may_be_empty=False)
        return Value((((f"{temp}/", piece),),))
    if name == "getdirectoryname":
        from cc_safety_net.guard.interpret.powershell.paths import parent_of

        return parent_of(first)
    if name == "getfullpath":
        return first
    return _unknown_result(arguments)


def _environment(shell: Commands, name: str, arguments: list[Value], node: nodes.Node) -> Value:
    from cc_safety_net.guard.interpret.powershell.variables import (
        environment_value,
        set_environment,
    )

    text = arguments[0].text if arguments else None
    if name == "getenvironmentvariable" and text:
        return environment_value(shell.m, shell.state, text)
    if name == "setenvironmentvariable" and text and len(arguments) > 1:
        set_environment(shell.m, shell.state, text, arguments[1])
        return NOTHING
    if name == "getfolderpath" and text:
        folder = text.lower()
        if folder in _FOLDERS:
            return values.known(shell.m.place.home + _FOLDERS[folder])
        if folder in _SYSTEM_FOLDERS:
            return values.known(_SYSTEM_FOLDERS[folder])
    if name == "getenvironmentvariables":
        shell.execution([known("printenv")], node)
    return _unknown_result(arguments)


def _process(shell: Commands, arguments: list[Value], node: nodes.Node) -> Value:
    """`[Diagnostics.Process]::Start('cmd', '/c …')`."""
    from cc_safety_net.guard.interpret.cmd.words import program_words

    if not arguments:
        return NOTHING
    if arguments[0].table is not None:
        table = arguments[0].table
        arguments = [table.get("filename", NOTHING), table.get("arguments", NOTHING)]
    argv = arguments[0].words(node.start, node.end)[:1]
    for value in arguments[1:2]:
        for item in value.items:
            text = literal(item[0]) if len(item) == 1 else None
            if text is None:
                argv.append(Word(item, node.start, node.end))
            else:
                argv.extend(known(word, node.start, node.end) for word in program_words(text))
    if argv:
        m = shell.m
        saved, m.chain = m.chain, m.linked("Process.Start")
        shell.program(argv, node)
        m.chain = saved
    return NOTHING


def _decoded(value: Value) -> Value:
    """Bytes as characters below 256."""
    from binascii import Error, a2b_base64

    text = value.text
    if text is not None:
        try:
            return Value(
                (text_choice(a2b_base64(text.encode(), strict_mode=False).decode("latin-1")),),
                kind="bytes",
            )
        except (Error, ValueError):
            pass
    return values.unknown("variable", origin=value.origin)


def _strings(name: str, arguments: list[Value]) -> Value:
    if name == "join" and len(arguments) > 1:
        rest = NOTHING
        for value in arguments[1:]:
            rest = values.both(rest, value)
        return Value((rest.joined(arguments[0].text or ""),), origin=rest.origin)
    whole = NOTHING
    for value in arguments[1:] if name == "format" else arguments:
        whole = values.both(whole, value)
    if name == "format" and arguments:
        from cc_safety_net.guard.interpret.powershell.expressions import _formatted

        return Value((_formatted(arguments[0], whole),))
    return Value((whole.joined(""),), origin=whole.origin)


# --- methods of objects --------------------------------------------------------------------------


def call_on(
    shell: Commands, target: Value, name: str, arguments: list[Value], node: nodes.Node
) -> Value:
    """A method, or a property by name, of an object."""
    name = name.lower()
    if target.block is not None and name.startswith("invoke"):
        from cc_safety_net.guard.interpret.powershell.binding import Argument

        given = [Argument(value, node) for value in arguments]
        return shell.run_called(target.block, given, None, same_scope=False)
    if name == "invokescript" or (
        name.startswith("invoke") and (target.text is not None or target.kind == "code")
    ):
        return run_code(
            shell, arguments[0] if name == "invokescript" and arguments else target, node
        )
    if name in _DOWNLOADS and (target.kind in ("client", "com") or not target.kind):
        return _download(shell, name, arguments, node)
    if target.kind == "encoding" and name == "getstring":
        return _encoded_text(target.text or "", arguments)
    if name in ("addscript", "createpipeline") and arguments:
        return run_code(shell, arguments[0], node)
    if name in _OF_FILE_SYSTEM and target.kind == "com" and arguments:
        return _delete(shell, arguments[0], [values.truth(name == "deletefolder")], node)
    if name == "create" and (target.text or "").lower().endswith("win32_process") and arguments:
        from cc_safety_net.guard.interpret.powershell.running import run_line

        run_line(shell, _execution(shell, "Invoke-WmiMethod", node, ()), arguments[0])
        return NOTHING
    if name == "delete" and len(arguments) < 2:
        return _delete(shell, target, arguments, node)
    if target.kind == "com" and name in ("run", "exec", "shellexecute"):
        return _com(shell, name, arguments, node)
    if name in ("moveto", "copyto", "fullname", "name", "path", "tostring", "gettype", "result"):
        return target
    return _text_method(target, name, arguments)


def run_code(shell: Commands, value: Value, node: nodes.Node) -> Value:
    """Run a text as `Invoke-Expression` does."""
    from cc_safety_net.guard.interpret.powershell.binding import Bound
    from cc_safety_net.guard.interpret.powershell.commands import Call
    from cc_safety_net.guard.interpret.powershell.running import run_text

    execution = _execution(shell, "Invoke-Expression", node, value.words(node.start, node.end))
    command = nodes.Command("", (), (), node.start, node.end)
    made = Call("invoke-expression", Bound(), None, command, execution)
    return run_text(shell, made, value, "Invoke")


def _download(shell: Commands, name: str, arguments: list[Value], node: nodes.Node) -> Value:
    words = arguments[0].words(node.start, node.end) if arguments else []
    execution = _execution(shell, "Invoke-WebRequest", node, words)
    if name.startswith("downloadfile") and len(arguments) > 1:
        from cc_safety_net.guard.interpret.contents import write

        for word in path_words(arguments[1], "", node.start, node.end, wild=False):
            shell.m.reading.accesses.append(
                FileAccess(
                    word, "write", "WebClient", execution.cwds, execution.start, execution.end,
                    execution=execution, chain=execution.chain, scope=execution.scope,
                )
            )  # fmt: skip
            piece = Unknown("command", "invoke-webrequest", origin=(execution,))
            write(shell.m, execution.cwds, word, ((piece,),), append=False)
        return NOTHING
    piece = Unknown("command", "invoke-webrequest", origin=(execution,))
    return Value((((piece,),),), origin=(execution,))


def _encoded_text(encoding: str, arguments: list[Value]) -> Value:
    given = arguments[0] if arguments else NOTHING
    text = given.text
    if text is None or given.kind != "bytes":
        return values.unknown("variable", origin=given.origin)
    codec = {"unicode": "utf-16-le", "bigendianunicode": "utf-16-be", "ascii": "latin-1"}
    raw = text.encode("latin-1", "replace")
    return values.known(raw.decode(codec.get(encoding, "utf-8"), "replace"))


def _delete(shell: Commands, target: Value, arguments: list[Value], node: nodes.Node) -> Value:
    """`(Get-Item x).Delete()`; with an argument that is not false the whole tree."""
    from cc_safety_net.guard.interpret.powershell.running import delete_snapshots, holds_snapshots

    if holds_snapshots(target):
        delete_snapshots(shell, node)
        return NOTHING
    words = path_words(target, shell.m.place.home, node.start, node.end)
    execution = _execution(shell, "[io.filesysteminfo]::delete", node, words)
    tree = bool(arguments) and arguments[0].text != "False"
    for word in words:
        shell.m.reading.accesses.append(
            FileAccess(
                word, "delete", "[io.filesysteminfo]::delete", execution.cwds, execution.start,
                execution.end, recursive=tree, execution=execution, chain=execution.chain,
                scope=execution.scope, found=target.found,
            )
        )  # fmt: skip
    return NOTHING


def _com(shell: Commands, name: str, arguments: list[Value], node: nodes.Node) -> Value:
    """`(New-Object -ComObject WScript.Shell).Run('cmd …')`."""
    from cc_safety_net.guard.interpret.cmd.words import program_words

    argv: list[Word] = []
    for value in arguments[: 2 if name == "shellexecute" else 1]:
        text = value.text
        if text is None:
            argv.extend(value.words(node.start, node.end))
        else:
            argv.extend(known(word, node.start, node.end) for word in program_words(text))
    if argv:
        shell.program(argv, node)
    return NOTHING


def _text_method(target: Value, name: str, arguments: list[Value]) -> Value:
    text = target.text
    texts = [value.text for value in arguments]
    if text is None:
        if name in ("trim", "trimend", "trimstart", "tolower", "toupper", "trimend"):
            return target
        items = [((Unknown("variable", origin=target.origin),),) for _ in target.items[:1]]
        return Value(items, more=target.more, origin=target.origin)
    first = texts[0] if texts else None
    if name in ("tolower", "tolowerinvariant"):
        return values.known(text.lower())
    if name in ("toupper", "toupperinvariant"):
        return values.known(text.upper())
    if name in ("trim", "trimstart", "trimend"):
        marks = first or None
        cut = {"trim": text.strip, "trimstart": text.lstrip, "trimend": text.rstrip}[name]
        return values.known(cut(marks))
    if name == "replace" and first and len(texts) > 1 and texts[1] is not None:
        return values.known(text.replace(first, texts[1])[:8192])
    if name == "split" and first:
        parts = text.split(first) if len(first) == 1 else [text]
        return Value([text_choice(part) for part in parts[:512]], kind="array")
    if name == "substring" and first is not None and first.isdigit():
        start = int(first[:6])
        length = texts[1] if len(texts) > 1 else None
        end = start + int(length[:6]) if length is not None and length.isdigit() else len(text)
        return values.known(text[start:end])
    if name == "tochararray":
        return Value([text_choice(character) for character in text[:512]], kind="array")
    if name in ("startswith", "endswith", "contains", "equals"):
        return values.unknown("variable", may_be_empty=False)
    return values.unknown("variable")
