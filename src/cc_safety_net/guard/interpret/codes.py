"""Code in other languages: which module reads it, and what such a module may report.

A reader is a module with `read(code: str, host: CodeHost) -> None`. It knows its language, not
the machine: all that it finds goes through the host.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret import commands
from cc_safety_net.guard.interpret.commands import Job
from cc_safety_net.guard.interpret.facts import (
    CodeRun,
    FileAccess,
    Unknown,
    Word,
    known,
    literal,
)
from cc_safety_net.guard.interpret.values import merge
from cc_safety_net.guard.limits import INLINE_CODE_CHARACTERS, LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Glob, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

#: Around the number of an unknown part of the code: a letter, so that it may be in a name.
MARK = "\u01c2"
#: Stands as the program of a statement that code sends to a database: its words are the method,
#: the client for such a database, the database and the statement.
DRIVER = "database-driver"
_HOLES = 1_024
#: Languages in which a program is written; text in the others is data until a part of it harms.
_GENERAL = frozenset(
    (
        "applescript", "elixir", "go", "groovy", "java", "javascript", "julia", "lua", "perl",
        "php", "python", "r", "ruby", "tcl",
    )
)  # fmt: skip
#: Language -> module with `read`.
READERS: dict[str, str] = {
    "applescript": "cc_safety_net.guard.interpret.inline.applescript",
    "awk": "cc_safety_net.guard.interpret.lines.awk",
    "crontab": "cc_safety_net.guard.interpret.lines.crontab",
    "ed": "cc_safety_net.guard.interpret.lines.ed",
    "elisp": "cc_safety_net.guard.interpret.lines.elisp",
    "elixir": "cc_safety_net.guard.interpret.inline.elixir",
    "expect": "cc_safety_net.guard.interpret.inline.tcl",
    "ftp": "cc_safety_net.guard.interpret.lines.ftp",
    "gdb": "cc_safety_net.guard.interpret.lines.debugger",
    "go": "cc_safety_net.guard.interpret.inline.go",
    "groovy": "cc_safety_net.guard.interpret.inline.groovy",
    "java": "cc_safety_net.guard.interpret.inline.groovy",
    "javascript": "cc_safety_net.guard.interpret.inline.javascript",
    "julia": "cc_safety_net.guard.interpret.inline.julia",
    "lldb": "cc_safety_net.guard.interpret.lines.debugger",
    "lua": "cc_safety_net.guard.interpret.inline.lua",
    "perl": "cc_safety_net.guard.interpret.inline.perl",
    "php": "cc_safety_net.guard.interpret.inline.php",
    "python": "cc_safety_net.guard.interpret.inline.python",
    "r": "cc_safety_net.guard.interpret.inline.r",
    "ruby": "cc_safety_net.guard.interpret.inline.ruby",
    "sed": "cc_safety_net.guard.interpret.lines.sed",
    "sql": "cc_safety_net.guard.interpret.lines.sql",
    "sqlite": "cc_safety_net.guard.interpret.lines.sqlite",
    "tcl": "cc_safety_net.guard.interpret.inline.tcl",
    "tmux": "cc_safety_net.guard.interpret.lines.tmux",
    "vim": "cc_safety_net.guard.interpret.lines.vim",
}


class CodeHost:
    """What a reader of another language is given.

    language; effort: to be spent in loops over the code; arguments: the program's words, the
    first of them its own name; cwds: where it runs; script: path of the file that holds it, "".
    source: the text that is being read.
    """

    __slots__ = (
        "_environment",
        "_holes",
        "_m",
        "_state",
        "arguments",
        "effort",
        "execution",
        "language",
        "script",
        "search",
        "source",
        "world",
    )

    def __init__(
        self,
        m: Machine,
        state: State,
        execution: Execution,
        language: str,
        arguments: Sequence[Word],
        script: str,
    ) -> None:
        self._m = m
        self._state = state
        self.execution = execution
        self.language = language
        self.arguments = tuple(arguments)
        self.script = script
        self.source = ""
        #: Folders that the code itself adds to those where modules are looked for.
        self.search: list[str] = []
        self._holes: list[Unknown | Glob] = []
        self._environment = dict(execution.env)
        self.effort = m.effort
        self.world = m.world

    @property
    def cwds(self) -> tuple[str | None, ...]:
        return self._state.cwds

    @property
    def home(self) -> str:
        return self._m.place.home

    @property
    def temp(self) -> str:
        return self._m.place.temps[0] if self._m.place.temps else "/tmp"  # noqa: S108 - a name

    def source_of(self, choice: Pieces) -> str | None:
        """The code with a name for each unknown part; None if nothing of it is known."""
        if not any(isinstance(piece, str) and piece.strip() for piece in choice):
            return literal(choice)
        out = []
        for piece in choice:
            if isinstance(piece, str):
                # A mark that is already there would be taken for one of ours.
                out.append(piece.replace(MARK, "?"))
            elif len(self._holes) < _HOLES:
                self._holes.append(piece)
                out.append(f"{MARK}{len(self._holes) - 1}{MARK}")
        return "".join(out)

    def pieces(self, text: str) -> Choices:
        """A literal of the code: known text, and the unknown parts that its marks stand for."""
        if MARK not in text:
            return ((text,) if text else (),)
        parts = text.split(MARK)
        out: list[str | Unknown | Glob] = []
        for index, part in enumerate(parts):
            if index % 2 == 0:
                out.append(part)
            else:
                hole = part.isdecimal() and int(part) < len(self._holes)
                out.append(self._holes[int(part)] if hole else Unknown("variable"))
        return (merge(out),)

    def argv(self) -> tuple[Word, ...]:
        """The words that the code is given (`sys.argv[1:]`)."""
        if self.script:
            return self.arguments[1:]
        for index, word in enumerate(self.arguments):
            if index and word.text in (self.source, "-"):
                return self.arguments[index + 1 :]
        return ()

    def stdin(self) -> Word:
        """What the code reads from its standard input."""
        given = self.execution.stdin
        if given is not None and given.text != self.source:
            return given
        origin = self.execution.feeds
        return Word(((Unknown("input", "stdin", may_be_empty=False, origin=origin),),))

    def variable(self, name: str) -> Word | None:
        """A variable of the environment, None if its value isn't known."""
        word = self._environment.get(name)
        if word is not None:
            return word
        if name == "HOME":
            return known(self.home)
        if name in ("TMPDIR", "TEMP", "TMP") and name in self.world.environment:
            return known(self.temp)
        if name in ("USER", "LOGNAME", "SHELL") and name in self.world.environment:
            return known(self.world.environment[name])
        if name == "PWD" and len(self.cwds) == 1 and self.cwds[0] is not None:
            return known(self.cwds[0])
        return None

    def set_variable(self, name: str, value: Word) -> None:
        """The code sets a variable of its environment."""
        self._environment[name] = value
        if name in ("HOME", "TMPDIR"):
            self._m.reading.reassigned.add(name)

    def print_environment(self, label: str, names: Sequence[str]) -> None:
        """The code shows variables, without names all of them: as `printenv` does."""
        self.run([known("printenv"), *(known(name) for name in names)], label)

    def go_back(self, cwds: Sequence[str | None]) -> None:
        """The code is again where it was."""
        from cc_safety_net.guard.interpret.state import CWDS

        self._state.put(CWDS, tuple(cwds))

    def chdir(self, directory: Word) -> None:
        """The code changes its directory."""
        from cc_safety_net.guard.interpret.state import CWDS
        from cc_safety_net.guard.interpret.texts import moved

        # A directory that was just made is there, only its name is not known.
        made = [
            tuple("made" if isinstance(p, Unknown) and p.name == "mktemp" else p for p in choice)
            for choice in directory.choices
        ]
        directory = Word([merge(choice) for choice in made])
        self._state.put(CWDS, moved(self._state.cwds, directory))

    def run(
        self,
        argv: Sequence[Word],
        label: str,
        *,
        stdin: Word | None = None,
        directory: Word | None = None,
        env: Mapping[str, Word] | None = None,
    ) -> None:
        """The code starts a program by a list of words (`subprocess.run([...])`)."""
        from cc_safety_net.guard.interpret.machine import Input

        if not argv:
            return
        m = self._m
        saved = (m.chain, m.input, m.feeds)
        m.enter("a command inside code")
        m.chain = m.linked(label)
        m.input, m.feeds = Input(stdin.choices) if stdin is not None else None, ()
        job = Job(
            argv,
            self.execution.start,
            self.execution.end,
            env={**self._environment, **(env or {})},
            functions=False,
        )
        commands.run_job(m, self._started(directory), job, None)
        m.chain, m.input, m.feeds = saved
        m.depth -= 1

    def _started(self, directory: Word | None) -> State:
        """The state of a program that the code starts."""
        from cc_safety_net.guard.interpret.state import CWDS, State
        from cc_safety_net.guard.interpret.texts import moved

        state = State(self._state)
        if directory is not None:
            state.put(CWDS, moved(self._state.cwds, directory))
        return state

    def shell(
        self,
        text: Word,
        label: str,
        *,
        dialect: str = "posix",
        directory: Word | None = None,
        env: Mapping[str, Word] | None = None,
        stdin: Word | None = None,
    ) -> None:
        """The code hands a text to a shell (`os.system`)."""
        from cc_safety_net.guard.interpret.machine import Input
        from cc_safety_net.guard.interpret.state import ARGUMENTS, EXPORTED, Variable
        from cc_safety_net.guard.interpret.texts import run_text

        m = self._m
        state = self._started(directory)
        state.put(ARGUMENTS, ((),))
        given = {**self._environment, **(env or {})}
        for name, word in given.items():
            state.put(name, Variable(word.choices, flags="x"))
        state.put(EXPORTED, tuple(given))
        saved = m.span, m.input
        m.span = (self.execution.start, self.execution.end)
        if stdin is not None:
            m.input = Input(stdin.choices)
        run_text(m, state, text, label, how="shell-string", dialect=dialect, new=True)
        m.span, m.input = saved

    def statement(self, label: str, client: str, database: Word, text: str) -> None:
        """The code sends a statement to a database, by a method called `label`; `client` is the
        program that looks into such a database."""
        m = self._m
        m.effort.spend(8, "a statement inside code")
        words = (known(label), known(client), database, known(text))
        job = Job(words, self.execution.start, self.execution.end, functions=False)
        execution = commands.execution_of(m, self._state, job)
        execution.program = DRIVER
        m.reading.executions.append(execution)

    def code(self, text: Word, label: str, language: str = "") -> None:
        """The code runs other code (`exec` of a literal)."""
        m = self._m
        saved, m.chain = m.chain, m.linked(label)
        run_code(m, self._state, self.execution, language or self.language, text)
        m.chain = saved

    def touch(
        self,
        path: Word,
        mode: str,
        via: str,
        *,
        recursive: bool = False,
        found: bool = False,
        content: Word | None = None,
        source: Word | None = None,
        destination: Word | None = None,
    ) -> FileAccess:
        """The code touches a path, relative to its directory; `mode` as of FileAccess.

        What a script on disk reads is its own use: the agent does not see it.
        """
        m = self._m
        m.effort.spend(4, "the paths of a program")
        if mode == "read" and self.script and self.script not in m.files:
            mode = "use"
        access = FileAccess(
            path,
            mode,
            via,
            self._state.cwds,
            self.execution.start,
            self.execution.end,
            recursive=recursive,
            found=found,
            execution=self.execution,
            chain=m.chain,
            scope=m.scope,
            content=content,
            source=source,
            destination=destination,
        )
        from cc_safety_net.guard.interpret.windows_paths import convert

        convert(access, self.execution.dialect)
        m.reading.accesses.append(access)
        return access

    def wrote(self, access: FileAccess, content: Word) -> None:
        """What was opened by `access` now holds `content`: a later part of the text may run it."""
        from cc_safety_net.guard.interpret.contents import write

        append = access.mode == "append"
        if access.mode == "truncate":
            access.mode = "write"
        write(self._m, access.cwds, access.path, content.choices, append=append)

    def content(self, file: Word) -> Word | None:
        """What a file holds that the code reads, None if it can't be known."""
        from cc_safety_net.guard.interpret.contents import contents_of

        choices, _ = contents_of(self._m, self._state.cwds, file)
        return Word(choices) if choices else None

    @property
    def folders(self) -> list[str]:
        """Where the file lies that holds the code, else where the code runs."""
        from cc_safety_net.guard.paths import parent

        return [parent(self.script)] if self.script else [cwd for cwd in self.cwds if cwd]

    def first_file(self, candidates: Iterable[str]) -> str:
        """The first of these paths at which a file lies or was written; "" if there is none."""
        from cc_safety_net.guard.paths import normalise

        for candidate in candidates:
            self.effort.spend(4, "the modules of a program")
            path = normalise(candidate)
            if path in self._m.files or self.world.is_file(path):
                return path
        return ""

    def take_in(self, path: str, label: str, work: Callable[[str], object]) -> None:
        """Hand the text of a file to `work` that the code takes in, as code of that file."""
        from cc_safety_net.guard.interpret.scripts import take_in

        script, self.script = self.script, path
        try:
            take_in(self._m, self.execution, path, label, work)
        finally:
            self.script = script

    def enter(self, construct: str) -> None:
        """One level deeper; `leave` goes back."""
        self._m.enter(construct)

    def leave(self) -> None:
        self._m.depth -= 1

    def uncertain(self, certain: bool) -> bool:
        """Whether what follows is sure to happen; returns what was."""
        was, self._m.certain = self._m.certain, certain
        return was

    def opaque(self, text: Word, how: str = "inline") -> None:
        """The code runs text that can't be known; that of a file that is only named is a
        script's."""
        m = self._m
        pieces = [piece for choice in text.choices for piece in choice]
        if how == "code" and any(isinstance(p, Unknown) and p.why == "file" for p in pieces):
            how = "script"
        m.reading.codes.append(
            CodeRun(
                how,
                text,
                self.execution.start,
                self.execution.end,
                execution=self.execution,
                origin=self.execution.feeds,
                chain=m.chain,
                path=self.script,
            )
        )


def run_code(
    m: Machine,
    state: State,
    execution: Execution,
    language: str,
    text: Word,
    *,
    script: str = "",
    arguments: Sequence[Word] = (),
) -> None:
    """Read `text` as code of `language`; what can't be read is reported as opaque."""
    host = CodeHost(m, state, execution, language, arguments or execution.argv, script)
    module = READERS.get(language)
    for choice in text.choices:
        code = host.source_of(choice)
        if code is None or module is None:
            how = "code" if code is None and language in _GENERAL else "inline"
            host.opaque(Word((choice,), text.start, text.end), how)
            continue
        if len(code) > INLINE_CODE_CHARACTERS:
            raise LimitReached(
                "guard.input-limit", f"more than {INLINE_CODE_CHARACTERS:,} characters of code"
            )
        m.effort.spend(1 + len(code) // 8, f"{language} code")
        m.enter(f"{language} code")
        host.source = literal(choice) or ""
        __import__(module, fromlist=("read",)).read(code, host)
        m.depth -= 1
