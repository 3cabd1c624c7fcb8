"""A whole tree that is searched, packed or copied: does it hold secrets that come out?"""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.limits import DIRECTORY_ENTRIES
from cc_safety_net.guard.paths import is_below, join, normalise
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import FileAccess
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.secrets.matching import Secret
    from cc_safety_net.guard.rules.secrets.searching import Search

_SKIPPED = frozenset((".git", "node_modules"))
_PATTERN_KEYS = frozenset(
    ("pattern", "query", "regex", "regexp", "search", "searchpattern", "searchterm", "text")
)
_NAME_MODES = frozenset(("files_with_matches", "count", "files", "filenames", "files_only"))
#: Modes in which a tree is packed or taken elsewhere.
_TAKEN = frozenset(("metadata", "read", "use"))


def judge(access: FileAccess, context: Context) -> Iterator[Finding]:
    """Findings for one access to a whole tree."""
    if access.mode == "read" and not access.names:
        search = _search(access, context)
        if search is not None:
            yield from _searched(access, search, context)
            return
    if access.mode in _TAKEN:
        yield from _taken(access, context)


def _starts(access: FileAccess, context: Context) -> Iterator[str]:
    for choice in access.path.choices:
        text = literal(choice)
        for cwd in access.cwds or (context.place.directory,):
            if text is not None and (cwd is not None or text.startswith("/")):
                yield normalise(join(cwd or "/", text))


# --- searches ------------------------------------------------------------------------------------


def _search(access: FileAccess, context: Context) -> Search | None:
    if access.execution is not None:
        from cc_safety_net.guard.rules.secrets.searching import search_of

        return search_of(access.execution)
    if names_only_tool(context):
        return None
    from cc_safety_net.guard.tool_names import kind_of

    if kind_of(access.via) != "search":
        return None
    found: Search | None = context.memo.get("trees.search")
    if found is None:
        found = context.memo["trees.search"] = _search_of_tool(context)
    return found


def _search_of_tool(context: Context) -> Search:
    """What the arguments of a search tool look for."""
    from cc_safety_net.guard.rules.secrets.searching import Search
    from cc_safety_net.guard.tools.arguments import items

    patterns = []
    search = Search((), "")
    search.ignores = True
    for key, value in items(context.call.arguments):
        if key in _PATTERN_KEYS and isinstance(value, str):
            patterns.append(value)
        elif key in ("i", "caseinsensitive", "ignorecase"):
            search.fold = value is True
        elif key == "casesensitive":
            search.fold = value is False
        elif key in ("noignore", "includeignored", "nogitignore"):
            search.ignores = value is not True
        elif key in ("fixedstrings", "literal"):
            search.fixed = value is True
        elif key in ("isregex", "isregexp", "regexsearch"):
            search.fixed = value is False
        elif key == "type" and isinstance(value, str):
            search.only.append("*." + value)
        elif key in ("exclude", "excludes", "excludepattern") and isinstance(value, str):
            search.without.append(value)
    search.patterns = tuple(patterns)
    return search


def names_only_tool(context: Context) -> bool:
    """A search tool that was told to give names or counts alone."""
    arguments = context.call.arguments
    for key in ("output_mode", "outputMode", "mode", "MatchPerLine"):
        value = arguments.get(key)
        if value is False or (isinstance(value, str) and value in _NAME_MODES):
            return True
    return arguments.get("files_only") is True or arguments.get("names_only") is True


def _searched(access: FileAccess, search: Search, context: Context) -> Iterator[Finding]:
    if not search.patterns and not search.inverted:
        return
    from cc_safety_net.guard.rules.secrets.reach import NAMES, USED, fate

    if access.execution is not None and fate(access.execution) in (NAMES, USED):
        return
    for start in _starts(access, context):
        secret = _found_below(start, search, context)
        if secret is not None:
            yield _finding(access, search, secret, start, context)
            return


