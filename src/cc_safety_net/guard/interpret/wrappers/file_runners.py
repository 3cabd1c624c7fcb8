"""Programs that load files of the project as code: test runners, servers, builders."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import lead, parse
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv, InnerFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx")
#: Program -> (language, endings of operands that are run, files that are loaded in any case).
_LOADING: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "ava": ("javascript", _SCRIPTS, ("ava.config.js", "ava.config.mjs")),
    "eslint": ("javascript", (), ("eslint.config.js", "eslint.config.mjs", ".eslintrc.js")),
    "forever": ("javascript", _SCRIPTS, ()),
    "grunt": ("javascript", (), ("Gruntfile.js",)),
    "gulp": ("javascript", (), ("gulpfile.js", "gulpfile.mjs")),
    "jasmine": ("javascript", _SCRIPTS, ()),
    "jest": ("javascript", _SCRIPTS, ("jest.config.js", "jest.config.ts", "jest.config.mjs")),
    "kernprof": ("python", (".py",), ()),
    "mocha": ("javascript", _SCRIPTS, (".mocharc.js", ".mocharc.cjs")),
    "phpunit": ("php", (".php",), ()),
    "playwright": ("javascript", _SCRIPTS, ("playwright.config.ts", "playwright.config.js")),
    "pm2": ("javascript", _SCRIPTS, ()),
    "prove": ("perl", (".t", ".pl"), ()),
    "pytest": ("python", (".py",), ("conftest.py",)),
    "rackup": ("ruby", (".ru",), ("config.ru",)),
    "rollup": ("javascript", (), ("rollup.config.js", "rollup.config.mjs")),
    "rspec": ("ruby", (".rb",), ("spec/spec_helper.rb",)),
    "streamlit": ("python", (".py",), ()),
    "tap": ("javascript", _SCRIPTS, ()),
    "torchrun": ("python", (".py",), ()),
    "vite": ("javascript", (), ("vite.config.ts", "vite.config.js", "vite.config.mjs")),
    "vitest": ("javascript", _SCRIPTS, ("vitest.config.ts", "vitest.config.js")),
    "webpack": ("javascript", (), ("webpack.config.js", "webpack.config.ts")),
}
#: What a server takes for its application if none is named.
_DEFAULT_APPLICATIONS = ("app", "wsgi")
_FILES = 8


def _loads(execution: Execution, _world: World) -> list[Inner]:
    """The files among the operands, and the program's own file of settings."""
    program = execution.program
    language, endings, settings = _LOADING[program]
    words = execution.argv[1:]
    if any(word.text in ("--version", "--help", "-h") for word in words):
        return []
    found: list[Inner] = [
        InnerFile(f"{program} {name}", language, known(name)) for name in settings
    ]
    for index, word in enumerate(words):
        # `tests/test_a.py::test_one` names one test of a file.
        name = (word.text or "").partition("::")[0]
        if name.startswith("-") or not name.endswith(endings or ("\0",)):
            continue
        label = f"script {name}"
        file = known(name, word.start, word.end)
        found.append(InnerFile(label, language, file, positionals=words[index + 1 :]))
        if len(found) > _FILES or program in ("kernprof", "streamlit", "torchrun"):
            break
    return found


def _application(execution: Execution, _world: World) -> list[Inner]:
    """`uvicorn module:name`, `celery -A module`, `FLASK_APP=module flask run`."""
    words = execution.argv[1:]
    names: list[Word] = []
    for before, word in zip([known(""), *words], words, strict=False):
        text = word.text or ""
        if before.text in ("-A", "--app") or (":" in text and not text.startswith("-")):
            names.append(word)
        elif text.startswith("--app="):
            names.append(known(text[6:], word.start, word.end))
    given = execution.env.get("FLASK_APP")
    if given is not None:
        names.append(given)
    if not names and execution.program == "flask":
        names = [known(name) for name in _DEFAULT_APPLICATIONS]
    found: list[Inner] = []
    for name in names:
        module = (name.text or "").partition(":")[0].removesuffix(".py").replace("/", ".")
        if module:
            word = known(module, name.start, name.end)
            found.append(InnerFile(f"{execution.program} {module}", "python-module", word))
    return found


def _pip(execution: Execution, _world: World) -> list[Inner]:
    """`pip install FOLDER` runs the folder's `setup.py`."""
    operands = parse(
        execution.argv, "r: c: t: i: f: e,editable: target: prefix: index-url:"
    ).operands
    if not operands or operands[0].text not in ("install", "wheel"):
        return []
    found: list[Inner] = []
    for word in execution.argv[2:]:
        text = (word.text or "").partition("[")[0].rstrip("/")
        if text == "." or (text.startswith((".", "/")) and "://" not in text):
            file = known(f"{text}/setup.py", word.start, word.end)
            found.append(InnerFile("pip setup.py", "python", file))
    return found


def _behind_dashes(execution: Execution, _world: World) -> list[Inner]:
    """`py-spy record -- command`, `watchmedo auto-restart -- command`."""
    words = execution.argv
    for index, word in enumerate(words):
        if word.text == "--" and words[index + 1 :]:
            return [InnerArgv(execution.program, words[index + 1 :])]
    return []


def _accelerate(execution: Execution, _world: World) -> list[Inner]:
    """`accelerate launch script`."""
    words = execution.argv[1:]
    if not words or words[0].text != "launch":
        return []
    for index, word in enumerate(words):
        if lead(word)[:1] != "-" and (word.text or "").endswith(".py"):
            rest = words[index + 1 :]
            return [InnerFile(f"script {word.text}", "python", word, positionals=rest)]
    return []


TABLE: dict[str, Entry] = {
    **dict.fromkeys(_LOADING, _loads),
    "accelerate": _accelerate,
    "celery": _application,
    "flask": _application,
    "gunicorn": _application,
    "hypercorn": _application,
    "mpiexec": ("n: np: N: c: host: hostfile: H: x: wdir:@dir oversubscribe", "tail"),
    "mpirun": ("n: np: N: c: host: hostfile: H: x: wdir:@dir oversubscribe", "tail"),
    "pip": _pip,
    "py-spy": _behind_dashes,
    "uvicorn": _application,
    "watchmedo": _behind_dashes,
}
