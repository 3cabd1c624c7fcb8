"""What a call of a known name does: the effects that the tables of all languages are made of.

A row of a table is a tuple: the kind of effect, then where its operands stand. A place is the
number of an argument, or "self" for the object whose method it is.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    alternatives,
    choices_of,
    listed,
    truthiness,
    unknown,
    word,
)
from cc_safety_net.guard.interpret.values import unite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.codes import CodeHost

    #: ("delete", 0), ("move", 0, 1), ("shell", 0), …
    Action: TypeAlias = tuple[str | int, ...]
    Effect: TypeAlias = "Callable[[CodeHost, Call, Sequence[str | int]], Value | None]"

#: Names of options that mean "the whole tree".
_RECURSIVE = ("recursive", "recurse", "force_recursive", "r")
#: Paths of one call that are looked at.
_PATHS = 64


class Call:
    """A call: its name as it is shown, arguments by position and by name, the object."""

    __slots__ = ("arguments", "name", "named", "receiver")

    def __init__(
        self,
        name: str,
        arguments: Sequence[Value],
        named: Mapping[str, Value] | None = None,
        receiver: Value | None = None,
    ) -> None:
        self.name = name
        self.arguments = list(arguments)
        self.named = dict(named or {})
        self.receiver = receiver

    def at(self, place: str | int, *names: str) -> Value | None:
        """The argument at `place`, or by one of its names."""
        if place == "self":
            return self.receiver
        if isinstance(place, int) and place < len(self.arguments):
            return self.arguments[place]
        for name in names:
            if name in self.named:
                return self.named[name]
        return None

    def option(self, *names: str) -> Value | None:
        """An option: named, or a field of a last argument that is a map."""
        for name in names:
            if name in self.named:
                return self.named[name]
        for argument in reversed(self.arguments):
            if argument.kind == "map":
                for name in names:
                    if name in argument.fields:
                        return argument.fields[name]
                break
        return None

    def is_on(self, *names: str) -> bool:
        """An option that is set, or may be."""
        found = self.option(*names)
        return found is not None and truthiness(found) is not False


def perform(host: CodeHost, action: Action, call: Call) -> Value | None:
    """Report what the call does."""
    host.effort.spend(4, f"{host.language} code")
    return _KINDS[str(action[0])](host, call, action[1:])


def _rest(items: Sequence[Value]) -> list[Word]:
    """The items of a long list, as words that are one of many."""
    return [
        Word(unite([choice for item in items[at : at + _PATHS] for choice in choices_of(item)]))
        for at in range(0, len(items), _PATHS)
    ]


def paths(value: Value | None) -> list[Word]:
    """The paths that an argument stands for: a list names several."""
    if value is None:
        return []
    found: list[Word] = []
    for each in alternatives(value):
        if each.kind == "list":
            for item in each.items[:_PATHS]:
                found.extend(paths(item))
            found.extend(_rest(each.items[_PATHS:]))
        elif each.kind in ("constant", "map", "function"):
            continue
        else:
            found.append(word(each))
    return found


def _delete(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    for place in places:
        for path in paths(call.at(place, "path", "target", "name")):
            host.touch(path, "delete", call.name)


def _delete_tree(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    for place in places:
        for path in paths(call.at(place, "path", "target", "name", "directory")):
            host.touch(path, "delete", call.name, recursive=True)


def _delete_optional(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    """The whole tree if an option says so."""
    recursive = call.is_on(*_RECURSIVE)
    for place in places:
        for path in paths(call.at(place, "path")):
            host.touch(path, "delete", call.name, recursive=recursive)


def _delete_all(host: CodeHost, call: Call, _places: Sequence[str | int]) -> None:
    """All arguments are files."""
    for argument in call.arguments:
        for path in paths(argument):
            host.touch(path, "delete", call.name)


def _delete_trees(host: CodeHost, call: Call, _places: Sequence[str | int]) -> None:
    for argument in call.arguments:
        for path in paths(argument):
            host.touch(path, "delete", call.name, recursive=True)


def _delete_inside(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    """All that a directory holds is deleted, the directory stays."""
    from cc_safety_net.guard.interpret.facts import Glob
    from cc_safety_net.guard.interpret.values import concat

    for place in places:
        for path in paths(call.at(place)):
            inside = Word(concat(path.choices, (("/", Glob("*")),)))
            host.touch(inside, "delete", call.name, recursive=True)


def _move(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    source = call.at(places[0], "src", "source")
    target = call.at(places[1], "dst", "destination", "target")
    destination = word(target) if target is not None else None
    for path in paths(source):
        host.touch(path, "move", call.name, recursive=True, destination=destination)
        if destination is not None:
            host.touch(destination, "write", call.name, source=path)


def _copy(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    source = call.at(places[0], "src", "source")
    target = call.at(places[1], "dst", "destination", "target")
    if target is None:
        return
    for path in paths(source):
        host.touch(path, "metadata", call.name, destination=word(target))
        for destination in paths(target):
            host.touch(destination, "write", call.name, source=path)


def _link(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    source = call.at(places[0], "src")
    for path in paths(call.at(places[1], "dst")):
        host.touch(path, "link", call.name, source=word(source) if source is not None else None)


def _write(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    """The file gets new content, which stands at the second place."""
    _put(host, call, places, "write")


def _append(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    _put(host, call, places, "append")


def _put(host: CodeHost, call: Call, places: Sequence[str | int], mode: str) -> None:
    content = call.at(places[1], "data", "content") if len(places) > 1 else None
    text = word(content) if content is not None else Word((unknown("content").choices[0],))
    empty = mode == "write" and content is not None and content.text == ""
    for path in paths(call.at(places[0], "path", "file")):
        access = host.touch(
            path,
            "truncate" if empty else mode,
            call.name,
            content=text if content is not None else None,
        )
        if not empty:
            host.wrote(access, text)


def _truncate(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    for path in paths(call.at(places[0])):
        size = call.at(places[1], "length") if len(places) > 1 else None
        keeps = size is not None and size.kind == "number" and size.number > 0
        host.touch(path, "write" if keeps else "truncate", call.name)


def _read(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value | None:
    found: list[Word] = []
    for path in paths(call.at(places[0], "path", "file")):
        host.touch(path, "read", call.name)
        content = host.content(path)
        if content is not None:
            found.append(content)
    if len(found) == 1:
        return Value("text", found[0].choices)
    return unknown(call.name, "file")


def _permissions(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    recursive = places[-1] == "tree"
    for path in paths(call.at(places[0], "path")):
        host.touch(path, "permissions", call.name, recursive=recursive)


def _permissions_of(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    """Every argument from a place on is a path."""
    for argument in call.arguments[int(places[0]) :]:
        for path in paths(argument):
            host.touch(path, "permissions", call.name, recursive=places[-1] == "tree")


def _create(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    for path in paths(call.at(places[0], "path")):
        host.touch(path, "append", call.name)


# --- programs ------------------------------------------------------------------------------------


def _surroundings(call: Call) -> tuple[Word | None, dict[str, Word]]:
    """The directory and the environment that a started program gets."""
    directory = call.option("cwd", "chdir", "dir", "current_dir")
    env: dict[str, Word] = {}
    given = call.option("env", "environ")
    if given is not None and given.kind == "map":
        env = {name: word(value) for name, value in given.fields.items()}
    if directory is not None and directory.kind == "constant":
        directory = None
    return (word(directory) if directory is not None else None), env


def _shell(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value:
    """The argument is a text for a shell; a list of words is a program."""
    value = call.at(places[0], "cmd", "command", "args")
    directory, env = _surroundings(call)
    for each in alternatives(value) if value is not None else ():
        if each.kind == "list":
            start(host, each.items, call)
        elif each.kind not in ("constant", "map"):
            host.shell(word(each), call.name, directory=directory, env=env, stdin=_input(call))
    return _process(_shell, call, places)


def _process(kind: Effect, call: Call, places: Sequence[str | int]) -> Value:
    """A program that was started: it may be given its input later."""
    return Value("unknown", unknown(call.name).choices, name=call.name, node=(kind, call, places))


def feed(host: CodeHost, process: Value, content: Value) -> bool:
    """Text is written to the input of a started program; False if `process` is none."""
    if process.kind != "unknown" or process.node is None:
        return False
    kind, call, places = process.node
    kind(host, Call(call.name, call.arguments, {**call.named, "input": content}), places)
    return True


def _input(call: Call) -> Word | None:
    """What the call gives a program to read."""
    given = call.option("input", "stdin_data")
    return word(given) if given is not None and given.kind in ("text", "unknown") else None


def _program(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value:
    """The argument is a list of words, or one text for a shell if an option says so."""
    value = call.at(places[0], "args", "cmd", "command")
    shell = call.is_on("shell")
    directory, env = _surroundings(call)
    for each in alternatives(value) if value is not None else ():
        if shell:
            text = each.items[0] if each.kind == "list" and each.items else each
            host.shell(word(text), call.name, directory=directory, env=env, stdin=_input(call))
        elif each.kind == "list":
            program = call.named.get("executable")
            given = program is not None and program.kind != "constant"
            start(host, [program, *each.items[1:]] if given and program else each.items, call)
        elif each.kind not in ("constant", "map"):
            start(host, [each], call)
    return _process(_program, call, places)


def _words(host: CodeHost, call: Call, _places: Sequence[str | int]) -> Value:
    """One argument is a text for a shell, several are a program and its words."""
    arguments = [each for each in call.arguments if each.kind != "map"]
    if len(call.arguments) > len(arguments) and call.arguments[0].kind == "map":
        # `system({"A" => "b"}, "rm", …)`: the environment stands in front.
        call.named["env"] = call.arguments[0]
    flat: list[Value] = []
    for each in arguments:
        flat.extend(each.items if each.kind == "list" else (each,))
    if len(flat) == 1 and not (arguments[0].kind == "list" and len(arguments[0].items) > 1):
        directory, env = _surroundings(call)
        host.shell(word(flat[0]), call.name, directory=directory, env=env, stdin=_input(call))
    elif flat:
        start(host, flat, call)
    return _process(_words, call, _places)


def _exec_list(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value:
    """`execv(path, [arg0, …])`: the program at one place, its words at the next."""
    program = call.at(places[0], "file", "path")
    given = call.at(places[1], "args", "argv")
    if program is not None:
        rest = given.items[1:] if given is not None and given.kind == "list" else []
        start(host, [program, *rest], call)
    return unknown(call.name)


def _exec_rest(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value:
    """`execl(path, arg0, …)`: the words are arguments."""
    at = int(places[0])
    if at < len(call.arguments):
        start(host, [call.arguments[at], *call.arguments[at + 2 :]], call)
    return unknown(call.name)


def _spawn(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value:
    """`spawn(program, [words], options)`; with the option `shell` the words are joined."""
    program = call.at(places[0])
    if program is None:
        return unknown(call.name)
    if program.kind == "map" and "cmd" in program.fields:
        program = program.fields["cmd"]
    given = call.at(places[1]) if len(places) > 1 else None
    words = [program, *(given.items if given is not None and given.kind == "list" else ())]
    if program.kind == "list":
        words = program.items
    shell = call.option("shell")
    if shell is not None and truthiness(shell) is not False:
        joined = words[0]
        from cc_safety_net.guard.interpret.inline.values import added, text

        for each in words[1:]:
            joined = added(added(joined, text(" ")), each)
        directory, env = _surroundings(call)
        host.shell(word(joined), call.name, directory=directory, env=env, stdin=_input(call))
    else:
        start(host, words, call)
    return _process(_spawn, call, places)


def start(host: CodeHost, values: Sequence[Value], call: Call) -> None:
    """Start a program by its words."""
    directory, env = _surroundings(call)
    words = [word(value) for value in values if value.kind not in ("map", "constant")]
    host.run(words, call.name, stdin=_input(call), directory=directory, env=env)


def _argv(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value:
    """Every argument is a word of the program."""
    flat: list[Value] = []
    for each in call.arguments[int(places[0]) if places else 0 :]:
        flat.extend(each.items if each.kind == "list" else (each,))
    start(host, flat, call)
    return _process(_argv, call, places)


def _code(host: CodeHost, call: Call, places: Sequence[str | int]) -> Value:
    value = call.at(places[0])
    language = str(places[1]) if len(places) > 1 else ""
    if value is not None and value.kind not in ("function", "map", "constant"):
        host.code(word(value), call.name, language)
    return unknown(call.name)


def _chdir(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    target = call.at(places[0], "path")
    if target is not None:
        host.chdir(word(target))


def _kill(host: CodeHost, call: Call, places: Sequence[str | int]) -> None:
    """A signal: the process numbers stand from a place on."""
    at = int(places[0])
    targets = call.arguments[at : at + 1] if places[-1] == "one" else call.arguments[at:]
    for target in targets:
        words = [word(each) for each in (target.items if target.kind == "list" else (target,))]
        host.run((known("kill"), known("-9"), known("--"), *words), call.name)


def _environment(host: CodeHost, call: Call, _places: Sequence[str | int]) -> None:
    host.run((known("printenv"),), call.name)


_KINDS: dict[str, Effect] = {
    "append": _append,
    "argv": _argv,
    "chdir": _chdir,
    "code": _code,
    "copy": _copy,
    "create": _create,
    "delete": _delete,
    "delete-all": _delete_all,
    "delete-inside": _delete_inside,
    "delete-optional": _delete_optional,
    "delete-tree": _delete_tree,
    "delete-trees": _delete_trees,
    "environment": _environment,
    "exec-list": _exec_list,
    "exec-rest": _exec_rest,
    "kill": _kill,
    "link": _link,
    "move": _move,
    "permissions": _permissions,
    "permissions-of": _permissions_of,
    "program": _program,
    "read": _read,
    "shell": _shell,
    "spawn": _spawn,
    "truncate": _truncate,
    "words": _words,
    "write": _write,
}

__all__ = ["Call", "choices_of", "feed", "listed", "paths", "perform", "start"]
