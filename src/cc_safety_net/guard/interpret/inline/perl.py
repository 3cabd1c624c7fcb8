"""Perl."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import path_values, strings
from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.encodings import decode
from cc_safety_net.guard.interpret.inline.evaluator import Run, read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    choices_of,
    listed,
    matching,
    path,
    text,
    texts,
    unknown,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action

_EFFECTS: dict[str, Action] = {
    "system": ("words",),
    "exec": ("words",),
    "unlink": ("delete-all",),
    "rmtree": ("delete-trees",),
    "remove_tree": ("delete-trees",),
    "File.Path.rmtree": ("delete-trees",),
    "File.Path.remove_tree": ("delete-trees",),
    "rmdir": ("delete", 0),
    "rename": ("move", 0, 1),
    "move": ("move", 0, 1),
    "mv": ("move", 0, 1),
    "copy": ("copy", 0, 1),
    "cp": ("copy", 0, 1),
    "File.Copy.move": ("move", 0, 1),
    "File.Copy.copy": ("copy", 0, 1),
    "truncate": ("truncate", 0, 1),
    "chmod": ("permissions-of", 1),
    "chown": ("permissions-of", 2),
    "symlink": ("link", 0, 1),
    "link": ("link", 0, 1),
    "chdir": ("chdir", 0),
    "kill": ("kill", 1),
    "readpipe": ("shell", 0),
    "capture": ("words",),
    "open2": ("argv", 2),
    "open3": ("argv", 3),
    "IPC.Open3.open3": ("argv", 3),
    "IPC.Open2.open2": ("argv", 2),
    "run": ("words",),
    "runx": ("argv",),
    "IPC.Run.run": ("words",),
    "IPC.System.Simple.run": ("words",),
    "capturex": ("argv",),
    "systemx": ("argv",),
    "write_file": ("write", 0, 1),
    "spew": ("write", 0, 1),
    "read_file": ("read", 0),
    "slurp": ("read", 0),
}
_METHODS: dict[str, Action] = {
    "remove": ("delete", "self"),
    "remove_tree": ("delete-tree", "self"),
    "rmtree": ("delete-tree", "self"),
    "spew": ("write", "self", 0),
    "slurp": ("read", "self"),
}


#: Path::Tiny, Path::Class, Mojo::File.
_PATHS = frozenset(
    ("path", "file", "dir", "Path.Tiny.path", "Path.Class.file", "Path.Class.dir", "Mojo.File.path")
)


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    read_tokens(code, host, LANGUAGE, _preload)


def _preload(run: Run) -> None:
    from cc_safety_net.guard.interpret.inline.included import preloaded

    preloaded(run, "-M", "use", "PERL5OPT", ".pm")


def _compute(name: str, call: Call, run: Run) -> Value | None:
    if name[:1] == "=":
        return _constant(name[1:], run)
    if name[:1] == ".":
        return _method(call, name[1:])
    first = call.arguments[0] if call.arguments else None
    if name in ("%ENV[]", "$ENV[]"):
        return run.variable(first)
    host = run.host
    if name in ("push", "unshift") and first is not None and first.name == "@INC":
        for each in call.arguments[1:]:
            host.search += word(each).texts or ()
        return unknown(name)
    if name == "glob" and first is not None:
        words = (first.text or "").split()
        if len(words) > 1:
            return listed([item for each in words for item in matching(text(each)).items])
        return matching(first)
    if name == "open":
        return _open(call, run)
    if name in ("eval", "evalbytes", "try") and first is not None:
        if first.kind == "function":
            return run.call_function(first, Call(name, []))
        return run.code(first, name)
    if name in ("find", "finddepth", "File.Find.find", "File.Find.finddepth"):
        return _searched(call, run)
    if name in ("path", "Path.Tiny.path", "dir", "file") and call.arguments:
        return Value("path", path_values.joined(call.arguments))
    if name in ("getcwd", "cwd", "Cwd.getcwd", "Cwd.cwd"):
        return texts(path_values.here(host))
    if name == "join" and call.arguments:
        rest = call.arguments[1:]
        flat = [item for each in rest for item in (each.items if each.kind == "list" else (each,))]
        return strings.joined(listed(flat), choices_of(call.arguments[0]))
    if name in ("decode_base64", "MIME.Base64.decode_base64") and first is not None:
        return decode(first.text, "base64") if first.text is not None else unknown(name)
    if name == "pack" and len(call.arguments) > 1:
        known = call.arguments[1].text
        hexadecimal = first is not None and (first.text or "").startswith("H")
        return decode(known, "hex") if known is not None and hexadecimal else unknown(name)
    if name == "sprintf" and call.arguments:
        return _formatted(call)
    if name in ("print", "say", "printf", "warn", "die"):
        for argument in call.arguments:
            run.reveal(argument)
        return unknown(name)
    if name in ("keys", "values", "sort", "grep", "reverse", "uniq", "each", "scalar", "map"):
        return _listed(name, call, run)
    if name in _PATHS and first is not None:
        return path(path_values.joined(call.arguments))
    if name in ("shift", "pop"):
        return _shifted(first, run)
    if name in ("catfile", "catdir", "tempdir", "dirname", "basename", "lc", "uc", "chomp"):
        return _path(name, call, run)
    return None


def _path(name: str, call: Call, run: Run) -> Value | None:
    first = call.arguments[0] if call.arguments else None
    if name in ("catfile", "catdir"):
        return texts(path_values.joined(call.arguments))
    if name == "tempdir":
        return text(run.host.temp + "/made")
    if first is None:
        return None
    if name == "dirname":
        return texts(path_values.parent_of(first))
    known = first.text
    if known is not None and name in ("lc", "uc"):
        return text(known.lower() if name == "lc" else known.upper())
    return texts(path_values.name_of(first)) if name == "basename" else first


def _searched(call: Call, run: Run) -> Value:
    """File::Find: the function sees each file below as `$_`."""
    from cc_safety_net.guard.interpret.facts import Unknown

    wanted = None
    tops: list[Value] = []
    for argument in call.arguments:
        if argument.kind in ("function", "map"):
            wanted = argument.fields.get("wanted") if argument.kind == "map" else argument
        else:
            tops += argument.items if argument.kind == "list" else [argument]
    if wanted is None or wanted.kind != "function":
        return unknown("find")
    for top in tops[:16]:
        below = Value("text", ((Unknown("find", may_be_empty=False),),))
        found = texts(path_values.joined((top, below)))
        for name in ("$_", "$File::Find::name", "$File"):
            run.scope.own[name] = found
        run.call_function(wanted, Call("find", [found]))
    return unknown("find")


def _shifted(first: Value | None, run: Run) -> Value:
    source = first
    if source is None:
        source = run.scope.look("@_") if run.active else _constant("@ARGV", run)
    if source is not None and source.kind == "list" and source.items:
        return source.items.pop(0)
    return unknown("shift", "argument")


def _listed(name: str, call: Call, run: Run) -> Value:
    """Functions of lists: a block sees each item as `$_`."""
    from cc_safety_net.guard.interpret.inline.values import one_of

    items: list[Value] = []
    block = None
    for argument in call.arguments:
        if argument.kind == "function":
            block = argument
        elif argument.kind == "list":
            items.extend(argument.items)
        elif argument.kind == "map":
            items.extend(text(key) for key in argument.fields)
        else:
            items.append(argument)
    if block is not None and items:
        run.scope.own["$_"] = one_of(items)
        run.call_function(block, Call(name, items))
    if name == "reverse":
        made = listed(reversed(items))
        made.name = name
        return made
    if name == "scalar" and call.arguments and call.arguments[0].name == "reverse":
        known = [item.text for item in reversed(items)]
        if all(each is not None for each in known):
            return text("".join(each or "" for each in known)[::-1])
    return listed(items)


def _formatted(call: Call) -> Value:
    known = call.arguments[0].text
    if known is None or "%" not in known:
        return call.arguments[0]
    parts = known.split("%s")
    value: Value = text(parts[0])
    from cc_safety_net.guard.interpret.inline.values import added

    for index, part in enumerate(parts[1:], 1):
        given = call.arguments[index] if index < len(call.arguments) else unknown("%s")
        value = added(added(value, given), text(part))
    return value


def _constant(name: str, run: Run) -> Value | None:
    if name == "@ARGV":
        given = [texts(each.choices) for each in run.host.argv()]
        return listed(given) if given or run.host.script else unknown("ARGV", "argument")
    if name == "$0":
        return text(run.host.script or "-e")
    if name in ("$FindBin::Bin", "$FindBin::RealBin", "$Bin", "$RealBin"):
        if not run.host.script:
            return texts(path_values.here(run.host))
        return texts(path_values.parent_of(text(run.host.script)))
    if name == "$^X":
        return text("perl")
    if name == "%ENV":
        return None
    return None


def _open(call: Call, run: Run) -> Value:
    """`open(F, "cmd |")`, `open(F, "-|", cmd, …)`, `open(F, ">", path)`, `open(F, "> path")`."""
    if len(call.arguments) < 2:
        return unknown("open")
    mode = (call.arguments[1].text or "").strip()
    rest = call.arguments[2:]
    call.name = "open"
    if rest:
        if mode in ("-|", "|-"):
            made = perform(run.host, ("words",), Call("open", rest, call.named))
            return _handle(call, made, run)
        return _opened(mode, Call("open", rest), run)
    value = call.arguments[1]
    if mode.startswith("|") or mode.endswith("|"):
        made = perform(run.host, ("shell", 0), Call("open", [text(mode.strip("|"))]))
        return _handle(call, made, run)
    known = value.choices[0] if len(value.choices) == 1 else ()
    start = known[0] if known and isinstance(known[0], str) else ""
    if start.lstrip().startswith((">", "+", "<")):
        plain = start.lstrip()
        signs = plain[: len(plain) - len(plain.lstrip("<>+"))]
        from cc_safety_net.guard.interpret.values import merge

        path = texts((merge((plain[len(signs) :].lstrip(), *known[1:])),))
        return _opened(signs, Call("open", [path]), run)
    return _opened("<", Call("open", [value]), run)


def _handle(call: Call, made: Value | None, run: Run) -> Value:
    """The name that the opened program gets."""
    target = call.arguments[0]
    if made is not None and target.kind == "ref":
        run.scope.own[target.name] = made
    return made or unknown("open")


def _opened(mode: str, call: Call, run: Run) -> Value:
    if mode.startswith(">>"):
        kind = "create"
    elif mode.startswith((">", "+>")):
        kind = "write"
    else:
        kind = "read" if mode.startswith("<") else "create"
    return perform(run.host, (kind, 0), call) or unknown("open")


def _method(call: Call, name: str) -> Value | None:
    receiver = call.receiver
    if receiver is None:
        return None
    if name in ("catfile", "catdir"):
        return texts(path_values.joined(call.arguments))
    if name == "tmpdir":
        return text("/tmp")  # noqa: S108 - what File::Spec says
    if receiver.kind == "ref":
        return None
    return strings.method(receiver, name, call)


LANGUAGE = Language(
    "Perl",
    quotes={"'": "plain", '"': "full", "`": "shell"},
    comments=("#",),
    blocks=(("=pod", "=cut"), ("=head", "=cut")),
    holes="perl",
    features=frozenset(
        ("regex", "quoting", "heredocs", "sigils", "bare", "implicit", "blocks", "modifiers")
    ),
    joins=(".",),
    functions=("sub",),
    effects=_EFFECTS,
    methods=_METHODS,
    compute=_compute,
    takes_in={
        "do": ("search", ""),
        "require": ("search", ""),
        "use": ("search", ""),
    },
    names={
        "File::Path.remove_tree": "remove_tree",
        "CORE.system": "system",
        "CORE.GLOBAL.system": "system",
        "CORE.exec": "exec",
        "CORE.unlink": "unlink",
    },
)
