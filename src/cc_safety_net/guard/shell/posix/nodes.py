"""The syntax tree of POSIX and bash text.

Terms are those of the shell grammar (POSIX.1-2017 XCU 2.10, bash manual chapter 3). Every node
has `start` and `end`: offsets into the text that was parsed, `end` exclusive. The tree says what
was written; what it means is the work of `interpret`. Longer than a module should be: it is the
list of node classes, nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    WordPart: TypeAlias = (
        "Lit | DoubleQuoted | Param | CommandSub | ArithSub | ProcessSub | ExtGlob | BraceExpansion"
    )
    Command: TypeAlias = (
        "SimpleCommand | Pipeline | AndOr | Subshell | Group | If | While | For | ArithFor | Case"
        " | FunctionDef | ArithCommand | TestCommand | Coproc"
    )


class Node:
    """What all nodes share: the span."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


# --- words ---------------------------------------------------------------------------------------


class Word(Node):
    """One word: parts that are joined. An empty `parts` is the empty string written as nothing."""

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[WordPart], start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.parts = parts


class Lit(Node):
    """Literal characters, escapes already taken away.

    `quoted`: from quotes or a backslash, so no glob, tilde, brace or splitting applies to it.
    `''` is a quoted Lit with an empty text: it makes an empty word exist.
    """

    __slots__ = ("quoted", "text")

    def __init__(self, text: str, quoted: bool, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.text = text
        self.quoted = quoted


class DoubleQuoted(Node):
    """`"…"` or `$"…"`: its parts are not split and not globbed."""

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[WordPart], start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.parts = parts


class Param(Node):
    """`$name`, `${name…}`: a parameter expansion.

    name: the parameter: an identifier, digits, or one of `@ * # ? - $ ! _`.
    index: the subscript as a word (`${a[i]}`; `@` and `*` are literal words), or None.
    indirect: `${!name}`. length: `${#name}`.
    names: "" or the operator of `${!prefix*}` / `${!prefix@}` / `${!array[@]}`: "*", "@", "keys".
    op: "" or one of `- := :- = :? ? :+ + # ## % %% / // /# /% ^ ^^ , ,, : @`
        (":" is the substring form, "@" the transformation form).
    args: the operator's words: one for most, two for `/` (pattern, replacement) and for `:`
        (offset, length), fewer where left out.
    """

    __slots__ = ("args", "index", "indirect", "length", "name", "names", "op")

    def __init__(
        self,
        name: str,
        start: int,
        end: int,
        *,
        op: str = "",
        args: Sequence[Word] = (),
        index: Word | None = None,
        indirect: bool = False,
        length: bool = False,
        names: str = "",
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.op = op
        self.args = args
        self.index = index
        self.indirect = indirect
        self.length = length
        self.names = names


class CommandSub(Node):
    """`$(…)`, backticks, or `${ …; }` (bash 5.3, `style` "funsub")."""

    __slots__ = ("body", "style")

    def __init__(self, body: Script, style: str, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.body = body
        self.style = style  # "dollar", "backtick", "funsub"


class ArithSub(Node):
    """`$((…))` or `$[…]`. The expression is kept as a word (expansions inside it are parsed)."""

    __slots__ = ("expression",)

    def __init__(self, expression: Word, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.expression = expression


class ProcessSub(Node):
    """`<(…)` or `>(…)`; zsh's `=(…)` too. `direction` is "<", ">" or "="."""

    __slots__ = ("body", "direction")

    def __init__(self, direction: str, body: Script, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.direction = direction
        self.body = body


class ExtGlob(Node):
    """`?(a|b) *(…) +(…) @(…) !(…)`, unquoted."""

    __slots__ = ("alternatives", "op")

    def __init__(self, op: str, alternatives: Sequence[Word], start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.op = op
        self.alternatives = alternatives


class BraceExpansion(Node):
    """`{a,b}` (`items`) or `{1..9..2}` (`sequence`: first, last, step or ""), unquoted and valid.

    A brace that is no brace expansion is an ordinary Lit.
    """

    __slots__ = ("items", "sequence")

    def __init__(
        self,
        items: Sequence[Word],
        sequence: tuple[str, str, str] | None,
        start: int,
        end: int,
    ) -> None:
        self.start = start
        self.end = end
        self.items = items
        self.sequence = sequence


# --- simple commands -----------------------------------------------------------------------------


class Assignment(Node):
    """`name=value`, `name+=value`, `name[i]=value`, `name=(…)`.

    `value` is a Word, or an ArrayLiteral for the compound form.
    """

    __slots__ = ("append", "index", "name", "value")

    def __init__(
        self,
        name: str,
        value: Word | ArrayLiteral,
        start: int,
        end: int,
        *,
        append: bool = False,
        index: Word | None = None,
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.value = value
        self.append = append
        self.index = index


class ArrayLiteral(Node):
    """`( … )` of a compound assignment: elements, each with an optional `[key]=`.

    appended: the positions of elements that are written `[key]+=`.
    """

    __slots__ = ("appended", "elements")

    def __init__(
        self,
        elements: Sequence[tuple[Word | None, Word]],
        start: int,
        end: int,
        *,
        appended: Sequence[int] = (),
    ) -> None:
        self.start = start
        self.end = end
        self.elements = elements
        self.appended = appended


class HereDoc(Node):
    """The body of a here-document, tabs of `<<-` already taken away.

    `body`: one Word; for a quoted delimiter it is one quoted Lit, else its expansions are parsed.
    `quoted`: the delimiter was quoted. `closed`: the delimiter line was found.
    """

    __slots__ = ("body", "closed", "delimiter", "quoted")

    def __init__(
        self, delimiter: str, quoted: bool, body: Word, closed: bool, start: int, end: int
    ) -> None:
        self.start = start
        self.end = end
        self.delimiter = delimiter
        self.quoted = quoted
        self.body = body
        self.closed = closed


class Redirect(Node):
    """One redirection.

    op: `< > >> >| <> <& >& &> &>> << <<- <<<`.
    fd: the number before the operator, None if left out; `variable`: the name of `{name}>file`.
    target: the word after the operator (for `<<` and `<<-` the delimiter as written).
    heredoc: the body for `<<` and `<<-`, filled in when its lines have been read.
    """

    __slots__ = ("fd", "heredoc", "op", "target", "variable")

    def __init__(
        self,
        op: str,
        target: Word,
        start: int,
        end: int,
        *,
        fd: int | None = None,
        variable: str = "",
        heredoc: HereDoc | None = None,
    ) -> None:
        self.start = start
        self.end = end
        self.op = op
        self.target = target
        self.fd = fd
        self.variable = variable
        self.heredoc = heredoc


class SimpleCommand(Node):
    """Assignments, words and redirections in the order of the grammar.

    For declaration builtins (declare, typeset, local, export, readonly) written as a literal
    first word, an operand of the form `name=…` is an Assignment inside `words`.
    """

    __slots__ = ("assignments", "redirects", "words")

    def __init__(
        self,
        assignments: Sequence[Assignment],
        words: Sequence[Word | Assignment],
        redirects: Sequence[Redirect],
        start: int,
        end: int,
    ) -> None:
        self.start = start
        self.end = end
        self.assignments = assignments
        self.words = words
        self.redirects = redirects


# --- compound commands ---------------------------------------------------------------------------


class Script(Node):
    """A list of commands with their terminators: `;`, `&`, a new line, or "" at the end."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[tuple[Command, str]], start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.items = items


class Pipeline(Node):
    """Two or more commands joined by `|` or `|&`, or one with `!` or `time`.

    `pipe_stderr[i]`: the operator after command i was `|&`.
    """

    __slots__ = ("commands", "negated", "pipe_stderr", "timed")

    def __init__(
        self,
        commands: Sequence[Command],
        pipe_stderr: Sequence[bool],
        start: int,
        end: int,
        *,
        negated: bool = False,
        timed: bool = False,
    ) -> None:
        self.start = start
        self.end = end
        self.commands = commands
        self.pipe_stderr = pipe_stderr
        self.negated = negated
        self.timed = timed


class AndOr(Node):
    """A chain of `&&` and `||`, flat: `operators[i]` stands between commands i and i + 1."""

    __slots__ = ("commands", "operators")

    def __init__(
        self, commands: Sequence[Command], operators: Sequence[str], start: int, end: int
    ) -> None:
        self.start = start
        self.end = end
        self.commands = commands
        self.operators = operators


class Compound(Node):
    """A compound command: what all of them share are redirections."""

    __slots__ = ("redirects",)

    def __init__(self, redirects: Sequence[Redirect], start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.redirects = redirects


class Subshell(Compound):
    """`( … )`."""

    __slots__ = ("body",)

    def __init__(self, body: Script, redirects: Sequence[Redirect], start: int, end: int) -> None:
        super().__init__(redirects, start, end)
        self.body = body


class Group(Compound):
    """`{ …; }`."""

    __slots__ = ("body",)

    def __init__(self, body: Script, redirects: Sequence[Redirect], start: int, end: int) -> None:
        super().__init__(redirects, start, end)
        self.body = body


class If(Compound):
    """`if … then … elif … else … fi`: `arms` are (condition, body) pairs."""

    __slots__ = ("arms", "otherwise")

    def __init__(
        self,
        arms: Sequence[tuple[Script, Script]],
        otherwise: Script | None,
        redirects: Sequence[Redirect],
        start: int,
        end: int,
    ) -> None:
        super().__init__(redirects, start, end)
        self.arms = arms
        self.otherwise = otherwise


class While(Compound):
    """`while … do … done`, and `until` with `until` set."""

    __slots__ = ("body", "condition", "until")

    def __init__(
        self,
        condition: Script,
        body: Script,
        until: bool,
        redirects: Sequence[Redirect],
        start: int,
        end: int,
    ) -> None:
        super().__init__(redirects, start, end)
        self.condition = condition
        self.body = body
        self.until = until


class For(Compound):
    """`for name [in words]; do … done`; `words` None means the positional parameters.

    `select` is set for the `select` command; zsh's `for a b in …` has several `names`.
    """

    __slots__ = ("body", "names", "select", "words")

    def __init__(
        self,
        names: Sequence[str],
        words: Sequence[Word] | None,
        body: Script,
        redirects: Sequence[Redirect],
        start: int,
        end: int,
        *,
        select: bool = False,
    ) -> None:
        super().__init__(redirects, start, end)
        self.names = names
        self.words = words
        self.body = body
        self.select = select


class ArithFor(Compound):
    """`for ((a; b; c)); do … done`. The three expressions as words."""

    __slots__ = ("body", "condition", "initial", "step")

    def __init__(
        self,
        initial: Word,
        condition: Word,
        step: Word,
        body: Script,
        redirects: Sequence[Redirect],
        start: int,
        end: int,
    ) -> None:
        super().__init__(redirects, start, end)
        self.initial = initial
        self.condition = condition
        self.step = step
        self.body = body


class CaseArm(Node):
    """`pattern | pattern) body terminator`; the terminator is `;;`, `;&`, `;;&` or ""."""

    __slots__ = ("body", "patterns", "terminator")

    def __init__(
        self, patterns: Sequence[Word], body: Script, terminator: str, start: int, end: int
    ) -> None:
        self.start = start
        self.end = end
        self.patterns = patterns
        self.body = body
        self.terminator = terminator


class Case(Compound):
    """`case word in … esac`."""

    __slots__ = ("arms", "word")

    def __init__(
        self,
        word: Word,
        arms: Sequence[CaseArm],
        redirects: Sequence[Redirect],
        start: int,
        end: int,
    ) -> None:
        super().__init__(redirects, start, end)
        self.word = word
        self.arms = arms


class FunctionDef(Node):
    """`name() command`, `function name command`, zsh's anonymous `() { … }` (empty name)."""

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: Command, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.body = body


class ArithCommand(Compound):
    """`((…))`: the expression as a word."""

    __slots__ = ("expression",)

    def __init__(
        self, expression: Word, redirects: Sequence[Redirect], start: int, end: int
    ) -> None:
        super().__init__(redirects, start, end)
        self.expression = expression


class TestCommand(Compound):
    """`[[ … ]]`: the words between, operators (`&& || ! ( ) < >`) as literal words."""

    __slots__ = ("words",)
    __test__ = False  # no test class, whatever its name

    def __init__(
        self, words: Sequence[Word], redirects: Sequence[Redirect], start: int, end: int
    ) -> None:
        super().__init__(redirects, start, end)
        self.words = words


class Coproc(Node):
    """`coproc [NAME] command`."""

    __slots__ = ("command", "name")

    def __init__(self, name: str, command: Command, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.command = command


# --- result --------------------------------------------------------------------------------------


class SyntaxProblem(Node):
    """A place that is no shell grammar. `incomplete`: more text could make it valid."""

    __slots__ = ("incomplete", "message")

    def __init__(self, message: str, start: int, end: int, *, incomplete: bool = False) -> None:
        self.start = start
        self.end = end
        self.message = message
        self.incomplete = incomplete


class ParseResult:
    """What `parse` returns: the tree of all that could be read, and where reading stopped.

    `rest`: offset of the first character that was not read into the tree; len(text) if all was.
    """

    __slots__ = ("problems", "rest", "script")

    def __init__(self, script: Script, problems: Sequence[SyntaxProblem], rest: int) -> None:
        self.script = script
        self.problems = problems
        self.rest = rest
