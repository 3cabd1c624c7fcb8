"""What an installation is going to do, as data: changes with their previews.

All preconditions are checked while a plan is made; applying it is the transaction's business.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

EDIT = "edit"
WRITE = "write"
DELETE = "delete"
RUN = "run"
PUBLISH = "publish"


@dataclass(frozen=True)
class Edited:
    """The outcome of an edit: `content` is None where the file is to go.

    record: what uninstall must know later.
    """

    content: bytes | None
    record: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class FileChange:
    """One file. path: as the person knows it. target: the same without links.

    edit: from the bytes found to the bytes wanted; called again if the file changed meanwhile.
    mode: of a file that was not there. before, after: the preview.
    """

    kind: str
    path: str
    target: str
    edit: Callable[[bytes | None], Edited]
    summary: str
    before: bytes | None = None
    after: bytes | None = None
    mode: int = 0o644
    folder_mode: int = 0o755

    def diff(self) -> str:
        return unified(self.path, self.before, self.after)


@dataclass(frozen=True)
class RunChange:
    """A run of an agent's own program.

    undo: command lines that take it back; each may fail because there is nothing to take back.
    needless: this failure (text in the output) means that it was so already.
    """

    argv: tuple[str, ...]
    summary: str
    undo: tuple[tuple[str, ...], ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: str = "/"
    timeout: float = 120.0
    needless: tuple[str, ...] = ()
    kind: str = RUN


@dataclass(frozen=True)
class TreeChange:
    """A change below `root`, which is ours alone, made by `make` in its own atomic manner.

    It is undone by removing the names that were not there before and restoring the links.
    """

    root: str
    make: Callable[[], None]
    summary: str
    kind: str = WRITE

    @property
    def path(self) -> str:
        return self.root


@dataclass(frozen=True)
class RemoveTree:
    """Takes `path`, a name below our own data folder, away; it can be put back until the end."""

    path: str
    summary: str
    kind: str = DELETE


@dataclass(frozen=True)
class KeepForm:
    """A file that an agent's program is going to write anew.

    Taken back, it gets its old bytes again if it means the same as before.
    forget: keys that the program leaves behind, and that mean nothing.
    """

    path: str
    forget: tuple[tuple[str, ...], ...] = ()
    kind: str = EDIT
    summary: str = "written anew by the agent's program"


Change = FileChange | RunChange | TreeChange | RemoveTree | KeepForm


@dataclass
class AgentPlan:
    """All that happens for one agent. state: what it will be if all goes well."""

    agent: str
    scope: str
    state: str
    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: Kept in the installed state under this agent, beside the records of its edits.
    record: dict[str, object] = field(default_factory=dict)
    #: Folders made for this agent by an earlier installation, to be removed when empty.
    folders: Sequence[str] = ()


def unified(path: str, before: bytes | None, after: bytes | None) -> str:
    """A unified diff; line ends other than LF and bytes that are no text are made visible."""
    old, new = _lines(before), _lines(after)
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(
            old,
            new,
            "/dev/null" if before is None else path,
            "/dev/null" if after is None else path,
        )
    )


def _lines(content: bytes | None) -> list[str]:
    text = (content or b"").decode("utf-8", "backslashreplace")
    return text.splitlines(keepends=True) if "\r" not in text else _keep_carriage_returns(text)


def _keep_carriage_returns(text: str) -> list[str]:
    pieces = text.split("\n")
    lines = [piece + "\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines
