"""Findings for a path that may be one of ours: by what it is, by where it leads, by the result."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Glob, Unknown, literal, prefix, shown
from cc_safety_net.guard.paths import basename, is_inside, join, normalise, parent
from cc_safety_net.guard.rules.self_protection import agent_files as tables
from cc_safety_net.guard.rules.self_protection.protected import Guarded, protected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import FileAccess, Pieces, Word
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.self_protection.protected import Protected

#: Changes that take or replace a directory with all that is in it.
_TAKING = frozenset(("delete", "move", "link", "permissions"))
_SEARCHES = frozenset(("find", "gfind", "bfs"))
_DISTINCT = frozenset(
    (
        "policy.json",
        "trust.json",
        "rules.lock.json",
        "rules",
        "logs",
        "permissions",
        "denials",
        "current",
    )
)
_TITLES = {
    "claude-code": "Claude Code",
    "codex": "Codex",
    "gemini-cli": "Gemini CLI",
    "copilot-cli": "Copilot CLI",
    "cursor": "Cursor",
    "antigravity-cli": "Antigravity CLI",
    "kimi-code": "Kimi Code",
    "grok-build": "Grok Build",
    "hermes-agent": "Hermes Agent",
    "openclaw": "OpenClaw",
    "opencode": "OpenCode",
    "pi": "Pi",
    "amp": "Amp",
    "devin": "Devin",
}
_WHAT = {
    "self.policy": "belongs to the guard's policy",
    "self.state": "belongs to the guard's records",
    "self.audit-log": "belongs to the guard's log",
    "self.runtime": "belongs to the guard's runtime",
    "self.project-policy": "belongs to this project's policy for the guard",
}


def findings(access: FileAccess, context: Context) -> Iterator[Finding]:
    """At most one finding for an access."""
    guarded = _guarded(access, context)
    if guarded is not None:
        yield _finding(guarded, access)


def made(access: FileAccess, context: Context) -> Iterator[Finding]:
    """A name that is made, where nothing but ours may be; a shared file it leaves as it is."""
    ours = protected(context)
    for choice, cwd in _places(access.path, access, context):
        found = _source(choice, cwd, ours, context)
        if found is not None and found.form in ("", tables.OURS):
            yield _finding(found, access)
            return


def _guarded(access: FileAccess, context: Context) -> Guarded | None:
    ours = protected(context)
    for choice, cwd in _places(access.path, access, context):
        found = _of_choice(choice, cwd, access, ours, context)
        if found is not None:
            return found
    if access.source is not None and (
        access.mode == "link" or (access.via == "git" and access.mode == "write")
    ):
        # A second name for the file; what `git mv` takes away.
        for choice, cwd in _places(access.source, access, context):
            found = _source(choice, cwd, ours, context)
            if found is None and access.via == "git":
                found = _source_holds(choice, cwd, ours)
            if found is not None:
                return found
    return None


def _source_holds(choice: Pieces, cwd: str | None, ours: Protected) -> Guarded | None:
    """`git mv` takes a directory with all that is in it."""
    text = literal(choice)
    if text is None or (cwd is None and not text.startswith("/")):
        return None
    return ours.below(normalise(join(cwd or "/", text)))


def _places(
    word: Word, access: FileAccess, context: Context
) -> Iterator[tuple[Pieces, str | None]]:
    for choice in word.choices:
        for cwd in access.cwds or (context.place.directory,):
            yield choice, cwd


def _source(choice: Pieces, cwd: str | None, ours: Protected, context: Context) -> Guarded | None:
    text = literal(choice)
    if text is None or (cwd is None and not text.startswith("/")):
        return None
    path = normalise(join(cwd or "/", text))
    return ours.match(path) or ours.match(context.world.resolve(path))


def _of_choice(
    choice: Pieces,
    cwd: str | None,
    access: FileAccess,
    ours: Protected,
    context: Context,
) -> Guarded | None:
    text = literal(choice)
    if text is None:
        return _of_pattern(choice, cwd, access, ours, context)
    if cwd is None and not text.startswith("/"):
        return _named("/" + text)
    host = _on_host(normalise(join(cwd or "/", text)), access)
    if host is None:
        return None
    for path in _spellings(host, text, access, context):
        found = ours.match(path)
        if found is not None:
            return None if _harmless(found, access, context) else found
        found = _taken(path, access, ours, context)
        if found is not None:
            return found
    return _hard_linked(host, access, ours, context)


def _harmless(guarded: Guarded, access: FileAccess, context: Context) -> bool:
    if guarded.form in ("", tables.OURS):
        return False
    from cc_safety_net.guard.rules.self_protection.outcome import leaves_us

    return leaves_us(guarded, access, context)


def _on_host(path: str, access: FileAccess) -> str | None:
    """The path on this machine, None for one inside a box that no mount shows."""
    if access.scope.kind == "local":
        return path
    for inside, host in access.scope.mounts:
        if host and is_inside(path, inside):
            return normalise(host + path[len(inside.rstrip("/")) :])
    return None


def _spellings(path: str, text: str, access: FileAccess, context: Context) -> Iterator[str]:
    """As written, through links that the text makes, and as resolved on disk."""
    yield path
    world = context.world
    for link, target in _links(context, access):
        if is_inside(path, link) and path != link:
            yield normalise(target + path[len(link) :])
    if access.mode in ("delete", "move", "link") and not text.endswith(("/", "/.")):
        # The last component is taken itself, not what it points to.
        resolved = join(world.resolve(parent(path)), basename(path))
    else:
        resolved = world.resolve(path)
    if resolved != path:
        yield resolved


def _links(context: Context, before: FileAccess) -> list[tuple[str, str]]:
    """(link, what it leads to) for links made by the text itself."""
    known = context.memo.get("self-made-links")
    if known is None:
        known = context.memo["self-made-links"] = _made_links(context)
    links, numbers = known
    context.effort.spend(len(links) // 4, "links that the text makes")
    number = numbers.get(id(before), len(numbers))
    return [(link, target) for at, link, target in links if at < number]


def _made_links(context: Context) -> tuple[list[tuple[int, str, str]], dict[int, int]]:
    """Links with the number of the access that makes them, and each access's number if any is."""
    found = []
    for number, access in enumerate(context.reading.accesses):
        if access.mode != "link" or access.source is None or len(access.cwds) != 1:
            continue
        link, target, cwd = access.path.text, access.source.text, access.cwds[0]
        if link and target and cwd is not None:
            resolved = context.world.resolve(normalise(join(cwd, target)))
            found.append((number, normalise(join(cwd, link)), resolved))
    accesses = context.reading.accesses if found else ()
    return found, {id(access): number for number, access in enumerate(accesses)}


