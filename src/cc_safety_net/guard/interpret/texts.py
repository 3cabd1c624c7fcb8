"""Commands inside commands: the forms in which `wrappers` hands them over, run here."""

from __future__ import annotations

from cc_safety_net.guard.interpret import commands
from cc_safety_net.guard.interpret.calls import positionals
from cc_safety_net.guard.interpret.commands import Job
from cc_safety_net.guard.interpret.facts import CodeRun, Unknown, Word, literal
from cc_safety_net.guard.interpret.machine import Frame, Input, Outcome, Trap
from cc_safety_net.guard.interpret.state import (
    ARGUMENTS,
    CWDS,
    EXPORTED,
    FUNCTIONS,
    OPTIONS,
    ZERO,
    State,
    Variable,
    settle,
)
from cc_safety_net.guard.interpret.values import TEXT_CHARACTERS, unite
from cc_safety_net.guard.interpret.wrappers.inner import (
    InnerArgv,
    InnerCode,
    InnerFile,
    InnerStdin,
    InnerText,
)
from cc_safety_net.guard.limits import SHELL_DEPTH, LimitReached
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.interpret.wrappers.inner import Inner

#: Wrappers whose command runs in the calling shell.
_SAME_SHELL = frozenset(("builtin", "command", "exec", "nocorrect", "noglob"))
_SHELLS = frozenset(("ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"))


def run_inner(m: Machine, state: State, execution: Execution, inner: Inner) -> Outcome | None:
    """Run one inner command; its outcome if it is the outcome of the outer one, else None."""
    saved = (m.chain, m.scope, m.input, m.feeds, m.span, m.base, m.bare, m.zsh)
    m.enter("a command inside a command")
    m.chain = m.linked(inner.label)
    m.span = (execution.start, execution.end)
    m.bare = m.bare or inner.clear_env
    if inner.scope is not None:
        m.scope = inner.scope
    if not inner.stdin:
        m.input, m.feeds = None, ()
    if not isinstance(inner, InnerArgv) and not getattr(inner, "same_shell", False):
        m.zsh = "yes" if execution.program == "zsh" else ""
    outcome = None
    if isinstance(inner, InnerArgv):
        outcome = _run_argv(m, state, execution, inner)
    elif isinstance(inner, InnerText):
        outcome = _run_inner_text(m, state, execution, inner)
    elif isinstance(inner, InnerStdin):
        _run_stdin(m, state, execution, inner)
    elif isinstance(inner, InnerCode):
        from cc_safety_net.guard.interpret.codes import run_code

        run_code(m, _child(m, state, execution, inner), execution, inner.language, inner.text)
    elif isinstance(inner, InnerFile):
        from cc_safety_net.guard.interpret.scripts import run_file

        target = state if inner.same_shell else _child(m, state, execution, inner)
        outcome = run_file(m, target, execution, inner)
        outcome = outcome if inner.same_shell else None
    m.chain, m.scope, m.input, m.feeds, m.span, m.base, m.bare, m.zsh = saved
    m.depth -= 1
    return outcome


#: Redirections of standard input.
_FROM = frozenset(("<", "<>"))

# --- argument lists ------------------------------------------------------------------------------


def _run_argv(m: Machine, state: State, execution: Execution, inner: InnerArgv) -> Outcome | None:
    if not inner.argv:
        return None
    same = execution.program in _SAME_SHELL and not inner.clear_env
    target = state if same else _layer(m, state, execution, inner)
    env = dict(inner.env) if inner.clear_env else {**execution.env, **inner.env}
    # The inner program reads what the wrapper's input is redirected from.
    fed = [r for r in execution.redirects if r.op in _FROM and r.fd in (None, 0)]
    start, end = _span(execution, inner.argv)
    job = Job(
        inner.argv,
        start,
        end,
        env=env,
        redirects=fed if inner.stdin else (),
        functions=False,
    )
    outcome = commands.run_job(m, target, job, None)
    if same and execution.program != "exec":
        return outcome
    ok = None if outcome.ok is None and outcome.fail is not None else state
    fail = None if outcome.fail is None and outcome.ok is not None else state
    return Outcome(ok, fail, outcome.done)


def _span(execution: Execution, argv: Sequence[Word]) -> tuple[int, int]:
    """From the first to the last inner word, where they stand in this order in the outer one."""
    start, end = argv[0].start, argv[-1].end
    if execution.start <= start < end <= execution.end:
        return start, end
    return execution.start, execution.end


