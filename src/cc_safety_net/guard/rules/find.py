"""What a search deletes: `find -delete`, `find -exec rm`, `find | xargs rm`, `fd -x rm`.

The expression is tried on sample paths: git's own files below the start, and ordinary names.
"""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import known, shown
from cc_safety_net.guard.paths import is_inside, join
from cc_safety_net.guard.rules import targets
from cc_safety_net.guard.rules.deletion import command_text, destinations, searched, values
from cc_safety_net.guard.rules.find_expression import MAYBE, NO, YES, Sample, read_expression
from cc_safety_net.guard.rules.grounds import grounds
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Pieces
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.find_expression import Expression
    from cc_safety_net.guard.rules.targets import Target

FIND = frozenset(("find", "gfind", "bfs"))
_LISTED_WORDS = 64
_ACTIONS = frozenset(
    ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch")
)
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
_ORDINARY = ("qzjxv", "wkvq7", "Yhqz-_3")


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """`find … -delete`."""
    if execution.program not in FIND or execution.scope.kind != "local":
        return ()
    if not any(word.text == "-delete" for word in execution.argv):
        return ()
    return _judged(execution, "delete", "", execution, None, context)


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """A path that another program deletes because a search named it."""
    if access.mode not in ("delete", "move") or access.scope.kind != "local":
        return ()
    search = searched(access)
    if search is None or search.scope.kind != "local":
        return ()
    inside = any(label.startswith(("find -", "gfind -", "fd")) for label in access.chain)
    return _judged(
        search, "command" if inside else "print", access.via, access.execution, access, context
    )


def _judged(
    search: Execution,
    action: str,
    program: str,
    execution: Execution | None,
    access: FileAccess | None,
    context: Context,
) -> Iterable[Finding]:
    reach = _reach(search, action, program, context)
    reach.listed = action == "print"
    tree = access is None or access.recursive
    found: dict[str, Finding] = {}
    for choice, written in reach.starts:
        for cwd in search.cwds or (context.place.directory,):
            context.effort.spend(200, "what a search reaches")
            target = targets.classify_choice(choice, cwd, context, start=search.start)
            rule, why = _verdict(target, written, reach, tree, access, context)
            rules = (rule,) if rule != _CATASTROPHIC else (rule, _named(access))
            for each in rules:
                if each and each not in found:
                    place = execution or search
                    found[each] = _finding(each, why, target, search, place, context)
    return list(found.values())


def _finding(
    rule: str,
    why: str,
    target: Target,
    search: Execution,
    place: Execution,
    context: Context,
) -> Finding:
    return Finding(
        rule,
        command_text(search),
        place.start,
        place.end,
        chain=place.chain,
        values={**values(target, context), "listing": _listing(search)},
        why=why,
        target=target.path,
    )


def _named(access: FileAccess | None) -> str:
    """The rule for what the search does with what it finds."""
    return "find.delete" if access is None or not access.recursive else _EXEC


def _listing(search: Execution) -> str:
    """The same search, only printing what it finds."""
    words: list[str] = []
    for word in search.argv:
        if word.text in _ACTIONS or len(words) > _LISTED_WORDS:
            break
        text = shown(word.choices[0])
        words.append(quote(text) if word.text is not None else text)
    return " ".join(words)


def taken_files(access: FileAccess, context: Context) -> Iterator[str]:
    """Existing files that a search hands to the program of `access`, as far as they are looked at.

    Breadth first, within the limit on directory entries, not into `.git` and `node_modules`.
    """
    search = searched(access)
    if search is None:
        return
    action = "command" if any(label.startswith("find -") for label in access.chain) else "print"
    yield from files_of(search, action, access.via, context)


def files_of(search: Execution, action: str, program: str, context: Context) -> Iterator[str]:
    """Existing files for which a search carries out the action (`command`, `print`, `delete`)."""
    reach = _reach(search, action, program, context)
    left = limits.DIRECTORY_ENTRIES
    for choice, written in reach.starts:
        for cwd in search.cwds or (context.place.directory,):
            target = targets.classify_choice(choice, cwd, context, start=search.start)
            todo: list[tuple[str, ...]] = [()]
            for names in todo:
                path = join(target.path, "/".join(names)) if names else target.path
                for name in context.world.names(path, max(left, 1)) or ():
                    left -= 1
                    if left < 0:
                        return
                    context.effort.spend(20, "the files that a search finds")
                    inner = (*names, name)
                    if context.world.is_directory(join(path, name)):
                        if name not in (".git", "node_modules"):
                            todo.append(inner)
                    elif reach.takes(written, Sample(inner, "f")) >= MAYBE:
                        yield join(path, name)


def aimed_name(
    search: Execution, action: str, program: str, names: Sequence[str], context: Context
) -> str:
    """The first of these names that a search is narrowed to; "" if it takes any file."""
    reach = _reach(search, action, program, context)
    for _, written in reach.starts:
        if any(reach.takes(written, Sample((name,), "f")) for name in _ORDINARY):
            continue
        for name in names:
            if reach.takes(written, Sample((name,), "f")) != YES:
                continue
            # Where it takes the like of it too, it is narrowed to something else.
            likes = (_ORDINARY[0] + name[name.rfind(".") :], ".git" + _ORDINARY[0])
            if not any(reach.takes(written, Sample((like,), "f")) for like in likes):
                return name
    return ""


