"""What interpretation yields: the executions, file accesses and unknowns of one call.

Rules read these and nothing else: they never see text or trees.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    Piece: TypeAlias = "str | Unknown | Glob"
    Pieces: TypeAlias = tuple["str | Unknown | Glob", ...]


class Unknown:
    """A part of a word whose text can't be known.

    why: `variable`, `environment`, `command`, `input`, `argument`, `arithmetic`, `find`, `limit`,
        `file` (what a file holds that code reads).
    name: the variable or program, "" if there is none.
    may_be_empty: the empty text is one of its values (a `for` variable and `${X:?}` are not).
    origin: the executions whose output it is (for `why` = `command` or `input`).
    """

    __slots__ = ("may_be_empty", "name", "origin", "why")

    def __init__(
        self,
        why: str,
        name: str = "",
        *,
        may_be_empty: bool = True,
        origin: Sequence[Execution] = (),
    ) -> None:
        self.why = why
        self.name = name
        self.may_be_empty = may_be_empty
        self.origin = tuple(origin)


class Glob:
    """An active pattern that was left as it is: `*`, `?`, `[a-z]`, `@(a|b)`."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Word:
    """A word after expansion: one or more choices, each a tuple of pieces.

    Adjacent strings are merged, empty strings dropped: the empty word is `()`, a known one is
    `("text",)`. `splits`: unquoted and unknown, so it may be no word, or several.
    start, end: span in the source text of the call.
    """

    __slots__ = ("choices", "end", "splits", "start")

    def __init__(
        self, choices: Sequence[Pieces], start: int = 0, end: int = 0, *, splits: bool = False
    ) -> None:
        self.choices = tuple(choices)
        self.start = start
        self.end = end
        self.splits = splits

    @property
    def text(self) -> str | None:
        """The one text that it has, None if it has several or is not wholly known."""
        if len(self.choices) != 1:
            return None
        return literal(self.choices[0])

    @property
    def texts(self) -> tuple[str, ...] | None:
        """All its texts, None if one of them is not wholly known."""
        found = []
        for choice in self.choices:
            text = literal(choice)
            if text is None:
                return None
            found.append(text)
        return tuple(found)

    def __repr__(self) -> str:
        return f"Word({' | '.join(shown(choice) for choice in self.choices)})"


def known(text: str, start: int = 0, end: int = 0) -> Word:
    """A word with one known text."""
    return Word(((text,) if text else (),), start, end)


def literal(pieces: Pieces) -> str | None:
    """The text of a choice, None if part of it is unknown or a pattern."""
    if not pieces:
        return ""
    first = pieces[0]
    return first if len(pieces) == 1 and isinstance(first, str) else None


def prefix(pieces: Pieces) -> str:
    """The literal text before the first unknown or pattern."""
    return pieces[0] if pieces and isinstance(pieces[0], str) else ""


def shown(pieces: Pieces) -> str:
    """The choice for a person: `$NAME`, `$(program)` or `?` where it is unknown."""
    out = []
    for piece in pieces:
        if isinstance(piece, str):
            out.append(piece)
        elif isinstance(piece, Glob):
            out.append(piece.text)
        elif piece.why == "command":
            out.append(f"$({piece.name or '…'})")
        else:
            out.append(f"${piece.name or '?'}")
    return "".join(out)


class Scope:
    """Where an execution happens.

    kind: `local`; `remote` (ssh and its like); `box` (a container or virtual machine that goes
    on living); `fresh` (a new container: only what is mounted outlives it).
    mounts: (path inside, path of the host) of a box; paths below one are local. The path of the
    host is "" for a named volume, which is as far away as a remote machine.
    host: the host, container or image as written.
    """

    __slots__ = ("host", "kind", "mounts")

    def __init__(self, kind: str, host: str = "", mounts: Sequence[tuple[str, str]] = ()) -> None:
        self.kind = kind
        self.host = host
        self.mounts = tuple(mounts)


LOCAL = Scope("local")
_NOTHING: Mapping[str, Word] = {}


class Redirection:
    """A redirection of an execution, after expansion: `op` as in the grammar, `target` a Word."""

    __slots__ = ("fd", "op", "target")

    def __init__(self, op: str, target: Word, fd: int | None = None) -> None:
        self.op = op
        self.target = target
        self.fd = fd


