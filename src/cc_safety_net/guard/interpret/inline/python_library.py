"""Calls of Python that have no effect, computed where their arguments are known.

Longer than a module should be: a long row of small functions and the one table that names them.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown
from cc_safety_net.guard.interpret.inline.encodings import decode
from cc_safety_net.guard.interpret.inline.path_values import (
    absolute,
    expanded,
    here,
    joined,
    name_of,
    parent_of,
    with_variables,
)
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Value,
    choices_of,
    constant,
    listed,
    matching,
    number,
    one_of,
    path,
    text,
    texts,
    truth,
    unknown,
)
from cc_safety_net.guard.interpret.values import concat, unite
from cc_safety_net.guard.paths import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Call
    from cc_safety_net.guard.interpret.values import Choices

#: Longer results of computations are not followed.
_LONGEST = 131_072
_MANY = 4_096
_FOUND = Unknown("find", may_be_empty=False)


def compute(name: str, call: Call, host: CodeHost) -> Value | None:
    """The result of a function of a module; None if none is known by this name."""
    function = _FUNCTIONS.get(name)
    return function(call, host) if function is not None else None


def compute_knows(name: str) -> bool:
    return name in _FUNCTIONS


def method(receiver: Value, name: str, call: Call, host: CodeHost) -> Value | None:
    """The result of a method of a text, list or map."""
    if receiver.kind == "list":
        return _of_list(receiver, name, call)
    if receiver.kind == "map":
        return _of_map(receiver, name, call)
    if name in _TEXT_METHODS:
        return _of_text(receiver, name, call, host)
    return None


# --- paths ---------------------------------------------------------------------------------------


def path_attribute(value: Value, name: str, host: CodeHost) -> Value | None:
    """An attribute of a path object."""
    if name == "parent":
        return path(parent_of(value))
    if name == "parents":
        found = []
        last = value
        for _ in range(8):
            last = path(parent_of(last))
            found.append(last)
        return listed(found)
    if name in ("name", "stem"):
        known = value.text
        if known is None or name == "name":
            return texts(name_of(value))
        base = known.rstrip("/").rpartition("/")[2]
        return text(base.rpartition(".")[0] or base)
    if name == "suffix":
        known = value.text
        base = (known or "").rpartition("/")[2]
        return text("." + base.rpartition(".")[2] if "." in base else "")
    if name == "anchor":
        return text("/")
    del host
    return None


def path_method(value: Value, name: str, call: Call, host: CodeHost) -> Value | None:
    """A method of a path object that only computes another."""
    if name in ("joinpath", "join"):
        return path(joined((value, *call.arguments)))
    if name in ("resolve", "absolute"):
        return path(absolute(value, host))
    if name == "expanduser":
        return path(expanded(value.choices, host))
    if name in ("glob", "rglob"):
        pattern = call.at(0, "pattern")
        if pattern is None:
            return unknown(name)
        inside = (text("**"),) if name == "rglob" else ()
        found = matching(texts(joined((value, *inside, pattern))))
        return listed([path(item.choices) for item in found.items])
    if name in ("iterdir", "listdir"):
        return listed([path(joined((value, Value("text", ((Glob("*"),),)))))])
    if name in ("with_name", "with_stem"):
        return path(joined((path(parent_of(value)), *call.arguments[:1])))
    if name == "with_suffix":
        known = value.text
        new = call.arguments[0].text if call.arguments else None
        if known is not None and new is not None:
            head, slash, base = known.rpartition("/")
            return path(((head + slash + (base.rpartition(".")[0] or base) + new,),))
        return unknown(name)
    if name in ("as_posix", "__str__", "as_uri", "__fspath__"):
        return texts(value.choices)
    if name == "walk":
        return listed([_walked(value)])
    if name in ("exists", "is_dir", "is_file", "is_symlink", "match", "is_relative_to", "samefile"):
        return unknown(name)
    if name in ("relative_to", "readlink"):
        return unknown(name)
    if name == "mkdir":
        return constant(NONE)
    return None


def _walked(top: Value) -> Value:
    """What `os.walk` yields: a directory, names of directories, names of files."""
    start = unite([*choices_of(top), *joined((top, Value("text", ((_FOUND,),))))])
    names = listed([Value("text", ((_FOUND,),))])
    return listed([texts(start), names, names])


# --- functions -----------------------------------------------------------------------------------


def _first(call: Call) -> Value:
    return call.arguments[0] if call.arguments else unknown()


def _join(call: Call, _host: CodeHost) -> Value:
    return texts(joined(call.arguments))


def _text(call: Call, _host: CodeHost) -> Value:
    if not call.arguments:
        return text("")
    first = call.arguments[0]
    if first.kind == "constant":
        return text(first.name)
    if first.kind == "list":
        codes = [item.number if item.kind == "number" else None for item in first.items]
        if codes and all(code is not None and 0 <= code < 0x110000 for code in codes):
            return text("".join(chr(int(code or 0)) for code in codes))
        return unknown("str")
    return texts(choices_of(first))


def _chr(call: Call, _host: CodeHost) -> Value:
    first = _first(call)
    if first.kind == "number" and 0 <= first.number < 0x110000:
        return text(chr(int(first.number)))
    return unknown("chr")


def _ord(call: Call, _host: CodeHost) -> Value:
    known = _first(call).text
    return number(ord(known)) if known is not None and len(known) == 1 else unknown("ord")


def _int(call: Call, _host: CodeHost) -> Value:
    first = _first(call)
    base = call.arguments[1].number if len(call.arguments) > 1 else 10
    known = first.text
    if first.kind == "number":
        return number(int(first.number))
    try:
        return number(int(known, int(base))) if known is not None and len(known) < 40 else unknown()
    except ValueError:
        return unknown("int")


def _len(call: Call, _host: CodeHost) -> Value:
    first = _first(call)
    if first.kind == "list":
        return unknown("len")
    known = first.text
    return number(len(known)) if known is not None else unknown("len")


def _same(call: Call, _host: CodeHost) -> Value:
    first = _first(call)
    return listed(items_of(first)) if first.kind in ("list", "text", "map") else first


def _reversed(call: Call, _host: CodeHost) -> Value:
    return listed(reversed(items_of(_first(call))))


def _sorted(call: Call, _host: CodeHost) -> Value:
    return listed(items_of(_first(call)))


def items_of(value: Value) -> list[Value]:
    """What a loop over the value sees."""
    if value.kind == "list":
        return value.items
    if value.kind == "map":
        return [text(name) for name in value.fields]
    if value.kind == "text":
        known = value.text
        if known is not None and len(known) <= _MANY:
            return [text(sign) for sign in known]
    if value.kind == "either":
        return [item for each in value.items for item in items_of(each)]
    return [unknown(value.name, "argument")]


def _range(call: Call, _host: CodeHost) -> Value:
    numbers = [int(a.number) if a.kind == "number" else None for a in call.arguments]
    known = [n for n in numbers if n is not None]
    if len(known) < len(numbers) or not 1 <= len(known) <= 3 or (len(known) == 3 and not known[2]):
        return listed([unknown("range")])
    found = range(*known)
    if len(found) > 64:
        return listed([unknown("range")])
    return listed([number(value) for value in found])


def _enumerate(call: Call, _host: CodeHost) -> Value:
    return listed(
        [listed([number(i), item]) for i, item in enumerate(items_of(_first(call)))][:_MANY]
    )


def _zip(call: Call, _host: CodeHost) -> Value:
    columns = [items_of(argument) for argument in call.arguments]
    return listed([listed(row) for row in zip(*columns, strict=False)])


def _chain(call: Call, _host: CodeHost) -> Value:
    return listed([item for argument in call.arguments for item in items_of(argument)])


def _dict(call: Call, _host: CodeHost) -> Value:
    fields = dict(call.named)
    if call.arguments and call.arguments[0].kind == "map":
        fields = {**call.arguments[0].fields, **fields}
    return Value("map", fields=fields)


def _expanduser(call: Call, host: CodeHost) -> Value:
    return texts(expanded(choices_of(_first(call)), host))


def _expandvars(call: Call, host: CodeHost) -> Value:
    return texts(with_variables(choices_of(_first(call)), host))


def _getcwd(_call: Call, host: CodeHost) -> Value:
    return texts(here(host))


def _abspath(call: Call, host: CodeHost) -> Value:
    return texts(absolute(_first(call), host))


def _dirname(call: Call, _host: CodeHost) -> Value:
    return texts(parent_of(_first(call)))


def _basename(call: Call, _host: CodeHost) -> Value:
    return texts(name_of(_first(call)))


def _normpath(call: Call, _host: CodeHost) -> Value:
    known = _first(call).text
    return text(normalise(known)) if known is not None and known.startswith("/") else _first(call)


def _split(call: Call, _host: CodeHost) -> Value:
    first = _first(call)
    return listed([texts(parent_of(first)), texts(name_of(first))])


def _splitext(call: Call, _host: CodeHost) -> Value:
    known = _first(call).text
    if known is None:
        return listed([_first(call), unknown("splitext")])
    head, slash, base = known.rpartition("/")
    stem, dot, end = base.rpartition(".")
    if not stem:
        return listed([text(known), text("")])
    return listed([text(head + slash + stem), text(dot + end)])


def _getenv(call: Call, host: CodeHost) -> Value:
    return variable(_first(call), call.arguments[1] if len(call.arguments) > 1 else None, host)


def variable(name: Value, default: Value | None, host: CodeHost) -> Value:
    """A variable of the environment."""
    known = name.text
    if known is None:
        return unknown("", "environment")
    found = host.variable(known)
    if found is not None:
        value = texts(found.choices)
        if known in host.execution.env or default is None:
            return value
        return value
    if default is not None and default.kind != "constant":
        return one_of([unknown(known, "environment"), default])
    return unknown(known, "environment")


def _glob(call: Call, _host: CodeHost) -> Value:
    pattern = call.at(0, "pathname", "pattern")
    if pattern is None:
        return unknown("glob")
    top = call.named.get("root_dir")
    del top  # what is found stays relative to it
    return matching(pattern)


def _listdir(call: Call, _host: CodeHost) -> Value:
    # The names as they are: a loop over them with a test leaves less.
    return listed([Value("text", ((Glob("*"),),), name=(_first(call).text or ""))])


def _scandir(call: Call, _host: CodeHost) -> Value:
    top = call.arguments[0] if call.arguments else text(".")
    found = joined((top, Value("text", ((Glob("*"),),))))
    entry = Value("object", found, name="os.DirEntry")
    entry.fields = {"path": texts(found), "name": Value("text", ((Glob("*"),),))}
    return listed([entry])


def _walk(call: Call, _host: CodeHost) -> Value:
    return listed([_walked(_first(call))])


def _tempdir(call: Call, host: CodeHost) -> Value:
    parent = call.named.get("dir") or (call.arguments[2] if len(call.arguments) > 2 else None)
    start = choices_of(parent) if parent is not None else ((host.temp,),)
    return texts(concat(start, (("/", Unknown("command", "mktemp", may_be_empty=False)),)))


def _mkstemp(call: Call, host: CodeHost) -> Value:
    return listed([number(3), _tempdir(call, host)])


def _temporary(call: Call, host: CodeHost) -> Value:
    made = _tempdir(call, host)
    found = Value("object", made.choices, name="tempfile")
    found.fields = {"name": made}
    return found


def _gettempdir(_call: Call, host: CodeHost) -> Value:
    return text(host.temp)


def _b64(call: Call, _host: CodeHost) -> Value:
    return _decoded(call, "base64")


def _unhex(call: Call, _host: CodeHost) -> Value:
    return _decoded(call, "hex")


def _inflate(call: Call, _host: CodeHost) -> Value:
    return _decoded(call, "zlib")


def _rot13(call: Call, _host: CodeHost) -> Value:
    encoding = call.arguments[1].text if len(call.arguments) > 1 else ""
    encoding = (encoding or "").replace("-", "").replace("_", "").lower()
    if encoding in ("rot13", "rot"):
        return _decoded(call, "rot13")
    if encoding in ("hex", "hexcodec"):
        return _decoded(call, "hex")
    if encoding in ("base64", "base64codec"):
        return _decoded(call, "base64")
    return _first(call)


def _decoded(call: Call, how: str) -> Value:
    known = _first(call).text
    if known is None or len(known) > _LONGEST:
        return unknown(how)
    return decode(known, how)


def _shlex(call: Call, _host: CodeHost) -> Value:
    known = _first(call).text
    if known is None:
        return listed([_first(call)])
    import shlex

    try:
        return listed([text(word) for word in shlex.split(known)])
    except ValueError:
        return unknown("shlex.split")


def _shlex_join(call: Call, _host: CodeHost) -> Value:
    words = [item.text for item in items_of(_first(call))]
    if any(word is None for word in words):
        return unknown("shlex.join")
    return text(" ".join(quoted(word or "") for word in words))


def quoted(word: str) -> str:
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _quote(call: Call, _host: CodeHost) -> Value:
    known = _first(call).text
    return text(quoted(known)) if known is not None else _first(call)


def _which(call: Call, _host: CodeHost) -> Value:
    return _first(call)


def _platform(_call: Call, _host: CodeHost) -> Value:
    return unknown("platform")


def _home(_call: Call, host: CodeHost) -> Value:
    found = host.variable("HOME")
    return path(found.choices if found is not None else ((host.home,),))


def _cwd(_call: Call, host: CodeHost) -> Value:
    return path(here(host))


_FUNCTIONS: dict[str, Callable[[Call, CodeHost], Value]] = {
    "os.path.join": _join,
    "os.path.expanduser": _expanduser,
    "os.path.expandvars": _expandvars,
    "os.path.abspath": _abspath,
    "os.path.realpath": _abspath,
    "os.path.normpath": _normpath,
    "os.path.dirname": _dirname,
    "os.path.basename": _basename,
    "os.path.split": _split,
    "os.path.splitext": _splitext,
    "os.fspath": _text,
    "os.fsdecode": _text,
    "os.fsencode": _text,
    "os.getcwd": _getcwd,
    "os.getcwdb": _getcwd,
    "os.getenv": _getenv,
    "os.getenvb": _getenv,
    "os.listdir": _listdir,
    "os.scandir": _scandir,
    "os.walk": _walk,
    "os.fwalk": _walk,
    "glob.glob": _glob,
    "glob.iglob": _glob,
    "pathlib.Path.home": _home,
    "pathlib.Path.cwd": _cwd,
    "tempfile.mkdtemp": _tempdir,
    "tempfile.mktemp": _tempdir,
    "tempfile.mkstemp": _mkstemp,
    "tempfile.gettempdir": _gettempdir,
    "tempfile.TemporaryDirectory": _temporary,
    "tempfile.NamedTemporaryFile": _temporary,
    "tempfile.TemporaryFile": _temporary,
    "base64.b64decode": _b64,
    "base64.standard_b64decode": _b64,
    "base64.urlsafe_b64decode": _b64,
    "base64.decodebytes": _b64,
    "base64.decodestring": _b64,
    "base64.b16decode": _unhex,
    "binascii.a2b_base64": _b64,
    "binascii.unhexlify": _unhex,
    "binascii.a2b_hex": _unhex,
    "bytes.fromhex": _unhex,
    "bytearray.fromhex": _unhex,
    "codecs.decode": _rot13,
    "codecs.encode": _rot13,
    "zlib.decompress": _inflate,
    "gzip.decompress": _inflate,
    "shlex.split": _shlex,
    "shlex.join": _shlex_join,
    "shlex.quote": _quote,
    "pipes.quote": _quote,
    "shutil.which": _which,
    "itertools.chain": _chain,
    "platform.system": _platform,
    "str": _text,
    "bytes": _text,
    "bytearray": _text,
    "unicode": _text,
    "chr": _chr,
    "unichr": _chr,
    "ord": _ord,
    "int": _int,
    "len": _len,
    "list": _same,
    "tuple": _same,
    "set": _same,
    "frozenset": _same,
    "iter": _same,
    "sorted": _sorted,
    "reversed": _reversed,
    "range": _range,
    "xrange": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "dict": _dict,
}


# --- methods -------------------------------------------------------------------------------------

_TEXT_METHODS = frozenset(
    (
        "capitalize", "casefold", "decode", "encode", "endswith", "expandtabs", "find", "format",
        "format_map", "hex", "isdigit", "join", "lower", "lstrip", "partition", "removeprefix",
        "removesuffix", "replace", "rpartition", "rsplit", "rstrip", "split", "splitlines",
        "startswith", "strip", "swapcase", "title", "translate", "upper", "zfill",
    )
)  # fmt: skip
#: Methods that are Python's own when all is known.
_OWN = frozenset(
    (
        "capitalize", "casefold", "endswith", "lower", "lstrip", "removeprefix", "removesuffix",
        "replace", "rstrip", "startswith", "strip", "swapcase", "title", "upper", "find",
    )
)  # fmt: skip
_CUTTING = frozenset(("split", "rsplit", "partition", "rpartition", "splitlines"))
_KEEPING = frozenset(("strip", "rstrip", "lstrip", "lower", "encode", "decode", "expandtabs"))


def _of_text(receiver: Value, name: str, call: Call, _host: CodeHost) -> Value:
    if name in ("encode", "decode"):
        how = call.arguments[0].text if call.arguments else ""
        known = receiver.text
        if known is not None and (how or "").replace("-", "").replace("_", "") in ("hex", "rot13"):
            return decode(known, (how or "").replace("-", "").replace("_", ""))
        return texts(choices_of(receiver))
    if name == "join":
        return _joined_by(receiver, _first(call))
    if name in ("format", "format_map"):
        return formatted(receiver, call.arguments, call.named)
    known = receiver.text
    arguments = [_plain(argument) for argument in call.arguments]
    if known is None or any(argument is None for argument in arguments):
        if name in _KEEPING and receiver.kind == "text":
            return texts(receiver.choices)
        if name in _CUTTING:
            return _cut_unknown(receiver)
        return unknown(name)
    if name in _OWN and len(known) * 64 <= _LONGEST * 64:
        return _own(known, name, arguments)
    if name in _CUTTING:
        try:
            return listed([text(part) for part in getattr(known, name)(*arguments)][:_MANY])
        except (TypeError, ValueError):
            return unknown(name)
    return unknown(name)


def _own(known: str, name: str, arguments: list[object]) -> Value:
    if name == "replace" and len(arguments) >= 2:
        grown = known.count(str(arguments[0])) * len(str(arguments[1])) if arguments[0] else 0
        if grown > _LONGEST or not arguments[0]:
            return unknown(name)
    try:
        result = getattr(known, name)(*arguments)
    except (TypeError, ValueError):
        return unknown(name)
    if isinstance(result, bool):
        return truth(result)
    return number(result) if isinstance(result, int) else text(result)


def _cut_unknown(receiver: Value) -> Value:
    """`("git reset " + x).split()`: words of the known parts, the unknown ones as one word."""
    if receiver.kind != "text" or len(receiver.choices) != 1:
        return listed([unknown("split")])
    words: list[Value] = []
    for piece in receiver.choices[0]:
        if isinstance(piece, str):
            words.extend(text(part) for part in piece.split())
        else:
            words.append(Value("text", ((piece,),)))
    return listed(words)


def _plain(argument: Value) -> object:
    """The argument as Python has it, None if it isn't known."""
    if argument.kind == "number":
        return int(argument.number)
    if argument.kind == "list":
        return tuple(item.text or "\0" for item in argument.items)
    return argument.text


