"""Shells and what hands them text: `sh -c`, `eval`, `trap`, `pwsh -Command`, `at`, `crontab`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.options import joined, lead, parse
from cc_safety_net.guard.interpret.wrappers.forms import apply
from cc_safety_net.guard.interpret.wrappers.inner import (
    Inner,
    InnerFile,
    InnerStdin,
    InnerText,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

#: `n` only checks the syntax; `+x` words are options too and are skipped by `_shell`.
_SHELL = (
    (
        "c@mode=string s@mode=stdin o: O: rcfile,-rcfile:@startup=shell"
        " init-file,-init-file:@startup=shell"
        " n,-noexec@query -norc -login -posix -noprofile -restricted -verbose -version@query"
        " version@query help@query"
    ),
    "script=shell",
)


def _shell(execution: Execution, world: World) -> list[Inner]:
    """`+x`, `+o name` among the options are taken out, then the table decides."""
    words = execution.argv
    index = 1
    kept = [words[0]]
    while index < len(words):
        text = lead(words[index])
        if text in ("--", "-") or not text.startswith(("-", "+")):
            break
        takes_next = not text.startswith("--") and text[-1] in "oO" and len(text) > 1
        if text.startswith("-"):
            kept.append(words[index])
            if takes_next and index + 1 < len(words):
                kept.append(words[index + 1])
        index += 2 if takes_next or text in _LONG_WITH_VALUE else 1
        if text in _LONG_WITH_VALUE and index <= len(words):
            kept.append(words[index - 1])
    rest = words[index:]
    if rest and rest[0].text == "-":  # a single dash ends the options, as `--` does
        rest = (known("--"), *rest[1:])
    name = execution.program or "sh"
    return apply(_SHELL, [*kept, *rest], 1, name, execution, world)


_LONG_WITH_VALUE = frozenset(("--rcfile", "--init-file", "-rcfile", "-init-file"))


def _powershell(execution: Execution, _world: World) -> list[Inner]:
    """Parameters by any unambiguous prefix, one dash or a slash; a bare word is a command
    (Windows PowerShell) or a file (pwsh)."""
    words = execution.argv
    label = execution.program
    index = 1
    while index < len(words):
        text = lead(words[index]).lower()
        if not text.startswith(("-", "/")) or (text.startswith("/") and text.count("/") > 1):
            break
        name = text.lstrip("-/").rstrip(":")
        index += 1
        kind = _final_parameter(name)
        if kind:
            return _powershell_final(label, kind, words[index:])
        if _takes_value(name):
            index += 1
    rest = words[index:]
    if not rest:
        return [InnerStdin(label, dialect="powershell")]
    if label == "pwsh" and (rest[0].text or "").lower().endswith(".ps1"):
        return _powershell_final(label, "file", rest)
    return _powershell_text(label, rest)


def _final_parameter(name: str) -> str:
    """Which of the parameters that take the rest of the words this is, "" for another."""
    if not name:
        return ""
    if name == "ec" or "encodedcommand".startswith(name):
        return "encoded"
    if name == "cwa" or (len(name) > 7 and "commandwithargs".startswith(name)):
        return "arguments"
    if "command".startswith(name):
        return "command"
    return "file" if "file".startswith(name) else ""


def _powershell_final(label: str, kind: str, rest: tuple[Word, ...]) -> list[Inner]:
    if not rest:
        return []
    first = rest[0]
    if kind == "encoded":
        return [_encoded(label, first)]
    if kind == "arguments":
        label = f"{label} -CommandWithArgs"
        return [InnerText(label, first, dialect="powershell", positionals=rest)]
    if kind == "command":
        return _powershell_text(f"{label} -Command", rest)
    return [InnerFile(f"script {first.text or '?'}", "powershell", first, positionals=rest[1:])]


#: Parameters with a value, and the shortest prefix that means each.
_POWERSHELL_VALUES = (
    ("executionpolicy", 2),
    ("ep", 2),
    ("workingdirectory", 1),
    ("wd", 2),
    ("version", 1),
    ("inputformat", 2),
    ("if", 2),
    ("outputformat", 1),
    ("of", 2),
    ("windowstyle", 3),
    ("configurationname", 7),
    ("configurationfile", 14),
    ("config", 6),
    ("psconsolefile", 1),
    ("settingsfile", 2),
    ("custompipename", 2),
)


def _takes_value(name: str) -> bool:
    return any(
        len(name) >= shortest and parameter.startswith(name)
        for parameter, shortest in _POWERSHELL_VALUES
    )


def _powershell_text(label: str, words: tuple[Word, ...]) -> list[Inner]:
    if not words:
        return []
    if words[0].text == "-":
        return [InnerStdin(label, dialect="powershell")]
    for at, word in enumerate(words):
        if at and (word.text or "").lower() == "-args":
            text, positionals = joined(words[:at]), words[at:]
            return [InnerText(label, text, dialect="powershell", positionals=positionals)]
    return [InnerText(label, joined(words), dialect="powershell")]


def _encoded(label: str, word: Word) -> Inner:
    """UTF-16LE in base64; the word itself, undecoded, where it can't be read."""
    from binascii import Error, a2b_base64

    label = f"{label} -EncodedCommand"
    text = word.text
    if text is not None:
        try:
            decoded = a2b_base64(text.encode(), strict_mode=False).decode("utf-16-le")
        except (Error, ValueError):
            decoded = ""
        if decoded:
            return InnerText(label, known(decoded, word.start, word.end), dialect="powershell")
    return InnerText(label, word, dialect="powershell", how="encoded")


