"""Lua."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.evaluator import read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.tables import computing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.evaluator import Run


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    read_tokens(code, host, LANGUAGE, _preload)


def _preload(run: Run) -> None:
    from cc_safety_net.guard.interpret.inline.included import preloaded

    preloaded(run, "-l", "require", "", "")


LANGUAGE = Language(
    "Lua",
    quotes={"'": "escaped", '"': "escaped"},
    comments=("--",),
    blocks=(("--[[", "]]"), ("--[=[", "]=]")),
    features=frozenset(("ends", "long", "lists", "named", "colons", "lines")),
    joins=("..",),
    functions=("function",),
    effects={
        "os.execute": ("shell", 0),
        "io.popen": ("shell", 0),
        "os.remove": ("delete", 0),
        "os.rename": ("move", 0, 1),
        "lfs.rmdir": ("delete", 0),
        "lfs.chdir": ("chdir", 0),
        "io.lines": ("read", 0),
        "vim.fn.system": ("shell", 0),
        "vim.fn.systemlist": ("shell", 0),
        "vim.fn.jobstart": ("shell", 0),
        "vim.fn.termopen": ("shell", 0),
        "vim.system": ("shell", 0),
        "vim.fn.delete": ("delete-tree", 0),
        "vim.fn.rename": ("move", 0, 1),
        "vim.fn.writefile": ("write", 1),
        "vim.uv.fs_unlink": ("delete", 0),
        "vim.uv.fs_rmdir": ("delete", 0),
        "vim.loop.fs_unlink": ("delete", 0),
        "vim.loop.fs_rmdir": ("delete", 0),
        "vim.fs.rm": ("delete-tree", 0),
        "posix.unistd.unlink": ("delete", 0),
        "posix.unistd.rmdir": ("delete", 0),
    },
    takes_in={
        "dofile": ("here", ""),
        "loadfile": ("here", ""),
        "require": ("here dots", ".lua", "/init.lua"),
    },
    compute=computing(
        {
            "os.getenv": "env",
            "=arg": "arguments",
            "io.open": "open",
            "load": "code",
            "loadstring": "code",
            "dostring": "code",
            "string.format": "format",
            "tostring": "same",
            "ipairs": "same",
            "pairs": "same",
            "table.concat": "blanks",
            "lfs.currentdir": "here",
            "pcall": "apply",
            "xpcall": "apply",
            "print": "show",
        }
    ),
)
