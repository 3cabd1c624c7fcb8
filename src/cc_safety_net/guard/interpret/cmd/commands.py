"""Commands of cmd.exe: a line, what it starts, and where its output goes."""

from __future__ import annotations

from cc_safety_net.guard.interpret import commands, contents, programs
from cc_safety_net.guard.interpret.accesses import touch
from cc_safety_net.guard.interpret.cmd.variables import value_of
from cc_safety_net.guard.interpret.cmd.words import cut, stripped
from cc_safety_net.guard.interpret.commands import Job
from cc_safety_net.guard.interpret.facts import FileAccess, Redirection, Unknown, Word, literal
from cc_safety_net.guard.interpret.machine import Input
from cc_safety_net.guard.interpret.state import CWDS, ZERO, State, settle
from cc_safety_net.guard.interpret.values import EMPTY, concat, merge, text_choice
from cc_safety_net.guard.interpret.windows_paths import for_git, posix_pieces
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.cmd import nodes

#: Built-in commands whose line is one text.
_UNCUT = frozenset(("echo", "set", "title", "rem", "prompt"))
#: What may follow the name of such a command without a blank.
_AFTER_NAME = frozenset("/.\\:,;=+([")
_NULL = frozenset(("nul", "/dev/null", "nul:"))
#: Programs that take apostrophes for quotes, unlike others on Windows.
_SINGLE_QUOTES = frozenset(("bash", "dash", "sh", "wsl", "zsh"))
#: Programs that copy, with the switches that make them delete.
_COPIERS = frozenset(("xcopy", "robocopy"))
_BATCH = (".bat", ".cmd")
#: What a name without an extension may mean.
_EXTENSIONS = (".exe", *_BATCH)


