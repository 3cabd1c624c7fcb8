"""Tokens of languages with C-like or Ruby-like text: strings, comments, regular expressions.

One tokeniser for all; a `Language` says how each writes them. Longer than a module should be: it
is one machine, whose states (string, template, here-document, pattern) call one another.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.inline.calls import Action
    from cc_safety_net.guard.limits import Effort

_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "e": "\x1b", "s": " "}
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
_QUOTING_WORDS = frozenset(("q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y"))


class Language:
    """How a language writes what matters here.

    comments: what begins a comment to the end of the line; blocks: pairs around longer ones.
    quotes: sign -> `plain` (a backslash escapes itself and the quote), `escaped`, `full` (with
    interpolation), `shell` (a command), `raw`. holes: how interpolation looks: `js` `ruby` `perl`
    `php` `julia` `groovy`. features: `regex`, `percent` (Ruby), `quoting` (Perl), `heredocs`,
    `sigils` (names may begin with $ @ %), `lines` (a newline ends a statement), `bare` (arguments
    without brackets), `ends` (blocks end with `end`), `long` (Lua's `[[…]]`).
    joins: operators that put texts after one another. functions: words that define one.
    effects: dotted name -> action. methods: name -> action, whatever the object is.
    compute: results of calls; names: what stands for another name; start: called by itself.
    """

    __slots__ = (
        "blocks",
        "comments",
        "compute",
        "effects",
        "features",
        "functions",
        "holes",
        "joins",
        "methods",
        "name",
        "names",
        "quotes",
        "start",
    )

    def __init__(
        self,
        name: str,
        *,
        quotes: Mapping[str, str],
        effects: Mapping[str, Action],
        comments: Sequence[str] = ("//",),
        blocks: Sequence[tuple[str, str]] = (("/*", "*/"),),
        holes: str = "",
        features: frozenset[str] = frozenset(),
        joins: Sequence[str] = ("+",),
        functions: Sequence[str] = ("function",),
        methods: Mapping[str, Action] | None = None,
        compute: Callable[[str, Any, Any], Any] | None = None,
        names: Mapping[str, str] | None = None,
        start: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.quotes = quotes
        self.effects = effects
        self.comments = tuple(comments)
        self.blocks = tuple(blocks)
        self.holes = holes
        self.features = features
        self.joins = frozenset(joins)
        self.functions = frozenset(functions)
        self.methods = methods or {}
        self.compute = compute
        self.names = names or {}
        self.start = tuple(start)


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
    return _Lexer(code, language, effort).run()


class _Lexer:
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
                self._add("line", "\n", spaced)
                if self.waiting:
                    self._heredocs()
            elif not self._comment():
                self._token(sign, spaced)
            spaced = False
        return self.tokens

    def _add(self, kind: str, text: str, spaced: bool, parts: list[Any] | None = None) -> Token:
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
                self._add("string", text, spaced, [text.removeprefix("\n")])
                self.at = close[1]
                return
        if "heredocs" in features and code.startswith("<<", self.at) and self._heredoc(spaced):
            return
        mode = language.quotes.get(sign)
        if mode is not None:
            self._quoted(sign, mode, spaced)
            return
        if sign.isalpha() or sign == "_" or ord(sign) > 127 or sign == self.extra:
            self._name(spaced)
        elif sign.isdigit():
            self._number(spaced)
        elif (
            (sign in "$@" and "sigils" in features and self._sigil(spaced))
            or (sign == "%" and "percent" in features and self._percent(spaced))
            or (sign == "%" and "quoting" in features and self._hash(spaced))
            or (sign == "<" and "quoting" in features and self._after_word() and self._angle())
        ):
            return
        elif sign == "/" and self.at >= self.no_regex and self._operand_expected():
            self._regex(spaced)
        elif (sign == ":" and "symbols" in features and self._symbol(spaced)) or (
            sign == "~" and "tildes" in features and self._tilde(spaced)
        ):
            return
        else:
            self._sign(sign, spaced)

    def _sign(self, sign: str, spaced: bool) -> None:
        for long in _SIGNS.get(sign, ()):
            if self.code.startswith(long, self.at):
                self._add("sign", long, spaced)
                self.at += len(long)
                return
        self._add("sign", sign, spaced)
        self.at += 1

    def _operand_expected(self) -> bool:
        if not self.tokens:
            return True
        last = self.tokens[-1]
        if last.kind in ("line", "regex"):
            return last.kind == "line"
        if last.kind == "sign":
            return last.text not in (")", "]", "}")
        return last.kind == "name" and last.text in _BEFORE_REGEX

    def _after_word(self) -> bool:
        """An operand may come: also behind the name of a function (Perl's `unlink <*.o>`)."""
        last = self.tokens[-1] if self.tokens else None
        plain = last is not None and last.kind == "name" and last.text[0] not in "$@%"
        return plain or self._operand_expected()

    def _word_end(self, at: int) -> int:
        code, size, extra = self.code, len(self.code), self.extra
        while at < size and (
            code[at].isalnum() or code[at] == "_" or code[at] == extra or ord(code[at]) > 127
        ):
            at += 1
        return at

    def _name(self, spaced: bool) -> None:
        code = self.code
        features = self.language.features
        end = self._word_end(self.at)
        word = code[self.at : end]
        if "quoting" in features and word in _QUOTING_WORDS and self._quoting(word, end, spaced):
            return
        bang = "bangs" in features and code[end : end + 1] in ("!", "?")
        if bang and code[end + 1 : end + 2] != "=":
            end += 1
        if "dotted" in features:
            while code[end : end + 1] == "." and self._word_end(end + 1) > end + 1:
                end = self._word_end(end + 1)
        self._add("name", code[self.at : end], spaced)
        self.at = end
        if word in ("__END__", "__DATA__") and "quoting" in features:
            self.at = len(code)

    def _number(self, spaced: bool) -> None:
        code, size = self.code, len(self.code)
        end = self.at
        while end < size and (code[end].isalnum() or code[end] == "_" or self._is_point(end)):
            end += 1
        self._add("number", code[self.at : end], spaced)
        self.at = end

    def _is_point(self, at: int) -> bool:
        return self.code[at] == "." and self.code[at + 1 : at + 2].isdigit()

    def _sigil(self, spaced: bool) -> bool:
        """`$name`, `@list`, `@@x`, `$_`, `$0`, `$$`, `${name}`."""
        code = self.code
        at = self.at + 1
        if code[at : at + 1] == "@":
            at += 1
        if code[at : at + 1] == "{":
            close = code.find("}", at)
            inner = code[at + 1 : close].strip()
            if close > 0 and inner.replace("_", "a").isalnum():
                self._add("name", code[self.at] + inner, spaced)
                self.at = close + 1
                return True
            return False
        end = self._word_end(at)
        while code.startswith("::", end) and self._word_end(end + 2) > end + 2:
            end = self._word_end(end + 2)
        if end == at:
            if code[at : at + 1] in ("!", "@", "&", "0", "$", "/", "\\", ",", ";", "~", "?", "*"):
                end = at + 1
            else:
                return False
            if code[self.at] == "@":
                return False
        self._add("name", code[self.at : end], spaced)
        self.at = end
        return True

    def _hash(self, spaced: bool) -> bool:
        if not self._after_word():
            return False
        end = self._word_end(self.at + 1)
        if end == self.at + 1:
            return False
        self._add("name", self.code[self.at : end], spaced)
        self.at = end
        return True

    def _symbol(self, spaced: bool) -> bool:
        """Ruby's and Elixir's `:name`; not `::` and not the second half of `a ? b : c`."""
        code = self.code
        before = code[self.at - 1] if self.at else " "
        end = self._word_end(self.at + 1)
        if before == ":" or code[self.at + 1 : self.at + 2] == ":" or end == self.at + 1:
            return False
        if before.isalnum() or before in ")]}\"'":
            return False
        text = code[self.at + 1 : end]
        self._add("name" if "atoms" in self.language.features else "string", ":" + text, spaced)
        if "atoms" not in self.language.features:
            self.tokens[-1].parts = [text]
        self.at = end
        return True

    # --- strings ---------------------------------------------------------------------------------

    def _quoted(self, sign: str, mode: str, spaced: bool) -> None:
        code = self.code
        if "triples" in self.language.features and code.startswith(sign * 3, self.at):
            end = code.find(sign * 3, self.at + 3)
            if end < 0:
                raise Unterminated
            body = code[self.at + 3 : end]
            self._add("string", body, spaced, self.parts(body, mode))
            self.at = end + 3
            return
        end = self._closing(self.at + 1, sign, "", escapes=mode != "raw")
        body = code[self.at + 1 : end]
        kind = "shell" if mode == "shell" else "string"
        parts = self.parts(body, "full" if mode == "shell" else mode)
        self._add(kind, body, spaced, parts)
        self.at = end + 1

    def _closing(self, at: int, close: str, opening: str, *, escapes: bool = True) -> int:
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
        close = _CLOSING[bracket]
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
        """A string's content: known texts, and code as lists."""
        if mode == "raw":
            return [body]
        out: list[Any] = []
        run: list[str] = []
        at = 0
        size = len(body)
        holes = self.language.holes if mode == "full" else ""
        while at < size:
            sign = body[at]
            if sign == "\\" and at + 1 < size:
                at = self._escape(body, at + 1, mode, run)
                continue
            found = _hole(body, at, holes, self.effort) if holes and sign in "$#@{" else None
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

    @staticmethod
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
                self._add("regex", body, spaced)
                self.at = self._word_end(at + 1)
                return
            at += 1
        self.no_regex = at
        self._sign("/", spaced)

    def _delimited(self, at: int) -> tuple[str, int]:
        """The text between a delimiter at `at` and its partner, and where that ends."""
        opening = self.code[at]
        close = _CLOSING.get(opening, opening)
        end = self._closing(at + 1, close, opening if close != opening else "")
        return self.code[at + 1 : end], end + 1

    def _percent(self, spaced: bool) -> bool:
        """Ruby's `%w[…]`, `%q(…)`, `%x{…}`, `%(…)`."""
        code = self.code
        kind = code[self.at + 1 : self.at + 2]
        at = self.at + 1
        if kind.isalpha() and kind in "wWiIqQxrs":
            at += 1
        elif kind not in ("(", "{", "[", "<", "|", "!"):
            return False
        if not self._operand_expected() and not (spaced and self.tokens[-1].kind == "name"):
            return False
        delimiter = code[at : at + 1]
        if not delimiter or delimiter.isalnum() or delimiter.isspace():
            return False
        body, end = self._delimited(at)
        if kind in ("w", "W", "i", "I"):
            self._add("words", body, spaced)
        elif kind == "r":
            self._add("regex", body, spaced)
        else:
            parts = self.parts(body, "plain" if kind in ("q", "s") else "full")
            self._add("shell" if kind == "x" else "string", body, spaced, parts)
        self.at = end
        return True

    def _tilde(self, spaced: bool) -> bool:
        """Elixir's `~w(…)`, `~s(…)`."""
        code = self.code
        kind = code[self.at + 1 : self.at + 2]
        delimiter = code[self.at + 2 : self.at + 3]
        if not kind.isalpha() or not delimiter or delimiter not in "([{</|\"'":
            return False
        body, self.at = self._delimited(self.at + 2)
        self.at = self._word_end(self.at)
        if kind in "wW":
            self._add("words", body, spaced)
        elif kind in "rR":
            self._add("regex", body, spaced)
        else:
            self._add("string", body, spaced, self.parts(body, "full" if kind == "s" else "raw"))
        return True

    def _quoting(self, word: str, at: int, spaced: bool) -> bool:
        """Perl's `q{…}`, `qq(…)`, `qw(…)`, `qx'…'`, `m/…/`, `s/…/…/`, `tr/…/…/`."""
        code = self.code
        start = at
        while code[at : at + 1] in (" ", "\t"):
            at += 1
        delimiter = code[at : at + 1]
        if not delimiter or delimiter.isalnum() or delimiter in "_,;)" or delimiter.isspace():
            return False
        if code.startswith("=>", at) or (delimiter == "=" and word in ("s", "y", "m", "q")):
            return False
        last = self.tokens[-1] if self.tokens else None
        if last is not None and last.text in ("->", "sub", "{") and delimiter in "}(":
            return False
        if delimiter == "#" and at > start:
            return False
        body, end = self._delimited(at)
        if word in ("s", "tr", "y"):
            if delimiter in _CLOSING:
                while code[end : end + 1].isspace():
                    end += 1
                second, end = self._delimited(end)
            else:
                closing = self._closing(end, delimiter, "")
                second, end = code[end:closing], closing + 1
            flags_end = self._word_end(end)
            if word == "s" and "e" in code[end:flags_end]:
                # The replacement is code.
                self._add("string", "", spaced, [[second]])
            else:
                self._add("regex", body, spaced)
            self.at = flags_end
            return True
        if word == "qw":
            self._add("words", body, spaced)
        elif word in ("m", "qr"):
            self._add("regex", body, spaced)
            end = self._word_end(end)
        else:
            full = word in ("qq", "qx") and delimiter != "'"
            parts = self.parts(body, "full" if full else "plain")
            self._add("shell" if word == "qx" else "string", body, spaced, parts)
        self.at = end
        return True

    def _angle(self) -> bool:
        """Perl's `<*.c>` (a pattern) and `<STDIN>`."""
        end = self.code.find(">", self.at, self.at + 256)
        body = self.code[self.at + 1 : end]
        if end < 0 or "\n" in body or "=" in body or " " in body:
            return False
        token = self._add("string", body, True, self.parts(body, "full"))
        pattern = any(sign in body for sign in "*?[~/")
        token.kind = "glob" if pattern else "regex"
        self.at = end + 1
        return True

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
        end = code.find(close, at + 1)
        return None if end < 0 else (end, end + len(close))

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
        end = self._word_end(at)
        word = code[at:end]
        if not word or word[0].isdigit() or (quote and code[end : end + 1] != quote):
            return False
        token = self._add("string", word, spaced, [])
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
    close = _CLOSING[opening]
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
