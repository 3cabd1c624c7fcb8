"""Simple commands: assignments, aliases, functions, builtins and programs."""

from __future__ import annotations

from cc_safety_net.guard.interpret import variables, words
from cc_safety_net.guard.interpret.calls import call
from cc_safety_net.guard.interpret.facts import (
    Execution,
    Redirection,
    Unknown,
    Word,
    known,
    literal,
)
from cc_safety_net.guard.interpret.machine import Outcome
from cc_safety_net.guard.interpret.redirects import Surroundings, redirections
from cc_safety_net.guard.interpret.state import EXPORTED, INHERITED, State, Variable, settle
from cc_safety_net.guard.interpret.values import choices_of, unite, unknown_choice
from cc_safety_net.guard.shell.posix import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cc_safety_net.guard.interpret.flow import Function
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices

#: Programs that one word in front of a command may stand for.
_PROGRAMS = 16
#: Builtins that see a prefix assignment as a variable.
_SEES_PREFIX = frozenset(
    (".", "cd", "command", "eval", "mapfile", "pushd", "read", "readarray", "source")
)
_TRUSTED = ("HOME", "TMPDIR")
_NOTHING: Mapping[str, Word] = {}


class Job:
    """A command that is ready to run: its words and what surrounds them."""

    __slots__ = ("argv", "end", "env", "functions", "redirects", "start")

    def __init__(
        self,
        argv: Sequence[Word],
        start: int,
        end: int,
        *,
        env: Mapping[str, Word] | None = None,
        redirects: Sequence[Redirection] = (),
        functions: bool = True,
    ) -> None:
        self.argv = argv
        self.start = start
        self.end = end
        self.env: Mapping[str, Word] = env or _NOTHING
        self.redirects = redirects
        self.functions = functions


def run_simple(m: Machine, node: nodes.SimpleCommand, state: State) -> Outcome:
    if not node.words:
        return _without_words(m, node, state)
    if m.zsh_aliases:
        from cc_safety_net.guard.interpret.aliases import with_global

        replaced = with_global(m, node, state)
        if replaced is not None:
            return m.run_script(m, replaced, state)
    if m.aliases:
        from cc_safety_net.guard.interpret.aliases import replacement

        script = replacement(m, node, state)
        if script is not None:
            m.enter("an alias")
            outcome = m.run_script(m, script, state)
            m.depth -= 1
            return outcome
    broken, m.broken = m.broken, False
    env = _prefix(m, node, state) if node.assignments else _NOTHING
    shapes = _arguments(m, node, state, env)
    redirects = redirections(m, state, node.redirects) if node.redirects else ()
    if m.broken:
        shapes = [*shapes, []]
    m.broken = broken
    start, end = m.span_of(node)
    if len(shapes) == 1 and shapes[0] and shapes[0][0].text is not None:
        job = Job(shapes[0], start, end, env=env, redirects=redirects)
        return run_job(m, state, job, node)
    jobs: list[Job | None] = []
    for shape in shapes:
        if not shape:
            jobs.append(None)
            continue
        jobs.extend(
            Job(argv, start, end, env=env, redirects=redirects) for argv in _by_program(m, shape)
        )
    if len(jobs) == 1:
        only = jobs[0]
        return _without_words(m, node, state) if only is None else run_job(m, state, only, node)
    return _one_of(m, state, jobs, node)


def _one_of(
    m: Machine, state: State, jobs: Sequence[Job | None], node: nodes.SimpleCommand
) -> Outcome:
    """One of several readings of the same command is right."""
    certain, output = m.certain, m.output
    m.certain = False
    ends: list[State | None] = []
    outputs: list[Choices | None] = []
    for job in jobs:
        m.output = output
        layer = State(state)
        outcome = Outcome(layer, layer) if job is None else run_job(m, layer, job, node)
        ends.extend((outcome.ok, outcome.fail))
        outputs.append(m.output)
    m.certain = certain
    if output is not None:
        m.output = unite([choice for one in outputs for choice in one or ()])
    return Outcome(state, state) if settle(state, ends) else Outcome(None, None)


def _by_program(m: Machine, argv: list[Word]) -> list[list[Word]]:
    """One list for each program that the first word may name."""
    first = argv[0]
    if len(first.choices) == 1:
        if literal(first.choices[0]) is None:
            return _matched(m, argv)
        return [argv]
    out = []
    for choice in first.choices[:_PROGRAMS]:
        word = Word((choice,), first.start, first.end, splits=first.splits)
        out.extend(_matched(m, [word, *argv[1:]]))
    return out


def _matched(m: Machine, argv: list[Word]) -> list[list[Word]]:
    """A program named by a pattern (`/bin/r?`) is what the pattern matches on this machine."""
    from cc_safety_net.guard.interpret.globs import find_matches

    if literal(argv[0].choices[0]) is not None:
        return [argv]
    found = find_matches(m, argv[0].choices[0])
    if not found:
        return [argv]
    start, end = argv[0].start, argv[0].end
    return [[*(known(path, start, end) for path in found), *argv[1:]]]


