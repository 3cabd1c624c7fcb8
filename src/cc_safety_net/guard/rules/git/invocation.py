"""One call of git: its global options, its sub-command, and where it works."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Glob, shown
from cc_safety_net.guard.paths import is_below, is_inside, join, normalise
from cc_safety_net.guard.rules.git.options import Argument, parse
from cc_safety_net.guard.rules.quoting import quote
from cc_safety_net.guard.rules.repository import repository_at, repository_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.git.options import Options
    from cc_safety_net.guard.rules.repository import Repository

#: Global options that take the next word as their value.
_VALUED = frozenset(
    (
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--super-prefix",
        "--config-env",
        "--attr-source",
        "--exec-path",
        "--list-cmds",
    )
)
#: Values a word with several possible ones is read with, in all combinations of a call.
_COMBINATIONS = 64
#: Variables that make git work on another repository than the directory's.
PLACE_VARIABLES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
)
_PATTERN = ("*", "?", "[")


class Invocation:
    """One call of git with one value chosen for each word.

    command: the sub-command, "" if there is none, None if unknown. options: the words behind it.
    changes: `-C` values. config: (key in lower case, value or None) of `-c` and its like.
    git_dir, work_tree: from options or the environment. globals: the words before the
    sub-command that say where git works, for a suggestion.
    """

    __slots__ = (
        "changes",
        "command",
        "config",
        "context",
        "execution",
        "git_dir",
        "globals",
        "options",
        "words",
        "work_tree",
    )

    def __init__(
        self, execution: Execution, context: Context, words: Sequence[Argument], dashed: str
    ) -> None:
        self.execution = execution
        self.context = context
        self.changes: list[Argument] = []
        self.config: list[tuple[str, Argument | None]] = []
        self.git_dir = _variable(execution, "GIT_DIR")
        self.work_tree = _variable(execution, "GIT_WORK_TREE")
        self.globals: list[str] = []
        self.command: str | None = dashed
        self.words: Sequence[Argument] = words
        if not dashed:
            self._read_globals(words)
        self.options: Options = parse(self.command or "", self.words)

    def _read_globals(self, words: Sequence[Argument]) -> None:
        self.command = ""
        self.words = ()
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if not word.prefix.startswith("-"):
                self.command = word.text
                self.words = words[at:]
                return
            name, equals, _ = word.prefix.partition("=")
            value: Argument | None = word.rest(len(name) + 1) if equals else None
            if not equals and name in _VALUED and at < len(words) and name != "--exec-path":
                value = words[at]
                at += 1
            if name in ("--help", "-h", "--version", "-v", "--exec-path", "--html-path") and (
                not equals
            ):
                # Git only prints something.
                self.command = "help"
                return
            self._take(name, value)

    def _take(self, name: str, value: Argument | None) -> None:
        if value is None:
            return
        if name == "-C":
            self.changes.append(value)
        elif name == "-c":
            self._take_config(value)
            return
        elif name == "--config-env":
            key = value.prefix.partition("=")[0].lower()
            self.config.append((key, Argument(None, "", "$?", ())))
            return
        elif name == "--git-dir":
            self.git_dir = value
        elif name == "--work-tree":
            self.work_tree = value
        else:
            return
        if value.text is not None:
            self.globals.append(name if name == "-C" else name + "=" + quote(value.text))
            if name == "-C":
                self.globals.append(quote(value.text))

    def _take_config(self, pair: Argument) -> None:
        key, equals, _ = pair.prefix.partition("=")
        self.config.append((key.lower(), pair.rest(len(key) + 1) if equals else None))

    # Where it works.

    @property
    def local(self) -> bool:
        return self.execution.scope.kind == "local"

    def directories(self) -> list[str | None]:
        """The directories that git may start in, None for an unknown one."""
        return [self._changed(directory) for directory in self.execution.cwds or (None,)]

    def _changed(self, directory: str | None) -> str | None:
        for change in self.changes:
            if change.text is None:
                return None
            if change.text.startswith("/"):
                directory = normalise(change.text)
            elif directory is not None:
                directory = normalise(join(directory, change.text))
        return directory

    def directory(self) -> str | None:
        """The one directory that git starts in, None if it is not known."""
        found = self.directories()
        return found[0] if len(found) == 1 else None

    def repository(self) -> Repository | None:
        """The repository it works on, None if that can't be known."""
        directory = self.directory()
        if directory is None or not self.local:
            return None
        if self.git_dir is not None:
            if self.git_dir.text is None:
                return None
            return repository_at(normalise(join(directory, self.git_dir.text)), self.context.world)
        return repository_of(directory, self.context.world)

    def work_tree_root(self) -> str | None:
        """The root of the work tree, None if it is not known."""
        directory = self.directory()
        if directory is None:
            return None
        if self.work_tree is not None:
            text = self.work_tree.text
            return None if text is None else normalise(join(directory, text))
        if self.git_dir is not None:
            return directory
        repository = self.repository()
        return repository.root if repository is not None and repository.root else None

    def path(self, argument: Argument) -> str | None:
        """The absolute path of an operand, None if it or the directory is unknown."""
        directory = self.directory()
        if directory is None or argument.text is None or is_magic(argument.text):
            return None
        return normalise(join(directory, argument.text))

    @property
    def fed(self) -> bool:
        """Answers to questions may come from a pipe or a file: `yes | git checkout -p`."""
        execution = self.execution
        return bool(
            execution.feeds
            or execution.stdin is not None
            or any(redirection.op.startswith("<") for redirection in execution.redirects)
        )

    # What is reported.

    def finding(
        self, rule: str, *, why: str = "", target: str = "", **values: str | None
    ) -> Finding:
        """A finding of this call; unknown values become a placeholder's plain word."""
        execution = self.execution
        holes = {"git": " ".join(["git", *self.globals]), "command": self.command or ""}
        for name, value in values.items():
            holes[name] = value if value is not None else name.upper()
        return Finding(
            rule,
            " ".join("|".join(shown(c) for c in word.choices) for word in execution.argv),
            execution.start,
            execution.end,
            chain=execution.chain,
            values=holes,
            why=why,
            target=target,
        )

    def names(self, operands: Iterable[Argument], default: str = ".") -> str:
        """Operands as words of a suggested command."""
        found = [quote(argument.text) for argument in operands if argument.text]
        return " ".join(found) or default


