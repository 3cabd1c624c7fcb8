"""Tokens of languages with C-like or Ruby-like text: strings, comments, regular expressions.

One tokeniser for all; a `Language` says how each writes them.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import interpolation, literals
from cc_safety_net.guard.interpret.inline.interpolation import CLOSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cc_safety_net.guard.interpret.inline.language import Language
    from cc_safety_net.guard.limits import Effort

#: Signs of several characters by their first, the longest first.
_SIGNS = {
    "!": ("!==", "!="),
    "&": ("&&",),
    "*": ("**=", "**"),
    "+": ("+=", "++"),
    "-": ("->", "-=", "--"),
    ".": ("...", "..", ".="),
    "/": ("//",),
    ":": ("::", ":="),
    "<": ("<=>", "<=", "<-", "<<", "<>"),
    "=": ("===", "=>", "==", "=~"),
    ">": (">=", ">>"),
    "?": ("?.", "??"),
    "|": ("||", "|>"),
}
#: Words behind which a slash begins a regular expression.
_BEFORE_REGEX = frozenset(
    ("return", "typeof", "case", "in", "of", "if", "unless", "and", "or", "not", "when", "split",
     "grep", "puts", "print", "while", "until")
)  # fmt: skip


class Token:
    """kind: `name`, `number`, `string`, `shell`, `words`, `regex`, `sign`, `line`.

    text: as written, without quotes. parts: of a string: known texts, and code in brackets as
    one-element lists. spaced: a blank stands before it.
    """

    __slots__ = ("kind", "parts", "spaced", "text")

    def __init__(
        self, kind: str, text: str, *, parts: list[Any] | None = None, spaced: bool = False
    ) -> None:
        self.kind = kind
        self.text = text
        self.parts: list[Any] = [] if parts is None else parts
        self.spaced = spaced

    def __repr__(self) -> str:
        return f"{self.kind}:{self.text!r}"


class Unterminated(Exception):
    """A string or comment has no end: this is no code of the language."""


def tokenise(code: str, language: Language, effort: Effort) -> list[Token]:
    return Lexer(code, language, effort).run()


class Lexer:
    def __init__(self, code: str, language: Language, effort: Effort) -> None:
        self.code = code
        self.language = language
        self.effort = effort
        self.at = 0
        self.tokens: list[Token] = []
        #: A sign that JavaScript has in names.
        self.extra = "$" if "dollars" in language.features else ""
        #: Up to here no slash begins a regular expression: one that did had no end.
        self.no_regex = 0 if "regex" in language.features else len(code)
        #: Ends of long strings that stand nowhere behind.
        self.unclosed: set[str] = set()
        #: Here-documents that begin on the next line: (word, parts, interpolated, indented).
        self.waiting: list[tuple[str, Token, bool]] = []

    def run(self) -> list[Token]:
        code, size = self.code, len(self.code)
        if code.startswith("#!"):
            self.at = self._line_end()
        spaced = True
        while self.at < size:
            self.effort.spend(1, f"{self.language.name} code")
            sign = code[self.at]
            if sign in " \t\r\f":
                self.at += 1
                spaced = True
                continue
            if sign == "\\" and code[self.at + 1 : self.at + 2] == "\n":
                self.at += 2
                continue
            if sign == "\n":
                self.at += 1
                self.add("line", "\n", spaced)
                if self.waiting:
                    self._heredocs()
            elif not self._comment():
                self._token(sign, spaced)
            spaced = False
        return self.tokens

    def add(self, kind: str, text: str, spaced: bool, parts: list[Any] | None = None) -> Token:
        token = Token(kind, text, parts=parts, spaced=spaced)
        self.tokens.append(token)
        return token

    def _line_end(self) -> int:
        end = self.code.find("\n", self.at)
        return len(self.code) if end < 0 else end

    def _comment(self) -> bool:
        for begin, end in self.language.blocks:
            if self.code.startswith(begin, self.at):
                if begin[0] == "=" and self.at and self.code[self.at - 1] != "\n":
                    continue
                found = self.code.find(end, self.at + len(begin))
                if found < 0 and begin[0] != "=":
                    raise Unterminated
                self.at = len(self.code) if found < 0 else found + len(end)
                if begin[0] == "=":
                    self.at = self._line_end()
                return True
        for begin in self.language.comments:
            if self.code.startswith(begin, self.at):
                last = self.tokens[-1] if self.tokens else None
                if begin == "#" and self._is_sigil_length(last):
                    continue
                self.at = self._line_end()
                return True
        return False

    def _is_sigil_length(self, last: Token | None) -> bool:
        """Perl's `$#list` is no comment."""
        return (
            "quoting" in self.language.features
            and last is not None
            and last.text == "$"
            and self.code[self.at - 1] == "$"
        )

    def _token(self, sign: str, spaced: bool) -> None:
        language, code = self.language, self.code
        features = language.features
        if "long" in features and sign == "[" and code[self.at + 1 : self.at + 2] in ("[", "="):
            close = self._long_end()
            if close is not None:
                begin = code.index("[", self.at + 1) + 1
                text = code[begin : close[0]]
                self.add("string", text, spaced, [text.removeprefix("\n")])
                self.at = close[1]
                return
        if "heredocs" in features and code.startswith("<<", self.at) and self._heredoc(spaced):
            return
        mode = language.quotes.get(sign)
        if mode is not None:
            self._quoted(sign, mode, spaced)
            return
        escaped = sign == "\\" and "arrow" in features and self.code.startswith("\\u", self.at)
        if sign.isalpha() or sign == "_" or ord(sign) > 127 or sign == self.extra or escaped:
            self._name(spaced)
        elif sign.isdigit():
            self._number(spaced)
        elif (
            (sign in "$@" and "sigils" in features and literals.sigil(self, spaced))
            or (sign == "%" and "percent" in features and literals.percent(self, spaced))
            or (sign == "%" and "quoting" in features and literals.hash_name(self, spaced))
            or (
                sign == "<" and "quoting" in features and self.after_word() and literals.angle(self)
            )
        ):
            return
        elif sign == "/" and self.at >= self.no_regex and self.operand_expected():
            self._regex(spaced)
        elif (sign == ":" and "symbols" in features and literals.symbol(self, spaced)) or (
            sign == "~" and "tildes" in features and literals.tilde(self, spaced)
        ):
            return
        else:
            self._sign(sign, spaced)

    def _sign(self, sign: str, spaced: bool) -> None:
        for long in _SIGNS.get(sign, ()):
            if self.code.startswith(long, self.at):
                self.add("sign", long, spaced)
                self.at += len(long)
                return
        self.add("sign", sign, spaced)
        self.at += 1

    def operand_expected(self) -> bool:
        if not self.tokens:
            return True
        last = self.tokens[-1]
        if last.kind in ("line", "regex"):
            return last.kind == "line"
        if last.kind == "sign":
            return last.text not in (")", "]", "}")
        return last.kind == "name" and last.text in _BEFORE_REGEX

    def after_word(self) -> bool:
        """An operand may come: also behind the name of a function (Perl's `unlink <*.o>`)."""
        last = self.tokens[-1] if self.tokens else None
        plain = last is not None and last.kind == "name" and last.text[0] not in "$@%"
        return plain or self.operand_expected()

    def word_end(self, at: int) -> int:
        code, size, extra = self.code, len(self.code), self.extra
        while at < size and (
            code[at].isalnum() or code[at] == "_" or code[at] == extra or ord(code[at]) > 127
        ):
            at += 1
        return at

    def _name(self, spaced: bool) -> None:
        code = self.code
        features = self.language.features
        end = self.word_end(self.at)
        word = code[self.at : end]
        if "quoting" in features and literals.quoting(self, word, end, spaced):
            return
        bang = "bangs" in features and code[end : end + 1] in ("!", "?")
        if bang and code[end + 1 : end + 2] != "=":
            end += 1
        if "dotted" in features:
            while code[end : end + 1] == "." and self.word_end(end + 1) > end + 1:
                end = self.word_end(end + 1)
        name = code[self.at : end]
        if "arrow" in features and code.startswith("\\u", end):
            name, end = self._escaped_name(end, name)
        self.add("name", name, spaced)
        self.at = end
        if word in ("__END__", "__DATA__") and "quoting" in features:
            self.at = len(code)

    def _escaped_name(self, at: int, name: str) -> tuple[str, int]:
        """The rest of a name of which a letter is written `\\u0072` or `\\u{72}`."""
        code = self.code
        while code.startswith("\\u", at):
            if code[at + 2 : at + 3] == "{":
                end = code.find("}", at, at + 12)
                digits, end = code[at + 3 : end], end + 1
            else:
                digits, end = code[at + 2 : at + 6], at + 6
            number = int(digits, 16) if digits and not digits.strip("0123456789abcdefABCDEF") else 0
            if not 0 < number < 0x110000:
                return name, at + 2
            at = self.word_end(end)
            name += chr(number) + code[end:at]
        return name, at

    def _number(self, spaced: bool) -> None:
        code, size = self.code, len(self.code)
        end = self.at
        while end < size and (code[end].isalnum() or code[end] == "_" or self._is_point(end)):
            end += 1
        self.add("number", code[self.at : end], spaced)
        self.at = end

    def _is_point(self, at: int) -> bool:
        return self.code[at] == "." and self.code[at + 1 : at + 2].isdigit()

    # --- strings ---------------------------------------------------------------------------------

    def _quoted(self, sign: str, mode: str, spaced: bool) -> None:
        code = self.code
        if "triples" in self.language.features and code.startswith(sign * 3, self.at):
            end = code.find(sign * 3, self.at + 3)
            if end < 0:
                raise Unterminated
            body = code[self.at + 3 : end]
            self.add("string", body, spaced, self.parts(body, mode))
            self.at = end + 3
            return
        end = self.closing(self.at + 1, sign, "", escapes=mode != "raw")
        body = code[self.at + 1 : end]
        kind = "shell" if mode == "shell" else "string"
        parts = self.parts(body, "full" if mode == "shell" else mode)
        self.add(kind, body, spaced, parts)
        self.at = end + 1

    def closing(self, at: int, close: str, opening: str, *, escapes: bool = True) -> int:
        """Where the delimiter is that ends what begins at `at`; holes may hold it."""
        code, size = self.code, len(self.code)
        start = at
        depth = 0
        deep = self.language.holes in ("js", "ruby", "groovy", "julia")
        marks = {"js": "${", "ruby": "#{", "groovy": "${", "julia": "$("}
        mark = marks.get(self.language.holes, "")
        while at < size:
            sign = code[at]
            if sign == "\\" and escapes:
                at += 2
                continue
            if sign == close and depth == 0:
                self.effort.spend(1 + (at - start) // 8, f"{self.language.name} code")
                return at
            if deep and close in '`"' and code.startswith(mark, at):
                at = self._hole_end(at + 2, mark[1])
                continue
            if opening and sign == opening:
                depth += 1
            elif sign == close:
                depth -= 1
            at += 1
        raise Unterminated

    def _hole_end(self, at: int, bracket: str) -> int:
        """Behind the bracket that closes an interpolation."""
        code, size = self.code, len(self.code)
        close = CLOSING[bracket]
        depth = 1
        quote = ""
        while at < size:
            sign = code[at]
            if sign == "\\":
                at += 2
                continue
            if quote:
                quote = "" if sign == quote else quote
            elif sign in "'\"`":
                quote = sign
            elif sign == bracket:
                depth += 1
            elif sign == close:
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1
        raise Unterminated

    def parts(self, body: str, mode: str) -> list[Any]:
        return interpolation.parts(body, mode, self.language, self.effort)

    def _regex(self, spaced: bool) -> None:
        code, size = self.code, len(self.code)
        at = self.at + 1
        within = False
        while at < size and code[at] != "\n":
            sign = code[at]
            if sign == "\\":
                at += 2
                continue
            if sign == "[":
                within = True
            elif sign == "]":
                within = False
            elif sign == "/" and not within:
                body = code[self.at + 1 : at]
                self.add("regex", body, spaced)
                self.at = self.word_end(at + 1)
                return
            at += 1
        self.no_regex = at
        self._sign("/", spaced)

    def delimited(self, at: int) -> tuple[str, int]:
        """The text between a delimiter at `at` and its partner, and where that ends."""
        opening = self.code[at]
        close = CLOSING.get(opening, opening)
        end = self.closing(at + 1, close, opening if close != opening else "")
        return self.code[at + 1 : end], end + 1

    def _long_end(self) -> tuple[int, int] | None:
        code = self.code
        at = self.at + 1
        level = 0
        while code[at : at + 1] == "=":
            level += 1
            at += 1
        if code[at : at + 1] != "[":
            return None
        close = "]" + "=" * level + "]"
        if close in self.unclosed:
            return None
        end = code.find(close, at + 1)
        if end < 0:
            self.unclosed.add(close)
            return None
        return end, end + len(close)

    # --- here-documents --------------------------------------------------------------------------

    def _heredoc(self, spaced: bool) -> bool:
        """`<<WORD`, `<<~WORD`, `<<'WORD'`, PHP's `<<<WORD`."""
        code = self.code
        at = self.at + 2
        if code[at : at + 1] == "<":
            at += 1
        while code[at : at + 1] in ("~", "-"):
            at += 1
        quote = code[at : at + 1] if code[at : at + 1] in ("'", '"') else ""
        at += len(quote)
        end = self.word_end(at)
        word = code[at:end]
        if not word or word[0].isdigit() or (quote and code[end : end + 1] != quote):
            return False
        token = self.add("string", word, spaced, [])
        self.waiting.append((word, token, quote != "'"))
        self.at = end + len(quote)
        return True

    def _heredocs(self) -> None:
        waiting, self.waiting = self.waiting, []
        for word, token, full in waiting:
            lines: list[str] = []
            while self.at < len(self.code):
                end = self._line_end()
                line = self.code[self.at : end]
                self.at = end + 1
                if line.strip().rstrip(";,)") == word:
                    break
                lines.append(line)
            body = "\n".join(lines) + "\n"
            token.parts = self.parts(body, "full" if full else "raw")