class Commands:
    """What runs one command."""

    def __init__(self, m: Machine, state: State) -> None:
        self.m = m
        self.state = state
        #: The text is a batch file: it has arguments, and `goto` and `exit` work.
        self.is_file = state.look(ZERO) is not None
        #: The arguments of the text are known.
        self.bound = self.is_file
        #: A label that `goto` has asked for, or `eof`; until it is reached nothing runs.
        self.leaving = ""

    # --- text ------------------------------------------------------------------------------------

    def expand(self, line: nodes.Line) -> Choices:
        """The line with its variables."""
        out: Choices = EMPTY
        for part in line:
            if isinstance(part, str):
                out = concat(out, self._holes(part))
            else:
                out = concat(out, value_of(self.m, self.state, part, bound=self.bound))
        return out

    def _holes(self, text: str) -> Choices:
        m = self.m
        if not m.holes or text.isascii():
            return text_choice(text)
        return (merge(m.piece(character) or character for character in text),)

    # --- one command -----------------------------------------------------------------------------

    def command(self, node: nodes.Command) -> None:
        if not node.line and not node.redirects:
            return
        m = self.m
        m.effort.spend(8, "a command")
        lines = self.expand(node.line)
        if len(lines) == 1:
            self._line(node, lines[0])
            return
        base, certain = self.state, m.certain
        m.certain = False
        ends = []
        for line in lines:
            self.state = State(base)
            self._line(node, line)
            ends.append(self.state)
        self.state, m.certain = base, certain
        settle(base, ends)

    def _line(self, node: nodes.Command, line: Pieces) -> None:
        first = line[0] if line and isinstance(line[0], str) else ""
        lead = first.lstrip(" \t,;=")
        name = _name(lead)
        redirects = self._redirections(node)
        if not lead and not line:
            self._only_redirects(node, redirects)
            return
        if lead[1:3] == ":" and lead[0].isalpha() and not line[1:]:
            self.state.put(CWDS, (f"/{lead[0].upper()}:",))  # another drive
            return
        if lead[1:2] == ":" and lead[0].isalpha() and not lead[2:].strip() and not line[1:]:
            self.state.put(CWDS, (f"/{lead[0].upper()}:",))
            return
        if name:
            rest: Pieces = merge((lead[len(name) :], *line[1:]))
            words = [stripped(rest)] if name in _UNCUT else cut(rest)
            self.m.count_words(1 + len(words))
            self._built_in(node, name, rest, words, redirects)
            return
        words = cut(line, frozenset(" \t"), backslashes=True)
        if words and (literal(words[0]) or "").lower().removesuffix(".exe") in _SINGLE_QUOTES:
            words = cut(line, frozenset(" \t"), backslashes=True, marks="\"'")
        self.m.count_words(len(words))
        if words:
            self.program(words, node, redirects)

    def _built_in(
        self,
        node: nodes.Command,
        name: str,
        rest: Pieces,
        words: list[Pieces],
        redirects: list[Redirection],
    ) -> None:
        m = self.m
        from cc_safety_net.guard.interpret.cmd.builtins import HANDLERS

        execution = self.execution([(name,), *words], node, redirects)
        saved = (m.output, m.captured, m.input)
        into = [r for r in redirects if r.op in (">", ">>") and r.fd in (1, None)]
        if into:
            m.output, m.captured = EMPTY, True
            execution.captured = True
        self._redirected(execution, redirects)
        for redirect in redirects:
            if redirect.op == "<":
                self._fed(execution, redirect)
        HANDLERS[name](self, execution, rest, words)
        output = m.output
        m.captured, m.input = saved[1:]
        if into:
            m.output = saved[0]
        for redirect in into:
            self._write(execution, redirect, output)

    def execution(
        self, words: Sequence[Pieces], node: nodes.Node, redirects: Sequence[Redirection]
    ) -> Execution:
        m = self.m
        start, end = m.span or (node.start, node.end)
        argv = [Word((word,), start, end) for word in words]
        job = Job(argv, start, end, redirects=redirects, functions=False)
        execution = commands.execution_of(m, self.state, job)
        m.reading.executions.append(execution)
        return execution

    def program(
        self, words: Sequence[Pieces], node: nodes.Node, redirects: Sequence[Redirection] = ()
    ) -> None:
        """A program of the machine, or a batch file."""
        m = self.m
        text = literal(words[0])
        saved = (m.input, m.feeds, m.output, m.captured)
        into = [r for r in redirects if r.op in (">", ">>") and r.fd in (1, None)]
        rest = [r for r in redirects if r not in into]
        if into:
            m.output, m.captured = EMPTY, True
        execution = self.execution(for_git(words), node, rest)
        for redirect in rest:
            if redirect.op == "<":
                self._fed(execution, redirect)
        batch, kind = self._file_of(text)
        if batch:
            self._run_file(execution, batch, kind)
        else:
            programs.finish(m, self.state, execution)
        _copied(m, execution, words)
        output = m.output
        m.input, m.feeds, m.output, m.captured = saved
        if saved[2] is not None and not into:
            m.output = output
        for redirect in into:
            self._write(execution, redirect, output)

    def _file_of(self, text: str | None) -> tuple[str, str]:
        """(file that a command word names, its kind): a batch file, or what the text has written;
        ("", "") for another program.
        """
        path = "" if text is None else literal(posix_pieces((text,))) or ""
        leaf = path.lower().rpartition("/")[2]
        if not leaf:
            return "", ""
        is_batch = leaf.endswith(_BATCH)
        for extension in ("",) if "." in leaf else _EXTENSIONS:
            for cwd in self.state.cwds:
                whole = join(cwd or "/", path + extension)
                batch = is_batch or extension in _BATCH
                if whole in self.m.files and (batch or "/" not in path):
                    return path + extension, "cmd" if batch else "executable"
                if batch and cwd is not None and self.m.world.is_file(whole):
                    return path + extension, "cmd"
        return "", ""

    def _run_file(self, execution: Execution, path: str, kind: str) -> None:
        """A batch file runs in this very shell: what it sets stays set."""
        from cc_safety_net.guard.interpret.texts import run_inner
        from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

        word = Word(((path,),), execution.start, execution.end)
        inner = InnerFile(f"script {path}", kind, word, positionals=execution.argv[1:])
        inner.same_shell = kind == "cmd"
        run_inner(self.m, self.state, execution, inner)

    def _fed(self, execution: Execution, redirect: Redirection) -> None:
        m = self.m
        found, origin = contents.contents_of(m, execution.cwds, redirect.target)
        m.input, m.feeds = Input(found, origin), tuple(origin)

    # --- redirections ----------------------------------------------------------------------------

    def _redirections(self, node: nodes.Command) -> list[Redirection]:
        out = []
        for redirect in node.redirects:
            if redirect.op.endswith("&"):
                continue
            start, end = self.m.span or (redirect.start, redirect.end)
            choices = tuple(
                posix_pieces(words[0]) if (words := cut(choice)) else ()
                for choice in self.expand(redirect.target)
            )
            word = Word(choices, start, end)
            if (word.text or "").lower() not in _NULL and word.choices != ((),):
                out.append(Redirection(redirect.op, word, redirect.fd))
        return out

    def _only_redirects(self, node: nodes.Command, redirects: list[Redirection]) -> None:
        if not redirects:
            return
        execution = self.execution([(":",)], node, redirects)
        for redirect in redirects:
            if redirect.op in (">", ">>"):
                self._write(execution, redirect, EMPTY)

    def _redirected(self, execution: Execution, redirects: list[Redirection]) -> None:
        from cc_safety_net.guard.interpret.effects.engine import redirect_accesses

        rest = [r for r in redirects if r.op == "<" or r.fd not in (1, None)]
        self.m.reading.accesses.extend(redirect_accesses(rest, execution))

    def write_group(
        self, redirect: nodes.Redirect, output: Choices | None, node: nodes.Node
    ) -> None:
        """The output of a block goes into a file."""
        from cc_safety_net.guard.shell.cmd.nodes import Command

        command = Command((), (redirect,), node.start, node.end)
        found = self._redirections(command)
        execution = self.execution([(":",)], node, found)
        for each in found:
            self._write(execution, each, output)

    def _write(self, execution: Execution, redirect: Redirection, output: Choices | None) -> None:
        empty = output == EMPTY
        append = redirect.op == ">>"
        mode = "append" if append else "truncate" if empty else "write"
        content = None if output is None else Word(output)
        touch(self.m, execution, redirect.target, mode, via=redirect.op, content=content)
        choices = output
        if choices is None:
            choices = ((Unknown("command", execution.program, origin=(execution,)),),)
        contents.write(self.m, execution.cwds, redirect.target, choices, append=append)

    def again(self, execution: Execution, line: Pieces, label: str) -> None:
        """The rest of a line is a command of its own."""
        from cc_safety_net.guard.shell.cmd.nodes import Command

        m = self.m
        saved = (m.chain, m.span)
        m.chain = m.linked(label)
        m.span = (execution.start, execution.end)
        m.enter("a command inside a command")
        self._line(Command((), (), execution.start, execution.end), stripped(line))
        m.depth -= 1
        m.chain, m.span = saved

    def run(self, node: nodes.Node) -> None:
        """Run a statement of any kind."""
        raise NotImplementedError

    def call(self, label: str, words: Sequence[Pieces], execution: Execution) -> None:
        """`call :label …`."""
        raise NotImplementedError


