"""Where our own files live, and whose home it is.

The Unix rules of platformdirs on every POSIX system, macOS too, computed from the environment
that is passed in; `CC_SAFETY_NET_HOME` puts all three below one folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_safety_net.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = "cc-safety-net"


@dataclass(frozen=True)
class Directories:
    """home: of the person. config, state, data: ours, absolute."""

    home: str
    config: str
    state: str
    data: str


def find_directories(environment: Mapping[str, str]) -> Directories:
    """Refuses another user's home and a home that can't be told."""
    home = own_home(environment)
    root = environment.get("CC_SAFETY_NET_HOME", "")
    if root:
        if not os.path.isabs(root):
            raise Refused(
                f"CC_SAFETY_NET_HOME is no absolute path: {root}", "set it to an absolute path"
            )
        root = os.path.normpath(root)
        return Directories(home, f"{root}/config", f"{root}/state", f"{root}/data")
    return Directories(
        home,
        _base(environment, "XDG_CONFIG_HOME", f"{home}/.config"),
        _base(environment, "XDG_STATE_HOME", f"{home}/.local/state"),
        _base(environment, "XDG_DATA_HOME", f"{home}/.local/share"),
    )


def _base(environment: Mapping[str, str], variable: str, default: str) -> str:
    # The XDG specification: a relative value is to be ignored.
    value = environment.get(variable, "")
    base = os.path.normpath(value) if os.path.isabs(value) else default
    return os.path.join(base, _NAME)


def own_home(environment: Mapping[str, str]) -> str:
    """The home directory, if it is the effective user's own."""
    home = environment.get("HOME", "")
    recorded = _recorded_home()
    if not home:
        if not recorded:
            raise Refused("HOME is not set", "set HOME to your home directory", code="no_home")
        home = recorded
    if not os.path.isabs(home):
        raise Refused(f"HOME is no absolute path: {home}", "set HOME to your home directory")
    # POSIX lets two slashes at the start stand, and normpath does.
    home = os.path.normpath("/" + home.lstrip("/"))
    if home == "/":
        raise Refused("HOME is /", "set HOME to your home directory", code="no_home")
    try:
        state = os.stat(home)
    except OSError as error:
        raise Refused(f"HOME can't be used: {home}", "set HOME to your home directory") from error
    if state.st_uid != os.geteuid():
        raise Refused(
            f"HOME is {home}, which belongs to user {state.st_uid}, but this runs as user "
            f"{os.geteuid()} (home {recorded or 'unknown'})",
            "run without sudo, as the person whose agents are meant",
            code="other_home",
        )
    return home


def _recorded_home() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return ""
