"""Functions of Python that have no effect, computed where their arguments are known."""

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
    unknown,
)
from cc_safety_net.guard.interpret.values import concat, unite
from cc_safety_net.guard.paths import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Call

#: Longer results of computations are not followed.
LONGEST = 131_072
MANY = 4_096
_FOUND = Unknown("find", may_be_empty=False)


def compute(name: str, call: Call, host: CodeHost) -> Value | None:
    """The result of a function of a module; None if none is known by this name."""
    function = _FUNCTIONS.get(name)
    return function(call, host) if function is not None else None


def compute_knows(name: str) -> bool:
    return name in _FUNCTIONS


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


def first_of(call: Call) -> Value:
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
    first = first_of(call)
    if first.kind == "number" and 0 <= first.number < 0x110000:
        return text(chr(int(first.number)))
    return unknown("chr")


def _ord(call: Call, _host: CodeHost) -> Value:
    known = first_of(call).text
    return number(ord(known)) if known is not None and len(known) == 1 else unknown("ord")


def _int(call: Call, _host: CodeHost) -> Value:
    first = first_of(call)
    base = call.arguments[1].number if len(call.arguments) > 1 else 10
    known = first.text
    if first.kind == "number":
        return number(int(first.number))
    try:
        return number(int(known, int(base))) if known is not None and len(known) < 40 else unknown()
    except ValueError:
        return unknown("int")


def _len(call: Call, _host: CodeHost) -> Value:
    first = first_of(call)
    if first.kind == "list":
        return unknown("len")
    known = first.text
    return number(len(known)) if known is not None else unknown("len")


def _same(call: Call, _host: CodeHost) -> Value:
    first = first_of(call)
    return listed(items_of(first)) if first.kind in ("list", "text", "map") else first


def _reversed(call: Call, _host: CodeHost) -> Value:
    return listed(reversed(items_of(first_of(call))))


def _sorted(call: Call, _host: CodeHost) -> Value:
    return listed(items_of(first_of(call)))


def items_of(value: Value) -> list[Value]:
    """What a loop over the value sees."""
    if value.kind == "list":
        return value.items
    if value.kind == "map":
        return [text(name) for name in value.fields]
    if value.kind == "text":
        known = value.text
        if known is not None and len(known) <= MANY:
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
        [listed([number(i), item]) for i, item in enumerate(items_of(first_of(call)))][:MANY]
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
    return texts(expanded(choices_of(first_of(call)), host))


def _expandvars(call: Call, host: CodeHost) -> Value:
    return texts(with_variables(choices_of(first_of(call)), host))


def _getcwd(_call: Call, host: CodeHost) -> Value:
    return texts(here(host))


def _abspath(call: Call, host: CodeHost) -> Value:
    return texts(absolute(first_of(call), host))


def _dirname(call: Call, _host: CodeHost) -> Value:
    return texts(parent_of(first_of(call)))


def _basename(call: Call, _host: CodeHost) -> Value:
    return texts(name_of(first_of(call)))


def _normpath(call: Call, _host: CodeHost) -> Value:
    known = first_of(call).text
    return text(normalise(known)) if known is not None and known.startswith("/") else first_of(call)


def _split(call: Call, _host: CodeHost) -> Value:
    first = first_of(call)
    return listed([texts(parent_of(first)), texts(name_of(first))])


def _splitext(call: Call, _host: CodeHost) -> Value:
    known = first_of(call).text
    if known is None:
        return listed([first_of(call), unknown("splitext")])
    head, slash, base = known.rpartition("/")
    stem, dot, end = base.rpartition(".")
    if not stem:
        return listed([text(known), text("")])
    return listed([text(head + slash + stem), text(dot + end)])


def _getenv(call: Call, host: CodeHost) -> Value:
    return variable(first_of(call), call.arguments[1] if len(call.arguments) > 1 else None, host)


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
    return listed([Value("text", ((Glob("*"),),), name=(first_of(call).text or ""))])


def _scandir(call: Call, _host: CodeHost) -> Value:
    top = call.arguments[0] if call.arguments else text(".")
    found = joined((top, Value("text", ((Glob("*"),),))))
    entry = Value("object", found, name="os.DirEntry")
    entry.fields = {"path": texts(found), "name": Value("text", ((Glob("*"),),))}
    return listed([entry])


def _walk(call: Call, _host: CodeHost) -> Value:
    return listed([_walked(first_of(call))])


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
    return first_of(call)


def _decoded(call: Call, how: str) -> Value:
    known = first_of(call).text
    if known is None or len(known) > LONGEST:
        return unknown(how)
    return decode(known, how)


def _shlex(call: Call, _host: CodeHost) -> Value:
    known = first_of(call).text
    if known is None:
        return listed([first_of(call)])
    import shlex

    try:
        return listed([text(word) for word in shlex.split(known)])
    except ValueError:
        return unknown("shlex.split")


def _shlex_join(call: Call, _host: CodeHost) -> Value:
    words = [item.text for item in items_of(first_of(call))]
    if any(word is None for word in words):
        return unknown("shlex.join")
    return text(" ".join(quoted(word or "") for word in words))


def quoted(word: str) -> str:
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _quote(call: Call, _host: CodeHost) -> Value:
    known = first_of(call).text
    return text(quoted(known)) if known is not None else first_of(call)


def _which(call: Call, _host: CodeHost) -> Value:
    return first_of(call)


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
