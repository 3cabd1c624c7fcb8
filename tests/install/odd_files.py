"""Config files as people have them, for each format: odd, but accepted by their agents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_CURSOR_FULL = """{
  "version": 1,
  "hooks": {
    "beforeShellExecution": [
      { "command": "./audit.sh" }
    ],
    "preToolUse": [
      {
        "command": "./other.sh",
        "matcher": "Shell"
      }
    ],
    "stop": []
  }
}
"""
_CLAUDE_FULL = """{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "./other.sh"
          }
        ]
      }
    ],
    "Stop": []
  },
  "permissions": { "allow": ["Bash(ls:*)"] }
}
"""


def _json(full: str, list_name: str) -> dict[str, bytes]:
    keys = {f"key{number}": list(range(5)) for number in range(4000)}
    hooks = '"hooks": {"' + list_name + '": ['
    texts = {
        "full": full,
        "crlf": full.replace("\n", "\r\n"),
        "cr": full.replace("\n", "\r"),
        "mixed line ends": full.replace("\n", "\r\n", 3),
        "tabs": full.replace("  ", "\t"),
        "three spaces": full.replace("  ", "   "),
        "four spaces": full.replace("  ", "    "),
        "eight spaces": full.replace("  ", " " * 8),
        "no final newline": full.rstrip("\n"),
        "many final newlines": full + "\n\n\n",
        "trailing blanks": full.replace("\n", "  \n"),
        "blank lines": full.replace("\n", "\n\n"),
        "leading blank lines": "\n\n  " + full,
        "byte order mark": "\ufeff" + full,
        "byte order mark and crlf": "\ufeff" + full.replace("\n", "\r\n"),
        "compact": json.dumps(json.loads(full), separators=(",", ":")),
        "one line": json.dumps(json.loads(full)),
        "one line and newline": json.dumps(json.loads(full)) + "\n",
        "empty file": "",
        "newline only": "\n",
        "blanks only": "  \n\t\n",
        "empty object": "{}",
        "empty object and newline": "{}\n",
        "empty object with a blank": "{ }\n",
        "empty object over lines": "{\n}\n",
        "empty object with blank lines": "{\n\n\n}\n",
        "empty hooks": '{"hooks": {}}',
        "empty hooks over lines": '{\n  "hooks": {\n  }\n}\n',
        "empty list": "{" + hooks + "]}}",
        "empty list over lines": "{\n  " + hooks + "\n    ]}\n}\n",
        "empty list with a blank": "{" + hooks + " ]}}\n",
        "other keys only": '{"a": 1, "b": [1, 2, {"c": null}]}\n',
        "unusual order": '{"zebra": true, "hooks": {"z": [], "a": []}, "alpha": false}\n',
        "unicode": '{"名前": "値 😀", "é": "\u2028", "hooks": {}}\n',
        "escapes": '{"\\u0068ome": "\\ud83d\\ude00 \\/ \\b", "x": "\\\\\\"{[,"}\n',
        "lone surrogate": '{"x": "\\ud800"}\n',
        "escaped name of hooks": '{"\\u0068ooks": {}}\n',
        "duplicate keys": '{"a": 1, "a": 2, "hooks": {"x": []}, "hooks": {}}\n',
        "strange numbers": '{"a": -0, "b": 1E+10, "c": 0.10, "d": 12345678901234567890}\n',
        "numbers too large for us": '{"a": 1e999, "b": ' + "9" * 5000 + "}\n",
        "deep": '{"a": ' + "[" * 90 + "]" * 90 + "}\n",
        "large": json.dumps(keys, indent=1),
        "commas first": '{ "a": 1\n, "b": 2\n, "hooks": {}\n}\n',
        "closing brackets together": '{\n  "a": {\n    "x": [\n      1]}}',
        "colons apart": '{ "hooks" : { "x" : [ ] } , "a" : "b" }\n',
        "looks like ours in a text": '{"note": "cc-safety-net hook --cursor", "hooks": {}}\n',
        "form feed in a string": '{"a": "x\\fy"}\n',
        "foreign entries twice": json.dumps(_doubled(json.loads(full)), indent=2) + "\n",
        "an empty name": '{"": {"": []}, "hooks": {}}\n',
        "names of methods": '{"__proto__": {}, "constructor": [], "hooks": {}}\n',
        "white space in a name": '{" hooks ": [], "hooks\\t": 1, "Hooks": {}}\n',
        "escaped quotes": '{"a": "\\"hooks\\": {}", "b\\"c": 1}\n',
        "brackets in strings": '{"a": "]}", "b": ["{", "}"], "hooks": {}}\n',
        "no blank anywhere, newline": '{"hooks":{},"a":[]}\n',
        "two megabytes": '{"a": "' + "x" * 2_000_000 + '",\n "hooks": {}}\n',
        "many lines of blanks": "{" + "\n" * 300 + "}",
        "version last": '{"hooks": {}, "version": 1}\n',
    }
    return {name: text.encode("utf-8", "surrogatepass") for name, text in texts.items()}


def _doubled(model: object) -> object:
    """Every entry of every list once more."""
    if isinstance(model, dict):
        return {key: _doubled(value) for key, value in model.items()}
    return [_doubled(item) for item in model] * 2 if isinstance(model, list) else model


_KIMI_FULL = """# my settings
default_model = "kimi"   # the good one