def _taken(path: str, access: FileAccess, ours: Protected, context: Context) -> Guarded | None:
    """A directory that is deleted, moved, replaced or filled, with something of ours in it."""
    mode = access.mode
    if mode in _TAKING:
        if mode == "delete" and not access.recursive:
            return None
        if mode == "permissions" and not access.recursive and not ours.is_folder(path):
            return None
        names = _names_of(access)
        return _searched(path, names, ours, context) if names else ours.below(path)
    if mode == "write" and access.recursive:
        return _filled(path, access, ours, context)
    return None


def _names_of(access: FileAccess) -> list[str]:
    """The names that a search with `-delete` takes; [] if it takes all."""
    execution = access.execution
    if not access.recursive or execution is None or execution.program not in _SEARCHES:
        return []
    return [
        word.text or "*"
        for option, word in zip(execution.argv, execution.argv[1:], strict=False)
        if option.text in ("-name", "-iname")
    ]


def _searched(path: str, names: Sequence[str], ours: Protected, context: Context) -> Guarded | None:
    from cc_safety_net.guard.rules.patterns import matches

    seen: dict[object, Guarded | None] = context.memo.setdefault("searched", {})
    key = (path, *names)
    if key in seen:
        return seen[key]
    seen[key] = None
    for guarded in ours.candidates():
        if is_inside(guarded.path, path) and _counts(guarded, context):
            name = basename(guarded.path)
            if any(matches(pattern, name, fold=True) for pattern in names):
                seen[key] = guarded
                break
    return seen[key]


def _filled(path: str, access: FileAccess, ours: Protected, context: Context) -> Guarded | None:
    """A tree that is copied or unpacked into a directory: what does it bring?"""
    world = context.world
    brought = _tree(access, context)
    if brought is not None:
        for rest, guarded in ours.inside(path):
            if "*" in rest:
                if _has(brought, rest, context):
                    return guarded
            elif rest and world.exists(join(brought, rest)):
                return guarded
        return None
    listed = _archive(access, context)
    if listed is not None:
        return next((g for rest, g in ours.inside(path) if rest and _lists(listed, rest)), None)
    if is_inside(world.home, path) or ours.is_folder(path):
        return next((g for rest, g in ours.inside(path) if rest), None)
    return None


