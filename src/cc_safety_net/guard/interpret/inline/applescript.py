"""AppleScript: shell commands, what Finder deletes, and the end of the machine's work."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.lexer import Token, Unterminated, tokenise
from cc_safety_net.guard.interpret.inline.values import (
    Scope,
    Value,
    added,
    text,
    texts,
    unknown,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.facts import Glob, Unknown

_POWER = {"shut": "-h", "restart": "-r"}
_FILLING = frozenset(("quoted", "form", "of", "posix", "path", "file", "the", "("))
_FOLDERS = {"desktop": "Desktop", "documents": "Documents", "downloads": "Downloads"}


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do; other languages of `osascript` (`-l JavaScript`) too."""
    if any(each.text == "JavaScript" for each in host.arguments):
        host.code(known(code), "JavaScript", "javascript")
        return
    try:
        tokens = tokenise(code, LANGUAGE, host.effort)
    except Unterminated:
        host.opaque(Word(host.pieces(code)))
        return
    _Run(tokens, host).run()


class _Run:
    def __init__(self, tokens: list[Token], host: CodeHost) -> None:
        self.tokens = tokens
        self.host = host
        self.scope = Scope()

    def words(self, at: int, *names: str) -> bool:
        """These words stand at `at`."""
        found = self.tokens[at : at + len(names)]
        return [token.text.lower() for token in found] == list(names)

    def run(self) -> None:
        tokens = self.tokens
        for at, token in enumerate(tokens):
            self.host.effort.spend(2, "AppleScript code")
            if token.kind != "name":
                continue
            name = token.text.lower()
            if name == "do" and self.words(at, "do", "shell", "script"):
                self.host.shell(word(self.value(at + 3)), "do shell script")
            elif name == "do" and self.words(at, "do", "script"):
                self.host.shell(word(self.value(at + 2)), "do script")
            elif name == "set" and self.words(at + 2, "to"):
                self.scope.own[tokens[at + 1].text] = self.value(at + 3)
            elif name in ("delete", "move"):
                self.delete(at)
            elif self.words(at, "shut", "down") or (name == "restart" and self.is_command(at)):
                self.host.run([known("shutdown"), known(_POWER[name]), known("now")], "tell")
            elif self.words(at, "empty", "trash") or self.words(at, "empty", "the", "trash"):
                trash = known(f"{self.host.home}/.Trash")
                self.host.touch(trash, "delete", "Finder empty trash", recursive=True)

    def is_command(self, at: int) -> bool:
        before = self.tokens[at - 1] if at else None
        return (
            before is None
            or before.kind == "line"
            or before.text.lower() in ("to", '"')
            or (before.kind == "string")
        )

    def delete(self, at: int) -> None:
        """`delete POSIX file "…"`, `delete folder "x" of home`, `delete every item of …`."""
        path: Value | None = None
        everything = False
        end = at + 1
        while end < len(self.tokens) and self.tokens[end].kind != "line":
            token = self.tokens[end]
            if token.kind == "string" and path is None:
                path = self.value(end)
            elif token.text.lower() in ("every", "items"):
                everything = True
            elif token.text.lower() == "home":
                home = text(self.host.home)
                path = home if path is None else added(added(home, text("/")), path)
            elif token.text.lower() in _FOLDERS and path is None:
                path = text(f"{self.host.home}/{_FOLDERS[token.text.lower()]}")
            elif token.kind == "name" and path is None:
                path = self.scope.look(token.text)
            elif token.text.lower() == "to":
                break
            end += 1
        if path is None:
            return
        place = texts(tuple((_as_posix(c[0]), *c[1:]) if c else c for c in word(path).choices))
        if everything:
            place = added(place, text("/"))
        self.host.touch(word(place), "delete", "Finder delete", recursive=True)

    def value(self, at: int) -> Value:
        """Texts joined by `&`, with `quoted form of` and variables."""
        found: Value | None = None
        while at < len(self.tokens):
            token = self.tokens[at]
            part: Value | None = None
            if token.kind == "string":
                part = texts(
                    self.host.pieces("".join(p for p in token.parts if isinstance(p, str)))
                )
            elif (
                token.text.lower() in ("quoted", "form", "of", "posix", "path", "file", "the")
                or token.text == "("
            ):
                at += 1
                continue
            elif token.kind == "name":
                part = self.scope.look(token.text) or unknown(token.text, "variable")
                if token.text.lower() == "return":
                    part = text("\n")
            if part is None:
                break
            found = part if found is None else added(found, part)
            at += 1
            while at < len(self.tokens) and self.tokens[at].text == ")":
                at += 1
            if at >= len(self.tokens) or self.tokens[at].text != "&":
                break
            at += 1
        return found if found is not None else unknown("text")


def _as_posix(piece: str | Unknown | Glob) -> str | Unknown | Glob:
    """`Macintosh HD:Users:dev` is `/Users/dev`."""
    if not isinstance(piece, str) or ":" not in piece or piece.startswith("/"):
        return piece
    return "/" + piece.partition(":")[2].replace(":", "/")


LANGUAGE = Language(
    "AppleScript",
    quotes={'"': "escaped"},
    comments=("--", "#"),
    blocks=(("(*", "*)"),),
    effects={},
    features=frozenset(("lines",)),
)
