"""The form of an agent's description: plain data, read by the guard and by the manager.

A value here is a fact about the agent (docs/reference/agents has the sources). What data can't
say stands in the agent's `protocol.py` (its calls) or `setup.py` (its installation).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The hole of a reply: a string of a reply's form that is exactly this becomes the text.
TEXT = "{text}"


class ConfigFile:
    """A file of the agent in which our entry may stand.

    scope: `user`, `project` or `managed`. path: below the agent's home (`home`), the project
    (`project`) or absolute (`absolute`), as `base` says. format: `json`, `jsonc`, `toml`, `yaml`.
    ours_alone: the file is created for our entry and holds nothing else (Grok's hook file).
    keys: the keys that lead to our list in this file, where they are not those of the entry.
    """

    __slots__ = ("base", "format", "keys", "ours_alone", "path", "scope")

    def __init__(
        self,
        scope: str,
        path: str,
        format: str,  # noqa: A002 - the word of the domain
        *,
        base: str = "home",
        ours_alone: bool = False,
        keys: Sequence[str] = (),
    ) -> None:
        self.scope = scope
        self.path = path
        self.format = format
        self.base = base
        self.ours_alone = ours_alone
        self.keys = tuple(keys)


class HookEntry:
    """Our entry in a config file.

    event: the pre-tool event. path: keys that lead to the list of the event's entries
    (`("hooks", "PreToolUse")`). nested: entries hold an inner `hooks` list (Claude's shape).
    matcher: value of `matcher`, None to leave it out. options: further keys of the handler
    (`timeout`, `onFailure`). top: keys of the file that must have a value (`version: 1`).
    shell: the agent runs `command` through a shell, so that the entry itself can deny when the
    launcher is gone.
    """

    __slots__ = ("event", "matcher", "nested", "options", "path", "shell", "top")

    def __init__(
        self,
        event: str,
        path: Sequence[str],
        *,
        nested: bool,
        matcher: str | None = None,
        options: Mapping[str, object] | None = None,
        top: Mapping[str, object] | None = None,
        shell: bool = True,
    ) -> None:
        self.event = event
        self.path = tuple(path)
        self.nested = nested
        self.matcher = matcher
        self.options: Mapping[str, object] = options or {}
        self.top: Mapping[str, object] = top or {}
        self.shell = shell


class Payload:
    """Where a call's facts stand in the agent's JSON; each a tuple of key paths, first hit wins.

    A key path is a tuple of keys. `event_values`: values of the event field that are the
    pre-tool event; an empty tuple: the agent sends no event name. `event_optional`: some versions
    send none, and then mean the pre-tool event.
    """

    __slots__ = (
        "call_id",
        "directory",
        "event",
        "event_optional",
        "event_values",
        "input",
        "session",
        "session_directory",
        "tool",
        "workspaces",
    )

    def __init__(
        self,
        *,
        event: Sequence[Sequence[str]],
        event_values: Sequence[str],
        tool: Sequence[Sequence[str]],
        input: Sequence[Sequence[str]],  # noqa: A002 - the word of the domain
        session: Sequence[Sequence[str]] = (),
        call_id: Sequence[Sequence[str]] = (),
        session_directory: Sequence[Sequence[str]] = (),
        directory: Sequence[Sequence[str]] = (),
        workspaces: Sequence[Sequence[str]] = (),
        event_optional: bool = False,
    ) -> None:
        self.event = event
        self.event_optional = event_optional
        self.event_values = tuple(event_values)
        self.tool = tool
        self.input = input
        self.session = session
        self.call_id = call_id
        self.session_directory = session_directory
        self.directory = directory
        self.workspaces = workspaces


class AgentSpec:
    """One agent.

    name: canonical (`claude-code`). title: for people. flags: of `hook`, the canonical first,
    then the short one, then aliases. install_flag: of `install` and its kin.
    executable: the agent's program. home_variable, home: the variable that moves the agent's
    home, and its default below the person's home. home_below: what the agent adds to the
    variable's folder. windows_home: the default on Windows, with its variables.
    configs, entry: where and what is written.
    payload: how a call is read. shell_tools: tool names (as sent) that run a shell, with the
    dialect; tools: other names with kinds that differ from the common table.
    contained: the execution directory must lie inside a workspace.
    allow: the JSON document that lets a call pass, None for empty output. deny: the one that
    refuses it, with TEXT where the reason goes. ask: the one that asks the person, None where the
    agent has no question that holds (then it is a denial).
    deny_status: exit code with which a denial is given; with one other than 0 the text goes to
    standard error too. block_status: the exit code that the
    agent obeys as a block when there is no output, None if there is none.
    project_variables: environment variables that name the project root.
    marker_variables: set in the environment of what the agent starts.
    kind: `entry` (a hook entry), `file` (a hook file of its own), `plugin` (by its own CLI).
    project_scope: `--scope project` exists. restart: what the person must do after a change.
    versions: versions that the description was checked against.
    """

    __slots__ = (
        "allow",
        "ask",
        "block_status",
        "configs",
        "contained",
        "deny",
        "deny_status",
        "entry",
        "executable",
        "flags",
        "home",
        "home_below",
        "home_variable",
        "install_flag",
        "kind",
        "marker_variables",
        "name",
        "payload",
        "project_scope",
        "project_variables",
        "restart",
        "shell_tools",
        "title",
        "tools",
        "versions",
        "windows_home",
    )

    def __init__(
        self,
        name: str,
        title: str,
        *,
        flags: Sequence[str],
        install_flag: str,
        executable: str,
        home: str,
        payload: Payload,
        kind: str,
        deny: Mapping[str, object],
        allow: Mapping[str, object] | None = None,
        ask: Mapping[str, object] | None = None,
        home_variable: str = "",
        home_below: str = "",
        windows_home: str = "",
        configs: Sequence[ConfigFile] = (),
        entry: HookEntry | None = None,
        shell_tools: Mapping[str, str] | None = None,
        tools: Mapping[str, str] | None = None,
        contained: bool = False,
        deny_status: int = 0,
        block_status: int | None = 2,
        project_variables: Sequence[str] = (),
        marker_variables: Sequence[str] = (),
        project_scope: bool = True,
        restart: str = "",
        versions: str = "",
    ) -> None:
        self.name = name
        self.title = title
        self.flags = tuple(flags)
        self.install_flag = install_flag
        self.executable = executable
        self.home = home
        self.home_variable = home_variable
        self.home_below = home_below
        self.windows_home = windows_home or "%USERPROFILE%\\" + home.replace("/", "\\")
        self.configs = tuple(configs)
        self.entry = entry
        self.payload = payload
        self.kind = kind
        self.shell_tools: Mapping[str, str] = shell_tools or {}
        self.tools: Mapping[str, str] = tools or {}
        self.allow = allow
        self.deny = deny
        self.ask = ask
        self.contained = contained
        self.deny_status = deny_status
        self.block_status = block_status
        self.project_variables = tuple(project_variables)
        self.marker_variables = tuple(marker_variables)
        self.project_scope = project_scope
        self.restart = restart
        self.versions = versions
