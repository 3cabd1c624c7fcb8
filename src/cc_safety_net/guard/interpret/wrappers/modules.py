"""`python -m NAME`: the program that a module is, or the Python that it runs in turn."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import parse
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv, InnerCode, InnerFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.world import World

#: Module -> the program that it is.
_PROGRAMS = {
    "cc_safety_net": "cc-safety-net",
    "cc_safety_net.__main__": "cc-safety-net",
    "cc_safety_net.main": "cc-safety-net",
    "coverage": "coverage",
    "doit": "doit",
    "fabric": "fab",
    "hatch": "hatch",
    "invoke": "invoke",
    "nox": "nox",
    "pdm": "pdm",
    "pytest": "pytest",
    "pipenv": "pipenv",
    "pipx": "pipx",
    "poethepoet": "poe",
    "poetry": "poetry",
    "pre_commit": "pre-commit",
    "taskipy": "task",
    "tox": "tox",
    "uv": "uv",
}
#: Modules that run other Python -> their own options; what follows are words for `python`.
_RUNNERS = {
    "cProfile": "o: s:",
    "memory_profiler": "o: precision:",
    "pdb": "c,command:",
    "profile": "o: s:",
    "pyinstrument": "o: r: i:",
    "scalene": "outfile:",
    "trace": (
        "f,file: C,coverdir: ignore-module: ignore-dir: t,trace c,count l,listfuncs T,trackcalls"
        " r,report R,no-report s,summary g,timing missing"
    ),
    "viztracer": "o: output_file:",
}


def launcher(execution: Execution, _world: World) -> list[Inner]:
    """`py -3.12 …`: the version stands first."""
    words = list(execution.argv)
    while len(words) > 1 and (words[1].text or "").lstrip("-V:")[:1].isdigit():
        del words[1]
    return [InnerArgv("py", [known("python"), *words[1:]])]


def module(label: str, name: Word, rest: Sequence[Word]) -> list[Inner]:
    """What the module runs; one of the project is read as a file."""
    text = name.text or ""
    if text in _PROGRAMS:
        return [InnerArgv(label, [known(_PROGRAMS[text], name.start, name.end), *rest])]
    if text == "runpy":
        return [InnerArgv(label, [known("python"), known("-m"), *rest])]
    if text == "timeit":
        return _timed(rest)
    if text in _RUNNERS:
        arguments = parse([name, *rest], _RUNNERS[text] + " m,module!")
        behind = arguments.operands
        inner = arguments.value("m")
        if inner is not None:
            behind = [known("-m"), inner, *behind]
        return [InnerArgv(f"{label} {text}", [known("python"), *behind])] if behind else []
    return [InnerFile(label, "python-module", name, positionals=rest)]


def coverage(execution: Execution, _world: World) -> list[Inner]:
    """`coverage run [-m] X`: what it measures is run."""
    words = execution.argv
    if len(words) < 3 or words[1].text != "run":
        return []
    options = "m!@mode=module rcfile: source: include: omit: data-file: context: concurrency: p"
    arguments = parse(words, options, start=2)
    name = arguments.value("m")
    if name is not None:
        return module("coverage run -m", name, arguments.operands)
    return [InnerArgv("coverage run", [known("python"), *arguments.operands])]


def _timed(rest: Sequence[Word]) -> list[Inner]:
    arguments = parse([known("timeit"), *rest], "n,number: r,repeat: s,setup: u,unit: p v h@query")
    setups = [option.value for option in arguments.options if option.name == "s" and option.value]
    return [InnerCode("timeit", "python", word) for word in (*setups, *arguments.operands)]
