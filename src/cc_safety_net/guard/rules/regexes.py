"""Regular expressions of `find -regex` and `fd`, matched without backtracking.

Both spellings of groups and alternatives (`\\(a\\|b\\)`, `(a|b)`) count as such: which of them is
plain text differs from program to program, and samples hold none of these characters.
"""

from __future__ import annotations

_END = -1
#: Longer patterns are not tried: they may match.
_LONGEST = 400


def regex_matches(pattern: str, text: str, *, fold: bool = False, search: bool = False) -> bool:
    """`text` matches the whole pattern, or holds a match if `search`.

    A pattern that can't be read may match: True.
    """
    if len(pattern) > _LONGEST:
        return True
    if fold:
        pattern, text = pattern.lower(), text.lower()
    start = pattern.startswith("^")
    end = pattern.endswith("$") and not pattern.endswith("\\$")
    body = pattern[1 if start else 0 : -1 if end else None]
    try:
        program = _Compiler(body).compile()
    except IndexError:
        return True
    return program.run(text, anywhere=search and not start, to_end=not search or end)


class _Program:
    """States: (characters, next) consumes one; (None, next, other) branches without one."""

    def __init__(self) -> None:
        self.states: list[tuple[str | None, int, int]] = []
        self.start = _END

    def run(self, text: str, *, anywhere: bool, to_end: bool) -> bool:
        current = self._closure({self.start})
        if _END in current and not to_end:
            return True
        for character in text:
            following: set[int] = set()
            for state in current:
                if state != _END:
                    accepted, ahead, _ = self.states[state]
                    if accepted is not None and _accepts(accepted, character):
                        following.add(ahead)
            if anywhere:
                following.add(self.start)
            current = self._closure(following)
            if _END in current and not to_end:
                return True
        return _END in current

    def _closure(self, states: set[int]) -> set[int]:
        todo = list(states)
        seen = set(states)
        while todo:
            state = todo.pop()
            if state == _END:
                continue
            accepted, one, other = self.states[state]
            if accepted is None:
                for ahead in (one, other):
                    if ahead not in seen:
                        seen.add(ahead)
                        todo.append(ahead)
        return seen


def _accepts(accepted: str, character: str) -> bool:
    from cc_safety_net.guard.rules.patterns import matches

    if accepted == "":
        return True
    if accepted.startswith("[") and len(accepted) > 1:
        return matches(accepted, character)
    return accepted == character


class _Compiler:
    """Builds the program from the end to the start: each part knows what follows it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.program = _Program()

    def compile(self) -> _Program:
        tree = self._alternatives()
        if self.at < len(self.pattern):
            raise IndexError(self.at)
        self.program.start = self._build(tree, _END)
        return self.program

    def _alternatives(self) -> tuple[str, list[object]]:
        branches: list[object] = [self._sequence()]
        while self.pattern.startswith(("|", "\\|"), self.at):
            self.at += 1 if self.pattern[self.at] == "|" else 2
            branches.append(self._sequence())
        return ("any", branches)

    def _sequence(self) -> tuple[str, list[object]]:
        parts: list[object] = []
        while self.at < len(self.pattern):
            if self.pattern.startswith(("|", "\\|", ")", "\\)"), self.at):
                break
            parts.append(self._repeated(self._atom()))
        return ("all", parts)

    def _atom(self) -> object:
        first = self.pattern[self.at]
        if self.pattern.startswith(("(", "\\("), self.at):
            self.at += 1 if first == "(" else 2
            if self.pattern.startswith("?:", self.at):
                self.at += 2
            tree = self._alternatives()
            self.at += 1 if self.pattern[self.at] == ")" else 2
            return tree
        if first == "[":
            end = self.pattern.index("]", self.at + 2) if "]" in self.pattern[self.at + 2 :] else -1
            if end < 0:
                raise IndexError(self.at)
            while self.pattern.startswith("[:", self.pattern.rfind("[", self.at + 1, end)):
                inner = self.pattern.find("]", end + 1)
                if inner < 0 or self.pattern[end - 1] != ":":
                    break
                end = inner
            text = self.pattern[self.at : end + 1]
            self.at = end + 1
            return ("one", text)
        self.at += 1
        if first == ".":
            return ("one", "")
        if first == "\\":
            second = self.pattern[self.at]
            self.at += 1
            classes = {"d": "[0-9]", "w": "[A-Za-z0-9_]", "s": "[ ]"}
            return ("one", classes.get(second, second))
        return ("one", first)

    def _repeated(self, atom: object) -> object:
        while self.at < len(self.pattern):
            ahead = self.pattern[self.at]
            if ahead == "\\" and self.pattern[self.at + 1 : self.at + 2] in ("+", "?"):
                self.at += 1
                ahead = self.pattern[self.at]
            if ahead in ("*", "+", "?"):
                self.at += 1
                atom = (ahead, atom)
            elif self.pattern.startswith(("{", "\\{"), self.at):
                # A count is read as any number of times.
                self.at = self.pattern.find("}", self.at) + 1
                if self.at == 0:
                    raise IndexError(ahead)
                atom = ("*", atom)
            else:
                break
        return atom

    def _build(self, tree: object, ahead: int) -> int:
        assert isinstance(tree, tuple)
        kind, value = tree
        states = self.program.states
        if kind == "one":
            states.append((value, ahead, ahead))
            return len(states) - 1
        if kind == "all":
            for part in reversed(value):
                ahead = self._build(part, ahead)
            return ahead
        if kind == "any":
            entry = self._build(value[-1], ahead)
            for branch in reversed(value[:-1]):
                states.append((None, self._build(branch, ahead), entry))
                entry = len(states) - 1
            return entry
        if kind == "?":
            states.append((None, self._build(value, ahead), ahead))
            return len(states) - 1
        loop = len(states)
        states.append((None, ahead, ahead))
        body = self._build(value, loop)
        states[loop] = (None, body, ahead)
        return body if kind == "+" else loop
