"""Programs that run a command given as the value of one of their options (`tar -I`, `rsync -e`),
and terminal multiplexers."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import cut, joined, lead, parse
from cc_safety_net.guard.interpret.wrappers.forms import apply
from cc_safety_net.guard.interpret.wrappers.inner import (
    Inner,
    InnerArgv,
    InnerFile,
    InnerText,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

_TAR = (
    "to-command:@text checkpoint-action: use-compress-program,I:@text rsh-command:@text"
    " info-script,new-volume-script,F:@text directory,C: file,f: T,files-from: X,exclude-from:"
    " exclude: transform,xform: strip-components: owner: group: mode: mtime: b,blocking-factor:"
    " checkpoint? g,listed-incremental: K,starting-file: L,tape-length: N,newer: V,label:"
)
_SESSION = "c:@dir e:@env F: n: s: t: x: y: f: A d D P E X"
_SPLIT = "c:@dir e:@env F: l: t: p: b d f h v I Z P"
_TMUX_TEXT = {
    "new-session": _SESSION,
    "new": _SESSION,
    "new-window": "c:@dir e:@env F: n: t: a b d k P S",
    "neww": "c:@dir e:@env F: n: t: a b d k P S",
    "split-window": _SPLIT,
    "splitw": _SPLIT,
    "respawn-pane": "c:@dir e:@env t: k",
    "respawnp": "c:@dir e:@env t: k",
    "respawn-window": "c:@dir e:@env t: k",
    "respawnw": "c:@dir e:@env t: k",
    "run-shell": "c:@dir d: t: b C",
    "run": "c:@dir d: t: b C",
    "pipe-pane": "t: I O o",
    "pipep": "t: I O o",
    "display-popup": "b: c: d:@dir e:@env h: s: S: t: T: w: x: y: B C E",
    "popup": "b: c: d:@dir e:@env h: s: S: t: T: w: x: y: B C E",
}
_TMUX = "c:@text f:@startup=tmux L: S: T: 2 C D l N u v V@query"
#: Names of keys that send-keys turns into white space.
_KEYS = {"Enter": "\n", "C-m": "\n", "KPEnter": "\n", "C-j": "\n", "Space": " ", "Tab": " "}


def _tar(execution: Execution, world: World) -> list[Inner]:
    """`--checkpoint-action=exec=…` has its command inside the value; the rest is the table's."""
    words = execution.argv
    found = apply((_TAR, "permute"), words, 1, execution.program, execution, world)
    for option in parse(words, _TAR, permute=True).options:
        value = option.value
        if option.name == "checkpoint-action" and value and lead(value).startswith("exec="):
            found.append(InnerText(f"{execution.program} --checkpoint-action", cut(value, 5)))
    return found


def _tmux(execution: Execution, _world: World) -> list[Inner]:
    """Several commands are divided by `;` words."""
    words = execution.argv
    arguments = parse(words, _TMUX)
    found: list[Inner] = []
    if any(option.role == "query" for option in arguments.options):
        return found
    value = arguments.value("c")
    if value is not None:
        found.append(InnerText("tmux -c", value))
    value = arguments.value("f")
    if value is not None:
        found.append(InnerFile("tmux -f", "tmux", value))
    part: list[Word] = []
    for word in [*arguments.operands, known(";")]:
        text = word.text
        if text == ";":
            found.extend(_tmux_command(part))
            part = []
        elif text is not None and text.endswith(";") and not text.endswith("\\;"):
            found.extend(_tmux_command([*part, known(text[:-1], word.start, word.end)]))
            part = []
        else:
            part.append(word)
    return found


