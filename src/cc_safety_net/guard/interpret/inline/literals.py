"""Literals that only some languages have: Perl's and Ruby's quoting, sigils, symbols, patterns."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.interpolation import CLOSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.inline.lexer import Lexer

_QUOTING_WORDS = frozenset(("q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y"))


def hash_name(lexer: Lexer, spaced: bool) -> bool:
    """Perl's `%name`, where an operand may come."""
    if not lexer.after_word():
        return False
    end = lexer.word_end(lexer.at + 1)
    if end == lexer.at + 1:
        return False
    lexer.add("name", lexer.code[lexer.at : end], spaced)
    lexer.at = end
    return True


def symbol(lexer: Lexer, spaced: bool) -> bool:
    """Ruby's and Elixir's `:name`; not `::` and not the second half of `a ? b : c`."""
    code = lexer.code
    before = code[lexer.at - 1] if lexer.at else " "
    end = lexer.word_end(lexer.at + 1)
    if before == ":" or code[lexer.at + 1 : lexer.at + 2] == ":" or end == lexer.at + 1:
        return False
    if before.isalnum() or before in ")]}\"'":
        return False
    text = code[lexer.at + 1 : end]
    lexer.add("name" if "atoms" in lexer.language.features else "string", ":" + text, spaced)
    if "atoms" not in lexer.language.features:
        lexer.tokens[-1].parts = [text]
    lexer.at = end
    return True


def percent(lexer: Lexer, spaced: bool) -> bool:
    """Ruby's `%w[…]`, `%q(…)`, `%x{…}`, `%(…)`."""
    code = lexer.code
    kind = code[lexer.at + 1 : lexer.at + 2]
    at = lexer.at + 1
    if kind.isalpha() and kind in "wWiIqQxrs":
        at += 1
    elif kind not in ("(", "{", "[", "<", "|", "!"):
        return False
    if not lexer.operand_expected() and not (spaced and lexer.tokens[-1].kind == "name"):
        return False
    delimiter = code[at : at + 1]
    if not delimiter or delimiter.isalnum() or delimiter.isspace():
        return False
    body, end = lexer.delimited(at)
    if kind in ("w", "W", "i", "I"):
        lexer.add("words", body, spaced)
    elif kind == "r":
        lexer.add("regex", body, spaced)
    else:
        parts = lexer.parts(body, "plain" if kind in ("q", "s") else "full")
        lexer.add("shell" if kind == "x" else "string", body, spaced, parts)
    lexer.at = end
    return True


def tilde(lexer: Lexer, spaced: bool) -> bool:
    """Elixir's `~w(…)`, `~s(…)`."""
    code = lexer.code
    kind = code[lexer.at + 1 : lexer.at + 2]
    delimiter = code[lexer.at + 2 : lexer.at + 3]
    if not kind.isalpha() or not delimiter or delimiter not in "([{</|\"'":
        return False
    body, lexer.at = lexer.delimited(lexer.at + 2)
    lexer.at = lexer.word_end(lexer.at)
    if kind in "wW":
        lexer.add("words", body, spaced)
    elif kind in "rR":
        lexer.add("regex", body, spaced)
    else:
        lexer.add("string", body, spaced, lexer.parts(body, "full" if kind == "s" else "raw"))
    return True


def quoting(lexer: Lexer, word: str, at: int, spaced: bool) -> bool:
    """Perl's `q{…}`, `qq(…)`, `qw(…)`, `qx'…'`, `m/…/`, `s/…/…/`, `tr/…/…/`."""
    if word not in _QUOTING_WORDS:
        return False
    code = lexer.code
    start = at
    while code[at : at + 1] in (" ", "\t"):
        at += 1
    delimiter = code[at : at + 1]
    if not delimiter or delimiter.isalnum() or delimiter in "_,;)" or delimiter.isspace():
        return False
    if code.startswith("=>", at) or (delimiter == "=" and word in ("s", "y", "m", "q")):
        return False
    last = lexer.tokens[-1] if lexer.tokens else None
    if last is not None and last.text in ("->", "sub", "{") and delimiter in "}(":
        return False
    if delimiter == "#" and at > start:
        return False
    body, end = lexer.delimited(at)
    if word in ("s", "tr", "y"):
        if delimiter in CLOSING:
            while code[end : end + 1].isspace():
                end += 1
            second, end = lexer.delimited(end)
        else:
            closing = lexer.closing(end, delimiter, "")
            second, end = code[end:closing], closing + 1
        flags_end = lexer.word_end(end)
        if word == "s" and "e" in code[end:flags_end]:
            # The replacement is code.
            lexer.add("string", "", spaced, [[second]])
        else:
            lexer.add("regex", body, spaced)
        lexer.at = flags_end
        return True
    if word == "qw":
        lexer.add("words", body, spaced)
    elif word in ("m", "qr"):
        lexer.add("regex", body, spaced)
        end = lexer.word_end(end)
    else:
        full = word in ("qq", "qx") and delimiter != "'"
        parts = lexer.parts(body, "full" if full else "plain")
        lexer.add("shell" if word == "qx" else "string", body, spaced, parts)
    lexer.at = end
    return True


def angle(lexer: Lexer) -> bool:
    """Perl's `<*.c>` (a pattern) and `<STDIN>`."""
    if not lexer.after_word():
        return False
    end = lexer.code.find(">", lexer.at, lexer.at + 256)
    body = lexer.code[lexer.at + 1 : end]
    if end < 0 or "\n" in body or "=" in body or " " in body:
        return False
    token = lexer.add("string", body, True, lexer.parts(body, "full"))
    pattern = any(sign in body for sign in "*?[~/")
    token.kind = "glob" if pattern else "regex"
    lexer.at = end + 1
    return True


def sigil(lexer: Lexer, spaced: bool) -> bool:
    """`$name`, `@list`, `@@x`, `$_`, `$0`, `$$`, `${name}`."""
    code = lexer.code
    at = lexer.at + 1
    if code[at : at + 1] == "@":
        at += 1
    if code[at : at + 1] == "{":
        close = code.find("}", at)
        inner = code[at + 1 : close].strip()
        if close > 0 and inner.replace("_", "a").isalnum():
            lexer.add("name", code[lexer.at] + inner, spaced)
            lexer.at = close + 1
            return True
        return False
    end = lexer.word_end(at)
    while code.startswith("::", end) and lexer.word_end(end + 2) > end + 2:
        end = lexer.word_end(end + 2)
    if end == at:
        if code[at : at + 1] in ("!", "@", "&", "0", "$", "/", "\\", ",", ";", "~", "?", "*"):
            end = at + 1
        else:
            return False
        if code[lexer.at] == "@":
            return False
    lexer.add("name", code[lexer.at : end], spaced)
    lexer.at = end
    return True
