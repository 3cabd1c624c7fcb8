"""Builtins that change the shell or whose outcome is known."""

from __future__ import annotations

from cc_safety_net.guard.interpret import programs, variables
from cc_safety_net.guard.interpret.calls import jump, positionals
from cc_safety_net.guard.interpret.directory import cd, dirs, popd, pushd
from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.inputs import read, read_lines
from cc_safety_net.guard.interpret.machine import Frame, Outcome
from cc_safety_net.guard.interpret.state import ARGUMENTS, FUNCTIONS, OPTIONS, Variable
from cc_safety_net.guard.interpret.values import (
    EMPTY,
    unknown_choice,
    without_nul,
)
from cc_safety_net.guard.shell.posix import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.facts import Execution, Pieces, Word
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

    Node: TypeAlias = "nodes.SimpleCommand | None"
    Builtin: TypeAlias = Callable[[Machine, State, Execution, Node], Outcome]

_SET_LETTERS = {"e": "errexit", "f": "noglob", "a": "allexport", "x": "xtrace"}


def _plain(m: Machine, state: State, execution: Execution, _node: Node) -> Outcome:
    return programs.finish(m, state, execution)


def _true(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    programs.touch(m, execution)
    del node
    return Outcome(state, None, (execution,))


def _false(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    programs.touch(m, execution)
    del node, m
    return Outcome(None, state)


def _output(m: Machine, state: State, execution: Execution, _node: Node) -> Outcome:
    """`echo`, `printf`, `pwd`: they print and succeed."""
    found = programs.finish(m, state, execution)
    words = execution.argv
    if execution.program == "printf" and len(words) > 2 and words[1].text == "-v":
        _printf_variable(m, state, execution)
    return Outcome(found.ok, None, found.done)


def _printf_variable(m: Machine, state: State, execution: Execution) -> None:
    from cc_safety_net.guard.interpret.outputs import formatted

    name = execution.argv[2].text
    if name is None or not variables.is_name(name.partition("[")[0]):
        return
    value = tuple(without_nul(choice) for choice in formatted(execution.argv[3:]))
    base, bracket, rest = name.partition("[")
    variables.assign(m, state, base, value, key=rest.rstrip("]") if bracket else None)


# --- variables -----------------------------------------------------------------------------------


def _declare(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    """`declare`, `typeset`, `local`, `export`, `readonly` and their options."""
    programs.finish(m, state, execution)
    program = execution.program
    on = {"export": "x", "readonly": "r"}.get(program, "")
    off = ""
    names: list[tuple[Word, nodes.Assignment | None]] = []
    sources = _nodes_of(execution, node)
    functions = False
    options = True
    for word, source in zip(execution.argv[1:], sources, strict=True):
        text = word.text
        if options and text is not None and text[:1] in "-+" and len(text) > 1 and source is None:
            if text == "--":
                options = False
            elif text[0] == "+" or (program == "export" and "n" in text):
                off += text[1:].replace("n", "x" if program == "export" else "n")
            else:
                on += "".join(c for c in text[1:] if c in "aAgilnrux")
                functions = functions or "f" in text
            continue
        names.append((word, source))
    for word, source in names:
        _declare_one(m, state, program, word, source, on, off, functions=functions)
    return Outcome(state, state if program == "local" else None, (execution,))


def _nodes_of(execution: Execution, node: Node) -> list[nodes.Assignment | None]:
    """The assignment that each word was written as, where words and nodes still correspond."""
    count = len(execution.argv) - 1
    if node is not None and len(node.words) == count + 1:
        return [w if isinstance(w, nodes.Assignment) else None for w in node.words[1:]]
    return [None] * count


def _declare_one(
    m: Machine,
    state: State,
    program: str,
    word: Word,
    source: nodes.Assignment | None,
    on: str,
    off: str,
    *,
    functions: bool,
) -> None:
    name, value, append = _split_assignment(word)
    if source is not None:
        name = source.name
    if not name or not variables.is_name(name.partition("[")[0]):
        return
    if functions:
        if program == "export" or "x" in on:
            state.put(FUNCTIONS, (*(state.look(FUNCTIONS) or ()), name))
        return
    frame = _function_frame(m)
    local = program in ("local", "declare", "typeset") and "g" not in on
    on = on.replace("g", "")
    if frame is not None and local and name not in frame.saved:
        frame.saved[name] = state.look(name)
        bare = value is None and source is None
        state.put(name, Variable((None,), flags=on) if bare else None)
    if source is not None and isinstance(source.value, nodes.ArrayLiteral):
        from cc_safety_net.guard.interpret.declarations import assign_literal

        assign_literal(m, state, source, flags=on)
        return
    if append and value is not None:
        variables.declare(m, state, name, on, off)
        variables.assign(m, state, name, value, append=True)
        return
    if source is not None and source.index is not None:
        from cc_safety_net.guard.interpret.declarations import assign_node

        variables.declare(m, state, name, on, off)
        assign_node(m, state, source)
        return
    variables.declare(m, state, name, on, off, value)


def _function_frame(m: Machine) -> Frame | None:
    for frame in reversed(m.frames):
        if frame.kind == "function":
            return frame
    return None


def _split_assignment(word: Word) -> tuple[str, tuple[Pieces, ...] | None, bool]:
    """(name, value or None, `+=`) of an operand."""
    values: list[Pieces] = []
    name = ""
    append = False
    for choice in word.choices:
        head = choice[0] if choice and isinstance(choice[0], str) else ""
        name, equals, rest = head.partition("=")
        if not equals:
            return (name if len(choice) == 1 else ""), None, False
        append = name.endswith("+")
        name = name.rstrip("+")
        values.append((rest, *choice[1:]) if rest else choice[1:])
    return name, tuple(values) or EMPTY, append


def _unset(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    functions = references = False
    for word in execution.argv[1:]:
        text = word.text
        if text is None:
            continue
        if text.startswith("-"):
            functions, references = "f" in text, "n" in text
            continue
        name, bracket, key = text.partition("[")
        known_name = variables.is_name(name)
        if functions or (
            not bracket
            and (not known_name or state.look(name) is None)
            and state.look("(" + name) is not None
        ):
            state.put("(" + name, None)
        elif references and known_name:
            state.put(text, Variable((None,)))
        elif known_name:
            variables.unset(state, name, key.rstrip("]").strip("'\"") if bracket else None)
            if name in ("HOME", "TMPDIR"):
                m.reading.reassigned.add(name)
    return Outcome(state, None, (execution,))


def _set(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    programs.touch(m, execution)
    words = execution.argv[1:]
    index = 0
    replaced = False
    while index < len(words):
        text = words[index].text
        if text == "--":
            index += 1
            replaced = True
            break
        if text is None or text[:1] not in ("-", "+") or len(text) < 2:
            replaced = text != "-" or len(words) > index + 1
            index += text == "-"
            break
        names = [_SET_LETTERS[c] for c in text[1:] if c in _SET_LETTERS]
        if "o" in text[1:]:
            index += 1
            option = words[index].text if index < len(words) else None
            names.append(option or "")
        _switch(state, names, on=text[0] == "-")
        index += 1
        if "xtrace" in names and text[0] == "-":
            trace(m, state)
    if replaced:
        state.put(ARGUMENTS, positionals(words[index:]))
    return Outcome(state, None, (execution,))


def trace(m: Machine, state: State) -> None:
    """`set -x`: the text's own `$PS4` is expanded before each command that follows."""
    if state.look("PS4") is not None:
        from cc_safety_net.guard.interpret.transformations import expand_prompt

        expand_prompt(m, state, "PS4")


def _switch(state: State, names: list[str], *, on: bool) -> None:
    current = state.look(OPTIONS) or ()
    if on:
        state.put(OPTIONS, tuple(dict.fromkeys((*current, *names))))
    else:
        state.put(OPTIONS, tuple(option for option in current if option not in names))


def _shopt(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node, m
    words = [word.text or "" for word in execution.argv[1:]]
    names = [word for word in words if not word.startswith("-")]
    if any(word.startswith("-") and "s" in word for word in words):
        _switch(state, names, on=True)
    elif any(word.startswith("-") and "u" in word for word in words):
        _switch(state, names, on=False)
    return Outcome(state, state, (execution,))


def _shift(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    count: int | None = 1
    if len(execution.argv) > 1:
        text = execution.argv[1].text
        count = int(text) if text is not None and text.isdigit() else None
    shapes: list[tuple[Choices, ...] | None] = []
    fails = False
    for shape in state.look(ARGUMENTS) or ((),):
        if shape is None or count is None:
            shapes.append(None)
            fails = True
        elif count > len(shape):
            shapes.append(shape)
            fails = True
        else:
            shapes.append(shape[count:])
    state.put(ARGUMENTS, tuple(dict.fromkeys(shapes)))
    m.effort.spend(1 + sum(len(shape or ()) for shape in shapes), "shift")
    if fails and len(shapes) == 1 and shapes[0] is not None:
        return Outcome(None, state)
    return Outcome(state, state if fails else None, (execution,))


def _getopts(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    """One turn of getopts: any of its letters, with any of the parameters as the argument."""
    del node
    if len(execution.argv) > 2:
        letters, name = execution.argv[1].text, execution.argv[2].text
        if name is not None and variables.is_name(name):
            options = [c for c in letters or "" if c.isalnum()]
            value = tuple((c,) for c in [*options, "?"]) if letters is not None else None
            variables.assign(m, state, name, value or unknown_choice("input", name))
        found: list[Pieces] = []
        for shape in state.look(ARGUMENTS) or ((),):
            if shape is None:
                found.extend(unknown_choice("argument", "OPTARG"))
            else:
                found.extend(choice for item in shape for choice in item)
        variables.assign(m, state, "OPTARG", tuple(found) or EMPTY)
        variables.assign(
            m, state, "OPTIND", unknown_choice("variable", "OPTIND", may_be_empty=False)
        )
    return Outcome(state, state, (execution,))


def _let(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    from cc_safety_net.guard.interpret.integers import evaluate_text

    value: int | None = None
    for word in execution.argv[1:]:
        text = word.text
        value = evaluate_text(m, state, text) if text is not None else None
    if value is None:
        return Outcome(state, state, (execution,))
    return Outcome(state, None, (execution,)) if value else Outcome(None, state)


# --- aliases, jumps and the rest -----------------------------------------------------------------


def _alias(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    kind = ""
    for word in execution.argv[1:]:
        texts = word.texts
        if texts is None or len(texts) != 1:
            continue
        if texts[0] in ("-g", "-s"):  # zsh: in any place of a command; by the end of its name
            kind = texts[0] + " "
            m.zsh_aliases = True
            continue
        name, equals, value = texts[0].partition("=")
        if equals and name and name[0] != "-":
            state.put("=" + kind + name, (value,))
            m.aliases.add(name)
    return Outcome(state, state, (execution,))


def _unalias(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node, m
    names = [word.text or "" for word in execution.argv[1:]]
    if "-a" in names:
        names = [key[1:] for key in state.names() if key.startswith("=")]
    for name in names:
        state.put("=" + name, None)
    return Outcome(state, state, (execution,))


def _hash(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    """`hash -p PATH NAME`: the name stands for that program from now on."""
    del node
    words = execution.argv
    if len(words) > 3 and words[1].text == "-p":
        for word in words[3:]:
            if word.text is not None and words[2].text is not None:
                state.put("=" + word.text, (_quoted(words[2].text),))
                m.aliases.add(word.text)
    elif len(words) > 2 and words[1].text == "-d":
        # zsh: `~name` is that directory.
        for word in words[2:]:
            name, equals, directory = (word.text or "").partition("=")
            if equals and name:
                state.put("~" + name, (directory,))
                m.named = True
    return Outcome(state, state, (execution,))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _exit(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    jump(m, state, "shell", 1, _status(execution))
    return Outcome(None, None)


def _return(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    if _function_frame(m) is None:
        return Outcome(state, state, (execution,))
    jump(m, state, "function", 1, _status(execution))
    return Outcome(None, None)


def _status(execution: Execution) -> bool | None:
    if len(execution.argv) < 2:
        return None
    text = execution.argv[1].text
    return int(text) % 256 == 0 if text is not None and text.isascii() and text.isdigit() else None


def _break(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    del node
    count = 1
    if len(execution.argv) > 1:
        text = execution.argv[1].text
        count = int(text[:6]) if text is not None and text.isascii() and text.isdigit() else 1
    loops = 0
    for frame in reversed(m.frames):
        if frame.kind == "function":
            break
        loops += frame.kind == "loop"
    if not loops:
        return Outcome(state, None, (execution,))
    jump(m, state, execution.program, max(1, min(count, loops)), None)
    return Outcome(None, None)


def _exec(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    """`exec PROGRAM` ends the shell; with redirections alone they hold for what follows."""
    before = len(m.reading.executions)
    outcome = programs.finish(m, state, execution)
    del node
    if len(execution.argv) == 1:
        from cc_safety_net.guard.interpret.descriptors import opened

        m.keeps = True
        m.kept = opened(m, state.cwds, execution.redirects)
    if len(m.reading.executions) == before or state.option("execfail"):
        return Outcome(state, state, outcome.done)
    jump(m, state, "shell", 1, None)
    return Outcome(None, None)


def _test(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    programs.finish(m, state, execution)
    from cc_safety_net.guard.interpret.conditions import filled_where, single_bracket

    found = single_bracket(m, state, execution)
    if found is None and node is not None:
        return filled_where(m, state, node.words[1:], (execution,))
    return Outcome(
        None if found is False else state, None if found is True else state, (execution,)
    )


def _trap(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    """`trap - SIGNAL` and `trap SIGNAL` take the command away; the rest is an inner text."""
    words = [word.text for word in execution.argv[1:] if word.text != "--"]
    if words and (words[0] in ("-", "") or len(words) == 1):
        for word in words[1:] or words:
            name = (word or "").upper().removeprefix("SIG")
            m.traps.pop("EXIT" if name == "0" else name, None)
        programs.touch(m, execution)
        return Outcome(state, None, (execution,))
    return _plain(m, state, execution, node)


def _typed(m: Machine, state: State, execution: Execution, node: Node) -> Outcome:
    """`enable`, `bind`, `umask` and the like: they change nothing that is followed here."""
    del node
    programs.touch(m, execution)
    return Outcome(state, state, (execution,))


def _inherits(choice: Pieces) -> bool:
    return any(isinstance(piece, Unknown) for piece in choice) or literal(choice) is not None


BUILTINS: dict[str, Builtin] = {
    ".": _plain,
    ":": _true,
    "[": _test,
    "alias": _alias,
    "break": _break,
    "cd": cd,
    "chdir": cd,
    "continue": _break,
    "declare": _declare,
    "dirs": dirs,
    "echo": _output,
    "exec": _exec,
    "exit": _exit,
    "export": _declare,
    "false": _false,
    "getopts": _getopts,
    "hash": _hash,
    "let": _let,
    "local": _declare,
    "logout": _exit,
    "mapfile": read_lines,
    "popd": popd,
    "printf": _output,
    "pushd": pushd,
    "pwd": _output,
    "read": read,
    "readarray": read_lines,
    "readonly": _declare,
    "return": _return,
    "set": _set,
    "shift": _shift,
    "shopt": _shopt,
    "test": _test,
    "trap": _trap,
    "true": _true,
    "typeset": _declare,
    "unalias": _unalias,
    "unset": _unset,
}
