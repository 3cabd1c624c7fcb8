"""The three directories, by the Unix rules, and whose home it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cc_safety_net.errors import Refused
from cc_safety_net.install import directories
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


@pytest.mark.parametrize(
    ("value", "recorded", "expected"),
    [
        (None, "", "HOME is not set"),
        ("", "", "HOME is not set"),
        (None, "recorded", "the recorded one"),
        ("", "recorded", "the recorded one"),
        (None, "/", "HOME is /"),
        ("/", "recorded", "HOME is /"),
        ("//", "recorded", "HOME is /"),
        ("relative/home", "recorded", "no absolute path: relative/home"),
        ("gone", "recorded", "can't be used"),
        ("file/below", "recorded", "can't be used"),
        (None, "gone", "can't be used"),
        ("linked", "", "the linked one"),
        ("home/.", "", "the recorded one"),
    ],
)
def test_a_home_is_used_or_refused_with_what_to_set(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    value: str | None,
    recorded: str,
    expected: str,
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "linked").symlink_to(home)
    known = {"recorded": str(home), "gone": str(tmp_path / "gone")}
    monkeypatch.setattr(directories, "_recorded_home", lambda: known.get(recorded, recorded))
    environment = {}
    if value is not None:
        below = value in ("gone", "file/below", "linked", "home/.")
        environment["HOME"] = str(tmp_path / value) if below else value

    if expected == "the recorded one":
        assert find_directories(environment).home == str(home)
    elif expected == "the linked one":
        assert find_directories(environment).home in (str(home), str(tmp_path / "linked"))
    else:
        with pytest.raises(Refused, match=expected) as refused:
            find_directories(environment)
        assert "set HOME" in refused.value.hint


def test_the_home_of_another_user_is_refused_with_both_names(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(home).st_uid + 1)

    with pytest.raises(Refused, match="belongs to user") as refused:
        find_directories({"HOME": str(home)})

    assert "without sudo" in refused.value.hint
