"""Running the text of cmd.exe: blocks, conditions, loops, pipes; commands are in `commands`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.cmd.commands import Commands
from cc_safety_net.guard.interpret.cmd.words import cut
from cc_safety_net.guard.interpret.facts import CodeRun, Unknown, known, literal
from cc_safety_net.guard.interpret.machine import Input, Outcome
from cc_safety_net.guard.interpret.powershell.values import Value
from cc_safety_net.guard.interpret.powershell.variables import set_variable
from cc_safety_net.guard.interpret.state import State, settle
from cc_safety_net.guard.interpret.values import EMPTY, concat, merge, text_choice, unite
from cc_safety_net.guard.interpret.windows_paths import split_patterns
from cc_safety_net.guard.limits import LOOP_VALUES
from cc_safety_net.guard.shell.cmd.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, Glob, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.cmd import nodes


def run(m: Machine, state: State, text: str) -> Outcome:
    """Run text of cmd.exe in `state`."""
    result = parse(text, m.effort)
    shell = Shell(m, state)
    for statement in result.script.statements:
        shell.run(statement)
    if result.message:
        start, end = m.span or (result.rest, len(text))
        rest = known(text[result.rest :], start, end)
        m.reading.codes.append(CodeRun("unparseable", rest, start, end, chain=m.chain))
    return Outcome(state, state)


class Shell(Commands):
    """What runs statements."""

    def run(self, node: nodes.Node) -> None:
        m = self.m
        m.enter("a command")
        getattr(self, _METHODS[type(node).__name__])(node)
        m.depth -= 1

    def _script(self, node: nodes.Script) -> None:
        for statement in node.statements:
            self.run(statement)

    def _group(self, node: nodes.Group) -> None:
        m = self.m
        saved = (m.output, m.captured)
        written = [r for r in node.redirects if r.op in (">", ">>") and r.fd in (1, None)]
        if written:
            m.output, m.captured = EMPTY, True
        self.run(node.body)
        output = m.output
        m.output, m.captured = saved
        for redirect in written:
            self.write_group(redirect, output, node)

    def _chain(self, node: nodes.Chain) -> None:
        m = self.m
        saved, after = m.certain, m.after
        self.run(node.commands[0])
        for operator, command in zip(node.operators, node.commands[1:], strict=True):
            if operator == "&":
                m.certain, m.after = saved, after
                self.run(command)
                continue
            m.certain = False
            if operator == "&&":
                m.after = (*after, *m.reading.executions[-1:])
                self.run(command)
            else:
                self.maybe(command)
        m.certain, m.after = saved, after

    def maybe(self, *commands: nodes.Node | None) -> None:
        """One of the commands runs, or, for None and a single one, none does."""
        m = self.m
        base, certain = self.state, m.certain
        m.certain = False
        ends = []
        for command in commands if len(commands) > 1 else (*commands, None):
            self.state = State(base)
            if command is not None:
                self.run(command)
            ends.append(self.state)
        self.state, m.certain = base, certain
        settle(base, ends)

    def _pipe(self, node: nodes.Pipe) -> None:
        m = self.m
        saved = (m.input, m.feeds, m.output, m.captured)
        base = self.state
        left: list[Execution] = []
        last = len(node.commands) - 1
        for index, command in enumerate(node.commands):
            m.output = saved[2] if index == last else EMPTY
            before = len(m.reading.executions)
            self.state = State(base)
            self.run(command)
            made = m.reading.executions[before:]
            reader = next((e for e in made if e.feeds), None)
            for execution in left:
                if execution.fed is None:
                    execution.fed = reader
            left = [e for e in made if e.fed is None]
            m.feeds = tuple(left[:16])
            m.input = Input(m.output, m.feeds)
        output = m.output
        self.state = base
        m.input, m.feeds, m.output, m.captured = saved
        m.output = output

    # --- conditions and loops --------------------------------------------------------------------

    def _if(self, node: nodes.If) -> None:
        decided = self._decided(node)
        if decided is None:
            self.maybe(node.body, node.otherwise)
        elif decided:
            self.run(node.body)
        elif node.otherwise is not None:
            self.run(node.otherwise)

    def _decided(self, node: nodes.If) -> bool | None:
        words = [self.expand(line) for line in node.condition]
        texts = [literal(w[0]) if len(w) == 1 else None for w in words]
        if len(texts) != 3 or None in texts:
            return None
        left, operator, right = (text or "" for text in texts)
        left, right = left.strip('"').lower(), right.strip('"').lower()
        if operator == "==" or operator.lower() == "equ":
            return (left == right) is not node.negated
        if operator.lower() == "neq":
            return (left != right) is not node.negated
        return None

    def _for(self, node: nodes.For) -> None:
        options = [_plain(self.expand(option)) for option in node.options]
        kind = next((o[1:2].lower() for o in options if o.startswith("/")), "")
        if kind == "f":
            items = self._lines_of(node)
        elif kind == "l":
            items = [((Unknown("arithmetic", may_be_empty=False),),)]
        else:
            items = self._items(node)
        if kind == "r":
            start = next((o for o in options if o and not o.startswith("/")), ".").strip('"')
            below: Choices = ((start.rstrip("\\/") + "/", Unknown("input", may_be_empty=False)),)
            items = [concat(below, concat(text_choice("/"), item)) for item in items]
        certain = len(items) == 1 and kind not in ("f", "r")
        for item in items[:LOOP_VALUES]:
            set_variable(self.state, "%" + node.variable, Value((item,)))
            if certain:
                self.run(node.body)
            else:
                self.maybe(node.body)

    def _items(self, node: nodes.For) -> list[Choices]:
        return [
            (_with_patterns(word),) for choice in self.expand(node.items) for word in cut(choice)
        ]

    def _lines_of(self, node: nodes.For) -> list[Choices]:
        """`in ('command')`, `in (file)`, `in ("text")`."""
        whole = self.expand(node.items)
        text = literal(whole[0]) if len(whole) == 1 else None
        stripped = (text or "").strip()
        origin: tuple[Execution, ...] = ()
        if len(stripped) > 1 and stripped[0] in "'`" and stripped[-1] == stripped[0]:
            from cc_safety_net.guard.interpret.texts import run_text

            m = self.m
            saved = (m.output, m.captured)
            m.output, m.captured = EMPTY, True
            before = len(m.reading.executions)
            word = known(stripped[1:-1], node.start, node.end)
            run_text(m, State(self.state), word, "for /f", how="shell-string", dialect="cmd")
            output = m.output
            origin = tuple(m.reading.executions[before:][:8])
            m.output, m.captured = saved
            lines = literal(output[0]) if len(output) == 1 else None
            if lines is not None:
                return [text_choice(line) for line in lines.splitlines()[:LOOP_VALUES]]
        elif len(stripped) > 1 and stripped[0] == '"' == stripped[-1]:
            first = stripped[1:-1].split()
            return [unite([*text_choice(stripped[1:-1]), *text_choice(first[0] if first else "")])]
        return [((Unknown("command", origin=origin, may_be_empty=False),),)]


def _with_patterns(word: Pieces) -> Pieces:
    """The word as it stands, its `*` and `?` taken for patterns."""
    out: list[str | Unknown | Glob] = []
    for piece in word:
        if not isinstance(piece, str):
            out.append(piece)
        elif "*" in piece or "?" in piece:
            out.extend(split_patterns(piece[:-2] if piece.endswith("*.*") else piece))
        else:
            out.append(piece)
    return merge(out)


def _plain(choices: Choices) -> str:
    choice: Pieces = choices[0] if choices else ()
    return "".join(piece for piece in choice if isinstance(piece, str))


_METHODS = {
    "Script": "_script",
    "Group": "_group",
    "Chain": "_chain",
    "Pipe": "_pipe",
    "If": "_if",
    "For": "_for",
    "Command": "command",
}
