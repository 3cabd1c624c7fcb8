"""Tcl and expect: commands of words, as a shell has them."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.values import (
    Scope,
    Value,
    choices_of,
    listed,
    matching,
    text,
    texts,
    unknown,
    word,
)
from cc_safety_net.guard.interpret.values import concat
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action
    from cc_safety_net.guard.interpret.values import Choices

#: `file` sub-command -> what it does to its operands.
_FILE: dict[str, Action] = {
    "delete": ("delete-trees",),
    "rename": ("move", 0, 1),
    "copy": ("copy", 0, 1),
    "attributes": ("permissions", 0),
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
#: Words of commands whose braces hold code.
_BODIES = frozenset(
    ("if", "while", "for", "foreach", "catch", "try", "eval", "expect", "switch", "else", "elseif",
     "then", "uplevel", "namespace", "time", "expect_after", "expect_before", "after", "finally",
     "on", "interact")
)  # fmt: skip


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    _Run(host).script(code)


class _Run:
    def __init__(self, host: CodeHost) -> None:
        self.host = host
        self.scope = Scope()
        self.procedures: dict[str, tuple[list[str], str]] = {}
        self.active: list[str] = []
        self.sourced: list[str] = []

    def script(self, code: str) -> Value:
        """Run the commands of a text; the value of the last one."""
        self.host.enter("Tcl code")
        self.host.effort.spend(1 + len(code) // 2, "Tcl code")
        last = text("")
        at = 0
        while at < len(code):
            words, at = self.command(code, at)
            if words:
                last = self.run(words)
        self.host.leave()
        return last

    # --- words -----------------------------------------------------------------------------------

    def command(self, code: str, at: int) -> tuple[list[tuple[str, Value]], int]:
        """(words as (how they are quoted, value), where the next command begins)."""
        words: list[tuple[str, Value]] = []
        size = len(code)
        while at < size:
            sign = code[at]
            if sign in " \t\r":
                at += 1
            elif sign == "\\" and code[at + 1 : at + 2] == "\n":
                at += 2
            elif sign in "\n;":
                return words, at + 1
            elif sign == "#" and not words:
                end = code.find("\n", at)
                return words, size if end < 0 else end + 1
            elif sign == "{":
                end = self.closing(code, at)
                body = code[at + 1 : end]
                at = end + 1
                expanding = body == "*" and at < size and code[at] not in " \t\n;"
                if not expanding:
                    words.append(("{", texts(self.host.pieces(body))))
            elif sign == '"':
                value, at = self.text(code, at + 1, '"')
                words.append(('"', value))
            else:
                value, at = self.text(code, at, "")
                words.append(("", value))
        return words, size

    def text(self, code: str, at: int, close: str) -> tuple[Value, int]:
        """A word with its substitutions, up to `close` or a blank."""
        whole: Choices = ((),)
        run: list[str] = []
        size = len(code)
        while at < size:
            sign = code[at]
            if (close and sign == close) or (not close and sign in " \t\n\r;"):
                break
            if sign == "\\" and at + 1 < size:
                run.append(_ESCAPES.get(code[at + 1], code[at + 1]))
                at += 2
            elif sign == "[":
                end = self.closing(code, at)
                whole = concat(whole, self.host.pieces("".join(run)))
                run = []
                whole = concat(whole, choices_of(self.flat(self.script(code[at + 1 : end]))))
                at = end + 1
            elif sign == "$":
                name, end = _variable(code, at + 1)
                if not name:
                    run.append(sign)
                    at += 1
                    continue
                whole = concat(whole, self.host.pieces("".join(run)))
                run = []
                whole = concat(whole, choices_of(self.flat(self.variable(name))))
                at = end
            else:
                run.append(sign)
                at += 1
        whole = concat(whole, self.host.pieces("".join(run)))
        return texts(whole), at + 1 if close else at

    def closing(self, code: str, at: int) -> int:
        end = _closing(code, at)
        self.host.effort.spend(1 + end - at, "brackets of Tcl code")
        return end

    def variable(self, name: str) -> Value:
        if name.startswith(("env(", "::env(")):
            key = name.partition("(")[2].rstrip(")")
            found = self.host.variable(key)
            return texts(found.choices) if found is not None else unknown(key, "environment")
        if name == "argv":
            return listed([texts(each.choices) for each in self.host.argv()])
        return self.scope.look(name) or unknown(name, "variable")

    @staticmethod
    def flat(value: Value) -> Value:
        if value.kind != "list":
            return value
        from cc_safety_net.guard.interpret.inline import strings

        return strings.joined(value, ((" ",),))

    # --- commands --------------------------------------------------------------------------------

    def run(self, words: list[tuple[str, Value]]) -> Value:
        self.host.effort.spend(4, "Tcl code")
        name = (words[0][1].text or "").removeprefix("::")
        rest = [value for _, value in words[1:]]
        first = rest[0] if rest else text("")
        known = first.text or ""
        if name == "set" and rest:
            if len(rest) > 1:
                self.scope.own[known] = rest[1]
            return self.variable(known)
        if name == "proc" and len(rest) > 2:
            self.procedures[known] = ((rest[1].text or "").split(), rest[2].text or "")
            return text("")
        if name in self.procedures:
            return self.call(name, rest)
        if name in ("exec", "spawn", "open", "system", "send", "send_user", "exp_send"):
            return self.start(name, rest)
        if name == "file" and rest:
            return self.file(known, rest[1:])
        if name in ("cd", "info", "source", "glob", "list", "concat", "join", "pwd"):
            return self.plain(name, rest)
        if name in _BODIES:
            self.bodies(name, words)
        return unknown(name)

    def start(self, name: str, rest: list[Value]) -> Value:
        while rest and (rest[0].text or "").startswith("-") and name != "open":
            option = rest[0].text
            rest = rest[1:]
            if option == "--":
                break
        if not rest:
            return unknown(name)
        known = rest[0].text
        if name in ("send", "send_user", "exp_send"):
            # What is typed into a program that was started: a shell would run it.
            if name != "send_user" and known is not None and known.strip():
                self.host.shell(word(text(known.replace("\r", "\n"))), name)
        elif name == "system":
            self.host.shell(word(self.flat(listed(rest))), name)
        elif name == "open":
            self.open(known, rest)
        else:
            words: list[Value] = []
            for each in rest:
                sign = each.text
                if sign in ("|", "&", "|&"):
                    perform(self.host, ("argv",), Call(name, words))
                    words = []
                else:
                    words.append(each)
            if words:
                perform(self.host, ("argv",), Call(name, words))
        return unknown(name)

    def open(self, known: str | None, rest: list[Value]) -> None:
        if known is not None and known.startswith("|"):
            self.host.shell(word(text(known[1:])), "open")
            return
        mode = rest[1].text if len(rest) > 1 else "r"
        kind = "write" if (mode or "?")[0] == "w" else "create" if mode != "r" else "read"
        perform(self.host, (kind, 0), Call("open", rest[:1]))

    def file(self, name: str, rest: list[Value]) -> Value:
        rest = [each for each in rest if not (each.text or "").startswith("-")]
        action = _FILE.get(name)
        if action is not None:
            perform(self.host, action, Call(f"file {name}", rest))
        elif name in ("dirname", "tail") and rest:
            from cc_safety_net.guard.interpret.inline import path_values

            cut = path_values.parent_of if name == "dirname" else path_values.name_of
            return texts(cut(rest[0]))
        elif name == "join":
            from cc_safety_net.guard.interpret.inline.path_values import joined

            return texts(joined(rest))
        elif name in ("normalize", "nativename") and rest:
            from cc_safety_net.guard.interpret.inline.path_values import expanded

            return texts(expanded(choices_of(rest[0]), self.host))
        return unknown(f"file {name}")

    def plain(self, name: str, rest: list[Value]) -> Value:
        if name == "cd":
            self.host.chdir(word(rest[0]) if rest else word(text(self.host.home)))
        elif name == "source" and rest:
            perform(self.host, ("read", 0), Call(name, rest))
            self.source(rest[-1])
        elif name == "glob":
            rest = [each for each in rest if not (each.text or "").startswith("-")]
            return listed([item for each in rest for item in matching(each).items])
        elif name == "info" and rest and rest[0].text == "script":
            return text(self.host.script) if self.host.script else unknown("info script")
        elif name == "pwd":
            from cc_safety_net.guard.interpret.inline.path_values import here

            return texts(here(self.host))
        elif name in ("list", "concat", "join"):
            return listed(rest) if name == "list" else self.flat(listed(rest))
        return unknown(name)

    def source(self, file: Value) -> None:
        """`source file`: a file of the program runs in the same names."""
        for wanted in word(file).texts or ():
            path = self.host.first_file(join(cwd, wanted) for cwd in self.host.cwds if cwd)
            if path and path not in self.sourced:
                self.sourced.append(path)
                self.host.take_in(path, f"source {wanted}", self.script)

    def bodies(self, name: str, words: list[tuple[str, Value]]) -> None:
        """Every word in braces may be code, but the condition and the list."""
        if name == "foreach" and len(words) > 3:
            from cc_safety_net.guard.interpret.inline.values import one_of

            known = words[2][1].text
            items = [text(part) for part in known.split()] if known is not None else [words[2][1]]
            self.scope.own[words[1][1].text or ""] = one_of(items)
            words = words[3:]
        elif name in ("if", "while", "elseif", "switch"):
            words = words[2:]
        for quoted, value in words:
            if value.text is not None and (quoted or name in ("eval", "uplevel", "catch")):
                if name in ("expect", "interact", "switch"):
                    self.patterns(value.text)
                else:
                    self.script(value.text)

    def patterns(self, code: str) -> None:
        """`expect { "pattern" { actions } … }`."""
        at = 0
        while at < len(code):
            words, at = self.command(code, at)
            for quoted, value in words:
                if quoted == "{" and value.text is not None:
                    self.script(value.text)

    def call(self, name: str, rest: list[Value]) -> Value:
        if name in self.active or len(self.active) > 15:
            return unknown(name)
        parameters, body = self.procedures[name]
        saved, self.scope = self.scope, Scope(self.scope)
        for index, parameter in enumerate(parameters):
            given = rest[index] if index < len(rest) else unknown(parameter, "argument")
            self.scope.own[parameter] = given
        self.active.append(name)
        value = self.script(body)
        self.active.pop()
        self.scope = saved
        return value


def _closing(code: str, at: int) -> int:
    """Where the bracket at `at` is closed; the end of the text if it is not."""
    opening = code[at]
    close = "}" if opening == "{" else "]"
    depth = 0
    while at < len(code):
        sign = code[at]
        if sign == "\\":
            at += 2
            continue
        if sign == opening:
            depth += 1
        elif sign == close:
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return len(code)


def _variable(code: str, at: int) -> tuple[str, int]:
    if code[at : at + 1] == "{":
        end = code.find("}", at)
        return (code[at + 1 : end], end + 1) if end > 0 else ("", at)
    end = at
    while end < len(code) and (code[end].isalnum() or code[end] in "_:"):
        end += 1
    if end > at and code[end : end + 1] == "(":
        close = code.find(")", end)
        if close > 0:
            return code[at : close + 1], close + 1
    return code[at:end], end
