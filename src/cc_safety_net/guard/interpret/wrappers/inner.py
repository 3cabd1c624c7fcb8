"""What a wrapper hands on: the forms in which one program starts another.

`unwrap(execution)` (in `engine.py` beside this) returns these; the interpreter turns each back
into executions.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.guard.interpret.facts import Scope, Word


class Inner:
    """What all forms share.

    label: what is added to the chain (`sudo`, `bash -c`, `find -exec`).
    scope: where the inner command runs; None keeps the outer scope.
    directory: the directory it starts in (`env -C`, `sudo -D`, `git -C`), None to keep.
    env: assignments that it gets. clear_env: the environment is emptied (`env -i`).
    stdin: False if the wrapper does not hand its own standard input on.
    """

    __slots__ = ("clear_env", "directory", "env", "label", "scope", "stdin")

    def __init__(
        self,
        label: str,
        *,
        scope: Scope | None = None,
        directory: Word | None = None,
        env: Mapping[str, Word] | None = None,
        clear_env: bool = False,
        stdin: bool = True,
    ) -> None:
        self.label = label
        self.scope = scope
        self.directory = directory
        self.env: Mapping[str, Word] = env or {}
        self.clear_env = clear_env
        self.stdin = stdin


class InnerArgv(Inner):
    """The inner command is a list of words; the first is the program.

    lists: the words come (in part) from a list of unknown length (`xargs`, `find -exec`).
    """

    __slots__ = ("argv", "lists")

    def __init__(self, label: str, argv: Sequence[Word], *, lists: bool = False) -> None:
        super().__init__(label)
        self.argv = tuple(argv)
        self.lists = lists


class InnerText(Inner):
    """The inner command is one text for a shell.

    text: the text. positionals: `$0`, `$1`, … of that shell. dialect: `posix`, `powershell`,
    `cmd`. how: as CodeRun.how, used if the text is not known. same_shell: it runs in the calling
    shell and may change its state (`eval`, `source`, `trap`).
    """

    __slots__ = ("dialect", "how", "positionals", "same_shell", "text")

    def __init__(
        self,
        label: str,
        text: Word,
        *,
        positionals: Sequence[Word] = (),
        dialect: str = "posix",
        how: str = "shell-string",
        same_shell: bool = False,
    ) -> None:
        super().__init__(label)
        self.text = text
        self.positionals = tuple(positionals)
        self.dialect = dialect
        self.how = how
        self.same_shell = same_shell


class InnerStdin(Inner):
    """Standard input is the text: `dialect` for a shell, or a language (`python`, `sql`, …)."""

    __slots__ = ("dialect", "language", "positionals")

    def __init__(
        self,
        label: str,
        *,
        dialect: str = "posix",
        language: str = "shell",
        positionals: Sequence[Word] = (),
    ) -> None:
        super().__init__(label)
        self.dialect = dialect
        self.language = language
        self.positionals = tuple(positionals)


class InnerCode(Inner):
    """The inner code is a text in another language (`python -c`, `awk`, `psql -c`)."""

    __slots__ = ("language", "text")

    def __init__(self, label: str, language: str, text: Word) -> None:
        super().__init__(label)
        self.language = language
        self.text = text


class InnerFile(Inner):
    """A file is run: a script, a makefile target, a package.json script, a git alias.

    kind: `shell`, a language, `make`, `npm`, `just`, `executable` (decided by its `#!`), ….
    path: the file (or directory to search) as a Word. target: what in it is run, "" for all.
    positionals: arguments bound to it. same_shell: sourced. file: of a runner of tasks, the file
    that is named instead of the usual one.
    """

    __slots__ = ("file", "kind", "path", "positionals", "same_shell", "target")

    def __init__(
        self,
        label: str,
        kind: str,
        path: Word,
        *,
        target: Word | None = None,
        positionals: Sequence[Word] = (),
        same_shell: bool = False,
    ) -> None:
        super().__init__(label)
        self.file: Word | None = None
        self.kind = kind
        self.path = path
        self.target = target
        self.positionals = tuple(positionals)
        self.same_shell = same_shell
