"""Commands of PowerShell: which cmdlet, function, script or program a name means."""

from __future__ import annotations

from cc_safety_net.guard.interpret import commands, programs
from cc_safety_net.guard.interpret.commands import Job
from cc_safety_net.guard.interpret.facts import (
    CodeRun,
    Redirection,
    Unknown,
    Word,
    known,
    literal,
)
from cc_safety_net.guard.interpret.machine import Input
from cc_safety_net.guard.interpret.powershell import values
from cc_safety_net.guard.interpret.powershell.binding import (
    ALIASES,
    NATIVE_TOO,
    WEB_ALIASES,
    WEB_PARAMETERS,
    Argument,
    Bound,
    as_argument,
    bind,
    bind_to,
    named_parameters,
    splatted,
)
from cc_safety_net.guard.interpret.powershell.paths import path_words
from cc_safety_net.guard.interpret.powershell.statements import Statements
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value
from cc_safety_net.guard.interpret.powershell.variables import set_variable
from cc_safety_net.guard.interpret.values import EMPTY, stripped, text_choice, unite
from cc_safety_net.guard.interpret.windows_paths import for_git, posix_pieces
from cc_safety_net.guard.shell.powershell import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.values import Choices

_NULL = frozenset(("$null", "nul", "/dev/null"))


class Call:
    """A cmdlet that is about to run: its full name, parameters, and what the pipe gives it."""

    __slots__ = ("bound", "execution", "given", "name", "node")

    def __init__(
        self,
        name: str,
        bound: Bound,
        given: Value | None,
        node: nodes.Command,
        execution: Execution,
    ) -> None:
        self.name = name
        self.bound = bound
        self.given = given
        self.node = node
        self.execution = execution


