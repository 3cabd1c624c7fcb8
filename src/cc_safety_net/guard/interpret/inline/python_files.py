"""Files that Python code opens, reads and writes."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.values import (
    Value,
    choices_of,
    one_of,
    texts,
    unknown,
    word,
)
from cc_safety_net.guard.interpret.values import concat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Call


def opened(name: str, call: Call, host: CodeHost) -> Value:
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
    access = host.touch(place, how, name)
    found = Value("file", place.choices, node=access, name=flags)
    found.items = []
    return found


def file_method(receiver: Value, name: str, call: Call, host: CodeHost) -> Value:
    if name in ("write", "writelines", "write_text"):
        wrote(receiver, call.at(0), host)
    elif name == "truncate":
        receiver.node.mode = "truncate"
    elif name in ("read", "readline", "readlines"):
        content = host.content(word(receiver))
        if content is not None and name == "read":
            return texts(content.choices)
        return unknown("read", "file")
    elif name == "__enter__":
        return receiver
    return unknown(name)


def wrote(receiver: Value, content: Value | None, host: CodeHost) -> None:
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
    host.wrote(access, word(texts(whole)))
