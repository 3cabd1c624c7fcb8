"""What `uninstall --purge` takes away besides: policy, rules, trust, permissions, denials, log.

By name only: our folders may have been moved to a place that holds other things.
"""

from __future__ import annotations

import os
import shutil
import stat
from typing import TYPE_CHECKING

from cc_safety_net.errors import Refused, SafetyNetError
from cc_safety_net.install import installed, lock, recovery
from cc_safety_net.install.artifact import require_private
from cc_safety_net.install.system import System

if TYPE_CHECKING:
    from cc_safety_net.install.directories import Directories

_CONFIG = ("policy.json", "trust.json", "rule.json", "rules.lock.json", "rules")
_STATE = ("denials", "logs", "permissions")
#: A previous copy of a file stands beside it.
_COPIES = (".previous", ".bak")


def remains(directories: Directories) -> list[str]:
    """The files and folders that go, absolute."""
    found = []
    for folder, names in ((directories.config, _CONFIG), (directories.state, _STATE)):
        every = [*names, *(name + end for name in names for end in _COPIES)]
        found += [path for name in every if os.path.lexists(path := os.path.join(folder, name))]
    return found


def purge(directories: Directories) -> list[str]:
    """Remove them, and our folders where nothing else is left in them; what was removed.

    Refused while something is installed: its guard would go on with other rules than the person's.
    """
    system = System()
    for folder in (directories.config, directories.state):
        require_private(system, folder)
    with lock.held(directories.state) as held:
        if recovery.pending(system, directories.state):
            raise Refused(
                "an interrupted installation is not taken back yet", "cc-safety-net update"
            )
        agents = installed.load(system, directories.state).agents
        if agents:
            raise Refused(
                f"the guard is still installed: {', '.join(sorted(agents))}",
                "uninstall it there first, in the project where the name holds one",
                code="still_installed",
            )
        removed = []
        for path in remains(directories):
            _remove(path)
            removed.append(path)
        held.made.append(directories.config)
    return removed


def _remove(path: str) -> None:
    """A link goes, not what it leads to."""
    try:
        if stat.S_ISDIR(os.lstat(path).st_mode):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise SafetyNetError(f"{error.filename or path}: {what}", code="io_error") from error