def _tree(access: FileAccess, context: Context) -> str | None:
    """The directory that is copied, None if it is not there or comes out of an archive."""
    if access.source is None:
        return None
    text, cwd = access.source.text, access.cwds[0] if access.cwds else None
    if text is None or (cwd is None and not text.startswith("/")):
        return None
    path = normalise(join(cwd or "/", text))
    return path if context.world.is_directory(path) else None


def _has(directory: str, rest: str, context: Context) -> bool:
    from cc_safety_net.guard.rules.patterns import matches

    head, _, tail = rest.partition("/")
    if "*" not in head:
        below = join(directory, head)
        return _has(below, tail, context) if tail else context.world.exists(below)
    for name in context.world.names(directory, 200) or ():
        if matches(head, name):
            below = join(directory, name)
            if not tail or _has(below, tail, context):
                return True
    return False


def _archive(access: FileAccess, context: Context) -> bytes | None:
    """The names in an archive on disk, as its bytes; None if they can't be seen."""
    execution = access.execution
    if execution is None:
        return None
    from cc_safety_net.guard.rules.self_protection.archives import names_in

    return names_in(execution, context)


def _lists(listed: bytes, rest: str) -> bool:
    """An archive has this path, or something below it, in its list of names."""
    fixed = rest.partition("*")[0].rstrip("/") if "*" in rest else rest
    return fixed.encode("utf-8", "surrogateescape") in listed


def _of_pattern(
    choice: Pieces,
    cwd: str | None,
    access: FileAccess,
    ours: Protected,
    context: Context,
) -> Guarded | None:
    """A word with patterns or unknown parts: could it be one of ours?"""
    start = prefix(choice)
    if not start or (cwd is None and not start.startswith("/")):
        first = choice[0] if choice else ""
        if isinstance(first, Unknown) and first.why != "find":
            return _after_unknown(first, choice, access, ours, context)
        if cwd is None:
            return None
    below = normalise(join(cwd or "/", start.rpartition("/")[0])) if "/" in start else cwd or "/"
    if len(choice) > 1 and isinstance(choice[1], Unknown) and choice[1].why == "find":
        return _of_search(below, choice[2:], ours, context)
    from cc_safety_net.guard.rules.patterns import pattern_of

    guessed = any(isinstance(piece, Unknown) for piece in choice)
    whole = pattern_of([Glob("*") if isinstance(piece, Unknown) else piece for piece in choice])
    if not start.startswith("/"):
        whole = normalise(cwd or "/").rstrip("/") + "/" + whole
    if _is_home_glob(whole, context.world.home):
        return None
    found = ours.match(below) if below != "/" else None
    if found is not None and found.form in ("", tables.OURS):
        return found
    taking = access.mode in _TAKING and (access.recursive or access.mode == "move")
    return _met(whole, taking, guessed, ours, context)


def _of_search(start: str, rest: Pieces, ours: Protected, context: Context) -> Guarded | None:
    """What a search hands on: any path below its start, or the start, with a name that fits."""
    from cc_safety_net.guard.rules.patterns import matches, pattern_of

    found = ours.match(start)
    if found is not None and found.form in ("", tables.OURS):
        return found
    name = pattern_of(rest).strip("/")
    for guarded in ours.candidates():
        if not is_inside(guarded.path, start) or not _counts(guarded, context):
            continue
        if not name or matches(name, basename(guarded.path), fold=True):
            return guarded
    return None


def _met(
    whole: str, taking: bool, guessed: bool, ours: Protected, context: Context
) -> Guarded | None:
    """The first of ours that a pattern over a whole path meets, or what lies above it.

    guessed: the pattern stands for unknown text, which need not be a name on disk.
    """
    from cc_safety_net.guard.rules.patterns import matches

    parts = whole.strip("/").split("/")
    for guarded in ours.candidates(new=guessed):
        names = guarded.path.strip("/").split("/")
        deeper = len(parts) > len(names)
        if (deeper and guarded.form not in ("", tables.OURS)) or (
            len(parts) < len(names) and not taking
        ):
            continue
        met = all(_meets(a, b, matches) for a, b in zip(parts, names, strict=False))
        if met and _counts(guarded, context):
            return guarded
    return None


