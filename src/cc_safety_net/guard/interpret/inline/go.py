"""Go, as `go run` takes it."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.evaluator import read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.tables import computing
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action
    from cc_safety_net.guard.interpret.inline.evaluator import Run

_EFFECTS: dict[str, Action] = {
    "exec.Command": ("argv", 0),
    "exec.CommandContext": ("argv", 1),
    "syscall.Exec": ("exec-list", 0, 1),
    "os.StartProcess": ("exec-list", 0, 1),
    "os.Remove": ("delete", 0),
    "os.RemoveAll": ("delete-tree", 0),
    "syscall.Unlink": ("delete", 0),
    "syscall.Rmdir": ("delete", 0),
    "os.Rename": ("move", 0, 1),
    "os.Truncate": ("truncate", 0, 1),
    "os.Create": ("write", 0),
    "os.WriteFile": ("write", 0, 1),
    "ioutil.WriteFile": ("write", 0, 1),
    "os.ReadFile": ("read", 0),
    "ioutil.ReadFile": ("read", 0),
    "os.Open": ("read", 0),
    "os.Chmod": ("permissions", 0),
    "os.Chown": ("permissions", 0),
    "os.Symlink": ("link", 0, 1),
    "os.Link": ("link", 0, 1),
    "os.Chdir": ("chdir", 0),
    "syscall.Kill": ("kill", 0, "one"),
}


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do: `init` and `main` are called."""
    read_tokens(code, host, LANGUAGE, _beside)


def _beside(run: Run) -> None:
    """The other files of the package are part of the program."""
    host = run.host
    if not host.script:
        return
    from cc_safety_net.guard.interpret.inline.included import run_file

    for folder in host.folders:
        for name in host.world.names(folder) or ():
            path = join(folder, name)
            if name.endswith(".go") and not name.endswith("_test.go") and path != host.script:
                host.take_in(path, name, lambda text: run_file(run, text))


LANGUAGE = Language(
    "Go",
    quotes={"'": "escaped", '"': "escaped", "`": "raw"},
    features=frozenset(("lists", "lines", "composites")),
    functions=("func",),
    effects=_EFFECTS,
    compute=computing(
        {
            "os.Getenv": "env",
            "os.UserHomeDir": "home",
            "os.TempDir": "temp",
            "os.Getwd": "here",
            "=os.Args": "arguments",
            "filepath.Join": "join",
            "path.Join": "join",
            "filepath.Glob": "glob",
            "filepath.Dir": "dirname",
            "filepath.Base": "basename",
            "fmt.Sprintf": "format",
            "fmt.Sprint": "concat",
            "strings.Join": "implode",
            "fmt.Println": "show",
            "fmt.Print": "show",
            "byte": "same",
            "string": "same",
        }
    ),
    start=("init", "main"),
)
