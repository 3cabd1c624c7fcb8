"""`help agents|environment|exit-codes|json`: what concerns no single command, from the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.cli.targets import LATER, spec_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = {"entry": "hook entry", "file": "hook file of our own", "plugin": "plugin"}


def find(name: str) -> str | None:
    """The text of a topic, None if there is none of that name."""
    topic = _TOPICS.get(name)
    return None if topic is None else "\n".join(topic())


def _agents() -> Iterator[str]:
    yield "Agents, their option, what is put into them, and whether --scope project exists."
    yield ""
    for name in PACKAGES:
        spec = spec_of(name)
        project = "user, project" if spec.project_scope else "user"
        yield f"  {spec.title:16} {spec.install_flag:18} {_KINDS[spec.kind]:21} {project}"
    yield ""
    yield f"Not supported yet: {', '.join(LATER.values())}."


def _environment() -> Iterator[str]:
    yield "Variables that act, absolute paths or ~/…:"
    yield ""
    rows = [
        ("CC_SAFETY_NET_HOME", "config, state and data of cc-safety-net below one folder"),
        ("XDG_CONFIG_HOME, …", "XDG_STATE_HOME and XDG_DATA_HOME: the same, one by one"),
        ("CC_SAFETY_NET_DEBUG", "1: a traceback where cc-safety-net itself has failed"),
        ("NO_COLOR", "no colour"),
    ]
    for name in PACKAGES:
        spec = spec_of(name)
        if spec.home_variable:
            rows.append((spec.home_variable, f"where {spec.title} keeps its files (~/{spec.home})"))
    for variable, meaning in rows:
        yield f"  {variable:20} {meaning}"


def _exit_codes() -> Iterator[str]:
    yield "  0  done, or the answer is yes or healthy"
    yield "  1  failed or refused, or the answer is no or unhealthy"
    yield "  2  usage: an unknown option or command, a missing argument, a choice is needed"
    yield ""
    yield "`hook` never ends with 1: most agents take that as permission."


def _json() -> Iterator[str]:
    yield "With --json stdout holds one document, also on failure:"
    yield ""
    yield '  {"v": 1, "command": "…", …}'
    yield '  {"v": 1, "command": "…", "error": {"code", "message", "hint"}}'
    yield ""
    yield "Keys are only added within a version. Messages go to stderr."


_TOPICS = {
    "agents": _agents,
    "environment": _environment,
    "exit-codes": _exit_codes,
    "json": _json,
}
