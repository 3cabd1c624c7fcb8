"""A content search: its patterns, the files that it skips, and whether lines of a text match."""

from __future__ import annotations

from cc_safety_net.guard.rules.patterns import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution

#: Programs that search content -> they skip hidden files unless told not to.
_SKIP_HIDDEN = {
    "ack": False,
    "ag": True,
    "egrep": False,
    "fgrep": False,
    "grep": False,
    "pt": True,
    "rg": True,
    "rgrep": False,
    "ug": True,
    "ugrep": True,
    "zgrep": False,
}
_OF_WINDOWS = frozenset(("findstr", "select-string", "where-object"))
_COMPARES = frozenset(("-eq", "-like", "-match", "-ceq", "-clike", "-cmatch", "-ieq", "-ilike"))
_SEES_HIDDEN = frozenset(("hidden", ".", "u", "uu", "uuu", "unrestricted", "a", "all-types"))
_SEES_IGNORED = frozenset(
    ("no-ignore", "no-ignore-vcs", "u", "uu", "uuu", "unrestricted", "I", "no-ignore-files")
)


class Search:
    """What a program or a tool looks for, and where it does not look.

    patterns: regular expressions, or texts if `fixed`; an unknown one is left out.
    only, without: patterns of file names (`--include`, `--exclude`). hidden: hidden files are
    searched. ignores: what `.gitignore` names is skipped.
    """

    __slots__ = (
        "extended", "fixed", "fold", "hidden", "ignores", "inverted", "only", "patterns",
        "program", "without",
    )  # fmt: skip

    def __init__(self, patterns: Sequence[str], program: str) -> None:
        self.patterns = tuple(patterns)
        self.program = program
        self.extended = True
        self.fixed = False
        self.fold = False
        self.inverted = False
        self.hidden = True
        self.ignores = False
        self.only: list[str] = []
        self.without: list[str] = []

    def skips(self, path: str) -> bool:
        """The path below the start, with directories, is not opened."""
        parts = path.split("/")
        if not self.hidden and any(part.startswith(".") for part in parts):
            return True
        if any(_names(pattern, path) for pattern in self.without):
            return True
        return bool(self.only) and not any(_names(pattern, path) for pattern in self.only)

    def finds(self, text: str) -> bool:
        """A line of the text matches, as far as plain text tells."""
        if self.inverted:
            return text != ""
        if self.fold:
            text = text.lower()
        for pattern in self.patterns:
            for pieces in alternatives(pattern, fixed=self.fixed, extended=self.extended):
                wanted = [piece.lower() for piece in pieces] if self.fold else pieces
                if any(_in_order(wanted, line) for line in text.split("\n") if line):
                    return True
        return False


def _names(pattern: str, path: str) -> bool:
    pattern = pattern.removeprefix("./").rstrip("/")
    if "/" in pattern:
        return matches(pattern.removeprefix("/").replace("**/", "*"), path)
    return any(matches(pattern, part) for part in path.split("/"))


def _in_order(pieces: Sequence[str], line: str) -> bool:
    at = 0
    for piece in pieces:
        found = line.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def alternatives(pattern: str, *, fixed: bool, extended: bool) -> list[list[str]]:
    """The literal texts of each alternative, in order; an empty list matches every line."""
    if fixed:
        return [[line] if line else [] for line in pattern.split("\n")]
    found: list[list[str]] = [[]]
    run = ""
    depth = at = 0
    while at < len(pattern):
        sign = pattern[at]
        width = 1
        special = sign
        if sign == "\\" and at + 1 < len(pattern):
            width = 2
            following = pattern[at + 1]
            if following in "(){}|+?" and not extended:
                special = following
            elif following.isalnum() or following in "<>":
                special = "."
            else:
                special, sign = "", following
        elif sign in "(){}|+?" and not extended:
            special = ""
        if sign == "[" and special == "[":
            close = pattern.find("]", at + 2)
            width = close + 1 - at if close > 0 else len(pattern) - at
        elif special == "{":
            close = pattern.find("}", at)
            width = close + 1 - at if close > 0 else len(pattern) - at
        if special in ("*", "?", "{"):
            run = run[:-1]
        if special and special in "*?{[(.^$|)+":
            if run and depth == 0:
                found[-1].append(run)
            run = ""
            if special == "|" and depth == 0:
                found.append([])
            depth += (special == "(") - (special == ")" and depth > 0)
        else:
            run += sign
        at += width
    if run and depth == 0:
        found[-1].append(run)
    return found


