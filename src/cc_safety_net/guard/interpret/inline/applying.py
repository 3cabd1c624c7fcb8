"""Calls of functions: those of the code itself, and those whose effects a table says."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.calls import Call, perform
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
            self.scope.own[name] = given if given is not None else unknown(name, "argument")
        self.scope.own["@_"] = listed(call.arguments)
        self.active.append(node)
        blocks, self.blocks = self.blocks, 0
        value = self.run(node.body, node.start, node.end)
        self.blocks = blocks
        self.active.pop()
        self.scope = saved
        return value

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
        self.hand_on(call)
        return unknown(function.name)

    def call_reference(self, name: str, call: Call) -> Value:
        language = self.language
        name = language.names.get(name, name)
        call.name = name
        action = language.effects.get(name)
        if action is not None:
            found = perform(self.host, action, call)
            self.hand_on(call)
            return found or unknown(name)
        if language.compute is not None:
            value = language.compute(name, call, self)
            if isinstance(value, Value):
                return value
        head, dot, last = name.rpartition(".")
        if dot:
            return self.call_method(ref(head), last, call)
        self.hand_on(call)
        return unknown(name)

    def call_method(self, receiver: Value, name: str, call: Call) -> Value:
        language = self.language
        call.receiver = receiver
        call.name = name
        if receiver.kind == "map" and name in receiver.fields:
            return self.apply(receiver.fields[name], call)
        if language.compute is not None:
            value = language.compute("." + name, call, self)
            if isinstance(value, Value):
                return value
        action = language.methods.get(name)
        if action is not None and (receiver.kind != "ref" or action[0] != "delete"):
            found = perform(self.host, action, call)
            if found is not None:
                return found
        items = self.items(receiver) if receiver.kind in ("list", "either", "map") else []
        item = one_of(items) if items else unknown(name, "argument")
        for argument in call.arguments:
            if argument.kind == "function":
                found = self.call_function(argument, Call(name, [item, unknown(name, "argument")]))
                if name in ("map", "collect", "flat_map", "flatMap"):
                    return listed([found])
            elif argument.kind == "ref" and argument.name in language.effects:
                self.apply(argument, Call(argument.name, [item]))
        self.hand_on(call, functions=False)
        return receiver if receiver.kind == "list" else unknown(name)

    def hand_on(self, call: Call, *, functions: bool = True) -> None:
        """Functions that are given to a call are called by it."""
        for argument in (*call.arguments, *call.named.values()):
            if argument.kind == "function" and functions:
                self.call_function(argument, Call("", []))
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
