"""Our entry in an agent's config file: planned, put in, repaired, taken out.

Works from the agent's description alone. `setup.py` of an agent adds what data can't say.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.errors import Refused, Unreadable
from cc_safety_net.install import ownership
from cc_safety_net.install.edit import json as json_edit
from cc_safety_net.install.edit import jsonc as jsonc_edit
from cc_safety_net.install.edit import toml as toml_edit
from cc_safety_net.install.edit.editor import (
    Editor,
    Path,
    Place,
    Splice,
    at_path,
    find_entries,
    require_shape,
    splice_between,
    take_back,
)
from cc_safety_net.install.journal import packed, unpacked
from cc_safety_net.install.plan import Edited

if TYPE_CHECKING:
    from cc_safety_net.agents.spec import AgentSpec, ConfigFile, HookEntry
    from cc_safety_net.install.installed import Record

EDITORS: Mapping[str, Editor] = {
    "json": json_edit.EDITOR,
    "jsonc": jsonc_edit.EDITOR,
    "toml": toml_edit.EDITOR,
}

_BOM = "\ufeff"


@dataclass(frozen=True)
class Problem:
    """Something in the host file that its agent will not accept, and where it stands.

    fatal: surely so; else it may be that a newer agent accepts it, and the person is told.
    fix: the edit that mends it, where it is more than mending that line.
    """

    path: Path
    what: str
    fatal: bool = True
    fix: str = ""


Validate = Callable[[object], Sequence[Problem]]


@dataclass(frozen=True)
class Host:
    """A config file with our entry. name: for messages.

    any_name: entries like ours may stand under any key of the file, not only under ours.
    """

    name: str
    editor: Editor
    place: Place
    entry: Mapping[str, object]
    validate: Validate
    any_name: bool = False

    def install(self, content: bytes | None, record: Record) -> Edited:
        """The file with our entry, once and in the present form."""
        text, mark = self.decode(content)
        model = self.checked(text)
        mine = self.find(model)
        if [value for _, value in mine] == [self.entry] and mine[0][0][:-1] == self.place.path:
            return Edited(content, record)
        base = self._before_ours(text, model, record)
        created = _strings(record.get("created"))
        if base is None:
            base, replaced = self._repair(text, mine)
            if replaced:
                kept: Record = {
                    key: record[key] for key in ("created", "created_file") if key in record
                }
                return self._checked_result(content, mark + base, kept)
        else:
            created = []
        new = self.editor.add(base, self.place, self.entry, self.name)
        expected = self._added(self.editor.model(base, self.name))
        if self.editor.model(new, self.name) != expected:
            raise self._not_understood()
        made = content is None or bool(record.get("created_file"))
        found = created or self._missing(self.editor.model(base, self.name))
        splice = splice_between(base, new)
        return self._checked_result(
            content, mark + new, {"created": found, "created_file": made, **_packed(splice)}
        )

    def uninstall(self, content: bytes | None, record: Record) -> Edited:
        """The file without what is ours; None where nothing is left of a file that we made."""
        if content is None:
            return Edited(None)
        text, mark = self.decode(content)
        model = self.editor.model(text, self.name)
        mine = self.find(model)
        if not mine:
            return Edited(content)
        before = self._before_ours(text, model, record)
        if before is None:
            before = self._without(text, model, record)
        if record.get("created_file") and not before.strip():
            return Edited(None)
        return Edited((mark + before).encode())

    def find(self, model: object) -> list[tuple[Path, object]]:
        """All that is ours in the file, under the other events too."""
        found: list[tuple[Path, object]] = []
        for path in self._lists(model):
            found.extend(find_entries(model, Place(path, self.place.nested), ownership.is_ours))
        return found

    def _lists(self, model: object) -> list[tuple[str, ...]]:
        """Where the entries of an event may stand: the events beside ours, too."""
        parent = self.place.path[:-1]
        parents = [parent]
        if self.any_name and isinstance(model, dict):
            parents = [(key,) for key in model]
        found: list[tuple[str, ...]] = []
        for keys in parents:
            events = at_path(model, keys)
            names = [self.place.path[-1]]
            if isinstance(events, dict) and (keys or self.place.nested):
                names = list(events)
            found.extend((*keys, name) for name in names)
        return found

    def commands(self, content: bytes | None) -> list[str]:
        """The command texts of our entries, as the agent will read them."""
        text, _ = self.decode(content)
        found: list[str] = []
        for _, value in self.find(self.editor.model(text, self.name)):
            handlers = value.get("hooks", [value]) if isinstance(value, dict) else []
            found.extend(ownership.command_of(handler) for handler in handlers)
        return found

    def other_edition(self, content: bytes | None) -> list[str]:
        """Commands of the npm edition that will be replaced."""
        return [
            command
            for command in self.commands(content)
            if ownership.owner_of_command(command) == ownership.NPM
        ]

    def warnings(self, content: bytes | None) -> list[str]:
        """Problems that do not stop us, by line."""
        text, _ = self.decode(content)
        return [
            f"{self.name}: line {self.editor.line(text, problem.path)}: {problem.what}"
            for problem in self.validate(self.editor.model(text, self.name))
            if not problem.fatal
        ]

    def mixed(self, content: bytes | None) -> list[str]:
        """Commands that call the guard among other things: not ours, so they stay."""
        text, _ = self.decode(content)
        found = []
        for _, value in self._handlers(self.editor.model(text, self.name)):
            command = value.get("command") if isinstance(value, dict) else None
            if isinstance(command, str) and not ownership.is_ours(value):
                found += [command] if ownership.calls_guard(command) else []
        return found

    def _handlers(self, model: object) -> list[tuple[Path, object]]:
        found: list[tuple[Path, object]] = []
        for keys in self._lists(model):
            entries = at_path(model, keys)
            for index, entry in enumerate(entries if isinstance(entries, list) else []):
                path: Path = (*keys, index)
                inner = (
                    entry.get("hooks") if self.place.nested and isinstance(entry, dict) else None
                )
                handlers = inner if isinstance(inner, list) else [entry]
                found.extend((path, handler) for handler in handlers)
        return found

    def decode(self, content: bytes | None) -> tuple[str, str]:
        """Text and byte order mark."""
        return decoded(content, self.name)

    def checked(self, text: str) -> object:
        """The model of a file that its agent will accept."""
        model = self.editor.model(text, self.name)
        require_shape(model, self.place, self.name)
        for problem in self.validate(model):
            if not problem.fatal:
                continue
            line = self.editor.line(text, problem.path)
            where = f"line {line}: " if line else ""
            mend = f"mend {'line ' + str(line) if line else 'it'} of {self.name}, then try again"
            raise Unreadable(
                f"{self.name}: {where}{problem.what}",
                problem.fix or mend,
                code="rejected_config",
            )
        return model

    def _before_ours(self, text: str, model: object, record: Record) -> str | None:
        """The text without our edit, if that can be taken back exactly."""
        splice = _unpacked(record)
        before = None if splice is None else take_back(text, splice)
        if before is None:
            return None
        try:
            without = self.editor.model(before, self.name)
        except Unreadable:
            return None
        if self.find(without):
            return None
        created = _strings(record.get("created"))
        expected = (self._removed(model, created, top=top) for top in (True, False))
        return before if (without or {}) in expected else None

    def _repair(self, text: str, mine: list[tuple[Path, object]]) -> tuple[str, bool]:
        """One entry of ours in its place is replaced there; all others go."""
        kept = next((path for path, _ in mine if path[:-1] == self.place.path), None)
        for path, _ in reversed(mine):
            if path != kept:
                text = self.editor.drop(text, path)
        if kept is None:
            return text, False
        model = self.editor.model(text, self.name)
        path = self.find(model)[0][0]
        for key, value in self.place.top.items():
            if at_path(model, (key,)) != value:
                return self.editor.drop(text, path), False
        return self.editor.replace(text, path, self.entry), True

    def _without(self, text: str, model: object, record: Record) -> str:
        """The text without our entries and the containers that they leave empty."""
        while mine := self.find(self.editor.model(text, self.name)):
            text = self.editor.drop(text, mine[-1][0])
        created = self._created_or_emptied(model, record)
        # Removing a key can bring an earlier one of the same name to light: then it stays.
        for keys in (created, []):
            expected = self._removed(model, keys, top=False)
            bare = self._without_containers(text, keys)
            if self.editor.model(bare, self.name) == expected:
                return "" if record.get("created_file") and not expected else bare
        raise self._not_understood()

    def _without_containers(self, text: str, created: Sequence[str]) -> str:
        for key in created:
            path = tuple(key.split("\0"))
            if _gone(self.editor.model(text, self.name), path, self.place):
                text = self.editor.drop(text, path)
        return text

    def _created_or_emptied(self, model: object, record: Record) -> list[str]:
        """Containers to remove if they are empty afterwards, the inner ones first."""
        if "created" in record:
            return _strings(record["created"])
        # Without a record: the list goes if it was ours alone, and what held only that list.
        depth = len(self.place.path)
        lists = [tuple(str(key) for key in path[:depth]) for path, _ in self.find(model)]
        keys = ["\0".join(path[:end]) for end in range(depth, 0, -1) for path in lists]
        return list(dict.fromkeys(keys))

    def _removed(self, model: object, created: Sequence[str], *, top: bool) -> object:
        """top: keys of the file that we made go even if others could need them."""
        result = copy.deepcopy(model)
        for path, _ in reversed(self.find(model)):
            parent = at_path(result, path[:-1])
            assert isinstance(parent, list), path
            del parent[int(path[-1])]
        for key in created:
            keys = tuple(key.split("\0"))
            always = top and len(keys) == 1 and keys[0] in self.place.top
            if always or _gone(result, keys, self.place):
                parent = at_path(result, keys[:-1])
                assert isinstance(parent, dict), keys
                parent.pop(keys[-1], None)
        return result

    def _missing(self, model: object) -> list[str]:
        """Keys that adding our entry makes, the inner ones first."""
        found = [
            "\0".join(self.place.path[:depth])
            for depth in range(len(self.place.path), 0, -1)
            if at_path(model, self.place.path[:depth]) is None
        ]
        present = model if isinstance(model, dict) else {}
        return found + [key for key in self.place.top if key not in present]

    def _added(self, model: object) -> object:
        result = copy.deepcopy(model) if isinstance(model, dict) else {}
        for key, value in self.place.top.items():
            result.setdefault(key, value)
        parent: dict[str, object] = result
        for key in self.place.path[:-1]:
            below = parent.setdefault(key, {})
            assert isinstance(below, dict), key
            parent = below
        entries = parent.setdefault(self.place.path[-1], [])
        assert isinstance(entries, list), self.place
        entries.append(dict(self.entry))
        return result

    def _checked_result(self, content: bytes | None, text: str, record: Record) -> Edited:
        bare = text.removeprefix(_BOM)
        mine = self.find(self.checked(bare))
        if [value for _, value in mine] != [self.entry]:
            raise self._not_understood()
        del content
        return Edited(text.encode(), record)

    def _not_understood(self) -> Refused:
        return Refused(
            f"{self.name}: is written in a way that can't be edited without touching the rest",
            "please report this file's form; nothing was changed",
            code="not_understood",
        )


def decoded(content: bytes | None, name: str) -> tuple[str, str]:
    """Text and byte order mark of a config file."""
    try:
        text = (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"{name}: is not UTF-8 (byte {error.start})",
            f"save {name} as UTF-8, then run the command again",
        ) from error
    return (text[1:], _BOM) if text.startswith(_BOM) else (text, "")


def host_for(
    spec: AgentSpec, config: ConfigFile, name: str, command: str, validate: Validate
) -> Host:
    """The host of an agent's entry with this command."""
    entry = spec.entry
    assert entry is not None, spec.name
    place = Place(config.keys or entry.path, entry.nested, entry.top)
    return Host(name, EDITORS[config.format], place, entry_value(entry, command), validate)