def _layer(m: Machine, state: State, execution: Execution, inner: Inner) -> State:
    """The state for a program that is started from this one: what it changes is lost."""
    layer = State(state)
    if inner.clear_env:
        layer.put(EXPORTED, ())
    if inner.directory is not None:
        layer.put(CWDS, moved(execution.cwds, inner.directory))
    del m
    return layer


def moved(cwds: Sequence[str | None], directory: Word) -> tuple[str | None, ...]:
    """The directories that `directory` leads to from `cwds`."""
    out: list[str | None] = []
    for choice in directory.choices:
        text = literal(choice)
        for cwd in cwds:
            if text is None or (cwd is None and not text.startswith("/")):
                out.append(None)
            else:
                out.append(normalise(join(cwd or "/", text)))
    return tuple(dict.fromkeys(out))


def _child(m: Machine, state: State, execution: Execution, inner: Inner) -> State:
    """The state of a new shell: only what is exported is left."""
    child = State()
    env = dict(inner.env) if inner.clear_env else {**execution.env, **inner.env}
    m.effort.spend(1 + len(env), "the environment")
    for name, word in env.items():
        child.put(name, Variable(word.choices, flags="x"))
        if name.startswith("BASH_FUNC_"):
            _import_function(m, child, name, word)
    child.put(EXPORTED, tuple(env))
    cwds = state.cwds
    child.put(CWDS, cwds if inner.directory is None else moved(execution.cwds, inner.directory))
    child.put(ARGUMENTS, ((),))
    if execution.program in _SHELLS:
        on = [name for letter, name in _LETTERS if _has_letter(execution, letter)]
        shared = env["SHELLOPTS"].text if "SHELLOPTS" in env else None
        on += (shared or "").split(":") if shared else ()
        if on:
            child.put(OPTIONS, tuple(on))
        prompts = [name for name, option in _PROMPTS if name in env and option in on]
        if prompts:
            from cc_safety_net.guard.interpret.transformations import expand_prompt

            for name in prompts:
                expand_prompt(m, child, name)
    for name in state.look(FUNCTIONS) or ():
        child.put("(" + name, state.look("(" + name))
    return child


#: Letters of a shell's own options that are followed.
_LETTERS = (("e", "errexit"), ("x", "xtrace"), ("i", "interactive"))
#: Prompts, and the option with which they are shown.
_PROMPTS = (("PS4", "xtrace"), ("PS0", "interactive"), ("PS1", "interactive"))


def _import_function(m: Machine, child: State, name: str, word: Word) -> None:
    """`BASH_FUNC_x%%=() { …; }` in the environment: bash defines the function."""
    text = word.text
    name = name.removeprefix("BASH_FUNC_").removesuffix("%%").removesuffix("()")
    if text is not None and text.startswith("() {"):
        from cc_safety_net.guard.interpret.sources import run_source

        run_source(m, child, f"{name} {text}")


def _has_letter(execution: Execution, letter: str) -> bool:
    for word in execution.argv[1:]:
        text = word.text
        if text is None or text[:1] != "-":
            break
        if text[1:2] != "-" and letter in text:
            return True
    return False


# --- texts ---------------------------------------------------------------------------------------


def _run_inner_text(
    m: Machine, state: State, execution: Execution, inner: InnerText
) -> Outcome | None:
    if execution.program == "trap":
        _set_trap(m, execution, inner)
        return Outcome(state, None)
    place = m.written_at(inner.text) if inner.dialect == "posix" else None
    if place is not None:
        m.span, m.base = None, place
    if inner.same_shell:
        return run_text(m, state, inner.text, "", how=inner.how, dialect=inner.dialect)
    child = _child(m, state, execution, inner)
    bind(child, inner.positionals)
    outcome = run_text(m, child, inner.text, "", how=inner.how, dialect=inner.dialect, new=True)
    ok = None if outcome.ok is None and outcome.fail is not None else state
    fail = None if outcome.fail is None and outcome.ok is not None else state
    return Outcome(ok, fail, outcome.done)


def _set_trap(m: Machine, execution: Execution, inner: InnerText) -> None:
    operands = [w.text or "" for w in execution.argv[1:] if w.text not in ("--", "-p", "-l")]
    signals = [_signal(name) for name in operands[1:]] or ["EXIT"]
    for signal in signals:
        if inner.text.text in ("", "-"):
            m.traps.pop(signal, None)
        else:
            span = (execution.start, execution.end)
            m.traps[signal] = Trap(inner.text, inner.label, span)


def _signal(name: str) -> str:
    name = name.upper().removeprefix("SIG")
    return "EXIT" if name == "0" else name