class Commands(Statements):
    """What runs commands. source: the text that is being run."""

    source = ""

    def call_member(self, node: nodes.Member) -> Value:
        from cc_safety_net.guard.interpret.powershell.methods import call

        return call(self, node)

    def command(self, node: nodes.Command, given: Value | None) -> Value:
        m = self.m
        m.effort.spend(8 + len(node.words), "a command")
        m.count_words(len(node.words))
        redirects = self._redirections(node)
        saved = m.captured
        into = [r for r in redirects if r.fd in (1, None) and r.op in (">", ">>")]
        m.captured = saved or bool(into)
        before = len(m.reading.executions)
        out = self._named(node, given, redirects)
        m.captured = saved
        if not into:
            return out
        made = m.reading.executions[before : before + 1]
        for redirect in into:
            self.write(redirect, out, node, made[0] if made else None)
        return NOTHING

    def _named(
        self, node: nodes.Command, given: Value | None, redirects: list[Redirection]
    ) -> Value:
        first = node.words[0]
        target = self.evaluate(first)
        if target.block is not None:
            return self.run_called(target.block, self._arguments(node), given, node.call == ".")
        if target.kind == "code":
            from cc_safety_net.guard.interpret.powershell.methods import run_code

            return run_code(self, target, node)
        texts = [literal(choice) for choice in target.items[0]] if target.items else []
        if node.call == ".":
            return self._sourced(node, target, redirects)
        if len(texts) > 1 and not any(text is None for text in texts):
            bodies = [
                lambda text=text: self._by_name(node, text or "", given, redirects)
                for text in texts[:16]
            ]
            return self.branches(bodies)
        name = texts[0] if len(texts) == 1 else None
        if name is None:
            return self._native(node, target, given, redirects)
        return self._by_name(node, name, given, redirects)

    def _by_name(
        self, node: nodes.Command, name: str, given: Value | None, redirects: list[Redirection]
    ) -> Value:
        lower = name.lower()
        if lower == "foreach-object" or (name == "%" and not node.call):
            lower = "foreach-object"
        found = self.state.look("=" + lower)
        if found is not None and found[0] is not None:
            lower = found[0].lower()
        cmdlet = ALIASES.get(lower, lower)
        if lower in WEB_ALIASES and any(
            isinstance(word, nodes.Option) and word.name in WEB_PARAMETERS
            for word in node.words[1:]
        ):
            cmdlet = "invoke-webrequest"
        block = self.state.look("(" + lower)
        if block is not None and lower not in ALIASES and block[0] is not None:
            return self.run_called(block[0], self._arguments(node), given, same_scope=False)
        module, backslash, short = cmdlet.rpartition("\\")
        if backslash and module.startswith("microsoft.powershell"):
            cmdlet = short
        from cc_safety_net.guard.interpret.powershell.cmdlets import HANDLERS, is_cmdlet

        if cmdlet in HANDLERS or is_cmdlet(cmdlet):
            arguments = self._arguments(node)
            bound = bind(cmdlet, arguments)
            if lower not in NATIVE_TOO or not _for_program(bound, arguments):
                return self._cmdlet(node, cmdlet, arguments, bound, given, redirects)
        if lower.endswith(".ps1"):
            return self._script_file(node, given, redirects)
        return self._native(node, values.known(name), given, redirects)

    def run_called(
        self,
        block: nodes.Block,
        arguments: list[Argument],
        given: Value | None,
        same_scope: bool,
    ) -> Value:
        """A function or block with its arguments."""
        variables = self._variables_of(block.parameters, arguments)
        if given is not None:
            variables["input"] = given
        return self.run_block(block, variables, given=given, same_scope=same_scope)

    def take_arguments(self, declared: Sequence[nodes.Parameter], words: Sequence[Choices]) -> None:
        """The arguments that a script is called with become its parameters, and `$args`."""
        arguments = [as_argument(word) for word in words]
        for name, value in self._variables_of(declared, arguments).items():
            set_variable(self.state, name, value)

    def _variables_of(
        self, declared: Sequence[nodes.Parameter], arguments: list[Argument]
    ) -> dict[str, Value]:
        parameters = named_parameters([(p.name, p.switch) for p in declared])
        bound = bind_to(parameters, [], arguments)
        variables: dict[str, Value] = {}
        for parameter in declared:
            if parameter.name in bound.values:
                variables[parameter.name] = bound.values[parameter.name]
            elif parameter.switch:
                variables[parameter.name] = values.truth(parameter.name in bound.on)
            elif parameter.default is not None:
                variables[parameter.name] = self.captured(parameter.default)
            else:
                variables[parameter.name] = NOTHING
        rest = NOTHING
        for value in bound.rest:
            rest = values.both(rest, value)
        variables["args"] = Value(rest.items, more=rest.more, kind="array")
        return variables

    # --- arguments -------------------------------------------------------------------------------

    def _arguments(self, node: nodes.Command) -> list[Argument]:
        m = self.m
        saved, m.captured = m.captured, True
        out: list[Argument] = []
        for word in node.words[1:]:
            if isinstance(word, nodes.Option):
                value = None if word.value is None else self.evaluate(word.value)
                out.append(Argument(value, word, name=word.name, raw=word.raw))
                continue
            value = self.evaluate(word)
            if isinstance(word, nodes.Variable) and word.splat:
                out.extend(splatted(value, word))
            else:
                out.append(Argument(value, word))
        m.captured = saved
        return out

    def _redirections(self, node: nodes.Command) -> list[Redirection]:
        out = []
        for redirect in node.redirects:
            if redirect.op == ">&" or redirect.target is None:
                continue
            value = self.evaluate(redirect.target)
            if value.is_nothing:
                continue  # $null
            fd = int(redirect.stream) if redirect.stream.isdigit() else 1
            for word in path_words(
                value, self.m.place.home, redirect.start, redirect.end, wild=False
            )[:1]:
                if (word.text or "").lower() in _NULL:
                    continue
                out.append(Redirection(redirect.op, word, fd))
        return out

    def words(self, node: nodes.Command, target: Value, arguments: list[Argument]) -> list[Word]:
        """The command as a list of words."""
        out = target.words(node.words[0].start, node.words[0].end)[:1]
        for argument in arguments:
            start, end = self.m.span or (argument.node.start, argument.node.end)
            if argument.name:
                out.append(known(argument.raw, start, end))
                continue
            value = argument.value or NOTHING
            if value.block is not None:
                out.append(known(self._source_of(value.block), start, end))
            out.extend(
                Word(_shell_words(item, argument.node, self.m.place.home), start, end)
                for item in value.items
            )
            if value.more and not value.items:
                unknown = Unknown("command", origin=value.origin)
                out.append(Word(((unknown,),), start, end))
        return out

    def _source_of(self, block: nodes.Block) -> str:
        """The text of a block, which a program such as pwsh gets to run."""
        text = self.source[block.start : block.end]
        return text[1:-1] if text[:1] == "{" and text[-1:] == "}" else "{…}"

    def execution(
        self,
        argv: list[Word],
        node: nodes.Node,
        *,
        program: str = "",
        redirects: list[Redirection] | None = None,
    ) -> Execution:
        """Put an execution into the reading."""
        start, end = self.m.span or (node.start, node.end)
        job = Job(argv, start, end, redirects=redirects or (), functions=False)
        found = commands.execution_of(self.m, self.state, job)
        if program:
            found.program = program
        self.m.reading.executions.append(found)
        return found

    # --- what a name means -----------------------------------------------------------------------

    def _cmdlet(
        self,
        node: nodes.Command,
        cmdlet: str,
        arguments: list[Argument],
        bound: Bound,
        given: Value | None,
        redirects: list[Redirection],
    ) -> Value:
        from cc_safety_net.guard.interpret.powershell.cmdlets import run

        argv = self.words(node, self.evaluate(node.words[0]), arguments)
        execution = self.execution(argv, node, program=cmdlet, redirects=redirects)
        if redirects:
            self.redirected(execution)
        return run(self, Call(cmdlet, bound, given, node, execution))

    def redirected(self, execution: Execution) -> None:
        """Errors and input of a cmdlet; its output is written with the value that it prints."""
        from cc_safety_net.guard.interpret.effects.engine import redirect_accesses

        rest = [r for r in execution.redirects if r.op == "<" or r.fd not in (1, None)]
        self.m.reading.accesses.extend(redirect_accesses(rest, execution))

    def _native(
        self,
        node: nodes.Command,
        target: Value,
        given: Value | None,
        redirects: list[Redirection],
    ) -> Value:
        """A program."""
        arguments = self._arguments(node)
        argv = self.words(node, target, arguments) or [known("?", node.start, node.end)]
        if len(target.items) > 1:  # & ('rm', …) takes the first
            argv[0] = Word(target.items[0], argv[0].start, argv[0].end)
        return self.program(argv, node, given, redirects)

    def program(
        self,
        argv: list[Word],
        node: nodes.Node,
        given: Value | None = None,
        redirects: list[Redirection] | None = None,
    ) -> Value:
        """Run a program of the machine; what it prints, line by line."""
        m = self.m
        saved = (m.output, m.input, m.feeds)
        if given is None:
            m.input, m.feeds = None, ()
        m.output = EMPTY
        start, end = m.span or (node.start, node.end)
        rest = [r for r in redirects or () if r.op == "<" or r.fd not in (1, None)]
        job = Job(_for_git(argv), start, end, redirects=rest, functions=False)
        execution = commands.execution_of(m, self.state, job)
        m.reading.executions.append(execution)
        for redirect in rest:
            if redirect.op == "<":
                m.input = Input(None, ())
        programs.finish(m, self.state, execution)
        output = m.output
        m.output, m.input, m.feeds = saved
        texts = [literal(choice) for choice in output]
        if len(texts) == 1 and texts[0] is not None:
            lines = texts[0].splitlines()
            return Value([text_choice(line) for line in lines[:256]], origin=(execution,))
        whole = [short for choice in output for short in stripped(choice)]
        return Value((unite(whole),), more=True, origin=(execution,))

    def _sourced(self, node: nodes.Command, target: Value, redirects: list[Redirection]) -> Value:
        """`. file.ps1`, `. name`."""
        text = target.text
        if (
            text is not None
            and not text.lower().endswith(".ps1")
            and ("\\" not in text and "/" not in text)
        ):
            return self._by_name(node, text, None, redirects)
        return self._script_file(node, None, redirects, same_shell=True)

    def _script_file(
        self,
        node: nodes.Command,
        given: Value | None,
        redirects: list[Redirection],
        *,
        same_shell: bool = False,
    ) -> Value:
        """A script of PowerShell: read and run."""
        from cc_safety_net.guard.interpret.texts import run_inner
        from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

        arguments = self._arguments(node)
        target = self.evaluate(node.words[0])
        argv = self.words(node, target, arguments)
        if not argv:
            return NOTHING
        execution = self.execution(argv, node, redirects=redirects)
        start, end = execution.start, execution.end
        path = path_words(target, self.m.place.home, start, end, wild=False)
        del given
        if path:
            label = f"script {path[0].text or '?'}"
            inner = InnerFile(label, "powershell", path[0], positionals=argv[1:])
            inner.same_shell = same_shell
            own = self.state.look("($args")
            run_inner(self.m, self.state, execution, inner)
            if same_shell:
                self.state.put("($args", own)
        return Value(
            (((Unknown("command", execution.program, origin=(execution,)),),),),
            more=True,
            origin=(execution,),
        )

    # --- output ----------------------------------------------------------------------------------

    def show(self, value: Value, node: nodes.Node) -> None:
        """Printing a variable of the environment is what `printenv NAME` does."""
        for item in value.items[:64]:
            for choice in item:
                for piece in choice:
                    if isinstance(piece, Unknown) and piece.why == "environment" and piece.name:
                        self.execution([known("printenv"), known(piece.name)], node)

    def write(
        self,
        redirect: Redirection,
        value: Value,
        node: nodes.Node,
        execution: Execution | None,
    ) -> None:
        from cc_safety_net.guard.interpret.powershell.files import write_file

        if execution is None:
            execution = self.execution([known(redirect.op, node.start, node.end)], node)
        words = [redirect.target]
        home = self.m.place.home
        words = [
            Word(tuple(posix_pieces(c, home=home) for c in word.choices), word.start, word.end)
            for word in words
        ]
        for word in words:
            if (word.text or "").lower() not in _NULL and word.choices != ((),):
                append = redirect.op == ">>"
                write_file(self, execution, word, value, append=append, via=redirect.op)

    def opaque(self, how: str, value: Value, execution: Execution) -> None:
        """Text that runs as PowerShell and can't be known."""
        m = self.m
        text = Word(value.items[0] if value.items else ((),), execution.start, execution.end)
        m.reading.codes.append(
            CodeRun(
                how,
                text,
                execution.start,
                execution.end,
                execution=execution,
                origin=_origins(value),
                chain=m.chain,
            )
        )