def _meets(pattern: str, name: str, matches: object) -> bool:
    if pattern == name:
        return True
    if name.startswith(".") and pattern[:1] in ("*", "?", "["):
        return False
    if "*" in name:
        return "*" in pattern or matches(name, pattern)  # type: ignore[operator] # a function
    return bool(matches(pattern, name))  # type: ignore[operator] # a function


def _counts(guarded: Guarded, context: Context) -> bool:
    """Files of a project, the system or a cache must be there to be met; a home's need not."""
    roots = context.place.roots or (context.place.directory,)
    home = context.world.home
    if any(is_inside(guarded.path, root) for root in (*roots, home + "/.cache")):
        return context.world.exists(guarded.path)
    return is_inside(guarded.path, home) or context.world.exists(guarded.path)


def _is_home_glob(whole: str, home: str) -> bool:
    """`~/*`, `~/.*`: rules on the home answer."""
    head, _, last = whole.rpartition("/")
    if not is_inside(home, head or "/"):
        return False
    while "[" in last and "]" in last[last.index("[") + 2 :]:
        start = last.index("[")
        last = last[:start] + last[last.index("]", start + 2) + 1 :]
    return not last.strip("*.?")


def _after_unknown(
    first: Unknown, choice: Pieces, access: FileAccess, ours: Protected, context: Context
) -> Guarded | None:
    """`$CLAUDE_CONFIG_DIR/settings.json`, `$X/cc-safety-net/policy.json`."""
    tail = "".join(piece for piece in choice[1:] if isinstance(piece, str))
    for agent, (default, moved) in tables.HOMES.items():
        for variable, rest in moved:
            if first.name == variable:
                home = join(context.world.home, ".config" if variable[:3] == "XDG" else default)
                if rest and variable[:3] != "XDG":
                    home = parent(home)
                found = ours.match(normalise(home + tail)) or (
                    ours.below(normalise(home + tail)) if access.mode in _TAKING else None
                )
                if found is not None:
                    return found
                del agent
                break
    return _named(tail)


def _named(tail: str) -> Guarded | None:
    """The end of a path, somewhere, has the names of one of ours."""
    if "/.cc-safety-net/" in tail + "/":
        return Guarded("self.project-policy", tail)
    rest = (tail + "/").partition("/cc-safety-net/")[2].split("/")[0]
    if rest in _DISTINCT:
        return Guarded("self.policy", tail)
    parts = tail.strip("/").split("/")
    from cc_safety_net.guard.rules.patterns import matches

    for agent, pattern, form in tables.PROJECT_FILES:
        names = [name for name in pattern.split("/") if name != "**"]
        if len(names) > 1 and len(parts) >= len(names):
            ends = parts[-len(names) :]
            if all(matches(a, b) for a, b in zip(names, ends, strict=True)):
                return Guarded("self.hook-file", tail, agent, form)
    return None


def _hard_linked(
    path: str, access: FileAccess, ours: Protected, context: Context
) -> Guarded | None:
    """A second name of one of our files, made by an earlier call."""
    if access.mode not in ("write", "append", "truncate", "permissions"):
        return None
    world = context.world
    status = world.status(world.resolve(path))
    if status is None or status.links < 2 or status.kind != "file":
        return None
    for guarded in ours.candidates():
        context.effort.spend(2, "the guard's own files")
        other = world.status(guarded.path)
        if other is not None and (other.device, other.inode) == (status.device, status.inode):
            return guarded
    return None


def _finding(guarded: Guarded, access: FileAccess) -> Finding:
    # Only a denial needs the text of the command.
    from cc_safety_net.guard.rules.deletion import command_text

    path = shown(access.path.choices[0]) if access.path.choices else guarded.path
    named = path if path == guarded.path else f"{path} ({guarded.path})"
    execution = access.execution
    if execution is None:
        part = f"{access.via} {path}"
    else:
        part = command_text(execution)
        if access.via != execution.program and path not in part:
            part = f"{part} {access.via} {path}"
    what = _WHAT.get(guarded.rule, "")
    if guarded.rule == "self.hook-file":
        title = _TITLES.get(guarded.agent, "an agent")
        what = f"is one of the files by which {title} calls the guard"
    return Finding(
        guarded.rule,
        part,
        access.start,
        access.end,
        chain=access.chain,
        values={"path": path, "agent": guarded.agent},
        why=f"{named} {what}.",
        target=guarded.path,
    )
