"""The cmdlets that matter, by name: what each of them does with its parameters."""

from __future__ import annotations

from cc_safety_net.guard.interpret.accesses import touch
from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.powershell import files, running, values
from cc_safety_net.guard.interpret.powershell.binding import all_paths
from cc_safety_net.guard.interpret.powershell.files import places_of, printed, taken, words_of
from cc_safety_net.guard.interpret.powershell.paths import (
    below,
    leaf_of,
    narrowed,
    parent_of,
    path_words,
)
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value
from cc_safety_net.guard.interpret.powershell.variables import current_directory, set_variable
from cc_safety_net.guard.interpret.state import CWDS, STACK
from cc_safety_net.guard.interpret.values import unite
from cc_safety_net.guard.limits import BRANCH_STATES
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.powershell.commands import Call, Commands

#: Verbs of cmdlets; any name `Verb-Noun` with one of these is no program.
_VERBS = frozenset(
    (
        "add", "approve", "assert", "backup", "block", "checkpoint", "clear", "close", "compare",
        "complete", "compress", "confirm", "connect", "convert", "convertfrom", "convertto",
        "copy", "debug", "deny", "disable", "disconnect", "dismount", "edit", "enable", "enter",
        "exit", "expand", "export", "find", "foreach", "format", "get", "grant", "group", "hide",
        "import", "initialize", "install", "invoke", "join", "limit", "lock", "measure", "merge",
        "mount", "move", "new", "open", "optimize", "out", "ping", "pop", "protect", "publish",
        "push", "read", "receive", "redo", "register", "remove", "rename", "repair", "request",
        "reset", "resize", "resolve", "restart", "restore", "resume", "revoke", "save", "search",
        "select", "send", "set", "show", "skip", "sort", "split", "start", "step", "stop",
        "submit", "suspend", "switch", "sync", "tee", "test", "trace", "unblock", "undo",
        "uninstall", "unlock", "unprotect", "unpublish", "unregister", "update", "use", "wait",
        "watch", "where", "write",
    )
)  # fmt: skip


def is_cmdlet(name: str) -> bool:
    """`Verb-Noun`, in lower case, without a path."""
    verb, dash, noun = name.partition("-")
    return bool(dash) and verb in _VERBS and noun.isalnum()


def run(shell: Commands, call: Call) -> Value:
    handler = HANDLERS.get(call.name)
    found = handler(shell, call) if handler is not None else _other(shell, call)
    name = call.bound.get("outvariable").text
    if name:
        set_variable(shell.state, name.lstrip("+"), found)
    return found


def _other(_shell: Commands, call: Call) -> Value:
    """A cmdlet that no table knows: it may hand on what comes in."""
    before = call.given.origin if call.given is not None else ()
    origin = (*before, call.execution)
    piece = Unknown("command", call.name, origin=origin)
    return Value((((piece,),),), more=True, origin=origin)


def _pass(_shell: Commands, call: Call) -> Value:
    return taken(call, "inputobject")


def _nothing(_shell: Commands, _call: Call) -> Value:
    return NOTHING


def _write(shell: Commands, call: Call) -> Value:
    found = taken(call, "inputobject", "object")
    for value in call.bound.rest:
        found = values.both(found, value)
    if call.name == "write-output" and shell.m.captured:
        return found
    shell.show(found, call.node)
    return found if call.name == "write-output" else NOTHING


# --- directories ---------------------------------------------------------------------------------


def _set_location(shell: Commands, call: Call) -> Value:
    target = all_paths(call.bound)
    if target.is_nothing and call.given is not None:
        target = call.given
    if call.name == "push-location":
        stack = shell.state.look(STACK)
        if stack is not None:
            shell.state.put(STACK, (shell.state.cwds, *stack))
    elif target.is_nothing:
        target = values.known(shell.m.place.home)
    if not target.is_nothing:
        reached = places_of(shell, call, target)
        if reached:
            shell.state.put(CWDS, reached)
    return NOTHING


def _pop_location(shell: Commands, _call: Call) -> Value:
    stack = shell.state.look(STACK)
    if stack:
        shell.state.put(CWDS, stack[0])
        shell.state.put(STACK, stack[1:])
    elif stack is None:
        shell.state.put(CWDS, (None,))
    return NOTHING


def _get_location(shell: Commands, _call: Call) -> Value:
    return Value((current_directory(shell.state),))


# --- paths ---------------------------------------------------------------------------------------


def _join_path(_shell: Commands, call: Call) -> Value:
    found = below(taken(call, "path"), call.bound.get("childpath"))
    for more in (call.bound.get("additionalchildpath"), *call.bound.rest):
        if not more.is_nothing:
            for item in more.items:
                found = below(found, Value((item,)))
    return found


