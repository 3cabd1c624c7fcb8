"""Statements of PowerShell: branches, loops, assignments, functions, pipelines."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Redirection
from cc_safety_net.guard.interpret.machine import Input
from cc_safety_net.guard.interpret.powershell import values
from cc_safety_net.guard.interpret.powershell.expressions import Expressions
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value, truthiness
from cc_safety_net.guard.interpret.powershell.variables import (
    read_variable,
    set_environment,
    set_variable,
)
from cc_safety_net.guard.interpret.state import CWDS, EXPORTED, STACK, State, Variable, settle
from cc_safety_net.guard.interpret.values import unite
from cc_safety_net.guard.limits import CALL_DEPTH, LOOP_VALUES
from cc_safety_net.guard.shell.powershell import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices

#: Calls of functions and blocks in one text.
_CALLS = 512
#: Loops in one another whose body is looked at twice.
_TWICE = 2


class Statements(Expressions):
    """What runs statements; commands are added by the class above."""

    def __init__(self, m: Machine, state: State) -> None:
        super().__init__(m, state)
        self.calls = 0
        self.call_depth = 0
        self.loops = 0

    def command(self, node: nodes.Command, given: Value | None) -> Value:
        """Run one command with what the pipe gives it; what it prints."""
        raise NotImplementedError

    def show(self, value: Value, node: nodes.Node) -> None:
        """The value is printed where the agent sees it."""
        raise NotImplementedError

    def write(
        self, redirect: Redirection, value: Value, node: nodes.Node, execution: Execution | None
    ) -> None:
        """The value goes into a file."""
        raise NotImplementedError

    def statements(self, script: nodes.Script) -> Value:
        out = NOTHING
        for statement in script.statements:
            out = (
                values.both(out, self.statement(statement))
                if not out.is_nothing
                else (self.statement(statement))
            )
            if isinstance(statement, nodes.Flow):
                break
        return out

    def statement(self, node: nodes.Node) -> Value:
        m = self.m
        m.enter("a statement")
        found: Value = getattr(self, _METHODS[type(node).__name__])(node)
        m.depth -= 1
        return found

    def _script(self, node: nodes.Script) -> Value:
        return self.statements(node)

    def _chain(self, node: nodes.Chain) -> Value:
        out = self.statement(node.statements[0])
        m = self.m
        saved, after = m.certain, m.after
        for operator, statement in zip(node.operators, node.statements[1:], strict=True):
            m.certain = False
            m.after = after if operator == "||" else (*after, *m.reading.executions[-1:])
            base, self.state = self.state, State(self.state)
            out = values.both(out, self.statement(statement))
            branch, self.state = self.state, base
            settle(base, (State(base), branch) if operator == "||" else (branch,))
        m.certain, m.after = saved, after
        return out

    def _flow(self, node: nodes.Flow) -> Value:
        return NOTHING if node.value is None else self.statement(node.value)

    # --- pipelines -------------------------------------------------------------------------------

    def _pipeline(self, node: nodes.Pipeline) -> Value:
        m = self.m
        saved = (m.input, m.feeds, m.captured)
        given: Value | None = None
        last = len(node.elements) - 1
        left: list[Execution] = []
        for index, element in enumerate(node.elements):
            m.captured = saved[2] or index < last
            before = len(m.reading.executions)
            if isinstance(element, nodes.Expression):
                found = self.evaluate(element.value)
                found = self._redirected(element, found)
                if last == 0 and not m.captured and not element.redirects:
                    self.show(found, element)
            else:
                found = self.command(element, given)
            made = m.reading.executions[before:]
            reader = next((e for e in made if e.feeds), None)
            for execution in left:
                if execution.fed is None:
                    execution.fed = reader
            left = [e for e in made if e.fed is None]
            given = found
            m.feeds = tuple(left[:16])
            m.input = Input(_lines(found), m.feeds)
        m.input, m.feeds, m.captured = saved
        return given if given is not None else NOTHING

    def _redirected(self, element: nodes.Expression, found: Value) -> Value:
        for redirect in element.redirects:
            if redirect.op in (">", ">>") and redirect.target is not None:
                target = self.evaluate(redirect.target)
                for word in target.words(redirect.start, redirect.end):
                    self.write(Redirection(redirect.op, word, 1), found, element, None)
        return NOTHING if element.redirects else found

    # --- assignments -----------------------------------------------------------------------------

    def _assignment(self, node: nodes.Assignment) -> Value:
        m = self.m
        saved, m.captured = m.captured, True
        value = self.statement(node.value)
        m.captured = saved
        self.assign(node.target, value, node.op)
        return NOTHING

    def assign(self, target: nodes.Node, value: Value, op: str = "=") -> None:
        if isinstance(target, nodes.Unary):
            target = target.operand
        if isinstance(target, nodes.Array):
            rest = value
            for index, each in enumerate(target.items):
                final = index == len(target.items) - 1
                one = rest if final else Value(rest.items[:1] or (((),),))
                self.assign(each, one)
                rest = Value(rest.items[1:], more=rest.more)
            return
        if isinstance(target, nodes.Variable):
            value = self._combined(target, value, op)
            if target.scope == "env":
                set_environment(self.m, self.state, target.name, value)
            elif target.scope == "function" and value.block is not None:
                self.state.put("(" + target.name.lower(), (value.block,))
            elif not target.scope:
                set_variable(self.state, target.name, value)
            return
        if isinstance(target, (nodes.Member, nodes.Index)):
            self._assign_part(target, value)

    def _combined(self, target: nodes.Variable, value: Value, op: str) -> Value:
        if op == "=":
            return value
        old = self.evaluate(target)
        if op == "??=":
            return values.either([old, value])
        if op != "+=":
            return values.unknown("arithmetic", may_be_empty=False)
        from cc_safety_net.guard.interpret.powershell.expressions import _plus

        return _plus(old, value)

    def _assign_part(self, target: nodes.Member | nodes.Index, value: Value) -> None:
        """`$h.key = …`, `$h['key'] = …`: a new table, so that other branches keep theirs."""
        owner = target.target
        key = target.name if isinstance(target, nodes.Member) else target.index
        name = self.evaluate(key).text
        if not isinstance(owner, nodes.Variable) or owner.scope or name is None:
            return
        found = read_variable(self.m, self.state, owner.name)
        table = {**(found.table or {}), name.lower(): value}
        if found.table is not None or isinstance(target, nodes.Index):
            set_variable(self.state, owner.name, Value(table=table))

    # --- branches --------------------------------------------------------------------------------

    def branches(self, bodies: Sequence[Callable[[], Value] | None]) -> Value:
        """One of several bodies runs; None: nothing does."""
        m = self.m
        base, certain = self.state, m.certain
        if len(bodies) == 1 and bodies[0] is not None:
            return bodies[0]()
        ends: list[State] = []
        found: list[Value] = []
        m.certain = False
        for body in bodies:
            self.state = State(base)
            found.append(NOTHING if body is None else body())
            ends.append(self.state)
        self.state, m.certain = base, certain
        settle(base, ends)
        return values.either(found)

    def _if(self, node: nodes.If) -> Value:
        bodies: list[Callable[[], Value] | None] = []
        for condition, body in node.clauses:
            known_truth = truthiness(self.captured(condition))
            if known_truth is False:
                continue
            bodies.append(lambda body=body: self.statements(body))  # type: ignore[misc]
            if known_truth:
                return self.branches(bodies)
        if node.otherwise is not None:
            otherwise = node.otherwise
            bodies.append(lambda: self.statements(otherwise))
        else:
            bodies.append(None)
        return self.branches(bodies) if bodies != [None] else NOTHING

    def captured(self, node: nodes.Node) -> Value:
        m = self.m
        saved, m.captured = m.captured, True
        found = self.evaluate(node)
        m.captured = saved
        return found

    def _switch(self, node: nodes.Switch) -> Value:
        subject = self.captured(node.subject)
        text = subject.text
        if node.options:
            text = None
        bodies: list[Callable[[], Value] | None] = []
        outer, self.current = self.current, subject
        decided = False
        for pattern, body in node.clauses:
            if pattern is None:
                if not decided:
                    bodies.append(lambda body=body: self.statements(body))  # type: ignore[misc]
                continue
            wanted = None if isinstance(pattern, nodes.Block) else self.captured(pattern).text
            if text is not None and wanted is not None:
                if wanted.lower() != text.lower():
                    continue
                decided = True
            bodies.append(lambda body=body: self.statements(body))  # type: ignore[misc]
        if not decided:
            bodies.append(None)
        found = self.branches(bodies) if bodies != [None] else NOTHING
        self.current = outer
        return found

    def _try(self, node: nodes.Try) -> Value:
        out = self.statements(node.body)
        if node.catches:
            catches: list[Callable[[], Value] | None] = [
                lambda body=body: self.statements(body)  # type: ignore[misc]
                for body in node.catches
            ]
            out = values.both(out, self.branches([*catches, None]))
        if node.last is not None:
            out = values.both(out, self.statements(node.last))
        return out

    # --- loops -----------------------------------------------------------------------------------

    def _loop(self, node: nodes.Loop) -> Value:
        if node.kind == "foreach":
            return self._foreach(node)
        if node.kind == "for" and node.parts[0] is not None:
            self.statement(node.parts[0])
        out = NOTHING
        self.loops += 1
        for _ in range(2 if self.loops <= _TWICE else 1):
            out = self.branches([lambda: self._turn(node), None])
        self.loops -= 1
        return out

    def _turn(self, node: nodes.Loop) -> Value:
        condition = node.parts[1] if node.kind == "for" else node.parts[0]
        if condition is not None and node.kind != "do":
            self.captured(condition)
        out = self.statements(node.body)
        if node.kind == "for" and node.parts[2] is not None:
            self.statement(node.parts[2])
        if node.kind == "do" and condition is not None:
            self.captured(condition)
        return out

    def _foreach(self, node: nodes.Loop) -> Value:
        variable, source = node.parts
        assert isinstance(variable, nodes.Variable), "the parser has put it there"
        found = self.captured(source) if source is not None else NOTHING

        def turn(item: Value) -> Value:
            set_variable(self.state, variable.name, item)
            return self.statements(node.body)

        return self.for_each(found, turn)

    def for_each(self, found: Value, turn: Callable[[Value], Value]) -> Value:
        """Run a body for every object."""
        out = NOTHING
        if found.table is not None or found.block is not None:
            return turn(found)
        items = [*found.items[:LOOP_VALUES]]
        for at in range(LOOP_VALUES, len(found.items), LOOP_VALUES):
            # The others not one by one, but as one of many.
            rest = found.items[at : at + LOOP_VALUES]
            items.append(unite([choice for item in rest for choice in item]))
        for item in items:
            self.m.effort.spend(4, "a loop")
            one = Value(
                (values.without_empty(item),),
                kind="" if found.kind == "array" else found.kind,
                origin=found.origin,
                found=found.found,
            )
            if found.more or len(found.items) > LOOP_VALUES:
                out = values.both(out, self.branches([lambda one=one: turn(one), None]))  # type: ignore[misc]
            else:
                out = values.both(out, turn(one))
        if not items and found.more:
            one = values.unknown("command", may_be_empty=False, origin=found.origin)
            out = self.branches([lambda: turn(one), None])
        return Value(
            out.items, more=out.more or found.more, origin=out.origin, kind=out.kind,
            found=out.found,
        )  # fmt: skip

    # --- functions and blocks --------------------------------------------------------------------

    def _function(self, node: nodes.Function) -> Value:
        self.state.put("(" + node.name, (node.block,))
        return NOTHING

    def run_block(
        self,
        block: nodes.Block,
        variables: dict[str, Value],
        *,
        given: Value | None = None,
        same_scope: bool = False,
    ) -> Value:
        """Run a block with these variables; what it sets stays inside, but for the directory."""
        m = self.m
        self.calls += 1
        if self.call_depth >= CALL_DEPTH or self.calls > _CALLS:
            return values.unknown("limit")
        base = self.state
        self.state = base if same_scope else State(base)
        for name, value in variables.items():
            set_variable(self.state, name, value)
        outer = self.current
        if given is not None:
            self.current = given
        self.call_depth += 1
        m.enter("a block")
        out = self.statements(block.body)
        m.depth -= 1
        self.call_depth -= 1
        self.current = outer
        inner, self.state = self.state, base
        if not same_scope:
            _keep_shared(base, inner)
        return out


def _keep_shared(base: State, inner: State) -> None:
    """What belongs to the whole session outlives a scope."""
    for key in (CWDS, STACK, EXPORTED):
        base.put(key, inner.look(key))
    for key, value in inner.own.items():
        if isinstance(value, Variable) or key[:1] == "=":
            base.put(key, value)


def _lines(value: Value) -> Choices | None:
    """The objects as text on a program's standard input; None if nothing of it is known."""
    if value.more or value.table is not None or value.block is not None or not value.items:
        return None
    return value.joined("\n")


_METHODS = {
    "Script": "_script",
    "Chain": "_chain",
    "Pipeline": "_pipeline",
    "Assignment": "_assignment",
    "If": "_if",
    "Switch": "_switch",
    "Loop": "_loop",
    "Try": "_try",
    "Function": "_function",
    "Flow": "_flow",
    "Expression": "_pipeline",
}
