"""R."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline import path_values
from cc_safety_net.guard.interpret.inline.calls import Call, perform, start
from cc_safety_net.guard.interpret.inline.evaluator import Run, read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.tables import computing
from cc_safety_net.guard.interpret.inline.values import Value, choices_of, texts, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    read_tokens(code, host, LANGUAGE)


def _system2(call: Call, run: Run) -> Value:
    program = call.at(0, "command")
    given = call.at(1, "args")
    if program is not None:
        words = [] if given is None else given.items if given.kind == "list" else [given]
        parts = [part for each in words for part in _cut(each)]
        start(run.host, [program, *parts], call)
    return unknown("system2")


def _cut(value: Value) -> list[Value]:
    """Arguments are joined and cut again at blanks, as the shell does."""
    from cc_safety_net.guard.interpret.inline.values import text

    known = value.text
    return [text(part) for part in known.split()] if known is not None else [value]


def _unlink(call: Call, run: Run) -> Value:
    """`unlink` expands patterns."""
    from cc_safety_net.guard.interpret.inline.values import matching

    first = call.at(0, "x")
    if first is not None:
        items = first.items if first.kind == "list" else [first]
        items = [texts(path_values.expanded(choices_of(item), run.host)) for item in items]
        found = [each for item in items for each in matching(item).items]
        kind = "delete-tree" if call.is_on("recursive") else "delete"
        for each in found:
            perform(run.host, (kind, 0), Call("unlink", [each]))
    return unknown("unlink")


LANGUAGE = Language(
    "R",
    quotes={"'": "escaped", '"': "escaped", "`": "raw"},
    comments=("#",),
    blocks=(),
    features=frozenset(("named", "arrows", "dotted", "lines")),
    joins=(),
    functions=(),
    effects={
        "system": ("shell", 0),
        "shell": ("shell", 0),
        "pipe": ("shell", 0),
        "base.system": ("shell", 0),
        "processx.run": ("spawn", 0, 1),
        "sys.exec_wait": ("spawn", 0, 1),
        "file.remove": ("delete-all",),
        "unlink_dir": ("delete-tree", 0),
        "fs.dir_delete": ("delete-tree", 0),
        "fs.file_delete": ("delete", 0),
        "file.rename": ("move", 0, 1),
        "file.copy": ("copy", 0, 1),
        "file.create": ("truncate", 0),
        "writeLines": ("write", 1, 0),
        "Sys.chmod": ("permissions", 0),
        "setwd": ("chdir", 0),
        "readLines": ("read", 0),
        "readRDS": ("read", 0),
        "scan": ("read", 0),
        "read.csv": ("read", 0),
        "source": ("read", 0),
        "tools.pskill": ("kill", 0, "one"),
    },
    takes_in={"source": ("here", ""), "sys.source": ("here", "")},
    compute=computing(
        {
            "Sys.getenv": "env",
            "commandArgs": "arguments",
            "getwd": "here",
            "tempdir": "temp",
            "path.expand": "tilde",
            "normalizePath": "expand",
            "file.path": "join",
            "paste0": "concat",
            "paste": "blanks",
            "c": "all",
            "list.files": "entries",
            "dir": "entries",
            "Sys.glob": "glob",
            "sprintf": "format",
            "parse": "last",
            "eval": "code-if-text",
            "dirname": "dirname",
            "basename": "basename",
            "shQuote": "same",
            "lapply": "map",
            "sapply": "map",
            "cat": "show",
            "print": "show",
        },
        {"system2": _system2, "unlink": _unlink, "base.unlink": _unlink, "base.system2": _system2},
    ),
    names={"T": "TRUE"},
)
