"""Expressions of Python: their values, and the effects of the calls among them.

Longer than a module should be: one method for each kind of expression, which all call one another.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.codes import MARK
from cc_safety_net.guard.interpret.inline import path_values
from cc_safety_net.guard.interpret.inline import python_library as library
from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.python_table import (
    EFFECTS,
    EXITS,
    MODULES,
    OPENERS,
    PATH_CLASSES,
    PATH_METHODS,
)
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Scope,
    Value,
    added,
    alternatives,
    choices_of,
    constant,
    is_textual,
    listed,
    number,
    one_of,
    path,
    ref,
    text,
    texts,
    truth,
    truthiness,
    unknown,
    word,
)
from cc_safety_net.guard.interpret.values import concat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.values import Choices

#: Items of a loop that are run one by one.
LOOP = 64
_LONGEST = 131_072
#: Longer dotted names stand for nothing that is known.
_NAME = 128
#: Functions in one another.
_CALLS = 16
_CODE_RUNNERS = frozenset(("exec", "eval", "execfile"))
_WHOLE_ENVIRONMENT = frozenset(("os.environ", "os.environb"))
#: Calls that hand a function on, by the name of what they are called with.
_KEYWORD_TARGETS = ("target", "func", "function", "key", "callback", "initializer", "preexec_fn")


class Expressions:
    """Evaluates expressions; statements are left to the class that builds on this."""

    def __init__(self, host: CodeHost) -> None:
        self.host = host
        self.scope = Scope()
        #: Modules of `from x import *`.
        self.stars: list[str] = []
        self.calls: list[object] = []
        self.writes: dict[int, Any] = {}

    # What the class that builds on this knows.

    def run_body(self, body: Sequence[Any]) -> bool:
        raise NotImplementedError

    def run_code(self, code: Value) -> Value:
        raise NotImplementedError

    def call_function(self, function: Value, call: Call) -> Value:
        raise NotImplementedError

    def evaluate(self, node: Any) -> Value:
        """The value of an expression; its effects are reported."""
        kind = type(node).__name__
        function = _NODES.get(kind)
        if function is None:
            self.evaluate_all(node)
            return unknown(kind)
        self.host.enter("Python code")
        value = function(self, node)
        self.host.leave()
        return value

    def evaluate_all(self, node: Any) -> None:
        """Evaluate the parts of an expression whose value is of no interest."""
        for name in node._fields:
            part = getattr(node, name)
            for each in part if isinstance(part, list) else (part,):
                if type(each).__name__ in _NODES or hasattr(each, "lineno"):
                    self.evaluate(each)

    # --- names and attributes --------------------------------------------------------------------

    def name(self, node: Any) -> Value:
        name = node.id
        found = self.scope.look(name)
        if found is not None:
            return found
        if MARK in name:
            return texts(self.host.pieces(name))
        if name == "__name__":
            return text("__main__")
        if name == "__file__":
            return text(self.host.script) if self.host.script else unknown(name, "argument")
        for module in self.stars:
            full = f"{module}.{name}"
            if full in EFFECTS or full in PATH_CLASSES or library.compute_knows(full):
                return ref(full)
        return ref(MODULES.get(name, name) or name)

    def attribute(self, node: Any) -> Value:
        return self.attribute_of(self.evaluate(node.value), node.attr)

    def attribute_of(self, value: Value, name: str) -> Value:
        if value.kind == "ref":
            return self.of_reference(value.name, name)
        if value.kind == "either":
            return one_of([self.attribute_of(each, name) for each in value.items])
        if value.kind in ("object", "class") and name in value.fields:
            return value.fields[name]
        if value.kind == "path":
            found = library.path_attribute(value, name, self.host)
            if found is not None:
                return found
        # A method that is not called yet.
        return Value("method", name=name, node=value)

    def of_reference(self, module: str, name: str) -> Value:
        if len(module) > _NAME:
            return unknown(name)
        full = f"{module}.{name}" if module else name
        if full in MODULES:
            return ref(MODULES[full])
        if full in ("sys.argv", "os.sys.argv"):
            argv = [texts(each.choices) for each in self.host.argv()]
            if not argv and not self.host.script:
                return Value("unknown", unknown("argv", "argument").choices, name="argv")
            return listed([text(self.host.script or "-c"), *argv])
        if full == "sys.executable":
            return text("python3")
        if full in ("os.sep", "os.path.sep"):
            return text("/")
        if full == "os.linesep":
            return text("\n")
        if full == "os.devnull":
            return text("/dev/null")
        if full in ("os.curdir", "os.pardir"):
            return text("." if full == "os.curdir" else "..")
        if full in ("sys.platform", "os.name"):
            return unknown(full)
        if full == "string.ascii_lowercase":
            return text("abcdefghijklmnopqrstuvwxyz")
        if name == "__dict__":
            return ref(module)
        return ref(full)

    # --- literals --------------------------------------------------------------------------------

    def constant(self, node: Any) -> Value:
        value = node.value
        if isinstance(value, bytes):
            value = value.decode("utf-8", "surrogateescape")
        if isinstance(value, str):
            return texts(self.host.pieces(value))
        if isinstance(value, bool) or value is None:
            return constant(str(value))
        if isinstance(value, int | float):
            return number(value) if abs(value) < 1e18 else unknown("number")
        return unknown("constant")

    def joined(self, node: Any) -> Value:
        choices: Choices = ((),)
        for part in node.values:
            choices = concat(choices, choices_of(self.evaluate(part)))
        return texts(choices)

    def formatted(self, node: Any) -> Value:
        value = self.evaluate(node.value)
        if node.conversion == 114:
            known = value.text
            return text(repr(known)) if known is not None else value
        if node.format_spec is not None and value.text is None:
            return texts(choices_of(value))
        return value

    def sequence(self, node: Any) -> Value:
        items: list[Value] = []
        for each in node.elts:
            if type(each).__name__ == "Starred":
                items.extend(library.items_of(self.evaluate(each.value)))
            else:
                items.append(self.evaluate(each))
        return listed(items)

    def mapping(self, node: Any) -> Value:
        found = Value("map")
        for key, each in zip(node.keys, node.values, strict=True):
            value = self.evaluate(each)
            if key is None:
                if value.kind == "map":
                    found.fields.update(value.fields)
                continue
            name = self.evaluate(key)
            known = name.text if name.kind != "constant" else name.name
            found.fields[known if known is not None else f"?{len(found.fields)}"] = value
        return found

    # --- operators -------------------------------------------------------------------------------

    def binary(self, node: Any) -> Value:
        # `a + b + c …` is nested on its left side: one loop instead of one level each.
        rest: list[Any] = []
        first = node
        while type(first).__name__ == "BinOp":
            rest.append(first)
            first = first.left
        value = self.evaluate(first)
        for each in reversed(rest):
            value = self.operate(type(each.op).__name__, value, self.evaluate(each.right))
        return value

    def operate(self, operator: str, left: Value, right: Value) -> Value:
        self.host.effort.spend(2, "Python code")
        if operator == "Add":
            if left.kind == "list" and right.kind == "list":
                return listed([*left.items, *right.items])
            if left.kind == "number" and right.kind == "number":
                return number(left.number + right.number)
            if is_textual(left) or is_textual(right):
                return added(left, right)
            if left.kind == "list" or right.kind == "list":
                return listed([*library.items_of(left), *library.items_of(right)])
            return added(left, right)
        if operator == "Div" and (left.kind in ("path", "either") or right.kind == "path"):
            return path(path_values.joined((left, right)))
        if operator == "Mod" and left.kind == "text":
            return library.percent(left, right)
        if operator == "Mult":
            return _multiplied(left, right)
        if operator in ("BitOr", "BitXor") and left.kind == right.kind == "ref":
            return ref(f"{left.name}|{right.name}")
        if operator == "BitOr" and left.kind == right.kind == "map":
            return Value("map", fields={**left.fields, **right.fields})
        if left.kind == "number" and right.kind == "number":
            return _calculated(operator, left.number, right.number)
        if operator == "Div":
            return path(path_values.joined((left, right)))
        return unknown(operator)

    def boolean(self, node: Any) -> Value:
        kept: list[Value] = []
        wanted = type(node.op).__name__ == "Or"
        for each in node.values:
            value = self.evaluate(each)
            decided = truthiness(value)
            if decided is None:
                kept.append(value)
            elif decided is wanted:
                kept.append(value)
                break
        else:
            if not kept or truthiness(kept[-1]) is None:
                kept.append(value)
        return one_of(kept)

    def unary(self, node: Any) -> Value:
        value = self.evaluate(node.operand)
        operator = type(node.op).__name__
        if operator == "USub" and value.kind == "number":
            return number(-value.number)
        if operator == "Not":
            decided = truthiness(value)
            return truth(not decided) if decided is not None else unknown("not")
        return value if operator == "UAdd" else unknown(operator)

    def compare(self, node: Any) -> Value:
        left = self.evaluate(node.left)
        rights = [self.evaluate(each) for each in node.comparators]
        if len(rights) != 1:
            return unknown("compare")
        operator, right = type(node.ops[0]).__name__, rights[0]
        first, second = left.text, right.text
        if first is not None and second is not None:
            if operator in ("Eq", "NotEq"):
                return truth((first == second) is (operator == "Eq"))
            if operator in ("In", "NotIn") and len(first) < 64:
                return truth((first in second) is (operator == "In"))
        return unknown("compare")

    def choice(self, node: Any) -> Value:
        decided = truthiness(self.evaluate(node.test))
        if decided is not None:
            return self.evaluate(node.body if decided else node.orelse)
        return one_of([self.evaluate(node.body), self.evaluate(node.orelse)])

    def subscript(self, node: Any) -> Value:
        value = self.evaluate(node.value)
        index = node.slice
        if type(index).__name__ == "Slice":
            return self.sliced(value, index)
        key = self.evaluate(index)
        return self.item(value, key)

    def item(self, value: Value, key: Value) -> Value:
        if value.kind == "ref":
            if value.name in _WHOLE_ENVIRONMENT:
                return library.variable(key, None, self.host)
            if value.name in ("sys.modules", "globals", "locals"):
                return ref(MODULES.get(key.text or "", key.text or "") or "builtins")
            known = key.text
            module = "" if value.name == "builtins" else value.name
            if known is not None and (not module or f"{module}.{known}" in EFFECTS):
                return self.of_reference(module, known)
            return unknown(value.name)
        if value.kind == "map":
            known = key.text if key.kind != "constant" else key.name
            if known is None:
                return one_of(list(value.fields.values())) if value.fields else unknown("item")
            return value.fields.get(known, unknown(known))
        if value.kind == "list":
            if key.kind == "number":
                at = int(key.number)
                if -len(value.items) <= at < len(value.items):
                    return value.items[at]
                return unknown("item")
            return one_of(value.items) if value.items else unknown("item")
        if value.kind == "text" and key.kind == "number" and value.text is not None:
            at = int(key.number)
            if -len(value.text) <= at < len(value.text):
                return text(value.text[at])
        return unknown(value.name or "item", "argument")

    def sliced(self, value: Value, node: Any) -> Value:
        bounds = []
        for part in (node.lower, node.upper, node.step):
            bound = self.evaluate(part) if part is not None else None
            if bound is not None and bound.kind not in ("number", "constant"):
                return unknown("slice") if value.kind != "list" else value
            is_number = bound is not None and bound.kind == "number"
            bounds.append(int(bound.number) if bound is not None and is_number else None)
        if bounds[2] == 0:
            return unknown("slice")
        if value.kind == "list":
            return listed(value.items[slice(*bounds)])
        known = value.text
        if value.kind == "text" and known is not None:
            return text(known[slice(*bounds)])
        return unknown(value.name or "slice", "argument")

    # --- comprehensions, functions ---------------------------------------------------------------

    def comprehension(self, node: Any) -> Value:
        """List, set, dict comprehensions and generators: the element for each item."""
        found = Value("map") if type(node).__name__ == "DictComp" else listed([])
        saved = self.scope
        self.scope = Scope(saved)
        self._generate(node, 0, found)
        self.scope = saved
        return found

    def _generate(self, node: Any, level: int, found: Value) -> None:
        self.host.effort.spend(2, "Python code")
        if level == len(node.generators):
            if found.kind == "map":
                key, value = self.evaluate(node.key), self.evaluate(node.value)
                found.fields[key.text or f"?{len(found.fields)}"] = value
            elif len(found.items) < LOOP * LOOP:
                found.items.append(self.evaluate(node.elt))
            return
        generator = node.generators[level]
        for item in self.items(self.evaluate(generator.iter)):
            self.bind(generator.target, item)
            if all(self.holds(test) is not False for test in generator.ifs):
                self._generate(node, level + 1, found)

    def items(self, value: Value) -> list[Value]:
        """What a loop sees, not more than are run one by one."""
        found = library.items_of(value)
        return found if len(found) <= LOOP else [one_of(found[:LOOP]), unknown("item", "limit")]

    def holds(self, test: Any) -> bool | None:
        """Whether a test holds; what it says about names that stand for many is kept."""
        decided = truthiness(self.evaluate(test))
        if decided is None:
            self.narrow(test)
        return decided

    def narrow(self, test: Any, *, negated: bool = False) -> None:
        """After a test on it, a name that stood for all entries stands for some."""
        from cc_safety_net.guard.interpret.inline.python_tests import narrowed

        for name, value in narrowed(self, test, negated=negated):
            self.scope.own[name] = value

    def bind(self, target: Any, value: Value) -> None:
        """Assign to a name, a tuple of names, an attribute or an item."""
        kind = type(target).__name__
        if kind == "Name":
            self.scope.own[target.id] = value
        elif kind in ("Tuple", "List"):
            items = library.items_of(value)
            if value.kind != "list" or len(items) < len(target.elts):
                items = [*(items if value.kind == "list" else ())]
                items += [unknown("item", "argument")] * (len(target.elts) - len(items))
            for each, item in zip(target.elts, items, strict=False):
                self.bind(each, item)
        elif kind == "Starred":
            self.bind(target.value, value)
        elif kind == "Attribute":
            owner = self.evaluate(target.value)
            if owner.kind in ("object", "class"):
                owner.fields[target.attr] = value
        elif kind == "Subscript":
            owner = self.evaluate(target.value)
            key = self.evaluate(target.slice)
            if owner.kind == "map" and key.text is not None:
                owner.fields[key.text] = value
            elif owner.kind == "ref" and owner.name in _WHOLE_ENVIRONMENT and key.text:
                self.host.set_variable(key.text, word(value))

    def function(self, node: Any) -> Value:
        """A lambda."""
        return Value("function", node=node, scope=self.scope)

    def walrus(self, node: Any) -> Value:
        value = self.evaluate(node.value)
        self.bind(node.target, value)
        return value

    def awaited(self, node: Any) -> Value:
        return self.evaluate(node.value) if node.value is not None else constant(NONE)

    # --- calls -----------------------------------------------------------------------------------

    def call(self, node: Any) -> Value:
        function = self.evaluate(node.func)
        arguments: list[Value] = []
        for each in node.args:
            if type(each).__name__ == "Starred":
                arguments.extend(library.items_of(self.evaluate(each.value)))
            else:
                arguments.append(self.evaluate(each))
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif value.kind == "map":
                named.update(value.fields)
        return self.apply(function, Call("", arguments, named))

    def apply(self, function: Value, call: Call) -> Value:
        """Call a value."""
        self.host.effort.spend(4, "Python code")
        kind = function.kind
        if kind == "ref":
            return self.call_reference(function.name, call)
        if kind == "method":
            owners = alternatives(function.node)
            return one_of([self.call_method(owner, function.name, call) for owner in owners])
        if kind in ("function", "class"):
            return self.call_function(function, call)
        if kind == "partial":
            merged = Call("", [*function.items, *call.arguments], {**function.fields, **call.named})
            return self.apply(function.node, merged)
        if kind == "either":
            return one_of([self.apply(each, call) for each in function.items])
        self.hand_on(call)
        return unknown(function.name)

    def call_reference(self, name: str, call: Call) -> Value:
        call.name = name
        action = EFFECTS.get(name)
        if action is not None:
            return perform(self.host, action, call) or unknown(name)
        if name in OPENERS:
            return self.open(name, call)
        if name in PATH_CLASSES:
            if not call.arguments:
                return path(((".",),))
            return path(path_values.joined(call.arguments))
        found = self.special(name, call)
        if found is None:
            found = library.compute(name, call, self.host)
        if found is not None:
            return found
        self.hand_on(call)
        if name.startswith("sh.") and name.count(".") == 1:
            from cc_safety_net.guard.interpret.inline.calls import start

            start(self.host, [text(name[3:]), *call.arguments], call)
        return unknown(name)

    def special(self, name: str, call: Call) -> Value | None:
        """Calls that reach into the language itself."""
        function = _SPECIAL.get(name)
        if function is not None:
            return function(self, call)
        if name in EXITS:
            return constant(NONE)
        if name in _CODE_RUNNERS:
            code = call.at(0)
            if code is not None and name == "execfile":
                code = perform(self.host, ("read", 0), call)
            return self.run_code(code) if code is not None else constant(NONE)
        return None

    def call_method(self, receiver: Value, name: str, call: Call) -> Value:
        call.name = name
        call.receiver = receiver
        if receiver.kind == "path":
            return self.path_method(receiver, name, call)
        if receiver.kind == "file":
            return self.file_method(receiver, name, call)
        if receiver.kind == "object" and receiver.scope is not None:
            found = receiver.scope.fields.get(name)
            if found is not None and found.kind == "function":
                bound = Call(name, [receiver, *call.arguments], call.named)
                return self.call_function(found, bound)
        if receiver.kind == "ref" and receiver.name in _WHOLE_ENVIRONMENT:
            return self.environment_method(name, call)
        if receiver.kind in ("text", "number", "list", "map", "unknown"):
            found = library.method(receiver, name, call, self.host)
            if found is not None:
                return found
        if receiver.kind == "unknown" and name == "unlink":
            # Most objects with such a method are paths.
            perform(self.host, ("delete", "self"), call)
        self.hand_on(call)
        return unknown(name)

    def path_method(self, receiver: Value, name: str, call: Call) -> Value:
        call.name = f"Path.{name}"
        action = PATH_METHODS.get(name)
        if action is not None and not (name == "replace" and len(call.arguments) > 1):
            found = perform(self.host, action, call)
            if found is not None:
                return found
            return path(choices_of(call.arguments[0])) if action[0] == "move" else receiver
        if name == "open":
            arguments = [receiver, *call.arguments]
            return self.open("Path.open", Call("Path.open", arguments, call.named))
        value = library.path_method(receiver, name, call, self.host)
        return value if value is not None else unknown(name)

    def environment_method(self, name: str, call: Call) -> Value:
        first = call.at(0)
        if name in ("get", "pop", "setdefault", "__getitem__") and first is not None:
            return library.variable(first, call.at(1), self.host)
        if name == "copy":
            return ref("os.environ")
        if name == "update" and first is not None and first.kind == "map":
            for key, value in first.fields.items():
                self.host.set_variable(key, word(value))
        return unknown("os.environ")

    def hand_on(self, call: Call) -> None:
        """Functions that are given to an unknown call are called by it."""
        for name in _KEYWORD_TARGETS:
            target = call.named.get(name)
            if target is not None and self.is_callable(target):
                given = call.named.get("args")
                self.apply(target, Call("", library.items_of(given) if given is not None else []))
        for index, argument in enumerate(call.arguments):
            if argument.kind == "file":
                self.wrote(argument, None)
            elif self.is_callable(argument):
                rest = call.arguments[index + 1 :]
                self.apply(argument, Call("", rest))
        for argument in call.named.values():
            if argument.kind == "file":
                self.wrote(argument, None)

    @staticmethod
    def is_callable(value: Value) -> bool:
        return value.callable or (value.kind == "ref" and value.name in EFFECTS)

    # --- files -----------------------------------------------------------------------------------

    def open(self, name: str, call: Call) -> Value:
        """`open`: what the mode says; a file that is then written is no longer only emptied."""
        target = call.at(0, "file", "filename")
        if target is None or target.kind == "number":
            return unknown("open")
        mode = call.at(1, "mode")
        flags = (mode.text if mode is not None else "r") or "?"
        place = word(target)
        if "w" in flags:
            how = "truncate"
        else:
            how = "append" if any(sign in flags for sign in "xa+?") else "read"
        access = self.host.touch(place, how, name)
        found = Value("file", place.choices, node=access, name=flags)
        found.items = []
        return found

    def file_method(self, receiver: Value, name: str, call: Call) -> Value:
        if name in ("write", "writelines", "write_text"):
            self.wrote(receiver, call.at(0))
        elif name == "truncate":
            receiver.node.mode = "truncate"
        elif name in ("read", "readline", "readlines"):
            content = self.host.content(word(receiver))
            if content is not None and name == "read":
                return texts(content.choices)
            return unknown("read", "input")
        elif name == "__enter__":
            return receiver
        return unknown(name)

    def wrote(self, receiver: Value, content: Value | None) -> None:
        """The file got text: known, if all that was written is."""
        access = receiver.node
        if access is None or access.mode in ("read", "use"):
            return
        if content is not None and content.kind == "list":
            content = one_of(content.items) if len(content.items) == 1 else None
        receiver.items.append(content if content is not None else unknown("content"))
        whole = choices_of(receiver.items[0])
        for each in receiver.items[1:64]:
            whole = concat(whole, choices_of(each))
        access.content = None
        self.host.wrote(access, word(texts(whole)))


def _multiplied(left: Value, right: Value) -> Value:
    if left.kind == "number" and right.kind != "number":
        left, right = right, left
    if right.kind != "number":
        return unknown("*")
    if left.kind == "number":
        return number(left.number * right.number)
    times = int(right.number)
    known = left.text
    if left.kind == "text" and known is not None and len(known) * max(times, 0) <= _LONGEST:
        return text(known * times)
    if left.kind == "list" and len(left.items) * max(times, 0) <= LOOP:
        return listed(left.items * times)
    return unknown("*")


def _calculated(operator: str, left: float, right: float) -> Value:
    if operator == "Sub":
        return number(left - right)
    if operator == "FloorDiv" and right:
        return number(left // right)
    if operator == "Mod" and right:
        return number(left % right)
    if operator == "BitXor" and isinstance(left, int) and isinstance(right, int):
        return number(left ^ right)
    return unknown(operator)


# --- calls that reach into the language ----------------------------------------------------------


def _import(_run: Expressions, call: Call) -> Value:
    known = call.arguments[0].text if call.arguments else None
    if known is None:
        return unknown("import")
    if call.name == "__import__" and "." in known and "fromlist" not in call.named:
        known = known.partition(".")[0]
    return ref(MODULES.get(known, known))


def _getattr(run: Expressions, call: Call) -> Value:
    if len(call.arguments) < 2:
        return unknown("getattr")
    name = call.arguments[1].text
    return run.attribute_of(call.arguments[0], name) if name is not None else unknown("getattr")


def _vars(_run: Expressions, call: Call) -> Value:
    return call.arguments[0] if call.arguments else ref("globals")


def _compile(_run: Expressions, call: Call) -> Value:
    return call.arguments[0] if call.arguments else unknown("compile")


def _partial(_run: Expressions, call: Call) -> Value:
    if not call.arguments:
        return unknown("partial")
    function, rest = call.arguments[0], call.arguments[1:]
    return Value("partial", node=function, items=list(rest), fields=dict(call.named))


def _map(run: Expressions, call: Call) -> Value:
    if len(call.arguments) < 2:
        return unknown("map")
    function = call.arguments[0]
    columns = [run.items(argument) for argument in call.arguments[1:]]
    rows = zip(*columns, strict=False)
    return listed([run.apply(function, Call("", list(row))) for row in rows])


def _filter(run: Expressions, call: Call) -> Value:
    if len(call.arguments) < 2:
        return unknown("filter")
    items = run.items(call.arguments[1])
    if call.arguments[0].kind != "constant":
        for item in items:
            run.apply(call.arguments[0], Call("", [item]))
    return listed([unknown("filter", "find") for _ in items] or [])


def _print(run: Expressions, call: Call) -> Value:
    target = call.named.get("file")
    if target is not None and target.kind == "file":
        whole: Choices = ((),)
        for argument in call.arguments:
            whole = concat(whole, choices_of(argument))
        end = call.named.get("end")
        whole = concat(whole, choices_of(end) if end is not None else (("\n",),))
        run.wrote(target, texts(whole))
        return constant(NONE)
    for argument in call.arguments:
        _reveal(run, argument)
    return constant(NONE)


def _reveal(run: Expressions, value: Value) -> None:
    """What is printed may hold the environment."""
    if value.kind == "ref" and value.name in _WHOLE_ENVIRONMENT:
        run.host.print_environment("print", ())
        return
    for choice in choices_of(value) if value.kind in ("text", "unknown", "either") else ():
        for piece in choice:
            if getattr(piece, "why", "") == "environment" and getattr(piece, "name", ""):
                run.host.print_environment("print", (piece.name,))  # type: ignore[union-attr]  # an Unknown


def _environment(_run: Expressions, call: Call) -> Value | None:
    first = call.arguments[0] if call.arguments else None
    if first is not None and first.kind == "ref" and first.name in _WHOLE_ENVIRONMENT:
        return first
    return None


def _stdin(run: Expressions, _call: Call) -> Value:
    given = run.host.execution.stdin
    if given is not None and given.text != run.host.source:
        return texts(given.choices)
    origin = run.host.execution.feeds
    from cc_safety_net.guard.interpret.facts import Unknown

    return Value("unknown", ((Unknown("input", "stdin", may_be_empty=False, origin=origin),),))


def _os_open(run: Expressions, call: Call) -> Value:
    flags = call.at(1, "flags")
    names = flags.name if flags is not None and flags.kind == "ref" else ""
    mode = "r"
    if "O_TRUNC" in names:
        mode = "w"
    elif "O_WRONLY" in names or "O_RDWR" in names or "O_CREAT" in names:
        mode = "a"
    return run.open("os.open", Call("os.open", [*call.arguments[:1], text(mode)]))


def _os_write(run: Expressions, call: Call) -> Value:
    if call.arguments and call.arguments[0].kind == "file":
        run.wrote(call.arguments[0], call.at(1))
    return unknown("os.write")


def _same(_run: Expressions, call: Call) -> Value:
    return call.arguments[0] if call.arguments else constant(NONE)


def _nothing(_run: Expressions, _call: Call) -> Value:
    return constant(NONE)


_SPECIAL: dict[str, Callable[[Expressions, Call], Value | None]] = {
    "__import__": _import,
    "importlib.import_module": _import,
    "importlib.__import__": _import,
    "getattr": _getattr,
    "vars": _vars,
    "compile": _compile,
    "functools.partial": _partial,
    "map": _map,
    "filter": _filter,
    "print": _print,
    "sys.stdout.write": _print,
    "sys.stderr.write": _print,
    "pprint.pprint": _print,
    "pprint": _print,
    "dict": _environment,
    "str": _environment,
    "repr": _environment,
    "json.dumps": _environment,
    "list": _environment,
    "sorted": _environment,
    "os.environ.copy": lambda _run, _call: ref("os.environ"),
    "os.environ.items": lambda _run, _call: ref("os.environ"),
    "os.environ.get": lambda run, call: run.environment_method("get", call),
    "os.environ.pop": lambda run, call: run.environment_method("get", call),
    "os.environ.setdefault": lambda run, call: run.environment_method("get", call),
    "os.environ.update": lambda run, call: run.environment_method("update", call),
    "os.environ.keys": lambda _run, _call: unknown("names"),
    "os.environ.values": lambda _run, _call: ref("os.environ"),
    "input": _stdin,
    "raw_input": _stdin,
    "sys.stdin.read": _stdin,
    "sys.stdin.readline": _stdin,
    "sys.stdin.buffer.read": _stdin,
    "sys.stdin.readlines": _stdin,
    "os.open": _os_open,
    "os.write": _os_write,
    "os.fdopen": _same,
    "os.close": _nothing,
    "asyncio.run": _same,
    "asyncio.gather": _same,
    "asyncio.create_task": _same,
    "contextlib.closing": _same,
}

_NODES = {
    "Attribute": Expressions.attribute,
    "Await": Expressions.awaited,
    "BinOp": Expressions.binary,
    "BoolOp": Expressions.boolean,
    "Call": Expressions.call,
    "Compare": Expressions.compare,
    "Constant": Expressions.constant,
    "Dict": Expressions.mapping,
    "DictComp": Expressions.comprehension,
    "FormattedValue": Expressions.formatted,
    "GeneratorExp": Expressions.comprehension,
    "IfExp": Expressions.choice,
    "JoinedStr": Expressions.joined,
    "Lambda": Expressions.function,
    "List": Expressions.sequence,
    "ListComp": Expressions.comprehension,
    "Name": Expressions.name,
    "NamedExpr": Expressions.walrus,
    "Set": Expressions.sequence,
    "SetComp": Expressions.comprehension,
    "Subscript": Expressions.subscript,
    "Tuple": Expressions.sequence,
    "UnaryOp": Expressions.unary,
    "Yield": Expressions.awaited,
    "YieldFrom": Expressions.awaited,
}
