"""The three directories, by the Unix rules, and whose home it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cc_safety_net.errors import Refused
from cc_safety_net.install.directories import Directories, find_directories

if TYPE_CHECKING:
    from pathlib import Path


def test_without_variables_they_are_below_the_home(home: Path) -> None:
    assert find_directories({"HOME": str(home)}) == Directories(
        str(home),
        f"{home}/.config/cc-safety-net",
        f"{home}/.local/state/cc-safety-net",
        f"{home}/.local/share/cc-safety-net",
    )


def test_xdg_variables_move_them_if_absolute(home: Path) -> None:
    found = find_directories(
        {"HOME": str(home), "XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "relative"}
    )

    assert found.data == "/d/cc-safety-net"
    assert found.state == f"{home}/.local/state/cc-safety-net"


def test_our_own_variable_moves_all_three(home: Path) -> None:
    found = find_directories({"HOME": str(home), "CC_SAFETY_NET_HOME": "/o", "XDG_DATA_HOME": "/d"})

    assert (found.config, found.state, found.data) == ("/o/config", "/o/state", "/o/data")


def test_a_relative_value_of_our_own_variable_is_refused(home: Path) -> None:
    with pytest.raises(Refused, match="absolute"):
        find_directories({"HOME": str(home), "CC_SAFETY_NET_HOME": "here"})