def bind(state: State, words: Sequence[Word]) -> None:
    """`$0`, `$1`, … of a new shell."""
    if words:
        state.put(ZERO, words[0].choices)
        state.put(ARGUMENTS, positionals(words[1:]))


def _run_stdin(m: Machine, state: State, execution: Execution, inner: InnerStdin) -> None:
    given = m.input
    if given is None:
        return
    choices = given.choices
    if choices is None:
        choices = ((Unknown("input", origin=given.origin),),)
    text = Word(choices, execution.start, execution.end)
    child = _child(m, state, execution, inner)
    if inner.language == "make":
        from cc_safety_net.guard.interpret.tasks.makefile import run_text as run_makefile

        m.input = None
        run_makefile(m, child, execution, choices, inner.positionals)
        return
    if inner.language != "shell":
        from cc_safety_net.guard.interpret.codes import run_code

        m.input = None
        run_code(m, child, execution, inner.language, text)
        return
    child.put(ARGUMENTS, positionals(inner.positionals))
    m.input, m.feeds = None, ()
    origin = given.origin
    run_text(m, child, text, "", how="shell-input", dialect=inner.dialect, origin=origin, new=True)


def run_text(
    m: Machine,
    state: State,
    text: Word,
    label: str,
    *,
    how: str,
    dialect: str = "posix",
    origin: Sequence[Execution] = (),
    new: bool = False,
) -> Outcome:
    """Run a text in `state` as a shell does; `new`: the state is that of a new shell."""
    saved = (m.chain, m.shell_depth, m.frames, m.traps, m.opaque_how, m.jumped, m.certain, m.tested)
    if label:
        m.chain = m.linked(label)
    m.shell_depth += 1
    if m.shell_depth > SHELL_DEPTH:
        raise LimitReached("guard.input-limit", f"more than {SHELL_DEPTH} shells in one another")
    m.opaque_how = how
    if new:
        m.frames, m.traps, m.tested = [], {}, False
    ends: list[Outcome] = []
    for choice in text.choices:
        layer = state if len(text.choices) == 1 else State(state)
        ends.append(_run_choice(m, layer, choice, text, how, dialect, origin))
        if new:
            commands.run_traps(m, layer)
    m.chain, m.shell_depth, traps, m.opaque_how = saved[0], saved[1], m.traps, saved[4]
    m.frames = saved[2]
    m.traps = saved[3] if new else traps
    if new:
        m.jumped, m.certain = saved[5], saved[6]
    m.tested = saved[7]
    if len(ends) == 1:
        return ends[0]
    if not settle(state, [s for end in ends for s in (end.ok, end.fail)]):
        return Outcome(None, None)
    return Outcome(state, state)


def _run_choice(
    m: Machine,
    state: State,
    choice: Pieces,
    word: Word,
    how: str,
    dialect: str,
    origin: Sequence[Execution],
) -> Outcome:
    source = None if how == "encoded" else _source(m, choice)
    if source is None:
        _opaque(m, Word((choice,), word.start, word.end), how, origin)
        return Outcome(state, state)
    if dialect != "posix":
        from cc_safety_net.guard.interpret.dialects import run_dialect

        return run_dialect(m, state, source, dialect, how)
    from cc_safety_net.guard.interpret.sources import run_source

    return run_source(m, state, source)


def _source(m: Machine, choice: Pieces) -> str | None:
    """The text with a character for each unknown part; None if nothing of it is known."""
    out = []
    for piece in choice:
        if isinstance(piece, str):
            out.append(piece)
        elif isinstance(piece, Unknown):
            out.append(m.hole(piece))
        else:
            out.append(piece.text)
    source = "".join(out).replace("\0", "")
    if len(source) > TEXT_CHARACTERS:
        return None
    if choice and not any(isinstance(p, str) and p.strip() for p in choice):
        return None
    return source


def _opaque(m: Machine, word: Word, how: str, origin: Sequence[Execution]) -> None:
    for choice in word.choices:
        for piece in choice:
            if isinstance(piece, Unknown) and piece.origin:
                origin = (*origin, *(e for e in piece.origin if e not in origin))
    start, end = m.span or (word.start, word.end)
    execution = m.reading.executions[-1] if m.reading.executions else None
    m.reading.codes.append(
        CodeRun(how, word, start, end, execution=execution, origin=origin, chain=m.chain)
    )


def shell_frame(m: Machine, state: State) -> Frame:
    frame = Frame("shell", state)
    m.frames.append(frame)
    return frame


def as_input(choices: Choices) -> Input:
    return Input(unite(choices))
