"""Elixir."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.evaluator import read_tokens
from cc_safety_net.guard.interpret.inline.language import Language
from cc_safety_net.guard.interpret.inline.tables import computing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.inline.calls import Action

_EFFECTS: dict[str, Action] = {
    "System.cmd": ("spawn", 0, 1),
    "System.shell": ("shell", 0),
    ":os.cmd": ("shell", 0),
    "File.rm": ("delete", 0),
    "File.rm!": ("delete", 0),
    "File.rm_rf": ("delete-tree", 0),
    "File.rm_rf!": ("delete-tree", 0),
    "File.rmdir": ("delete", 0),
    "File.rmdir!": ("delete", 0),
    ":file.delete": ("delete", 0),
    ":file.del_dir_r": ("delete-tree", 0),
    "File.rename": ("move", 0, 1),
    "File.rename!": ("move", 0, 1),
    "File.cp": ("copy", 0, 1),
    "File.cp!": ("copy", 0, 1),
    "File.cp_r": ("copy", 0, 1),
    "File.write": ("write", 0, 1),
    "File.write!": ("write", 0, 1),
    "File.read": ("read", 0),
    "File.read!": ("read", 0),
    "File.stream!": ("read", 0),
    "File.chmod": ("permissions", 0),
    "File.chmod!": ("permissions", 0),
    "File.cd": ("chdir", 0),
    "File.cd!": ("chdir", 0),
}


def read(code: str, host: CodeHost) -> None:
    """Report what the code would do."""
    read_tokens(code, host, LANGUAGE)


LANGUAGE = Language(
    "Elixir",
    quotes={"'": "full", '"': "full"},
    comments=("#",),
    blocks=(),
    holes="ruby",
    features=frozenset(
        ("symbols", "atoms", "tildes", "bangs", "bare", "ends", "lines", "triples", "blocks")
    ),
    joins=("<>", "++"),
    functions=("def", "defp"),
    effects=_EFFECTS,
    takes_in=dict.fromkeys(
        ("Code.require_file", "Code.eval_file", "Code.compile_file", "Code.load_file"),
        ("here", ""),
    ),
    compute=computing(
        {
            "System.user_home": "home",
            "System.user_home!": "home",
            "System.get_env": "env",
            "System.fetch_env!": "env",
            "System.tmp_dir": "temp",
            "System.tmp_dir!": "temp",
            "System.argv": "arguments",
            "File.cwd!": "here",
            "Path.join": "join",
            "Path.expand": "expand",
            "Path.wildcard": "glob",
            "Path.dirname": "dirname",
            "File.ls!": "entries",
            "Code.eval_string": "code",
            "Base.decode64!": "base64",
            "Base.decode16!": "hex",
            "String.to_charlist": "same",
            "String.trim": "same",
            "to_charlist": "same",
            "to_string": "same",
            "Enum.each": "map",
            "Enum.map": "map",
            "apply": "apply",
            "IO.puts": "show",
            "IO.inspect": "show",
        }
    ),
)
