"""Ruby."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import path_values, strings
from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.encodings import decode
from cc_safety_net.guard.interpret.inline.evaluator import Run, read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    choices_of,
    constant,
    listed,
    matching,
    path,
    ref,
    text,
    texts,
    truthiness,
    unknown,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action

#: `FileUtils`, also by its bare names after `include FileUtils`.
_FILE_UTILS: dict[str, Action] = {
    "rm": ("delete", 0),
    "rm_f": ("delete", 0),
    "remove": ("delete", 0),
    "safe_unlink": ("delete", 0),
    "rm_r": ("delete-tree", 0),
    "rm_rf": ("delete-tree", 0),
    "rmtree": ("delete-tree", 0),
    "remove_dir": ("delete-tree", 0),
    "remove_entry": ("delete-tree", 0),
    "remove_entry_secure": ("delete-tree", 0),
    "remove_file": ("delete", 0),
    "rmdir": ("delete", 0),
    "mv": ("move", 0, 1),
    "move": ("move", 0, 1),
    "cp": ("copy", 0, 1),
    "cp_r": ("copy", 0, 1),
    "copy": ("copy", 0, 1),
    "copy_file": ("copy", 0, 1),
    "install": ("copy", 0, 1),
    "ln_s": ("link", 0, 1),
    "ln_sf": ("link", 0, 1),
    "ln": ("link", 0, 1),
    "chmod": ("permissions", 1),
    "chmod_R": ("permissions", 1, "tree"),
    "chown": ("permissions", 2),
    "chown_R": ("permissions", 2, "tree"),
    "touch": ("create", 0),
    "cd": ("chdir", 0),
    "chdir": ("chdir", 0),
}
_EFFECTS: dict[str, Action] = {
    "system": ("words",),
    "sh": ("words",),
    "exec": ("words",),
    "spawn": ("words",),
    "Kernel.system": ("words",),
    "Kernel.exec": ("words",),
    "Kernel.spawn": ("words",),
    "Process.spawn": ("words",),
    "Process.exec": ("words",),
    "PTY.spawn": ("words",),
    "Open3.capture2": ("words",),
    "Open3.capture2e": ("words",),
    "Open3.capture3": ("words",),
    "Open3.popen2": ("words",),
    "Open3.popen2e": ("words",),
    "Open3.popen3": ("words",),
    "Open3.pipeline": ("words",),
    "File.delete": ("delete-all",),
    "File.unlink": ("delete-all",),
    "File.truncate": ("truncate", 0, 1),
    "File.write": ("write", 0, 1),
    "IO.write": ("write", 0, 1),
    "File.binwrite": ("write", 0, 1),
    "File.rename": ("move", 0, 1),
    "File.symlink": ("link", 0, 1),
    "File.link": ("link", 0, 1),
    "File.chmod": ("permissions-of", 1),
    "File.chown": ("permissions-of", 2),
    "File.lchown": ("permissions-of", 2),
    "File.read": ("read", 0),
    "File.binread": ("read", 0),
    "File.readlines": ("read", 0),
    "File.foreach": ("read", 0),
    "IO.read": ("read", 0),
    "IO.readlines": ("read", 0),
    "Dir.rmdir": ("delete", 0),
    "Dir.delete": ("delete", 0),
    "Dir.unlink": ("delete", 0),
    "Dir.chdir": ("chdir", 0),
    "Process.kill": ("kill", 1),
}
_METHODS: dict[str, Action] = {
    "rmtree": ("delete-tree", "self"),
    "unlink": ("delete", "self"),
    "delete": ("delete", "self"),
    "rmdir": ("delete", "self"),
    "write": ("write", "self", 0),
    "binwrite": ("write", "self", 0),
    "rename": ("move", "self", 0),
    "read": ("read", "self"),
    "readlines": ("read", "self"),
    "truncate": ("truncate", "self", 0),
    "chmod": ("permissions", "self"),
}
_SENDING = frozenset(("send", "public_send", "__send__", "method", "public_method"))
_EVALUATING = frozenset(("eval", "instance_eval", "class_eval", "module_eval", "Kernel.eval"))


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    read_tokens(code, host, LANGUAGE, _preload)


def _preload(run: Run) -> None:
    from cc_safety_net.guard.interpret.inline.included import preloaded

    preloaded(run, "-r", "require", "RUBYOPT", "")


def _compute(name: str, call: Call, run: Run) -> Value | None:
    first = call.arguments[0] if call.arguments else None
    if name[:1] == "=":
        return _constant(name[1:], run)
    if name[:1] == ".":
        return _method(call, name[1:], run)
    if name in ("ENV[]", "ENV.fetch"):
        return run.variable(first, call.arguments[1] if len(call.arguments) > 1 else None)
    if name == "Dir[]":
        return matching(first) if first is not None else None
    head, _, last = name.rpartition(".")
    if head in ("FileUtils", "FileUtils.Verbose", "Rake.FileUtilsExt", "") and last in _FILE_UTILS:
        call.name = f"FileUtils.{last}"
        return perform(run.host, _FILE_UTILS[last], call) or _with_block(call, run)
    return _function(name, call, run)


def _with_block(call: Call, run: Run) -> Value:
    run.hand_on(call)
    return constant("None")


def _constant(name: str, run: Run) -> Value | None:
    host = run.host
    if name == "Dir.home":
        found = host.variable("HOME")
        return texts(found.choices) if found is not None else text(host.home)
    if name in ("Dir.pwd", "Dir.getwd"):
        return texts(path_values.here(host))
    if name == "Dir.tmpdir":
        return text(host.temp)
    if name == "Dir.mktmpdir":
        return None
    if name == "ARGV":
        given = [texts(each.choices) for each in host.argv()]
        return listed(given) if given or host.script else unknown("ARGV", "argument")
    if name in ("__dir__", "File.dirname(__FILE__)"):
        return texts(path_values.parent_of(text(host.script))) if host.script else None
    if name in ("__FILE__", "$0", "$PROGRAM_NAME"):
        return text(host.script) if host.script else text("-e")
    if name in ("ENV.to_h", "ENV.to_hash", "ENV.inspect", "ENV.to_a", "ENV.sort", "ENV.each"):
        return ref("ENV")
    return None


def _function(name: str, call: Call, run: Run) -> Value | None:
    """The result of a function whose name says what it is."""
    if name == "Dir.mktmpdir":
        made = unknown("mktemp").choices[0]
        value = texts(((f"{run.host.temp}/", *made),))
        return _given_to_blocks(name, call, run, [value], value)
    if name in _RAKE and _is_rakefile(run.host.script):
        return _RAKE[name](name, call, run)
    if not call.arguments:
        return None
    first = call.arguments[0]
    if name in _EVALUATING:
        return run.code(first, name) if first.kind != "function" else None
    if name in _SENDING:
        return _sent(ref("Kernel"), name, call, run)
    function = _FUNCTIONS.get(name)
    return function(name, call, run) if function is not None else None


def _is_rakefile(script: str) -> bool:
    return script.rpartition("/")[2].lower().startswith("rakefile") or script.endswith(".rake")


def _task(name: str, call: Call, run: Run) -> Value:
    """`task name: [:needed] do … end`: runs when it is asked for."""
    first = call.arguments[0] if call.arguments else None
    titles = [first.text] if first is not None and first.kind != "function" else []
    needs: list[str] = []
    for key, value in call.named.items():
        if not titles:
            titles = [key]
        given = value.items if value.kind == "list" else [value]
        needs += [each.text for each in given if each.text is not None]
    for title in titles:
        full = f"{run.namespace}{title or ''}"
        blocks, needed = run.tasks.setdefault(full, ([], []))
        blocks += [each for each in call.arguments if each.kind == "function"]
        needed += needs
    return unknown(name)


def _namespace(name: str, call: Call, run: Run) -> Value:
    outer = run.namespace
    title = call.arguments[0].text if call.arguments else ""
    run.namespace = f"{outer}{title or ''}:"
    _given_to_blocks(name, call, run, [], unknown(name))
    run.namespace = outer
    return unknown(name)


def _run_task(name: str, call: Call, run: Run) -> Value:
    """The task that was asked for, after those that it needs."""
    todo = [call.arguments[0].text or "" if call.arguments else ""]
    seen: list[str] = []
    while todo and len(seen) < _TASKS:
        title = todo.pop()
        if title in seen:
            continue
        seen.append(title)
        blocks, needs = run.tasks.get(title, ([], []))
        for block in blocks:
            run.call_function(block, Call(name, []))
        scope = title.rpartition(":")[0]
        todo += [each if each in run.tasks else f"{scope}:{each}" for each in needs]
    return unknown(name)


_TASKS = 64


def _given_to_blocks(
    name: str, call: Call, run: Run, arguments: Sequence[Value], found: Value
) -> Value:
    for argument in call.arguments:
        if argument.kind == "function":
            run.call_function(argument, Call(name, arguments))
    return found


def _join(_name: str, call: Call, _run: Run) -> Value:
    return texts(strings.joined(listed(call.arguments), (("/",),)).choices)


def _expanded(_name: str, call: Call, run: Run) -> Value:
    joined = texts(path_values.joined([*call.arguments[1:2], call.arguments[0]]))
    expanded = path_values.expanded(choices_of(joined), run.host)
    return texts(path_values.absolute(texts(expanded), run.host))


def _parent(_name: str, call: Call, _run: Run) -> Value:
    return texts(path_values.parent_of(call.arguments[0]))


def _basename(_name: str, call: Call, _run: Run) -> Value:
    return texts(path_values.name_of(call.arguments[0]))


def _home(_name: str, call: Call, run: Run) -> Value:
    name = call.arguments[0].text or ""
    return texts(path_values.expanded(((f"~{name}",),), run.host))


def _glob(name: str, call: Call, run: Run) -> Value:
    found = matching(call.arguments[0])
    return _given_to_blocks(name, call, run, found.items, found)


def _entries(name: str, call: Call, run: Run) -> Value:
    from cc_safety_net.guard.interpret.facts import Glob

    found = listed([Value("text", ((Glob("*"),),))])
    return _given_to_blocks(name, call, run, found.items, found)


def _pathname(_name: str, call: Call, _run: Run) -> Value:
    return path(choices_of(call.arguments[0]))


def _first(_name: str, call: Call, _run: Run) -> Value:
    return call.arguments[0]


def _words(_name: str, call: Call, _run: Run) -> Value | None:
    return strings.method(call.arguments[0], "split", Call("split", []))


def _base64(name: str, call: Call, _run: Run) -> Value:
    known = call.arguments[0].text
    return decode(known, "base64") if known is not None else unknown(name)


def _open(name: str, call: Call, run: Run) -> Value:
    """`open(path, mode)`; `open("|command")` starts a program."""
    first = call.arguments[0]
    known = first.text or ""
    if name in ("open", "Kernel.open") and known.startswith("|"):
        run.host.shell(word(text(known[1:])), name)
        return unknown(name)
    given = call.arguments[1].text if len(call.arguments) > 1 else "r"
    mode = given if given is not None else "?"
    if "w" in mode:
        found = perform(run.host, ("write", 0), call)
    elif "a" in mode or "+" in mode or "?" in mode:
        found = perform(run.host, ("create", 0), call)
    else:
        found = perform(run.host, ("read", 0), call)
    run.hand_on(call)
    return found or unknown(name)


def _piped(name: str, call: Call, run: Run) -> Value:
    """`IO.popen(command, mode)`: the block is given the program."""
    blocks = [each for each in call.arguments if each.kind == "function"]
    words = [each for each in call.arguments if each.kind in ("map", "list")]
    if not words or words[-1].kind == "map":
        words += [each for each in call.arguments if each.kind not in ("map", "function")][:1]
    made = perform(run.host, ("words",), Call(name, words, call.named)) or unknown(name)
    for block in blocks:
        run.call_function(block, Call(name, [made]))
    return made


def _formatted(_name: str, call: Call, _run: Run) -> Value:
    from cc_safety_net.guard.interpret.inline.python_methods import percent

    return percent(call.arguments[0], listed(call.arguments[1:]))


def _named_constant(_name: str, call: Call, _run: Run) -> Value:
    """`Object.const_get("FileUtils")`."""
    known = call.arguments[0].text
    return ref(known.replace("::", ".")) if known else unknown("const_get")


def _sent(receiver: Value, name: str, call: Call, run: Run) -> Value | None:
    """`send(:system, …)`, `method(:system)`."""
    wanted = call.arguments[0].text if call.arguments else None
    if wanted is None:
        return None
    if receiver.kind == "ref" and receiver.name not in ("Kernel", "self", "Object"):
        function = run.attribute(receiver, wanted)
    elif receiver.kind in ("ref", "unknown"):
        function = ref(wanted)
    else:
        function = Value("method", name=wanted, node=receiver)
    if name in ("method", "public_method"):
        return function
    return run.apply(function, Call(wanted, call.arguments[1:], call.named))


#: Methods that add to a list.
_PUTTING = frozenset(("<<", "append", "prepend", "push", "unshift", "insert"))


def _method(call: Call, name: str, run: Run) -> Value | None:
    receiver = call.receiver
    if receiver is None:
        return None
    if receiver.kind == "ref" and receiver.name == "ENV" and name in ("fetch", "values_at", "dig"):
        return run.variable(call.at(0), call.at(1))
    if name in _SENDING:
        return _sent(receiver, name, call, run)
    if receiver.kind == "ref" and receiver.name in ("$LOAD_PATH", "$:", "$"):
        for each in call.arguments if name in _PUTTING else ():
            run.host.search += word(each).texts or ()
        return receiver
    if receiver.kind == "ref":
        if name in ("call", "()", "yield"):
            return run.apply(receiver, Call("", call.arguments, call.named))
        return receiver if name in ("to_proc", "unbind", "bind") else None
    if receiver.kind == "path":
        return _of_path(receiver, name, call, run)
    if receiver.kind == "function" and name in ("call", "()", "yield"):
        return run.call_function(receiver, call)
    if name == "each_line":
        return None
    return strings.method(receiver, name, call)


def _of_path(receiver: Value, name: str, call: Call, run: Run) -> Value | None:
    action = _METHODS.get(name)
    if action is not None:
        call.name = f"Pathname#{name}"
        return perform(run.host, action, call) or constant("None")
    if name in ("join", "+", "/"):
        return path(path_values.joined([receiver, *call.arguments]))
    if name in ("parent", "dirname"):
        return path(path_values.parent_of(receiver))
    if name in ("expand_path", "realpath", "cleanpath"):
        expanded = path_values.expanded(receiver.choices, run.host)
        return path(path_values.absolute(texts(expanded), run.host))
    if name in ("children", "each_child", "entries"):
        from cc_safety_net.guard.interpret.facts import Glob

        inside = path(path_values.joined([receiver, Value("text", ((Glob("*"),),))]))
        return listed([inside]) if not call.arguments else _each(inside, call, run)
    if name == "glob" and call.arguments:
        return matching(texts(path_values.joined([receiver, call.arguments[0]])))
    if name in ("to_s", "to_path", "to_str"):
        return texts(receiver.choices)
    return None


def _each(item: Value, call: Call, run: Run) -> Value:
    for argument in call.arguments:
        if argument.kind == "function" and truthiness(argument) is not False:
            run.call_function(argument, Call("each", [item]))
    return listed([item])


LANGUAGE = Language(
    "Ruby",
    quotes={"'": "plain", '"': "full", "`": "shell"},
    comments=("#",),
    blocks=(("=begin", "=end"),),
    holes="ruby",
    features=frozenset(
        (
            "regex",
            "percent",
            "heredocs",
            "sigils",
            "lines",
            "bare",
            "implicit",
            "ends",
            "blocks",
            "symbols",
            "bangs",
            "adjacent",
            "lists",
            "modifiers",
        )
    ),
    functions=("def",),
    effects=_EFFECTS,
    compute=_compute,
    takes_in={
        "require_relative": ("beside", ".rb", ""),
        "require": ("search", ".rb", ""),
        "load": ("here search", ""),
        "Kernel.load": ("here search", ""),
        "Kernel.require": ("search", ".rb", ""),
    },
    names={"self.system": "system", "Kernel.`": "system", "`": "`"},
)


_RAKE: dict[str, Callable[[str, Call, Run], Value | None]] = {
    "task": _task,
    "multitask": _task,
    "file": _task,
    "directory": _task,
    "namespace": _namespace,
    "__rake_run__": _run_task,
}
_FUNCTIONS: dict[str, Callable[[str, Call, Run], Value | None]] = {
    "File.join": _join,
    "File.expand_path": _expanded,
    "File.absolute_path": _expanded,
    "File.realpath": _expanded,
    "File.dirname": _parent,
    "File.basename": _basename,
    "Dir.home": _home,
    "Dir.glob": _glob,
    "Pathname.glob": _glob,
    "Dir.children": _entries,
    "Dir.entries": _entries,
    "Dir.each_child": _entries,
    "Dir.foreach": _entries,
    "Pathname": _pathname,
    "Pathname.new": _pathname,
    "Pathname.": _pathname,
    "IO.popen": _piped,
    "format": _formatted,
    "sprintf": _formatted,
    "Kernel.format": _formatted,
    "Object.const_get": _named_constant,
    "Kernel.const_get": _named_constant,
    "const_get": _named_constant,
    "String": _first,
    "Array": _first,
    "Shellwords.escape": _first,
    "Shellwords.join": _first,
    "URI": _first,
    "Shellwords.split": _words,
    "shellsplit": _words,
    "open": _open,
    "File.open": _open,
    "File.new": _open,
    "Kernel.open": _open,
    "IO.sysopen": _open,
    "URI.open": _open,
    "Base64.decode64": _base64,
    "Base64.strict_decode64": _base64,
    "Base64.urlsafe_decode64": _base64,
}
