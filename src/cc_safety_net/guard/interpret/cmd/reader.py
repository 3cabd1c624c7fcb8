"""Running the text of cmd.exe: blocks, conditions, loops, pipes; commands are in `commands`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.accesses import touch
from cc_safety_net.guard.interpret.calls import positionals
from cc_safety_net.guard.interpret.cmd.commands import Commands
from cc_safety_net.guard.interpret.cmd.fields import Fields
from cc_safety_net.guard.interpret.cmd.words import cut
from cc_safety_net.guard.interpret.commands import piece_is_bare
from cc_safety_net.guard.interpret.contents import contents_of
from cc_safety_net.guard.interpret.facts import CodeRun, Unknown, Word, known, literal
from cc_safety_net.guard.interpret.machine import Input, Outcome
from cc_safety_net.guard.interpret.powershell.values import Value
from cc_safety_net.guard.interpret.powershell.variables import set_variable
from cc_safety_net.guard.interpret.state import ARGUMENTS, State, settle
from cc_safety_net.guard.interpret.values import (
    EMPTY,
    concat,
    merge,
    text_choice,
    unite,
    unknown_choice,
)
from cc_safety_net.guard.interpret.windows_paths import posix_pieces, split_patterns
from cc_safety_net.guard.limits import LOOP_VALUES
from cc_safety_net.guard.shell.cmd.nodes import Label
from cc_safety_net.guard.shell.cmd.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Glob, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.cmd import nodes


#: How often a label is gone to from one text; then the way is taken for ended.
_VISITS = 4
#: Calls of labels in one text.
_CALLS = 256


def run(m: Machine, state: State, text: str) -> Outcome:
    """Run text of cmd.exe in `state`."""
    result = parse(text, m.effort)
    shell = Shell(m, state)
    shell.lines = result.script.statements
    for at, line in enumerate(shell.lines):
        if isinstance(line, Label):
            shell.labels.setdefault(line.name, at)
    shell.run_from(0)
    if result.message:
        start, end = m.span or (result.rest, len(text))
        rest = known(text[result.rest :], start, end)
        m.reading.codes.append(CodeRun("unparseable", rest, start, end, chain=m.chain))
    return Outcome(state, state)


class Shell(Commands):
    """What runs statements. lines: the whole text. labels: where in it each begins."""

    def __init__(self, m: Machine, state: State) -> None:
        super().__init__(m, state)
        self.lines: Sequence[nodes.Node] = ()
        self.labels: dict[str, int] = {}
        self._visits: dict[str, int] = {}
        self._calls = 0

    def run_from(self, at: int) -> None:
        """Run the lines from a place on, up to the end of the text or what ends it."""
        while at < len(self.lines):
            self.run(self.lines[at])
            at += 1
            if self.leaving:
                at = self._landing()
        self.leaving = ""

    def _landing(self) -> int:
        """Where `goto` leads; behind the last line if it ends the text."""
        name, self.leaving = self.leaving, ""
        visits = self._visits.get(name, 0)
        if name not in self.labels or visits >= _VISITS:
            return len(self.lines)
        self._visits[name] = visits + 1
        return self.labels[name]

    def call(self, label: str, words: Sequence[Pieces], execution: Execution) -> None:
        """Run the lines below a label with arguments of their own."""
        at = self.labels.get(label)
        self._calls += 1
        if at is None or self._calls > _CALLS:
            return
        m, state = self.m, self.state
        m.enter("a call of a label")
        saved = (state.look(ARGUMENTS), self.bound, m.chain, m.span)
        m.chain = m.linked(f"call :{label}")
        m.span = (execution.start, execution.end)
        start, end = m.span
        state.put(ARGUMENTS, positionals([Word((word,), start, end) for word in words]))
        self.bound, visits, self._visits = True, self._visits, {}
        self.run_from(at)
        self.state, self._visits = state, visits
        self.state.put(ARGUMENTS, saved[0])
        self.bound, m.chain, m.span = saved[1:]
        m.depth -= 1

    def run(self, node: nodes.Node) -> None:
        """Run a statement, unless a jump has left it."""
        if self.leaving:
            return
        m = self.m
        m.enter("a command")
        getattr(self, _METHODS[type(node).__name__])(node)
        m.depth -= 1

    def _script(self, node: nodes.Script) -> None:
        for statement in node.statements:
            self.run(statement)

    def _label(self, _node: nodes.Node) -> None:
        return

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
            if self.leaving:
                self.run_from(self._landing())
            else:
                ends.append(self.state)
        self.state, m.certain = base, certain
        if not settle(base, ends):
            self.leaving = "eof"

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
            self.leaving = ""
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
            self._for_lines(node, " ".join(o for o in options if not o.startswith("/")))
            return
        if kind == "l":
            items: list[Choices] = [((Unknown("arithmetic", may_be_empty=False),),)]
        else:
            items = [
                (_with_patterns(word),)
                for choice in self.expand(node.items)
                for word in cut(choice)
            ]
        if kind == "r":
            start = next((o for o in options if o and not o.startswith("/")), ".").strip('"')
            below: Choices = ((start.rstrip("\\/") + "/", Unknown("input", may_be_empty=False)),)
            items = [concat(below, concat(text_choice("/"), item)) for item in items]
        certain = len(items) == 1 and kind != "r"
        for item in items[:LOOP_VALUES]:
            set_variable(self.state, "%" + node.variable, Value((item,)))
            if certain:
                self.run(node.body)
            else:
                self.maybe(node.body)
        for at in range(LOOP_VALUES, len(items), LOOP_VALUES):
            # The others not one by one, but as one of many.
            rest = unite([choice for item in items[at : at + LOOP_VALUES] for choice in item])
            set_variable(self.state, "%" + node.variable, Value((rest,)))
            self.maybe(node.body)

    def _for_lines(self, node: nodes.For, options: str) -> None:
        """`for /f "tokens=1,2 delims=," %i in ('command') do …`: parts of lines."""
        fields = Fields(options)
        lines, origin = self._lines_of(node, fields)
        if lines is None:
            unknown: Choices = ((Unknown("command", origin=origin, may_be_empty=False),),)
            turns = [[unknown] * fields.count]
        else:
            turns = [each for line in lines[:LOOP_VALUES] if (each := fields.of(line)) is not None]
            if len(lines) > LOOP_VALUES:
                turns.append([unknown_choice("limit", "line")] * fields.count)
        for turn in turns:
            for at, value in enumerate(turn):
                name = chr(ord(node.variable) + at)
                set_variable(self.state, "%" + name, Value((value,), origin=origin))
            self.maybe(node.body)

    def _lines_of(
        self, node: nodes.For, fields: Fields
    ) -> tuple[list[Pieces] | None, tuple[Execution, ...]]:
        """`in ('command')`, `in (file)`, `in ("text")`: (lines, what they come from)."""
        whole = self.expand(node.items)
        text = (literal(whole[0]) if len(whole) == 1 else None) or ""
        text = text.strip()
        first = text[0] if len(text) > 1 and text[0] == text[-1] else ""
        if first == fields.command_quote:
            return self._output_of(known(text[1:-1], node.start, node.end))
        if first == fields.text_quote:
            return [(text[1:-1],)], ()
        words = [Word((posix_pieces(w),), node.start, node.end) for w in cut((text,))]
        found: list[Pieces] = []
        for word in words:
            self._read_by_loop(node, word)
            contents, origin = contents_of(self.m, self.state.cwds, word)
            if contents is None:
                return None, origin
            for choice in contents:
                found.extend(_lines(choice))
        return (found, ()) if words else (None, ())

    def _read_by_loop(self, node: nodes.For, word: Word) -> None:
        """A loop over a file reads it as `type` would."""
        m = self.m
        saved, m.captured = m.captured, True
        execution = self.execution([("type",), word.choices[0]], node, ())
        touch(m, execution, word, "use" if _only_sets(node.body) else "read")
        m.captured = saved

    def _output_of(self, word: Word) -> tuple[list[Pieces] | None, tuple[Execution, ...]]:
        from cc_safety_net.guard.interpret.texts import run_text

        m = self.m
        saved = (m.output, m.captured)
        m.output, m.captured = EMPTY, True
        before = len(m.reading.executions)
        run_text(m, State(self.state), word, "for /f", how="shell-string", dialect="cmd")
        output = m.output
        origin = tuple(m.reading.executions[before:][:8])
        m.output, m.captured = saved
        if len(output) != 1 or piece_is_bare(output[0]) or not output[0]:
            return None, origin
        return _lines(output[0]), origin


def _only_sets(body: nodes.Node) -> bool:
    """The loop takes settings from a file, which is what the file is for."""
    line = getattr(body, "line", ())
    first = line[0] if line and isinstance(line[0], str) else ""
    return first.lstrip(" @(").lower().startswith(("set ", 'set"'))


def _lines(choice: Pieces) -> list[Pieces]:
    """The lines of a text; unknown parts stay in theirs."""
    out: list[Pieces] = []
    line: list[str | Unknown | Glob] = []
    for piece in choice:
        if not isinstance(piece, str):
            line.append(piece)
            continue
        first, *rest = piece.replace("\r", "").split("\n")
        line.append(first)
        for each in rest:
            out.append(merge(line))
            line = [each]
    out.append(merge(line))
    return [line for line in out if line]


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
    "Label": "_label",
    "Script": "_script",
    "Group": "_group",
    "Chain": "_chain",
    "Pipe": "_pipe",
    "If": "_if",
    "For": "_for",
    "Command": "command",
}
