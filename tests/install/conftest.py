"""A machine with an empty home, for the manager's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.install.stand_in import Machine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def machine(home: Path) -> Machine:
    return Machine(home)
