"""Takes back what a journal says was begun; doing it again changes nothing.

A file that somebody else changed meanwhile is never overwritten: our insertion is taken out of
it where it can still be found, else the original is kept aside and named.
"""

from __future__ import annotations

import os
import stat
import tomllib
from typing import TYPE_CHECKING

from cc_safety_net.errors import SafetyNetError
from cc_safety_net.install import atomic
from cc_safety_net.install.edit import jsonc, yaml
from cc_safety_net.install.edit.editor import Splice, take_back
from cc_safety_net.install.journal import Journal, Step, digest, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.install.system import System


def recover(system: System, state: str, made: list[str]) -> list[str]:
    """Finish what an earlier process left: notes for the person, empty if nothing was left.

    made: gets the folders that are to go when they are empty at the end.
    """
    journal = Journal(system, journal_folder(state))
    if not journal.exists():
        return []
    if journal.committed():
        made.extend(finish(system, journal))
        return []
    return ["an interrupted installation was rolled back", *roll_back(system, journal)]


def journal_folder(state: str) -> str:
    return os.path.join(state, "journal")


def pending(system: System, state: str) -> bool:
    """Whether an interrupted installation waits to be rolled back; for those that only read."""
    return Journal(system, journal_folder(state)).exists()


def roll_back(system: System, journal: Journal) -> list[str]:
    """Undo all steps, the last first; one that fails does not stop the others.

    Each is forgotten at once: what is undone next may write the same file again, so that a second
    look at it would find it changed.
    """
    notes: list[str] = []
    failed = False
    for name, step, original in journal.steps():
        if failed and step["kind"] in {"form", "run"}:
            # A run is taken back after those that followed it, and a form after the runs.
            continue
        try:
            notes.extend(_undo(system, journal, step, original))
            journal.drop(name)
        except (OSError, SafetyNetError) as error:
            failed = True
            notes.append(f"could not be taken back: {error}")
    if failed:
        # The journal stays: the next start tries again, and `doctor` reports it.
        return notes
    journal.clear()
    return notes


def finish(system: System, journal: Journal) -> list[str]:
    """After the commit: what was moved away goes for good, then the journal.

    The folders that are to go when they are empty.
    """
    vacated: list[str] = []
    for _, step, _ in journal.steps():
        if step["kind"] == "moved":
            remove_tree(system, str(step["to"]))
        elif step["kind"] == "vacated":
            folders = step["folders"]
            assert isinstance(folders, list), step
            vacated.extend(str(folder) for folder in folders)
    remove_empty(system, vacated)
    journal.clear()
    return vacated


def _undo(system: System, journal: Journal, step: Step, original: bytes | None) -> list[str]:
    kind = step["kind"]
    if kind == "file":
        return _undo_file(system, journal, step, original)
    if kind == "folder":
        _remove_if_empty(system, str(step["path"]))
    elif kind == "run":
        return _undo_run(system, step)
    elif kind == "form":
        _undo_form(system, step, original)
    elif kind == "tree":
        _undo_tree(system, step)
    elif kind == "moved":
        source, target = str(step["to"]), str(step["from"])
        if system.lstat(source) is not None and system.lstat(target) is None:
            system.rename(source, target)
    return []


def _undo_file(system: System, journal: Journal, step: Step, original: bytes | None) -> list[str]:
    path, temporary = str(step["path"]), str(step["temporary"])
    now = atomic.read(system, path)
    current = digest(now.content)
    left = system.read(temporary)
    if left is not None:
        if current == step["after"] and digest(left[0]) not in {step["before"], step["after"]}:
            # We were killed just after we had swapped out what somebody had written meanwhile.
            system.rename(temporary, path)
            return []
        system.unlink(temporary)
    # Of another name than the one above: half of ours must never be taken for theirs.
    temporary += "-undo"
    if system.lstat(temporary) is not None:
        system.unlink(temporary)
    if current == step["before"]:
        return []
    if current == step["after"]:
        _restore(system, now, original, step, temporary)
        return []
    if now.content is None:
        # We changed it, then somebody removed it: their word is the last.
        return []
    text = _without_ours(now.content, step)
    if text is not None:
        atomic.replace(system, now, text, temporary, now.mode)
        return []
    kept = os.path.join(os.path.dirname(journal.folder), f"original-{os.path.basename(path)}")
    if original is not None and system.lstat(kept) is None:
        system.create(kept, original, atomic.PRIVATE_FILE_MODE, None)
    return [f"{path} was changed by another program meanwhile and left; the original is {kept}"]


def _restore(
    system: System, now: atomic.Snapshot, original: bytes | None, step: Step, temporary: str
) -> None:
    if step["before"] == "":
        atomic.remove(system, now)
        return
    assert original is not None, step
    mode = step["mode"]
    assert isinstance(mode, int), step
    if now.content is None:
        atomic.replace(system, now, original, temporary, mode)
    else:
        atomic.replace(system, now, original, temporary, now.mode)


