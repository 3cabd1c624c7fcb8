"""Make's variables and functions: what `$(NAME)`, `${NAME}` and `$(function …)` stand for."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.values import EMPTY, concat, text_choice, unite, unknown_choice
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

    #: A variable's value: text that is expanded when it is used, or what it was expanded to.
    Value: TypeAlias = "str | Choices"

_CLOSERS = {"(": ")", "{": "}"}
#: Variables that make sets itself.
_DEFAULTS = {
    "AR": "ar",
    "AS": "as",
    "CC": "cc",
    "CPP": "cc -E",
    "CXX": "c++",
    "LD": "ld",
    "MAKE": "make",
    "MAKEFLAGS": "",
    "MFLAGS": "",
    "MAKELEVEL": "0",
    "RM": "rm -f",
    "SHELL": "/bin/sh",
}
_DEPTH = 64
_ITEMS = 256


class Variables:
    """What is set: by the makefile, on the command line, and by the environment.

    given: of the command line, stronger than the file's. environment: weaker than the file's.
    """

    def __init__(
        self,
        m: Machine,
        state: State,
        directory: str,
        *,
        given: Mapping[str, Choices],
        environment: Mapping[str, Choices],
    ) -> None:
        self.m = m
        self.state = state
        self.directory = directory
        self.given = given
        self.environment = environment
        #: Name -> values that it may have.
        self.own: dict[str, list[Value]] = {}
        #: Values of the target whose recipe is expanded.
        self.automatic: dict[str, Choices] = {}
        #: What `$(eval …)` adds to the makefile.
        self.evaluate: Callable[[str], None] | None = None
        self._active: list[str] = []

    def is_set(self, name: str) -> bool:
        return name in self.own or name in self.given or name in self.environment

    def assign(self, name: str, operator: str, text: str, *, certain: bool) -> None:
        """`NAME operator text`; not certain: in a branch that may not be taken."""
        if operator == "?=" and self.is_set(name):
            return
        value: Value = text
        before = self.own.get(name)
        if operator in (":=", "::=", ":::="):
            value = self.expand(text)
        elif operator == "!=":
            value = self._shell(self.expand(text))
        elif operator == "+=" and before:
            self.own[name] = [*(before if not certain else ()), *self._longer(before, text)]
            return
        self.own[name] = [value] if certain or before is None else [*before[:8], value]

    def _longer(self, before: Sequence[Value], text: str) -> list[Value]:
        out: list[Value] = []
        for value in before:
            if isinstance(value, str):
                out.append(value + " " + text)
            else:
                out.append(concat(concat(value, ((" ",),)), self.expand(text)))
        return out

    def value(self, name: str) -> Choices:
        """What `$(name)` stands for."""
        for table in (self.automatic, self.given):
            if name in table:
                return table[name]
        values = self.own.get(name)
        if values is not None:
            if name in self._active or len(self._active) >= _DEPTH:
                return unknown_choice("variable", name)
            self._active.append(name)
            found = unite([c for value in values for c in self._expanded(value)])
            self._active.pop()
            return found
        if name in self.environment:
            return self.environment[name]
        if name in _DEFAULTS:
            return text_choice(_DEFAULTS[name])
        if name == "CURDIR":
            return text_choice(self.directory)
        if name == "HOME":
            return text_choice(self.m.place.home)
        if name == "PWD":
            return text_choice(self.directory)
        return unknown_choice("variable", name)

    def _expanded(self, value: Value) -> Choices:
        return self.expand(value) if isinstance(value, str) else value

    def expand(self, text: str) -> Choices:
        """A text with all its references replaced."""
        self.m.effort.spend(4 + len(text) // 8, "a makefile")
        if "$" not in text:
            return text_choice(text)
        out: Choices = EMPTY
        at = 0
        while at < len(text):
            dollar = text.find("$", at)
            if dollar < 0 or dollar + 1 >= len(text):
                out = concat(out, text_choice(text[at:]))
                break
            out = concat(out, text_choice(text[at:dollar]))
            sign = text[dollar + 1]
            at = dollar + 2
            if sign == "$":
                out = concat(out, (("$",),))
            elif sign in _CLOSERS:
                end = closing(text, dollar + 1)
                out = concat(out, self._reference(text[dollar + 2 : end]))
                at = end + 1
            elif not sign.isspace():
                out = concat(out, self.value(sign))
        return out

    def text(self, text: str) -> str | None:
        """The one text that it expands to, None if there is none."""
        found = self.expand(text)
        return literal(found[0]) if len(found) == 1 else None

    def _reference(self, body: str) -> Choices:
        self.m.enter("a reference of make")
        try:
            return self._referred(body)
        finally:
            self.m.depth -= 1

    def _referred(self, body: str) -> Choices:
        name, blank, rest = body.partition(" ")
        if not blank:
            name, blank, rest = body.partition("\t")
        if blank and name in _FUNCTIONS:
            return _FUNCTIONS[name](self, arguments(rest.lstrip()))
        if blank and name in _TEXT_FUNCTIONS:
            return self._of_texts(name, arguments(rest.lstrip()))
        colon = body.find(":")
        equals = body.find("=", colon + 1)
        if colon > 0 and equals > 0 and "$" not in body[:colon]:
            # $(NAME:.c=.o)
            before, after = body[colon + 1 : equals], body[equals + 1 :]
            if "%" not in before:
                before, after = "%" + before, "%" + after
            parts = [self.expand(before), self.expand(after), self.value(body[:colon])]
            return self._mapped("patsubst", parts)
        inner = self.text(body)
        if inner is None:
            return unknown_choice("variable", body)
        return self.value(inner.strip())

    def _of_texts(self, name: str, parts: Sequence[str]) -> Choices:
        return self._mapped(name, [self.expand(part) for part in parts])

    def _mapped(self, name: str, parts: Sequence[Choices]) -> Choices:
        """A function of texts over what its parts may be; unknown where one of them is."""
        if any(len(part) > 1 for part in parts[:-1]) or not parts:
            return unknown_choice("variable", name)
        function, number = _TEXT_FUNCTIONS[name]
        if len(parts) < number:
            return EMPTY
        fixed = [literal(part[0]) for part in parts[:-1]]
        out: list[tuple[str | Unknown, ...]] = []
        for choice in parts[-1]:
            text = literal(choice)
            if text is None or any(each is None for each in fixed):
                out.append((Unknown("variable", name),))
                continue
            words = [each for each in fixed if each is not None]
            self.m.effort.spend(1 + len(text) // 4, "a makefile")
            found = function(self, [*words, text])
            out.append((found,) if found else ())
        return unite(out)

    # --- functions that are more than texts ------------------------------------------------------

    def _shell(self, text: Choices) -> Choices:
        """`$(shell …)`: run, and what it prints, on one line."""
        from cc_safety_net.guard.interpret.facts import Word
        from cc_safety_net.guard.interpret.state import State
        from cc_safety_net.guard.interpret.texts import run_text

        m = self.m
        saved = (m.output, m.captured)
        m.output, m.captured = EMPTY, True
        run_text(m, State(self.state), Word(text), "$(shell …)", how="script", new=True)
        found = m.output
        m.output, m.captured = saved
        out: list[tuple[object, ...]] = []
        for choice in found:
            pieces = [p.replace("\n", " ") if isinstance(p, str) else p for p in choice]
            if pieces and isinstance(pieces[-1], str):
                pieces[-1] = pieces[-1].rstrip()
            out.append(tuple(piece for piece in pieces if piece != ""))
        return unite(out)  # type: ignore[arg-type]  # pieces

    def shell(self, parts: Sequence[str]) -> Choices:
        return self._shell(self.expand(",".join(parts)))

    def call(self, parts: Sequence[str]) -> Choices:
        """`$(call NAME,a,b)`: `$(1)`, `$(2)`, … in the value of NAME."""
        name = (self.text(parts[0]) or "").strip() if parts else ""
        if name not in self.own or len(self._active) >= _DEPTH or name in self._active:
            return unknown_choice("variable", name)
        saved = self.automatic
        numbered = {str(n): self.expand(part) for n, part in enumerate(parts) if n}
        self.automatic = {**saved, **numbered, "0": text_choice(name)}
        found = self.value(name)
        self.automatic = saved
        return found

    def foreach(self, parts: Sequence[str]) -> Choices:
        name = self.text(parts[0]) if parts else None
        items = self.text(parts[1]) if len(parts) > 1 else None
        if name is None or items is None or len(parts) < 3:
            return unknown_choice("variable", "foreach")
        saved, out = self.automatic, EMPTY
        body = ",".join(parts[2:])
        words = items.split()
        if len(words) > _ITEMS:
            return unknown_choice("limit", "foreach")
        for number, item in enumerate(words):
            self.automatic = {**saved, name.strip(): text_choice(item)}
            out = concat(out, ((" ",),)) if number else out
            out = concat(out, self.expand(body))
        self.automatic = saved
        return out

    def condition(self, parts: Sequence[str]) -> Choices:
        test = self.text(parts[0].strip()) if parts else None
        taken = self.expand(parts[1]) if len(parts) > 1 else EMPTY
        other = self.expand(",".join(parts[2:])) if len(parts) > 2 else EMPTY
        if test is None:
            return unite([*taken, *other])
        return taken if test else other

    def either(self, parts: Sequence[str]) -> Choices:
        for part in parts:
            found = self.expand(part.strip())
            if found != EMPTY:
                return found
        return EMPTY

    def both(self, parts: Sequence[str]) -> Choices:
        found = EMPTY
        for part in parts:
            found = self.expand(part.strip())
            if found == EMPTY:
                return EMPTY
        return found

    def add(self, parts: Sequence[str]) -> Choices:
        """`$(eval …)`: more lines of the makefile."""
        text = self.text(",".join(parts))
        if text is not None and self.evaluate is not None and len(self._active) < _DEPTH:
            self._active.append("\0eval")
            self.evaluate(text)
            self._active.pop()
        return EMPTY

    def nothing(self, parts: Sequence[str]) -> Choices:
        self.expand(",".join(parts))
        return EMPTY


def closing(text: str, start: int) -> int:
    """Where the bracket at `start` is closed; the end of the text if it is not."""
    opener = text[start]
    closer = _CLOSERS[opener]
    depth = 0
    for at in range(start, len(text)):
        if text[at] == opener:
            depth += 1
        elif text[at] == closer:
            depth -= 1
            if not depth:
                return at
    return len(text)


def arguments(text: str) -> list[str]:
    """A function's arguments: the text at its commas outside brackets."""
    out: list[str] = []
    start = depth = 0
    for at, sign in enumerate(text):
        if sign in "({":
            depth += 1
        elif sign in ")}":
            depth -= 1
        elif sign == "," and depth <= 0:
            out.append(text[start:at])
            start = at + 1
    out.append(text[start:])
    return out