def entry_value(entry: HookEntry, command: str) -> dict[str, object]:
    """The entry as plain values, in the order in which a person would write it."""
    matcher = {} if entry.matcher is None else {"matcher": entry.matcher}
    if entry.nested:
        handler = {"type": "command", "command": command, **entry.options}
        return {**matcher, "hooks": [handler]}
    event = {} if entry.event in entry.path else {"event": entry.event}
    return {**event, **matcher, "command": command, **entry.options}


def _gone(model: object, path: Sequence[str], place: Place) -> bool:
    """A container that is empty, or a top key when nothing else is left that needs it."""
    value = at_path(model, path)
    if len(path) == 1 and path[0] in place.top:
        return value == place.top[path[0]] and at_path(model, place.path[:1]) is None
    return value in ([], {})


def _strings(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _packed(splice: Splice) -> Record:
    return {
        "offset": splice.offset,
        "removed": packed(splice.removed.encode()),
        "inserted": packed(splice.inserted.encode()),
    }


def _unpacked(record: Record) -> Splice | None:
    """None for a record without an edit, and for one that somebody has damaged."""
    offset, removed, inserted = (record.get(key) for key in ("offset", "removed", "inserted"))
    if not isinstance(offset, int) or not isinstance(removed, str) or not isinstance(inserted, str):
        return None
    try:
        return Splice(offset, unpacked(removed).decode(), unpacked(inserted).decode())
    except ValueError:
        return None