def _prefix(m: Machine, node: nodes.SimpleCommand, state: State) -> dict[str, Word]:
    """Assignments in front of a command."""
    env: dict[str, Word] = {}
    for assignment in node.assignments:
        start, end = m.span_of(assignment)
        if isinstance(assignment.value, nodes.ArrayLiteral):
            continue
        value = words.single(m, state, assignment.value, assigned=True)
        if assignment.append:
            from cc_safety_net.guard.interpret.values import concat

            value = concat(choices_of(variables.settings(m, state, assignment.name)), value)
        env[assignment.name] = Word(value, start, end)
        if assignment.name in ("HOME", "TMPDIR"):
            m.reading.reassigned.add(assignment.name)
    return env


def _arguments(
    m: Machine, node: nodes.SimpleCommand, state: State, env: Mapping[str, Word]
) -> list[list[Word]]:
    layer = state
    for name in _TRUSTED if env else ():
        if name in env:
            # The words see the old value; a reader who takes the new one for it must be safe too.
            layer = State(state) if layer is state else layer
            old = choices_of(variables.settings(m, state, name))
            layer.put(name, Variable(unite([*old, *env[name].choices])))
    plain: list[nodes.Word] = []
    for word in node.words:
        if isinstance(word, nodes.Assignment):
            break
        plain.append(word)
    else:
        return words.fields(m, layer, plain)
    from cc_safety_net.guard.interpret.declarations import operands

    return operands(m, layer, node.words)


def _without_words(m: Machine, node: nodes.SimpleCommand, state: State) -> Outcome:
    """Assignments and redirections alone."""
    from cc_safety_net.guard.interpret.declarations import assign_node

    before = len(m.reading.executions)
    for assignment in node.assignments:
        assign_node(m, state, assignment)
        if assignment.name == "PS4" and state.option("xtrace"):
            from cc_safety_net.guard.interpret.builtins import trace

            trace(m, state)
    if node.redirects:
        start, end = m.span_of(node)
        if m.captured and not node.assignments and len(node.redirects) == 1:
            _emit_file(m, state, node.redirects[0])
        job = Job(
            (known(":", start, end),),
            start,
            end,
            redirects=redirections(m, state, node.redirects),
            functions=False,
        )
        return run_job(m, state, job, node)
    if len(m.reading.executions) > before or any(
        _has_substitution(a.value) for a in node.assignments
    ):
        return Outcome(state, state, m.reading.executions[-1:])
    return Outcome(state, None)


def _emit_file(m: Machine, state: State, redirect: nodes.Redirect) -> None:
    """`$(< file)` prints the file."""
    if redirect.op != "<":
        return
    from cc_safety_net.guard.interpret.contents import contents_of

    choices, origin = contents_of(m, state.cwds, words.target(m, state, redirect.target))
    m.emit(choices or ((Unknown("command", "<", origin=origin),),))


def _has_substitution(value: nodes.Word | nodes.ArrayLiteral) -> bool:
    if isinstance(value, nodes.ArrayLiteral):
        return True
    return any(isinstance(part, nodes.CommandSub) for part in value.parts)


# --- redirections --------------------------------------------------------------------------------


def redirected(
    m: Machine,
    node: nodes.Compound,
    state: State,
    body: Callable[[State], Outcome],
) -> Outcome:
    """Run a compound command's body inside its redirections."""
    if not node.redirects:
        return body(state)
    start, end = m.span_of(node)
    redirects = redirections(m, state, node.redirects)
    job = Job((known(":", start, end),), start, end, redirects=redirects, functions=False)
    before = len(m.reading.accesses)
    run_job(m, state, job, None)
    for access in m.reading.accesses[before:]:
        if access.mode == "truncate":
            access.mode = "write"  # the body may print
    with_output = Surroundings(m, state, redirects)
    outcome = body(state)
    with_output.leave(m)
    return outcome


# --- running -------------------------------------------------------------------------------------


def run_job(m: Machine, state: State, job: Job, node: nodes.SimpleCommand | None) -> Outcome:
    """Run one command with its redirections."""
    m.count_words(len(job.argv))
    m.effort.spend(8 + len(job.argv), "a command")
    surroundings = Surroundings(m, state, job.redirects) if job.redirects else None
    name = job.argv[0].text
    outcome = None
    if name in m.functions and job.functions:
        assert name is not None
        found = state.look("(" + name)
        if found is not None:
            outcome = _call_one_of(m, state, job, found)
    if outcome is None:
        outcome = _run_program(m, state, job, node)
    if surroundings is not None:
        surroundings.leave(m)
    return outcome