def _cmd(execution: Execution, _world: World) -> list[Inner]:
    """`cmd [/s /d /q …] /c text…`: all that follows the switch is the text."""
    words = execution.argv
    for index in range(1, len(words)):
        text = lead(words[index]).lower()
        # Git Bash needs `//c`; `/q/c` are two.
        switch = text.replace("//", "/")
        while switch[:1] == "/" and switch[2:3] == "/":
            switch = switch[2:]
        if switch[:2] in ("/c", "/k", "/r"):
            rest = list(words[index + 1 :])
            if len(switch) > 2:
                from cc_safety_net.guard.interpret.options import cut

                rest.insert(0, cut(words[index], len(text) - len(switch) + 2))
            if not rest:
                return []
            return [InnerText(f"cmd {switch[:2]}", joined(rest), dialect="cmd")]
        if not switch.startswith("/"):
            return []
    return [InnerStdin("cmd", dialect="cmd")]


def _trap(execution: Execution, _world: World) -> list[Inner]:
    """`trap 'text' EXIT`; `trap -`, `trap -p`, `trap '' INT` and `trap 15` run nothing."""
    arguments = parse(execution.argv, "l@query p@query P@query")
    operands = arguments.operands
    if any(option.role == "query" for option in arguments.options) or len(operands) < 2:
        return []
    first = operands[0]
    if first.text in ("", "-") or (first.text or "").isdigit():
        return []
    return [InnerText("trap", first, how="eval", same_shell=True)]


def _crontab(execution: Execution, _world: World) -> list[Inner]:
    arguments = parse(execution.argv, "u: l@query r@query e@query i s c:", permute=True)
    if any(option.role == "query" for option in arguments.options):
        return []
    if not arguments.operands or arguments.operands[0].text == "-":
        return [InnerStdin("crontab", language="crontab")]
    return [InnerFile("crontab", "crontab", arguments.operands[0])]


def _osascript(execution: Execution, world: World) -> list[Inner]:
    """AppleScript, or with `-l JavaScript` that."""
    words = execution.argv
    options = "e:@code=applescript l: i s:"
    given = parse(words, options).value("l")
    language = "applescript"
    if given is not None and (given.text or "").lower() == "javascript":
        language = "javascript"
    entry = (options.replace("applescript", language), f"script={language}")
    return apply(entry, words, 1, "osascript", execution, world)


TABLE: dict[str, Entry] = {
    "sh": _shell,
    "bash": _shell,
    "rbash": _shell,
    "zsh": _shell,
    "ksh": _shell,
    "ksh93": _shell,
    "mksh": _shell,
    "dash": _shell,
    "ash": _shell,
    "yash": _shell,
    "fish": (
        (
            "c,command:@text C,init-command:@also d,debug: o,debug-output: f,features: profile:"
            " profile-startup: n,no-execute@query v,version@query h,help@query"
        ),
        "script=shell",
    ),
    "csh": ("c@mode=string n@query s@mode=stdin", "script=shell"),
    "tcsh": ("c@mode=string n@query s@mode=stdin", "script=shell"),
    "nu": (
        (
            "c,commands:@text e,execute:@text config:@startup=shell env-config:@startup=shell"
            " log-level: I,include-path: m,table-mode: plugin-config: v,version@query h,help@query"
        ),
        "script=shell",
    ),
    "xonsh": ("c:@text rc:@startup=shell shell-type: D:", "script=shell"),
    "elvish": ("c@mode=string rc:@startup=shell db: log: sock: compileonly@query", "script=shell"),
    "oil": ("c@mode=string o: O: n@query", "script=shell"),
    "osh": ("c@mode=string o: O: n@query", "script=shell"),
    "ysh": ("c@mode=string o: O: n@query", "script=shell"),
    "pwsh": _powershell,
    "powershell": _powershell,
    "cmd": _cmd,
    "eval": ("", "join=same"),
    "source": ("", "sourced"),
    ".": ("", "sourced"),
    "trap": _trap,
    "at": ("f:@file=shell q: t: c@query l@query d@query r@query V@query", "stdin permute"),
    "batch": ("f:@file=shell q:", "stdin permute"),
    "crontab": _crontab,
    "script": (
        (
            "c,command:@text E,echo: I,log-in: O,log-out: B,log-io: m,logging-format:"
            " o,output-limit:"
            " T,log-timing: t? F: a e f q h@query V@query"
        ),
        "tail skip=1 again",
    ),
    "osascript": _osascript,
    "expect": ("c:@code=expect f:@file=expect d D: i n v@query", "script=expect"),
}