[providers.kimi]
type = "kimi"
api_key = "sk-1"

[[hooks]]
event = "PostToolUse"
command = "./after.sh"

[[hooks]]
event = "PreToolUse"
matcher = "Bash"
command = './before "x".sh'
timeout = 5

[loop_control]
max_steps = 100
"""


_KIMI_HOOKS = _KIMI_FULL[_KIMI_FULL.index("[[hooks]]") : _KIMI_FULL.index("[loop_control]")]


def _toml() -> dict[str, bytes]:
    large = "".join(f'[section{n}]\nkey = "value"\nlist = [1, 2, 3]\n\n' for n in range(2000))
    inline = '{ event = "Stop", command = "x" }'
    texts = {
        "full": _KIMI_FULL,
        "crlf": _KIMI_FULL.replace("\n", "\r\n"),
        "mixed line ends": _KIMI_FULL.replace("\n", "\r\n", 3),
        "no final newline": _KIMI_FULL.rstrip("\n"),
        "many final newlines": _KIMI_FULL + "\n\n",
        "byte order mark": "\ufeff" + _KIMI_FULL,
        "tabs": _KIMI_FULL.replace(" = ", "\t=\t"),
        "indented": _KIMI_FULL.replace("\n", "\n  "),
        "empty file": "",
        "newline only": "\n",
        "blanks only": "   ",
        "comment only": "# nothing yet",
        "comment and newline": "# nothing yet\n",
        "one key": "a = 1\n",
        "one key without newline": "a = 1",
        "inline empty": "hooks = []\n",
        "inline empty with a blank": "hooks = [ ]\n",
        "inline empty over lines": "hooks = [\n]\n",
        "inline empty with a comment": "hooks = [ # none\n]\n",
        "inline empty, no final newline": "hooks = []",
        "inline one": f"hooks = [{inline}]\n",
        "inline one with a trailing comma": f"hooks = [{inline},]\n",
        "inline over lines": f"hooks = [\n    {inline},\n    {inline}\n]\nx = 1\n",
        "inline over lines, trailing comma": f"hooks = [\n  {inline},\n  {inline},\n]\n",
        "inline with comments": f"hooks = [\n  {inline}, # first\n  {inline} # last\n]\n",
        "inline with a comment line": f"hooks = [\n  {inline},\n  # more to come\n]\n",
        "inline crlf": f"hooks = [\r\n  {inline},\r\n]\r\n",
        "inline then tables": f"hooks = [{inline}]\n\n[a]\nb = 1\n",
        "inline with quoted key": f'"hooks" = [{inline}]\n',
        "inline with strange strings": 'hooks = [{ event = "Stop", command = "a]b}c#d\\"" }]\n',
        "dotted keys": "a.b.c = 1\nx.y = 2\n",
        "inline tables": "point = { x = 1, y = { z = 2 } }\n",
        "out of order tables": "[a]\nx = 1\n[b]\n[a.c]\ny = 1\n",
        "array tables apart": '[[hooks]]\nevent="Stop"\ncommand="a"\n[x]\n[[hooks]]\n'
        'event="Stop"\ncommand="b"\n',
        "header with blanks": '[[ hooks ]] # mine\nevent = "Stop"\ncommand = "a"\n',
        "quoted header": '[["hooks"]]\nevent = "Stop"\ncommand = "a"\n',
        "header text in a string": 's = """\n[[hooks]]\nevent = "x"\n"""\n',
        "header text in a literal string": "s = '''\n[[hooks]]\n'''\n",
        "quotes at the end of a string": 's = """a"""""\nt = 1\n',
        "dates": "d = 1979-05-27 07:32:00Z\nt = 07:32:00\n",
        "numbers": "a = 0xDEAD_beef\nb = 1e6\nc = +inf\nd = 1_000\n",
        "unicode": '"ключ" = "значение 😀"\n',
        "escapes": 'a = "\\u00e9\\t\\"\\\\"\n',
        "long list": "a = [\n" + "".join(f"  {n},\n" for n in range(500)) + "]\n",
        "comment at the end": "a = 1\n# the end",
        "comment after our place": _KIMI_FULL + "# the end\n",
        "looks like ours in a comment": "# command = 'cc-safety-net hook --kimi-code'\na = 1\n",
        "foreign entries twice": _KIMI_FULL.replace(_KIMI_HOOKS, _KIMI_HOOKS * 2),
        "header on the last line": "a = 1\n[t]",
        "blanks after headers": "[t]   \na = 1  \n\n\n[u]\t# c\n",
        "two megabytes": "a = '" + "x" * 2_000_000 + "'\n",
        "keys that look like headers": "\"[[hooks]]\" = 1\n'[x]' = 2\n",
        "deep": "a = " + "[" * 60 + "]" * 60 + "\n",
        "large": large,
    }
    return {name: text.encode() for name, text in texts.items()}


def _commented(full: str) -> dict[str, bytes]:
    """Comments and trailing commas wherever JSONC has them."""
    texts = {
        "comment first": "// mine\n" + full,
        "comment last": full + "// the end",
        "comment only": "// nothing yet\n",
        "comment in an empty object": "{\n  // nothing yet\n}\n",
        "comment in an empty object, one line": "{ /* nothing */ }",
        "comments at line ends": full.replace(",\n", ", // c\n"),
        "comments before commas": full.replace(",\n", " /* c */,\n"),
        "comments before brackets": full.replace("]", "/* ] */]"),
        "comment lines": full.replace("\n", "\n  // , } ]\n"),
        "trailing commas": full.replace("\n  }\n", ",\n  }\n").replace("}\n    ]", "},\n    ]"),
        "trailing comma with a comment": '{"a": 1, /* c */}\n',
        "crlf and comments": full.replace(",\n", ", // c\n").replace("\n", "\r\n"),
        "commented entry": '{\n  "hooks": {\n    // "PreToolUse": []\n  }\n}\n',
        "strings that look like comments": '{"a": "// x", "b": "/* y */"}\n',
    }
    return {f"jsonc: {name}": text.encode() for name, text in texts.items()}


def _fitted(
    table: dict[str, bytes], accepted: Callable[[dict[str, object]], bool], wrap: str
) -> dict[str, bytes]:
    """Files that the agent would drop stand inside one that it takes, where `…` is in `wrap`."""
    found = {}
    for name, content in table.items():
        text = content.decode("utf-8", "surrogatepass")
        bare = text.removeprefix("\ufeff")
        try:
            lines = [line for line in bare.splitlines() if not line.lstrip().startswith("//")]
            fits = not "".join(lines).strip() or accepted(json.loads(bare))
        except ValueError:
            fits = False
        if not fits:
            mark = text[: len(text) - len(bare)]
            end = "\n" if "//" in bare.rpartition("\n")[2] else ""
            text = mark + wrap.replace("…", bare.replace("\n", "\n ").rstrip(" ") + end)
        found[name] = text.encode("utf-8", "surrogatepass")
    return found


_GEMINI_FULL = _CLAUDE_FULL.replace("PreToolUse", "BeforeTool").replace("Stop", "AfterTool")
_ANTIGRAVITY_FULL = """{
  "mine": {
    "enabled": true,
    "PreToolUse": [
      {
        "matcher": "run_command",
        "hooks": [
          { "type": "command", "command": "./other.sh", "timeout": 5 }
        ]
      }
    ],
    "Stop": [ { "command": "./end.sh" } ]
  }
}
"""
_CODEX_FULL = """{
  "description": "mine",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "./other.sh"
          }
        ]
      }
    ],
    "Stop": []
  }
}
"""
_DEVIN_EVENTS = frozenset({"PreToolUse", "Stop"})

CURSOR = _json(_CURSOR_FULL, "preToolUse")
CODEX = _fitted(
    _json(_CODEX_FULL, "PreToolUse"),
    lambda model: set(model) <= {"hooks", "description"},
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "more": …}]}]}}',
)
ANTIGRAVITY = _fitted(
    _json(_ANTIGRAVITY_FULL, "PreToolUse"),
    lambda model: all(
        (isinstance(hook, dict) and key != "hooks") or hook == {} for key, hook in model.items()
    ),
    '{"mine": {"more": …}}',
)
GEMINI = {**_json(_GEMINI_FULL, "BeforeTool"), **_commented(_GEMINI_FULL)}
DEVIN = {
    **_fitted(
        _json(_CLAUDE_FULL, "PreToolUse"),
        lambda model: set(model.get("hooks", {})) <= _DEVIN_EVENTS,
        '{"more": …}',
    ),
    **_commented(_CLAUDE_FULL),
}
#: The same for the project's file, which is the hooks object itself.
DEVIN_PROJECT = _fitted(
    {
        **_json(json.dumps(json.loads(_CLAUDE_FULL)["hooks"], indent=2) + "\n", "PreToolUse"),
        **_commented(json.dumps(json.loads(_CLAUDE_FULL)["hooks"], indent=2) + "\n"),
    },
    lambda model: set(model) <= _DEVIN_EVENTS,
    '{"Stop": [{"hooks": [{"type": "command", "command": "x", "more": …}]}]}',
)
CLAUDE = _json(_CLAUDE_FULL, "PreToolUse")
KIMI = _toml()
