"""Executions of simple command lists, without the interpreter: `cd d && A=b git … ; …`."""

from __future__ import annotations

import shlex

from tests.guard.worlds import place, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.interpret.facts import Execution, Reading, Unknown, Word, known
from cc_safety_net.guard.limits import Effort
from cc_safety_net.guard.paths import basename, join, normalise
from cc_safety_net.guard.rules.context import Context
from cc_safety_net.guard.rules.git import check_execution


def read(command: str, directory: str) -> Reading:
    reading = Reading()
    lexer = shlex.shlex(command, posix=True, punctuation_chars="&;|")
    lexer.whitespace_split = True
    cwd: str | None = directory
    after: list[Execution] = []
    env: dict[str, Word] = {}
    words: list[str] = []
    for token in [*lexer, ";"]:
        if token not in ("&&", ";", "|"):
            words.append(token)
            continue
        while words and "=" in words[0] and not words[0].startswith("-"):
            name, _, value = words.pop(0).partition("=")
            env[name] = _word(value)
        if words:
            program = basename(words[0]).removesuffix(".exe")
            argv = [_word(word) for word in words]
            execution = Execution(argv, program, (cwd,), 0, len(command), env=env, after=after)
            reading.executions.append(execution)
            after = [*after, execution] if token == "&&" else []
            if program == "cd":
                cwd = None if "$" in words[1] else normalise(join(cwd or "/", words[1]))
        words, env = [], {}
    return reading


def _word(text: str) -> Word:
    if "$" not in text:
        return known(text)
    before = text.partition("$")[0]
    unknown = Unknown("variable", text.partition("$")[2])
    return Word(((before, unknown) if before else (unknown,),))


def findings(command, world=None, level="standard", **options):
    """Ids of the rules that object at the level."""
    from cc_safety_net.guard.rules.catalogue import rule

    world = world or workspace()
    where = place()
    reading = read(command, where.directory)
    call = ToolCall("test", "Bash", "shell", {}, command=command)
    context = Context(call, where, world, reading, Effort(), **options)
    levels = ("standard", "strict", "paranoid")
    return sorted(
        {
            finding.rule
            for execution in reading.executions
            for finding in check_execution(execution, context)
            if levels.index(rule(finding.rule).level) <= levels.index(level)
        }
    )
