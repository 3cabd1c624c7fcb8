"""One tool call, as every agent's protocol hands it to the engine."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

#: Kinds of tools (specification of the guard, section 10).
KINDS = frozenset(
    (
        "shell",
        "typed",
        "code",
        "read",
        "write",
        "edit",
        "patch",
        "delete",
        "move",
        "search",
        "names",
        "other",
    )
)


class ToolCall:
    """What is about to run.

    agent: canonical name of the agent that asks (`claude-code`, `cursor`, …).
    shape: name of the agent whose form the payload has; differs from `agent` for an imported hook.
    tool: the tool's name as sent. kind: one of KINDS.
    arguments: the tool's arguments as sent (a mapping; {} if there are none).
    command: shell text for kinds `shell` and `typed`, else None.
    dialect: `posix`, `powershell`, `cmd` or `auto`.
    directory: the call's own directory as sent; "" if it names none. May be relative.
    session_directory: the payload's directory, base of a relative `directory`; "" if absent.
    workspaces: workspace roots of the payload, or the agent's project variable; may be empty.
    contained: the execution directory must lie inside a workspace (Cursor, Grok, Kimi).
    rooted: `workspaces` came from the payload (else from an environment variable).
    session, call_id: ids as sent, "" if absent.
    """

    __slots__ = (
        "agent",
        "arguments",
        "call_id",
        "command",
        "contained",
        "dialect",
        "directory",
        "kind",
        "rooted",
        "session",
        "session_directory",
        "shape",
        "tool",
        "workspaces",
    )

    def __init__(
        self,
        agent: str,
        tool: str,
        kind: str,
        arguments: Mapping[str, Any],
        *,
        shape: str = "",
        command: str | None = None,
        dialect: str = "auto",
        directory: str = "",
        session_directory: str = "",
        workspaces: Sequence[str] = (),
        contained: bool = False,
        rooted: bool = False,
        session: str = "",
        call_id: str = "",
    ) -> None:
        self.agent = agent
        self.shape = shape or agent
        self.tool = tool
        self.kind = kind
        self.arguments = arguments
        self.command = command
        self.dialect = dialect
        self.directory = directory
        self.session_directory = session_directory
        self.workspaces = tuple(workspaces)
        self.contained = contained
        self.rooted = rooted
        self.session = session
        self.call_id = call_id


class BadCall(Exception):
    """The payload can't be read as a call: it is denied.

    rule: `guard.malformed-input`, `guard.input-limit`, `guard.truncated-input` or
    `guard.cancelled`; what: the fact, for the message.
    """

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(what)
        self.rule = rule
        self.what = what
