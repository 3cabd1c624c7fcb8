"""Code in other languages: which module reads it, and what such a module may report.

A reader is a module with `read(code: str, host: CodeHost) -> None`. It knows its language, not
the machine: all that it finds goes through the host.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret import commands
from cc_safety_net.guard.interpret.commands import Job
from cc_safety_net.guard.interpret.facts import CodeRun, FileAccess, Word, known, literal
from cc_safety_net.guard.limits import INLINE_CODE_CHARACTERS, LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State

#: Language -> module with `read`.
READERS: dict[str, str] = {
    "crontab": "cc_safety_net.guard.interpret.lines.crontab",
    "tmux": "cc_safety_net.guard.interpret.lines.tmux",
}


class CodeHost:
    """What a reader of another language is given.

    language; effort: to be spent in loops over the code; arguments: the program's words, the
    first of them its own name; cwds: where it runs; script: path of the file that holds it, "".
    """

    __slots__ = ("_m", "_state", "arguments", "effort", "execution", "language", "script", "world")

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

    def chdir(self, directory: Word) -> None:
        """The code changes its directory."""
        from cc_safety_net.guard.interpret.state import CWDS
        from cc_safety_net.guard.interpret.texts import moved

        self._state.put(CWDS, moved(self._state.cwds, directory))

    def run(self, argv: Sequence[Word], label: str, *, stdin: Word | None = None) -> None:
        """The code starts a program by a list of words (`subprocess.run([...])`)."""
        from cc_safety_net.guard.interpret.machine import Input

        if not argv:
            return
        m = self._m
        saved = (m.chain, m.input)
        m.chain = m.linked(label)
        m.input = Input(stdin.choices) if stdin is not None else None
        job = Job(argv, self.execution.start, self.execution.end, functions=False)
        commands.run_job(m, self._state, job, None)
        m.chain, m.input = saved

    def shell(self, text: Word, label: str, *, dialect: str = "posix") -> None:
        """The code hands a text to a shell (`os.system`)."""
        from cc_safety_net.guard.interpret.state import State
        from cc_safety_net.guard.interpret.texts import run_text

        run_text(
            self._m, State(self._state), text, label, how="shell-string", dialect=dialect, new=True
        )

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
    ) -> None:
        """The code touches a path, relative to its directory; `mode` as of FileAccess."""
        m = self._m
        m.effort.spend(4, "the paths of a program")
        m.reading.accesses.append(
            FileAccess(
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
            )
        )

    def opaque(self, text: Word, how: str = "inline") -> None:
        """The code runs text that can't be known."""
        m = self._m
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
        code = literal(choice)
        if code is None or module is None:
            host.opaque(Word((choice,), text.start, text.end) if code is None else known(code))
            continue
        if len(code) > INLINE_CODE_CHARACTERS:
            raise LimitReached(
                "guard.input-limit", f"more than {INLINE_CODE_CHARACTERS:,} characters of code"
            )
        m.effort.spend(1 + len(code) // 8, f"{language} code")
        m.enter(f"{language} code")
        from importlib import import_module

        import_module(module).read(code, host)
        m.depth -= 1