def _found_below(start: str, search: Search, context: Context) -> Secret | None:
    """The first secret file below the start that the search opens and that holds the pattern."""
    from cc_safety_net.guard.rules.secrets.contents import sniff
    from cc_safety_net.guard.rules.secrets.matching import of_text
    from cc_safety_net.guard.rules.secrets.uses import denied_reading

    if not context.world.is_directory(start):
        return None
    ignored = _ignored(start, context) if search.ignores else ()
    for path in files_below(start, context):
        below = path[len(start.rstrip("/")) + 1 :]
        secret = of_text(path, "/", context)
        if secret is None or search.skips(below) or _is_ignored(below, ignored):
            continue
        if not denied_reading(secret, context):
            continue
        text = sniff(path, context)
        if text is not None and search.finds(text):
            return secret
    return None


def files_below(start: str, context: Context) -> Iterator[str]:
    """Files below the start, breadth first, within the limit of entries."""
    left = DIRECTORY_ENTRIES
    places = [start.rstrip("/")]
    for place in places:
        names = context.world.names(place or "/", left) or []
        left -= len(names)
        context.effort.spend(1 + len(names), "a search through a tree")
        for name in names:
            path = f"{place}/{name}"
            status = context.world.status(path)
            if status is None:
                continue
            if status.kind == "file":
                yield path
            elif status.kind == "directory" and name not in _SKIPPED:
                places.append(path)
        if left <= 0:
            return


def _ignored(start: str, context: Context) -> list[str]:
    """Names in the `.gitignore` of the start and of its root that stand for themselves."""
    found: list[str] = []
    for place in dict.fromkeys((start, context.place.root_of(start) or start)):
        text = context.world.text(join(place, ".gitignore"), 65_536) or ""
        for line in text.split("\n"):
            name = line.strip().strip("/")
            if name and name[0] not in "#!" and "/" not in name:
                found.append(name)
            elif name.startswith("!") and name[1:] in found:
                found.remove(name[1:])
    return found


def _is_ignored(path: str, ignored: list[str] | tuple[str, ...]) -> bool:
    from cc_safety_net.guard.rules.patterns import matches

    parts = path.split("/")
    return any(matches(name, part) for name in ignored for part in parts)


def _finding(
    access: FileAccess, search: Search, secret: Secret, start: str, context: Context
) -> Finding:
    name = secret.path.rpartition("/")[2]
    command = ""
    execution = access.execution
    if execution is not None and not execution.chain:
        command = (context.call.command or "")[execution.start : execution.end]
    instead = f"Search where no secrets lie, or leave {name} out of the search."
    if command and "\n" not in command:
        if search.program in ("rg", "ug"):
            instead = f"{command} -g {quote('!' + name)}"
        elif search.program not in ("ag", "ack", "pt"):
            instead = f"{command} --exclude={quote(name)}"
    return Finding(
        "secret.recursive-read",
        command or access.path.text or start,
        access.start,
        access.end,
        chain=access.chain,
        values={"instead": instead, "path": quote(secret.path)},
        why=f"The search opens {secret.path}, which holds secrets, and a line of it matches.",
        target=secret.path,
    )


# --- archives and copies -------------------------------------------------------------------------


def _taken(access: FileAccess, context: Context) -> Iterator[Finding]:
    """A directory above a store of the home is packed or copied whole."""
    from cc_safety_net.guard.rules.secrets.uses import ARCHIVERS

    if access.destination is None and access.via not in ARCHIVERS:
        return
    from cc_safety_net.guard.rules.secrets import table
    from cc_safety_net.guard.rules.secrets.matching import of_text
    from cc_safety_net.guard.rules.secrets.uses import READ, finding

    home = context.place.home
    for start in _starts(access, context):
        if context.place.root_of(start) or not (
            start == home or is_below(home, start) or is_below(start, home)
        ):
            continue
        for entry, rule in table.STORES:
            path = f"{home}/{entry.rstrip('/')}"
            if rule and is_below(path, start) and context.world.exists(path):
                secret = of_text(path, "/", context)
                if secret is not None:
                    yield finding(secret, READ, access, context)
                    return