def invocations(execution: Execution, context: Context) -> list[Invocation]:
    """The call with each combination of its words' values, at most 64."""
    # `git-reset` and its like are the sub-commands as programs of their own.
    program = execution.program
    dashed = program[4:] if program.startswith("git-") else ""
    fixed: list[list[Argument]] = []
    total = 1
    for word in execution.argv[1:]:
        choices = [argument(pieces) for pieces in word.choices[:_COMBINATIONS]]
        for choice in choices:
            choice.optional = word.splits
        if total * len(choices) > _COMBINATIONS:
            choices = choices[:1]
        total *= len(choices)
        fixed.append(choices)
    found = []
    for number in range(total):
        rest = number
        words = []
        for choices in fixed:
            words.append(choices[rest % len(choices)])
            rest //= len(choices)
        context.effort.spend(1 + len(words), "the words of a git command")
        found.append(Invocation(execution, context, words, dashed))
    return found


def argument(pieces: Pieces) -> Argument:
    """One value of a word; an active pattern is text that the shell matches against files."""
    if all(isinstance(piece, str | Glob) for piece in pieces):
        text = shown(pieces)
        return Argument(text, text, text, pieces, pattern=any(isinstance(p, Glob) for p in pieces))
    first = pieces[0] if isinstance(pieces[0], str) else ""
    return Argument(None, first, shown(pieces), pieces)


def is_magic(text: str) -> bool:
    """A pathspec with magic (`:/x`, `:(top)x`, `:!x`)."""
    return text.startswith(":")


def is_literal(argument: Argument) -> bool:
    """A path that is known and matches itself alone."""
    text = argument.text
    return (
        text is not None
        and bool(text)
        and not argument.pattern
        and not is_magic(text)
        and not any(sign in text for sign in _PATTERN)
    )


def is_temporary(path: str, context: Context) -> bool:
    """Strictly below a temp root, in no top-level entry that holds the home or a workspace."""
    kept = (context.place.home, *context.place.roots)
    for temp in context.place.temps:
        if is_below(path, temp):
            top = (
                temp.rstrip("/") + "/" + path[len(temp.rstrip("/")) + 1 :].split("/", maxsplit=1)[0]
            )
            if not any(holder and is_inside(holder, top) for holder in kept):
                return True
    return False


def _variable(execution: Execution, name: str) -> Argument | None:
    word = execution.env.get(name)
    if word is None:
        return None
    return argument(word.choices[0]) if len(word.choices) == 1 else Argument(None, "", "$?", ())
