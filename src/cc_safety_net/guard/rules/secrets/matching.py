"""Which secret does a path of an access stand for? Spelling and resolved target are both asked.

Patterns and unknown parts are compared with the table, and with what is on the disk.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, literal, shown
from cc_safety_net.guard.limits import DIRECTORY_ENTRIES
from cc_safety_net.guard.paths import is_inside, join, normalise
from cc_safety_net.guard.rules.patterns import matches, pattern_of
from cc_safety_net.guard.rules.secrets import names, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import FileAccess, Pieces, Word
    from cc_safety_net.guard.rules.context import Context

#: Stands for a directory that is not known.
_SOMEWHERE = "\x01"
#: Of the literal characters of a name in the table, a pattern must have this part to aim at it.
_AIMED = 0.5


class Secret:
    """One file of the table.

    rule: its id. group: key of `table.GROUPS`. path: absolute, "" if it is not wholly known.
    shown: for a person. by_chance: it is among the files that a wide pattern stands for.
    """

    __slots__ = ("by_chance", "group", "path", "rule", "shown")

    def __init__(
        self, rule: str, group: str, path: str, text: str, *, by_chance: bool = False
    ) -> None:
        self.by_chance = by_chance
        self.rule = rule
        self.group = group
        self.path = path
        self.shown = text


def secrets_of(access: FileAccess, context: Context) -> Iterator[Secret]:
    """Every secret that the path of an access may lead to."""
    return of_word(access.path, access.cwds, context)


def of_word(word: Word, cwds: Sequence[str | None], context: Context) -> Iterator[Secret]:
    for choice in word.choices:
        if not choice:
            continue
        for cwd in cwds or (context.place.directory,):
            context.effort.spend(2, "a path")
            text = literal(choice)
            if text is None:
                yield from _of_pattern(choice, cwd, context)
                continue
            found = of_text(text, cwd, context)
            if found is not None:
                yield found


def of_text(text: str, cwd: str | None, context: Context) -> Secret | None:
    """A wholly known path."""
    text = text.removeprefix("file://") if text.startswith("file:///") else text
    if "://" in text:
        return None
    if text.startswith("~/"):
        text = context.place.home + text[1:]
    if cwd is None and not text.startswith("/"):
        path = "/" + _SOMEWHERE + normalise("/" + text)
        entry = _of_tail(path.lower(), context)
        return None if entry is None else Secret(*entry, "", text)
    path = normalise(join(cwd or "/", text))
    # Long texts name the same files again and again.
    seen: dict[str, names.Entry | None] = context.memo.setdefault("secret-paths", {})
    for candidate in (path, context.world.resolve(path)):
        lower = candidate.lower()
        if lower not in seen:
            seen[lower] = names.of_path(lower, context)
        entry = seen[lower]
        if entry is not None and not _is_allowed(entry[0], path, context):
            return Secret(*entry, candidate, text)
    return None


def _is_allowed(rule: str, path: str, context: Context) -> bool:
    """The person exempts the path; agents' and the system's own are never exempt."""
    policy = context.policy
    if policy is None or not policy.secret_allow_paths:
        return False
    if rule.startswith(("secret.cli.", "secret.system.")):
        return False
    from cc_safety_net.guard.policy import patterns

    resolved = context.world.resolve(path)
    return any(
        patterns.matches(pattern, path) and patterns.matches(pattern, resolved)
        for pattern in policy.secret_allow_paths
    )


def _of_tail(path: str, context: Context) -> names.Entry | None:
    """A path whose first directories are not known: it may begin at a home."""
    context.effort.spend(30, "a path")
    below = path.rpartition(_SOMEWHERE + "/")[2]
    return names.of_home(below) or names.of_path(path, context)


# --- patterns and unknown parts ------------------------------------------------------------------


def _of_pattern(choice: Pieces, cwd: str | None, context: Context) -> Iterator[Secret]:
    parts = _components(choice)
    directory = _fixed(parts, cwd)
    # `.[a-f]*` aims at the hidden files, of which there are few; `*` at whatever is there.
    hidden = bool(parts[-1]) and isinstance(parts[-1][0], str) and parts[-1][0].startswith(".")
    if hidden and parts[-1][0] == "." and directory is not None:
        # `~/.*` is the home as a whole, which the rules on deletion know.
        hidden = not is_inside(context.place.home, directory)
    for path in _on_disk(parts, directory, context):
        entry = names.of_path(path.lower(), context)
        if entry is not None and not _is_allowed(entry[0], path, context):
            yield Secret(*entry, path, path, by_chance=not hidden)
    last = parts[-1]
    text = literal(last)
    entry = None
    if directory is not None:
        entry = _below_store(parts, directory, context)
        if text is None and len(parts) - _count_literal(parts) == 1:
            beside = _beside(pattern_of(last).lower(), directory, context)
            if beside is not None:
                yield Secret(*beside, "", shown(choice), by_chance=True)
    if entry is None and text is not None:
        whole = "/" + _SOMEWHERE + "/" + "/".join(_literal_tail(parts))
        entry = _of_tail(whole.lower(), context)
    elif entry is None:
        entry = _aimed_at(last, parts, directory, context)
    if entry is None or (directory and _is_allowed(entry[0], directory + "/x", context)):
        return
    yield Secret(*entry, "", shown(choice))


def _components(choice: Pieces) -> list[Pieces]:
    """The path's components; what is unknown stays in the one where it stands."""
    parts: list[list[str | Unknown | Glob]] = [[]]
    for piece in choice:
        if not isinstance(piece, str):
            parts[-1].append(piece)
            continue
        head, *rest = piece.split("/")
        if head:
            parts[-1].append(head)
        parts.extend([text] if text else [] for text in rest)
    absolute = not parts[0] and len(parts) > 1
    kept = [tuple(part) for part in parts if part and part != ["."]]
    return [(), *kept] if absolute else kept or [()]


