"""Cmdlets that read, write, list, copy, move and delete files."""

from __future__ import annotations

from cc_safety_net.guard.interpret import contents
from cc_safety_net.guard.interpret.accesses import touch
from cc_safety_net.guard.interpret.facts import Glob, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.powershell import values
from cc_safety_net.guard.interpret.powershell.binding import all_paths
from cc_safety_net.guard.interpret.powershell.paths import below, listed, narrowed, path_words
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value
from cc_safety_net.guard.interpret.values import concat, text_choice
from cc_safety_net.guard.interpret.windows_paths import reach
from cc_safety_net.guard.limits import BRANCH_STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.powershell.commands import Call, Commands
    from cc_safety_net.guard.interpret.values import Choices


def words_of(shell: Commands, call: Call, value: Value, *, wild: bool = True) -> list[Word]:
    home = shell.m.place.home
    return path_words(value, home, call.execution.start, call.execution.end, wild=wild)


def paths(shell: Commands, call: Call) -> tuple[list[Word], bool]:
    """(paths that are named or come through the pipe, they come through it)."""
    bound = call.bound
    found = words_of(shell, call, bound.get("path"))
    found += words_of(shell, call, bound.get("literalpath"), wild=False)
    piped = not found and call.given is not None
    if piped and call.given is not None:
        found = words_of(shell, call, call.given, wild=call.given.kind != "file")
    filters = [literal(c) for item in bound.get("filter", "include").items for c in item]
    if filters and not piped:
        found = [_filtered(word, filters) for word in found]
    return found, piped


def _filtered(word: Word, filters: list[str | None]) -> Word:
    """`-Include *.log` behind `dir\\*` takes those names only."""
    choices = []
    for choice in word.choices:
        last = choice[-1] if choice else ""
        base = choice[:-1] if isinstance(last, Glob) and last.text == "*" else None
        for text in filters:
            if base is None or text is None:
                choices.append(choice)
            else:
                from cc_safety_net.guard.interpret.windows_paths import posix_pieces

                choices.append((*base, *posix_pieces((text,), wild=True)))
    return Word(choices, word.start, word.end)


def remove(shell: Commands, call: Call) -> Value:
    found, piped = paths(shell, call)
    recursive = "recurse" in call.bound.on or any("r" in n for n in call.bound.strange)
    if "whatif" in call.bound.on:
        return NOTHING
    searched = piped and call.given is not None and call.given.found
    for word in found:
        touch(
            shell.m, call.execution, word, "delete", recursive=recursive,
            found=searched and not _ends_in_pattern(word),
        )  # fmt: skip
    return NOTHING


def _ends_in_pattern(word: Word) -> bool:
    return all(choice and isinstance(choice[-1], Glob) for choice in word.choices)


def clear(shell: Commands, call: Call) -> Value:
    if "whatif" not in call.bound.on:
        for word in paths(shell, call)[0]:
            touch(shell.m, call.execution, word, "truncate")
    return NOTHING


def write_file(
    shell: Commands,
    execution: Execution,
    word: Word,
    value: Value,
    *,
    append: bool = False,
    via: str = "",
) -> None:
    """The text of a value goes into a file."""
    whole = value.joined("\n")
    content = Word(whole) if not value.more else None
    empty = value.is_nothing or (content is not None and content.text == "")
    mode = "append" if append else "truncate" if empty else "write"
    touch(shell.m, execution, word, mode, via=via, content=content)
    if not value.more:
        text: Choices = whole if empty else concat(whole, text_choice("\n"))
    else:
        text = ((Unknown("command", execution.program, origin=(execution, *value.origin)),),)
    contents.write(shell.m, execution.cwds, word, text, append=append)


def set_content(shell: Commands, call: Call) -> Value:
    bound = call.bound
    value = bound.get("value", "inputobject")
    given = value if not value.is_nothing or call.given is None else call.given
    target = all_paths(bound) if call.name != "out-file" else bound.get("filepath", "literalpath")
    append = call.name == "add-content" or "append" in bound.on
    if "whatif" in bound.on:
        return NOTHING
    for word in words_of(shell, call, target):
        write_file(shell, call.execution, word, given, append=append)
    return given if call.name == "tee-object" or "passthru" in bound.on else NOTHING


