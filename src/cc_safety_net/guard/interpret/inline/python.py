"""Python: the tree of the code is run in the abstract, with what is known of its values.

The tree comes from the interpreter's own parser (`compile`, the same that `ast.parse` calls).
"""

from __future__ import annotations

import sys

from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.inline import python_library as library
from cc_safety_net.guard.interpret.inline import python_modules as modules
from cc_safety_net.guard.interpret.inline.calls import Call
from cc_safety_net.guard.interpret.inline.python_expressions import Expressions
from cc_safety_net.guard.interpret.inline.python_names import item_of, of_reference
from cc_safety_net.guard.interpret.inline.python_operators import operate
from cc_safety_net.guard.interpret.inline.python_table import EXITS, MODULES
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Scope,
    Value,
    constant,
    listed,
    one_of,
    path,
    ref,
    truthiness,
    unknown,
    word,
)
from cc_safety_net.guard.limits import INLINE_CODE_CHARACTERS, LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.limits import Effort

#: `ast.PyCF_ONLY_AST`: importing `ast` for it would cost more than the parsing.
_ONLY_TREE = 0x400
#: What the parser may recurse; deeper code is refused (the C stack ends somewhere).
_PARSER_FRAMES = 3_000
_CALLS = 16
_CALLS_IN_ALL = 4_096


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    run = Run(host)
    run.run_text(code)
    if host.execution.program == "pytest":
        run.run_tests()