def _without_ours(content: bytes, step: Step) -> bytes | None:
    found = step.get("splice")
    if not isinstance(found, list):
        return None
    offset, removed, inserted = found
    splice = Splice(int(offset), unpacked(removed).decode(), unpacked(inserted).decode())
    try:
        text = take_back(content.decode("utf-8"), splice)
    except UnicodeDecodeError:
        return None
    return None if text is None else text.encode()


def _undo_run(system: System, step: Step) -> list[str]:
    environment, undo = step["environment"], step["undo"]
    assert isinstance(environment, dict), step
    assert isinstance(undo, list), step
    notes = []
    for argv in undo:
        ended = system.run(
            [str(word) for word in argv],
            environment={str(key): str(value) for key, value in environment.items()},
            directory=str(step["directory"]),
            timeout=60,
        )
        if b"no space left" in ended.stderr.lower():
            # Other failures mean that there is nothing to take back.
            raise SafetyNetError(f"`{' '.join(map(str, argv))}`: no space left on device")
        if ended.status is None:
            notes.append(f"`{' '.join(argv)}` did not end in 60 s")
    return notes


def _undo_form(system: System, step: Step, original: bytes | None) -> None:
    """The steps that ran the agent's program are undone already: does it mean the same again?"""
    path, temporary = str(step["path"]), str(step["temporary"])
    if system.lstat(temporary) is not None:
        system.unlink(temporary)
    now = atomic.read(system, path)
    forget = step.get("forget")
    keys = [tuple(map(str, item)) for item in forget] if isinstance(forget, list) else []
    if now.content != original and same_meaning(now.content, original, path, keys):
        if original is None:
            atomic.remove(system, now)
        else:
            atomic.replace(system, now, original, temporary, now.mode)
    mode = step["mode"]
    if original is not None and isinstance(mode, int):
        atomic.keep_mode(system, path, mode)


def same_meaning(
    left: bytes | None,
    right: bytes | None,
    path: str = "",
    forget: Sequence[Sequence[str]] = (),
) -> bool:
    """Equal values, where no file and empty containers at the top count as nothing.

    path: its suffix tells the format, JSON by default. forget: keys, and members of lists, that
    do not count.
    """
    try:
        return _meaning(left, path, forget) == _meaning(right, path, forget)
    except (ValueError, SafetyNetError):
        return False


def _meaning(content: bytes | None, path: str, forget: Sequence[Sequence[str]]) -> object:
    text = (content or b"").decode("utf-8").removeprefix("\ufeff")
    model = _parsed(text, path) if text.strip() else {}
    if not isinstance(model, dict):
        return model
    for keys in forget:
        inner: object = model
        for key in keys[:-1]:
            inner = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(inner, list):
            inner[:] = [item for item in inner if item != keys[-1]]
        if isinstance(inner, dict) and (len(keys) > 1 or not _is_container(inner.get(keys[-1]))):
            inner.pop(keys[-1], None)
    if path.endswith(".yaml"):
        model = _pruned(model)
    return {key: value for key, value in model.items() if value not in ({}, [])}


def _is_container(value: object) -> bool:
    return isinstance(value, dict | list)


def _pruned(model: dict[object, object]) -> dict[object, object]:
    """Without empty containers at any depth, and without keys that hold nothing."""
    found: dict[object, object] = {}
    for key, value in model.items():
        inner = _pruned(value) if isinstance(value, dict) else value
        if inner not in ({}, [], None):
            found[key] = inner
    return found


def _parsed(text: str, path: str) -> object:
    if path.endswith(".yaml"):
        return yaml.model(text, path) or {}
    if path.endswith(".toml"):
        return tomllib.loads(text)
    return jsonc.EDITOR.model(text, path)


def _undo_tree(system: System, step: Step) -> None:
    root, names, links = str(step["root"]), step["names"], step["links"]
    assert isinstance(names, list), step
    assert isinstance(links, dict), step
    for name in system.listdir(root):
        path = os.path.join(root, name)
        if name not in names:
            remove_tree(system, path)
    for name, text in links.items():
        path = os.path.join(root, name)
        state = system.lstat(path)
        if state is not None and stat.S_ISLNK(state.st_mode) and system.readlink(path) == text:
            continue
        temporary = f"{path}{atomic.TEMPORARY}old"
        if system.lstat(temporary) is not None:
            system.unlink(temporary)
        system.symlink(text, temporary)
        system.rename(temporary, path)
        system.sync_directory(root)


def remove_tree(system: System, path: str) -> None:
    """Everything at `path`; links are removed, never followed."""
    state = system.lstat(path)
    if state is None:
        return
    if not stat.S_ISDIR(state.st_mode):
        system.unlink(path)
        return
    for name in system.listdir(path):
        remove_tree(system, os.path.join(path, name))
    system.rmdir(path)


def _remove_if_empty(system: System, path: str) -> None:
    state = system.lstat(path)
    if state is not None and stat.S_ISDIR(state.st_mode) and not system.listdir(path):
        system.rmdir(path)


def remove_empty(system: System, folders: Sequence[str]) -> None:
    """Folders that we made, deepest first, as far as nobody uses them."""
    for folder in sorted(folders, key=len, reverse=True):
        _remove_if_empty(system, folder)