def _name(lead: str) -> str:
    """The name of a command that is built in, "" for another."""
    from cc_safety_net.guard.interpret.cmd.builtins import HANDLERS

    at = 0
    while at < len(lead) and lead[at].isalpha():
        at += 1
    name = lead[:at].lower()
    after = lead[at : at + 1]
    if name in HANDLERS and (not after or after in " \t" or after in _AFTER_NAME):
        # `del.exe` and `cd\\tools\\x.exe` are programs only where such a file is.
        is_file = after == "." and lead[at + 1 : at + 4].lower() in ("exe", "com", "bat", "cmd")
        return "" if is_file else name
    return ""


def _copied(m: Machine, execution: Execution, words: Sequence[Pieces]) -> None:
    """`robocopy a b /move`: the source goes away."""
    if execution.program not in _COPIERS:
        return
    switches = {(literal(w) or "").lower() for w in words[1:]}
    if execution.program == "robocopy" and switches & {"/move", "/mov"} and len(words) > 2:
        word = Word((posix_pieces(words[1]),), execution.start, execution.end)
        place = Word((posix_pieces(words[2]),), execution.start, execution.end)
        m.reading.accesses.append(
            FileAccess(
                word, "move", "robocopy", execution.cwds, execution.start, execution.end,
                recursive=True, execution=execution, chain=execution.chain,
                scope=execution.scope, destination=place,
            )
        )  # fmt: skip