def _split_path(_shell: Commands, call: Call) -> Value:
    given = taken(call, "path", "literalpath")
    if {"leaf", "leafbase", "extension"} & call.bound.on:
        return leaf_of(given)
    return parent_of(given) if "qualifier" not in call.bound.on else printed(call)


def _resolve_path(shell: Commands, call: Call) -> Value:
    given = taken(call, "path", "literalpath")
    items = []
    for item in given.items:
        choices: list[Pieces] = []
        for choice in item:
            text = literal(choice)
            if text is not None and len(shell.state.cwds) == 1 and shell.state.cwds[0]:
                words = path_words(Value(((choice,),)), shell.m.place.home, 0, 0)
                path = words[0].text if words else None
                if path is not None:
                    choices.append((normalise(join(shell.state.cwds[0], path)),))
                    continue
            choices.append(choice)
        items.append(values.without_empty(unite(choices)) if choices else item)
    return Value(items, more=given.more, kind="file", origin=given.origin, found=given.found)


def _test_path(shell: Commands, call: Call) -> Value:
    for word in files.paths(shell, call)[0]:
        touch(shell.m, call.execution, word, "metadata")
    return values.unknown("command", call.name, may_be_empty=False)


def _get_command(shell: Commands, call: Call) -> Value:
    """`& (gcm Remove-Item)`: the command by its name, or by a pattern of those that are known."""
    from cc_safety_net.guard.interpret.powershell.binding import ALIASES

    out: list[Pieces] = []
    for item in taken(call, "name").items:
        for choice in item:
            text = literal(choice)
            if text is None or not set(text) & set("*?["):
                out.append(choice)
                continue
            from cc_safety_net.guard.interpret.patterns import Pattern

            effort = shell.m.effort
            pattern = Pattern(text.lower(), effort)
            names = [*HANDLERS, *ALIASES]
            out.extend((name,) for name in names if pattern.matches(name, effort))
    return Value((tuple(out[:BRANCH_STATES]),)) if out else printed(call)


def _for_each(shell: Commands, call: Call) -> Value:
    bound = call.bound
    given = call.given if call.given is not None else bound.get("inputobject")
    blocks = [bound.get(name).block for name in ("begin", "process", "parallel", "end")]
    blocks[2:3] = [blocks[2], *(value.block for value in bound.rest)]
    name = bound.get("membername", "process").text
    if name is not None and not any(blocks):
        from cc_safety_net.guard.interpret.powershell.methods import call_on

        return call_on(shell, given, name, [], call.node)
    out = NOTHING
    if blocks[0] is not None:
        out = shell.run_block(blocks[0], {}, same_scope=True)
    for block in blocks[1:-1]:
        if block is not None:
            body = block
            out = values.both(
                out,
                shell.for_each(
                    given,
                    lambda item, body=body: shell.run_block(  # type: ignore[misc]
                        body, {}, given=item, same_scope=True
                    ),
                ),
            )
    if blocks[-1] is not None:
        out = values.both(out, shell.run_block(blocks[-1], {}, same_scope=True))
    return out


def _where(shell: Commands, call: Call) -> Value:
    given = call.given if call.given is not None else call.bound.get("inputobject")
    block = call.bound.get("filterscript").block
    if block is not None:
        saved, shell.m.captured = shell.m.captured, True
        shell.for_each(
            Value(given.items[:1], kind=given.kind, origin=given.origin),
            lambda item: shell.run_block(block, {}, given=item, same_scope=True),
        )
        shell.m.captured = saved
    return narrowed(given)


def _web(shell: Commands, call: Call) -> Value:
    for word in words_of(shell, call, call.bound.get("outfile", "destination"), wild=False):
        touch(shell.m, call.execution, word, "write")
        from cc_safety_net.guard.interpret.contents import write

        piece = Unknown("command", call.name, origin=(call.execution,))
        write(shell.m, call.execution.cwds, word, ((piece,),), append=False)
    for word in words_of(shell, call, call.bound.get("infile"), wild=False):
        touch(shell.m, call.execution, word, "read")
    found = printed(call)
    return Value(found.items, origin=found.origin, kind="client")


# --- names ---------------------------------------------------------------------------------------


def _set_variable(shell: Commands, call: Call) -> Value:
    name = call.bound.get("name").text
    value = call.bound.get("value")
    if value.is_nothing and call.given is not None:
        value = call.given
    if name:
        set_variable(shell.state, name, value)
    return NOTHING


def _get_variable(shell: Commands, call: Call) -> Value:
    from cc_safety_net.guard.interpret.powershell.variables import read_variable

    name = call.bound.get("name").text
    return read_variable(shell.m, shell.state, name.lower()) if name else printed(call)


