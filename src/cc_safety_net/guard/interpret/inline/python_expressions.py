"""Expressions of Python: their values, and the effects of the calls among them."""

from __future__ import annotations

from cc_safety_net.guard.interpret.codes import MARK
from cc_safety_net.guard.interpret.inline import databases, path_values
from cc_safety_net.guard.interpret.inline import python_library as library
from cc_safety_net.guard.interpret.inline.calls import Call, feed, perform
from cc_safety_net.guard.interpret.inline.python_files import file_method, opened, wrote
from cc_safety_net.guard.interpret.inline.python_language import is_special, of_the_guard, special
from cc_safety_net.guard.interpret.inline.python_methods import method
from cc_safety_net.guard.interpret.inline.python_names import (
    WHOLE_ENVIRONMENT,
    environment_method,
    item_of,
    of_reference,
    sliced,
)
from cc_safety_net.guard.interpret.inline.python_operators import operate
from cc_safety_net.guard.interpret.inline.python_table import (
    EFFECTS,
    FETCHERS,
    MODULES,
    OPENERS,
    PATH_CLASSES,
    PATH_METHODS,
)
from cc_safety_net.guard.interpret.inline.values import (
    NONE,
    Scope,
    Value,
    alternatives,
    choices_of,
    constant,
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
from cc_safety_net.guard.interpret.values import concat_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.codes import CodeHost

#: Items of a loop that are run one by one.
LOOP = 64
#: Modules with a function for every program.
_PROGRAM_MODULES = ("sh.", "plumbum.cmd.")
#: Functions in one another.
_CALLS = 16
#: Calls that hand a function on, by the name of what they are called with.
_KEYWORD_TARGETS = ("target", "func", "function", "key", "callback", "initializer", "preexec_fn")


class Expressions:
    """Evaluates expressions; statements are left to the class that builds on this."""

    def __init__(self, host: CodeHost) -> None:
        self.host: CodeHost = host
        self.scope = Scope()
        #: Modules of `from x import *`.
        self.stars: list[str] = []
        self.calls: list[object] = []
        #: Something was fetched from the network before.
        self.fetched = False
        self.writes: dict[int, Any] = {}
        #: The process's own words, once the code has looked at them or set them.
        self.argv: Value | None = None

    # What the class that builds on this knows.

    def run_body(self, body: Sequence[Any]) -> bool:
        raise NotImplementedError

    def run_code(self, code: Value) -> Value:
        raise NotImplementedError

    def call_function(self, function: Value, call: Call) -> Value:
        raise NotImplementedError

    def load(self, name: str, level: int = 0) -> Value | None:
        """A module of the program itself, None if it has none by this name."""
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
            if not is_special(name) and not library.compute_knows(name) and name not in OPENERS:
                return ref(MODULES.get(full, full))
        return ref(MODULES.get(name, name) or name)

    def attribute(self, node: Any) -> Value:
        return self.attribute_of(self.evaluate(node.value), node.attr)

    def attribute_of(self, value: Value, name: str) -> Value:
        if value.kind == "ref":
            if name == "argv" and value.name == "sys":
                self.argv = self.argv or of_reference("sys", name, self.host)
                return self.argv
            return of_reference(value.name, name, self.host)
        if value.kind == "either":
            return one_of([self.attribute_of(each, name) for each in value.items])
        if value.kind == "object" and value.scope is not None:
            own = value.scope.fields.get(name)
            if own is not None and is_decorated(own, "property", "cached_property"):
                return self.call_function(own, Call(name, [value]))
        if value.kind in ("object", "class") and name in value.fields:
            found = value.fields[name]
            if value.kind == "class" and is_decorated(found, "classmethod"):
                found = Value("partial", node=found, items=[value])
            return found
        if value.kind == "path":
            known = library.path_attribute(value, name, self.host)
            if known is not None:
                return known
        # A method that is not called yet.
        return Value("method", name=name, node=value)

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
        return texts(concat_all(choices_of(self.evaluate(part)) for part in node.values))

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
                self.host.effort.spend(len(items) // 16, "Python code")
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
            self.host.effort.spend(2, "Python code")
            value = operate(type(each.op).__name__, value, self.evaluate(each.right))
            self.host.effort.spend(len(value.items) // 16, "Python code")
        return value

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
            bounds = (index.lower, index.upper, index.step)
            parts = [self.evaluate(part) if part is not None else None for part in bounds]
            return sliced(value, parts)
        key = self.evaluate(index)
        if value.kind == "object":
            own = self.own_method(value, "__getitem__", [key])
            if own is not None:
                return own
        return item_of(value, key, self.host)

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

    def process_words(self) -> list[Value]:
        """What stands behind the program's name on the command line."""
        if self.argv is not None:
            return self.argv.items[1:] if self.argv.kind == "list" else [self.argv]
        return [texts(each.choices) for each in self.host.argv()]

    def items(self, value: Value) -> list[Value]:
        """What a loop sees, not more than are run one by one."""
        if value.kind == "object":
            made = self.own_method(value, "__iter__", [])
            value = made if made is not None else value
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
            elif owner.kind == "ref" and owner.name == "sys" and target.attr == "argv":
                self.argv = value
        elif kind == "Subscript":
            owner = self.evaluate(target.value)
            if owner is self.argv and value.kind == "list":
                # `sys.argv[1:] = […]`.
                self.argv = listed([text("-c"), *value.items])
                return
            key = self.evaluate(target.slice)
            if owner.kind == "map" and key.text is not None:
                owner.fields[key.text] = value
            elif owner.kind == "ref" and owner.name in WHOLE_ENVIRONMENT and key.text:
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
        self.host.effort.spend(4 + len(call.arguments) // 16, "Python code")
        kind = function.kind
        if kind == "ref":
            return self.call_reference(function.name, call)
        if kind == "method":
            owners = alternatives(function.node)
            return one_of([self.call_method(owner, function.name, call) for owner in owners])
        if kind in ("function", "class"):
            return self.call_function(function, call)
        if kind == "object":
            own = self.own_method(function, "__call__", call.arguments)
            if own is not None:
                return own
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
            return opened(name, call, self.host)
        if name in PATH_CLASSES:
            if not call.arguments:
                return path(((".",),))
            return path(path_values.joined(call.arguments))
        if name in FETCHERS:
            self.fetched = True
        found = special(self, name, call)
        if found is None:
            found = library.compute(name, call, self.host)
        if found is not None:
            return found
        if name.startswith("cc_safety_net."):
            of_the_guard(self, name, call)
        found = databases.connected(name, call)
        databases.sent(self.host, found or ref(""), name.rpartition(".")[2], call)
        self.hand_on(call)
        if found is not None:
            return found
        if name.startswith(_PROGRAM_MODULES) and name.count(".") <= 2:
            from cc_safety_net.guard.interpret.inline.calls import start

            start(self.host, [text(name.rpartition(".")[2]), *call.arguments], call)
        return unknown(name)

    def call_method(self, receiver: Value, name: str, call: Call) -> Value:
        call.name = name
        call.receiver = receiver
        if receiver.kind == "path":
            return self.path_method(receiver, name, call)
        if receiver.kind == "file":
            return file_method(receiver, name, call, self.host)
        if receiver.kind == "object" and receiver.scope is not None:
            found = receiver.scope.fields.get(name)
            if found is not None and found.kind == "function":
                first = [] if is_decorated(found, "staticmethod") else [receiver]
                bound = Call(name, [*first, *call.arguments], call.named)
                return self.call_function(found, bound)
        if name in ("communicate", "write", "writelines") and call.arguments:
            process = receiver.node if receiver.kind == "method" else receiver
            if isinstance(process, Value):
                feed(self.host, process, call.arguments[0])
        elif name == "communicate" and "input" in call.named:
            feed(self.host, receiver, call.named["input"])
        elif name in ("runsource", "runcode") and call.arguments:
            return self.run_code(call.arguments[0])
        if receiver.kind == "ref" and receiver.name in WHOLE_ENVIRONMENT:
            return environment_method(name, call, self.host)
        if receiver.kind in ("text", "number", "list", "map", "unknown"):
            found = method(receiver, name, call)
            if found is not None:
                return found
        if receiver.kind == "unknown" and name == "unlink":
            # Most objects with such a method are paths.
            perform(self.host, ("delete", "self"), call)
        database = databases.sent(self.host, receiver, name, call)
        self.hand_on(call)
        return database or unknown(name)

    def own_method(self, receiver: Value, name: str, arguments: Sequence[Value]) -> Value | None:
        """A method that the language itself calls; None if the class has none."""
        found = receiver.scope.fields.get(name) if receiver.scope is not None else None
        if found is None or found.kind != "function":
            return None
        return self.call_function(found, Call(name, [receiver, *arguments]))

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
            return opened("Path.open", Call("Path.open", arguments, call.named), self.host)
        value = library.path_method(receiver, name, call, self.host)
        return value if value is not None else unknown(name)

    def hand_on(self, call: Call) -> None:
        """Functions that are given to an unknown call are called by it."""
        for name in _KEYWORD_TARGETS:
            target = call.named.get(name)
            if target is not None and self.is_callable(target):
                given = call.named.get("args")
                self.apply(target, Call("", library.items_of(given) if given is not None else []))
        for index, argument in enumerate(call.arguments):
            if argument.kind == "file":
                wrote(argument, None, self.host)
            elif self.is_callable(argument):
                rest = call.arguments[index + 1 :]
                self.apply(argument, Call("", rest))
        for argument in call.named.values():
            if argument.kind == "file":
                wrote(argument, None, self.host)

    @staticmethod
    def is_callable(value: Value) -> bool:
        return value.callable or (value.kind == "ref" and value.name in EFFECTS)


def is_decorated(value: Value, *names: str) -> bool:
    """A function of the code that stands behind one of these decorators."""
    if value.kind != "function":
        return False
    for decorator in getattr(value.node, "decorator_list", ()):
        if getattr(decorator, "attr", getattr(decorator, "id", "")) in names:
            return True
    return False


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
