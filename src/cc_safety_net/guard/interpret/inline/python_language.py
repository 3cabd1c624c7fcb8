"""Calls of Python that reach into the language and its process: imports, code, standard streams."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.python_files import opened, wrote
from cc_safety_net.guard.interpret.inline.python_names import WHOLE_ENVIRONMENT, environment_method
from cc_safety_net.guard.interpret.inline.python_table import EXITS, MODULES
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Value,
    choices_of,
    constant,
    listed,
    ref,
    text,
    texts,
    unknown,
)
from cc_safety_net.guard.interpret.values import concat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cc_safety_net.guard.interpret.inline.python_expressions import Expressions
    from cc_safety_net.guard.interpret.values import Choices

_CODE_RUNNERS = frozenset(("exec", "eval", "execfile"))


def special(run: Expressions, name: str, call: Call) -> Value | None:
    """Calls that reach into the language itself."""
    function = _SPECIAL.get(name)
    if function is not None:
        return function(run, call)
    if name in EXITS:
        return constant(NONE)
    if name in _CODE_RUNNERS:
        code = call.at(0)
        if code is not None and name == "execfile":
            code = perform(run.host, ("read", 0), call)
        return run.run_code(code) if code is not None else constant(NONE)
    return None


def _import(_run: Expressions, call: Call) -> Value:
    known = call.arguments[0].text if call.arguments else None
    if known is None:
        return unknown("import")
    if call.name == "__import__" and "." in known and "fromlist" not in call.named:
        known = known.partition(".")[0]
    return ref(MODULES.get(known, known))


def _getattr(run: Expressions, call: Call) -> Value:
    if len(call.arguments) < 2:
        return unknown("getattr")
    name = call.arguments[1].text
    return run.attribute_of(call.arguments[0], name) if name is not None else unknown("getattr")


def _vars(_run: Expressions, call: Call) -> Value:
    return call.arguments[0] if call.arguments else ref("globals")


def _compile(_run: Expressions, call: Call) -> Value:
    return call.arguments[0] if call.arguments else unknown("compile")


def _partial(_run: Expressions, call: Call) -> Value:
    if not call.arguments:
        return unknown("partial")
    function, rest = call.arguments[0], call.arguments[1:]
    return Value("partial", node=function, items=list(rest), fields=dict(call.named))


def _map(run: Expressions, call: Call) -> Value:
    if len(call.arguments) < 2:
        return unknown("map")
    function = call.arguments[0]
    columns = [run.items(argument) for argument in call.arguments[1:]]
    rows = zip(*columns, strict=False)
    return listed([run.apply(function, Call("", list(row))) for row in rows])


def _filter(run: Expressions, call: Call) -> Value:
    if len(call.arguments) < 2:
        return unknown("filter")
    items = run.items(call.arguments[1])
    if call.arguments[0].kind != "constant":
        for item in items:
            run.apply(call.arguments[0], Call("", [item]))
    return listed([unknown("filter", "find") for _ in items] or [])


def _print(run: Expressions, call: Call) -> Value:
    target = call.named.get("file")
    if target is not None and target.kind == "file":
        whole: Choices = ((),)
        for argument in call.arguments:
            whole = concat(whole, choices_of(argument))
        end = call.named.get("end")
        whole = concat(whole, choices_of(end) if end is not None else (("\n",),))
        wrote(target, texts(whole), run.host)
        return constant(NONE)
    for argument in call.arguments:
        _reveal(run, argument)
    return constant(NONE)


def _reveal(run: Expressions, value: Value) -> None:
    """What is printed may hold the environment."""
    if value.kind == "ref" and value.name in WHOLE_ENVIRONMENT:
        run.host.print_environment("print", ())
        return
    for choice in choices_of(value) if value.kind in ("text", "unknown", "either") else ():
        for piece in choice:
            if getattr(piece, "why", "") == "environment" and getattr(piece, "name", ""):
                run.host.print_environment("print", (piece.name,))  # type: ignore[union-attr]  # an Unknown


def _environment(_run: Expressions, call: Call) -> Value | None:
    first = call.arguments[0] if call.arguments else None
    if first is not None and first.kind == "ref" and first.name in WHOLE_ENVIRONMENT:
        return first
    return None


def _stdin(run: Expressions, _call: Call) -> Value:
    given = run.host.execution.stdin
    if given is not None and given.text != run.host.source:
        return texts(given.choices)
    origin = run.host.execution.feeds
    from cc_safety_net.guard.interpret.facts import Unknown

    return Value("unknown", ((Unknown("input", "stdin", may_be_empty=False, origin=origin),),))


def _os_open(run: Expressions, call: Call) -> Value:
    flags = call.at(1, "flags")
    names = flags.name if flags is not None and flags.kind == "ref" else ""
    mode = "r"
    if "O_TRUNC" in names:
        mode = "w"
    elif "O_WRONLY" in names or "O_RDWR" in names or "O_CREAT" in names:
        mode = "a"
    return opened("os.open", Call("os.open", [*call.arguments[:1], text(mode)]), run.host)


def _os_write(run: Expressions, call: Call) -> Value:
    if call.arguments and call.arguments[0].kind == "file":
        wrote(call.arguments[0], call.at(1), run.host)
    return unknown("os.write")


def _same(_run: Expressions, call: Call) -> Value:
    return call.arguments[0] if call.arguments else constant(NONE)


def _nothing(_run: Expressions, _call: Call) -> Value:
    return constant(NONE)


_SPECIAL: dict[str, Callable[[Expressions, Call], Value | None]] = {
    "__import__": _import,
    "importlib.import_module": _import,
    "importlib.__import__": _import,
    "getattr": _getattr,
    "vars": _vars,
    "compile": _compile,
    "functools.partial": _partial,
    "map": _map,
    "filter": _filter,
    "print": _print,
    "sys.stdout.write": _print,
    "sys.stderr.write": _print,
    "pprint.pprint": _print,
    "pprint": _print,
    "dict": _environment,
    "str": _environment,
    "repr": _environment,
    "json.dumps": _environment,
    "list": _environment,
    "sorted": _environment,
    "os.environ.copy": lambda _run, _call: ref("os.environ"),
    "os.environ.items": lambda _run, _call: ref("os.environ"),
    "os.environ.get": lambda run, call: environment_method("get", call, run.host),
    "os.environ.pop": lambda run, call: environment_method("get", call, run.host),
    "os.environ.setdefault": lambda run, call: environment_method("get", call, run.host),
    "os.environ.update": lambda run, call: environment_method("update", call, run.host),
    "os.environ.keys": lambda _run, _call: unknown("names"),
    "os.environ.values": lambda _run, _call: ref("os.environ"),
    "input": _stdin,
    "raw_input": _stdin,
    "sys.stdin.read": _stdin,
    "sys.stdin.readline": _stdin,
    "sys.stdin.buffer.read": _stdin,
    "sys.stdin.readlines": _stdin,
    "os.open": _os_open,
    "os.write": _os_write,
    "os.fdopen": _same,
    "os.close": _nothing,
    "asyncio.run": _same,
    "asyncio.gather": _same,
    "asyncio.create_task": _same,
    "contextlib.closing": _same,
}
