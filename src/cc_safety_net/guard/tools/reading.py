"""A tool call as facts: shell text goes to the interpreter, paths become FileAccesses."""

from __future__ import annotations

from cc_safety_net.guard.call import BadCall, ToolCall
from cc_safety_net.guard.interpret.facts import FileAccess, Glob, Reading, Word, known, literal
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.place import Place
from cc_safety_net.guard.tool_names import kind_of, last_part, normalise_name, unwrap_dispatcher
from cc_safety_net.guard.tools import arguments as keys
from cc_safety_net.guard.tools import verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.world import World

    ReadShell = Callable[[str, str, Place, World, Effort], Reading]

#: Languages of code tools -> program that runs their text, with the option in front of it.
_LANGUAGES = {
    "python": "python3 -c",
    "python3": "python3 -c",
    "py": "python3 -c",
    "ipython": "python3 -c",
    "javascript": "node -e",
    "js": "node -e",
    "typescript": "node -e",
    "ts": "node -e",
    "node": "node -e",
    "ruby": "ruby -e",
    "perl": "perl -e",
    "php": "php -r",
    "r": "Rscript -e",
    "lua": "lua -e",
}
_JAVASCRIPT_TOOLS = frozenset(("jsrepl", "codemode", "javascript", "node"))
_POWERSHELLS = frozenset(("powershell", "pwsh", "ps1"))
_SHELLS = frozenset(("", "bash", "sh", "shell", "zsh", "console", "terminal"))
#: Roles of paths that are written whatever the tool is called.
_WRITTEN = ("output", "destination")
_CODE_KEYS = frozenset(("code", "source", "script", "cell", "snippet", "cellsource"))


def read_call(
    call: ToolCall, place: Place, world: World, effort: Effort, read_shell: ReadShell
) -> Reading:
    """All that a call would do. BadCall if a shell tool names no command."""
    name, arguments = unwrap_dispatcher(call.tool, call.arguments)
    kind = call.kind
    command = call.command
    if name != call.tool:
        kind = kind_of(name)
        command = None
    elif kind == "other":
        kind = kind_of(name)
        # A decoder that says `other` of a shell's name has found no command in it.
        kind = "other" if kind in ("shell", "typed") else kind
    reader = _Reader(name, arguments, place, world, effort, read_shell)
    if kind == "shell":
        reader.shell(command, call.dialect)
    elif kind == "typed":
        reader.typed(command, call.dialect)
    else:
        getattr(reader, kind)()
    return reader.reading


