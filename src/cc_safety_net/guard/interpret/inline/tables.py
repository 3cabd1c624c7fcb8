"""Languages that are read by a table of call names and nothing more."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import path_values, strings
from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.encodings import decode
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    choices_of,
    constant,
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
    from collections.abc import Callable, Mapping

    from cc_safety_net.guard.interpret.inline.evaluator import Run


def computing(
    known: Mapping[str, str],
    special: Mapping[str, Callable[[Call, Run], Value | None]] | None = None,
) -> Callable[[str, Call, Run], Value | None]:
    """The results of calls: `known` says by which of the kinds below a name is computed."""
    own = special or {}

    def compute(name: str, call: Call, run: Run) -> Value | None:
        function = own.get(name)
        if function is not None:
            return function(call, run)
        kind = known.get(name)
        if kind is not None:
            return _KINDS[kind](call, run)
        if name[:1] == "." and call.receiver is not None and call.receiver.kind != "ref":
            return strings.method(call.receiver, name[1:], call)
        return None

    return compute


def _first(call: Call) -> Value:
    return call.arguments[0] if call.arguments else constant("None")


def _home(_call: Call, run: Run) -> Value:
    found = run.host.variable("HOME")
    return texts(found.choices) if found is not None else text(run.host.home)


def _temp(_call: Call, run: Run) -> Value:
    return text(run.host.temp)


def _here(_call: Call, run: Run) -> Value:
    return texts(path_values.here(run.host))


def _beside(_call: Call, run: Run) -> Value:
    """The folder of the file that holds the code."""
    if not run.host.script:
        return texts(path_values.here(run.host))
    return texts(path_values.parent_of(text(run.host.script)))


def _file(_call: Call, run: Run) -> Value:
    return text(run.host.script) if run.host.script else unknown("file", "argument")


def _env(call: Call, run: Run) -> Value:
    return run.variable(_first(call), call.arguments[1] if len(call.arguments) > 1 else None)


def _arguments(_call: Call, run: Run) -> Value:
    given = [texts(each.choices) for each in run.host.argv()]
    return listed(given) if given or run.host.script else unknown("arguments", "argument")


def _join(call: Call, _run: Run) -> Value:
    flat = [i for a in call.arguments for i in (a.items if a.kind == "list" else (a,))]
    return texts(strings.joined(listed(flat), (("/",),)).choices)


def _concat(call: Call, _run: Run) -> Value:
    return strings.joined(listed(call.arguments), ((),))


def _blanks(call: Call, _run: Run) -> Value:
    separator = call.named.get("sep")
    return strings.joined(
        listed(call.arguments), choices_of(separator) if separator is not None else ((" ",),)
    )


def _implode(call: Call, _run: Run) -> Value:
    """`implode(separator, list)`."""
    if len(call.arguments) < 2:
        return unknown("join")
    separator, value = call.arguments[0], call.arguments[1]
    if separator.kind == "list":
        separator, value = value, separator
    return strings.joined(value, choices_of(separator))


def _explode(call: Call, _run: Run) -> Value | None:
    if len(call.arguments) < 2:
        return None
    return strings.method(call.arguments[1], "split", Call("split", call.arguments[:1]))


def _expand(call: Call, run: Run) -> Value:
    expanded = path_values.expanded(choices_of(_first(call)), run.host)
    return texts(path_values.absolute(texts(expanded), run.host))


def _tilde(call: Call, run: Run) -> Value:
    return texts(path_values.expanded(choices_of(_first(call)), run.host))


def _same(call: Call, _run: Run) -> Value:
    return _first(call)


def _last(call: Call, _run: Run) -> Value:
    return call.arguments[-1] if call.arguments else constant("None")


def _all(call: Call, _run: Run) -> Value:
    return listed(call.arguments)


def _dirname(call: Call, _run: Run) -> Value:
    return texts(path_values.parent_of(_first(call)))


def _basename(call: Call, _run: Run) -> Value:
    return texts(path_values.name_of(_first(call)))


def _glob(call: Call, _run: Run) -> Value:
    return matching(_first(call))


def _entries(call: Call, _run: Run) -> Value:
    from cc_safety_net.guard.interpret.facts import Glob

    names = Value("text", ((Glob("*"),),))
    if call.is_on("full.names"):
        return listed([texts(path_values.joined((_first(call), names)))])
    return listed([names])


def _base64(call: Call, _run: Run) -> Value:
    known = _first(call).text
    return decode(known, "base64") if known is not None else unknown("base64")


def _hexadecimal(call: Call, _run: Run) -> Value:
    known = _first(call).text
    return decode(known, "hex") if known is not None else unknown("hex")


def _rot13(call: Call, _run: Run) -> Value:
    known = _first(call).text
    return decode(known, "rot13") if known is not None else unknown("rot13")


def _code(call: Call, run: Run) -> Value:
    return run.code(_first(call), call.name)


def _code_if_text(call: Call, run: Run) -> Value:
    """A text is code, any other value only a value (PHP's `assert`)."""
    first = _first(call)
    return run.code(first, call.name) if first.kind == "text" else unknown(call.name)


def _format(call: Call, _run: Run) -> Value:
    known = _first(call).text
    if known is None:
        return _first(call)
    from cc_safety_net.guard.interpret.inline.values import added

    parts = known.replace("%v", "%s").replace("%q", "%s").split("%s")
    value: Value = text(parts[0])
    for index, part in enumerate(parts[1:], 1):
        given = call.arguments[index] if index < len(call.arguments) else unknown("%s")
        value = added(added(value, given), text(part))
    return value


def _apply(call: Call, run: Run) -> Value:
    """A function by its value or name, with the arguments behind it."""
    from cc_safety_net.guard.interpret.inline.values import ref

    function = _first(call)
    if function.kind == "text" and function.text is not None:
        function = ref(function.text)
    rest = call.arguments[1:]
    if call.name.endswith("_array") and rest and rest[0].kind == "list":
        rest = rest[0].items
    return run.apply(function, Call("", rest))


def _map(call: Call, run: Run) -> Value:
    """A function over a list, in either order."""
    from cc_safety_net.guard.interpret.inline.values import one_of, ref

    for function in call.arguments:
        if function.kind in ("function", "ref", "text"):
            items = [i for a in call.arguments if a is not function for i in run.items(a)]
            if function.kind == "text":
                function = ref(function.text or "")  # noqa: PLW2901 - PHP's name of a function
            item = one_of(items) if items else unknown("item", "argument")
            return listed([run.apply(function, Call("", [item]))])
    return unknown("map")


def _path(call: Call, _run: Run) -> Value:
    return path(path_values.joined(call.arguments))


def _open(call: Call, run: Run) -> Value:
    """A file by its mode."""
    given = call.arguments[1].text if len(call.arguments) > 1 else "r"
    mode = given if given is not None else "?"
    if mode[:1] == "w":
        action = ("write", 0)
    else:
        action = ("create", 0) if mode[:1] in ("a", "x", "c", "?") or "+" in mode else ("read", 0)
    found = perform(run.host, action, call)
    run.hand_on(call)
    return found or unknown(call.name)


def _show(call: Call, run: Run) -> Value:
    for argument in call.arguments:
        run.reveal(argument)
    return constant("None")


def _environment(_call: Call, run: Run) -> Value:
    run.host.print_environment("print", ())
    return unknown("environment")


def _pipe(call: Call, run: Run) -> Value:
    run.host.shell(word(_first(call)), call.name)
    return unknown(call.name)


_KINDS: dict[str, Callable[[Call, Run], Value | None]] = {
    "all": _all,
    "apply": _apply,
    "arguments": _arguments,
    "base64": _base64,
    "basename": _basename,
    "beside": _beside,
    "blanks": _blanks,
    "code": _code,
    "code-if-text": _code_if_text,
    "concat": _concat,
    "dirname": _dirname,
    "entries": _entries,
    "env": _env,
    "environment": _environment,
    "expand": _expand,
    "explode": _explode,
    "file": _file,
    "format": _format,
    "glob": _glob,
    "here": _here,
    "hex": _hexadecimal,
    "home": _home,
    "implode": _implode,
    "join": _join,
    "last": _last,
    "map": _map,
    "open": _open,
    "path": _path,
    "pipe": _pipe,
    "rot13": _rot13,
    "same": _same,
    "show": _show,
    "temp": _temp,
    "tilde": _tilde,
}
