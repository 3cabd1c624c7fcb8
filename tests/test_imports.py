"""Who may import what, beyond the contracts of the import linter in pyproject.toml."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import cc_safety_net
from cc_safety_net.install.runtime import MANAGERS

PACKAGE = Path(cc_safety_net.__file__).parent
GUARD_SIDE_NAMES = frozenset(("spec.py", "protocol.py", "entry.py", "catalogue.py", "decoding.py"))


def guard_side() -> list[Path]:
    """Modules that go into the runtime artifact."""
    agents = [p for p in (PACKAGE / "agents").rglob("*.py") if p.name not in MANAGERS]
    return sorted([*(PACKAGE / "guard").rglob("*.py"), *agents])


def imported(path: Path) -> set[str]:
    """Every module that a file imports, at any depth of its code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", guard_side(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_guard_side_imports_the_standard_library_and_itself_only(path: Path) -> None:
    allowed = ("cc_safety_net.guard", "cc_safety_net.agents")

    # The one is of the standard library up to 3.11, the other from 3.12 on.
    standard = sys.stdlib_module_names | {"_sha2", "_sha256"}

    foreign = {
        name
        for name in imported(path)
        if name.split(".")[0] not in standard
        and not name.startswith(allowed)
        and name != "cc_safety_net"
    }

    assert foreign == set()


@pytest.mark.parametrize("path", guard_side(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_guard_side_module_knows_an_agents_installation(path: Path) -> None:
    assert {name for name in imported(path) if name.endswith(".setup")} == set()


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "guard").rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE))
)
def test_the_guard_never_starts_a_process_or_opens_a_socket(path: Path) -> None:
    forbidden = {"subprocess", "socket", "asyncio", "multiprocessing", "urllib", "http", "ssl"}

    assert {name.split(".")[0] for name in imported(path)} & forbidden == set()
