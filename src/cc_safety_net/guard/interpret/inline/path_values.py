"""Paths as values: joined, made absolute, cut, with what is known of them."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, literal, prefix
from cc_safety_net.guard.interpret.inline.values import Value, choices_of, texts
from cc_safety_net.guard.interpret.values import concat, merge, unite
from cc_safety_net.guard.paths import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.values import Choices


def joined(parts: Sequence[Value]) -> Choices:
    """`os.path.join` and `/` of paths: an absolute part starts anew."""
    whole: Choices = ((),)
    for part in parts:
        new: list[Pieces] = []
        for choice in choices_of(part):
            if prefix(choice).startswith("/"):
                new.append(choice)
                continue
            for before in whole:
                between = "" if not before or _ends_in_slash(before) else "/"
                new.append(merge((*before, between, *choice)))
        whole = unite(new)
    return whole


def _ends_in_slash(pieces: Pieces) -> bool:
    last = pieces[-1]
    return isinstance(last, str) and last.endswith("/")


def expanded(choices: Choices, host: CodeHost) -> Choices:
    """`expanduser`."""
    out: list[Pieces] = []
    for choice in choices:
        start = prefix(choice)
        if start == "~" or start.startswith("~/"):
            out.append(merge((host.home + start[1:], *choice[1:])))
        elif start.startswith("~"):
            name, slash, rest = start[1:].partition("/")
            home = "/root" if name == "root" else "/home/" + name
            out.append(merge((home + slash + rest, *choice[1:])))
        else:
            out.append(choice)
    return unite(out)


def with_variables(choices: Choices, host: CodeHost) -> Choices:
    """`expandvars`: `$NAME` and `${NAME}`."""
    out: Choices = ()
    for choice in choices:
        whole: Choices = ((),)
        for piece in choice:
            if not isinstance(piece, str) or "$" not in piece:
                whole = concat(whole, ((piece,),))
                continue
            for part in _cut_at_variables(piece):
                if part[0] != "$":
                    whole = concat(whole, ((part,),))
                    continue
                name = part.strip("${}")
                found = host.variable(name)
                value = found.choices if found is not None else ((Unknown("environment", name),),)
                whole = concat(whole, value)
        out = unite([*out, *whole])
    return out


def _cut_at_variables(piece: str) -> list[str]:
    parts: list[str] = []
    at = 0
    start = 0
    while at < len(piece):
        if piece[at] != "$":
            at += 1
            continue
        end = at + 1
        if piece[end : end + 1] == "{":
            end = piece.find("}", end) + 1
        else:
            while end < len(piece) and (piece[end].isalnum() or piece[end] == "_"):
                end += 1
        if end <= at + 1:
            at += 1
            continue
        parts.extend((piece[start:at], piece[at:end]))
        at = start = end
    parts.append(piece[start:])
    return [part for part in parts if part]


def here(host: CodeHost) -> Choices:
    """The directory that the code runs in."""
    return unite(
        [(cwd,) if cwd is not None else (Unknown("command", "getcwd"),) for cwd in host.cwds]
    )


def absolute(value: Value, host: CodeHost) -> Choices:
    out: list[Pieces] = []
    for choice in joined((texts(here(host)), value)):
        known = literal(choice)
        out.append((normalise(known),) if known is not None and known.startswith("/") else choice)
    return unite(out)


def parent_of(value: Value) -> Choices:
    """`os.path.dirname`, `Path.parent`."""
    out: list[Pieces] = []
    for choice in choices_of(value):
        if not choice:
            out.append(choice)
            continue
        last = choice[-1]
        if not isinstance(last, str):
            before = choice[:-1]
            while before and isinstance(before[-1], str) and "/" not in before[-1]:
                before = before[:-1]
            if before and isinstance(before[-1], str):
                cut = before[-1].rpartition("/")[0] or "/"
                out.append(merge((*before[:-1], cut)))
            else:
                out.append((Unknown("command", "dirname", may_be_empty=False),))
            continue
        head, slash, _ = last.rstrip("/").rpartition("/")
        if slash or len(choice) == 1:
            out.append(merge((*choice[:-1], head or ("/" if slash else ""))))
        else:
            out.append((Unknown("command", "dirname", may_be_empty=False),))
    return unite(out)


def name_of(value: Value) -> Choices:
    out: list[Pieces] = []
    for choice in choices_of(value):
        for index in range(len(choice) - 1, -1, -1):
            piece = choice[index]
            if isinstance(piece, str) and "/" in piece:
                out.append(merge((piece.rpartition("/")[2], *choice[index + 1 :])))
                break
        else:
            out.append(choice)
    return unite(out)
