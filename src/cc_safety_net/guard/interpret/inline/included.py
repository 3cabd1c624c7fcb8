"""Files of the program itself that code of the shared tokeniser takes in: where each language
looks for them, and what they hand out."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.cursor import Body
from cc_safety_net.guard.interpret.inline.lexer import Unterminated, tokenise
from cc_safety_net.guard.interpret.inline.values import Scope, Value, constant, word
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.inline.applying import Applying
    from cc_safety_net.guard.interpret.inline.evaluator import Run

#: What JavaScript tries behind the name of a module.
_ENDINGS = (
    "", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx",
    "/index.js", "/index.mjs", "/index.cjs", "/index.ts",
)  # fmt: skip
#: Files that hold no code.
_DATA = (".json", ".node", ".css", ".scss", ".svg", ".html", ".txt", ".md", ".wasm")
#: TypeScript names the file that it is compiled to.
_COMPILED = {".js": ".ts", ".mjs": ".mts", ".cjs": ".cts", ".jsx": ".tsx"}
#: Variables with the folders of a search path.
_PATHS = {"ruby": "RUBYLIB", "perl": "PERL5LIB"}
#: Variables with options of the interpreter.
_OPTIONS = {"ruby": "RUBYOPT", "perl": "PERL5OPT"}
_LOOKED = 256


def take_in(run: Applying, name: str, value: Value) -> Value | None:
    """`require 'x'`, `include("x")`, `source("x")`: the file runs in the same names.

    None if it is no file of the program.
    """
    row = run.language.takes_in[name]
    for wanted in word(value).texts or ():
        path = _find(run, row, wanted)
        if not path:
            continue
        if path in run.taken:
            return run.taken[path]
        before = set(run.scope.own)
        run.taken[path] = constant("None")
        run.host.take_in(path, f"{name} {wanted}", lambda text: run_file(run, text))
        made = Value("map")
        for key in run.scope.own:
            if key not in before and run.scope.own[key].kind == "function":
                made.fields[key.rpartition(".")[2]] = run.scope.own[key]
        run.taken[path] = made
        return made
    return None


def _find(run: Applying, row: Sequence[str], wanted: str) -> str:
    """The file; what begins with a dot or a slash is never searched for."""
    host = run.host
    if "dots" in row[0]:
        wanted = wanted.replace(".", "/")
    folders: list[str] = []
    here = [cwd for cwd in host.cwds if cwd]
    if "beside" in row[0]:
        folders += host.folders
    if "here" in row[0] or wanted.startswith((".", "/")):
        folders += here
    if "search" in row[0]:
        folders += searched(run)
    return host.first_file(
        join(folder, wanted + ending) for folder in folders for ending in row[1:]
    )


def searched(run: Applying) -> list[str]:
    """The folders of the search path: of options, of the environment, and of the code."""
    host = run.host
    found: list[str] = list(host.search)
    words = [each.text or "" for each in host.execution.argv[1:_LOOKED]]
    options = host.variable(_OPTIONS.get(host.language, ""))
    words += (options.text or "").split() if options is not None else []
    for index, text in enumerate(words):
        if text.startswith("-I"):
            found.append(text[2:] or (words[index + 1] if index + 1 < len(words) else ""))
    given = host.variable(_PATHS.get(host.language, ""))
    found += (given.text or "").split(":") if given is not None else []
    return [join(cwd or "/", each) for each in found if each for cwd in host.cwds]


def preloaded(run: Run, option: str, name: str, variable: str, ending: str) -> None:
    """Files that an option (`-r file`, `-MModule`) or a variable with options names."""
    host = run.host
    words = [each.text or "" for each in host.execution.argv[1:_LOOKED]]
    given = host.variable(variable)
    words = [*((given.text or "").split() if given is not None else []), *words]
    for index, text in enumerate(words):
        if not text.startswith(option):
            continue
        wanted = text[len(option) :] or (words[index + 1] if index + 1 < len(words) else "")
        wanted, _, folder = wanted.partition("=")
        if wanted == "lib" and ending:
            host.search.append(folder)
            continue
        wanted = wanted.lstrip("-")
        if ending:
            wanted = wanted.replace("::", "/") + ending
        if wanted:
            take_in(run, name, Value("text", ((wanted,),)))


def used(run: Run) -> None:
    """Perl's `use Module` and `use lib 'folder'`."""
    tokens = run.body.tokens
    at = run.at + 1
    if at >= run.end or tokens[at].kind != "name":
        return
    name = tokens[at].text
    if name == "lib":
        saved = (run.at, run.end)
        run.at = at + 1
        for value in run.items(run.expression()):
            run.host.search += word(value).texts or ()
        run.at, run.end = saved
        return
    while at + 2 < run.end and tokens[at + 1].text == "::" and tokens[at + 2].kind == "name":
        name += "/" + tokens[at + 2].text
        at += 2
    take_in(run, "use", Value("text", ((name.replace("::", "/").replace(".", "/") + ".pm",),)))


