"""The runtime artifact on the disk: is it there, unchanged, of this version, with a live Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cc_safety_net import __version__
from cc_safety_net.doctor.report import ERROR, WARNING, Finding
from cc_safety_net.install import placement
from cc_safety_net.install.artifact import Runtime

if TYPE_CHECKING:
    from cc_safety_net.install.directories import Directories

_UPDATE = "cc-safety-net update"


def examine_runtime(
    directories: Directories, *, expected: bool
) -> tuple[dict[str, Any], list[Finding], list[str]]:
    """JSON part, findings, and what is broken; `expected`: some agent's entry calls it."""
    found = placement.current(directories.data)
    if found is None:
        if not expected:
            return {"state": "absent"}, [], []
        what = f"{os.path.join(directories.data, placement.CURRENT)}: no runtime"
        return {"state": "missing"}, [_broken("runtime.missing", what)], [what]
    recorded = found.manifest.get("interpreter")
    interpreter = str(recorded.get("path", "")) if isinstance(recorded, dict) else ""
    data: dict[str, Any] = {
        "state": "ok",
        "path": found.folder,
        "version": found.manifest.get("version"),
        "hash": found.manifest.get("hash"),
        "interpreter": interpreter,
        "launcher": placement.launcher_path(directories.data),
    }
    findings: list[Finding] = []
    broken = placement.problems(found.folder)
    findings.extend(_broken("runtime.altered", what) for what in broken)
    findings.extend(_of_interpreter(interpreter))
    findings.extend(_of_age(found, Runtime(directories).digest))
    findings.extend(_of_leftovers(directories))
    return data, findings, broken


def _broken(identifier: str, what: str) -> Finding:
    return Finding(identifier, ERROR, "The guard's runtime is damaged", what, _UPDATE)


def _of_interpreter(interpreter: str) -> list[Finding]:
    if os.access(interpreter, os.X_OK):
        return []
    return [
        Finding(
            "runtime.interpreter-gone",
            WARNING,
            "The recorded Python is gone",
            f"{interpreter or 'none recorded'}: the launcher looks for another, or denies",
            _UPDATE,
            path=interpreter,
        )
    ]


def _of_age(found: placement.Placed, digest: str) -> list[Finding]:
    if found.manifest.get("hash") == digest:
        return []
    installed = f"{found.manifest.get('version')} ({str(found.manifest.get('hash'))[:8]})"
    return [
        Finding(
            "runtime.old",
            WARNING,
            "The installed runtime is not this program's",
            f"installed {installed}, this program brings {__version__} ({digest[:8]})",
            _UPDATE,
            path=found.folder,
        )
    ]


def _of_leftovers(directories: Directories) -> list[Finding]:
    leftovers = placement.leftovers(directories.data)
    if not leftovers:
        return []
    return [
        Finding(
            "runtime.leftovers",
            WARNING,
            "An installation did not come to its end",
            ", ".join(leftovers),
            _UPDATE,
            path=directories.data,
        )
    ]