def stem_of(pattern: str, text: str) -> str | None:
    """What `%` of the pattern stands for in a text that matches it."""
    head, percent, tail = pattern.partition("%")
    if not percent:
        return "" if pattern == text else None
    if len(text) < len(head) + len(tail) or not (text.startswith(head) and text.endswith(tail)):
        return None
    return text[len(head) : len(text) - len(tail)]


def _patsubst(_own: Variables, parts: Sequence[str]) -> str:
    out = []
    for word in parts[2].split():
        stem = stem_of(parts[0].strip(), word)
        out.append(word if stem is None else parts[1].strip().replace("%", stem, 1))
    return " ".join(out)


def _filter(own: Variables, parts: Sequence[str], *, keep: bool) -> str:
    patterns = parts[0].split()
    words = parts[1].split()
    own.m.effort.spend(len(patterns) * len(words) // 2, "a makefile")
    return " ".join(
        word for word in words if any(stem_of(p, word) is not None for p in patterns) == keep
    )


def _number(text: str) -> int:
    return int(text) if text.strip().isdigit() and len(text) < 9 else 0


def _wildcard(own: Variables, parts: Sequence[str]) -> str:
    """Patterns are left for the shell, which finds the same files."""
    words = parts[0].split()
    own.m.effort.spend(4 * len(words), "a makefile")
    return " ".join(
        word
        for word in words
        if any(sign in word for sign in "*?[") or own.m.world.exists(_path(own, word))
    )


def _path(own: Variables, word: str) -> str:
    return normalise(join(own.directory, word))


def _each(parts: Sequence[str], change: Callable[[str], str]) -> str:
    return " ".join(change(word) for word in parts[-1].split())


def _suffixless(word: str) -> str:
    head, slash, name = word.rpartition("/")
    return head + slash + (name.rpartition(".")[0] or name if "." in name else name)


def _suffix(word: str) -> str:
    name = word.rpartition("/")[2]
    return "." + name.rpartition(".")[2] if "." in name else ""


#: Name -> (function, how many arguments it needs); the last argument may have several texts.
_TEXT_FUNCTIONS: dict[str, tuple[Callable[[Variables, list[str]], str], int]] = {
    "abspath": (lambda own, p: _each(p, lambda w: _path(own, w)), 1),
    "addprefix": (lambda _o, p: _each(p, lambda w: p[0] + w), 2),
    "addsuffix": (lambda _o, p: _each(p, lambda w: w + p[0]), 2),
    "basename": (lambda _o, p: _each(p, _suffixless), 1),
    "dir": (
        lambda _o, p: _each(p, lambda w: w[: w.rfind("/") + 1] if "/" in w else "./"),
        1,
    ),
    "filter": (lambda o, p: _filter(o, p, keep=True), 2),
    "filter-out": (lambda o, p: _filter(o, p, keep=False), 2),
    "findstring": (lambda _o, p: p[0] if p[0] in p[1] else "", 2),
    "firstword": (lambda _o, p: " ".join(p[0].split()[:1]), 1),
    "lastword": (lambda _o, p: " ".join(p[0].split()[-1:]), 1),
    "notdir": (lambda _o, p: _each(p, lambda w: w.rpartition("/")[2]), 1),
    "patsubst": (_patsubst, 3),
    "realpath": (lambda own, p: _each(p, lambda w: own.m.world.resolve(_path(own, w))), 1),
    "sort": (lambda _o, p: " ".join(sorted(set(p[0].split()))), 1),
    "strip": (lambda _o, p: " ".join(p[0].split()), 1),
    "subst": (lambda _o, p: p[2].replace(p[0], p[1]) if p[0] else p[2] + p[1], 3),
    "suffix": (lambda _o, p: " ".join(filter(None, map(_suffix, p[0].split()))), 1),
    "wildcard": (_wildcard, 1),
    "word": (lambda _o, p: " ".join(p[1].split()[_number(p[0]) - 1 :][:1]), 2),
    "wordlist": (lambda _o, p: " ".join(p[2].split()[_number(p[0]) - 1 : _number(p[1])]), 3),
    "words": (lambda _o, p: str(len(p[0].split())), 1),
}
_FUNCTIONS: dict[str, Callable[[Variables, Sequence[str]], Choices]] = {
    "and": Variables.both,
    "call": Variables.call,
    "error": Variables.nothing,
    "eval": Variables.add,
    "foreach": Variables.foreach,
    "if": Variables.condition,
    "info": Variables.nothing,
    "or": Variables.either,
    "shell": Variables.shell,
    "warning": Variables.nothing,
}