def _fixed(parts: list[Pieces], cwd: str | None) -> str | None:
    """The directory in front of the first component that is not literal; None if not known."""
    first = parts[0]
    if first and not isinstance(first[0], (str, Glob)):
        return None
    fixed = []
    for part in parts:
        text = literal(part)
        if text is None:
            break
        fixed.append(text)
    path = "/".join(fixed) if not first else join(cwd or _SOMEWHERE, "/".join(fixed))
    if path.startswith(_SOMEWHERE):
        return None
    return normalise(path or "/")


def _literal_tail(parts: list[Pieces]) -> list[str]:
    tail: list[str] = []
    for part in reversed(parts):
        text = literal(part)
        if not text:
            break
        tail.append(text)
    tail.reverse()
    return tail


def _below_store(parts: list[Pieces], directory: str, context: Context) -> names.Entry | None:
    """The unknown part lies in a store, whatever it is called."""
    last = pattern_of(parts[-1]).lower()
    plain = last.replace("*", "\x02").replace("?", "\x02")
    entry = names.of_path(f"{directory.lower().rstrip('/')}/{plain}", context)
    if entry is None and not context.world.is_directory(directory):
        # What a search finds below a file is the file.
        return names.of_path(directory.lower(), context)
    return entry if entry is not None and entry[1] in ("home", "agent", "system") else None


def _beside(pattern: str, directory: str, context: Context) -> names.Entry | None:
    """The pattern takes a file of a store, in the very directory where that lies."""
    for place in names.home_relative(directory.lower() + "/x", context):
        head = place[:-1]
        for entry, rule in (*table.AGENTS, *table.STORES):
            name = entry[len(head) :]
            if not entry.startswith(head) or not head or "/" in name or "*" in name or not name:
                continue
            if matches(pattern, name) and (name[0] != "." or pattern[0] == "."):
                return (rule, "agent" if rule.startswith("secret.cli.") else "home")
    return None


def _aimed_at(
    last: Pieces, parts: list[Pieces], directory: str | None, context: Context
) -> names.Entry | None:
    """A name with wildcards or unknown parts that means one of the table."""
    pattern = pattern_of(last).lower()
    start = last[0].lower() if last and isinstance(last[0], str) else ""
    # What is fixed at both ends is a name of its kind: `*.pem`, `.env.$MODE`, `deploy-*_rsa`.
    directories = [(literal(part) or "").lower() for part in parts[:-1]]
    whole = (directory or "").lower().split("/")
    entry = names.of_name(_filled(last).lower(), whole + directories)
    if entry is not None:
        parent = directory or "/".join(directories)
        if entry[1] == "key-header" and names.has_public_name(f"{parent}/{_filled(last)}"):
            return None
        if start[:1] == "." or not _shows_others(pattern, directory, context):
            return entry
    if _is_template_start(start):
        return None
    size = sum(len(piece) for piece in last if isinstance(piece, str))
    end = last[-1][-1:].lower() if last and isinstance(last[-1], str) else ""
    context.effort.spend(8, "a pattern")
    for name in table.REPRESENTATIVES:
        if not name.startswith(start[:1]) or not name.endswith(end) or not matches(pattern, name):
            continue
        if name[0] == ".":
            # A wildcard does not stand for a leading dot.
            if len(start) >= len(name) * _AIMED:
                return names.of_name(name)
        elif size >= len(name) * _AIMED and not _shows_others(pattern, directory, context):
            return names.of_name(name, whole + directories)
    return None


def _filled(pieces: Pieces) -> str:
    return "".join(piece if isinstance(piece, str) else "x" for piece in pieces)


def _is_template_start(start: str) -> bool:
    """`.env.ex*` can only become a template."""
    if not start.startswith(".env."):
        return False
    rest = start[5:]
    return len(rest) > 1 and any(name.startswith(rest) for name in table.TEMPLATES)


def _shows_others(pattern: str, directory: str | None, context: Context) -> bool:
    """The pattern stands for files on the disk, which were judged one by one."""
    if directory is None:
        return False
    found = context.world.names(directory)
    return found is not None and any(matches(pattern, name, fold=True) for name in found)


def _on_disk(parts: list[Pieces], directory: str | None, context: Context) -> list[str]:
    """Paths on the disk that a pattern stands for; none if a part is unknown."""
    if directory is None:
        return []
    rest = parts[_count_literal(parts) :]
    if any(isinstance(piece, Unknown) for part in rest for piece in part):
        return []
    left = DIRECTORY_ENTRIES
    found = [directory]
    for part in rest:
        text = literal(part)
        if text is not None:
            found = [f"{place.rstrip('/')}/{text}" for place in found]
            continue
        pattern = pattern_of(part)
        following: list[str] = []
        for place in found:
            entries = context.world.names(place, left) or []
            left -= len(entries)
            context.effort.spend(1 + len(entries), "a pattern")
            following += [
                f"{place.rstrip('/')}/{name}"
                for name in entries
                if matches(pattern, name) and (name[0] != "." or pattern[0] == ".")
            ]
            if left <= 0:
                break
        found = following
    return [path for path in found if context.world.exists(path)]


def _count_literal(parts: list[Pieces]) -> int:
    count = 0
    for part in parts:
        if literal(part) is None:
            break
        count += 1
    return count