def tee(shell: Commands, call: Call) -> Value:
    given = call.given if call.given is not None else call.bound.get("inputobject")
    name = call.bound.get("variable").text
    if name:
        from cc_safety_net.guard.interpret.powershell.variables import set_variable

        set_variable(shell.state, name, given)
    for word in words_of(shell, call, call.bound.get("filepath", "literalpath")):
        write_file(shell, call.execution, word, given, append="append" in call.bound.on)
    return given


def export(shell: Commands, call: Call) -> Value:
    """A file that a cmdlet writes in a format of its own."""
    target = call.bound.get("destinationpath", "outfile", "path", "literalpath")
    if call.name in ("expand-archive", "compress-archive"):
        target = call.bound.get("destinationpath")
        for word in words_of(shell, call, all_paths(call.bound)):
            touch(shell.m, call.execution, word, "read" if call.name[0] == "c" else "use")
    if "whatif" not in call.bound.on:
        for word in words_of(shell, call, target):
            append = "append" in call.bound.on
            tree = call.name == "expand-archive"
            mode = "append" if append else "write"
            touch(shell.m, call.execution, word, mode, recursive=tree)
    return NOTHING


def read(shell: Commands, call: Call) -> Value:
    """`Get-Content`: the text of the file, where that is known."""
    shown = _environment_items(shell, call, all_paths(call.bound))
    if shown is not None:
        return shown
    found = paths(shell, call)[0]
    mode = "use" if call.name in ("get-filehash", "import-module") else "read"
    for word in found:
        touch(shell.m, call.execution, word, mode)
    if call.name == "get-content" and len(found) == 1:
        choices, origin = contents.contents_of(shell.m, call.execution.cwds, found[0])
        texts = None if choices is None else [literal(choice) for choice in choices]
        if texts is not None and len(texts) == 1 and texts[0] is not None:
            if "raw" in call.bound.on:
                return Value((text_choice(texts[0]),), origin=(call.execution,))
            lines = texts[0].splitlines()
            return Value(
                [text_choice(line) for line in lines[:512]],
                more=len(lines) > 512,
                kind="array",
                origin=(call.execution, *origin),
            )
        return printed(call, *origin)
    return printed(call)


def printed(call: Call, *more: Execution) -> Value:
    """What a cmdlet prints, if nothing of it is known."""
    origin = (call.execution, *more)
    piece = Unknown("command", call.name, origin=origin)
    return Value((((piece,),),), more=True, origin=origin)


def search_text(shell: Commands, call: Call) -> Value:
    for word in words_of(shell, call, all_paths(call.bound)):
        touch(shell.m, call.execution, word, "read")
    if call.given is not None and call.given.kind == "file":
        for word in words_of(shell, call, call.given):
            touch(shell.m, call.execution, word, "read", found=True)
    return printed(call)


def list_children(shell: Commands, call: Call) -> Value:
    bound = call.bound
    start = all_paths(bound)
    if _drive(start) in ("env", "hklm", "hkcu"):
        if _drive(start) == "env":
            shell.execution([known("printenv")], call.node)
        return printed(call)
    if start.is_nothing and call.given is not None:
        start = call.given
    here = start.is_nothing
    if here:
        start = values.known(".")
    for word in words_of(shell, call, start):
        touch(shell.m, call.execution, word, "metadata", recursive="recurse" in bound.on)
    pattern = bound.get("filter")
    if pattern.is_nothing:
        pattern = bound.get("include")
    narrow = not bound.get("exclude", "attributes").is_nothing
    if here and not pattern.is_nothing:
        return Value(listed(start, pattern, narrowed=narrow).items, kind="file", found=True)
    if here and not narrow:
        return Value((((Glob("*"),),),), kind="file", found=True)
    return listed(start, pattern, narrowed=narrow)


def _drive(value: Value) -> str:
    from cc_safety_net.guard.interpret.windows_paths import drive_of

    text = value.text
    return drive_of(text) if text is not None else ""


def _environment_items(shell: Commands, call: Call, start: Value) -> Value | None:
    """`Get-Item env:NAME`: the variable's value; None for a path of another drive."""
    if _drive(start) != "env":
        return None
    from cc_safety_net.guard.interpret.powershell.variables import environment_value

    name = (start.text or "").partition(":")[2].strip("\\/")
    shell.execution([known("printenv"), known(name)], call.node)
    return environment_value(shell.m, shell.state, name)


