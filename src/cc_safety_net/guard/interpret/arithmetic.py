"""Shell arithmetic on known integers; None where the result can't be known."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
_TRIPLES = frozenset(("<<=", ">>=", "**="))
#: The operators of two characters, each behind a blank.
_PAIRS = " << >> <= >= == != && || ** ++ -- += -= *= /= %= &= |= ^="
_BINDING = {
    "||": 4,
    "&&": 5,
    "|": 6,
    "^": 7,
    "&": 8,
    "==": 9,
    "!=": 9,
    "<": 10,
    ">": 10,
    "<=": 10,
    ">=": 10,
    "<<": 11,
    ">>": 11,
    "+": 12,
    "-": 12,
    "*": 13,
    "/": 13,
    "%": 13,
    "**": 14,
}
_ASSIGN = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "**="))
_DEPTH = 64
_TOKENS = 4_096


class NotKnown(Exception):
    """The value depends on something unknown, or the expression is no arithmetic."""


class Evaluation:
    """One expression. `read` gives a variable's integer or None, `write` sets it (None: unknown).

    Names that were written are told to `write` even if the result is unknown.
    """

    def __init__(
        self,
        text: str,
        read: Callable[[str], int | None],
        write: Callable[[str, int | None], None],
    ) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0
        self._skip = 0
        self._read = read
        self._write = write

    def value(self) -> int | None:
        try:
            if len(self._tokens) > _TOKENS:
                return None
            if not self._tokens:
                return 0
            result = self._comma()
            return result if self._at == len(self._tokens) else None
        except NotKnown:
            for index, token in enumerate(self._tokens):
                follows = self._tokens[index + 1] if index + 1 < len(self._tokens) else ""
                before = self._tokens[index - 1] if index else ""
                changed = (
                    follows in _ASSIGN or "++" in (follows, before) or "--" in (follows, before)
                )
                if token[0] in _NAME and changed:
                    self._write(token, None)
            return None

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, token: str) -> bool:
        if self._peek() == token:
            self._at += 1
            return True
        return False

    def _comma(self) -> int:
        result = self._ternary()
        while self._take(","):
            result = self._ternary()
        return result

    def _ternary(self) -> int:
        self._depth += 1
        if self._depth > _DEPTH:
            raise NotKnown
        result = self._binary(4)
        if self._take("?"):
            first = self._guarded(self._comma, result != 0)
            if not self._take(":"):
                raise NotKnown
            second = self._guarded(self._ternary, result == 0)
            result = first if result else second
        self._depth -= 1
        return result

    def _guarded(self, parse: Callable[[], int], active: bool) -> int:
        if active:
            return parse()
        self._skip += 1
        result = parse()
        self._skip -= 1
        return result

    def _binary(self, binding: int) -> int:
        left = self._unary()
        while True:
            operator = self._peek()
            power = _BINDING.get(operator, 0)
            if power < binding or not power:
                return left
            self._at += 1
            step = power if operator == "**" else power + 1
            if operator in ("&&", "||"):
                needed = (left != 0) == (operator == "&&")
                right = self._guarded(lambda: self._binary(step), needed)  # noqa: B023 - called now
                left = (
                    int(left != 0 and right != 0)
                    if operator == "&&"
                    else int(left != 0 or right != 0)
                )
                continue
            left = self._apply(operator, left, self._binary(step))

    def _apply(self, operator: str, a: int, b: int) -> int:
        if self._skip:
            return 0
        return _wrap(_compute(operator, a, b))

    def _unary(self) -> int:
        token = self._peek()
        self._depth += 1
        if self._depth > _DEPTH or not token:
            raise NotKnown
        self._at += 1
        try:
            if token in ("+", "-", "!", "~"):
                value = self._unary()
                return {"+": value, "-": -value, "!": int(value == 0), "~": ~value}[token]
            if token in ("++", "--"):
                name = self._peek()
                if not name or name[0] not in _NAME:
                    return self._unary()
                self._at += 1
                return self._store(name, self._load(name) + (1 if token[0] == "+" else -1))
            if token[0] == "(":
                value = self._comma()
                if not self._take(")"):
                    raise NotKnown
                return value
            if token[0] in _NAME:
                return self._name(token)
            return _number(token)
        finally:
            self._depth -= 1

    def _name(self, name: str) -> int:
        follows = self._peek()
        if follows == "[":
            raise NotKnown
        if follows in _ASSIGN:
            self._at += 1
            value = self._ternary()
            if follows != "=":
                value = self._apply(follows[:-1], self._load(name), value)
            return self._store(name, value)
        value = self._load(name)
        if follows in ("++", "--"):
            self._at += 1
            self._store(name, value + (1 if follows == "++" else -1))
        return value

    def _load(self, name: str) -> int:
        if self._skip:
            return 0
        value = self._read(name)
        if value is None:
            raise NotKnown
        return value

    def _store(self, name: str, value: int) -> int:
        if not self._skip:
            self._write(name, _wrap(value))
        return _wrap(value)


def _wrap(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _compute(operator: str, a: int, b: int) -> int:
    if operator in ("/", "%"):
        if b == 0:
            raise NotKnown
        quotient = abs(a) // abs(b)
        quotient = quotient if (a < 0) == (b < 0) else -quotient
        return quotient if operator == "/" else a - quotient * b
    if operator == "**":
        if b < 0:
            raise NotKnown
        return pow(a, b, 1 << 64)
    if operator in ("<<", ">>"):
        return a << (b & 63) if operator == "<<" else a >> (b & 63)
    return {
        "+": a + b,
        "-": a - b,
        "*": a * b,
        "|": a | b,
        "^": a ^ b,
        "&": a & b,
        "==": int(a == b),
        "!=": int(a != b),
        "<": int(a < b),
        ">": int(a > b),
        "<=": int(a <= b),
        ">=": int(a >= b),
    }[operator]


def number(text: str) -> int | None:
    """A text that is one number in any of the shell's spellings, else None."""
    text = text.strip(" \t\n")
    sign = 1
    if text[:1] in ("-", "+"):
        sign = -1 if text[0] == "-" else 1
        text = text[1:]
    try:
        return sign * _number(text)
    except NotKnown:
        return None


def _number(token: str) -> int:
    base = 10
    digits = token
    if "#" in token:
        head, _, digits = token.partition("#")
        if not head.isascii() or not head.isdigit() or len(head) > 2:
            raise NotKnown
        base = int(head)
    elif token[:2] in ("0x", "0X"):
        base, digits = 16, token[2:]
    elif token[:1] == "0" and len(token) > 1:
        base = 8
    if not 2 <= base <= 64 or not digits or len(digits) > 64:
        raise NotKnown
    value = 0
    for character in digits:
        if base <= 36:
            character = character.lower()  # noqa: PLW2901 - both cases are one digit here
        digit = _DIGITS.find(character)
        if digit < 0 or digit >= base:
            raise NotKnown
        value = value * base + digit
    return _wrap(value)


def _tokens(text: str) -> list[str]:
    out: list[str] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character in " \t\n":
            at += 1
            continue
        start = at
        if character in _WORD:
            while at < len(text) and (text[at] in _WORD or text[at] in "#@"):
                at += 1
        elif text[at : at + 3] in _TRIPLES:
            at += 3
        elif len(text) > at + 1 and " " + text[at : at + 2] in _PAIRS:
            at += 2
        else:
            at += 1
        out.append(text[start:at])
    return out
