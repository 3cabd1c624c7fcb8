"""The expression of `find`, read and tried on sample paths: which action would reach them.

Three values: NO, MAYBE (a test of age, size or owner) and YES. Nothing here looks at the disk.
"""

from __future__ import annotations

from cc_safety_net.guard.limits import SYNTAX_DEPTH, LimitReached
from cc_safety_net.guard.rules import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Word

NO, MAYBE, YES = 0, 1, 2

_LEADING = frozenset(("-H", "-L", "-P"))
#: Tests that look at the name: how the argument is compared.
_NAMES = {
    "-name": ("name", False),
    "-iname": ("name", True),
    "-path": ("path", False),
    "-wholename": ("path", False),
    "-ipath": ("path", True),
    "-iwholename": ("path", True),
    "-regex": ("regex", False),
    "-iregex": ("regex", True),
    "-lname": ("link", False),
    "-ilname": ("link", True),
}
#: Tests and actions with one argument that say nothing about the name.
_ONE_ARGUMENT = frozenset(
    (
        "-amin",
        "-anewer",
        "-atime",
        "-cmin",
        "-cnewer",
        "-context",
        "-ctime",
        "-flags",
        "-fstype",
        "-gid",
        "-group",
        "-links",
        "-mmin",
        "-mnewer",
        "-mtime",
        "-newer",
        "-perm",
        "-size",
        "-uid",
        "-used",
        "-user",
        "-Bmin",
        "-Btime",
        "-Bnewer",
        "-xattrname",
    )
)
#: Tests that mean one particular file.
_SINGLE = frozenset(("-inum", "-samefile"))
_PRINTING = frozenset(("-print", "-print0", "-ls", "-printx"))
_PRINTING_FORMAT = frozenset(("-printf",))
_TO_FILE = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}
_COMMANDS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
_ALWAYS = frozenset(
    (
        "-true",
        "-daystart",
        "-follow",
        "-noleaf",
        "-mount",
        "-xdev",
        "-x",
        "-X",
        "-warn",
        "-nowarn",
        "-ignore_readdir_race",
        "-noignore_readdir_race",
    )
)
_UNSURE = frozenset(("-readable", "-writable", "-executable", "-nouser", "-nogroup", "-sparse"))


class Sample:
    """A path that a search may meet: names below the start, `f`, `d` or `l`, empty or not."""

    __slots__ = ("empty", "kind", "names")

    def __init__(self, names: Sequence[str], kind: str, *, empty: bool = False) -> None:
        self.names = tuple(names)
        self.kind = kind
        self.empty = empty


class Action:
    """What a search does with a path: kind is `delete`, `print` or `command` (argv is given)."""

    __slots__ = ("argv", "kind")

    def __init__(self, kind: str, argv: Sequence[Word] = ()) -> None:
        self.kind = kind
        self.argv = tuple(argv)


class Expression:
    """starts: the words of the starting points; () means the directory itself.

    actions: in order. size: number of words. The node is a tuple: ("and", a, …), ("or", a, …),
    ("list", a, …),
    ("not", a), ("value", v), ("act", number), ("prune",), ("type", letters), ("empty",),
    ("name" | "path" | "regex", pattern, fold).
    """

    __slots__ = ("actions", "depth_first", "maximum", "minimum", "node", "size", "starts")

    def __init__(self) -> None:
        self.starts: list[Word] = []
        self.actions: list[Action] = []
        self.size = 1
        self.depth_first = False
        self.minimum = 0
        self.maximum = 1 << 30
        self.node: tuple[object, ...] = ("value", YES)

    def reaches(self, number: int, start: str, sample: Sample) -> int:
        """Whether action `number` is carried out for the sample below `start` (as written)."""
        depth = len(sample.names)
        if not self.minimum <= depth <= self.maximum:
            return NO
        if not self.depth_first:
            for length in range(self.minimum, depth):
                above = Sample(sample.names[:length], "d")
                if _Trial(start, above).run(self.node).pruned == YES:
                    return NO
        return _Trial(start, sample).run(self.node).reached.get(number, NO)


