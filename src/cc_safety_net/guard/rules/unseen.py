"""What shows a text or a list that is not known before it is run: the *Instead* of such refusals.

Loaded for a denial only. What can't be written as a plain command gives "".
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import CodeRun, Execution, Word
    from cc_safety_net.guard.rules.context import Context

#: Longer texts would be cut in the refusal.
_LONGEST = 300
#: Stages of a pipe that are written out.
_STAGES = 8
#: Findings of one call whose suggestion is judged: only the first one is shown.
_ASKED = 4
_OPEN = frozenset(";|&<>()`\n")


#: What is said where the call's own names can't be written as a plain command.
_DEFAULTS = {
    "awk.system-dynamic": "awk 1 list.txt",
    "interpreter.dangerous-command": "echo 'write the code into a file and show it'",
    "parallel.command-stream-dynamic": "cat list.txt",
    "parallel.shell-dynamic": "cat list.txt",
    "script.opaque": "ls -la",
    "xargs.shell-dynamic": "cat list.txt",
}


def look(rule: str, code: CodeRun | None, execution: Execution | None, context: Context) -> str:
    """What shows the unknown text, list or file of a refusal instead of running it."""
    found = ""
    if rule == "interpreter.dangerous-command":
        found = shown_code((code.text.text or "").strip() if code is not None else "")
    elif rule.startswith(("xargs.", "parallel.")):
        started = execution or (code.execution if code is not None else None)
        program = rule.partition(".")[0]
        if started is not None and started.program == program:
            found = listing(started, context)
        found = found or listing_of(program, context)
    elif rule == "awk.system-dynamic" and code is not None and code.execution is not None:
        found = input_of(code.execution, context)
    elif rule == "script.opaque" and code is not None:
        found = file_of(code, context)
    elif code is not None:
        found = text_of(code, context)
    return permitted(found, context) or _DEFAULTS.get(rule, "echo 'write the command out'")


def listing(execution: Execution, context: Context) -> str:
    """What prints the list that `xargs` or `parallel` is fed."""
    for redirect in execution.redirects:
        if redirect.op == "<":
            path = as_written(redirect.target, execution, context)
            return f"cat {path}" if path else ""
    words = execution.argv
    for index, word in enumerate(words):
        text = word.text or ""
        if text in ("-a", "--arg-file", "::::") and index + 1 < len(words):
            path = as_written(words[index + 1], execution, context)
            return f"cat {path}" if path else ""
    return producers(execution.feeds, context)


def listing_of(program: str, context: Context) -> str:
    """The same for the first execution of `program`."""
    context.effort.spend(len(context.reading.executions) // 32, "what a command would show")
    for execution in context.reading.executions:
        if execution.program == program:
            return listing(execution, context)
    return ""


def producers(feeds: Sequence[Execution], context: Context) -> str:
    """The executions whose output it is, as one command."""
    stages: list[str] = []
    while len(feeds) == 1 and len(stages) < _STAGES:
        stage = _command(feeds[0], context)
        if not stage:
            return ""
        stages.insert(0, stage)
        feeds = feeds[0].feeds
    text = " | ".join(stages)
    return text if len(text) <= _LONGEST and not feeds else ""


def text_of(code: CodeRun, context: Context) -> str:
    """What prints the shell text that would be run."""
    for choice in code.text.choices:
        for piece in choice:
            if not isinstance(piece, Unknown):
                continue
            if piece.why in ("variable", "environment") and piece.name.isidentifier():
                return f"""printf '%s\\n' "${piece.name}\""""
            if piece.origin:
                return producers(piece.origin, context)
    execution = code.execution
    if execution is not None and execution.feeds:
        return producers(execution.feeds, context)
    return f"cat {quote(code.path)}" if code.path else ""


def input_of(execution: Execution, context: Context) -> str:
    """What prints the lines that awk reads."""
    from cc_safety_net.guard.interpret.options import parse

    arguments = parse(execution.argv, "F: v: f: e:")
    files = arguments.operands if arguments.has("f", "e") else arguments.operands[1:]
    names = [as_written(word, execution, context) for word in files]
    if not names:
        return producers(execution.feeds, context)
    return "" if "" in names else "awk 1 " + " ".join(names)


def file_of(code: CodeRun, context: Context) -> str:
    """What shows size, date and kind of a script that could not be read."""
    if code.path:
        return f"file {quote(code.path)}"
    execution = code.execution
    if execution is None:
        return ""
    for word in execution.argv[1:]:
        path = as_written(word, execution, context)
        if path and not path.startswith("-"):
            return f"ls -l {path}"
    return ""


def permitted(command: str, context: Context) -> str:
    """The command if the rules let it pass, else ""; asked for the first findings of a call."""
    asked = context.memo.get("unseen", 0)
    context.memo["unseen"] = asked + 1
    if not command or asked >= _ASKED:
        return ""
    from cc_safety_net.guard.rules.nested import is_denied

    return "" if is_denied(command, context) else command


def source_of(word: Word, context: Context) -> str:
    """What prints the output that a word is made from."""
    for choice in word.choices:
        for piece in choice:
            if isinstance(piece, Unknown) and piece.origin:
                return producers(piece.origin, context)
    return ""


def shown_code(text: str) -> str:
    """What prints a piece of code, for a person to look at."""
    return f"printf '%s\\n' {quote(text)}" if text and len(text) <= _LONGEST else ""


def as_written(word: Word, execution: Execution, context: Context) -> str:
    """A word for a shell: quoted, or as the call has it where it holds a variable."""
    if word.text is not None:
        return quote(word.text)
    call = context.call.command or ""
    raw = call[word.start : word.end]
    if execution.chain or execution.script or not raw or not _OPEN.isdisjoint(raw):
        return ""
    return raw


def _command(execution: Execution, context: Context) -> str:
    if execution.redirects and any(redirect.op != "<" for redirect in execution.redirects):
        return ""
    words = list(_words(execution, context))
    if not words or "" in words:
        return ""
    words += [
        "< " + as_written(redirect.target, execution, context) for redirect in execution.redirects
    ]
    return " ".join(words)


def _words(execution: Execution, context: Context) -> Iterator[str]:
    for word in execution.argv:
        yield as_written(word, execution, context)