def parse(code: str, mode: str = "exec") -> Any:
    """The tree, None if the code is no Python of this interpreter's version."""
    import warnings  # only for Python code: the parser warns of odd literals

    frames = sys.getrecursionlimit()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sys.setrecursionlimit(_PARSER_FRAMES)
            return compile(code, "<code>", mode, _ONLY_TREE, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    except (RecursionError, MemoryError):
        raise LimitReached("guard.input-limit", "too deeply nested Python code") from None
    finally:
        sys.setrecursionlimit(frames)


class Run(Expressions):
    """Statements. A body returns whether what follows it is not reached."""

    def __init__(self, host: CodeHost) -> None:
        super().__init__(host)
        self.returned: list[list[Value]] = []
        self.called = 0
        #: Modules of the program by their file, and where they are looked for.
        self.modules: dict[str, Value] = {}
        self.roots = modules.roots(host)

    def run_text(self, code: str) -> None:
        if "f'" in code or 'f"' in code:
            # The parser reads each field of a format string by itself.
            self.host.effort.spend(8 * code.count("{"), "Python code")
        tree = parse(code.removeprefix("\ufeff"))
        if tree is None:
            self.host.opaque(known(code))
            return
        self.run_body(tree.body)

    def run_tests(self) -> None:
        """What pytest calls: functions and methods by their name, with what it makes for them."""
        for name, value in list(self.scope.own.items()):
            if name.startswith("test") and value.kind == "function":
                self.call_function(value, Call(name, [], self.fixtures(value)))
            elif name.startswith("Test") and value.kind == "class":
                own = Value("object", name=name, scope=value, fields=dict(value.fields))
                for title, method in list(value.fields.items()):
                    if title.startswith(("test", "setup", "teardown")) and method.callable:
                        given = self.fixtures(method)
                        self.call_function(method, Call(title, [own], given))

    def fixtures(self, function: Value) -> dict[str, Value]:
        """What a test is given: a place of its own, or what has nothing to do with any."""
        arguments = getattr(function.node, "args", None)
        names = [] if arguments is None else [*arguments.args, *arguments.kwonlyargs]
        made = path(((f"{self.host.temp}/made",),))
        return {name.arg: made for name in names if name.arg != "self"}

    def run_code(self, code: Value) -> Value:
        """`exec` and `eval`: in the same names."""
        text = code.text
        if code.kind == "method" and code.node.kind == "unknown":
            # An attribute of something unknown (`requests.get(…).text`).
            code = code.node
        if code.kind not in ("text", "unknown", "either"):
            return unknown("exec")
        if text is None:
            self.host.opaque(word(code), "fetched" if self.fetched else "code")
            return unknown("exec")
        if len(text) > INLINE_CODE_CHARACTERS:
            raise LimitReached(
                "guard.input-limit", f"more than {INLINE_CODE_CHARACTERS:,} characters of code"
            )
        self.host.enter("Python code")
        self.host.effort.spend(1 + len(text) // 8, "Python code")
        tree = parse(text.strip(), "eval")
        value = constant(NONE)
        if tree is not None:
            value = self.evaluate(tree.body)
        else:
            self.run_text(text)
        self.host.leave()
        return value

    def run_body(self, body: Sequence[Any]) -> bool:
        for node in body:
            self.host.effort.spend(2, "Python code")
            function = _STATEMENTS.get(type(node).__name__)
            if function is None:
                self.evaluate_all(node)
            else:
                self.host.enter("Python code")
                ended = function(self, node)
                self.host.leave()
                if ended:
                    return True
        return False

    # --- names -----------------------------------------------------------------------------------

    def load(self, name: str, level: int = 0) -> Value | None:
        return modules.load(self, name, level)

    def imports(self, node: Any) -> bool:
        for alias in node.names:
            own = self.load(alias.name)
            top, dot, _ = alias.name.partition(".")
            if own is not None:
                whole = self.load(top) if dot and not alias.asname else own
                self.scope.own[alias.asname or top] = whole or own
            elif alias.asname:
                self.scope.own[alias.asname] = ref(MODULES.get(alias.name, alias.name))
            else:
                self.scope.own[top] = ref(MODULES.get(top, top))
        return False

    def imports_from(self, node: Any) -> bool:
        name = node.module or ""
        own = self.load(name, node.level) if name or node.level else None
        module = MODULES.get(name, name)
        for alias in node.names:
            target = alias.asname or alias.name
            if own is None and alias.name == "*":
                self.stars.append(module)
            elif own is None:
                self.scope.own[target] = of_reference(module, alias.name, self.host)
            elif alias.name == "*":
                public = {key: own.fields[key] for key in own.fields if key[:1] != "_"}
                self.scope.own.update(public)
            elif alias.name in own.fields:
                self.scope.own[target] = own.fields[alias.name]
            else:
                below = self.load(f"{name}.{alias.name}" if name else alias.name, node.level)
                self.scope.own[target] = below or of_reference(module, alias.name, self.host)
        return False

    def assigns(self, node: Any) -> bool:
        value = self.evaluate(node.value)
        for target in node.targets:
            self.bind(target, value)
        return False

    def annotates(self, node: Any) -> bool:
        if node.value is not None:
            self.bind(node.target, self.evaluate(node.value))
        return False

    def augments(self, node: Any) -> bool:
        value = self.evaluate(node.value)
        before = self.evaluate(node.target)
        if type(node.op).__name__ == "Add" and before.kind == "list":
            value = listed([*before.items, *library.items_of(value)])
            self.host.effort.spend(len(value.items) // 16, "Python code")
        else:
            value = operate(type(node.op).__name__, before, value)
        self.bind(node.target, value)
        return False

    def deletes(self, node: Any) -> bool:
        del node
        return False

    def expresses(self, node: Any) -> bool:
        value = node.value
        self.evaluate(value)
        if type(value).__name__ != "Call":
            return False
        function = value.func
        name = getattr(function, "id", "")
        if type(function).__name__ == "Attribute":
            name = f"{getattr(function.value, 'id', '')}.{function.attr}"
        return name in EXITS

    # --- functions and classes -------------------------------------------------------------------

    def defines(self, node: Any) -> bool:
        function = Value("function", node=node, scope=self.scope, name=node.name)
        self.scope.own[node.name] = function
        for decorator in reversed(node.decorator_list):
            found = self.evaluate(decorator)
            name = found.name if found.kind in ("ref", "unknown") else ""
            if found.kind in ("function", "partial", "class"):
                made = self.apply(found, Call("", [self.scope.own[node.name]]))
                if made.callable or made.kind == "object":
                    self.scope.own[node.name] = made
            elif name.startswith("atexit."):
                self.call_function(function, Call(node.name, []))
        return False

    def defines_class(self, node: Any) -> bool:
        found = Value("class", name=node.name)
        for base in node.bases:
            value = self.evaluate(base)
            if value.kind == "class":
                found.fields.update(value.fields)
        saved = self.scope
        self.scope = Scope(saved)
        self.run_body(node.body)
        found.fields.update(self.scope.own)
        self.scope = saved
        self.scope.own[node.name] = found
        return False

    def call_function(self, function: Value, call: Call) -> Value:
        if function.kind == "class":
            return self.instance(function, call)
        node = function.node
        if len(self.calls) >= _CALLS or node in self.calls:
            return unknown(function.name)
        self.called += 1
        if self.called > _CALLS_IN_ALL:
            raise LimitReached("guard.time-budget", "calls of Python functions")
        saved = self.scope
        self.scope = Scope(function.scope)
        self.parameters(node.args, call)
        self.calls.append(node)
        self.returned.append([])
        if type(node).__name__ == "Lambda":
            self.returned[-1].append(self.evaluate(node.body))
        else:
            self.run_body(node.body)
        self.calls.pop()
        self.scope = saved
        values = self.returned.pop()
        return one_of(values) if values else constant(NONE)

    def instance(self, of: Value, call: Call) -> Value:
        made = Value("object", name=of.name, scope=of)
        made.fields.update(
            (name, value) for name, value in of.fields.items() if value.kind != "function"
        )
        create = of.fields.get("__init__")
        if create is not None and create.kind == "function":
            self.call_function(create, Call("__init__", [made, *call.arguments], call.named))
        # It goes away at some time.
        self.own_method(made, "__del__", [])
        return made

    def parameters(self, parameters: Any, call: Call) -> None:
        own = self.scope.own
        names = [each.arg for each in (*parameters.posonlyargs, *parameters.args)]
        defaults = [None] * (len(names) - len(parameters.defaults)) + parameters.defaults
        for index, name in enumerate(names):
            if index < len(call.arguments):
                own[name] = call.arguments[index]
            elif name in call.named:
                own[name] = call.named[name]
            elif defaults[index] is not None:
                own[name] = self.evaluate(defaults[index])
            else:
                own[name] = unknown(name, "argument")
        for each, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
            if each.arg in call.named:
                own[each.arg] = call.named[each.arg]
            elif default is not None:
                own[each.arg] = self.evaluate(default)
            else:
                own[each.arg] = unknown(each.arg, "argument")
        if parameters.vararg is not None:
            own[parameters.vararg.arg] = listed(call.arguments[len(names) :])
        if parameters.kwarg is not None:
            own[parameters.kwarg.arg] = Value("map", fields=dict(call.named))

    def returns(self, node: Any) -> bool:
        value = self.evaluate(node.value) if node.value is not None else constant(NONE)
        if self.returned:
            self.returned[-1].append(value)
        return True

    def raises(self, node: Any) -> bool:
        self.evaluate_all(node)
        return True

    def stops(self, _node: Any) -> bool:
        return True

    # --- branches --------------------------------------------------------------------------------

    def branches(self, node: Any) -> bool:
        """`if`, with a chain of `elif` as one loop."""
        layers: list[Scope] = []
        base = self.scope
        certain = self.host.uncertain(certain=False)
        ends: list[bool] = []
        while True:
            decided = truthiness(self.evaluate(node.test))
            if decided is not False:
                self.host.uncertain(certain=certain and decided is True and not layers)
                ended = self.branch(base, layers, node.body, None if decided else node.test)
                self.host.uncertain(certain=False)
                ends.append(ended)
                if decided:
                    break
                if ended:
                    # What is left is what the test did not hold for.
                    self.narrow(node.test, negated=True)
            rest = node.orelse
            if len(rest) == 1 and type(rest[0]).__name__ == "If":
                node = rest[0]
                continue
            ends.append(self.branch(base, layers, rest, None))
            break
        self.host.uncertain(certain=certain)
        join(base, layers, [not end for end in ends], self.host.effort)
        return bool(ends) and all(ends)

    def branch(
        self,
        base: Scope,
        layers: list[Scope],
        body: Sequence[Any],
        test: Any,
        layer: Scope | None = None,
    ) -> bool:
        """Run one of several bodies in a layer of its own."""
        layer = layer or Scope(base)
        layers.append(layer)
        self.scope = layer
        if test is not None:
            self.narrow(test)
        ended = self.run_body(body)
        self.scope = base
        return ended

    def tries(self, node: Any) -> bool:
        ended = self.run_body(node.body)
        base = self.scope
        layers: list[Scope] = []
        certain = self.host.uncertain(certain=False)
        ends = [self.branch(base, layers, handler.body, None) for handler in node.handlers]
        layers.append(Scope(base))
        join(base, layers, [*(not end for end in ends), True], self.host.effort)
        self.host.uncertain(certain=certain)
        if not ended:
            ended = self.run_body(node.orelse)
        final = self.run_body(node.finalbody)
        return final or (ended and all(ends))

    def matches(self, node: Any) -> bool:
        subject = self.evaluate(node.subject)
        base = self.scope
        layers: list[Scope] = []
        certain = self.host.uncertain(certain=False)
        for case in node.cases:
            layer = Scope(base)
            self.scope = layer
            matched = self.matched(case.pattern, subject)
            self.scope = base
            if matched:
                self.branch(base, layers, case.body, None, layer)
        self.host.uncertain(certain=certain)
        layers.append(Scope(base))
        join(base, layers, [True] * len(layers), self.host.effort)
        return False

    def matched(self, pattern: Any, subject: Value) -> bool:
        """Bind the names of a pattern; False if the subject is known not to match."""
        kind = type(pattern).__name__
        if kind == "MatchValue":
            first, second = self.evaluate(pattern.value).text, subject.text
            return first is None or second is None or first == second
        if kind == "MatchAs":
            held = pattern.pattern is None or self.matched(pattern.pattern, subject)
            if pattern.name is not None:
                self.scope.own[pattern.name] = subject
            return held
        if kind == "MatchOr":
            each_held = [self.matched(each, subject) for each in pattern.patterns]
            return any(each_held)
        if kind == "MatchSequence":
            return self.matched_items(pattern.patterns, subject)
        if kind == "MatchMapping":
            held = True
            for key, each in zip(pattern.keys, pattern.patterns, strict=True):
                value = item_of(subject, self.evaluate(key), self.host)
                held = self.matched(each, value) and held
            return held
        for each in (*getattr(pattern, "patterns", ()), *getattr(pattern, "kwd_patterns", ())):
            self.matched(each, unknown("part", "argument"))
        return True

    def matched_items(self, patterns: Sequence[Any], subject: Value) -> bool:
        items = subject.items if subject.kind == "list" else []
        held = True
        for index, each in enumerate(patterns):
            if type(each).__name__ == "MatchStar":
                if each.name is not None:
                    self.scope.own[each.name] = listed(items[index:])
                break
            item = items[index] if index < len(items) else unknown("item", "argument")
            held = self.matched(each, item) and held
        return held

    def loops(self, node: Any) -> bool:
        """`for`: once for each item that is known."""
        items = self.items(self.evaluate(node.iter))
        for item in items:
            self.bind(node.target, item)
            self.run_body(node.body)
        self.run_body(node.orelse)
        return False

    def repeats(self, node: Any) -> bool:
        decided = truthiness(self.evaluate(node.test))
        if decided is not False:
            base = self.scope
            layers: list[Scope] = []
            self.branch(base, layers, node.body, None)
            layers.append(Scope(base))
            join(base, layers, [True, True], self.host.effort)
        self.run_body(node.orelse)
        return False

    def enters(self, node: Any) -> bool:
        """`with`: what it gives back when it is left is not of interest, but for a directory."""
        before = self.host.cwds
        left: list[Value] = []
        for item in node.items:
            value = self.evaluate(item.context_expr)
            if value.kind == "object" and value.name == "tempfile":
                value = value.fields["name"] if _is_directory(item) else value
            elif value.kind == "object":
                left.append(value)
                value = self.own_method(value, "__enter__", []) or value
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
        ended = self.run_body(node.body)
        for value in left:
            self.own_method(value, "__exit__", [constant(NONE)] * 3)
        if any(_changes_directory(item) for item in node.items):
            self.host.go_back(before)
        return ended


def _is_directory(item: Any) -> bool:
    function = getattr(item.context_expr, "func", None)
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name == "TemporaryDirectory"


def _changes_directory(item: Any) -> bool:
    function = getattr(item.context_expr, "func", None)
    return getattr(function, "attr", getattr(function, "id", "")) == "chdir"


def join(base: Scope, layers: Sequence[Scope], live: Sequence[bool], effort: Effort) -> None:
    """After one of several branches: each name may be what any of them made it."""
    left = [layer for layer, alive in zip(layers, live, strict=False) if alive]
    names = dict.fromkeys(name for layer in left for name in layer.own)
    effort.spend(len(names) * len(left) // 2, "branches of Python code")
    for name in names:
        values = []
        for layer in left:
            value = layer.look(name)
            if value is not None:
                values.append(value)
        base.own[name] = one_of(values)


_STATEMENTS: dict[str, Callable[[Run, Any], bool]] = {
    "AnnAssign": Run.annotates,
    "Assign": Run.assigns,
    "AsyncFor": Run.loops,
    "AsyncFunctionDef": Run.defines,
    "AsyncWith": Run.enters,
    "AugAssign": Run.augments,
    "Break": Run.stops,
    "ClassDef": Run.defines_class,
    "Continue": Run.stops,
    "Delete": Run.deletes,
    "Expr": Run.expresses,
    "For": Run.loops,
    "FunctionDef": Run.defines,
    "If": Run.branches,
    "Import": Run.imports,
    "ImportFrom": Run.imports_from,
    "Match": Run.matches,
    "Raise": Run.raises,
    "Return": Run.returns,
    "Try": Run.tries,
    "TryStar": Run.tries,
    "While": Run.repeats,
    "With": Run.enters,
}