class Execution:
    """One program that is about to run.

    argv: the words, the program first; never empty.
    program: basename of argv[0], lower case only on Windows dialects, without `.exe`; "" if
        argv[0] is unknown.
    cwds: possible directories, absolute; None among them means unknown.
    env: assignments in front of the command and exported ones made in the text.
    stdin: the text on standard input if known, else None.
    redirects: in order.
    chain: wrappers that led here, outermost first (`sudo`, `bash -c`, `script build.sh`).
    start, end: span of the source text that it comes from.
    scope: where it runs. dialect: `posix`, `powershell`, `cmd`.
    after: executions of the same text that must have succeeded before this one (`a && b`).
    feeds: executions whose output is this one's standard input (`a | b`).
    fed: the pipe's reader, if any. captured: standard output goes into a substitution, a
        variable or a file, so the agent does not see it.
    script: path of the script on disk that holds it; "" if it stands in the call itself.
    lists: what the files hold that the words name as lists (`xargs -a`, `parallel ::::`), by name.
    certain: False inside a branch that may not be taken.
    bare: the environment holds nothing but `env` (`env -i`).
    """

    __slots__ = (
        "after",
        "argv",
        "bare",
        "captured",
        "certain",
        "chain",
        "cwds",
        "dialect",
        "end",
        "env",
        "fed",
        "feeds",
        "lists",
        "program",
        "redirects",
        "scope",
        "script",
        "start",
        "stdin",
    )

    def __init__(
        self,
        argv: Sequence[Word],
        program: str,
        cwds: Sequence[str | None],
        start: int,
        end: int,
        *,
        env: Mapping[str, Word] | None = None,
        stdin: Word | None = None,
        redirects: Sequence[Redirection] = (),
        chain: Sequence[str] = (),
        scope: Scope = LOCAL,
        dialect: str = "posix",
        after: Sequence[Execution] = (),
        feeds: Sequence[Execution] = (),
        captured: bool = False,
        script: str = "",
        certain: bool = True,
        bare: bool = False,
    ) -> None:
        self.argv = tuple(argv)
        self.program = program
        self.cwds = tuple(cwds)
        self.start = start
        self.end = end
        self.env: Mapping[str, Word] = env or _NOTHING
        self.stdin = stdin
        self.redirects = tuple(redirects)
        self.chain = tuple(chain)
        self.scope = scope
        self.dialect = dialect
        self.after = tuple(after)
        self.feeds = tuple(feeds)
        self.lists: Mapping[str, Word] = {}
        self.fed: Execution | None = None
        self.captured = captured
        self.script = script
        self.certain = certain
        self.bare = bare

    def __repr__(self) -> str:
        words = " ".join("|".join(shown(c) for c in w.choices) for w in self.argv)
        return f"Execution({words!r} in {self.cwds} via {self.chain})"


class FileAccess:
    """A path that is touched.

    path: as a Word, relative to `cwds`.
    mode: `read`, `write` (creates or overwrites), `append`, `truncate` (empties), `delete`,
        `move` (moved away), `permissions`, `link` (a name is made for it), `metadata` (named or
        looked at, not read), `use` (a program takes it without showing it), `execute`.
    recursive: the whole tree below it. glob_found: the path comes from a search (`find`), so
        only its start is known.
    via: the program or API that touches it (`rm`, `shutil.rmtree`, `Write`, `>`).
    execution: the execution it belongs to, None for a file tool.
    content: text that is written, if known. source: what a copy, move or link takes it from.
    destination: where the path of a copy (`metadata`), move or link ends up.
    keeps: an existing file is left as it is (`cp -n`).
    names: only names, counts or checksums of what is read come out (`grep -c`, `wc`).
    """

    __slots__ = (
        "chain",
        "content",
        "cwds",
        "destination",
        "end",
        "execution",
        "found",
        "keeps",
        "mode",
        "names",
        "path",
        "recursive",
        "scope",
        "source",
        "start",
        "via",
    )

    def __init__(
        self,
        path: Word,
        mode: str,
        via: str,
        cwds: Sequence[str | None],
        start: int = 0,
        end: int = 0,
        *,
        recursive: bool = False,
        found: bool = False,
        execution: Execution | None = None,
        chain: Sequence[str] = (),
        scope: Scope = LOCAL,
        content: Word | None = None,
        source: Word | None = None,
        destination: Word | None = None,
        keeps: bool = False,
        names: bool = False,
    ) -> None:
        self.path = path
        self.mode = mode
        self.via = via
        self.cwds = tuple(cwds)
        self.start = start
        self.end = end
        self.recursive = recursive
        self.found = found
        self.execution = execution
        self.chain = tuple(chain)
        self.scope = scope
        self.content = content
        self.source = source
        self.destination = destination
        self.keeps = keeps
        self.names = names

    def __repr__(self) -> str:
        return f"FileAccess({self.mode} {self.path!r} via {self.via} in {self.cwds})"


class CodeRun:
    """Text that is run as code and can't be read, wholly or in part.

    how: `eval`, `source`, `shell-string` (`sh -c`), `shell-input` (`| sh`), `script` (a file),
        `inline` (another language), `code` (the whole text of another language is unknown),
        `fetched` (the same, after a download), `awk-command` (a command that awk makes from
        data), `list` (`xargs`, `parallel` take programs from it),
        `unparseable`.
    text: what is known of it. origin: the executions that its text comes from.
    """

    __slots__ = ("chain", "end", "execution", "how", "origin", "path", "start", "text")

    def __init__(
        self,
        how: str,
        text: Word,
        start: int,
        end: int,
        *,
        execution: Execution | None = None,
        origin: Sequence[Execution] = (),
        chain: Sequence[str] = (),
        path: str = "",
    ) -> None:
        self.how = how
        self.text = text
        self.start = start
        self.end = end
        self.execution = execution
        self.origin = tuple(origin)
        self.chain = tuple(chain)
        self.path = path


class Reading:
    """All that one call would do, as far as can be known.

    executions and accesses in the order of the text. codes: code that stayed opaque.
    reassigned: environment names that the text assigns (`HOME`, `TMPDIR`: no trust in them).
    functions: names of functions that pipe or background themselves (fork bombs).
    written: path -> content of files written earlier in the text, where known.
    """

    __slots__ = ("accesses", "codes", "executions", "forks", "reassigned", "written")

    def __init__(self) -> None:
        self.executions: list[Execution] = []
        self.accesses: list[FileAccess] = []
        self.codes: list[CodeRun] = []
        self.reassigned: set[str] = set()
        self.forks: list[tuple[str, int, int]] = []
        self.written: dict[str, Word] = {}