def run_file(run: Applying, code: str) -> None:
    """Run the code of a file in the names of the run."""
    language = run.language
    if language.source is not None:
        code = language.source(code)
    try:
        tokens = tokenise(code, language, run.host.effort)
    except Unterminated:
        from cc_safety_net.guard.interpret.facts import known

        run.host.opaque(known(code))
        return
    body = Body(tokens)
    saved = (run.body, run.at, run.end, run.blocks, run.scope, run.active)
    run.blocks, run.active = 0, list(run.active)
    try:
        run.define(body)
        run.run(body, 0, len(tokens))
    finally:
        run.body, run.at, run.end, run.blocks, run.scope, run.active = saved


def required(run: Run, name: str) -> Value | None:
    """A module of JavaScript by a relative name: what it hands out once it has run."""
    host = run.host
    stem, dot, last = name.rpartition(".")
    names = [name + ending for ending in _ENDINGS]
    if dot + last in _COMPILED:
        names.append(stem + _COMPILED[dot + last])
    path = host.first_file(join(folder, each) for folder in host.folders for each in names)
    if not path or path.endswith(_DATA):
        return None
    if path in run.taken:
        return run.taken[path]
    made = run.taken[path] = Value("map")
    saved = (run.scope, run.exports)
    scope = run.scope = Scope()
    run.exports = Value("map")
    host.take_in(path, f"require {name}", lambda text: run_file(run, text))
    given = run.exports
    run.scope, run.exports = saved
    made.fields.update(scope.own)
    made.fields.update(given.fields)
    for each in (given, *made.fields.values()):
        if each.kind == "function" and each.scope is None:
            each.scope = scope
    if given.kind != "map":
        made = run.taken[path] = given
    return made


def handed_out(run: Run) -> Value | None:
    """`module.exports = …`, `exports.name = …`; None if it is something else."""
    tokens = run.body.tokens
    at = run.at + 1
    if tokens[run.at].text == "module":
        if not (run.is_sign(".", offset=1) and run.is_name("exports", offset=2)):
            return None
        at += 2
    name = ""
    if at + 1 < run.end and tokens[at].text == "." and tokens[at + 1].kind == "name":
        name = tokens[at + 1].text
        at += 2
    if at >= run.end or tokens[at].kind != "sign" or tokens[at].text != "=":
        return None
    run.at = at + 1
    value = run.assignment()
    if value is None:
        value = run.expression()
    if name:
        run.exports.fields[name] = value
    else:
        run.exports = value
    return value


def exported(run: Run) -> bool:
    """`export default …`, `export … from 'module'`; what else is exported is a name."""
    tokens = run.body.tokens
    if run.is_name("default", offset=1):
        run.at += 2
        titled = 2 if run.is_name("async") else 1
        if run.is_name("function", "async", "class") and run.token(titled) is not None:
            title = tokens[run.at + titled].text
            found = run.scope.look(title)
            if found is not None and found.kind == "function":
                run.exports.fields["default"] = found
                return True
        value = run.expression()
        run.exports.fields["default"] = value
        if value.kind == "map":
            run.exports.fields.update(value.fields)
        return True
    if not run.is_sign("{", "*", offset=1):
        return False
    at = run.at + 1
    at = run.body.pairs.get(at, at) + 1
    limit = min(run.end, at + 4)
    while at < limit and tokens[at].text != "from":
        at += 1
    run.at = at
    if at + 1 < run.end and at < limit and tokens[at + 1].kind == "string":
        name = "".join(p for p in tokens[at + 1].parts if isinstance(p, str))
        own = run.own_module(name)
        if own is not None:
            run.exports.fields.update(own.fields)
        run.at = at + 2
    return True