def _set_alias(shell: Commands, call: Call) -> Value:
    name, value = call.bound.get("name").text, call.bound.get("value").text
    if name and value:
        shell.state.put("=" + name.lower(), (value,))
    return NOTHING


def _set_item(shell: Commands, call: Call) -> Value:
    """`Set-Item env:X value`; the file system takes none."""
    from cc_safety_net.guard.interpret.powershell.variables import set_environment

    text = all_paths(call.bound).text or ""
    drive, _, name = text.partition(":")
    if drive.lower() == "env" and name:
        set_environment(shell.m, shell.state, name.strip("\\/"), call.bound.get("value"))
    elif drive.lower() == "variable" and name:
        set_variable(shell.state, name.strip("\\/"), call.bound.get("value"))
    return NOTHING


def _new_object(_shell: Commands, call: Call) -> Value:
    name = (call.bound.get("typename").text or "").lower().removeprefix("system.")
    given = call.bound.get("argumentlist")
    for value in call.bound.rest:
        given = values.both(given, value)
    if name in ("io.fileinfo", "io.directoryinfo"):
        return Value(given.items, kind="file", origin=given.origin)
    if name.endswith("processstartinfo"):
        texts = [Value((item,)) for item in given.items]
        return Value(table=dict(zip(("filename", "arguments"), texts, strict=False)))
    if name.startswith(("net.webclient", "net.http.httpclient")):
        return Value((((known_client(),),),), kind="client", origin=(call.execution,))
    if not call.bound.get("comobject").is_nothing:
        return Value((((known_client(),),),), kind="com", origin=(call.execution,))
    return printed(call)


def known_client() -> Unknown:
    return Unknown("command", "New-Object", may_be_empty=False)


def _text_lines(_shell: Commands, call: Call) -> Value:
    given = taken(call, "inputobject")
    return Value((given.joined("\n"),), origin=given.origin) if not given.more else given


HANDLERS: dict[str, Callable[[Commands, Call], Value]] = {
    "remove-item": files.remove,
    "clear-content": files.clear,
    "set-content": files.set_content,
    "add-content": files.set_content,
    "out-file": files.set_content,
    "tee-object": files.tee,
    "export-csv": files.export,
    "export-clixml": files.export,
    "expand-archive": files.export,
    "compress-archive": files.export,
    "get-content": files.read,
    "import-csv": files.read,
    "import-clixml": files.read,
    "get-filehash": files.read,
    "format-hex": files.read,
    "select-string": files.search_text,
    "get-childitem": files.list_children,
    "get-item": files.get_item,
    "get-itemproperty": files.get_item,
    "new-item": files.new_item,
    "mkdir": files.new_item,
    "copy-item": files.copy_or_move,
    "move-item": files.copy_or_move,
    "rename-item": files.copy_or_move,
    "set-acl": files.permissions,
    "select-object": files.some_of,
    "where-object": _where,
    "sort-object": _pass,
    "foreach-object": _for_each,
    "write-output": _write,
    "write-host": _write,
    "write-verbose": _nothing,
    "write-debug": _nothing,
    "write-warning": _nothing,
    "write-error": _nothing,
    "write-progress": _nothing,
    "out-null": _nothing,
    "out-host": _pass,
    "out-default": _pass,
    "out-string": _text_lines,
    "join-path": _join_path,
    "split-path": _split_path,
    "resolve-path": _resolve_path,
    "convert-path": _resolve_path,
    "test-path": _test_path,
    "set-location": _set_location,
    "push-location": _set_location,
    "pop-location": _pop_location,
    "get-location": _get_location,
    "invoke-expression": running.run_expression,
    "invoke-command": running.run_block,
    "start-job": running.run_block,
    "start-threadjob": running.run_block,
    "start-process": running.start_process,
    "invoke-item": running.open_item,
    "invoke-webrequest": _web,
    "invoke-restmethod": _web,
    "start-bitstransfer": _web,
    "set-variable": _set_variable,
    "new-variable": _set_variable,
    "get-variable": _get_variable,
    "get-command": _get_command,
    "register-scheduledjob": running.run_block,
    "register-engineevent": running.run_block,
    "register-objectevent": running.run_block,
    "new-scheduledtaskaction": running.start_process,
    "invoke-wmimethod": running.call_wmi,
    "invoke-cimmethod": running.call_wmi,
    "remove-wmiobject": running.remove_instance,
    "remove-ciminstance": running.remove_instance,
    "get-alias": _get_command,
    "set-alias": _set_alias,
    "new-alias": _set_alias,
    "set-item": _set_item,
    "new-object": _new_object,
    "measure-command": _for_each,
    "start-sleep": _nothing,
    "clear-host": _nothing,
}
