"""The effective policy of a call: which files there are, and whether they may be trusted.

Without a policy file this is two look-ups and no further import.
"""

from __future__ import annotations

from cc_safety_net.guard.paths import basename
from cc_safety_net.guard.policy.settings import LEVELS, Policy, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.world import World

PROJECT = ".cc-safety-net"
FILE = "policy.json"
_SIZE = 1024 * 1024
_WRITABLE_BY_OTHERS = 0o022
_TRUE = ("1", "true")

#: Documents by file: (bytes, document). A worker parses a file again only when it changed.
_parsed: dict[str, tuple[bytes, dict[str, Any]]] = {}


def load(world: World, agent: str, root: str) -> Policy:
    """The policy for a call of `agent` in the workspace `root` ("" for none).

    A broken file is remembered in `Policy.problem`, all else is then the default.
    """
    policy = Policy()
    if world.status(world.config) is not None and world.status(f"{world.config}/.") is None:
        # Nobody can say that there is no policy in it.
        policy.problem = Problem(world.config, "can't be entered, or is no directory")
        return policy
    user_file = f"{world.config}/{FILE}"
    project_file = f"{root}/{PROJECT}/{FILE}" if root else ""
    user = world.status(user_file)
    project = world.status(project_file) if project_file else None
    if user is not None or project is not None:
        # Rare: only with a policy file.
        from cc_safety_net.guard.policy.document import Invalid

        try:
            if user is not None:
                _apply_user(policy, world, agent, user_file)
            if project is not None:
                _apply_project(policy, world, agent, project_file, root)
        except Invalid as invalid:
            policy = Policy()
            policy.problem = invalid.problem
    _apply_environment(policy, world.environment)
    return policy


def _apply_user(policy: Policy, world: World, agent: str, file: str) -> None:
    from cc_safety_net.guard.policy.document import Invalid, locate
    from cc_safety_net.guard.policy.effective import apply_user, finish

    unsafe = _unsafe(world, file)
    if unsafe:
        raise Invalid(Problem(file, unsafe))
    document = _document(world, file, project=False)
    ours = (world.config, world.state, world.data)
    now = world.now_ns() // 1_000_000_000
    wrong = apply_user(policy, document, agent, world.home, ours, now)
    if wrong is not None:
        key, what = wrong
        text = _parsed[file][0].decode("utf-8")
        position = locate(text, tuple(key.split(".")))
        line = text.count("\n", 0, position) + 1 if position >= 0 else 0
        raise Invalid(Problem(file, what, line=line, key=key))
    finish(policy)


def _apply_project(policy: Policy, world: World, agent: str, file: str, root: str) -> None:
    from cc_safety_net.guard.policy.effective import apply_project, finish

    document = _document(world, file, project=True)
    trusted: Mapping[str, Any] = {}
    if policy.project_trust == "allow" and world.status(f"{world.config}/trust.json") is not None:
        from cc_safety_net.guard.policy.trust import granted

        trusted = granted(world, root, _parsed[file][0])
    apply_project(policy, document, agent, file, root, world.home, trusted)
    finish(policy)


def _document(world: World, file: str, *, project: bool) -> dict[str, Any]:
    from cc_safety_net.guard.policy.document import Invalid, read

    data = world.read(file, _SIZE + 1)
    if data is None:
        raise Invalid(Problem(file, "can't be read, or is no regular file"))
    known = _parsed.get(file)
    if known is not None and known[0] == data:
        return known[1]
    document = read(data, file, project=project)
    _parsed[file] = (data, document)
    return document


def _unsafe(world: World, file: str) -> str:
    """Why a file of the person's own can't be trusted; "" if it can."""
    directory = world.status(world.config)
    if directory is not None and directory.kind == "link":
        return f"its directory {world.config} is a symbolic link"
    for path in (world.config, file):
        status = world.status(path)
        if status is not None and status.kind == "link":
            status = world.status(world.resolve(path))
        if status is None:
            return f"{basename(path)} can't be read"
        if status.owner not in (world.user, 0):
            return f"{path} belongs to another user"
        if status.mode & _WRITABLE_BY_OTHERS:
            return f"{path} can be written by others: chmod go-w"
    return ""


def _apply_environment(policy: Policy, environment: Mapping[str, str]) -> None:
    """The environment only raises."""
    level = environment.get("CC_SAFETY_NET_LEVEL")
    if level:
        if level not in LEVELS:
            policy.notes.append(f"CC_SAFETY_NET_LEVEL={level!r} is no level, ignored")
        elif LEVELS.index(level) < LEVELS.index(policy.level):
            policy.notes.append(f"CC_SAFETY_NET_LEVEL={level} is lower than the policy, ignored")
        else:
            policy.level = level
    for name, attributes in _SWITCHES:
        if environment.get(name, "").lower() in _TRUE:
            for attribute in attributes:
                setattr(policy, attribute, True)


_SWITCHES = (
    ("CC_SAFETY_NET_STRICT", ("fail_closed",)),
    ("CC_SAFETY_NET_PARANOID", ("paranoid_rm", "paranoid_interpreters")),
    ("CC_SAFETY_NET_PARANOID_RM", ("paranoid_rm",)),
    ("CC_SAFETY_NET_PARANOID_INTERPRETERS", ("paranoid_interpreters",)),
)