def _tmux_command(words: Sequence[Word]) -> list[Inner]:
    verb = words[0].text if words else None
    if verb is None:
        return []
    label = f"tmux {verb}"
    if verb in ("send-keys", "send"):
        arguments = parse(words, "t: N: H l M R X K F")
        keys: list[Word] = []
        for word in arguments.operands:
            key = _KEYS.get(word.text or "")
            keys.append(known(key) if key and not arguments.has("l") else word)
        return [InnerText(label, joined(keys, ""))] if keys else []
    if verb in ("source-file", "source"):
        return [InnerFile(label, "tmux", path) for path in parse(words, "t: F n q v").operands]
    if verb in ("if-shell", "if"):
        arguments = parse(words, "t: b F")
        operands = arguments.operands
        found: list[Inner] = []
        if operands and not arguments.has("F"):
            found.append(InnerText(label, operands[0]))
        for command in operands[1:3]:
            from cc_safety_net.guard.interpret.options import split_text

            if command.text is not None:
                found.extend(_tmux_command([known(part) for part in split_text(command.text)]))
        return found
    options = _TMUX_TEXT.get(verb)
    if options is None:
        return []
    arguments = parse(words, options)
    operands = arguments.operands
    if not operands or arguments.has("C"):
        return []
    # One word is a text for a shell; several are run as they are.
    inner: Inner = InnerText(label, operands[0])
    if len(operands) > 1:
        inner = InnerArgv(label, operands)
    if options.startswith("c:@dir"):
        inner.directory = arguments.value("c")
    return [inner]


def _screen(execution: Execution, world: World) -> list[Inner]:
    """`screen -S s -X stuff 'text'` types; else the operands are a program."""
    words = execution.argv
    options = "S: p: X$ c: e: h: s: t: T: d D m r? R x? L U a A f i l n O q v@query ls@query"
    arguments = parse(words, options)
    operands = arguments.operands
    if arguments.has("X"):
        verb = operands[0].text if operands else ""
        if verb in ("stuff", "exec") and len(operands) > 1:
            return [InnerText(f"screen -X {verb}", joined(operands[1:]))]
        if verb == "screen":
            return [InnerArgv("screen -X", operands[1:])] if operands[1:] else []
        return []
    return apply((options, "tail"), words, 1, "screen", execution, world)


def _zip(execution: Execution, _world: World) -> list[Inner]:
    """`-TT CMD`, `--unzip-command CMD`."""
    words = execution.argv
    found: list[Inner] = []
    for index, word in enumerate(words[1:], 1):
        text = lead(word)
        if text in ("-TT", "--unzip-command") and index + 1 < len(words):
            found.append(InnerText("zip -TT", words[index + 1]))
        elif text.startswith("--unzip-command="):
            found.append(InnerText("zip -TT", cut(word, len("--unzip-command="))))
        elif text.startswith("-TT") and len(text) > 3:
            found.append(InnerText("zip -TT", cut(word, 3)))
    return found


def _zellij(execution: Execution, world: World) -> list[Inner]:
    entry = ("d,direction: c,close-on-exit f,floating n,name: cwd:@dir i", "dashes=0 tail")
    return apply({"run": entry, "r": entry}, execution.argv, 1, "zellij", execution, world)


def _socat(execution: Execution, _world: World) -> list[Inner]:
    """`socat … EXEC:cmd` and `SYSTEM:cmd` addresses."""
    found: list[Inner] = []
    for word in execution.argv[1:]:
        kind = lead(word)[:7].upper()
        if kind.startswith("EXEC:"):
            found.append(InnerText("socat EXEC", cut(word, 5)))
        elif kind == "SYSTEM:":
            found.append(InnerText("socat SYSTEM", cut(word, 7)))
    return found


_RG = (
    (
        "pre:@text hostname-bin:@text e,regexp: f,file: g,glob: iglob: t,type:"
        " T,type-not: A: B: C:"
        " m,max-count: M: r,replace: d,max-depth: j,threads: E,encoding: sort: sortr: color:"
        " colors:"
        " ignore-file: pre-glob: max-filesize: path-separator: context-separator: type-add:"
    ),
    "permute",
)


