"""The package itself: which release is newer, which is the newest, what updates it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.install.system import System

NAME = "cc-safety-net"
#: pip itself takes about a second to start.
SECONDS = 10.0


def older(version: str, other: str) -> bool:
    """`version` comes before `other`; numbers are compared, and what follows them ends a tie."""
    return _order(version) < _order(other)


def _order(version: str) -> tuple[list[int], bool, str]:
    numbers: list[int] = []
    rest = version
    while rest[:1].isdigit():
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        numbers.append(int(digits))
        rest = rest[len(digits) :]
        if rest[:1] != "." or not rest[1:2].isdigit():
            break
        rest = rest[1:]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    # 1.0a1 and 1.0.dev1 come before 1.0; 1.0.post1 after it.
    return numbers, not rest or rest.startswith(".post"), rest


def newest(system: System, environment: Mapping[str, str], directory: str) -> tuple[str, str]:
    """The newest release that the person's own pip can see, or "" and why it can't be told."""
    argv = (sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input")
    ended = system.run(
        (*argv, "index", "versions", NAME),
        environment=environment,
        directory=directory,
        timeout=SECONDS,
        changes=False,
    )
    if ended.status is None:
        return "", f"pip gave no answer in {SECONDS:g} s"
    name, _, rest = ended.stdout.decode("utf-8", "replace").strip().partition(" (")
    if ended.status == 0 and name == NAME and ")" in rest:
        return rest.partition(")")[0], ""
    said = ended.tail().splitlines()
    return "", said[-1] if said else "pip gave no answer"


def upgrade_command() -> str:
    """What brings the package of this program up to date, by how it was put here."""
    prefix = os.path.realpath(sys.prefix)
    if "/pipx/" in prefix:
        return f"pipx upgrade {NAME}"
    if "/uv/tools/" in prefix:
        return f"uv tool upgrade {NAME}"
    return f"{sys.executable} -m pip install --upgrade {NAME}"