class _Reader:
    """Fills one Reading from one call."""

    def __init__(
        self,
        name: str,
        arguments: Mapping[str, Any],
        place: Place,
        world: World,
        effort: Effort,
        read_shell: ReadShell,
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.place = place
        self.world = world
        self.effort = effort
        self.read_shell = read_shell
        self.reading = Reading()

    # Tools that run text.

    def shell(self, command: str | None, dialect: str) -> None:
        texts = [command] if command is not None else keys.commands(self.arguments, typed=True)
        if not texts:
            raise BadCall("guard.malformed-input", f"the tool {self.name} names no command")
        for text in texts:
            self._read_text(text, dialect, self.place)

    def typed(self, command: str | None, dialect: str) -> None:
        """What is typed is read line by line by the shell that runs there."""
        texts = [command] if command is not None else keys.commands(self.arguments, typed=True)
        for text in texts:
            self._read_text(text.replace("\r", "\n"), dialect, self.place)

    def code(self) -> None:
        """Code by its language, as if its interpreter were called with it."""
        language = keys.first_text(self.arguments, frozenset(("language", "lang", "kernel")))
        if language is None:
            name = normalise_name(last_part(self.name))
            language = "javascript" if name in _JAVASCRIPT_TOOLS else "python"
        language = normalise_name(language)
        for key, value in keys.items(self.arguments):
            texts = [value] if isinstance(value, str) else keys.texts(value)
            if key in _CODE_KEYS:
                for text in texts:
                    self._code_text(language, text)
            elif key in keys.COMMAND_KEYS:
                for text in texts:
                    self._read_text(text, "auto", self.place)

    def _code_text(self, language: str, text: str) -> None:
        if language in _SHELLS:
            self._read_text(text, "posix", self.place)
            return
        if language in _POWERSHELLS:
            self._read_text(text, "powershell", self.place)
            return
        if language == "sql":
            self._query(text)
            return
        program = _LANGUAGES.get(language)
        if program is not None:
            self._read_text(f"{program} {keys.quote(text)}", "posix", self.place)

    def _read_text(self, text: str, dialect: str, place: Place) -> None:
        # What each reading takes before its first word.
        self.effort.spend(24, "the texts of a tool")
        found = self.read_shell(text, dialect, place, self.world, self.effort)
        mine = self.reading
        if not mine.executions and not mine.accesses and not mine.codes and not mine.forks:
            self.reading = found
            return
        mine.executions.extend(found.executions)
        mine.accesses.extend(found.accesses)
        mine.codes.extend(found.codes)
        mine.forks.extend(found.forks)
        mine.reassigned |= found.reassigned
        mine.written.update(found.written)

    # Tools that touch files.

    def read(self) -> None:
        for named in self._paths():
            self._touch(named.text, "read", globs=True)

    def names(self) -> None:
        found = self._paths()
        for named in found:
            self._touch(named.text, "metadata", globs=True)
        pattern = self.arguments.get("pattern", self.arguments.get("Pattern"))
        for text in keys.texts(pattern):
            for start in [n.text for n in found if n.role == "path"] or [self.place.directory]:
                self._touch(join(start, text.removeprefix("/")), "metadata", globs=True)

    def write(self) -> None:
        appended = "append" in verbs.words_of(self.name) or self.arguments.get("mode") == "append"
        mode = "append" if appended else "write"
        content = keys.first_text(self.arguments, keys.CONTENT_KEYS)
        for named in self._paths():
            self._touch(named.text, mode, content=content)

    def edit(self) -> None:
        """An edit shows what it replaces, so it reads as well as writes."""
        action = self.arguments.get("command")
        action = action if isinstance(action, str) else ""
        if action == "view":
            self.read()
        elif action == "create":
            self.write()
        else:
            for named in self._paths():
                self._touch(named.text, "read")
                self._touch(named.text, "write")

    def patch(self) -> None:
        # Rare: patch tools only.
        from cc_safety_net.guard.tools.patches import read_patch

        changes = []
        for key, value in keys.items(self.arguments):
            if key in keys.PATCH_KEYS:
                for text in [value] if isinstance(value, str) else keys.texts(value):
                    self.effort.spend(len(text) // 64 + text.count("\n") // 4, "a patch")
                    changes.extend(read_patch(text))
        for change in changes:
            if change.mode == "move":
                self._move(change.path, change.target, copied=False)
            elif change.mode == "delete":
                self._touch(change.path, "delete")
            else:
                self._touch(change.path, "read")
                self._touch(change.path, "write")
        if not changes:
            self.edit()

    def delete(self) -> None:
        for named in self._paths():
            self._delete(named.text)

    def move(self) -> None:
        copied = "copy" in normalise_name(self.name)
        sources = [n.text for n in self._paths() if n.role in ("source", "path")]
        targets = [n.text for n in self._paths() if n.role in ("destination", "output")]
        if not targets:
            # `{"path": …, "new_name": …}` and unnamed pairs.
            sources, targets = sources[:-1] or sources, sources[-1:] if len(sources) > 1 else []
        for source in sources:
            if targets:
                self._move(source, targets[0], copied=copied)
            else:
                self._touch(source, "read" if copied else "move")

    def search(self) -> None:
        """A content search reads what its filters select in its directories."""
        found = self._paths()
        starts = [n.text for n in found if n.role != "glob"]
        filters = [n.text for n in found if n.role == "glob"]
        for key, value in keys.items(self.arguments):
            if key in keys.FILTER_KEYS:
                filters += keys.texts(value)
        if not starts and verbs.is_foreign(self.name):
            # A search on a server has no directory of ours to start from.
            return
        for start in starts or [self.place.directory]:
            if not filters:
                self._touch(start, "read", recursive=True)
            for text in filters:
                if not text.startswith("!"):
                    self._touch(join(start, text.removeprefix("/")), "read", globs=True)

    # Everything else.

    def other(self) -> None:
        """A tool nobody described: what looks like a command or a path is taken as one."""
        typed = verbs.types_text(self.name)
        texts = keys.commands(self.arguments, typed=typed)
        place = self._named_place() if texts else self.place
        for text in texts:
            self._read_text(text, "auto", place)
        if verbs.queries(self.name):
            for key, value in keys.items(self.arguments):
                if key in keys.QUERY_KEYS:
                    for text in keys.texts(value):
                        self._query(text)
        if texts:
            # Text that is no shell text is no finding in a tool that may not be a shell.
            self.reading.codes = [c for c in self.reading.codes if c.how != "unparseable"]
        verb = verbs.verb_of(self.name)
        if not verb:
            content = any(key in keys.CONTENT_KEYS for key, _ in keys.items(self.arguments))
            verb = "write" if content else "read"
        if verb == "move":
            self.move()
            return
        for named in [*self._paths(), *keys.likely_paths(self.arguments)]:
            if texts and named.key in keys.DIRECTORY_KEYS:
                continue
            if verb == "delete":
                self._delete(named.text)
            elif named.role in _WRITTEN or (verb == "write" and named.role != "source"):
                self._touch(named.text, "write")
            else:
                self._touch(named.text, "read", globs=named.role == "glob")

    def _query(self, text: str) -> None:
        """A query of a database tool, as if a client were called with it."""
        self._read_text(f"psql -c {keys.quote(text)}", "posix", self.place)

    def _named_place(self) -> Place:
        """The place of a command in an unknown tool that names its own directory."""
        for key, value in keys.items(self.arguments):
            if key in keys.DIRECTORY_KEYS and isinstance(value, str) and value.strip():
                path = keys.plain_path(value, self.place.home)
                directory = normalise(join(self.place.directory, path))
                return Place(directory, self.place.roots, self.place.home, self.place.temps)
        return self.place

    def _paths(self) -> list[keys.Named]:
        found = keys.paths(self.arguments)
        self.effort.spend(len(found), "the paths of a tool")
        return found

    def _delete(self, text: str) -> None:
        word = keys.path_word(text, self.place.home)
        path = literal(word.choices[0]) or ""
        directory = self.world.is_directory(join(self.place.directory, path))
        self._touch(text, "delete", recursive=directory)

    def _move(self, source: str, target: str, *, copied: bool) -> None:
        source_word = keys.path_word(source, self.place.home)
        target_word = keys.path_word(target, self.place.home)
        tree = self.world.is_directory(join(self.place.directory, source_word.text or source))
        mode = "read" if copied else "move"
        self._touch(source, mode, recursive=tree, destination=target_word)
        self._touch(target, "write", source=source_word)

    def _touch(
        self,
        text: str,
        mode: str,
        *,
        recursive: bool = False,
        globs: bool = False,
        content: str | None = None,
        source: Word | None = None,
        destination: Word | None = None,
    ) -> None:
        # What is changed is looked at by more rules.
        looks = 6 if mode in ("read", "metadata") else 18
        self.effort.spend(looks + len(text) // 16, "the paths of a tool")
        word = keys.path_word(text, self.place.home, globs=globs)
        globbed = any(isinstance(piece, Glob) for choice in word.choices for piece in choice)
        self.reading.accesses.append(
            FileAccess(
                word,
                mode,
                self.name,
                (self.place.directory,),
                recursive=recursive,
                found=globbed and "**" in text,
                content=None if content is None else known(content),
                source=source,
                destination=destination,
            )
        )
