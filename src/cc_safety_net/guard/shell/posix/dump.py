"""The tree as text, nested names, for tests and for people."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix.nodes import DoubleQuoted, Lit, Node, Script, Word

_SPAN = ("start", "end")


def dump(node: object) -> str:
    """One line: `Name(field, …)`; fields that are empty are left out."""
    if isinstance(node, Word):
        return "".join([dump(part) for part in node.parts]) or "''"
    if isinstance(node, Lit):
        return f"{node.text!r}" if node.quoted else node.text.replace("\n", "\\n")
    if isinstance(node, DoubleQuoted):
        return '"' + "".join([dump(part) for part in node.parts]) + '"'
    if isinstance(node, Script):
        return "{" + " ".join([dump(c) + (t if t != "\n" else "\\n") for c, t in node.items]) + "}"
    if isinstance(node, Node):
        name = type(node).__name__
        fields = []
        for slot in _slots(type(node)):
            value = getattr(node, slot)
            if slot in _SPAN or value is None or value is False or value in ("", (), []):
                continue
            fields.append(f"{slot}={dump(value)}")
        return f"{name}({', '.join(fields)})"
    if isinstance(node, (list, tuple)):
        return "[" + " ".join([dump(inner) for inner in node]) + "]"
    return str(node)


def _slots(kind: type) -> list[str]:
    found: list[str] = []
    for base in kind.__mro__:
        found += [slot for slot in getattr(base, "__slots__", ()) if slot not in found]
    return found