def get_item(shell: Commands, call: Call) -> Value:
    start = all_paths(call.bound)
    if start.is_nothing and call.given is not None:
        start = call.given
    shown = _environment_items(shell, call, start)
    if shown is not None:
        return shown
    for word in words_of(shell, call, start):
        touch(shell.m, call.execution, word, "metadata")
    items = [values.without_empty(item) for item in start.items]
    return Value(items, more=start.more, kind="file", origin=start.origin, found=start.found)


def new_item(shell: Commands, call: Call) -> Value:
    bound = call.bound
    target = all_paths(bound)
    name = bound.get("name")
    if not name.is_nothing:
        target = below(target if not target.is_nothing else values.known("."), name)
    kind = (bound.get("itemtype").text or "file").lower()
    if call.name == "mkdir":
        kind = "directory"
    if "whatif" in bound.on:
        return NOTHING
    content = bound.get("value")
    for word in words_of(shell, call, target, wild=False):
        if kind == "directory":
            touch(shell.m, call.execution, word, "metadata")
        elif kind in ("symboliclink", "junction", "hardlink"):
            sources = words_of(shell, call, content, wild=False)
            touch(
                shell.m, call.execution, word, "link", source=sources[0] if sources else None,
                destination=sources[0] if sources else None,
            )  # fmt: skip
        elif "force" in bound.on or not content.is_nothing:
            write_file(shell, call.execution, word, content)
        else:
            touch(shell.m, call.execution, word, "append")
    return Value(target.items, kind="file")


def copy_or_move(shell: Commands, call: Call) -> Value:
    bound = call.bound
    if "whatif" in bound.on:
        return NOTHING
    sources, _ = paths(shell, call)
    target = bound.get("destination", "newname")
    if call.name == "rename-item" and not target.is_nothing and target.text is not None:
        from cc_safety_net.guard.interpret.powershell.paths import parent_of

        folder = parent_of(all_paths(bound))
        if folder.text:
            target = below(folder, target)
    places = words_of(shell, call, target, wild=False)
    place = places[0] if places else known(".")
    mode = "metadata" if call.name == "copy-item" else "move"
    for word in sources:
        recursive = mode == "move" or "recurse" in bound.on
        if mode == "metadata":
            touch(shell.m, call.execution, word, mode, recursive=recursive, destination=place)
        else:
            touch(shell.m, call.execution, word, mode, recursive=recursive, destination=place)
        touch(shell.m, call.execution, _put(shell, call, word, place), "write", source=word)
    return Value(target.items, kind="file") if "passthru" in bound.on else NOTHING


def _put(shell: Commands, call: Call, source: Word, place: Word) -> Word:
    """Where a copy ends up: in a directory under the name that it has."""
    text, name = place.text, source.text
    if text is None or name is None:
        return place
    found = contents.paths_of(call.execution.cwds, place)
    folder = (
        text.endswith("/")
        or text == "."
        or any(shell.m.world.is_directory(path) for path in found or ())
    )
    if not folder:
        return place
    leaf = name.rstrip("/").rpartition("/")[2]
    return known(text.rstrip("/") + "/" + leaf if text != "/" else "/" + leaf)


def permissions(shell: Commands, call: Call) -> Value:
    for word in paths(shell, call)[0]:
        touch(shell.m, call.execution, word, "permissions")
    return NOTHING


def some_of(_shell: Commands, call: Call) -> Value:
    """`Where-Object` and the like hand on a part of what comes in."""
    given = call.given if call.given is not None else call.bound.get("inputobject")
    found = narrowed(given)
    if call.name == "select-object":
        name = call.bound.get("expandproperty", "property").text or ""
        if name.lower() in ("directory", "directoryname", "parent"):
            from cc_safety_net.guard.interpret.powershell.paths import parent_of

            return parent_of(found)
        if call.bound.get("first", "last", "skip", "index").is_nothing:
            return given
    return found


def taken(call: Call, *names: str) -> Value:
    own = call.bound.get(*names) if names else NOTHING
    return own if not own.is_nothing or call.given is None else call.given


def places_of(shell: Commands, call: Call, value: Value) -> tuple[str | None, ...]:
    out: dict[str | None, None] = {}
    for word in words_of(shell, call, value, wild=False)[:1]:
        for choice in word.choices:
            text = literal(choice)
            path = None if text == "-" else text
            out.update(dict.fromkeys(reach(shell.state.cwds, path)))
    return tuple(out)[:BRANCH_STATES]
