"""Calls of Python that reach into the language and its process: imports, code, standard streams."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.inline import path_values
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
    word,
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


def _reads(run: Expressions, call: Call) -> Value:
    """The code is the first argument, and what is set up before it."""
    for code in (call.named.get("setup"), call.at(0, "stmt", "statement", "source", "code")):
        if code is not None:
            run.run_code(code)
    return unknown(call.name)


def _run_path(run: Expressions, call: Call) -> Value:
    """`runpy.run_path`: a file of Python."""
    target = call.at(0, "path_name")
    content = run.host.content(word(target)) if target is not None else None
    if content is not None:
        run.run_code(texts(content.choices))
    return unknown(call.name)


def _run_module(run: Expressions, call: Call) -> Value:
    """`runpy.run_module`: as `python -m`, with the words that the process has."""
    name = call.at(0, "mod_name")
    words = [word(each) for each in run.process_words()]
    if name is not None:
        run.host.run([known("python"), known("-m"), word(name), *words], call.name)
    return unknown(call.name)


def of_the_guard(run: Expressions, name: str, call: Call) -> None:
    """A function of this program itself: its command line, or a module that is named like one."""
    words = [word(each) for each in run.process_words()]
    for argument in (*call.arguments, *call.named.values()):
        if argument.kind == "list":
            words = [word(each) for each in argument.items]
            break
    command = name.rpartition(".")[2]
    if command not in _ENTRIES:
        words = [known(command)]
    run.host.run([known("cc-safety-net"), *words], name)


#: Names of functions that take a command line.
_ENTRIES = frozenset(("main", "run", "app", "cli", "__call__", "invoke", "entry"))


def _library(_run: Expressions, _call: Call) -> Value:
    """The C library: what is of interest of it has the same names in `os`."""
    return ref("os")


def _module_by_name(_run: Expressions, call: Call) -> Value | None:
    known_name = call.arguments[0].text if call.arguments else None
    return ref(MODULES.get(known_name, known_name)) if known_name else None


def _caller(run: Expressions, call: Call) -> Value:
    """`operator.methodcaller(name, …)`."""
    del run
    return Value("partial", node=ref("operator.__call_method"), items=list(call.arguments))


def _call_method(run: Expressions, call: Call) -> Value:
    name = call.arguments[0].text if call.arguments else None
    if name is None or len(call.arguments) < 2:
        return unknown("methodcaller")
    function = run.attribute_of(call.arguments[-1], name)
    return run.apply(function, Call("", call.arguments[1:-1], call.named))


def _getter(run: Expressions, call: Call) -> Value:
    """`operator.attrgetter(name)`."""
    del run
    return Value("partial", node=ref("operator.__get_attribute"), items=list(call.arguments))


def _get_attribute(run: Expressions, call: Call) -> Value:
    name = call.arguments[0].text if call.arguments else None
    if name is None or len(call.arguments) < 2:
        return unknown("attrgetter")
    value = call.arguments[-1]
    for part in name.split(".")[:8]:
        value = run.attribute_of(value, part)
    return value


def _reduce(run: Expressions, call: Call) -> Value:
    if len(call.arguments) < 2:
        return unknown("reduce")
    items = run.items(call.arguments[1])
    values = [*call.arguments[2:3], *items]
    value = values[0] if values else unknown("reduce")
    for each in values[1:64]:
        value = run.apply(call.arguments[0], Call("", [value, each]))
    return value


def _set_variable(run: Expressions, call: Call) -> Value:
    """`os.putenv`."""
    name = call.arguments[0].text if call.arguments else None
    if name and len(call.arguments) > 1:
        run.host.set_variable(name, word(call.arguments[1]))
    return constant(NONE)


def _dotenv(_run: Expressions, call: Call) -> Value:
    """`dotenv_values`: shown, it is the file."""
    place = call.at(0, "dotenv_path") or text(".env")
    return Value("unknown", unknown("dotenv").choices, name="dotenv", node=place)


def _names(run: Expressions, call: Call) -> Value | None:
    """Of the environment only its names; an object of the code is asked for its items."""
    first = call.arguments[0] if call.arguments else None
    if first is not None and first.kind == "object":
        return listed(run.items(first))
    if first is not None and first.name == "dotenv" and isinstance(first.node, Value):
        return unknown("names")
    if first is not None and first.kind == "ref" and first.name in WHOLE_ENVIRONMENT:
        return unknown("names")
    return None


def _pairs(_run: Expressions, _call: Call) -> Value:
    """`os.environ.items()`."""
    return listed([listed([unknown("name"), ref("os.environ")])])


def is_special(name: str) -> bool:
    return name in _SPECIAL or name in _CODE_RUNNERS or name in EXITS


def _import(run: Expressions, call: Call) -> Value:
    name = call.arguments[0].text if call.arguments else None
    if name is None:
        return unknown("import")
    own = run.load(name.lstrip("."), len(name) - len(name.lstrip(".")))
    if own is not None:
        return own
    if call.name == "__import__" and "." in name and "fromlist" not in call.named:
        name = name.partition(".")[0]
    return ref(MODULES.get(name, name))


def _search(run: Expressions, call: Call) -> Value:
    """`sys.path.insert(0, folder)`, `sys.path.append(folder)`: where modules are looked for."""
    for argument in call.arguments[-1:]:
        found = path_values.absolute(argument, run.host)
        run.host.search += Word(found).texts or ()
    return constant(NONE)


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


def _reveal(run: Expressions, value: Value, depth: int = 0) -> None:
    """What is printed may hold the environment."""
    if value.kind == "ref" and value.name in WHOLE_ENVIRONMENT:
        run.host.print_environment("print", ())
        return
    if value.kind in ("list", "map") and depth < 2:
        for each in (*value.items[:16], *value.fields.values()):
            _reveal(run, each, depth + 1)
        return
    if value.name == "dotenv" and isinstance(value.node, Value):
        run.host.touch(word(value.node), "read", "dotenv_values")
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
    given = run.host.stdin()
    return texts(given.choices) if given.text is not None else Value("unknown", given.choices)


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
    "sys.path.append": _search,
    "sys.path.insert": _search,
    "site.addsitedir": _search,
    "getattr": _getattr,
    "vars": _vars,
    "globals": _vars,
    "locals": _vars,
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
    "list": _names,
    "sorted": _names,
    "set": _names,
    "tuple": _names,
    "ctypes.CDLL": _library,
    "ctypes.PyDLL": _library,
    "ctypes.cdll.LoadLibrary": _library,
    "ctypes.pydll.LoadLibrary": _library,
    "ctypes.LibraryLoader": _library,
    "sys.modules.get": _module_by_name,
    "sys.modules.__getitem__": _module_by_name,
    "operator.methodcaller": _caller,
    "operator.__call_method": _call_method,
    "operator.attrgetter": _getter,
    "operator.__get_attribute": _get_attribute,
    "functools.reduce": _reduce,
    "functools.wraps": lambda _run, _call: ref("functools.wraps"),
    "functools.update_wrapper": _same,
    "functools.lru_cache": _same,
    "functools.cache": _same,
    "functools.singledispatch": _same,
    "contextlib.contextmanager": _same,
    "os.putenv": _set_variable,
    "dotenv.dotenv_values": _dotenv,
    "runpy.run_path": _run_path,
    "runpy.run_module": _run_module,
    "timeit.timeit": _reads,
    "timeit.repeat": _reads,
    "timeit.Timer": _reads,
    "cProfile.run": _reads,
    "cProfile.runctx": _reads,
    "profile.run": _reads,
    "pdb.run": _reads,
    "pdb.runeval": _reads,
    "types.FunctionType": _reads,
    "os.environ.copy": lambda _run, _call: ref("os.environ"),
    "os.environ.items": _pairs,
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