class _Reach:
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


def _reach(search: Execution, action: str, program: str, context: Context) -> _Reach:
    if search.program in FD:
        return _fd_reach(search, context)
    return _find_reach(search, action, program, context)


def _hides(sample: Sample) -> bool:
    return any(name.startswith(".") for name in sample.names)


def _find_reach(search: Execution, action: str, program: str, context: Context) -> _Reach:
    reach = _Reach(context.effort)
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


def _fd_reach(search: Execution, context: Context) -> _Reach:
    """fd: a pattern or an extension narrows it; hidden names only with an option."""
    reach = _Reach(context.effort)
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


def _verdict(
    target: Target,
    written: str,
    reach: _Reach,
    tree: bool,
    access: FileAccess | None,
    context: Context,
) -> tuple[str, str]:
    """(rule, why) for one start; ("", "") if the search may delete there."""
    rule = _named(access)
    kind = target.kind
    if kind in (targets.ROOT, targets.HOME):
        bare = tree and not _narrowed(written, reach, tree) and _is_bare(reach)
        return (_CATASTROPHIC if bare else rule), target.reason
    git = _reached_git(target, written, reach, tree, context)
    if git and kind != targets.TEMP:
        return "find.delete-git-metadata", f"The search can reach git's own data ({git})."
    kept = access is not None and access.mode == "move" and _keeps(access, context)
    if kind == targets.SYSTEM:
        if target.path in grounds(context).temps and not _takes_start(written, reach):
            return "", ""
        return rule, target.reason
    if kind == targets.SELF:
        root = target.path in grounds(context).roots
        if root and (kept or _narrowed(written, reach, tree)):
            return _paranoid(reach, access)
        return rule, target.reason
    if kind == targets.OUTSIDE:
        if target.rebuildable or kept or _trashed(access):
            return "", ""
        return rule, target.reason
    if kind == targets.INSIDE:
        return _paranoid(reach, access)
    if kind == targets.UNKNOWN:
        return _unknown(target)
    return "", ""


_CATASTROPHIC = "rm.recursive-force-root-or-home"
_EXEC = "find.exec-rm-recursive-force"


def _paranoid(reach: _Reach, access: FileAccess | None) -> tuple[str, str]:
    """Inside, paranoid denies what a search deletes by itself, and whole directories."""
    if access is not None and (access.mode == "move" or reach.listed) and not _destroys(access):
        return "", ""
    return "rm.recursive-force-paranoid", ""


def _destroys(access: FileAccess) -> bool:
    return access.mode == "delete" and access.recursive


def _unknown(target: Target) -> tuple[str, str]:
    empty = target.empty
    if empty is not None and empty.kind in (targets.ROOT, targets.HOME, targets.SELF):
        return (
            "rm.possibly-empty-prefix",
            f"If the unknown part of {target.shown} is empty, {empty.reason}",
        )
    return "rm.recursive-force-dynamic-target", target.reason


def _trashed(access: FileAccess | None) -> bool:
    return access is not None and access.via.partition(" ")[0] in ("trash", "trash-put", "gio")


def _keeps(access: FileAccess, context: Context) -> bool:
    return all(targets.is_kept(path, context) for path in destinations(access, context))


def _takes_start(written: str, reach: _Reach) -> bool:
    return reach.takes(written, Sample((), "d")) == YES


def _is_bare(reach: _Reach) -> bool:
    """Nothing but the kind of file and the depth limits the search."""
    samples = (Sample((_ORDINARY[0],), "f"), Sample((_ORDINARY[0],), "d"))
    return any(reach.takes(".", sample) == YES for sample in samples)


def _narrowed(written: str, reach: _Reach, tree: bool) -> bool:
    """A name, path or emptiness keeps the search from taking ordinary things."""
    if tree and reach.expression is not None and not reach.deletes and _takes_start(written, reach):
        return False
    for kind in ("f", "d", "l") if tree else ("f", "l"):
        for above in ((), ("qzja", "qzjb")):
            samples = [Sample((*above, name), kind) for name in _ORDINARY]
            if all(reach.takes(written, sample) >= MAYBE for sample in samples):
                return False
    return True


def _reached_git(target: Target, written: str, reach: _Reach, tree: bool, context: Context) -> str:
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
            if not found and not _narrowed(written, reach, tree):
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


def _asks_for_git(reach: _Reach) -> bool:
    """A test of the expression names `.git`, so repositories in the tree are meant."""
    return reach.expression is not None and _mentions_git(reach.expression.node)


def _mentions_git(node: object) -> bool:
    if isinstance(node, tuple):
        if node[0] == "not":
            return False
        return any(_mentions_git(part) for part in node)
    return isinstance(node, str) and ".git" in node


def _first_taken(above: Sequence[str], below: str, written: str, reach: _Reach, tree: bool) -> str:
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
