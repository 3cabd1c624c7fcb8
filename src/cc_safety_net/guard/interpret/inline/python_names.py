"""What Python's dotted names stand for, items of values, and the environment as a map."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.python_library import variable
from cc_safety_net.guard.interpret.inline.python_table import EFFECTS, MODULES
from cc_safety_net.guard.interpret.inline.values import (
    Value,
    listed,
    one_of,
    ref,
    text,
    texts,
    unknown,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Call

#: Longer dotted names stand for nothing that is known.
_NAME = 128
WHOLE_ENVIRONMENT = frozenset(("os.environ", "os.environb"))


#: Names of the module of what is always there.
_BUILTINS = frozenset(("__builtins__", "builtins", "__builtin__"))


def of_reference(module: str, name: str, host: CodeHost) -> Value:
    """What `module.name` is."""
    if len(module) > _NAME:
        return unknown(name)
    if module in _BUILTINS:
        module = ""
    full = f"{module}.{name}" if module else name
    if full in MODULES:
        return ref(MODULES[full])
    if full in ("sys.argv", "os.sys.argv"):
        argv = [texts(each.choices) for each in host.argv()]
        if not argv and not host.script:
            return Value("unknown", unknown("argv", "argument").choices, name="argv")
        return listed([text(host.script or "-c"), *argv])
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


def item_of(value: Value, key: Value, host: CodeHost) -> Value:
    """What `value[key]` is."""
    if value.kind == "ref":
        if value.name in WHOLE_ENVIRONMENT:
            return variable(key, None, host)
        if value.name in ("sys.modules", "globals", "locals"):
            return ref(MODULES.get(key.text or "", key.text or "") or "builtins")
        known = key.text
        if value.name == "plumbum.local":
            return ref(f"plumbum.cmd.{known or '?'}")
        if value.name == "ctypes.cdll":
            return ref("os")
        module = "" if value.name in _BUILTINS else value.name
        if known is not None and (not module or f"{module}.{known}" in EFFECTS):
            return of_reference(module, known, host)
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


def sliced(value: Value, bounds: Sequence[Value | None]) -> Value:
    """What `[lower:upper:step]` takes."""
    numbers: list[int | None] = []
    for bound in bounds:
        if bound is not None and bound.kind not in ("number", "constant"):
            return unknown("slice") if value.kind != "list" else value
        is_number = bound is not None and bound.kind == "number"
        numbers.append(int(bound.number) if bound is not None and is_number else None)
    if numbers[2] == 0:
        return unknown("slice")
    if value.kind == "list":
        return listed(value.items[slice(*numbers)])
    known = value.text
    if value.kind == "text" and known is not None:
        return text(known[slice(*numbers)])
    return unknown(value.name or "slice", "argument")


def environment_method(name: str, call: Call, host: CodeHost) -> Value:
    first = call.at(0)
    if name in ("get", "pop", "setdefault", "__getitem__") and first is not None:
        return variable(first, call.at(1), host)
    if name == "copy":
        return ref("os.environ")
    if name == "update" and first is not None and first.kind == "map":
        for key, value in first.fields.items():
            host.set_variable(key, word(value))
    return unknown("os.environ")
