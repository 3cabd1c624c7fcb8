"""The machine that runs one call's text in the abstract: its context, and what it has found."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import LOCAL, Execution, Reading, Unknown
from cc_safety_net.guard.limits import WORDS, WRAPPER_CHAIN, LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from cc_safety_net.guard.interpret.facts import Glob, Pieces, Scope, Word
    from cc_safety_net.guard.interpret.state import State, Variable
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.place import Place
    from cc_safety_net.guard.shell.posix import nodes
    from cc_safety_net.guard.world import World

#: Nested constructs of all kinds; far above what people write, below what the stack holds.
DEPTH = 300
#: First of the characters that stand for an unknown part of a text that is parsed again.
HOLE = 0xF0000
_HOLES = 0xFFFD


class Outcome:
    """How a command may end: the state if it succeeds, the state if it fails (None: it can't).

    done: executions that have succeeded if the command has.
    """

    __slots__ = ("done", "fail", "ok")

    def __init__(
        self, ok: State | None, fail: State | None, done: Sequence[Execution] = ()
    ) -> None:
        self.ok = ok
        self.fail = fail
        self.done = tuple(done)


class Input:
    """Standard input that commands of a group read from one after the other.

    choices: what is left, None if it is not known. origin: executions it comes from.
    """

    __slots__ = ("choices", "origin")

    def __init__(self, choices: Choices | None, origin: Sequence[Execution] = ()) -> None:
        self.choices = choices
        self.origin = tuple(origin)


class Frame:
    """What may be left early: a function or sourced file (`kind` function), a loop, a shell.

    base: the state under it. saved: what its `local` names were before. left: states in which it
    was left, with the outcome (None: both). continued: states of `continue`.
    """

    __slots__ = ("base", "continued", "kind", "left", "saved")

    def __init__(self, kind: str, base: State) -> None:
        self.kind = kind
        self.base = base
        self.left: list[tuple[State, bool | None]] = []
        self.continued: list[State] = []
        self.saved: dict[str, object] = {}


class Machine:
    """One run over one call.

    The fields of the second block are the context of the command that is being run; whoever
    changes one puts it back.
    """

    def __init__(self, place: Place, world: World, effort: Effort) -> None:
        self.place = place
        self.world = world
        self.effort = effort
        self.reading = Reading()
        self.run_script: Callable[[Machine, nodes.Script, State], Outcome]
        self.capture: Callable[[Machine, nodes.Script, State], Choices]
        self.words = 0
        self.holes: list[Unknown | Glob] = []
        #: Contents of files that the text wrote, by path.
        self.files: dict[str, Choices] = {}
        #: Of files that were written by commands that may not have run: their choices by meaning.
        self.held: dict[str, tuple[Choices, dict[object, Pieces]]] = {}
        #: What the shell's descriptors are open for, by their names as files.
        self.descriptors: dict[str, Input] = {}
        #: Files that further descriptors write to, with the directories that their names are from.
        self.sinks: dict[str, tuple[Word, tuple[str | None, ...]]] = {}
        #: What `exec` with redirections alone has just opened; None: not known.
        self.kept: dict[str, Input | None] = {}
        self.keeps = False
        #: Directories that the text made.
        self.made: set[str] = set()
        #: Scripts that were read, by path: what they hold, None if that can't be known.
        self.scripts: dict[str, str | None] = {}
        self.script_bytes = 0
        #: Effort and words that scripts on disk have used.
        self.script_effort = 0
        self.script_words = 0
        #: What process substitutions print, by the unknown that stands for their path.
        self.substituted: dict[Unknown, Choices] = {}
        #: `$_`, in the order of the text.
        self.last: Choices = ((),)
        #: Calls of functions that were already running.
        self.recursions = 0
        #: Names of wrappers that are declared in files; None: not looked for yet.
        self.declared: Collection[str] | None = None
        #: An expansion of the current command may have failed, and the command with it.
        self.broken = False
        #: Names that were ever those of an alias or function: others need no look-up.
        self.aliases: set[str] = set()
        self.functions: set[str] = set()

        self.span: tuple[int, int] | None = None
        #: The call's own text, and where in it the text stands that is being run.
        self.source = ""
        self.base = 0
        self.chain: tuple[str, ...] = ()
        self.script = ""
        self.script_depth = 0
        self.scope: Scope = LOCAL
        #: Of the shell whose text runs.
        self.dialect = "posix"
        #: That shell may be zsh: `yes`, `likely` by the environment, `maybe` where nothing tells,
        #: "" for another one.
        self.zsh = "maybe"
        #: The text has made an array; a global or suffix alias.
        self.arrays = False
        self.zsh_aliases = False
        #: The text names directories (zsh's `hash -d`).
        self.named = False
        self.certain = True
        #: The environment was emptied (`env -i`): it holds only what the text gives.
        self.bare = False
        #: The command's failure is looked at (`if`, `&&`), so `set -e` does not act on it.
        self.tested = False
        self.captured = False
        self.output: Choices | None = None
        self.input: Input | None = None
        self.feeds: tuple[Execution, ...] = ()
        self.after: tuple[Execution, ...] = ()
        self.opaque_how = "eval"
        self.frames: list[Frame] = []
        #: How often the text is run that is being run: the turns of the loops around it.
        self.turns = 1
        #: What loops that were run without an end known have changed, by their nodes.
        self.changed: dict[object, dict[str, object]] = {}
        #: What `--eval` of a call of make says.
        self.evaluated: tuple[Execution, list[str]] | None = None
        #: Exported variables, and the words that programs get of them, by name.
        self.exports: dict[str, tuple[Variable, Word]] = {}
        self.traps: dict[str, Trap] = {}
        #: The farthest jump that may have been taken: out of a loop, a function, the shell.
        self.jumped = 0
        self.depth = 0
        self.shell_depth = 0
        #: Functions that are running, with the number of pipes and `&` around the call.
        self.calls: list[tuple[str, int]] = []
        self.parallel = 0

    def enter(self, construct: str) -> None:
        """One level deeper; the caller takes `depth` back by one when it is done."""
        self.depth += 1
        self.effort.spend(2, construct)
        if self.depth > DEPTH:
            raise LimitReached("guard.input-limit", f"more than {DEPTH} nested constructs")

    def span_of(self, node: nodes.Node) -> tuple[int, int]:
        return self.span or (node.start + self.base, node.end + self.base)

    def failed_expansion(self) -> None:
        """The expansion may be an error: neither its command nor what follows is run then."""
        self.broken = True
        self.certain = False
        self.jumped = 3

    def written_at(self, word: Word) -> int | None:
        """Where the text of `word` stands, letter by letter, in the call's text; None if it
        does not, so that no place in it can be told."""
        text = word.text
        if not text or not self.source:
            return None
        raw = self.source[word.start : word.end]
        if raw[:1] in ("'", '"') and raw[1:-1] == text and raw[-1:] == raw[:1]:
            return word.start + 1
        return word.start if raw == text else None

    def count_words(self, number: int) -> None:
        self.words += number
        if self.words > WORDS:
            raise LimitReached("guard.input-limit", f"more than {WORDS:,} words")

    def linked(self, label: str) -> tuple[str, ...]:
        """The chain with `label` at its end."""
        if len(self.chain) >= WRAPPER_CHAIN:
            raise LimitReached(
                "guard.input-limit", f"more than {WRAPPER_CHAIN} commands that start one another"
            )
        return (*self.chain, label)

    def hole(self, piece: Unknown | Glob) -> str:
        """A character that stands for `piece` in a text that is going to be parsed."""
        if len(self.holes) >= _HOLES:
            raise LimitReached("guard.input-limit", f"more than {_HOLES:,} unknown parts")
        self.holes.append(piece)
        return chr(HOLE + len(self.holes) - 1)

    def present(self) -> World:
        """The world with the files that the text has written so far."""
        if not self.files:
            return self.world
        from cc_safety_net.guard.interpret.overlay import Written

        return Written(self.world, self.files)

    def piece(self, character: str) -> Unknown | Glob | None:
        """What a character of `hole` stands for, None for any other."""
        index = ord(character) - HOLE
        return self.holes[index] if 0 <= index < len(self.holes) else None

    def emit(self, choices: Choices) -> None:
        """Add to what is being captured from standard output."""
        if self.output is not None:
            from cc_safety_net.guard.interpret.values import concat

            self.output = concat(self.output, choices)


class Trap:
    """A command of `trap`, run when its shell ends."""

    __slots__ = ("label", "span", "text")

    def __init__(self, text: Word, label: str, span: tuple[int, int]) -> None:
        self.text = text
        self.label = label
        self.span = span
