"""A home that is put back before each kill, and what a person is told of the outcome."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


class Scene:
    """A home that can be put back to a saved state; its path is part of what is installed."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._saved = home.parent / "saved"
        self.save()

    def save(self) -> None:
        shutil.rmtree(self._saved, ignore_errors=True)
        shutil.copytree(self.home, self._saved, symlinks=True)

    def back(self) -> None:
        shutil.rmtree(self.home)
        shutil.copytree(self._saved, self.home, symlinks=True)


def tell(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """On the terminal, also when pytest runs in several processes."""
    with capsys.disabled():
        sys.stderr.write(f"\n{text}\n")


def difference(
    found: dict[str, object], before: dict[str, object], after: dict[str, object]
) -> list[str]:
    """Names that are neither as before nor as after, or in which the two are mixed."""
    names = sorted({*found, *before, *after})
    state = []
    for name in names:
        here = found.get(name)
        if before.get(name) == after.get(name) == here:
            continue
        state.append(
            f"{name}: {'old' if here == before.get(name) else ''}"
            f"{'new' if here == after.get(name) else ''}{'' if here else ' missing'}"
        )
    return state
