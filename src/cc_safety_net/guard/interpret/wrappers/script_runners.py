"""Runners of the scripts that a project names: `npm run`, `make`, `just`, `composer run`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.options import lead, parse
from cc_safety_net.guard.interpret.wrappers.forms import apply
from cc_safety_net.guard.interpret.wrappers.inner import (
    Inner,
    InnerArgv,
    InnerFile,
    InnerStdin,
    InnerText,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.options import Arguments
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

_HERE = "."
NPX = (
    "p,package: c,call:@text cache: userconfig: w,workspace: prefix: y,yes n q,quiet ws workspaces"
)
#: Sub-commands of its own; any other first word is a script's or a program's name.
_YARN = frozenset(
    (
        "access", "add", "audit", "autoclean", "bin", "cache", "check", "config", "constraints",
        "create", "dedupe", "explain", "generate-lock-entry", "global", "help", "import", "info",
        "init", "install", "licenses", "link", "list", "login", "logout", "node", "npm", "outdated",
        "owner", "pack", "patch", "plugin", "policies", "prune", "publish", "rebuild", "remove",
        "search", "set", "stage", "tag", "team", "unlink", "unplug", "up", "upgrade",
        "upgrade-interactive", "version", "versions", "why",
    )
)  # fmt: skip
_PNPM = frozenset(
    (
        "add", "approve-builds", "audit", "bin", "cache", "cat-file", "cat-index", "config",
        "create", "dedupe", "deploy", "doctor", "env", "fetch", "find-hash", "help", "i", "import",
        "init", "install", "install-test", "it", "licenses", "link", "list", "ln", "ls", "outdated",
        "pack", "patch", "patch-commit", "patch-remove", "prune", "publish", "rb", "rebuild",
        "recursive", "remove", "rm", "root", "self-update", "server", "setup", "store", "un",
        "uninstall", "unlink", "up", "update", "upgrade", "why",
    )
)  # fmt: skip
_BUN = frozenset(
    (
        "add", "audit", "build", "completions", "create", "help", "init", "install", "i", "link",
        "outdated", "patch", "pm", "publish", "remove", "repl", "rm", "unlink", "update",
        "upgrade", "why",
    )
)  # fmt: skip
_COMPOSER = frozenset(
    (
        "about", "archive", "audit", "browse", "bump", "check-platform-reqs", "clear-cache",
        "config", "create-project", "depends", "diagnose", "dump-autoload", "dumpautoload", "exec",
        "fund", "global", "help", "home", "i", "init", "install", "licenses", "list", "outdated",
        "prohibits", "reinstall", "remove", "require", "search", "self-update", "show", "status",
        "suggests", "u", "update", "upgrade", "validate", "why", "why-not",
    )
)  # fmt: skip
_NPM_SCRIPTS = {
    "t": "test",
    "tst": "test",
    "test": "test",
    "start": "start",
    "stop": "stop",
    "restart": "restart",
}
#: Sub-command -> scripts that it runs, each with `pre` and `post`.
_LIFECYCLE = {
    "ci": ("install", "prepare"),
    "i": ("install", "prepare"),
    "install": ("install", "prepare"),
    "pack": ("pack", "prepare"),
    "publish": ("prepublishOnly", "pack", "prepare", "publish"),
    "rebuild": ("install",),
    "version": ("version",),
}
#: With the name of a package they run nothing of the project's own.
_INSTALLS = frozenset(("ci", "i", "install", "rebuild"))
_NODE_OPTIONS = (
    "C,prefix,dir,cwd:@dir w,workspace: F,filter: loglevel: userconfig: registry: cache: s,silent"
    " if-present ws,-ws workspaces r,recursive"
)
_CONCURRENTLY = (
    "n,names: c,prefix-colors: p,prefix: k,kill-others l,prefix-length: t,timestamp-format: m:"
    " max-processes: restart-tries: restart-after: success,s: hide: default-input-target: i r g"
)
_SCRIPT_EXTENSIONS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")


def _script(
    program: str, name: Word, arguments: Sequence[Word], directory: Word | None
) -> InnerFile:
    inner = InnerFile(
        f"{program} run {name.text or '?'}",
        "npm",
        known(_HERE),
        target=name,
        positionals=[word for word in arguments if word.text != "--"],
    )
    inner.directory = directory
    return inner


def _node_runner(execution: Execution, world: World) -> list[Inner]:
    """npm, pnpm, yarn and bun: `run NAME`, `exec`, `dlx`, `x`, or a name alone."""
    words = execution.argv
    program = execution.program
    arguments = parse(words, _NODE_OPTIONS)
    directory = arguments.value("C")
    operands = arguments.operands
    if not operands:
        if program in ("yarn", "yarnpkg"):
            return _lifecycle(program, _LIFECYCLE["install"], arguments, directory)
        return []
    verb = operands[0].text
    rest = operands[1:]
    index = arguments.rest + 1
    if verb in ("run", "run-script", "rum", "urn") and program != "deno":
        # npm takes its own options behind the script's name too.
        inner = parse(rest, _NODE_OPTIONS, start=0, permute=program == "npm")
        directory = inner.value("C") or directory
        if not inner.operands:
            return []
        found = _named(program, inner.operands[0], inner.operands[1:], directory)
        return _in_workspaces(found, _workspace(inner) or _workspace(arguments))
    if verb in ("exec", "x", "dlx"):
        found = apply((NPX, "tail package"), words, index, f"{program} {verb}", execution, world)
        for each in found:
            each.directory = each.directory or directory
        return found
    if verb == "explore" and program == "npm" and len(rest) > 1:
        return [InnerArgv("npm explore", [word for word in rest[1:] if word.text != "--"])]
    if verb == "workspace" and program == "yarn" and len(rest) > 1:
        return _in_workspaces(_bare(program, rest[1], rest[2:], None), rest[0])
    named = [word for word in rest if lead(word)[:1] != "-"]
    if verb in _LIFECYCLE and (verb not in _INSTALLS or not named):
        return _lifecycle(program, _LIFECYCLE[verb], arguments, directory)
    if verb in _NPM_SCRIPTS and not (program == "bun" and verb == "test"):
        return [_script(program, known(_NPM_SCRIPTS[verb]), rest, directory)]
    if program == "npm":
        return []
    if verb == "workspaces" and program in ("yarn", "yarnpkg"):
        return _in_all(program, rest)
    found = _bare(program, operands[0], rest, directory)
    return _in_workspaces(found, _workspace(arguments))


def _in_all(program: str, words: Sequence[Word]) -> list[Inner]:
    """`yarn workspaces run X`, `yarn workspaces foreach [options] run X`, `… exec COMMAND`."""
    operands = list(words)
    if operands and operands[0].text == "foreach":
        options = "include: exclude: from: j,jobs: since?"
        operands = list(parse(operands, options).operands)
    if len(operands) < 2:
        return []
    if operands[0].text == "exec":
        return [InnerArgv("yarn workspaces", operands[1:])]
    if operands[0].text != "run":
        return []
    return _in_workspaces(_bare(program, operands[1], operands[2:], None), known("*"))


def _workspace(arguments: Arguments) -> Word | None:
    """The package that is asked for, `*` for all, None for the one at hand."""
    given = arguments.value("w") or arguments.value("F")
    if given is None and arguments.has("ws", "workspaces", "r"):
        return known("*")
    return given


def _in_workspaces(found: list[Inner], workspace: Word | None) -> list[Inner]:
    """The scripts are those of another package of the project."""
    for inner in found if workspace is not None else ():
        if isinstance(inner, InnerFile) and inner.kind == "npm" and workspace is not None:
            inner.path = workspace
    return found


def _lifecycle(
    program: str, names: Sequence[str], arguments: Arguments, directory: Word | None
) -> list[Inner]:
    """Scripts that a command of the package manager runs by itself."""
    if arguments.has("ignore-scripts") or any(
        word.text == "--ignore-scripts" for word in arguments.operands
    ):
        return []
    return [_script(program, known(name), (), directory) for name in names]


def _named(
    program: str, name: Word, arguments: Sequence[Word], directory: Word | None
) -> list[Inner]:
    """`run NAME`: a script of package.json; with bun also a file."""
    text = name.text or ""
    if program == "bun" and text.endswith(_SCRIPT_EXTENSIONS):
        return [InnerFile(f"script {text}", "javascript", name, positionals=arguments)]
    return [_script(program, name, arguments, directory)]


def _bare(
    program: str, name: Word, arguments: Sequence[Word], directory: Word | None
) -> list[Inner]:
    """`yarn NAME`: a script if package.json has it, else a program of the project."""
    own = _YARN if program == "yarn" else _PNPM if program == "pnpm" else _BUN
    text = name.text or ""
    if text in own:
        return []
    if text in ("run", "exec") and arguments:
        name, arguments = arguments[0], arguments[1:]
        text = name.text or ""
    if program == "bun":
        if text.endswith(_SCRIPT_EXTENSIONS):
            return [InnerFile(f"script {text}", "javascript", name, positionals=arguments)]
        if text == "test":
            return []
    argv = InnerArgv(program, (name, *arguments))
    argv.directory = directory
    return [_script(program, name, arguments, directory), argv]


def _run_all(execution: Execution, _world: World) -> list[Inner]:
    """`npm-run-all clean build:*`, `run-s`, `run-p`: each operand names scripts."""
    arguments = parse(execution.argv, "max-parallel: c l n r s p", permute=True)
    found: list[Inner] = []
    for word in arguments.operands:
        name, *rest = (word.text or "").split() or [""]
        target = known(name) if name else word
        found.append(_script(execution.program, target, [known(text) for text in rest], None))
    return found


def _concurrently(execution: Execution, world: World) -> list[Inner]:
    """Each operand is a text for a shell, or `npm:NAME`."""
    entry = (_CONCURRENTLY, "each permute")
    found: list[Inner] = []
    for inner in apply(entry, execution.argv, 1, "concurrently", execution, world):
        text = (inner.text.text or "") if isinstance(inner, InnerText) else ""
        runner, colon, name = text.partition(":")
        if colon and runner in ("npm", "yarn", "pnpm", "bun", "node") and " " not in runner:
            words = [known(word) for word in name.split()]
            found += [_script(runner, words[0], words[1:], None)] if words else []
        else:
            found.append(inner)
    return found


def _bun(execution: Execution, world: World) -> list[Inner]:
    options = (
        "e,eval:@code=javascript p,print:@code=javascript cwd:@dir env-file: c,config: r,preload:"
        " conditions: port: b,bun silent watch hot"
    )
    arguments = parse(execution.argv, options)
    if arguments.has("e", "p"):
        return apply((options, ""), execution.argv, 1, "bun", execution, world)
    if not arguments.operands:
        return []
    if arguments.operands[0].text == "-":
        return [InnerStdin("bun", language="javascript")]
    if arguments.operands[0].text == "exec" and len(arguments.operands) > 1:
        # Bun's own shell.
        return [InnerText("bun exec", arguments.operands[1])]
    return _node_runner(execution, world)


def _deno(execution: Execution, world: World) -> list[Inner]:
    words = execution.argv
    arguments = parse(words, "L,log-level: q,quiet")
    verb = arguments.operands[0].text if arguments.operands else ""
    start = arguments.rest + 1
    if verb == "eval":
        return apply(
            ("p,print ext: T cert: c,config: import-map:", "program=javascript"),
            words, start, "deno eval", execution, world,
        )  # fmt: skip
    if verb == "repl":
        options = "eval:@code=javascript eval-file:@file=javascript"
        return apply((options, ""), words, start, "deno repl", execution, world)
    if verb == "task":
        task = parse(words, "c,config: cwd:@dir", start=start)
        if not task.operands:
            return []
        inner = InnerFile(
            f"deno task {task.operands[0].text or '?'}", "deno", known(_HERE),
            target=task.operands[0], positionals=task.operands[1:],
        )  # fmt: skip
        inner.directory = task.value("cwd")
        return [inner]
    if verb == "run":
        options = (
            "c,config: import-map: L: r? seed: cert: env-file? v8-flags? A lock? node-modules-dir?"
        )
        return apply((options, "script=javascript"), words, start, "deno run", execution, world)
    if verb and verb.endswith(_SCRIPT_EXTENSIONS):
        return [
            InnerFile(
                f"script {verb}", "javascript", arguments.operands[0],
                positionals=arguments.operands[1:],
            )
        ]  # fmt: skip
    return []


_MAKE = (
    "f,file,makefile: C,directory:@dir I,include-dir: j,jobs#  l,load-average# W,what-if,new-file,"
    "assume-new: o,old-file,assume-old: E,eval: n,just-print,dry-run,recon@query q,question@query"
    " v,version@query h,help@query p,print-data-base"
)


def _make(execution: Execution, _world: World) -> list[Inner]:
    """Targets, each of which is run; `NAME=value` operands are variables."""
    arguments = parse(execution.argv, _MAKE, permute=True)
    if any(option.role == "query" for option in arguments.options):
        return []
    found: list[Inner] = []
    env: dict[str, Word] = {}
    targets: list[Word] = []
    for word in arguments.operands:
        name, equals, _ = lead(word).partition("=")
        if equals:
            from cc_safety_net.guard.interpret.options import cut

            env[name.rstrip(":?+!")] = cut(word, len(name) + 1)
        elif not (word.text or "x").isdigit():
            targets.append(word)
    files = [o.value for o in arguments.options if o.name == "f" and o.value is not None]
    for path in files or [known(_HERE)]:
        if path.text in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            found.append(InnerStdin("make -f -", language="make", positionals=targets))
            continue
        found.extend(
            InnerFile(f"make {target.text or ''}".rstrip(), "make", path, target=target)
            for target in targets
        )
        if not targets:
            found.append(InnerFile("make", "make", path))
    directory = _last(arguments, "C")
    for inner in found:
        inner.directory = directory
        inner.env = env
    return found


def _last(arguments: Arguments, name: str) -> Word | None:
    return arguments.value(name)


def _just(execution: Execution, _world: World) -> list[Inner]:
    options = (
        "f,justfile: d,working-directory:@dir set: shell: shell-arg: dotenv-filename: dotenv-path:"
        " E: color: l,list@query n,dry-run@query s,show@query summary@query evaluate@query"
        " dump@query e,edit@query c,command$ choose V,version@query h,help@query fmt@query"
    )
    arguments = parse(execution.argv, options)
    if any(option.role == "query" for option in arguments.options):
        return []
    if arguments.has("c"):
        return [InnerArgv("just --command", arguments.operands)] if arguments.operands else []
    operands = list(arguments.operands)
    values: dict[str, Word] = {}
    while operands and "=" in lead(operands[0]):
        from cc_safety_net.guard.interpret.options import cut

        name = lead(operands[0]).partition("=")[0]
        values[name] = cut(operands[0], len(name) + 1)
        del operands[0]
    path = arguments.value("f") or known(_HERE)
    target = operands[0] if operands else None
    label = f"just {target.text or '?'}" if target is not None else "just"
    inner = InnerFile(label, "just", path, target=target, positionals=operands[1:])
    inner.env = values
    inner.directory = arguments.value("d")
    return [inner]


_DUMPED = ("pre-autoload-dump", "post-autoload-dump")
#: Sub-command -> scripts that it runs by itself.
_COMPOSER_EVENTS: dict[str | None, tuple[str, ...]] = {
    "dump-autoload": _DUMPED,
    "dumpautoload": _DUMPED,
    "i": ("pre-install-cmd", *_DUMPED, "post-install-cmd"),
    "install": ("pre-install-cmd", *_DUMPED, "post-install-cmd"),
    "remove": ("pre-update-cmd", *_DUMPED, "post-update-cmd"),
    "require": ("pre-update-cmd", *_DUMPED, "post-update-cmd"),
    "u": ("pre-update-cmd", *_DUMPED, "post-update-cmd"),
    "update": ("pre-update-cmd", *_DUMPED, "post-update-cmd"),
    "upgrade": ("pre-update-cmd", *_DUMPED, "post-update-cmd"),
}


def _composer(execution: Execution, world: World) -> list[Inner]:
    words = execution.argv
    options = "d,working-dir:@dir"
    arguments = parse(words, options)
    operands = arguments.operands
    verb = operands[0].text if operands else ""
    if verb in ("run", "run-script"):
        operands = parse(operands, "timeout: l@query", start=1).operands
    elif verb == "exec":
        return apply(
            (options, "tail"), words, arguments.rest + 1, "composer exec", execution, world
        )
    elif verb in _COMPOSER_EVENTS and not arguments.has("no-scripts"):
        if any(word.text == "--no-scripts" for word in operands):
            return []
        found: list[Inner] = []
        for event in _COMPOSER_EVENTS[verb]:
            inner = InnerFile(f"composer {event}", "composer", known(_HERE), target=known(event))
            inner.directory = arguments.value("d")
            found.append(inner)
        return found
    elif not verb or verb in _COMPOSER:
        return []
    if not operands:
        return []
    inner = InnerFile(
        f"composer run {operands[0].text or '?'}", "composer", known(_HERE),
        target=operands[0], positionals=operands[1:],
    )  # fmt: skip
    inner.directory = arguments.value("d")
    return [inner]


TABLE: dict[str, Entry] = {
    "npm": _node_runner,
    "pnpm": _node_runner,
    "yarn": _node_runner,
    "yarnpkg": _node_runner,
    "bun": _bun,
    "deno": _deno,
    "npm-run-all": _run_all,
    "run-p": _run_all,
    "run-s": _run_all,
    "make": _make,
    "gmake": _make,
    "bmake": _make,
    "just": _just,
    "composer": _composer,
    "concurrently": _concurrently,
}
