"""Programs that make a file at a place they are told: compilers, dumps, captures, converters.

A program that no table knows is told so by an option whose name says it (`-o`, `--out-dir`).
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, looks_like_path, touch
from cc_safety_net.guard.interpret.options import cut, lead, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.world import World

#: Names of options, without dashes, under which programs take the place of what they write.
OUTPUTS = frozenset(
    (
        "appendoutput", "coverageoutput", "coverdir", "coverprofile", "cpuprofile",
        "declarationdir", "dest", "destdir", "destination", "destinationdir", "dump", "dumpfile",
        "emitfile", "export", "exportasciidoc", "exportcsv", "exportfile", "exportjson",
        "exportmarkdown", "exportorgmode", "htmldir", "installdir", "junitfile", "junitxml", "log",
        "logdir", "logfile", "memprofile", "o", "out", "outdir", "outfile", "outpath", "output",
        "outputdir", "outputdirectory", "outputfile", "outputfolder", "outputpath",
        "packdestination", "pidfile", "rdb", "report", "reportdir", "reportfile", "resultfile",
        "savedir", "savefile", "savepath", "saveto", "statefile", "target", "targetdir", "tofile",
        "tracefile", "writeto",
    )
)  # fmt: skip
#: Package managers put a whole tree below the value of these.
_TREES = frozenset(("dir", "modulesfolder", "prefix", "root", "t"))
_MANAGERS = frozenset(("cargo", "npm", "pnpm", "yarn"))


def is_output(name: str, program: str) -> bool:
    """An option, with its dashes or without, that says where to write."""
    plain = name.lstrip("-").replace("-", "").replace("_", "").lower()
    return plain in OUTPUTS or (program in _MANAGERS and plain in _TREES)


def attached(word: Word) -> Word | None:
    """The path in `-oPATH`."""
    text = lead(word)
    if not text.startswith("-o") or text[2:3] not in ("/", ".", "~"):
        return None
    return cut(word, 2)


def _csplit(execution: Execution, _world: World) -> list[FileAccess]:
    """The pieces are named `xx00`, or by `-f`."""
    arguments = parse(
        execution.argv, "f,prefix:@write b,suffix-format: n,digits: k s q z", permute=True
    )
    found = [touch(execution, path, "read") for path in arguments.operands[:1] if is_path(path)]
    place = arguments.value("f")
    return found if place is None else [*found, touch(execution, place, "write")]


_SOCAT_OPENS = ("create", "file", "gopen", "open")


def _socat(execution: Execution, world: World) -> list[FileAccess]:
    """`OPEN:path,options`: the other side's bytes are written there."""
    found = []
    for word in execution.argv[1:]:
        head, colon, rest = lead(word).partition(":")
        if colon and head.lower() in _SOCAT_OPENS and rest:
            path = cut(word, len(head) + 1)
            if path.text is not None and "," in path.text:
                from cc_safety_net.guard.interpret.facts import known

                path = known(path.text.partition(",")[0], word.start, word.end)
            found.append(touch(execution, path, "write"))
    del world
    return found


def _python(execution: Execution, _world: World) -> list[FileAccess]:
    """`-m zipfile -e ARCHIVE DIR` unpacks; else the words are the code's own."""
    from cc_safety_net.guard.interpret.effects.unknown import uses

    words = [word.text for word in execution.argv]
    name, module = _module(words)
    if name in ("tarfile", "zipfile"):
        for index in range(module, len(words) - 1):
            archive, behind = execution.argv[index + 1], execution.argv[index + 2 :]
            if words[index] in ("-e", "--extract"):
                found = [touch(execution, archive, "metadata")]
                found += [
                    touch(execution, target, "write", recursive=True, source=archive)
                    for target in behind[:1]
                ]
                return found
            if words[index] in ("-c", "--create"):
                found = [touch(execution, archive, "write")]
                found += [
                    touch(execution, path, "metadata", destination=archive) for path in behind
                ]
                return found
    if name in _SHOWING_MODULES:
        given = parse(execution.argv, "indent: sort-keys", start=module, permute=True).operands
        found = [touch(execution, path, "read") for path in given[:1] if is_path(path)]
        if name == "json.tool":
            found += [touch(execution, path, "write") for path in given[1:2] if is_path(path)]
        return found
    return uses(execution)


#: Modules that print the file behind them.
_SHOWING_MODULES = frozenset(("ast", "base64", "json.tool", "pygments", "quopri", "tokenize"))


def _module(words: Sequence[str | None]) -> tuple[str, int]:
    """The module of `-m json.tool`, `-mjson.tool`, `-Im json.tool`; and where its words begin."""
    for index in range(1, len(words)):
        text = words[index] or ""
        if text[:1] != "-" or text[:2] == "--" or text[1:2] == "c":
            return "", 0
        _, letter, rest = text[1:].partition("m")
        if letter and not rest:
            return (words[index + 1] or "" if index + 1 < len(words) else ""), index + 2
        if letter:
            return rest, index + 1
    return "", 0


def _pip(execution: Execution, _world: World) -> list[FileAccess]:
    options = (
        "t,target:@write d,dest:@write prefix:@write root:@write src:@write w,wheel-dir:@write"
        " log:@write report:@write cache-dir: r,requirement:@use c,constraint:@use e,editable:@use"
        " i,index-url: extra-index-url: f,find-links: platform: python-version: proxy: cert:@use"
    )
    arguments = parse(execution.argv, options, permute=True)
    return [
        touch(execution, option.value, option.role)
        for option in arguments.options
        if option.role and option.value is not None and looks_like_path(option.value)
    ]


_CONVERTS = ("", "use* write")

TABLE: dict[str, Entry] = {
    "convert": _CONVERTS,
    "csplit": _csplit,
    "ffmpeg": ("-i:@use", "use* write"),
    "logrotate": ("s,state:@write l,log:@write m,mail: d f v", "use*"),
    "magick": _CONVERTS,
    "mount": ("t,types: o,options: L: U: B,bind v", "use write"),
    "mysqldump": ("r,result-file:@write T,tab:@write u,user: h,host: P,port: p?", ""),
    "objcopy": ("O,output-target: I,input-target: B: j: R: N: K: G: L: W: F:", "use* write"),
    "pdftotext": ("f: l: r: x: y: W: H: enc:", "use write"),
    "pg_dump": ("f,file:@write d,dbname: h,host: p,port: U,username: n: N: t: T: F: j: Z:", ""),
    "pg_dumpall": ("f,file:@write d,dbname: h,host: p,port: U,username: l:", ""),
    "pip": _pip,
    "pip3": _pip,
    "python": _python,
    "sfdisk": ("d,dump A,activate: N,partno: X,label: backup-file:@write O: b,backup", ""),
    "script": (
        (
            "c,command: a,append e,return f,flush q,quiet O,log-out:@write I,log-in:@write"
            " B,log-io:@write T,log-timing:@write m,logging-format: E,echo: o,output-limit:"
            " t,timing? F: k p r d help@query version@query"
        ),
        "write stop",
    ),
    "socat": _socat,
    "sox": _CONVERTS,
    "tcpdump": ("w:@write r:@use F:@use i: c: s: C: G: W: z: B: E: T: y: M: Z: V: j: m: Q:", ""),
    "tshark": ("w:@write r:@use i: c: f: Y: T: e: a: b: z: o: d:", ""),
    "unsquashfs": ("d,dest:@write p,processors: f,force n", "use"),
    "wkhtmltopdf": _CONVERTS,
    "yt-dlp": ("o,output:@write P,paths:@write a,batch-file:@use f: cookies:@use", ""),
}  # fmt: skip
