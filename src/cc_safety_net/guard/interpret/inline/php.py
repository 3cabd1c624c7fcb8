"""PHP."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.evaluator import read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.tables import computing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action

_EFFECTS: dict[str, Action] = {
    "exec": ("shell", 0),
    "shell_exec": ("shell", 0),
    "system": ("shell", 0),
    "passthru": ("shell", 0),
    "popen": ("shell", 0),
    "proc_open": ("shell", 0),
    "pcntl_exec": ("spawn", 0, 1),
    "unlink": ("delete", 0),
    "rmdir": ("delete", 0),
    "File.delete": ("delete-all",),
    "File.deleteDirectory": ("delete-tree", 0),
    "File.cleanDirectory": ("delete-inside", 0),
    "rename": ("move", 0, 1),
    "copy": ("copy", 0, 1),
    "file_put_contents": ("write", 0, 1),
    "file_get_contents": ("read", 0),
    "readfile": ("read", 0),
    "file": ("read", 0),
    "show_source": ("read", 0),
    "parse_ini_file": ("read", 0),
    "highlight_file": ("read", 0),
    "chmod": ("permissions", 0),
    "chown": ("permissions", 0),
    "chgrp": ("permissions", 0),
    "symlink": ("link", 0, 1),
    "link": ("link", 0, 1),
    "touch": ("create", 0),
    "mkdir": ("create", 0),
    "chdir": ("chdir", 0),
    "posix_kill": ("kill", 0, "one"),
}
_KNOWN = {
    "getenv": "env",
    "=$argv": "arguments",
    "=__DIR__": "beside",
    "=__FILE__": "file",
    "$_ENV[]": "env",
    "$_SERVER[]": "env",
    "getcwd": "here",
    "sys_get_temp_dir": "temp",
    "glob": "glob",
    "scandir": "entries",
    "base64_decode": "base64",
    "hex2bin": "hex",
    "str_rot13": "rot13",
    "eval": "code",
    "assert": "code-if-text",
    "implode": "implode",
    "join": "implode",
    "explode": "explode",
    "sprintf": "format",
    "dirname": "dirname",
    "basename": "basename",
    "realpath": "same",
    "escapeshellarg": "same",
    "strval": "same",
    "trim": "same",
    "array": "all",
    "call_user_func": "apply",
    "call_user_func_array": "apply",
    "array_map": "map",
    "array_walk": "map",
    "array_filter": "map",
    "fopen": "open",
    "print_r": "show",
    "var_dump": "show",
    "var_export": "show",
}


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do: all of it with `-r`, else what stands between tags."""
    if "<?" in code:
        code = _between_tags(code)
    elif host.script:
        return
    read_tokens(code, host, LANGUAGE)


def _between_tags(code: str) -> str:
    """The code of a file, which is text elsewhere."""
    parts = []
    for part in code.split("<?")[1:]:
        inside = part.partition("?>")[0]
        parts.append(inside.removeprefix("php").removeprefix("="))
    return "\n;\n".join(parts)


LANGUAGE = Language(
    "PHP",
    quotes={"'": "plain", '"': "full", "`": "shell"},
    comments=("//", "#"),
    holes="php",
    features=frozenset(("heredocs", "sigils", "named-calls")),
    joins=(".",),
    functions=("function", "fn"),
    effects=_EFFECTS,
    compute=computing(_KNOWN),
    takes_in=dict.fromkeys(
        ("require", "require_once", "include", "include_once"), ("here beside", "")
    ),
    source=_between_tags,
    names={"$_ENV": "ENV", "File::delete": "File.delete"},
)