def _joined_by(separator: Value, value: Value) -> Value:
    choices: Choices = ((),)
    parts = items_of(value)
    if len(parts) > _MANY:
        return unknown("join")
    between = choices_of(separator)
    known = [part.text for part in parts]
    if separator.text is not None and all(part is not None for part in known):
        return text(separator.text.join(part or "" for part in known)[:_LONGEST])
    for index, part in enumerate(parts[:64]):
        if index:
            choices = concat(choices, between)
        choices = concat(choices, choices_of(part))
    return texts(choices)


def formatted(pattern: Value, arguments: Sequence[Value], named: dict[str, Value]) -> Value:
    """`'{} {name}'.format(…)`."""
    known = pattern.text
    if known is None:
        return unknown("format")
    whole: Choices = ((),)
    at = 0
    following = 0
    while at < len(known):
        start = known.find("{", at)
        if start < 0:
            start = len(known)
        plain = known[at:start].replace("}}", "}")
        whole = concat(whole, ((plain,),) if plain else ((),))
        if start >= len(known):
            break
        if known.startswith("{{", start):
            whole = concat(whole, (("{",),))
            at = start + 2
            continue
        end = known.find("}", start)
        if end < 0:
            return unknown("format")
        field = known[start + 1 : end].partition(":")[0].partition("!")[0]
        value = named.get(field)
        if value is None and not field and following < len(arguments):
            value = arguments[following]
            following += 1
        elif value is None and field.isdigit() and int(field) < len(arguments):
            value = arguments[int(field)]
        whole = concat(whole, choices_of(value if value is not None else unknown(field)))
        at = end + 1
    return texts(whole)


