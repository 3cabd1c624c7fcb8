"""What kind of tool a name stands for: one union of the names of all agents.

Names compare without case, `-`, `_` and blanks. A tool of an MCP server is known by its last part.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_KINDS = {
    "bash": "shell",
    "shell": "shell",
    "sh": "shell",
    "zsh": "shell",
    "exec": "shell",
    "execcommand": "shell",
    "executecommand": "shell",
    "shellcommand": "shell",
    "localshell": "shell",
    "unifiedexec": "shell",
    "containerexec": "shell",
    "runshellcommand": "shell",
    "runterminalcommand": "shell",
    "runterminalcmd": "shell",
    "runcommand": "shell",
    "runinterminal": "shell",
    "asyncshellcommand": "shell",
    "gatewayexec": "shell",
    "terminal": "shell",
    "monitor": "shell",
    "cmd": "shell",
    "powershell": "shell",
    "pwsh": "shell",
    "writebash": "typed",
    "writepowershell": "typed",
    "writestdin": "typed",
    "writetoprocess": "typed",
    "sendcommandinput": "typed",
    "sendkeys": "typed",
    "terminalinput": "typed",
    "process": "typed",
    "executecode": "code",
    "runcode": "code",
    "codeinterpreter": "code",
    "codemode": "code",
    "jsrepl": "code",
    "python": "code",
    "runnotebookcell": "code",
    "notebookrun": "code",
    "notebookruncell": "code",
    "read": "read",
    "readfile": "read",
    "readmanyfiles": "read",
    "readmultiplefiles": "read",
    "readtextfile": "read",
    "readmediafile": "read",
    "view": "read",
    "viewfile": "read",
    "viewimage": "read",
    "viewcodeitem": "read",
    "open": "read",
    "cat": "read",
    "notebookread": "read",
    "hashlineread": "read",
    "tabread": "read",
    "write": "write",
    "writefile": "write",
    "writetofile": "write",
    "create": "write",
    "createfile": "write",
    "savefile": "write",
    "newfile": "write",
    "append": "write",
    "appendfile": "write",
    "tabwrite": "write",
    "edit": "edit",
    "editfile": "edit",
    "multiedit": "edit",
    "multieditfile": "edit",
    "replace": "edit",
    "strreplace": "edit",
    "strreplacefile": "edit",
    "strreplaceeditor": "edit",
    "strreplacebasededittool": "edit",
    "searchreplace": "edit",
    "replacefilecontent": "edit",
    "multireplacefilecontent": "edit",
    "notebookedit": "edit",
    "insert": "edit",
    "hashlineedit": "edit",
    "sedfile": "edit",
    "undoedit": "edit",
    "applypatch": "patch",
    "patch": "patch",
    "applydiff": "patch",
    "delete": "delete",
    "deletefile": "delete",
    "remove": "delete",
    "removefile": "delete",
    "unlink": "delete",
    "trash": "delete",
    "rmdir": "delete",
    "deletedirectory": "delete",
    "move": "move",
    "movefile": "move",
    "rename": "move",
    "renamefile": "move",
    "copyfile": "move",
    "grep": "search",
    "grepsearch": "search",
    "rg": "search",
    "ripgrep": "search",
    "search": "search",
    "searchfilecontent": "search",
    "searchtext": "search",
    "ls": "names",
    "list": "names",
    "listdir": "names",
    "listdirectory": "names",
    "listfiles": "names",
    "tree": "names",
    "directorytree": "names",
    "glob": "names",
    "find": "names",
    "findbyname": "names",
    "findfilebyname": "names",
    "filesearch": "names",
    "findfiles": "names",
    "getfileinfo": "names",
    "fileinfo": "names",
    "getfilestats": "names",
    "statfile": "names",
    "stat": "names",
    "fileexists": "names",
    "pathexists": "names",
}

_DIALECTS = {
    "powershell": "powershell",
    "pwsh": "powershell",
    "writepowershell": "powershell",
    "cmd": "cmd",
    "bash": "posix",
    "sh": "posix",
    "zsh": "posix",
    "writebash": "posix",
}

#: Tools that carry the call of another tool.
_DISPATCHERS = frozenset(
    ("usetool", "toolcall", "mcpcalltool", "calltool", "callmcptool", "usemcptool", "mcptool")
)
_INNER_NAMES = ("toolname", "tool", "name", "id")
_NESTED = 8
#: Names of keys in what is typed.
_NAMED_KEYS = {
    "enter": "\n",
    "return": "\n",
    "c-m": "\n",
    "c-j": "\n",
    "ctrl+m": "\n",
    "ctrl-m": "\n",
    "kpenter": "\n",
    "space": " ",
    "tab": "\t",
    "c-c": "\n",
    "ctrl+c": "\n",
    "ctrl-c": "\n",
    "escape": "",
    "c-u": "\n",
}
_INNER_ARGUMENTS = ("toolinput", "arguments", "args", "input", "parameters", "params", "toolargs")

#: Where a tool of a kind keeps its text, in order of preference.
COMMAND_KEYS = (
    "command",
    "commands",
    "cmd",
    "cmdline",
    "commandline",
    "shellcommand",
    "script",
    "argv",
)
TYPED_KEYS = ("input", "text", "data", "chars", "keys", "command")
DIRECTORY_KEYS = (
    "cwd",
    "workdir",
    "workingdirectory",
    "workingdir",
    "dir",
    "directory",
    "dirpath",
)


def normalise_name(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")


def last_part(name: str) -> str:
    """The tool's own name without the server in front (`mcp__s__t`, `s__t`, `MCP:t`)."""
    head, colon, rest = name.partition(":")
    if colon and head.strip().lower() == "mcp":
        name = rest.strip()
    return name.rpartition("__")[2] or name