def _run_program(m: Machine, state: State, job: Job, node: nodes.SimpleCommand | None) -> Outcome:
    from cc_safety_net.guard.interpret.builtins import BUILTINS
    from cc_safety_net.guard.interpret.programs import finish

    execution = execution_of(m, state, job)
    m.reading.executions.append(execution)
    last = job.argv[-1]
    builtin = BUILTINS.get(execution.program) if execution.program == job.argv[0].text else None
    if builtin is None:
        outcome = finish(m, state, execution)
    else:
        saved = _bind_prefix(state, job) if execution.program in _SEES_PREFIX else ()
        outcome = builtin(m, state, execution, node)
        for name, value in saved:
            for end in {outcome.ok, outcome.fail, state}:
                if end is not None:
                    end.put(name, value)
    m.last = last.choices
    return outcome


def _bind_prefix(state: State, job: Job) -> list[tuple[str, object]]:
    saved = []
    for name, word in job.env.items():
        saved.append((name, state.look(name)))
        state.put(name, Variable(word.choices, flags="x"))
    return saved


def execution_of(m: Machine, state: State, job: Job) -> Execution:
    text = job.argv[0].text
    program = "" if text is None else program_name(text)
    if m.dialect != "posix" and text is not None:
        program = program_name(text.replace("\\", "/")).lower()
        if program == "find" and _is_of_windows(job.argv):
            program = "findstr"
    exported = environment(m, state)
    env = {**exported, **job.env} if exported and job.env else exported or job.env
    stdin = None
    if m.input is not None and m.input.choices is not None:
        choices = m.input.choices
        if any(not piece_is_bare(choice) for choice in choices):
            stdin = Word(choices, job.start, job.end)
    return Execution(
        job.argv,
        program,
        state.cwds,
        job.start,
        job.end,
        env=env,
        stdin=stdin,
        redirects=job.redirects,
        chain=m.chain,
        scope=m.scope,
        dialect=m.dialect,
        after=m.after,
        feeds=m.feeds,
        captured=m.captured,
        script=m.script,
        certain=m.certain,
        bare=m.bare,
    )


def piece_is_bare(choice: tuple[object, ...]) -> bool:
    """Nothing of the choice is known."""
    return len(choice) == 1 and not isinstance(choice[0], str)


#: Extensions of programs that Windows lets one leave out.
_EXECUTABLE = frozenset((".exe", ".cmd", ".com"))


def _is_of_windows(argv: Sequence[Word]) -> bool:
    """`find "text" file` of Windows searches text; the other one has options with a dash."""
    return len(argv) > 1 and not any((word.text or "").startswith("-") for word in argv[1:])


def program_name(text: str) -> str:
    if text[:1] == "=":
        text = text[1:]  # zsh: `=rm` is the path of rm
    name = text.rstrip("/").rpartition("/")[2] if "/" in text else text
    return name[:-4] if name[-4:].lower() in _EXECUTABLE and len(name) > 4 else name


def environment(m: Machine, state: State) -> Mapping[str, Word]:
    """Exported variables that the text has set."""
    names = state.look(EXPORTED)
    if not names:
        return _NOTHING
    env: dict[str, Word] = {}
    m.effort.spend(1 + len(names), "the environment")
    words = m.exports
    for name in names:
        plain = name.lstrip("?")
        variable = state.look(plain)
        if variable is None:
            continue
        before = words.get(name)
        if before is None or before[0] is not variable:
            choices = choices_of(variables.settings(m, state, plain))
            if plain != name:
                choices = unite([*choices, *unknown_choice("environment", plain)])
            before = (variable, Word(choices))
            if not variable.target and INHERITED not in variable.settings:
                words[name] = before
        env[plain] = before[1]
    return env


# --- functions -----------------------------------------------------------------------------------


def _call_one_of(
    m: Machine, state: State, job: Job, found: Sequence[Function | None]
) -> Outcome | None:
    if len(found) == 1:
        function = found[0]
        if function is None:
            return None
        return call(m, state, function, job.argv[1:], job.argv[0], job)
    certain = m.certain
    m.certain = False
    ends: list[State | None] = []
    for function in found:
        layer = State(state)
        if function is None:
            outcome = _run_program(m, layer, job, None)
        else:
            outcome = call(m, layer, function, job.argv[1:], job.argv[0], job)
        ends.extend((outcome.ok, outcome.fail))
    m.certain = certain
    return Outcome(state, state) if settle(state, ends) else Outcome(None, None)


def run_traps(m: Machine, state: State) -> None:
    """Run what `trap` has set for the end of the shell."""
    from cc_safety_net.guard.interpret.texts import run_text

    traps, m.traps = m.traps, {}
    for trap in traps.values():
        span, m.span = m.span, trap.span
        run_text(m, State(state), trap.text, trap.label, how="eval")
        m.span = span