def percent(pattern: Value, value: Value) -> Value:
    """`'%s %s' % (…)`."""
    known = pattern.text
    if known is None:
        return unknown("%")
    arguments = value.items if value.kind == "list" else [value]
    whole: Choices = ((),)
    following = 0
    at = 0
    while at < len(known):
        start = known.find("%", at)
        if start < 0:
            whole = concat(whole, ((known[at:],),))
            break
        if start > at:
            whole = concat(whole, ((known[at:start],),))
        if known.startswith("%%", start):
            whole = concat(whole, (("%",),))
            at = start + 2
            continue
        end = start + 1
        name = ""
        if known[end : end + 1] == "(":
            close = known.find(")", end)
            name = known[end + 1 : close]
            end = close + 1
        while end < len(known) and known[end] in "0123456789.+-# ":
            end += 1
        if name and value.kind == "map":
            found = value.fields.get(name)
        else:
            found = arguments[following] if following < len(arguments) else None
            following += 1
        whole = concat(whole, choices_of(found if found is not None else unknown("%")))
        at = end + 1
    return texts(whole)


def _of_list(receiver: Value, name: str, call: Call) -> Value | None:
    if name in ("append", "add") and call.arguments and len(receiver.items) < _MANY:
        receiver.items.append(call.arguments[0])
    elif name in ("extend", "update") and call.arguments:
        more = items_of(call.arguments[0])
        receiver.items.extend(list(more)[: _MANY - len(receiver.items)])
    elif name == "insert" and len(call.arguments) > 1:
        at = call.arguments[0]
        index = int(at.number) if at.kind == "number" else 0
        receiver.items.insert(index, call.arguments[1])
    elif name == "pop":
        return one_of(receiver.items) if receiver.items else unknown("pop")
    elif name == "copy":
        return listed(receiver.items)
    elif name == "clear":
        receiver.items.clear()
    elif name == "reverse":
        receiver.items.reverse()
    elif name in ("sort", "remove"):
        return constant(NONE)
    else:
        return None
    return constant(NONE)


def _of_map(receiver: Value, name: str, call: Call) -> Value | None:
    if name in ("get", "pop", "setdefault"):
        key = _first(call).text
        default = call.arguments[1] if len(call.arguments) > 1 else constant(NONE)
        if key is None:
            return one_of([*receiver.fields.values(), default])
        return receiver.fields.get(key, default)
    if name == "keys":
        return listed([text(key) for key in receiver.fields])
    if name == "values":
        return listed(receiver.fields.values())
    if name == "items":
        return listed([listed([text(key), value]) for key, value in receiver.fields.items()])
    if name == "copy":
        return Value("map", fields=dict(receiver.fields))
    if name == "update" and call.arguments and call.arguments[0].kind == "map":
        receiver.fields.update(call.arguments[0].fields)
        return constant(NONE)
    return None
