"""Old records go: day files beyond the policy's days or size, denials and counters after theirs.

Only whole files of ours are removed, only by name and age, and never for long.
"""

from __future__ import annotations

import posix
from time import monotonic_ns

from cc_safety_net.guard import clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.policy.settings import Policy
    from cc_safety_net.guard.world import World

BUDGET_NS = 20_000_000
DENIAL_SECONDS = 86_400
COUNTER_SECONDS = 7 * 86_400


def clean(world: World, policy: Policy, now: int, budget_ns: int = BUDGET_NS) -> None:
    """Remove what is due; what the budget leaves over goes another day."""
    deadline = monotonic_ns() + budget_ns
    seconds = now // 1_000_000_000
    _old_days(f"{world.state}/logs", policy, seconds, deadline)
    _old_files(f"{world.state}/denials", seconds - DENIAL_SECONDS, deadline)
    _old_files(f"{world.state}/denials/by-session", seconds - COUNTER_SECONDS, deadline)


def _old_days(logs: str, policy: Policy, now: int, deadline: int) -> None:
    oldest = clock.day(now - policy.audit_retention_days * clock.DAY)
    days = [name for name in _names(logs) if _is_day(name)]
    kept = []
    for name in days:
        if monotonic_ns() > deadline:
            return
        if name[:10] < oldest:
            _remove(f"{logs}/{name}")
        else:
            kept.append(name)
    _too_large(logs, kept, policy.audit_max_mb * 1024 * 1024)


def _too_large(logs: str, days: Sequence[str], limit: int) -> None:
    """The oldest days go first; the newest stays whatever its size."""
    sizes = [(name, _size(f"{logs}/{name}")) for name in days]
    total = sum(size for _, size in sizes)
    for name, size in sizes[:-1]:
        if total <= limit:
            return
        _remove(f"{logs}/{name}")
        total -= size


def _old_files(directory: str, oldest: int, deadline: int) -> None:
    for name in _names(directory):
        if monotonic_ns() > deadline:
            return
        path = f"{directory}/{name}"
        try:
            status = posix.lstat(path)
        except OSError:
            continue
        if status.st_mode & 0o170000 == 0o100000 and status.st_mtime < oldest:
            _remove(path)


def _names(directory: str) -> list[str]:
    try:
        return sorted(posix.listdir(directory))
    except OSError:
        return []


def _is_day(name: str) -> bool:
    return name.endswith(".jsonl") and clock.parse(name[:10]) is not None


def _size(path: str) -> int:
    try:
        return posix.lstat(path).st_size
    except OSError:
        return 0


def _remove(path: str) -> None:
    try:
        posix.unlink(path)
    except OSError:
        # Another call was faster, or it is not ours to remove: `doctor` looks.
        return
