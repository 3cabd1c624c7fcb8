"""Groovy, and Java as `jshell` takes it."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.calls import Call, perform
from cc_safety_net.guard.interpret.inline.evaluator import Run, read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.tables import computing
from cc_safety_net.guard.interpret.inline.values import Value, constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action

_METHODS: dict[str, Action] = {
    "deleteDir": ("delete-tree", "self"),
    "delete": ("delete", "self"),
    "deleteOnExit": ("delete", "self"),
    "renameTo": ("move", "self", 0),
    "write": ("write", "self", 0),
    "append": ("append", "self", 0),
    "setText": ("write", "self", 0),
    "getText": ("read", "self"),
    "readLines": ("read", "self"),
    "eachLine": ("read", "self"),
}


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    read_tokens(code, host, LANGUAGE)


def _execute(call: Call, run: Run) -> Value | None:
    """`"cmd args".execute()` is cut at blanks; a list is a program and its words."""
    receiver = call.receiver
    if receiver is None or receiver.kind not in ("text", "list"):
        return None
    if receiver.kind == "text":
        from cc_safety_net.guard.interpret.inline import strings

        words = strings.method(receiver, "split", Call("split", []))
        if words is None:
            return perform(run.host, ("shell", 0), Call("execute", [receiver]))
        receiver = words
    return perform(run.host, ("program", 0), Call("execute", [receiver]))


def _exec(call: Call, run: Run) -> Value | None:
    if not call.arguments:
        return None
    called = Call("exec", [], receiver=call.arguments[0])
    return _execute(called, run)


def _of_file(call: Call, run: Run) -> Value | None:
    receiver = call.receiver
    if receiver is None or receiver.kind != "path":
        return None
    action = _METHODS[call.name]
    call.name = f"File.{call.name}"
    return perform(run.host, action, call) or constant("None")


LANGUAGE = Language(
    "Groovy",
    quotes={"'": "escaped", '"': "full"},
    holes="groovy",
    features=frozenset(("triples", "bare", "blocks", "closures", "lines", "typed", "implicit")),
    functions=("def", "void"),
    effects={
        "ProcessBuilder": ("program", 0),
        "Files.delete": ("delete", 0),
        "Files.deleteIfExists": ("delete", 0),
        "Files.move": ("move", 0, 1),
        "Files.copy": ("copy", 0, 1),
        "Files.write": ("write", 0, 1),
        "Files.writeString": ("write", 0, 1),
        "Files.readString": ("read", 0),
        "FileUtils.deleteDirectory": ("delete-tree", 0),
        "FileUtils.forceDelete": ("delete-tree", 0),
        "FileUtils.cleanDirectory": ("delete-inside", 0),
    },
    compute=computing(
        {
            "System.getenv": "env",
            "File": "path",
            "Path.of": "path",
            "Paths.get": "path",
            "List.of": "all",
            "Arrays.asList": "all",
            "evaluate": "code",
            "Eval.me": "code",
            "=args": "arguments",
        },
        {
            ".execute": _execute,
            "Runtime.getRuntime.exec": _exec,
            ".exec": _exec,
            ".append": _of_file,
            ".delete": _of_file,
            ".deleteDir": _of_file,
            ".deleteOnExit": _of_file,
            ".eachLine": _of_file,
            ".getText": _of_file,
            ".readLines": _of_file,
            ".renameTo": _of_file,
            ".setText": _of_file,
            ".write": _of_file,
        },
    ),
)
