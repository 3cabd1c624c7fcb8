"""Julia."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.evaluator import read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.tables import computing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action

_EFFECTS: dict[str, Action] = {
    "rm": ("delete-optional", 0),
    "Base.rm": ("delete-optional", 0),
    "mv": ("move", 0, 1),
    "cp": ("copy", 0, 1),
    "write": ("write", 0, 1),
    "truncate": ("truncate", 0),
    "chmod": ("permissions", 0),
    "chown": ("permissions", 0),
    "symlink": ("link", 0, 1),
    "touch": ("create", 0),
    "cd": ("chdir", 0),
    "readlines": ("read", 0),
    "read": ("read", 0),
    "eachline": ("read", 0),
    "hardlink": ("link", 0, 1),
}


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    read_tokens(code, host, LANGUAGE)


# A command between backticks runs only by `run`, `read` and the like: it counts as run.
LANGUAGE = Language(
    "Julia",
    quotes={"'": "escaped", '"': "full", "`": "shell"},
    comments=("#",),
    blocks=(("#=", "=#"),),
    holes="julia",
    features=frozenset(("ends", "named", "lines", "bangs", "triples")),
    joins=("*",),
    functions=("function",),
    effects=_EFFECTS,
    takes_in={"include": ("beside", "")},
    compute=computing(
        {
            "homedir": "home",
            "tempdir": "temp",
            "pwd": "here",
            "ENV[]": "env",
            "get": "same",
            "=ARGS": "arguments",
            "joinpath": "join",
            "expanduser": "tilde",
            "abspath": "expand",
            "readdir": "entries",
            "string": "concat",
            "open": "open",
            "dirname": "dirname",
            "basename": "basename",
            "foreach": "map",
            "map": "map",
            "Meta.parse": "same",
            "include_string": "last",
            "eval": "code-if-text",
            "println": "show",
            "print": "show",
        }
    ),
)