def _rg(execution: Execution, world: World) -> list[Inner]:
    """The program of `--pre` is run on each file that is searched."""
    arguments = parse(execution.argv, _RG[0], permute=True)
    found = list(apply(_RG, execution.argv, 1, "rg", execution, world))
    program = arguments.value("pre")
    files = arguments.operands[0 if arguments.has("e", "f") else 1 :]
    if program is not None and files:
        found.append(InnerArgv("rg --pre", (program, *files)))
    return found


def _less(execution: Execution, _world: World) -> list[Inner]:
    """`less +!command`, also by the variable with its options."""
    words = list(execution.argv[1:])
    given = execution.env.get("LESS")
    if given is not None:
        words.append(given)
    return [
        InnerText("less +!", cut(word, lead(word).index("!") + 1))
        for word in words
        if lead(word).lstrip("+")[:1] == "!" and lead(word)[:1] == "+"
    ]


TABLE: dict[str, Entry] = {
    "less": _less,
    "tar": _tar,
    "gtar": _tar,
    "bsdtar": ("use-compress-program:@text C,cd: f,file: T: X: I:", "permute"),
    "rsync": (
        (
            "e,rsh:@text rsync-path:@text f,filter: exclude: include: exclude-from: include-from:"
            " files-from: T,temp-dir: compare-dest: copy-dest: link-dest: backup-dir:"
            " suffix: log-file:"
            " password-file: port: bwlimit: timeout: B,block-size: M,remote-option: chmod: chown:"
            " usermap: groupmap: max-size: min-size: partial-dir: out-format: early-input:@text"
        ),
        "permute",
    ),
    "rg": _rg,
    "sort": (
        (
            "compress-program:@text k,key: t,field-separator: o,output: S,buffer-size: T,"
            "temporary-directory: batch-size: parallel: files0-from: random-source:"
        ),
        "permute",
    ),
    "man": ("P,pager:@text H?@text C,config-file: R: L: m: M: S,s: e: r: E: p: T?", "permute"),
    "zip": _zip,
    "tmux": _tmux,
    "screen": _screen,
    "zellij": _zellij,
    "socat": _socat,
    "split": (
        "filter:@text a,suffix-length: b,bytes: C: l,lines: n,number: t: additional-suffix:",
        "permute",
    ),
    "nc": ("e,exec:@text c,sh-exec:@text p: s: w: i: q: X: x: T: I: O: V: m: M:", "permute"),
    "ncat": ("e,exec:@text c,sh-exec:@text p: s: w: i: d: o: x: m: g: G:", "permute"),
    "scp": ("S:@text o: c: D: F: i: J: l: P: X:", "permute"),
    "fzf": (
        "preview:@text bind: e q,query: f,filter: d,delimiter: n,nth: with-nth: height: prompt:",
        "permute",
    ),
    "cpio": (
        "rsh-command:@text H,format: F,file: D,directory: R,owner: E,pattern-file: I: O: M: C:",
        "permute",
    ),
    "logrotate": ("m,mail:@text s,state: l,log:", "permute"),
    "mutt": ("e: F:@startup=mutt", "permute"),
    "ansible": (
        "a,args:@text m,module-name: i,inventory: u,user: l,limit: e,extra-vars: f,forks:",
        "permute",
    ),
    "pssh": ("h,hosts: H: l: p: t: o: e: i", "join"),
    "gnome-terminal": (
        "e,command:@text x$ title: working-directory:@dir geometry: profile:",
        "dashes tail",
    ),
    "xterm": ("-e$ e$ -T: -title: -geometry: -bg: -fg: -fn:", "dashes tail"),
    "konsole": ("e$ workdir:@dir profile: p:", "dashes tail"),
    "alacritty": (
        "e,command$ working-directory:@dir config-file: t,title: class: o,option:",
        "dashes tail",
    ),
    "kitty": ("d,directory:@dir T,title: c,config: o,override: class: name:", "tail"),
}
