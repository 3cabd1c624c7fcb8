"""The content of a string: its escapes, and the code that is interpolated into it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cc_safety_net.guard.interpret.inline.language import Language
    from cc_safety_net.guard.limits import Effort

CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "e": "\x1b", "s": " "}


def parts(body: str, mode: str, language: Language, effort: Effort) -> list[Any]:
    """A string's content: known texts, and code as lists."""
    if mode == "raw":
        return [body]
    out: list[Any] = []
    run: list[str] = []
    at = 0
    size = len(body)
    holes = language.holes if mode == "full" else ""
    while at < size:
        sign = body[at]
        if sign == "\\" and at + 1 < size:
            at = _escape(body, at + 1, mode, run)
            continue
        found = _hole(body, at, holes, effort) if holes and sign in "$#@{" else None
        if found is not None:
            out.append("".join(run))
            run = []
            out.append([found[0]])
            at = found[1]
            continue
        run.append(sign)
        at += 1
    out.append("".join(run))
    return out


def _escape(body: str, at: int, mode: str, run: list[str]) -> int:
    sign = body[at]
    if mode == "plain":
        run.append(sign if sign in "\\'" else "\\" + sign)
        return at + 1
    if sign == "\n":
        return at + 1
    if sign in {"x", "u"}:
        begin, width = at + 1, 2 if sign == "x" else 4
        end = begin + width
        if body[begin : begin + 1] == "{":
            begin, end = begin + 1, body.find("}", begin)
        digits = body[begin:end]
        try:
            run.append(chr(int(digits, 16)))
        except (ValueError, OverflowError):
            run.append(sign)
            return at + 1
        return end + 1 if body[end : end + 1] == "}" else end
    if sign in "01234567":
        end = at
        while end < at + 3 and body[end : end + 1] in tuple("01234567"):
            end += 1
        run.append(chr(int(body[at:end], 8)))
        return end
    run.append(_ESCAPES.get(sign, sign))
    return at + 1


def _hole(body: str, at: int, style: str, effort: Effort) -> tuple[str, int] | None:
    """The code of an interpolation at `at`, and where it ends; None if there is none."""
    sign = body[at]
    following = body[at + 1 : at + 2]
    if style in ("js", "groovy") and sign == "$" and following == "{":
        return _bracketed(body, at + 1, effort)
    if style == "ruby":
        return _bracketed(body, at + 1, effort) if sign == "#" and following == "{" else None
    if style == "julia" and sign == "$" and following == "(":
        return _bracketed(body, at + 1, effort)
    if style == "php" and sign == "{" and following == "$":
        return _bracketed(body, at, effort)
    if style == "perl" and sign in "$@" and following == "{":
        found = _bracketed(body, at + 1, effort)
        if found is None:
            return None
        name = found[0].strip()
        plain = name.replace("_", "a").isalnum()
        return (sign + name if plain else name.strip("[]\\ "), found[1])
    if sign == "$" and style in ("perl", "php", "julia", "groovy"):
        return _variable(body, at, style, effort)
    if sign == "@" and style == "perl" and (following.isalpha() or following == "_"):
        return _variable(body, at, style, effort)
    return None


def _bracketed(body: str, at: int, effort: Effort) -> tuple[str, int] | None:
    opening = body[at]
    close = CLOSING[opening]
    depth = 0
    for end in range(at, len(body)):
        if body[end] == opening:
            depth += 1
        elif body[end] == close:
            depth -= 1
            if depth == 0:
                effort.spend(1 + (end - at) // 4, "interpolation")
                return body[at + 1 : end], end + 1
    effort.spend(1 + len(body) - at, "interpolation")
    return None


def _variable(body: str, at: int, style: str, effort: Effort) -> tuple[str, int] | None:
    """`$name`, with `{key}`, `[0]` and `->{key}` behind it."""
    end = at + 1
    while end < len(body) and (body[end].isalnum() or body[end] == "_" or ord(body[end]) > 127):
        end += 1
        if style == "perl" and body.startswith("::", end) and body[end + 2 : end + 3].isalpha():
            end += 2
    if end == at + 1:
        return None
    name = body[at if style in ("perl", "php") else at + 1 : end]
    while True:
        begin = end
        if style in ("perl", "php") and body.startswith("->", begin):
            begin += 2
        opening = body[begin : begin + 1]
        follows = opening == "{" if style == "perl" else opening == "["
        if style == "perl" and opening == "[":
            follows = body[begin + 1 : begin + 2] in tuple("$-0123456789")
        if not follows or style not in ("perl", "php"):
            return name, end
        found = _bracketed(body, begin, effort)
        if found is None:
            return name, end
        name += body[end : found[1]]
        end = found[1]