def _origins(value: Value) -> list[Execution]:
    out = list(value.origin)
    for item in value.items[:64]:
        for choice in item:
            for piece in choice:
                if isinstance(piece, Unknown):
                    out.extend(e for e in piece.origin if e not in out)
    return out


def _for_program(bound: Bound, arguments: list[Argument]) -> bool:
    """The words have options that the cmdlet does not know (`rm -rf`, `ls --all`)."""
    if bound.strange:
        return True
    return any(
        not argument.name
        and isinstance(argument.node, nodes.Text)
        and argument.node.bare
        and argument.node.value.startswith("--")
        for argument in arguments
    )


def _shell_words(item: Choices, node: nodes.Node, home: str) -> Choices:
    """A bare word may be a pattern, and `~` the home."""
    if isinstance(node, (nodes.Text, nodes.Expandable)) and node.bare:
        return tuple(_bare(choice, home) for choice in item)
    return item


def _bare(choice: Pieces, home: str) -> Pieces:
    first = choice[0] if choice and isinstance(choice[0], str) else ""
    if first == "~" or first.startswith(("~/", "~\\")):
        choice = (home + first[1:], *choice[1:])
    if any(isinstance(piece, str) and ("*" in piece or "?" in piece) for piece in choice) and not (
        first.startswith("-") or "://" in first
    ):
        from cc_safety_net.guard.interpret.values import merge
        from cc_safety_net.guard.interpret.windows_paths import split_patterns

        return merge(
            each
            for piece in choice
            for each in (split_patterns(piece) if isinstance(piece, str) else [piece])
        )
    return choice


def _for_git(argv: list[Word]) -> list[Word]:
    first = for_git([word.choices[0] for word in argv])
    return [
        Word((pieces, *word.choices[1:]), word.start, word.end, splits=word.splits)
        for pieces, word in zip(first, argv, strict=True)
    ]
