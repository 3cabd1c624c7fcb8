"""What a search reaches: its starts, and the sample paths that its expression takes."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import known, shown
from cc_safety_net.guard.paths import is_inside, join
from cc_safety_net.guard.rules import targets
from cc_safety_net.guard.rules.find_expression import MAYBE, NO, YES, Sample, read_expression
from cc_safety_net.guard.rules.grounds import grounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.find_expression import Expression
    from cc_safety_net.guard.rules.targets import Target

FD = frozenset(("fd", "fdfind"))
_HEX = "0123456789abcdef0123456789abcdef012345"
#: First bytes of object names, so that each digit stands first and last once.
_BYTES = (
    "0f",
    "1e",
    "2d",
    "3c",
    "4b",
    "5a",
    "69",
    "78",
    "87",
    "96",
    "a5",
    "b4",
    "c3",
    "d2",
    "e1",
    "f0",
)
#: What every repository holds, below `.git`: names and kind. Names of refs don't count.
_GIT_FIXED = (
    ("", "d"),
    ("HEAD", "f"),
    ("config", "f"),
    ("index", "f"),
    ("packed-refs", "f"),
    ("description", "f"),
    ("ORIG_HEAD", "f"),
    ("FETCH_HEAD", "f"),
    ("COMMIT_EDITMSG", "f"),
    ("objects", "d"),
    ("objects/info", "d"),
    ("objects/pack", "d"),
    (f"objects/pack/pack-{_HEX}ab.pack", "f"),
    (f"objects/pack/pack-{_HEX}ab.idx", "f"),
    ("refs", "d"),
    ("refs/heads", "d"),
    ("logs", "d"),
    ("logs/HEAD", "f"),
    ("hooks", "d"),
    ("hooks/pre-commit.sample", "f"),
    ("hooks/pre-commit", "f"),
    ("info", "d"),
    ("info/exclude", "f"),
)
#: Names that no project has: a search that takes all of them is not narrowed by name.
ORDINARY = ("qzjxv", "wkvq7", "Yhqz-_3")


class Reach:
    """starts: (pieces, as written). takes: how surely the action is carried out for a sample.

    deletes: `-delete` does it; listed: another program is given the names.
    """

    __slots__ = (
        "deletes",
        "effort",
        "expression",
        "fd_narrow",
        "hidden",
        "listed",
        "numbers",
        "starts",
    )

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.starts: list[tuple[Pieces, str]] = []
        self.expression: Expression | None = None
        self.numbers: list[int] = []
        self.deletes = self.listed = False
        self.hidden = True
        self.fd_narrow = False

    def takes(self, start: str, sample: Sample) -> int:
        expression = self.expression
        if expression is None:
            return NO if self.fd_narrow or (not self.hidden and _hides(sample)) else YES
        self.effort.spend(expression.size, "the expression of a search")
        return max(
            (expression.reaches(number, start, sample) for number in self.numbers), default=NO
        )


def reach_of(search: Execution, action: str, program: str, context: Context) -> Reach:
    if search.program in FD:
        return _fd_reach(search, context)
    return _find_reach(search, action, program, context)


def _hides(sample: Sample) -> bool:
    return any(name.startswith(".") for name in sample.names)


def _find_reach(search: Execution, action: str, program: str, context: Context) -> Reach:
    reach = Reach(context.effort)
    expression = read_expression(search.argv[1:])
    reach.expression = expression
    reach.deletes = action == "delete"
    numbers = [i for i, found in enumerate(expression.actions) if found.kind == action]
    if action == "command" and program:
        # Of several commands the ones that name the program count.
        naming = [
            i
            for i in numbers
            if any(program in shown(word.choices[0]) for word in expression.actions[i].argv)
        ]
        numbers = naming or numbers
    reach.numbers = numbers
    for word in expression.starts or [known(".")]:
        reach.starts.extend((choice, shown(choice)) for choice in word.choices)
    return reach


def _fd_reach(search: Execution, context: Context) -> Reach:
    """fd: a pattern or an extension narrows it; hidden names only with an option."""
    reach = Reach(context.effort)
    reach.hidden = False
    operands: list[Pieces] = []
    words = search.argv[1:]
    at = 0
    while at < len(words):
        text = words[at].text
        at += 1
        if text in ("-x", "--exec", "-X", "--exec-batch"):
            break
        if text is None or not text.startswith("-") or text == "-":
            operands.append(words[at - 1].choices[0])
            continue
        if text in ("-H", "--hidden", "-u", "--unrestricted", "-uu", "-HI"):
            reach.hidden = True
        name = text.partition("=")[0]
        if name in ("-e", "--extension") or (text.startswith("-e") and not text.startswith("--")):
            reach.fd_narrow = True
        if text in _FD_VALUES:
            at += 1
    pattern = shown(operands[0]) if operands else ""
    if any(character.isalnum() for character in pattern) and ".git" not in pattern:
        reach.fd_narrow = True
    starts = operands[1:] or [(".",)]
    reach.starts = [(choice, shown(choice)) for choice in starts]
    return reach


_FD_VALUES = frozenset(
    (
        "-e",
        "--extension",
        "-t",
        "--type",
        "-d",
        "--max-depth",
        "--min-depth",
        "--exact-depth",
        "-E",
        "--exclude",
        "-S",
        "--size",
        "--changed-within",
        "--changed-before",
        "-o",
        "--owner",
        "-c",
        "--color",
        "-j",
        "--threads",
        "--max-results",
        "--base-directory",
        "--search-path",
        "--ignore-file",
    )
)


def takes_start(written: str, reach: Reach) -> bool:
    return reach.takes(written, Sample((), "d")) == YES


def is_bare(reach: Reach) -> bool:
    """Nothing but the kind of file and the depth limits the search."""
    samples = (Sample((ORDINARY[0],), "f"), Sample((ORDINARY[0],), "d"))
    return any(reach.takes(".", sample) == YES for sample in samples)


def is_narrowed(written: str, reach: Reach, tree: bool) -> bool:
    """A name, path or emptiness keeps the search from taking ordinary things."""
    if tree and reach.expression is not None and not reach.deletes and takes_start(written, reach):
        return False
    for kind in ("f", "d", "l") if tree else ("f", "l"):
        for above in ((), ("qzja", "qzjb")):
            samples = [Sample((*above, name), kind) for name in ORDINARY]
            if all(reach.takes(written, sample) >= MAYBE for sample in samples):
                return False
    return True


def reached_git(target: Target, written: str, reach: Reach, tree: bool, context: Context) -> str:
    """A sample of git's data that the search would delete, "" if there is none."""
    ground = grounds(context)
    if not target.path.startswith("/"):
        return ""
    start = target.path
    for directory in (*(join(root, ".git") for root in ground.roots), *ground.git_dirs):
        if is_inside(directory, start):
            above = [name for name in directory[len(start.rstrip("/")) + 1 :].split("/") if name]
            found = _first_taken(above, "", written, reach, tree)
        elif is_inside(start, directory):
            found = _first_taken([], start[len(directory) + 1 :], written, reach, tree)
            if not found and not is_narrowed(written, reach, tree):
                found = start
        else:
            continue
        if found:
            return found
    own = join(start, ".git")
    if context.world.is_directory(own) and own not in ground.git_dirs:
        found = _first_taken([".git"], "", written, reach, tree)
        if found:
            return found
    if target.kind not in (targets.INSIDE, targets.SELF) or not _asks_for_git(reach):
        return ""
    # Any directory may hold a repository; it is meant only if an ordinary name is not.
    if _first_taken(["qzja", "qzjb"], "", written, reach, tree):
        return ""
    return _first_taken(["qzja", ".git"], "", written, reach, tree)


def _asks_for_git(reach: Reach) -> bool:
    """A test of the expression names `.git`, so repositories in the tree are meant."""
    return reach.expression is not None and _mentions_git(reach.expression.node)


def _mentions_git(node: object) -> bool:
    if isinstance(node, tuple):
        if node[0] == "not":
            return False
        return any(_mentions_git(part) for part in node)
    return isinstance(node, str) and ".git" in node


def _first_taken(above: Sequence[str], below: str, written: str, reach: Reach, tree: bool) -> str:
    """The first sample that is taken. above: names from the start to the git directory; below:
    where in the git directory the start itself lies.
    """
    fixed = list(_GIT_FIXED)
    for digits in _BYTES:
        fixed.append((f"objects/{digits}", "d"))
        fixed.append((f"objects/{digits}/{digits[1]}{_HEX[1:]}", "f"))
    for text, kind in fixed:
        if below and not is_inside(text, below):
            continue
        rest = text[len(below) :].strip("/")
        names = [*above, *(name for name in rest.split("/") if name)]
        if kind == "d" and not tree:
            continue
        if reach.takes(written, Sample(names, kind)) >= MAYBE:
            return "/".join(names) or written
    return ""
