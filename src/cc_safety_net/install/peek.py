"""What a file of another program says, read with patience: nothing in it stops us.

For looking at settings that are not ours. What is to be edited is read by its editor instead.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.errors import SafetyNetError
from cc_safety_net.install.edit.editor import at_path
from cc_safety_net.install.edit.jsonc import EDITOR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.install.site import Site


@dataclass(frozen=True)
class Document:
    """model: {} where the file is missing, can't be read, or holds something else."""

    model: Mapping[str, object]
    text: str = ""

    def at(self, *keys: str) -> object:
        return at_path(self.model, keys)

    def table(self, *keys: str) -> Mapping[str, object]:
        found = self.at(*keys)
        return found if isinstance(found, dict) else {}

    def line(self, path: Sequence[str | int]) -> int:
        """The line of a value in JSON, 0 if it can't be told."""
        return EDITOR.line(self.text, path) if self.model else 0


def peek(site: Site, path: str) -> Document:
    """JSON, with comments or not; TOML by its name."""
    try:
        text = (site.read(os.path.realpath(path)) or b"").decode("utf-8-sig")
        model: object = tomllib.loads(text) if path.endswith(".toml") else EDITOR.model(text, path)
    except (ValueError, OSError, RecursionError, SafetyNetError):
        return Document({})
    return Document(model, text) if isinstance(model, dict) else Document({})