class _Trial:
    """One evaluation: which actions were reached, how surely."""

    __slots__ = ("kind_empty", "name", "path", "pruned", "reached", "sample", "sure")

    def __init__(self, start: str, sample: Sample) -> None:
        self.sample = sample
        self.path = "/".join((start.rstrip("/") or start, *sample.names))
        if start == "/" and sample.names:
            self.path = "/" + "/".join(sample.names)
        self.name = sample.names[-1] if sample.names else start.rstrip("/").rpartition("/")[2]
        if not sample.names and not self.name:
            self.name = start
        self.reached: dict[int, int] = {}
        self.pruned = NO
        self.sure = YES

    def run(self, node: tuple[object, ...]) -> _Trial:
        self._value(node)
        return self

    def _value(self, node: tuple[object, ...]) -> int:
        kind = node[0]
        if kind in ("and", "or", "list"):
            return self._joined(node)
        if kind == "not":
            return YES - self._value(_node(node[1]))
        if kind == "act":
            number = node[1]
            assert isinstance(number, int)
            self.reached[number] = max(self.reached.get(number, NO), self.sure)
            return _number(node[2])
        if kind == "prune":
            self.pruned = max(self.pruned, self.sure)
            return YES
        if kind == "value":
            return _number(node[1])
        if kind == "type":
            return YES if self.sample.kind in str(node[1]) else NO
        if kind == "empty":
            return YES if self.sample.empty else NO
        return self._named(str(kind), node[1], fold=bool(node[2]))

    def _joined(self, node: tuple[object, ...]) -> int:
        kind = node[0]
        before = self.sure
        result = self._value(_node(node[1]))
        for part in node[2:]:
            if kind == "list":
                result = self._value(_node(part))
                continue
            if (kind, result) in (("and", NO), ("or", YES)):
                break
            if result == MAYBE:
                self.sure = MAYBE if before == YES else before
            value = self._value(_node(part))
            result = min(result, value) if kind == "and" else max(result, value)
        self.sure = before
        return result

    def _named(self, kind: str, pattern: object, *, fold: bool) -> int:
        # An unknown pattern is taken to be narrow: only what is known may harm.
        if not isinstance(pattern, str) or kind == "link":
            return NO
        if kind == "regex":
            from cc_safety_net.guard.rules.regexes import regex_matches

            return YES if regex_matches(pattern, self.path, fold=fold) else NO
        text = self.name if kind == "name" else self.path
        return YES if patterns.matches(pattern, text, fold=fold) else NO


def _node(value: object) -> tuple[object, ...]:
    assert isinstance(value, tuple)
    return value


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _of(kind: str, parts: list[tuple[object, ...]]) -> tuple[object, ...]:
    return parts[0] if len(parts) == 1 else (kind, *parts)


def read_expression(words: Sequence[Word]) -> Expression:
    """The arguments of `find`, without the program."""
    return _Reader(words).read()


class _Reader:
    """A recursive descent over the words; what is not known is a test that may hold."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.at = 0
        self.depth = 0
        self.found = Expression()

    def read(self) -> Expression:
        self.found.size = len(self.words)
        while self.at < len(self.words):
            text = self.words[self.at].text
            if text in _LEADING or (text is not None and text.startswith("-O")):
                self.at += 1
            elif text == "-D":
                self.at += 2
            elif text is not None and (text.startswith("-") or text in ("(", ")", "!", ",")):
                break
            else:
                self.found.starts.append(self.words[self.at])
                self.at += 1
        if self.at < len(self.words):
            self.found.node = self._list()
        if not self.found.actions:
            self.found.actions.append(Action("print"))
            self.found.node = ("and", self.found.node, ("act", 0, YES))
        return self.found

    def _peek(self) -> str | None:
        return self.words[self.at].text if self.at < len(self.words) else ""

    def _take(self) -> Word | None:
        word = self.words[self.at] if self.at < len(self.words) else None
        self.at += 1
        return word

    def _list(self) -> tuple[object, ...]:
        self.depth += 1
        if self.depth > SYNTAX_DEPTH:
            raise LimitReached(
                "guard.input-limit", f"more than {SYNTAX_DEPTH} nested parentheses in a search"
            )
        parts = [self._or()]
        while self._peek() == ",":
            self.at += 1
            parts.append(self._or())
        self.depth -= 1
        return _of("list", parts)

    def _or(self) -> tuple[object, ...]:
        parts = [self._and()]
        while self._peek() in ("-o", "-or"):
            self.at += 1
            parts.append(self._and())
        return _of("or", parts)

    def _and(self) -> tuple[object, ...]:
        parts = [self._not()]
        while self.at < len(self.words) and self._peek() not in ("-o", "-or", ",", ")"):
            if self._peek() in ("-a", "-and"):
                self.at += 1
            parts.append(self._not())
        return _of("and", parts)

    def _not(self) -> tuple[object, ...]:
        negated = False
        while self._peek() in ("!", "-not"):
            self.at += 1
            negated = not negated
        node = self._primary()
        return ("not", node) if negated else node

    def _primary(self) -> tuple[object, ...]:
        word = self._take()
        text = word.text if word is not None else ""
        if text == "(":
            node = self._list()
            if self._peek() == ")":
                self.at += 1
            return node
        if text is None:
            return ("value", MAYBE)
        if text in _NAMES:
            return self._name_test(text)
        if text in ("-type", "-xtype"):
            argument = self._take()
            letters = argument.text if argument is not None else None
            if letters is None:
                return ("value", MAYBE)
            # A link that leads nowhere is no loss.
            return ("value", NO) if text == "-xtype" and letters == "l" else ("type", letters)
        if text in _COMMANDS:
            return self._command()
        return self._other(text)

    def _name_test(self, text: str) -> tuple[object, ...]:
        argument = self._take()
        kind, fold = _NAMES[text]
        if argument is None or len(argument.choices) != 1:
            return (kind, None, fold)
        choice = argument.choices[0]
        if kind != "regex" and any(not isinstance(piece, str) for piece in choice):
            # An unquoted pattern that no name of the directory took, or an unknown part.
            known = all(isinstance(piece, str) or hasattr(piece, "text") for piece in choice)
            pattern = "".join(p if isinstance(p, str) else getattr(p, "text", "") for p in choice)
            return (kind, pattern if known else None, fold)
        return (kind, argument.text, fold)

    def _command(self) -> tuple[object, ...]:
        argv: list[Word] = []
        result = MAYBE
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if word.text == ";":
                break
            if word.text == "+" and argv and argv[-1].text == "{}":
                result = YES
                break
            argv.append(word)
        return self._act(Action("command", argv), result)

    def _act(self, action: Action, result: int) -> tuple[object, ...]:
        self.found.actions.append(action)
        return ("act", len(self.found.actions) - 1, result)

    def _other(self, text: str) -> tuple[object, ...]:
        if text == "-delete":
            # It visits the content of a directory first, so -prune comes too late.
            self.found.depth_first = True
            return self._act(Action("delete"), YES)
        if text in ("-depth", "-d"):
            self.found.depth_first = True
            if (self._peek() or "").lstrip("+-").isdigit():
                self.at += 1
                return ("value", MAYBE)
            return ("value", YES)
        if text in ("-mindepth", "-maxdepth"):
            self._limit(text)
            return ("value", YES)
        return self._plain(text)

    def _limit(self, text: str) -> None:
        argument = self._take()
        number = argument.text if argument is not None else None
        if number is not None and number.isdigit() and len(number) < 9:
            if text == "-mindepth":
                self.found.minimum = int(number)
            else:
                self.found.maximum = int(number)

    def _plain(self, text: str) -> tuple[object, ...]:
        if text == "-empty":
            return ("empty",)
        if text == "-prune":
            return ("prune",)
        if text in _PRINTING or text in _PRINTING_FORMAT or text in _TO_FILE:
            self.at += 1 if text in _PRINTING_FORMAT else _TO_FILE.get(text, 0)
            return self._act(Action("print"), YES)
        if text in _SINGLE:
            self.at += 1
            return ("value", NO)
        if text == "-size" and (self._peek() or "").rstrip("cwbkMG") == "0":
            self.at += 1
            return ("empty",)
        if text in _ONE_ARGUMENT or text.startswith("-newer"):
            self.at += 1
            return ("value", MAYBE)
        if text == "-regextype":
            self.at += 1
            return ("value", YES)
        if text in ("-false", "-quit"):
            return ("value", NO)
        return ("value", YES if text in _ALWAYS else MAYBE)
