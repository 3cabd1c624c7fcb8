"""Secrets whose paths a search, or another program's output, hands over (`find | xargs cat`)."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown
from cc_safety_net.guard.limits import DIRECTORY_ENTRIES
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.rules.secrets import names, table
from cc_safety_net.guard.rules.secrets.matching import Secret, of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import Execution, FileAccess
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.secrets.searching import Search

_FIND = frozenset(("find", "gfind", "bfs"))
_FD = frozenset(("fd", "fdfind"))
_FD_HIDDEN = frozenset(("-H", "--hidden", "-u", "-uu", "--unrestricted", "-HI", "-IH"))
_LISTING = frozenset(
    ("ls", "echo", "printf", "realpath", "readlink", "locate", "plocate", "mlocate", "mdfind")
)
_LS = frozenset(("ls", "gls", "dir", "vdir"))
_FEEDS = 16


def secrets_of(access: FileAccess, context: Context) -> Iterator[Secret]:
    """The secrets that may be handed to the program of the access."""
    if access.found and access.execution is not None and access.via in _FIND:
        yield from _of_search(access.execution, "delete", "", access, context)
        return
    seen: set[int] = set()
    for choice in access.path.choices:
        for piece in choice:
            if not isinstance(piece, Unknown):
                continue
            for origin in piece.origin:
                if id(origin) not in seen:
                    seen.add(id(origin))
                    yield from _of_origin(origin, access, context)


def _of_origin(origin: Execution, access: FileAccess, context: Context) -> Iterator[Secret]:
    for execution in _upstream(origin):
        context.effort.spend(8, "what a program prints")
        if execution.program in _FIND:
            inside = any(label.startswith(("find -", "gfind -", "bfs -")) for label in access.chain)
            action = "command" if inside else "print"
            yield from _of_search(execution, action, access.via, access, context)
            continue
        for path in _listed_files(execution, context):
            if _is_let_through(path, execution):
                secret = of_text(path, "/", context)
                if secret is not None:
                    yield Secret(secret.rule, secret.group, path, path, by_chance=True)
        for name in _printed_names(execution):
            entry = names.of_name(name.lower())
            if entry is not None:
                yield Secret(*entry, "", name)


def _upstream(origin: Execution) -> list[Execution]:
    """The execution, what narrows its output, and those that feed it."""
    found = [origin]
    if origin.fed is not None and origin.fed.program in ("egrep", "fgrep", "grep", "rg"):
        found.append(origin.fed)
    for execution in found:
        if len(found) < _FEEDS:
            found.extend(execution.feeds)
    return found


def _listed_files(execution: Execution, context: Context) -> Iterator[str]:
    """Existing files that `ls` or `git ls-files` names, in one directory or in the work tree."""
    words = [word.text for word in execution.argv[1:]]
    if execution.program in _LS:
        flags = "".join(word for word in words if word and word[0] == "-" and word[:2] != "--")
        hidden = "a" in flags or "A" in flags or "--all" in words or "--almost-all" in words
        operands = [word for word in words if word and word[0] != "-"] or ["."]
        for cwd in execution.cwds:
            for operand in operands:
                if cwd is None and operand[0] != "/":
                    continue
                place = normalise(join(cwd or "/", operand))
                for name in context.world.names(place, DIRECTORY_ENTRIES) or ():
                    context.effort.spend(1, "what a program lists")
                    if hidden or name[0] != ".":
                        yield join(place, name)
        return
    if execution.program != "git" or "ls-files" not in words:
        return
    from cc_safety_net.guard.rules.repository import tracked
    from cc_safety_net.guard.rules.secrets.trees import files_below

    others = not {"-o", "--others", "-co", "-oc"}.isdisjoint(word or "" for word in words)
    for cwd in execution.cwds:
        for path in files_below(cwd, context) if cwd else ():
            if of_text(path, "/", context) is None:
                continue
            if others or tracked(path, context.world):
                yield path


def _is_let_through(path: str, listing: Execution) -> bool:
    """The searches behind the listing let its name pass."""
    from cc_safety_net.guard.rules.secrets.searching import search_of

    reader = listing.fed
    name = path.rpartition("/")[2]
    while reader is not None:
        search = search_of(reader)
        if search is not None:
            hit = search.finds(name)
            if search.inverted:
                search.inverted = False
                hit = not search.finds(name)
            if not hit:
                return False
        reader = reader.fed
    return True


def _of_search(
    search: Execution, action: str, program: str, access: FileAccess, context: Context
) -> Iterator[Secret]:
    from cc_safety_net.guard.rules.find import aimed_name, files_of

    looked_for = _content_search(access)
    name = aimed_name(search, action, program, table.REPRESENTATIVES, context)
    entry = names.of_name(name) if name else None
    if entry is not None:
        yield Secret(*entry, "", name)
    if access.mode != "read" and access.destination is None:
        return
    for path in files_of(search, action, program, context):
        secret = of_text(path, "/", context)
        if secret is None:
            continue
        if looked_for is not None:
            from cc_safety_net.guard.rules.secrets.contents import sniff

            text = sniff(path, context)
            if text is None or not looked_for.finds(text):
                continue
        yield Secret(secret.rule, secret.group, path, path, by_chance=True)


def _content_search(access: FileAccess) -> Search | None:
    if access.execution is None or access.mode != "read":
        return None
    from cc_safety_net.guard.rules.secrets.searching import search_of

    return search_of(access.execution)


def _printed_names(execution: Execution) -> Iterator[str]:
    """Names that the output is narrowed to, or made of."""
    program = execution.program
    words = [word.text for word in execution.argv[1:]]
    operands = [word for word in words if word and word[0] != "-"]
    if program in _FD:
        if operands and not _FD_HIDDEN.isdisjoint(words):
            yield _plain(operands[0])
        return
    if program in _LISTING:
        for operand in operands:
            yield operand.rpartition("/")[2]
        return
    from cc_safety_net.guard.rules.secrets.searching import search_of

    search = search_of(execution)
    if search is not None and not search.inverted:
        for pattern in search.patterns:
            for part in pattern.replace("\\|", "|").split("|"):
                yield _plain(part)


def _plain(pattern: str) -> str:
    """A regular expression for one name, as that name."""
    return pattern.strip("^$/").replace("\\", "").strip("()")
