"""Files that get run: found, read within the limits, and handed to the reader of their language."""

from __future__ import annotations

from cc_safety_net.guard.interpret.contents import paths_of
from cc_safety_net.guard.interpret.facts import CodeRun, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.machine import Frame, Outcome
from cc_safety_net.guard.interpret.state import ARGUMENTS, ZERO, State, Variable, settle
from cc_safety_net.guard.limits import (
    INLINE_CODE_CHARACTERS,
    SCRIPT_BYTES,
    SCRIPT_DEPTH,
    SCRIPT_EFFORT,
    SCRIPT_FILES,
    SCRIPT_TOTAL_BYTES,
    SCRIPT_WORDS,
    WORDS,
    LimitReached,
)
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

_TASKS = "cc_safety_net.guard.interpret.tasks."
#: Kinds that a module of their own reads: `run(m, state, execution, inner) -> None`.
READERS: dict[str, str] = {
    "composer": _TASKS + "composer_json",
    "deno": _TASKS + "deno_json",
    "just": _TASKS + "justfile",
    "make": _TASKS + "makefile",
    "npm": _TASKS + "package_json",
    "nx": _TASKS + "nx_json",
    "python-module": _TASKS + "python_module",
    "tasks": _TASKS + "task_files",
}
_SHELLS = frozenset(("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"))
#: Interpreters of a `#!` line, and the language that they read. Others are run as commands.
_LANGUAGES = {
    "bun": "javascript",
    "expect": "expect",
    "lua": "lua",
    "luajit": "lua",
    "node": "javascript",
    "nodejs": "javascript",
    "perl": "perl",
    "php": "php",
    "python": "python",
    "ruby": "ruby",
    "tclsh": "tcl",
    "ts-node": "javascript",
    "tsx": "javascript",
    "osascript": "applescript",
    "pwsh": "powershell",
}
_DIALECTS = frozenset(("cmd", "powershell"))
#: What an interpreter runs of a directory that it is given.
_OF_DIRECTORY = {
    "go": ("main.go",),
    "python": ("__main__.py",),
    "javascript": ("index.js", "index.mjs", "index.ts"),
}
#: Extensions that an interpreter tries where there is no such file.
_EXTENSIONS = {"javascript": (".js", ".mjs", ".cjs", ".ts")}
_STDIN = frozenset(("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
_SNIFF = 1024
#: Of the files that may be read those that no module takes.
_NAMED_FILES = 4


def run_file(m: Machine, state: State, execution: Execution, inner: InnerFile) -> Outcome | None:
    """Read and run the file; its outcome if it is sourced."""
    module = READERS.get(inner.kind)
    if module is not None:
        __import__(module, fromlist=("run",)).run(m, state, execution, inner)
        return None
    if m.dialect != "posix":
        from cc_safety_net.guard.interpret.windows_paths import posix_word

        inner.path = posix_word(inner.path)
    path = inner.path
    for choice in path.choices:
        if len(choice) == 1 and isinstance(choice[0], Unknown) and choice[0] in m.substituted:
            return _run_text(m, state, execution, inner, m.substituted[choice[0]], "")
    paths = _paths(m, state, execution, path)
    ends: list[Outcome] = []
    for one in paths:
        target = state if len(paths) == 1 else State(state)
        found = _run_path(m, target, execution, inner, one)
        if found is not None:
            ends.append(found)
    if len(ends) == 1:
        return ends[0]
    if not settle(state, [s for end in ends for s in (end.ok, end.fail)] or [state]):
        return Outcome(None, None)
    return Outcome(state, state)


def _paths(m: Machine, state: State, execution: Execution, path: Word) -> list[str]:
    """Where the file may lie; a place that can't be known is opaque, a pattern what it matches."""
    found: dict[str, None] = {}
    for choice in path.choices:
        places = paths_of(state.cwds, Word((choice,)))
        if places is None and not any(isinstance(piece, Unknown) for piece in choice):
            from cc_safety_net.guard.interpret.globs import find_matches

            places = []
            for cwd in state.cwds:
                matches = find_matches(m, choice, cwd) or ()
                places += [normalise(join(cwd or "/", match)) for match in matches[:SCRIPT_FILES]]
        elif places is None and len(state.cwds) == 1 and state.cwds[0] is not None:
            places = _found(m, choice, state.cwds[0], found)
        if places is None:
            opaque(m, execution, Word((choice,), path.start, path.end), "")
        found.update(dict.fromkeys(places or ()))
    return list(found)


def _found(m: Machine, choice: Pieces, cwd: str, found: dict[str, None]) -> list[str] | None:
    """Where a file may lie that a search has found; None if it may lie elsewhere too, and what
    the text itself wrote goes into `found` then."""
    from cc_safety_net.guard.interpret.globs import find_found

    searched = any(isinstance(p, Unknown) and p.why in ("find", "input") for p in choice)
    if not searched:
        return None
    paths, complete = find_found(m, choice, cwd)
    if complete:
        return paths
    found.update(dict.fromkeys(paths))
    return None


def _run_path(
    m: Machine, state: State, execution: Execution, inner: InnerFile, path: str
) -> Outcome | None:
    if path in _STDIN:
        choices = m.input.choices if m.input is not None else None
        return _run_text(m, state, execution, inner, choices, "") if choices else None
    if path in m.descriptors:
        return _run_text(m, state, execution, inner, m.descriptors[path].choices or (), "")
    path = _file_at(m, path, inner.kind)
    written = m.files.get(path)
    if written is None and path:
        # A link to what the text wrote.
        written = m.files.get(m.world.resolve(path)) if m.files else None
    if written is not None:
        return _run_text(m, state, execution, inner, written, path)
    if not path:
        return None
    text = read(m, path)
    if text is None or "\0" in text[:_SNIFF]:
        opaque(m, execution, inner.path, path)
        return Outcome(state, state)
    return _run_text(m, state, execution, inner, ((text,),) if text else ((),), path)


def _file_at(m: Machine, path: str, kind: str) -> str:
    """The file that an interpreter takes for `path`; "" if there is none."""
    if path in m.files:
        return path
    found = m.world.kind(path)
    if found == "directory":
        names = _OF_DIRECTORY.get(kind, ())
        candidates = [join(path, name) for name in (*_main_of(m, path, kind), *names)]
    elif not found:
        candidates = [path + extension for extension in _EXTENSIONS.get(kind, ())]
    else:
        return path if found == "file" else ""
    for candidate in candidates:
        if candidate in m.files or m.world.is_file(candidate):
            return candidate
    return ""


def _main_of(m: Machine, directory: str, kind: str) -> tuple[str, ...]:
    """The file that a package of JavaScript says it begins with."""
    text = (
        m.world.text(join(directory, "package.json"), _SNIFF * 64) if kind == "javascript" else ""
    )
    if not text:
        return ()
    from cc_safety_net.guard.json_text import JsonError, decode_json

    try:
        found = decode_json(text)
    except JsonError:
        return ()
    name = found.get("main") if isinstance(found, dict) else None
    return (name, f"{name}.js", f"{name}/index.js") if isinstance(name, str) else ()


def read(m: Machine, path: str) -> str | None:
    """What the file at a path holds, None if it is over the limits or can't be read."""
    written = m.files.get(path)
    if written is not None:
        return literal(written[0]) if len(written) == 1 else None
    if path in m.scripts:
        text = m.scripts[path]
        m.effort.spend(1 + len(text or "") // 8, "a script")
        return text
    if len(m.scripts) >= SCRIPT_FILES:
        return None
    text = m.world.text(path, SCRIPT_BYTES)
    if text is not None and m.script_bytes + len(text) > SCRIPT_TOTAL_BYTES:
        text = None
    m.scripts[path] = text
    if text is not None:
        m.script_bytes += len(text)
        m.effort.spend(1 + len(text) // 8, "a script")
    return text


def nearest(m: Machine, cwds: Sequence[str | None], names: Sequence[str]) -> list[str]:
    """For each directory the first of these files, in it or the nearest above it."""
    found: dict[str, None] = {}
    for cwd in cwds:
        at = cwd or ""
        while at:
            for name in names:
                candidate = join(at, name)
                if candidate in m.files or m.world.is_file(candidate):
                    found[candidate] = None
                    break
            else:
                at = at.rpartition("/")[0] or ("/" if at != "/" else "")
                continue
            break
    return list(found)


def within(
    m: Machine,
    execution: Execution,
    named: Word,
    path: str,
    work: Callable[..., Outcome | None],
    *arguments: object,
) -> Outcome | None:
    """Do `work` with these arguments as a part of the script at `path`.

    A limit that is met in a script on disk makes the rest of it opaque; it is the call's own text
    that must be short enough to be read.
    """
    if m.script_depth >= SCRIPT_DEPTH:
        opaque(m, execution, named, path)
        return None
    on_disk = bool(path) and path not in m.files
    first = on_disk and not m.script
    saved = dict(vars(m))
    frames, calls = len(m.frames), len(m.calls)
    aside = m.effort.hold(m.effort.total // SCRIPT_EFFORT - m.script_effort) if first else 0
    before = m.effort.left
    if first:
        # The words of a script don't count for the call's own, which may follow.
        m.words = WORDS - SCRIPT_WORDS + m.script_words
    m.script_depth += 1
    if on_disk:
        m.script = path
    try:
        return work(*arguments)
    except LimitReached as caught:
        if not first or (caught.rule == "guard.time-budget" and m.effort.left >= 0):
            raise
        for name in _CONTEXT:
            setattr(m, name, saved[name])
        del m.frames[frames:], m.calls[calls:]
        opaque(m, execution, named, path)
        return None
    finally:
        m.script, m.script_depth, m.input = saved["script"], saved["script_depth"], saved["input"]
        if first:
            m.script_words = m.words - WORDS + SCRIPT_WORDS
            m.words = saved["words"]
            m.script_effort += before - m.effort.left
            m.effort.release(aside)


def take_in(
    m: Machine, execution: Execution, path: str, label: str, work: Callable[[str], object]
) -> None:
    """Hand the text of a file to `work` that running code takes in (`import`, `require`).

    It may use half of the effort that is left, so that what takes it in goes on after it; some
    files stay to be read for what the text itself names.
    """
    written = path in m.files
    kept = not written and path not in m.scripts and len(m.scripts) >= SCRIPT_FILES - _NAMED_FILES
    text = None if kept or m.script_depth >= SCRIPT_DEPTH else read(m, path)
    if text is None or "\0" in text[:_SNIFF] or len(text) > INLINE_CODE_CHARACTERS:
        opaque(m, execution, known(path, execution.start, execution.end), path)
        return
    saved = dict(vars(m))
    frames, calls = len(m.frames), len(m.calls)
    aside = m.effort.hold(m.effort.left // 2)
    m.script_depth += 1
    m.chain = m.linked(label)
    if not written:
        m.script = path
    try:
        work(text)
    except LimitReached as caught:
        if caught.rule == "guard.time-budget" and m.effort.left >= 0:
            raise
        for name in _CONTEXT:
            setattr(m, name, saved[name])
        del m.frames[frames:], m.calls[calls:]
        opaque(m, execution, known(path, execution.start, execution.end), path)
    finally:
        m.script, m.script_depth, m.chain = saved["script"], saved["script_depth"], saved["chain"]
        m.effort.release(aside)


#: The machine's fields that are put back when the reading of a script is broken off.
_CONTEXT = (
    "span", "chain", "scope", "certain", "tested", "captured", "output", "input", "feeds",
    "after", "opaque_how", "frames", "traps", "jumped", "depth", "shell_depth", "calls", "parallel",
)  # fmt: skip


def _run_text(
    m: Machine,
    state: State,
    execution: Execution,
    inner: InnerFile,
    choices: Choices | None,
    path: str,
) -> Outcome | None:
    if choices is None:
        opaque(m, execution, inner.path, path)
        return Outcome(state, state)
    text = Word(choices, execution.start, execution.end)

    def work() -> Outcome | None:
        kind = inner.kind
        command: list[Word] = []
        if kind == "executable":
            source = literal(choices[0]) or ""
            kind, command = _interpreter(source)
            m.zsh = "yes" if "zsh" in source.partition("\n")[0] else ""
        if command:
            _run_command(m, state, execution, [*command, inner.path, *inner.positionals])
        elif kind == "shell":
            return _run_shell(m, state, inner, text, path)
        elif kind in _DIALECTS:
            return _run_dialect(m, state, inner, text, kind)
        else:
            from cc_safety_net.guard.interpret.codes import run_code

            words = (inner.path, *inner.positionals)
            run_code(m, state, execution, kind, text, script=path, arguments=words)
        return None

    outcome = within(m, execution, inner.path, path, work)
    return outcome or (Outcome(state, state) if inner.same_shell else None)


def run_text_of(m: Machine, state: State, execution: Execution, text: Word, cwd: str) -> None:
    """Run a text that a program writes into a file of its own and runs, by its `#!`."""
    from cc_safety_net.guard.interpret.state import CWDS
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

    state.put(CWDS, (cwd,))
    inner = InnerFile("", "executable", known(""))
    _run_text(m, state, execution, inner, text.choices, m.script)


def _interpreter(text: str) -> tuple[str, list[Word]]:
    """What reads a file, by its `#!` line: a kind, or a command; a shell if there is none."""
    if not text.startswith("#!"):
        return "shell", []
    words = text[2:].partition("\n")[0].split()
    rest = list(words)
    while rest and rest[0].rpartition("/")[2] == "env":
        rest = rest[1:]
        while rest and (rest[0].startswith("-") or "=" in rest[0]):
            del rest[0]
    name = rest[0].rpartition("/")[2] if rest else ""
    if name in _SHELLS:
        return "shell", []
    kind = _LANGUAGES.get(name) or _LANGUAGES.get(name.rstrip("0123456789."))
    if kind:
        return kind, []
    return "", [known(word) for word in words]


def _run_command(m: Machine, state: State, execution: Execution, argv: list[Word]) -> None:
    """A `#!` line of another program (`make -f`, `awk -f`, `uv run --script`)."""
    from cc_safety_net.guard.interpret.commands import Job, run_job

    job = Job(argv, execution.start, execution.end, functions=False)
    run_job(m, state, job, None)


def _run_shell(m: Machine, state: State, inner: InnerFile, text: Word, path: str) -> Outcome:
    from cc_safety_net.guard.interpret.calls import positionals, returned
    from cc_safety_net.guard.interpret.texts import run_text

    source = Variable(inner.path.choices, items={"0": inner.path.choices}, flags="a")
    if not inner.same_shell:
        state.put(ZERO, inner.path.choices)
        state.put(ARGUMENTS, positionals(inner.positionals))
        if path:
            state.put("BASH_SOURCE", source)
        run_text(m, state, text, "", how="script", new=True)
        return Outcome(state, state)
    frame = Frame("function", state)
    layer = State(state)
    if inner.positionals:
        frame.saved[ARGUMENTS] = state.look(ARGUMENTS)
        layer.put(ARGUMENTS, positionals(inner.positionals))
    if path:
        frame.saved["BASH_SOURCE"] = state.look("BASH_SOURCE")
        layer.put("BASH_SOURCE", source)
    m.frames.append(frame)
    outcome = run_text(m, layer, text, "", how="source")
    m.frames.pop()
    return returned(state, frame, outcome)


def _run_dialect(
    m: Machine, state: State, inner: InnerFile, text: Word, dialect: str
) -> Outcome | None:
    """A batch file or a script of PowerShell, with its arguments."""
    from cc_safety_net.guard.interpret.calls import positionals
    from cc_safety_net.guard.interpret.texts import run_text

    saved = (state.look(ZERO), state.look(ARGUMENTS))
    state.put(ZERO, inner.path.choices)
    state.put(ARGUMENTS, positionals(inner.positionals))
    run_text(m, state, text, "", how="script", dialect=dialect, new=not inner.same_shell)
    if inner.same_shell:
        state.put(ZERO, saved[0])
        state.put(ARGUMENTS, saved[1])
    return None


def opaque(m: Machine, execution: Execution, path: Word, found: str) -> None:
    """Note a script that runs and can't be read, wholly or in part."""
    origin = [
        e for choice in path.choices for p in choice if isinstance(p, Unknown) for e in p.origin
    ]
    m.reading.codes.append(
        CodeRun(
            "script",
            known("", execution.start, execution.end),
            execution.start,
            execution.end,
            execution=execution,
            origin=origin,
            chain=m.chain,
            path=found,
        )
    )
