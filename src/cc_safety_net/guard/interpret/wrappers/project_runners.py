"""Runners of tasks that a project's own files name: `turbo run`, `task`, `poe`, `tox`, `rake`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.options import lead, parse
from cc_safety_net.guard.interpret.wrappers.forms import apply
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv, InnerFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.options import Arguments
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

#: Runner -> its options; what has the role `query` runs nothing.
_OPTIONS = {
    "doit": "f,file: d,dir:@dir n: v: h@query help@query",
    "hatch": "e,env: p,project:@dir h,help@query",
    "invoke": (
        "c,collection: r,search-root:@dir l,list@query h,help@query R,dry@query V,version@query"
        " e,echo p,pty w,warn-only T,command-timeout: f,config:"
    ),
    "mise": "C,cd:@dir E,env: j,jobs: n,dry-run@query h,help@query f,force r,raw o,output:",
    "nox": (
        "s,session,e,sessions:@name f,noxfile:@path l,list@query p,python: k,keywords:"
        " t,tags: h,help@query R r no-install list-sessions@query"
    ),
    "pdm": "p,project:@dir l,list@query h,help@query s,site-packages env-file: j,json@query",
    "pixi": "e,environment: manifest-path: h,help@query n,dry-run@query",
    "poe": "C,directory:@dir d,dry-run@query h,help@query version@query e,executor: q v",
    "rake": (
        "f,rakefile:@path T,tasks?@query n,dry-run@query P,prereqs@query W?@query D?@query"
        " A,all C,directory:@dir h,help@query V,version@query e,execute: E: p: j? m t? I: r:"
    ),
    "rye": "l,list@query h,help@query pyproject:",
    "task": (
        "t,taskfile:@path d,dir:@dir l,list@query a,list-all@query n,dry@query summary@query"
        " status@query i,init@query h,help@query version@query C,concurrency: o,output:"
        " j,json@query"
    ),
    "tox": (
        "e:@name c,conf:@path l,listenvs@query a,listenvs-all@query h,help@query version@query"
        " showconfig@query n,notest@query x: f: root:@dir workdir: result-json: p,parallel? v q r"
    ),
}
#: Sub-commands that name what runs, and those that only look.
_VERBS = {
    "hatch": ("run",),
    "mise": ("run", "r"),
    "pdm": ("run",),
    "pixi": ("run", "r"),
    "rye": ("run",),
    "tox": ("run", "r", "run-parallel", "p", "devenv"),
}
_QUIET = {"tox": ("list", "l", "config", "c", "depends", "quickstart", "q", "exec", "e")}
#: Sub-commands of their own; any other word is a task.
_OWN = {
    "mise": frozenset(
        (
            "activate", "alias", "backends", "bin-paths", "cache", "completion", "config", "cfg",
            "current", "deactivate", "doctor", "en", "env", "e", "exec", "x", "fmt", "generate",
            "implode", "install", "i", "install-into", "latest", "link", "ln", "ls", "ls-remote",
            "outdated", "plugins", "prune", "registry", "reshim", "search", "self-update", "set",
            "settings", "shell", "sync", "tasks", "t", "test-tool", "tool", "trust", "uninstall",
            "unset", "upgrade", "up", "use", "u", "version", "watch", "where", "which",
        )
    ),
    "pdm": frozenset(
        (
            "add", "build", "cache", "completion", "config", "export", "fix", "import", "info",
            "init", "install", "list", "lock", "new", "outdated", "plugin", "publish", "py",
            "python", "remove", "search", "self", "show", "sync", "update", "use", "venv",
        )
    ),
}  # fmt: skip


def _tasks(execution: Execution, world: World) -> list[Inner]:
    """The tasks that are asked for, and a program that a runner of environments starts."""
    program = _NAMES.get(execution.program, execution.program)
    words = execution.argv
    arguments = parse(words, _OPTIONS[program], permute=program in ("nox", "task", "tox"))
    found: list[Inner] = []
    verbs = _VERBS.get(program)
    operands = list(arguments.operands[: arguments.before_dashes or None])
    first = operands[0].text if operands else ""
    started = False
    if first in _QUIET.get(program, ()):
        return []
    if verbs and first in verbs:
        started = True
        behind = parse([*operands, *arguments.operands[len(operands) :]], _OPTIONS[program])
        operands = list(behind.operands)
        if any(option.role == "query" for option in behind.options):
            return []
        arguments.options += behind.options
    elif program in _TAILS and (
        not operands or first in _OWN.get(program, ()) or not _OWN.get(program)
    ):
        return _tail(execution, world)
    if any(option.role == "query" for option in arguments.options):
        return []
    if started and program in _TAILS:
        found += _tail(execution, world)
    given, rest = _asked(program, operands)
    names: list[Word | None] = [*given]
    for option in arguments.options:
        if option.role == "name" and option.value is not None:
            names += _split(option.value)
    if program == "nox" and names:
        # `-s a b` takes several.
        names += rest
    for name in names or [None]:
        inner = InnerFile(f"{execution.program} {_shown(name)}".strip(), "tasks", known(program))
        inner.target = name
        inner.positionals = tuple(rest)
        inner.file = _file_option(arguments)
        for option in arguments.options:
            if option.role == "dir" and option.value is not None:
                inner.directory = option.value
        found.append(inner)
    return found


def _file_option(arguments: Arguments) -> Word | None:
    """The file that is named instead of the usual one."""
    for option in arguments.options:
        if option.role == "path" and option.value is not None:
            return option.value
    return None


def _asked(program: str, operands: list[Word]) -> tuple[list[Word], list[Word]]:
    """Names of tasks, and the arguments of the one that takes them."""
    if program in ("task", "invoke", "rake", "doit"):
        named = [word for word in operands if "=" not in lead(word) and lead(word)[:1] != "-"]
        return named, []
    if program == "mise":
        names, fresh = [], True
        for word in operands:
            if word.text == ":::":
                fresh = True
            elif fresh:
                names.append(word)
                fresh = False
        return names, operands[1:]
    if program in ("nox", "tox"):
        return [], operands
    return operands[:1], operands[1:]


def _split(word: Word) -> list[Word]:
    return [known(part) for part in (word.text or "").split(",") if part]


def _shown(name: Word | None) -> str:
    return (name.text or "?") if name is not None else ""


def _tail(execution: Execution, world: World) -> list[Inner]:
    """`pdm run PROGRAM …`: the runner starts any program in its environment."""
    from cc_safety_net.guard.interpret.wrappers.runners import TASK_RUNNERS

    entry = TASK_RUNNERS[execution.program]
    return apply(entry, execution.argv, 1, execution.program, execution, world)


_NAMES = {"go-task": "task", "inv": "invoke", "fab": "invoke"}
#: Runners of environments, that stand in the table of those too.
_TAILS = frozenset(("hatch", "mise", "pdm", "pixi", "rye"))


# --- scripts of packages -------------------------------------------------------------------------


def _script(execution: Execution, name: Word, package: str = "*") -> InnerFile:
    label = f"{execution.program} run {name.text or '?'}"
    return InnerFile(label, "npm", known(package), target=name)


def _in_all(execution: Execution, names: Sequence[Word]) -> list[Inner]:
    return [_script(execution, name) for name in names]


def _turbo(execution: Execution, _world: World) -> list[Inner]:
    """`turbo [run] TASK… --filter=…`: the script in every package."""
    options = "F,filter: cwd:@dir concurrency: output-logs: log-order: dry?@query graph?@query"
    arguments = parse(execution.argv, options, permute=True)
    if any(option.role == "query" for option in arguments.options):
        return []
    names = list(arguments.operands[: arguments.before_dashes])
    if names and names[0].text in ("run", "watch"):
        del names[0]
    elif names and names[0].text in ("prune", "login", "link", "ls", "query", "gen", "daemon"):
        return []
    return _in_all(execution, names)


def _lerna(execution: Execution, _world: World) -> list[Inner]:
    """`lerna run SCRIPT`, `lerna exec -- COMMAND`."""
    arguments = parse(
        execution.argv, "scope: ignore: concurrency: since? npm-client:", permute=True
    )
    operands = list(arguments.operands)
    if operands and operands[0].text == "run" and len(operands) > 1:
        return _in_all(execution, [known(t) for t in (operands[1].text or "").split(",") if t])
    if operands and operands[0].text == "exec" and len(operands) > 1:
        return [InnerArgv("lerna exec", operands[1:])]
    return []


def _nx(execution: Execution, _world: World) -> list[Inner]:
    """`nx run project:target`, `nx target project`, `nx run-many -t target`."""
    options = (
        "t,target,targets: p,projects: c,configuration: exclude: parallel? dry-run@query d@query"
    )
    arguments = parse(execution.argv, options, permute=True)
    operands = list(arguments.operands[: arguments.before_dashes])
    verb = operands[0].text if operands else ""
    names: list[tuple[str, str]] = []
    if verb == "run" and len(operands) > 1:
        whole = (operands[1].text or "").split(":")
        names = [(whole[1], whole[0])] if len(whole) > 1 else []
    elif verb in ("run-many", "affected"):
        targets = _split(arguments.value("t") or known(""))
        names = [(word.text or "", "*") for word in (*targets, *operands[1:])]
    elif verb and verb not in _NX:
        names = [(verb, (operands[1].text if len(operands) > 1 else "") or "*")]
    return [
        InnerFile(f"nx {target}", "nx", known(project), target=known(target))
        for target, project in names
        if target
    ]


_NX = frozenset(
    ("graph", "dep-graph", "list", "show", "report", "reset", "migrate", "init", "format", "sync",
     "generate", "g", "connect", "daemon", "release", "add", "import", "repair", "watch", "exec")
)  # fmt: skip


def _scripted(execution: Execution, _world: World) -> list[Inner]:
    """`nr NAME`, `rushx NAME`: a script of the package at hand."""
    arguments = parse(execution.argv, "C:@dir")
    operands = list(arguments.operands)
    if operands and execution.program in ("vlt", "wsrun") and operands[0].text == "run":
        del operands[0]
    if not operands:
        return []
    package = "*" if execution.program == "wsrun" else "."
    inner = _script(execution, operands[0], package)
    inner.positionals = tuple(word for word in operands[1:] if word.text != "--")
    inner.directory = arguments.value("C")
    return [inner]


TABLE: dict[str, Entry] = {
    "fab": _tasks,
    "go-task": _tasks,
    "hatch": _tasks,
    "inv": _tasks,
    "invoke": _tasks,
    "lerna": _lerna,
    "mise": _tasks,
    "nox": _tasks,
    "nr": _scripted,
    "nx": _nx,
    "pdm": _tasks,
    "pixi": _tasks,
    "poe": _tasks,
    "rake": _tasks,
    "rushx": _scripted,
    "rye": _tasks,
    "task": _tasks,
    "tox": _tasks,
    "turbo": _turbo,
    "vlt": _scripted,
    "wsrun": _scripted,
}
