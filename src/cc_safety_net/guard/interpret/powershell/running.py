"""Cmdlets that run something else: text, blocks, scripts, programs, now or later."""

from __future__ import annotations

from cc_safety_net.guard.interpret.accesses import touch
from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.powershell import files
from cc_safety_net.guard.interpret.powershell.files import places_of, printed, taken, words_of
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value
from cc_safety_net.guard.interpret.state import CWDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.powershell.commands import Call, Commands
    from cc_safety_net.guard.shell.powershell import nodes


def run_expression(shell: Commands, call: Call) -> Value:
    given = taken(call, "command")
    return run_text(shell, call, given, "Invoke-Expression")


def run_text(shell: Commands, call: Call, given: Value, label: str) -> Value:
    """Text that is run as PowerShell in this very session."""
    from cc_safety_net.guard.interpret.texts import run_text as run_word

    m = shell.m
    if given.block is not None:
        return shell.run_called(given.block, [], None, same_scope=True)
    if given.is_nothing:
        return NOTHING
    whole = given.joined("\n")
    saved, m.span = m.span, m.span or (call.node.start, call.node.end)
    known_part = any(isinstance(p, str) and p.strip() for choice in whole for p in choice)
    if given.more or not known_part:
        shell.opaque("eval", Value((whole,), origin=given.origin), call.execution)
    else:
        word = Word(whole, call.execution.start, call.execution.end)
        run_word(m, shell.state, word, label, how="eval", dialect="powershell", origin=given.origin)
    m.span = saved
    return printed(call)


def run_block(shell: Commands, call: Call) -> Value:
    from cc_safety_net.guard.interpret.facts import Scope

    block = call.bound.get("scriptblock", "action")
    m = shell.m
    script = call.bound.get("filepath", "literalpath")
    if not script.is_nothing:
        return _run_script(shell, call, script)
    computer = call.bound.get("computername", "hostname", "session", "vmname", "containerid")
    behind = next((value for value in call.bound.rest if value.block is not None), None)
    if block.block is None and behind is not None:  # icm server { … }
        computer, block = block, behind
    saved = m.scope
    if not computer.is_nothing and (computer.text or "").lower() not in ("localhost", ".", "::1"):
        m.scope = Scope("remote", computer.text or "?")
    out = printed(call)
    if block.block is not None:
        from cc_safety_net.guard.interpret.powershell.binding import Argument

        given = call.bound.get("argumentlist")
        arguments = [Argument(Value((item,)), call.node) for item in given.items]
        same = "nonewscope" in call.bound.on
        out = shell.run_called(block.block, arguments, call.given, same_scope=same)
    elif not block.is_nothing:
        out = run_text(shell, call, block, "Invoke-Command")
    m.scope = saved
    return out


def _run_script(shell: Commands, call: Call, script: Value) -> Value:
    """`Start-Job -FilePath x.ps1`: read from this machine, wherever it runs."""
    from cc_safety_net.guard.interpret.texts import run_inner
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

    start, end = call.execution.start, call.execution.end
    positionals = call.bound.get("argumentlist").words(start, end)
    for word in words_of(shell, call, script, wild=False):
        label = f"script {word.text or '?'}"
        inner = InnerFile(label, "powershell", word, positionals=positionals)
        run_inner(shell.m, shell.state, call.execution, inner)
    return printed(call)


def call_wmi(shell: Commands, call: Call) -> Value:
    """`Invoke-WmiMethod Win32_Process Create 'text'` starts a program."""
    bound = call.bound
    kind = bound.get("class", "classname", "path").text or ""
    if kind.lower().endswith("win32_process"):
        given = bound.get("argumentlist", "arguments")
        if given.table is not None:
            given = given.table.get("commandline", NOTHING)
        run_line(shell, call.execution, given)
    return printed(call)


def run_line(shell: Commands, execution: Execution, line: Value) -> None:
    """A program starts by its command line."""
    from cc_safety_net.guard.interpret.texts import run_inner
    from cc_safety_net.guard.interpret.wrappers.inner import InnerText

    for word in line.words(execution.start, execution.end)[:1]:
        inner = InnerText("Win32_Process", word, dialect="cmd")
        run_inner(shell.m, shell.state, execution, inner)


def remove_instance(shell: Commands, call: Call) -> Value:
    given = taken(call, "inputobject")
    if holds_snapshots(given):
        delete_snapshots(shell, call.node)
    return NOTHING


def holds_snapshots(value: Value) -> bool:
    """The objects are shadow copies of volumes."""
    return any(
        (word.text or "").lower().find("win32_shadowcopy") >= 0
        for execution in value.origin[:8]
        for word in execution.argv[1:]
    )


def delete_snapshots(shell: Commands, node: nodes.Node) -> None:
    """What `vssadmin` does by name."""
    shell.execution([known("vssadmin"), known("delete"), known("shadows")], node)


def start_process(shell: Commands, call: Call) -> Value:
    """`Start-Process rm -ArgumentList '-rf', '/etc'`; `start prog args`."""
    bound = call.bound
    target = bound.get("filepath", "execute")
    start, end = call.execution.start, call.execution.end
    argv = target.words(start, end)[:1]
    if not argv:
        return NOTHING
    arguments = bound.get("argumentlist", "argument")
    for item in arguments.items:
        text = literal(item[0]) if len(item) == 1 else None
        if text is not None:
            from cc_safety_net.guard.interpret.cmd.words import program_words

            argv.extend(known(word, start, end) for word in program_words(text))
        else:
            argv.append(Word(item, start, end))
    if arguments.more and not arguments.items:
        argv.append(Word(((Unknown("command", origin=arguments.origin),),), start, end))
    m = shell.m
    saved = (m.chain, m.span, shell.state.cwds)
    m.chain = m.linked("Start-Process")
    m.span = (start, end)
    folder = bound.get("workingdirectory")
    if not folder.is_nothing:
        shell.state.put(CWDS, places_of(shell, call, folder) or (None,))
    for name in ("redirectstandardoutput", "redirectstandarderror"):
        for word in words_of(shell, call, bound.get(name), wild=False):
            touch(shell.m, call.execution, word, "write")
    shell.program(argv, call.node)
    shell.state.put(CWDS, saved[2])
    m.chain, m.span = saved[0], saved[1]
    return NOTHING


def open_item(shell: Commands, call: Call) -> Value:
    for word in files.paths(shell, call)[0]:
        if not any(isinstance(p, Glob) for choice in word.choices for p in choice):
            if word.text is not None and "/" not in word.text:
                word = known("./" + word.text, word.start, word.end)  # noqa: PLW2901 - the same
            shell.program([word], call.node)
    return NOTHING