def search_of(execution: Execution) -> Search | None:
    """The search that an execution makes; None if it is none."""
    program = execution.program
    if program in _OF_WINDOWS:
        return _of_windows(execution)
    if program not in _SKIP_HIDDEN:
        return None
    from cc_safety_net.guard.interpret.effects.viewers import search_arguments

    arguments = search_arguments(execution)
    given = [option.value for option in arguments.options if option.name == "e"]
    words = [word for word in given if word is not None]
    if not any(option.role == "supplied" for option in arguments.options):
        words = list(arguments.operands[:1])
    texts = [text for word in words for text in (word.texts or ())]
    search = Search(texts, program)
    names = {option.name for option in arguments.options}
    search.extended = program != "grep" or bool(names & {"E", "P"})
    search.fixed = program == "fgrep" or bool(names & {"F", "Q", "literal"})
    search.fold = bool(names & {"i", "ignore-case", "S", "smart-case", "y"})
    search.inverted = "v" in names or "invert-match" in names
    search.hidden = not _SKIP_HIDDEN[program] or bool(names & _SEES_HIDDEN)
    if program == "rg" and "u" in names:
        # Once: what `.gitignore` names; twice: hidden files too.
        flags = [word.text or "" for word in execution.argv[1:]]
        search.hidden = sum(f.count("u") for f in flags if f[:1] == "-" and f[:2] != "--") > 1
    search.ignores = program in ("rg", "ag", "pt") and not names & _SEES_IGNORED
    _add_filters(search, arguments.options)
    return search


def _of_where(execution: Execution) -> Search:
    """`Where-Object Name -like 'x*'`, `Where-Object { $_.Name -eq 'x' }`."""
    text = " ".join(word.text or "" for word in execution.argv[1:])
    for mark in "'\"{}*":
        text = text.replace(mark, " ")
    words = text.split()
    operators = [at for at, word in enumerate(words[:-1]) if word.lower() in _COMPARES]
    by_name = any(word.lower() in ("name", "key", "$_.name", "$_.key") for word in words)
    patterns = [words[at + 1] for at in operators] if by_name else []
    return Search(patterns if len(patterns) == 1 else [], execution.program)


def _of_windows(execution: Execution) -> Search:
    """`findstr /i "a b" files`, `Select-String a`: the first word that is no switch."""
    pattern = ""
    inverted = False
    if execution.program == "where-object":
        return _of_where(execution)
    for word in execution.argv[1:]:
        text = word.text or ""
        lower = text.lower()
        if lower.startswith("/c:"):
            pattern = pattern or text[3:]
        elif lower in ("/v", "-notmatch"):
            inverted = True
        elif not lower.startswith(("/", "-")):
            pattern = pattern or text
    search = Search([pattern] if pattern else [], execution.program)
    search.fold, search.inverted = True, inverted
    return search


def _add_filters(search: Search, options: Sequence[object]) -> None:
    for option in options:
        value = getattr(option, "value", None)
        text = value.text if value is not None else None
        name = getattr(option, "name", "")
        if not text:
            continue
        if name == "include":
            search.only.append(text)
        elif name in ("exclude", "exclude-dir", "ignore", "ignore-dir"):
            search.without.append(text)
        elif name in ("g", "iglob"):
            if text[0] == "!":
                search.without.append(text[1:])
            else:
                search.only.append(text)
        elif name in ("t", "type") and search.program in ("rg", "ag", "ack"):
            search.only.append("*." + text)
