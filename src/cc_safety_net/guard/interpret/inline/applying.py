"""Calls of functions: those of the code itself, and those whose effects a table says."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import databases
from cc_safety_net.guard.interpret.inline.calls import Call, feed, perform
from cc_safety_net.guard.interpret.inline.cursor import Cursor, Function
from cc_safety_net.guard.interpret.inline.values import (
    Scope,
    Value,
    alternatives,
    choices_of,
    listed,
    one_of,
    ref,
    text,
    texts,
    unknown,
    word,
)
from cc_safety_net.guard.limits import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Methods that write to the input of a program.
_WRITING = frozenset(("write", "end", "puts", "print", "<<", "syswrite", "say", "printf"))
_CALLS = 16
_CALLS_IN_ALL = 2_048


class Applying(Cursor):
    """Calls values."""

    def call_function(self, function: Value, call: Call) -> Value:
        node: Function = function.node
        if len(self.active) >= _CALLS or node in self.active:
            return unknown(function.name)
        self.called += 1
        if self.called > _CALLS_IN_ALL:
            raise LimitReached("guard.time-budget", f"calls of {self.language.name} functions")
        saved, self.scope = self.scope, Scope(function.scope or self.scope)
        for index, name in enumerate(node.parameters):
            given = call.arguments[index] if index < len(call.arguments) else None
            if given is None:
                given = call.named.get(name) or self.default(node, name)
            self.scope.own[name] = given if given is not None else unknown(name, "argument")
        if call.arguments and node.parameters in ([], ["it"]):
            # Ruby's and Perl's names for what a block is given.
            self.scope.own["_1"] = self.scope.own["it"] = call.arguments[0]
        if node.fields and call.arguments and call.arguments[0].kind == "map":
            # `({name}) => …`: the names are fields of the first argument.
            self.scope.own.update(
                (name, call.arguments[0].fields[name])
                for name in node.parameters
                if name in call.arguments[0].fields
            )
        self.scope.own["@_"] = listed(call.arguments)
        self.active.append(node)
        blocks, self.blocks = self.blocks, 0
        value = self.run(node.body, node.start, node.end)
        self.blocks = blocks
        self.active.pop()
        self.scope = saved
        return value

    def default(self, node: Function, name: str) -> Value | None:
        """What a parameter is if it is not given."""
        tokens = node.body.tokens
        start, end = node.header
        for at in range(start, end):
            if tokens[at].text == name and tokens[at + 1].text in ("=", ":") and at + 2 < end:
                stop = at + 2
                while stop < end and tokens[stop].text != ",":
                    stop = max(node.body.pairs.get(stop, stop), stop) + 1
                return self.run(node.body, at + 2, stop) if stop > at + 2 else None
        return None

    def items(self, value: Value) -> list[Value]:
        if value.kind == "list":
            return value.items
        if value.kind == "either":
            return [item for each in value.items for item in self.items(each)]
        if value.kind == "map":
            return [text(name) for name in value.fields]
        if value.kind in ("text", "path", "number"):
            return [value]
        return [unknown(value.name, "argument")]

    def apply(self, function: Value, call: Call) -> Value:
        """Call a value."""
        self.host.effort.spend(4, f"{self.language.name} code")
        piped = self.scope.own.pop("|>", None)
        if piped is not None:
            call.arguments.insert(0, piped)
        if function.kind == "ref":
            return self.call_reference(function.name, call)
        if function.kind == "method":
            owners = alternatives(function.node)
            return one_of([self.call_method(owner, function.name, call) for owner in owners])
        if function.kind == "function":
            return self.call_function(function, call)
        if function.kind == "either":
            return one_of([self.apply(each, call) for each in function.items])
        if function.kind == "text" and function.text and "named-calls" in self.language.features:
            # PHP's `$name(…)`.
            return self.call_reference(function.text, call)
        if function.kind == "object":
            databases.called(self.host, function, "", call)
        self.hand_on(call)
        return unknown(function.name)

    def call_reference(self, name: str, call: Call) -> Value:
        language = self.language
        name = language.names.get(name, name)
        call.name = name
        if name in language.takes_in and call.arguments:
            from cc_safety_net.guard.interpret.inline.included import take_in

            taken = take_in(self, name, call.arguments[0])
            if taken is not None:
                if name in language.effects:
                    perform(self.host, language.effects[name], call)
                return taken
        action = language.effects.get(name)
        if action is not None:
            found = perform(self.host, action, call) or unknown(name)
            self.hand_on(call, given=[found])
            return found
        if language.compute is not None:
            value = language.compute(name, call, self)
            if isinstance(value, Value):
                return value
        database = databases.connected(name, call)
        if database is not None:
            databases.sent(self.host, database, name.rpartition(".")[2], call)
            self.hand_on(call)
            return database
        head, dot, last = name.rpartition(".")
        if dot:
            return self.call_method(ref(head), last, call)
        databases.sent(self.host, None, name, call)
        databases.called(self.host, None, name, call)
        self.hand_on(call)
        return unknown(name)

    def call_method(self, receiver: Value, name: str, call: Call) -> Value:
        language = self.language
        call.receiver = receiver
        call.name = name
        if receiver.kind == "map" and name in receiver.fields:
            return self.apply(receiver.fields[name], call)
        process = receiver.node if receiver.kind == "method" else receiver
        if name in _WRITING and isinstance(process, Value) and call.arguments:
            feed(self.host, process, call.arguments[0])
        database = databases.sent(self.host, receiver, name, call)
        if database is not None:
            self.hand_on(call)
            return database
        if language.compute is not None:
            value = language.compute("." + name, call, self)
            if isinstance(value, Value):
                return value
        action = language.methods.get(name)
        if action is not None and (receiver.kind != "ref" or action[0] != "delete"):
            found = perform(self.host, action, call)
            if found is not None:
                return found
        if receiver.kind in ("ref", "unknown", "method") and (
            "ends" in language.features
            or ("quoting" in language.features and receiver.kind == "ref")
        ):
            # A method of a class of the code, by its name alone.
            own = self.scope.look("initialize" if name == "new" else name)
            if own is not None and own.kind == "function" and own.name:
                made = self.call_function(own, call)
                return unknown(name) if name == "new" else made
        items = self.items(receiver) if receiver.kind in ("list", "either", "map") else []
        item = one_of(items) if items else unknown(name, "argument")
        for argument in call.arguments:
            if argument.kind == "function":
                found = self.call_function(argument, Call(name, [item, unknown(name, "argument")]))
                if name in ("map", "collect", "flat_map", "flatMap"):
                    return listed([found])
            elif argument.kind == "ref" and (
                argument.name in language.effects or name == "forEach"
            ):
                self.apply(argument, Call(argument.name, [item]))
        self.hand_on(call, functions=False)
        return receiver if receiver.kind == "list" else unknown(name)

    def hand_on(self, call: Call, *, functions: bool = True, given: Sequence[Value] = ()) -> None:
        """Functions that are given to a call are called by it."""
        for argument in (*call.arguments, *call.named.values()):
            if argument.kind == "function" and functions:
                self.call_function(argument, Call("", given))
            elif argument.kind == "map":
                for each in argument.fields.values():
                    if each.kind == "function":
                        self.call_function(each, Call("", []))

    def reveal(self, value: Value) -> None:
        """What is printed may be, or hold, the environment."""
        if value.kind == "ref" and value.name in ("ENV", "%ENV", "process.env"):
            self.host.print_environment("print", ())
            return
        if value.kind not in ("text", "unknown", "either", "list"):
            return
        for each in value.items if value.kind == "list" else (value,):
            for choice in choices_of(each):
                for piece in choice:
                    if getattr(piece, "why", "") == "environment" and getattr(piece, "name", ""):
                        self.host.print_environment("print", (piece.name,))  # type: ignore[union-attr]  # an Unknown

    def variable(self, name: Value | None, default: Value | None = None) -> Value:
        """A variable of the environment."""
        known = name.text if name is not None else None
        if known is None:
            return unknown("", "environment")
        found = self.host.variable(known)
        if found is not None:
            return texts(found.choices)
        if default is not None and default.kind in ("text", "number"):
            return one_of([unknown(known, "environment"), default])
        return unknown(known, "environment")

    def code(self, value: Value, label: str) -> Value:
        """`eval` of a text."""
        if value.kind in ("text", "unknown", "either"):
            self.host.code(word(value), label)
        return unknown(label)
