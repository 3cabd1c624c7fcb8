"""Files that get run: found, read within the limits, and handed to the reader of their language."""

from __future__ import annotations

from cc_safety_net.guard.interpret.contents import paths_of
from cc_safety_net.guard.interpret.facts import CodeRun, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.machine import Frame, Outcome
from cc_safety_net.guard.interpret.state import ARGUMENTS, ZERO, State, settle
from cc_safety_net.guard.limits import (
    SCRIPT_BYTES,
    SCRIPT_DEPTH,
    SCRIPT_FILES,
    SCRIPT_TOTAL_BYTES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

#: Kinds that a module of their own reads: `run(m, state, execution, inner) -> None`.
READERS: dict[str, str] = {}
_SHELLS = frozenset(("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"))
#: Interpreters of a `#!` line, and the language that they read.
_LANGUAGES = {
    "awk": "awk",
    "bun": "javascript",
    "deno": "javascript",
    "expect": "expect",
    "gawk": "awk",
    "node": "javascript",
    "nodejs": "javascript",
    "perl": "perl",
    "php": "php",
    "python": "python",
    "python2": "python",
    "python3": "python",
    "ruby": "ruby",
}


def run_file(m: Machine, state: State, execution: Execution, inner: InnerFile) -> Outcome | None:
    """Read and run the file; its outcome if it is sourced."""
    module = READERS.get(inner.kind)
    if module is not None:
        from importlib import import_module

        import_module(module).run(m, state, execution, inner)
        return None
    path = inner.path
    for choice in path.choices:
        if len(choice) == 1 and isinstance(choice[0], Unknown) and choice[0] in m.substituted:
            return _run_text(m, state, execution, inner, m.substituted[choice[0]], "")
    paths = paths_of(execution.cwds, path)
    if paths is None:
        _opaque(m, execution, path, "")
        return Outcome(state, state)
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


def _run_path(
    m: Machine, state: State, execution: Execution, inner: InnerFile, path: str
) -> Outcome | None:
    if path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        choices = m.input.choices if m.input is not None else None
        return _run_text(m, state, execution, inner, choices, "") if choices else None
    written = m.files.get(path)
    if written is not None:
        return _run_text(m, state, execution, inner, written, path)
    kind = m.world.kind(path)
    if not kind and inner.same_shell and "/" not in (inner.path.text or "/"):
        return None
    if kind != "file":
        return None
    text = _read(m, path)
    if text is None:
        _opaque(m, execution, inner.path, path)
        return Outcome(state, state)
    if inner.kind == "executable" and not text.startswith("#!") and "\0" in text[:1024]:
        return None  # a program of the machine, not a script
    return _run_text(m, state, execution, inner, ((text,),) if text else ((),), path)


def _read(m: Machine, path: str) -> str | None:
    """The script's text, None if it is over the limits or can't be read."""
    if m.scripts_read >= SCRIPT_FILES or m.script_depth >= SCRIPT_DEPTH:
        return None
    text = m.world.text(path, SCRIPT_BYTES)
    if text is None or m.script_bytes + len(text) > SCRIPT_TOTAL_BYTES:
        return None
    m.scripts_read += 1
    m.script_bytes += len(text)
    m.effort.spend(1 + len(text) // 8, "a script")
    return text


def _run_text(
    m: Machine,
    state: State,
    execution: Execution,
    inner: InnerFile,
    choices: Choices | None,
    path: str,
) -> Outcome | None:
    if choices is None:
        _opaque(m, execution, inner.path, path)
        return Outcome(state, state)
    kind = inner.kind
    text = Word(choices, execution.start, execution.end)
    if kind == "executable":
        kind = _kind_of(literal(choices[0]) or "")
    if kind == "shell":
        return _run_shell(m, state, execution, inner, text, path)
    if kind:
        from cc_safety_net.guard.interpret.codes import run_code

        saved, m.script = m.script, path
        m.script_depth += 1
        run_code(
            m, state, execution, kind, text, script=path, arguments=(inner.path, *inner.positionals)
        )
        m.script_depth -= 1
        m.script = saved
    return None


def _kind_of(text: str) -> str:
    """What reads a file, by its `#!` line; a shell if there is none."""
    if not text.startswith("#!"):
        return "shell" if "\0" not in text[:1024] else ""
    words = text[2:].partition("\n")[0].split()
    while words and words[0].rpartition("/")[2] == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    name = words[0].rpartition("/")[2] if words else ""
    if name in _SHELLS:
        return "shell"
    return _LANGUAGES.get(name.rstrip("0123456789."), _LANGUAGES.get(name, ""))


def _run_shell(
    m: Machine, state: State, execution: Execution, inner: InnerFile, text: Word, path: str
) -> Outcome:
    from cc_safety_net.guard.interpret.commands import _returned, positionals
    from cc_safety_net.guard.interpret.texts import run_text

    on_disk = path not in m.files
    saved = (m.script, m.script_depth, m.input)
    if on_disk and path:
        m.script = path
    m.script_depth += 1
    if m.script_depth > SCRIPT_DEPTH:
        _opaque(m, execution, inner.path, path)
        m.script_depth -= 1
        m.script = saved[0]
        return Outcome(state, state)
    if inner.same_shell:
        frame = Frame("function", state)
        layer = State(state)
        if inner.positionals:
            frame.saved[ARGUMENTS] = state.look(ARGUMENTS)
            layer.put(ARGUMENTS, positionals(inner.positionals))
        m.frames.append(frame)
        outcome = run_text(m, layer, text, "", how="source")
        m.frames.pop()
        outcome = _returned(state, frame, outcome)
    else:
        state.put(ZERO, inner.path.choices)
        state.put(ARGUMENTS, positionals(inner.positionals))
        run_text(m, state, text, "", how="script", new=True)
        outcome = Outcome(state, state)
    m.script, m.script_depth, m.input = saved
    return outcome


def _opaque(m: Machine, execution: Execution, path: Word, found: str) -> None:
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