def kind_of(name: str) -> str:
    return _found(_KINDS, name) or "other"


def dialect_of(name: str) -> str:
    return _found(_DIALECTS, name) or "auto"


def _found(table: Mapping[str, str], name: str) -> str:
    """By the tool's own name; `container.exec` and `functions.exec` too."""
    plain = normalise_name(last_part(name))
    found = table.get(plain, "")
    if not found and "." in plain:
        found = table.get(plain.replace(".", "")) or table.get(plain.rpartition(".")[2], "")
    return found


def typed_text(keys: list[str]) -> str:
    """A list of keys as the text that is typed: `["git reset --hard", "Enter"]`."""
    return "".join(_NAMED_KEYS.get(key.strip("<>{}").lower(), key) for key in keys)


def unwrap_dispatcher(name: str, arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The tool that is really called, with its own arguments; of nested ones the innermost.

    A dispatcher is known by its name, or by arguments that are nothing but a tool's name with a
    mapping (Grok names the inner tool and sends the wrapper).
    """
    for _ in range(_NESTED):
        named = normalise_name(last_part(name)) in _DISPATCHERS
        if not named and not (len(arguments) == 2 and "tool_name" in arguments):
            break
        inner_name = find(arguments, _INNER_NAMES)
        inner = find(arguments, _INNER_ARGUMENTS)
        if isinstance(inner, str) and inner.lstrip().startswith("{"):
            inner = _decoded(inner)
        if not (isinstance(inner_name, str) and inner_name and isinstance(inner, dict)):
            break
        name, arguments = inner_name, inner
    return name, arguments


def _decoded(text: str) -> Any:
    """Arguments that a dispatcher carries as text."""
    # Rare: most carry an object.
    from cc_safety_net.guard.json_text import JsonError, decode_json

    try:
        return decode_json(text)
    except JsonError:
        return None


def find(arguments: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """The value under the first of `keys` (normalised) that is there and not null."""
    if keys[0] in arguments and arguments[keys[0]] is not None:
        return arguments[keys[0]]
    normal: dict[str, Any] = {}
    for key, value in arguments.items():
        if value is not None:
            normal.setdefault(normalise_name(key), value)
    for key in keys:
        if key in normal:
            return normal[key]
    return None
