"""Lists, and-or lists and pipelines; `parse`, the parser's one entry."""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.shell.posix.commands import literal
from cc_safety_net.guard.shell.posix.compounds import CLOSING, OPENING, Compounds
from cc_safety_net.guard.shell.posix.nodes import (
    AndOr,
    ParseResult,
    Pipeline,
    Script,
    SimpleCommand,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.shell.posix.nodes import Command

_ZSH_LOOPS = frozenset(("repeat", "foreach"))
#: Text up to this long is read in zsh's way if it has no end in bash's.
_TWICE = 16_384
_STARTS_NONE = frozenset(("", ")", ";", "|", "\n"))
#: Where `blanks` would go on.
_SKIPPED = frozenset((" ", "\t", "#", "\\"))


def parse(text: str, effort: Effort | None = None) -> ParseResult:
    """Read POSIX or bash text into a tree.

    What is no shell grammar is a problem in the result, never an exception. Only a limit of the
    specification raises: `LimitReached`.
    """
    if len(text) > limits.COMMAND_CHARACTERS:
        raise LimitReached(
            "guard.input-limit", f"more than {limits.COMMAND_CHARACTERS:,} characters"
        )
    parser = Parser(text, effort if effort is not None else Effort())
    script = parser.whole_script()
    if parser.problems and len(text) <= _TWICE and "}" in text:
        again = Parser(text, parser.effort)
        again.braces_close = True
        other = again.whole_script()
        if not again.problems:
            parser, script = again, other
    if parser.pending:
        parser.here_documents()
    return ParseResult(script, parser.problems, parser.rest)


def quoted_word(text: str, effort: Effort) -> Word:
    """The text as a word in double quotes, whatever quotes stand in it."""
    parser = Parser(text, effort)
    return Word(parser.quoted_parts(""), 0, len(text))


class Parser(Compounds):
    """Reads lists of commands."""

    __slots__ = ()

    def script(self) -> Script:
        """Commands and their terminators, up to what can't go on: `)`, `;;`, a closing word."""
        items: list[tuple[Command, str]] = []
        start = self.pos
        while True:
            found = self.new_lines()
            if found in _STARTS_NONE:
                break
            command = self.and_or(found)
            if command is None:
                break
            found = self.here()
            if found == "\n":
                items.append((command, "\n"))
                self.new_line()
            elif found == ";":
                after = self.peek(self.pos + 1)
                if after == ";" or after == "&":  # noqa: PLR1714 - hot
                    items.append((command, ""))
                    break
                items.append((command, ";"))
                self.pos += 1
            elif found == "&":
                items.append((command, "&"))
                self.pos += 1
                self._zsh_disown()
            else:
                items.append((command, ""))
                break
        return Script(items, start, self.pos)

    def _zsh_disown(self) -> None:
        """The second character of zsh's `&!` and `&|`."""
        if self.pos < self.end and self.text[self.pos] in "!|":
            after = self.peek(self.pos + 1)
            if after in ("", "\n", ";", ")", " ") and (after != " " or self.text[self.pos] == "|"):
                self.pos += 1

    def here(self) -> str:
        """The next character that is none of a blank, "" at the end; often the one here."""
        found = self.text[self.pos] if self.pos < self.end else ""
        return self.blanks() if found in _SKIPPED else found

    def and_or(self, found: str) -> Command | None:
        """The and-or list that begins here with `found`."""
        first = self.pipeline(found)
        if first is None:
            return None
        found = self.here()
        if (found != "&" and found != "|") or self.peek(self.pos + 1) != found:  # noqa: PLR1714
            return first
        commands = [first]
        operators: list[str] = []
        while (found == "&" or found == "|") and self.peek(self.pos + 1) == found:  # noqa: PLR1714
            self.pos = self.unfold(self.pos + 1) + 1
            command = self.pipeline(self.new_lines())
            if command is None:
                self.fail_here(f"a command after `{found * 2}`")
                break
            operators.append(found * 2)
            commands.append(command)
            found = self.here()
        if len(commands) == 1:
            return first
        return AndOr(commands, operators, first.start, commands[-1].end)

    def pipeline(self, found: str) -> Command | None:
        """The pipeline that begins here with `found`."""
        start = self.pos
        negated = timed = prefixed = False
        if found == "!" or found == "t":  # noqa: PLR1714 - hot
            negated, timed = self._prefixes()
            prefixed = self.pos != start
            found = self.here()
        first = self.command(found)
        if first is None:
            if not prefixed or self.failed:
                return None
            if self.blanks() not in ("", "\n", ";"):
                self.fail_here("a command")
            return Pipeline([], [], start, self.pos, negated=negated, timed=timed)
        commands = [first]
        errors: list[bool] = []
        while self.here() == "|":
            after = self.peek(self.pos + 1)
            if after == "|":
                break
            at = self.unfold(self.pos + 1)
            self.pos = at + 1 if after == "&" else self.pos + 1
            command = self.command(self.new_lines())
            if command is None:
                self.fail_here("a command after `|`")
                break
            errors.append(after == "&")
            commands.append(command)
        if len(commands) == 1 and not prefixed:
            return first
        return Pipeline(commands, errors, start, commands[-1].end, negated=negated, timed=timed)

    def _prefixes(self) -> tuple[bool, bool]:
        """`!` and `time [-p]` before a pipeline."""
        negated = timed = False
        while True:
            found = self.blanks()
            if found == "!":
                after = self.peek(self.pos + 1)
                if after not in ("", " ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">"):
                    break
                self.pos = self.unfold(self.pos) + 1
                negated = not negated
            elif found == "t" and self.text.startswith("time", self.pos):
                at = self.pos
                if literal(self.word()) != "time":
                    self.pos = at
                    break
                timed = True
                self._time_options()
            else:
                break
            self.effort.spend(1, "pipelines")
        return negated, timed

    def _time_options(self) -> None:
        for option in ("-p", "--"):
            self.blanks()
            at = self.pos
            if self.text.startswith(option, at):
                word = self.word()
                if literal(word) != option:
                    self.pos = at

    def command(self, found: str) -> Command | None:
        """One command of a pipeline, which begins here with `found`; None, with nothing read, if
        none does."""
        if found in _STARTS_NONE:
            return None
        at = self.pos
        if found == "(":
            return self.parenthesis()
        if found == "&":
            return self.simple_command(None) if self.peek(at + 1) == ">" else None
        if found == "<" or found == ">":  # noqa: PLR1714 - hot
            return self.simple_command(None)
        if self.assignment_follows():
            return self.simple_command(None)
        word = self.word()
        if self.failed:
            self.rest = min(self.rest, at)
            return None
        text = literal(word)
        end = self.pos
        if end < self.end and self.text[end] in "<>" and (found == "{" or found.isdigit()):
            numbered = text.isdigit() or text[-1:] == "}"
            if numbered and text != "}":
                self.pos = at
                self.words -= 1
                return self.simple_command(None)
        if text in OPENING:
            return self.opened(text, at)
        if text in _ZSH_LOOPS:
            loop = self.zsh_loop(text, at)
            if loop is not None:
                return self.redirected(loop)
        if text in CLOSING or self.ends_foreach(text):
            self.pos = at
            self.words -= 1
            return None
        if self.blanks() == "(":
            return self.function_definition(self.text[word.start : word.end], at)
        command: SimpleCommand | None = self.simple_command(word)
        return command

    def assignment_follows(self) -> bool:
        """Whether the word here may be an assignment: it has `=`, `[` or a continued line."""
        text = self.text
        start = self.pos
        at = self.plain_end(start)
        if text.find("=", start + 1, at) > 0 or text.find("[", start + 1, at) > 0:
            return text[start] not in "=["
        return start < at < self.end and text[at] == "\\"
