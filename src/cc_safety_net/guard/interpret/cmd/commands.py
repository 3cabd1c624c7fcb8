"""Commands of cmd.exe: what is built in, and programs with their words.

Longer than a module should be: one small function for each built-in command, and their table.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret import commands, contents, programs
from cc_safety_net.guard.interpret.accesses import touch
from cc_safety_net.guard.interpret.cmd.words import cut
from cc_safety_net.guard.interpret.commands import Job
from cc_safety_net.guard.interpret.facts import (
    FileAccess,
    Glob,
    Redirection,
    Unknown,
    Word,
    known,
    literal,
)
from cc_safety_net.guard.interpret.machine import Input
from cc_safety_net.guard.interpret.powershell.values import Value
from cc_safety_net.guard.interpret.powershell.variables import (
    environment_value,
    set_environment,
)
from cc_safety_net.guard.interpret.state import CWDS, STACK, State, settle
from cc_safety_net.guard.interpret.values import EMPTY, concat, merge, size, text_choice, unite
from cc_safety_net.guard.interpret.windows_paths import posix_pieces, reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.cmd import nodes

#: Commands of cmd itself -> the method that runs each.
BUILT_IN = {
    "del": "_del", "erase": "_del", "rd": "_rd", "rmdir": "_rd", "move": "_move",
    "copy": "_copy", "ren": "_move", "rename": "_move", "type": "_type", "echo": "_echo",
    "cd": "_cd", "chdir": "_cd", "pushd": "_cd", "popd": "_popd", "set": "_set",
    "call": "_call", "start": "_start", "dir": "_look", "md": "_look", "mkdir": "_look",
    "mklink": "_mklink", "rem": "_quiet", "break": "_quiet", "cls": "_quiet", "ver": "_quiet",
    "exit": "_quiet", "goto": "_quiet", "pause": "_quiet", "title": "_quiet", "color": "_quiet",
    "path": "_quiet", "prompt": "_quiet", "setlocal": "_quiet", "endlocal": "_quiet",
    "shift": "_quiet", "verify": "_quiet", "vol": "_quiet", "assoc": "_quiet",
    "ftype": "_quiet", "date": "_quiet", "time": "_quiet",
}  # fmt: skip
#: Their line is one text.
_UNCUT = frozenset(("echo", "set", "title", "rem", "prompt"))
#: What may follow the name of such a command without a blank.
_AFTER_NAME = frozenset("/.\\:,;=+([")
_NULL = frozenset(("nul", "/dev/null", "nul:"))
_LINES = 16
#: cmd keeps no longer values.
_VALUE_CHARACTERS = 8_191
#: Programs that copy, with the switches that make them delete.
_COPIERS = frozenset(("xcopy", "robocopy"))


class Commands:
    """What runs one command."""

    def __init__(self, m: Machine, state: State) -> None:
        self.m = m
        self.state = state

    # --- text ------------------------------------------------------------------------------------

    def expand(self, line: nodes.Line) -> Choices:
        """The line with its variables."""
        out: Choices = EMPTY
        for part in line:
            if isinstance(part, str):
                out = concat(out, self._holes(part))
            else:
                out = concat(out, self._value(part))
        return out

    def _holes(self, text: str) -> Choices:
        m = self.m
        if not m.holes or text.isascii():
            return text_choice(text)
        return (merge(m.piece(character) or character for character in text),)

    def _value(self, part: nodes.Variable) -> Choices:
        if part.kind == "argument":
            if part.name == "0":
                return ((Unknown("argument", "0", may_be_empty=False),),)
            return ((Unknown("argument", part.name),),)
        if part.kind == "for":
            found = self.state.look("($%" + part.name.lower())
            if found is None:
                return text_choice(f"%{part.name}")
            values = [v.joined() for v in found if isinstance(v, Value)]
            return unite([choice for choices in values for choice in choices]) if values else EMPTY
        if part.name.lower() in ("cd", "__cd__"):
            return tuple(
                (Unknown("variable", "cd", may_be_empty=False),) if cwd is None else (cwd,)
                for cwd in self.state.cwds
            )
        value = environment_value(self.m, self.state, part.name).joined()
        if part.modifier:
            return ((Unknown("variable", part.name),),) if value != EMPTY else value
        return value

    # --- one command -----------------------------------------------------------------------------

    def command(self, node: nodes.Command) -> None:
        if not node.line and not node.redirects:
            return
        m = self.m
        m.effort.spend(8, "a command")
        lines = self.expand(node.line)
        if len(lines) == 1:
            self._line(node, lines[0])
            return
        base, certain = self.state, m.certain
        m.certain = False
        ends = []
        for line in lines[:_LINES]:
            self.state = State(base)
            self._line(node, line)
            ends.append(self.state)
        self.state, m.certain = base, certain
        settle(base, ends)

    def _line(self, node: nodes.Command, line: Pieces) -> None:
        first = line[0] if line and isinstance(line[0], str) else ""
        lead = first.lstrip(" \t,;=")
        name = _name(lead)
        redirects = self._redirections(node)
        if not lead and not line:
            self._only_redirects(node, redirects)
            return
        if lead[1:3] == ":" and lead[0].isalpha() and not line[1:]:
            self.state.put(CWDS, (f"/{lead[0].upper()}:",))  # another drive
            return
        if lead[1:2] == ":" and lead[0].isalpha() and not lead[2:].strip() and not line[1:]:
            self.state.put(CWDS, (f"/{lead[0].upper()}:",))
            return
        method = BUILT_IN.get(name, "")
        if method:
            rest: Pieces = merge((lead[len(name) :], *line[1:]))
            words = [_stripped(rest)] if name in _UNCUT else cut(rest)
            self.m.count_words(1 + len(words))
            self._built_in(node, name, method, rest, words, redirects)
            return
        words = cut(line, frozenset(" \t"), backslashes=True)
        self.m.count_words(len(words))
        if words:
            self.program(words, node, redirects)

    def _built_in(
        self,
        node: nodes.Command,
        name: str,
        method: str,
        rest: Pieces,
        words: list[Pieces],
        redirects: list[Redirection],
    ) -> None:
        m = self.m
        execution = self._execution([(name,), *words], node, redirects)
        saved = (m.output, m.captured)
        into = [r for r in redirects if r.op in (">", ">>") and r.fd in (1, None)]
        if into:
            m.output, m.captured = EMPTY, True
            execution.captured = True
        self._redirected(execution, redirects)
        getattr(self, method)(execution, rest, words)
        output = m.output
        m.captured = saved[1]
        if into:
            m.output = saved[0]
        for redirect in into:
            self._write(execution, redirect, output)

    def _execution(
        self, words: Sequence[Pieces], node: nodes.Node, redirects: Sequence[Redirection]
    ) -> Execution:
        m = self.m
        start, end = m.span or (node.start, node.end)
        argv = [Word((word,), start, end) for word in words]
        job = Job(argv, start, end, redirects=redirects, functions=False)
        execution = commands.execution_of(m, self.state, job)
        m.reading.executions.append(execution)
        return execution

    def program(
        self, words: Sequence[Pieces], node: nodes.Node, redirects: Sequence[Redirection] = ()
    ) -> None:
        """A program of the machine, or a batch file."""
        m = self.m
        text = literal(words[0])
        saved = (m.input, m.feeds, m.output, m.captured)
        into = [r for r in redirects if r.op in (">", ">>") and r.fd in (1, None)]
        rest = [r for r in redirects if r not in into]
        if into:
            m.output, m.captured = EMPTY, True
        execution = self._execution(_for_git(words), node, rest)
        for redirect in rest:
            if redirect.op == "<":
                found, origin = contents.contents_of(m, execution.cwds, redirect.target)
                m.input, m.feeds = Input(found, origin), tuple(origin)
        if text is not None and text.lower().endswith((".bat", ".cmd")):
            self._batch(execution, words)
        else:
            programs.finish(m, self.state, execution)
        _copied(m, execution, words)
        output = m.output
        m.input, m.feeds, m.output, m.captured = saved
        if saved[2] is not None and not into:
            m.output = output
        for redirect in into:
            self._write(execution, redirect, output)

    def _batch(self, execution: Execution, words: Sequence[Pieces]) -> None:
        from cc_safety_net.guard.interpret.texts import run_inner
        from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

        path = Word((posix_pieces(words[0]),), execution.start, execution.end)
        label = f"script {path.text or '?'}"
        inner = InnerFile(label, "cmd", path, positionals=execution.argv[1:])
        run_inner(self.m, self.state, execution, inner)

    # --- redirections ----------------------------------------------------------------------------

    def _redirections(self, node: nodes.Command) -> list[Redirection]:
        out = []
        for redirect in node.redirects:
            if redirect.op.endswith("&"):
                continue
            start, end = self.m.span or (redirect.start, redirect.end)
            choices = tuple(
                posix_pieces(words[0]) if (words := cut(choice)) else ()
                for choice in self.expand(redirect.target)
            )
            word = Word(choices, start, end)
            if (word.text or "").lower() not in _NULL and word.choices != ((),):
                out.append(Redirection(redirect.op, word, redirect.fd))
        return out

    def _only_redirects(self, node: nodes.Command, redirects: list[Redirection]) -> None:
        if not redirects:
            return
        execution = self._execution([(":",)], node, redirects)
        for redirect in redirects:
            if redirect.op in (">", ">>"):
                self._write(execution, redirect, EMPTY)

    def _redirected(self, execution: Execution, redirects: list[Redirection]) -> None:
        from cc_safety_net.guard.interpret.effects.engine import redirect_accesses

        rest = [r for r in redirects if r.op == "<" or r.fd not in (1, None)]
        self.m.reading.accesses.extend(redirect_accesses(rest, execution))

    def write_group(
        self, redirect: nodes.Redirect, output: Choices | None, node: nodes.Node
    ) -> None:
        """The output of a block goes into a file."""
        from cc_safety_net.guard.shell.cmd.nodes import Command

        command = Command((), (redirect,), node.start, node.end)
        found = self._redirections(command)
        execution = self._execution([(":",)], node, found)
        for each in found:
            self._write(execution, each, output)

    def _write(self, execution: Execution, redirect: Redirection, output: Choices | None) -> None:
        empty = output == EMPTY
        append = redirect.op == ">>"
        mode = "append" if append else "truncate" if empty else "write"
        content = None if output is None else Word(output)
        touch(self.m, execution, redirect.target, mode, via=redirect.op, content=content)
        choices = output
        if choices is None:
            choices = ((Unknown("command", execution.program, origin=(execution,)),),)
        contents.write(self.m, execution.cwds, redirect.target, choices, append=append)

    # --- what is built in ------------------------------------------------------------------------

    def _path(self, execution: Execution, word: Pieces, *, wild: bool = True) -> Word:
        pieces = posix_pieces(word, wild=wild, all_dots=True)
        return Word((pieces,), execution.start, execution.end)

    def _del(self, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
        switches, operands = _parted(words)
        recursive = "s" in switches
        for operand in operands:
            word = self._path(execution, operand)
            if self._is_directory(execution, word):
                word = Word((merge((*word.choices[0], "/", Glob("*"))),), word.start, word.end)
            touch(self.m, execution, word, "delete", recursive=recursive)

    def _is_directory(self, execution: Execution, word: Word) -> bool:
        text = word.text
        if text is None:
            return False
        if text.endswith("/") or (len(text) == 3 and text[2] == ":"):
            return True
        found = contents.paths_of(execution.cwds, word)
        return any(self.m.world.is_directory(path) for path in found or ())

    def _rd(self, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
        switches, operands = _parted(words)
        recursive = "s" in switches
        for operand in operands:
            word = self._path(execution, operand, wild=False)
            via = "" if recursive else "rmdir"
            touch(self.m, execution, word, "delete", recursive=recursive, via=via)

    def _move(self, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
        _, operands = _parted(words)
        if not operands:
            return
        place = self._path(execution, operands[-1] if len(operands) > 1 else (".",), wild=False)
        for operand in operands[:-1] if len(operands) > 1 else operands:
            source = self._path(execution, operand)
            target = place
            if execution.program in ("ren", "rename"):
                target = _beside(source, place)
            touch(self.m, execution, source, "move", recursive=True, destination=target)
            touch(self.m, execution, target, "write", source=source)

    def _copy(self, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
        _, operands = _parted([w for w in words if w != ("+",)])
        if not operands:
            return
        place = self._path(execution, operands[-1] if len(operands) > 1 else (".",), wild=False)
        for operand in operands[:-1] if len(operands) > 1 else operands:
            if (literal(operand) or "").lower() in _NULL:
                touch(self.m, execution, place, "truncate")
                continue
            source = self._path(execution, operand)
            if (place.text or "").lower() in ("con", "con:"):
                touch(self.m, execution, source, "read")
                continue
            touch(self.m, execution, source, "metadata", destination=place)
            touch(self.m, execution, place, "write", source=source)

    def _type(self, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
        _, operands = _parted(words)
        out: Choices = EMPTY
        for operand in operands:
            if (literal(operand) or "").lower() in _NULL:
                continue
            word = self._path(execution, operand)
            touch(self.m, execution, word, "read")
            found, _ = contents.contents_of(self.m, execution.cwds, word)
            out = concat(out, found or ((Unknown("command", "type", origin=(execution,)),),))
        self.m.emit(out)

    def _echo(self, execution: Execution, rest: Pieces, _words: list[Pieces]) -> None:
        text = literal(rest)
        if text is not None and text.strip().lower() in ("on", "off", ""):
            return
        for piece in rest:
            if isinstance(piece, Unknown) and piece.why == "environment" and not self.m.captured:
                from cc_safety_net.guard.shell.cmd.nodes import Node

                node = Node(execution.start, execution.end)
                self._execution([("printenv",), (piece.name,)], node, ())
        first = rest[0] if rest and isinstance(rest[0], str) else ""
        self.m.emit((merge((first[1:], *rest[1:], "\n")) if rest else ("\n",),))

    def _cd(self, execution: Execution, rest: Pieces, words: list[Pieces]) -> None:
        words = [w for w in words if not (literal(w) or "").lower().startswith("/d")]
        if execution.program == "pushd":
            stack = self.state.look(STACK)
            if words and stack is not None:
                self.state.put(STACK, (self.state.cwds, *stack))
        if not words:
            return
        # An unquoted path may hold blanks.
        line = merge(p for index, w in enumerate(words) for p in ((" ", *w) if index else w))
        del rest
        path = literal(posix_pieces(line))
        self.state.put(CWDS, reach(self.state.cwds, path))

    def _popd(self, _execution: Execution, _rest: Pieces, _words: list[Pieces]) -> None:
        stack = self.state.look(STACK)
        if stack:
            self.state.put(CWDS, stack[0])
            self.state.put(STACK, stack[1:])
        elif stack is None:
            self.state.put(CWDS, (None,))

    def _set(self, execution: Execution, rest: Pieces, _words: list[Pieces]) -> None:
        """`set NAME=value`, `set "NAME=value"`; without a sign it prints."""
        first = rest[0] if rest and isinstance(rest[0], str) else ""
        text = first.strip()
        node = _span(execution)
        if not text and not rest[1:]:
            self._execution([("printenv",)], node, ())
            return
        switch = text[:2].lower()
        if switch in ("/p", "/a"):
            text = text[2:].strip()
        text = text.strip('"')
        name, sign, value = text.partition("=")
        if not sign:
            if switch not in ("/p", "/a"):
                self._execution([("printenv",), (text,)], node, ())
            return
        found: Choices
        if switch in ("/p", "/a"):
            found = ((Unknown("input"),),)
        else:
            pieces = merge((value, *rest[1:]))
            found = (_without_last_quote(pieces),)
            if size(pieces) > _VALUE_CHARACTERS:
                found = ((Unknown("limit"),),)
        set_environment(self.m, self.state, name.strip(), Value((found,)))

    def _call(self, execution: Execution, rest: Pieces, words: list[Pieces]) -> None:
        """`call program …`, `call :label` (which is somewhere in the same file)."""
        first = literal(words[0]) if words else None
        if first is None and not words:
            return
        if (first or "").startswith(":"):
            return
        self._again(execution, rest, "call")

    def _again(self, execution: Execution, line: Pieces, label: str) -> None:
        """The rest of the line is a command of its own."""
        from cc_safety_net.guard.shell.cmd.nodes import Command

        m = self.m
        saved = (m.chain, m.span)
        m.chain = m.linked(label)
        m.span = (execution.start, execution.end)
        m.enter("a command inside a command")
        self._line(Command((), (), execution.start, execution.end), _stripped(line))
        m.depth -= 1
        m.chain, m.span = saved

    def _start(self, execution: Execution, rest: Pieces, _words: list[Pieces]) -> None:
        """`start "title" /wait /d dir program …`."""
        text = rest[0] if rest and isinstance(rest[0], str) else ""
        saved = self.state.cwds
        text = text.lstrip()
        if text.startswith('"') and '"' in text[1:]:
            close = text.find('"', 1)
            if text[close + 1 :].strip() or rest[1:]:
                text = text[close + 1 :].lstrip()
        while text.startswith("/"):
            switch, _, after = text.partition(" ")
            text = after.lstrip()
            if switch.lower() == "/d":
                folder, _, text = text.partition(" ")
                path = literal(posix_pieces((folder.strip('"'),)))
                if path is not None:
                    self.state.put(CWDS, reach(saved, path))
        self._again(execution, merge((text, *rest[1:])), "start")
        self.state.put(CWDS, saved)

    def _look(self, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
        _, operands = _parted(words)
        for operand in operands:
            touch(self.m, execution, self._path(execution, operand), "metadata")
        self.m.emit(((Unknown("command", execution.program, origin=(execution,)),),))

    def _mklink(self, execution: Execution, _rest: Pieces, words: list[Pieces]) -> None:
        _, operands = _parted(words)
        if len(operands) > 1:
            source = self._path(execution, operands[1], wild=False)
            link = self._path(execution, operands[0], wild=False)
            touch(self.m, execution, link, "link", source=source, destination=source)

    def _quiet(self, _execution: Execution, _rest: Pieces, _words: list[Pieces]) -> None:
        return


def _span(execution: Execution) -> nodes.Node:
    from cc_safety_net.guard.shell.cmd.nodes import Node

    return Node(execution.start, execution.end)


def _name(lead: str) -> str:
    """The name of a command that is built in, "" for another."""
    at = 0
    while at < len(lead) and lead[at].isalpha():
        at += 1
    name = lead[:at].lower()
    after = lead[at : at + 1]
    if name in BUILT_IN and (not after or after in " \t" or after in _AFTER_NAME):
        # `del.exe` and `cd\\tools\\x.exe` are programs only where such a file is.
        return "" if after == "." and lead[at + 1 : at + 4].lower() in ("exe", "com") else name
    return ""


def _parted(words: list[Pieces]) -> tuple[set[str], list[Pieces]]:
    """(letters of the switches, operands)."""
    switches: set[str] = set()
    operands: list[Pieces] = []
    for word in words:
        first = word[0] if word and isinstance(word[0], str) else ""
        parts = first[1:].split("/") if first.startswith("/") and len(word) == 1 else []
        # What follows a slash is short: `/s`, `/s/q`, `/a:h`, `/-y`.
        if not parts or not all(len(p) < 3 or p[1:2] == ":" for p in parts) or "\\" in first:
            operands.append(word)
            continue
        switches.update(part[:1].lower() for part in parts)
    return switches, operands


def _beside(source: Word, place: Word) -> Word:
    """`ren dir\\a b` leaves the file in its directory."""
    folder = (source.text or "").rpartition("/")[0]
    name = place.text
    if not folder or name is None or "/" in name:
        return place
    return known(folder + "/" + name, place.start, place.end)


def _without_last_quote(pieces: Pieces) -> Pieces:
    if pieces and isinstance(pieces[-1], str):
        last = pieces[-1].rstrip(" ")
        return merge((*pieces[:-1], last.removesuffix('"')))
    return pieces


def _stripped(line: Pieces) -> Pieces:
    if line and isinstance(line[0], str):
        return merge((line[0].lstrip(" \t"), *line[1:]))
    return line


def _for_git(words: Sequence[Pieces]) -> list[Pieces]:
    """git takes backslashes for slashes."""
    name = (literal(words[0]) or "").replace("\\", "/").rpartition("/")[2].lower()
    if name.removesuffix(".exe") != "git":
        return list(words)
    out: list[Pieces] = [words[0]]
    for word in words[1:]:
        text = literal(word)
        plain = text is not None and "\\" in text and not any(c in text for c in " '\"{}()|")
        out.append((text.replace("\\", "/"),) if plain and text is not None else word)
    return out


def _copied(m: Machine, execution: Execution, words: Sequence[Pieces]) -> None:
    """`robocopy a b /move`: the source goes away."""
    if execution.program not in _COPIERS:
        return
    switches = {(literal(w) or "").lower() for w in words[1:]}
    if execution.program == "robocopy" and switches & {"/move", "/mov"} and len(words) > 2:
        word = Word((posix_pieces(words[1]),), execution.start, execution.end)
        place = Word((posix_pieces(words[2]),), execution.start, execution.end)
        m.reading.accesses.append(
            FileAccess(
                word, "move", "robocopy", execution.cwds, execution.start, execution.end,
                recursive=True, execution=execution, chain=execution.chain,
                scope=execution.scope, destination=place,
            )
        )  # fmt: skip
