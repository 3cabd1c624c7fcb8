"""A program that is not a builtin: what it starts, what it touches, what it prints."""

from __future__ import annotations

from cc_safety_net.guard.interpret.contents import contents_of, paths_of
from cc_safety_net.guard.interpret.effects.engine import effects
from cc_safety_net.guard.interpret.facts import CodeRun, Unknown, Word
from cc_safety_net.guard.interpret.machine import Outcome
from cc_safety_net.guard.interpret.wrappers.engine import PROGRAMS, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, FileAccess
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.wrappers.inner import Inner

#: Programs whose words name files that hold lists.
_TAKES_LISTS = frozenset(("env_parallel", "gxargs", "parallel", "xargs"))
#: Programs that write their input into a file.
_COPIES = frozenset(("dd", "sponge", "tee"))
#: Programs that print only what the inner command prints.
_TRANSPARENT = frozenset(
    (
        "-",
        ".",
        "ash",
        "bash",
        "builtin",
        "busybox",
        "chrt",
        "command",
        "dash",
        "doas",
        "env",
        "eval",
        "exec",
        "flock",
        "gtimeout",
        "ionice",
        "ksh",
        "mksh",
        "nice",
        "noglob",
        "nohup",
        "parallel",
        "repeat",
        "setsid",
        "sh",
        "source",
        "stdbuf",
        "su",
        "sudo",
        "time",
        "timeout",
        "toybox",
        "xargs",
        "zsh",
    )
)


def finish(m: Machine, state: State, execution: Execution) -> Outcome:
    """Interpret what the execution hands on; fill the reading with what it touches."""
    touch(m, execution)
    if m.holes:
        note_opaque(m, execution)
    if execution.program == "git":
        _configure(m, execution)
    elif execution.program in _TAKES_LISTS:
        _read_lists(m, execution)
    inners = unwrap(execution, m.present(), _declared(m, execution))
    if not inners:
        if m.output is not None:
            _print(m, state, execution)
        return Outcome(state, state, (execution,))
    from cc_safety_net.guard.interpret.texts import run_inner

    before = len(m.reading.executions)
    outcomes: list[Outcome] = []
    for inner in inners:
        m.effort.spend(8, "a command inside a command")
        found = run_inner(m, state, execution, inner)
        if found is not None:
            outcomes.append(found)
    if execution.program not in _TRANSPARENT or not _prints_inside(inners):
        _print(m, state, execution)
    done = (execution, *m.reading.executions[before : before + 8])
    if len(outcomes) == 1:
        return Outcome(outcomes[0].ok, outcomes[0].fail, done)
    return Outcome(state, state, done)


def _declared(m: Machine, execution: Execution) -> Collection[str]:
    """The wrappers that a person or the project declares, if this program may be one."""
    if len(execution.argv) < 2 or not execution.program or execution.program in PROGRAMS:
        return ()
    if m.declared is None:
        m.declared = ()
        folders = [m.world.config, *(root + "/.cc-safety-net" for root in m.place.roots[:1])]
        if any(m.world.status(folder + "/rules/rule.json") is not None for folder in folders):
            from cc_safety_net.guard.interpret.wrappers.declared import declared

            m.declared = declared(m.world, folders)
    return m.declared


def _read_lists(m: Machine, execution: Execution) -> None:
    """What the files hold that the words name as lists."""
    from cc_safety_net.guard.interpret.wrappers.item_lists import list_files

    lists: dict[str, Word] = {}
    for word in list_files(execution):
        choices, _ = contents_of(m, execution.cwds, word)
        if word.text is not None and choices is not None:
            lists[word.text] = Word(choices, word.start, word.end)
    execution.lists = lists


def _configure(m: Machine, execution: Execution) -> None:
    """`git config` writes a file that a later git reads."""
    if any(word.text == "config" for word in execution.argv):
        from cc_safety_net.guard.interpret.git_settings import remember

        remember(m, execution)


def touch(m: Machine, execution: Execution) -> list[FileAccess]:
    """The paths that the execution reads and changes."""
    found = effects(execution, m.world)
    if found:
        m.effort.spend(4 * len(found), "the paths of a command")
        m.reading.accesses.extend(found)
        for access in found:
            if access.mode in ("write", "append", "link") and not _is_redirect(access):
                _remember(m, execution, access)
    return found


def _is_redirect(access: FileAccess) -> bool:
    return ">" in access.via


def _remember(m: Machine, execution: Execution, access: FileAccess) -> None:
    """A file that a program writes: what it then holds is known for a copy and for `tee`."""
    from cc_safety_net.guard.interpret.contents import write

    if paths_of(access.cwds, access.path) is None:
        return
    content = None
    if access.source is not None:
        content, _ = contents_of(m, access.cwds, access.source)
    elif execution.program in _COPIES and execution.stdin is not None:
        content = execution.stdin.choices
    if content is None and access.mode == "link":
        return
    if content is None:
        copied = execution.program in _COPIES
        origin = (execution, *execution.feeds) if copied else (execution,)
        content = ((Unknown("command", execution.program, origin=origin),),)
    write(m, access.cwds, access.path, content, append=access.mode == "append")


def note_opaque(m: Machine, execution: Execution) -> None:
    """A program whose name is an unknown part of a text that was parsed: the text is opaque."""
    if execution.program:
        return
    for choice in execution.argv[0].choices:
        for piece in choice:
            if isinstance(piece, Unknown) and any(piece is hole for hole in m.holes):
                m.reading.codes.append(
                    CodeRun(
                        m.opaque_how,
                        execution.argv[0],
                        execution.start,
                        execution.end,
                        execution=execution,
                        origin=piece.origin,
                        chain=execution.chain,
                    )
                )
                return


def _print(m: Machine, state: State, execution: Execution) -> None:
    if m.output is None:
        return
    from cc_safety_net.guard.interpret.outputs import output_of

    m.emit(output_of(m, state, execution))


def _prints_inside(inners: Sequence[Inner]) -> bool:
    return any(inner.label for inner in inners)
