"""JavaScript and TypeScript as node, bun and deno run it."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import path_values, strings
from cc_safety_net.guard.interpret.inline.encodings import decode
from cc_safety_net.guard.interpret.inline.evaluator import Run
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.lexer import Unterminated, tokenise
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    choices_of,
    constant,
    listed,
    path,
    ref,
    text,
    texts,
    unknown,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action, Call
    from cc_safety_net.guard.interpret.values import Choices

#: Functions of `fs`, without `Sync`.
_FS: dict[str, Action] = {
    "rm": ("delete-optional", 0),
    "rmdir": ("delete-optional", 0),
    "unlink": ("delete", 0),
    "truncate": ("truncate", 0, 1),
    "writeFile": ("write", 0, 1),
    "outputFile": ("write", 0, 1),
    "writeJson": ("write", 0),
    "outputJson": ("write", 0),
    "appendFile": ("append", 0, 1),
    "rename": ("move", 0, 1),
    "move": ("move", 0, 1),
    "copyFile": ("copy", 0, 1),
    "cp": ("copy", 0, 1),
    "copy": ("copy", 0, 1),
    "symlink": ("link", 0, 1),
    "link": ("link", 0, 1),
    "chmod": ("permissions", 0),
    "chown": ("permissions", 0),
    "lchown": ("permissions", 0),
    "createWriteStream": ("write", 0),
    "readFile": ("read", 0),
    "readJson": ("read", 0),
    "createReadStream": ("read", 0),
    "remove": ("delete-tree", 0),
    "emptyDir": ("delete-inside", 0),
    "emptydir": ("delete-inside", 0),
    "rimraf": ("delete-tree", 0),
    "delete": ("delete-tree", 0),
    "mkdir": ("create", 0),
}
_EFFECTS: dict[str, Action] = {
    "child_process.exec": ("shell", 0),
    "child_process.execSync": ("shell", 0),
    "child_process.spawn": ("spawn", 0, 1),
    "child_process.spawnSync": ("spawn", 0, 1),
    "child_process.execFile": ("spawn", 0, 1),
    "child_process.execFileSync": ("spawn", 0, 1),
    "shelljs.exec": ("shell", 0),
    "shell.exec": ("shell", 0),
    "zx.$": ("shell", 0),
    "zx.exec": ("shell", 0),
    "bun.$": ("shell", 0),
    "Bun.$": ("shell", 0),
    "$": ("shell", 0),
    "execa.$": ("shell", 0),
    "execa": ("spawn", 0, 1),
    "execa.execa": ("spawn", 0, 1),
    "execa.execaSync": ("spawn", 0, 1),
    "execa.sync": ("spawn", 0, 1),
    "execa.execaCommand": ("shell", 0),
    "execa.execaCommandSync": ("shell", 0),
    "execa.command": ("shell", 0),
    "execa.commandSync": ("shell", 0),
    "execa.shell": ("shell", 0),
    "cross-spawn": ("spawn", 0, 1),
    "cross-spawn.sync": ("spawn", 0, 1),
    "cross-spawn.spawn": ("spawn", 0, 1),
    "node-pty.spawn": ("spawn", 0, 1),
    "Bun.spawn": ("spawn", 0),
    "Bun.spawnSync": ("spawn", 0),
    "bun.spawn": ("spawn", 0),
    "bun.spawnSync": ("spawn", 0),
    "Bun.write": ("write", 0, 1),
    "rimraf": ("delete-tree", 0),
    "rimraf.rimraf": ("delete-tree", 0),
    "rimraf.sync": ("delete-tree", 0),
    "rimraf.rimrafSync": ("delete-tree", 0),
    "rimraf.native": ("delete-tree", 0),
    "rimraf.nativeSync": ("delete-tree", 0),
    "rimraf.manual": ("delete-tree", 0),
    "del": ("delete-tree", 0),
    "del.sync": ("delete-tree", 0),
    "del.deleteAsync": ("delete-tree", 0),
    "del.deleteSync": ("delete-tree", 0),
    "trash": ("delete-tree", 0),
    "process.chdir": ("chdir", 0),
    "process.kill": ("kill", 0, "one"),
    "Deno.kill": ("kill", 0, "one"),
    "Deno.remove": ("delete-optional", 0),
    "Deno.removeSync": ("delete-optional", 0),
    "Deno.rename": ("move", 0, 1),
    "Deno.renameSync": ("move", 0, 1),
    "Deno.truncate": ("truncate", 0, 1),
    "Deno.truncateSync": ("truncate", 0, 1),
    "Deno.writeFile": ("write", 0),
    "Deno.writeFileSync": ("write", 0),
    "Deno.writeTextFile": ("write", 0, 1),
    "Deno.writeTextFileSync": ("write", 0, 1),
    "Deno.readTextFile": ("read", 0),
    "Deno.readTextFileSync": ("read", 0),
    "Deno.readFile": ("read", 0),
    "os.exec": ("spawn", 0),
    "std.popen": ("shell", 0),
    "dax": ("shell", 0),
    "dax-sh": ("shell", 0),
    "@david.dax": ("shell", 0),
    "dax.default": ("shell", 0),
    "@david.dax.default": ("shell", 0),
    "Deno.readFileSync": ("read", 0),
    "Deno.chmod": ("permissions", 0),
    "Deno.chmodSync": ("permissions", 0),
    "Deno.chown": ("permissions", 0),
    "Deno.copyFile": ("copy", 0, 1),
    "Deno.copyFileSync": ("copy", 0, 1),
    "Deno.symlink": ("link", 0, 1),
    "Deno.chdir": ("chdir", 0),
}
_STDIN = frozenset(("0", "/dev/stdin", "/dev/fd/0"))
_FILE_MODULES = frozenset(("fs", "fs.promises", "fs-extra", "graceful-fs", "bun.fs", "memfs"))
#: Modules whose names are there without `require` when code is given by an option.
_GLOBAL_MODULES = frozenset(("fs", "child_process", "os", "path"))
_NAMES = {
    "globalThis.process": "process",
    "global.process": "process",
    "global.require": "require",
    "globalThis.require": "require",
    "globalThis.Bun": "Bun",
    "globalThis.Deno": "Deno",
    "globalThis.eval": "eval",
    "window.eval": "eval",
    "`": "`",
}
_PRINTING = frozenset(
    ("console.log", "console.error", "console.info", "console.dir", "console.table",
     "console.warn", "process.stdout.write", "process.stderr.write", "Deno.stdout.writeSync")
)  # fmt: skip
_REQUIRING = frozenset(
    (
        "require", "import", "process.mainModule.require", "module.require",
        "process.getBuiltinModule", "createRequire()", "process.binding",
        "module.constructor._load", "module.Module._load", "module._load",
    )
)  # fmt: skip
#: Functions that yield their first argument, as far as it matters here.
_FIRST = frozenset(
    (
        "String", "decodeURIComponent", "unescape", "URL", "String.raw", "encodeURI", "promisify",
        "util.promisify", "Promise.resolve", "Promise.all", "Array.from", "Object.freeze",
        "path.normalize", "fileURLToPath", "url.fileURLToPath",
    )
)  # fmt: skip
_RUNNERS = frozenset(
    ("eval", "vm.runInThisContext", "vm.runInNewContext", "vm.runInContext", "Function",
     "vm.Script", "setTimeout", "setInterval")
)  # fmt: skip


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    try:
        tokens = tokenise(code, LANGUAGE, host.effort)
    except Unterminated:
        from cc_safety_net.guard.interpret.facts import Word

        host.opaque(Word(host.pieces(code)))
        return
    run = Run(host, LANGUAGE)
    run.run_all(tokens)
    if any((each.text or "") in _SHOWN for each in host.arguments[1:3]):
        run.reveal(run.last)


_SHOWN = frozenset(("-p", "-pe", "--print", "-ep"))


def _compute(name: str, call: Call, run: Run) -> Value | None:
    if name[:1] == "=":
        return _constant(name[1:], run)
    if name[:1] == ".":
        return _method(call, name[1:], run)
    if name in ("process.env[]", "Bun.env[]", "import.meta.env[]"):
        return run.variable(call.arguments[0] if call.arguments else None)
    if name.endswith("[]"):
        return None
    head, _, last = name.rpartition(".")
    if head in _FILE_MODULES or head.endswith(".promises"):
        return _file_call(last, call, run)
    return _function(name, call, run)


def _file_call(name: str, call: Call, run: Run) -> Value | None:
    from cc_safety_net.guard.interpret.inline.calls import perform

    base = name.removesuffix("Sync")
    call.name = f"fs.{name}"
    if base == "readFile" and call.arguments and call.arguments[0].text in _STDIN:
        return texts(run.host.stdin().choices)
    action = _FS.get(base)
    if base == "open" and len(call.arguments) > 1:
        flags = call.arguments[1].text or "?"
        action = ("write", 0) if flags[:1] == "w" else ("append", 0) if flags[:1] == "a" else None
    if action is not None:
        found = perform(run.host, action, call)
        run.hand_on(call)
        return found or unknown(name)
    if base in ("readdir", "glob") and call.arguments:
        from cc_safety_net.guard.interpret.facts import Glob

        if base == "glob":
            from cc_safety_net.guard.interpret.inline.values import matching

            return matching(call.arguments[0])
        names = listed([Value("text", ((Glob("*"),),))])
        for argument in call.arguments:
            if argument.kind == "function":
                run.call_function(argument, _with(call, [constant("None"), names]))
        return names
    if base == "mkdtemp":
        from cc_safety_net.guard.interpret.facts import Unknown
        from cc_safety_net.guard.interpret.values import concat

        made = ((Unknown("command", "mktemp", may_be_empty=False),),)
        return texts(concat(path_values.joined(call.arguments[:1]), made))
    return None


def _with(call: Call, arguments: list[Value]) -> Call:
    from cc_safety_net.guard.interpret.inline.calls import Call as Made

    return Made(call.name, arguments)


def _constant(name: str, run: Run) -> Value | None:
    if name in ("__dirname", "import.meta.dirname", "import.meta.dir"):
        if run.host.script:
            return texts(path_values.parent_of(text(run.host.script)))
        return texts(path_values.here(run.host)) if name == "__dirname" else None
    if name in ("__filename", "import.meta.filename", "import.meta.path"):
        return text(run.host.script) if run.host.script else None
    if name in ("process.argv", "Bun.argv"):
        given = [texts(each.choices) for each in run.host.argv()]
        if not given and not run.host.script:
            return unknown("argv", "argument")
        return listed([text("node"), *([text(run.host.script)] if run.host.script else []), *given])
    if name == "Deno.args":
        return listed([texts(each.choices) for each in run.host.argv()])
    if name == "process.execPath":
        return text("node")
    if name == "path.sep":
        return text("/")
    if name.startswith(("process.env.", "Bun.env.")) and name.count(".") == 2:
        return run.variable(text(name.rpartition(".")[2]))
    return None


def _function(name: str, call: Call, run: Run) -> Value | None:
    """The result of a function whose name says what it is."""
    first = call.arguments[0] if call.arguments else None
    if name in _FIRST:
        known = first.text if first is not None else None
        return text(known[7:]) if known is not None and known.startswith("file://") else first
    if name in _PRINTING:
        for argument in call.arguments:
            run.reveal(argument)
        return constant("None")
    if name in _RUNNERS and call.arguments:
        last = call.arguments[-1] if name == "Function" else call.arguments[0]
        if last.kind == "function":
            run.hand_on(call)
            return unknown(name)
        if last.kind != "text" and name in ("setTimeout", "setInterval"):
            # A function whose value is not known.
            return unknown(name)
        return run.code(last, name)
    if name in _REQUIRING:
        known = first.text if first is not None else None
        if known == "shelljs/global":
            for each in ("rm", "exec", "mv", "cp", "chmod", "cd"):
                run.scope.own[each] = ref(f"shelljs.{each}")
        own = run.own_module(known) if known is not None else None
        if own is not None:
            return own
        return ref(run.module(known)) if known is not None else unknown("require")
    function = _FUNCTIONS.get(name)
    if function is not None:
        return function(name, call, run)
    if name.startswith("shelljs.") and name.count(".") == 1:
        from cc_safety_net.guard.interpret.inline.calls import start

        start(run.host, [text(name[8:]), *call.arguments], call)
        return unknown(name)
    return None


def _joined(_name: str, call: Call, _run: Run) -> Value:
    return texts(_plain_join(call))


def _resolved(_name: str, call: Call, run: Run) -> Value:
    return texts(path_values.absolute(texts(path_values.joined(call.arguments)), run.host))


def _home(_name: str, _call: Call, run: Run) -> Value:
    found = run.host.variable("HOME")
    return texts(found.choices) if found is not None else text(run.host.home)


def _temp(_name: str, _call: Call, run: Run) -> Value:
    return text(run.host.temp)


def _here(_name: str, _call: Call, run: Run) -> Value:
    return texts(path_values.here(run.host))


def _cut(name: str, call: Call, _run: Run) -> Value | None:
    if not call.arguments:
        return None
    cut = path_values.parent_of if name == "path.dirname" else path_values.name_of
    return texts(cut(call.arguments[0]))


def _environment(_name: str, call: Call, run: Run) -> Value | None:
    return run.variable(call.arguments[0] if call.arguments else None)


def _buffer(_name: str, call: Call, _run: Run) -> Value:
    how = call.arguments[1].text if len(call.arguments) > 1 else ""
    return _decoded(call.arguments[0] if call.arguments else None, how or "")


def _atob(_name: str, call: Call, _run: Run) -> Value:
    return _decoded(call.arguments[0] if call.arguments else None, "base64")


def _characters(name: str, call: Call, _run: Run) -> Value:
    numbers = [int(a.number) if a.kind == "number" else -1 for a in call.arguments]
    valid = all(0 <= n < 0x110000 for n in numbers)
    return text("".join(map(chr, numbers))) if valid else unknown(name)


def _file(_name: str, call: Call, _run: Run) -> Value | None:
    return path(choices_of(call.arguments[0])) if call.arguments else None


def _whole(name: str, call: Call, _run: Run) -> Value:
    """What is made of an object: of the environment, the environment."""
    whole = [each for each in call.arguments if each.kind == "ref"]
    if name != "Object.keys" and whole:
        return whole[-1]
    first = call.arguments[0] if call.arguments else None
    return unknown(name) if first is None or first.kind != "map" else first


def _reflected(_name: str, call: Call, run: Run) -> Value | None:
    """`Reflect.apply(function, this, arguments)`."""
    if not call.arguments:
        return None
    rest = call.arguments[2].items if len(call.arguments) > 2 else []
    return run.apply(call.arguments[0], _with(call, rest))


def _require_made(_name: str, _call: Call, _run: Run) -> Value:
    return ref("require")


def _worker(name: str, call: Call, run: Run) -> Value | None:
    """A worker thread: with `eval` its first argument is code."""
    if call.arguments and call.is_on("eval"):
        return run.code(call.arguments[0], name)
    return None


def _globbed(_name: str, call: Call, _run: Run) -> Value | None:
    from cc_safety_net.guard.interpret.inline.values import matching

    return matching(call.arguments[0]) if call.arguments else None


def _plain_join(call: Call) -> Choices:
    """`path.join`: an absolute part does not start anew."""
    parts = list(call.arguments)
    whole = [parts[0]] if parts else []
    for part in parts[1:]:
        known = part.text
        whole.append(text(known.lstrip("/")) if known is not None and known != "/" else part)
    return path_values.joined([part for part in whole if part.text != ""])


def _decoded(value: Value | None, how: str) -> Value:
    known = value.text if value is not None else None
    if known is None or value is None:
        return unknown("Buffer")
    if how in ("base64", "base64url", "hex"):
        return decode(known, how.removesuffix("url"))
    return value


def _deno(_name: str, call: Call, run: Run) -> Value:
    from cc_safety_net.guard.interpret.inline.calls import start

    options = call.arguments[-1] if call.arguments else constant("None")
    words = [call.arguments[0]] if options is not call.arguments[0] else []
    if options.kind == "map":
        given = options.fields.get("cmd" if call.name == "Deno.run" else "args")
        if given is not None and given.kind == "list":
            words += given.items
    elif options.kind != "map" and not words:
        words = [options]
    start(run.host, words, call)
    return unknown(call.name)


#: Values that a promise may be handed to.
_CALLED = frozenset(("function", "ref", "method"))


def _method(call: Call, name: str, run: Run) -> Value | None:
    receiver = call.receiver
    if receiver is None:
        return None
    if name in ("then", "tap") and call.arguments and call.arguments[0].kind in _CALLED:
        return run.apply(call.arguments[0], _with(call, [receiver]))
    if name == "doShellScript" and call.arguments:
        # JavaScript for Automation.
        run.host.shell(word(call.arguments[0]), name)
        return unknown(name)
    if receiver.kind == "ref" and name in ("call", "apply", "bind"):
        rest = call.arguments[1:]
        if name == "apply" and rest and rest[0].kind == "list":
            rest = rest[0].items
        return run.apply(receiver, _with(call, rest)) if name != "bind" else receiver
    if receiver.kind == "ref":
        return None
    if receiver.kind == "path":
        return _of_file(receiver, name, run)
    if name == "toString" and receiver.kind == "text" and receiver.text is not None:
        how = call.arguments[0].text if call.arguments else ""
        return _decoded(receiver, "") if how in ("utf8", "utf-8", "", "ascii", None) else receiver
    return strings.method(receiver, name, call)


def _of_file(receiver: Value, name: str, run: Run) -> Value:
    """A method of `Bun.file(path)`."""
    if name in ("delete", "unlink"):
        run.host.touch(word(receiver), "delete", f"Bun.file.{name}")
    elif name in ("text", "json", "bytes", "arrayBuffer", "stream", "lines"):
        run.host.touch(word(receiver), "read", f"Bun.file.{name}")
        return unknown(name, "file")
    elif name in ("write", "writer"):
        run.host.touch(word(receiver), "write", f"Bun.file.{name}")
    return unknown(name)


LANGUAGE = Language(
    "JavaScript",
    quotes={"'": "escaped", '"': "escaped", "`": "full"},
    holes="js",
    features=frozenset(("regex", "tags", "arrow", "ternary", "dollars")),
    functions=("function",),
    effects=_EFFECTS,
    compute=_compute,
    names=_NAMES,
)


_FUNCTIONS: dict[str, Callable[[str, Call, Run], Value | None]] = {
    "path.join": _joined,
    "path.posix.join": _joined,
    "path.resolve": _resolved,
    "path.posix.resolve": _resolved,
    "path.dirname": _cut,
    "path.basename": _cut,
    "os.homedir": _home,
    "Deno.homeDir": _home,
    "os.tmpdir": _temp,
    "process.cwd": _here,
    "Deno.cwd": _here,
    "Deno.env.get": _environment,
    "Deno.env.toObject": _environment,
    "Reflect.apply": _reflected,
    "module.createRequire": _require_made,
    "createRequire": _require_made,
    "worker_threads.Worker": _worker,
    "Worker": _worker,
    "glob.sync": _globbed,
    "glob.globSync": _globbed,
    "glob": _globbed,
    "glob.glob": _globbed,
    "globby.sync": _globbed,
    "globby.globbySync": _globbed,
    "fast-glob.sync": _globbed,
    "tinyglobby.globSync": _globbed,
    "Buffer.from": _buffer,
    "Buffer": _buffer,
    "atob": _atob,
    "String.fromCharCode": _characters,
    "Deno.Command": _deno,
    "Deno.run": _deno,
    "Bun.file": _file,
    "Object.entries": _whole,
    "Object.keys": _whole,
    "Object.assign": _whole,
    "JSON.stringify": _whole,
    "util.inspect": _whole,
}
