"""Archives and compression: what goes in is read, what comes out is written, and some delete."""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, touch
from cc_safety_net.guard.interpret.effects.listed import taken
from cc_safety_net.guard.interpret.effects.transfers import may_be_directory
from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import cut, lead, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.world import World

_TAR = (
    "f,file: directory,C: T,files-from: X,exclude-from: exclude: transform,xform: strip-components:"
    " owner: group: mode: mtime: b,blocking-factor: checkpoint? checkpoint-action: to-command:"
    " I,use-compress-program: g,listed-incremental: K,starting-file: L,tape-length: N,newer:"
    " V,label:"
    " rsh-command: F,info-script: c,create x,extract,get t,list r,append u,update A,catenate d,diff"
    " delete remove-files k,keep-old-files skip-old-files O,to-stdout z j J v p a h P"
    " one-top-level?"
)


def _tar(execution: Execution, world: World) -> list[FileAccess]:
    """The first word may be a cluster without a dash (`tar xzf a.tgz`)."""
    words = list(execution.argv)
    if len(words) > 1 and lead(words[1])[:1].isalpha():
        words = _dashed(words)
    directory: Word | None = None
    arguments = parse(words, _TAR, permute=True)
    directory = arguments.value("directory")
    archive = arguments.value("f")
    members = arguments.operands
    found: list[FileAccess] = []
    if arguments.has("c", "r", "u", "A"):
        recursive = True
        mode = "delete" if arguments.has("remove-files") else "use"
        out = archive is not None and archive.text == "-"
        for member in members:
            if is_path(member):
                # A single file that goes to standard output is shown; a tree is packed.
                shown = out and mode == "use" and not may_be_directory(member, execution, world)
                found.append(
                    touch(
                        execution,
                        member,
                        "read" if shown else mode,
                        recursive=recursive,
                        directory=directory,
                    )
                )
        if archive is not None and is_path(archive):
            found.append(touch(execution, archive, "write" if arguments.has("c") else "append"))
    elif arguments.has("x"):
        if archive is not None and is_path(archive):
            found.append(touch(execution, archive, "use"))
        if not arguments.has("O", "to-command"):
            found += _extracted(execution, members, directory, arguments.has("k", "skip-old-files"))
    elif archive is not None and is_path(archive):
        found.append(touch(execution, archive, "metadata"))
    files = arguments.value("T")
    if files is not None and lead(files) in ("-", "/dev/stdin"):
        if arguments.has("c", "r", "u"):
            mode = "delete" if arguments.has("remove-files") else "use"
            found += taken(execution, mode, directory=directory)
    elif files is not None:
        found.append(touch(execution, files, "use"))
    return found


def _extracted(
    execution: Execution, members: list[Word], directory: Word | None, keeps: bool
) -> list[FileAccess]:
    """Named members land below the directory; without names anything in it may be overwritten."""
    if members:
        return [
            touch(execution, member, "write", directory=directory, recursive=True, keeps=keeps)
            for member in members
        ]
    place = directory or known(".", execution.start, execution.end)
    return [touch(execution, place, "write", recursive=True, keeps=keeps)]


def _dashed(words: list[Word]) -> list[Word]:
    """Old style: the values of the cluster's letters follow in their order."""
    letters = words[1].text or ""
    rest = words[2:]
    out = [words[0]]
    flags = "".join(letter for letter in letters if letter not in "fCbgKLNTVXIF")
    if flags:
        out.append(known("-" + flags))
    for letter in letters:
        if letter in "fCbgKLNTVXIF" and rest:
            out += [known("-" + letter), rest.pop(0)]
    return out + rest


_ZIP = (
    "m,move r,recurse-paths j,junk-paths d,delete x: i: b: t: tt: n: P: ll l q v y 0 1 2 3 4 5 6"
    " 7 8 9"
    " e,encrypt u,update f,freshen T,test -TT: unzip-command: password: out,O: output-file: s:"
)


def _zip(execution: Execution, _world: World) -> list[FileAccess]:
    """`-m` deletes what was packed."""
    arguments = parse(execution.argv, _ZIP, permute=True)
    operands = list(arguments.operands)
    if not operands:
        return []
    archive = operands.pop(0)
    recursive = arguments.has("r")
    found = [touch(execution, archive, "append")] if is_path(archive) else []
    if arguments.has("d"):
        return found
    mode = "delete" if arguments.has("m") else "use"
    if not is_path(archive) and not arguments.has("m"):
        mode = "read"
    patterns = _excluded(execution)
    found += [
        touch(execution, path, mode, recursive=recursive)
        for path in operands
        if id(path) not in patterns and path.text not in ("@", "-@")
    ]
    if any(word.text in ("-@", "--names-stdin") for word in execution.argv):
        found += taken(execution, mode)
    return found


def _excluded(execution: Execution) -> set[int]:
    """Words behind `-x` or `-i` up to the next option or `@` are patterns."""
    found: set[int] = set()
    inside = False
    for word in execution.argv[1:]:
        text = lead(word)
        if text in ("-x", "-i"):
            inside = True
        elif text.startswith("-") or text == "@":
            inside = False
        elif inside:
            found.add(id(word))
    return found


def _unzip(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(
        execution.argv, "d,exdir: x: P: l@list t@list v@list Z@list p c o n q j f u", permute=True
    )
    operands = list(arguments.operands)
    if not operands:
        return []
    archive = operands.pop(0)
    if arguments.has("p", "c"):
        return [touch(execution, archive, "read")]
    found = [touch(execution, archive, "use")]
    if any(option.role == "list" for option in arguments.options):
        return found
    return found + _extracted(execution, operands, arguments.value("d"), arguments.has("n"))


def _gzip(execution: Execution, _world: World) -> list[FileAccess]:
    """The file is replaced by its other form, unless `-k` keeps it or `-c` prints it."""
    options = (
        "d,decompress,uncompress k,keep c,stdout,to-stdout S,suffix: T,threads: M: f"
        " n t,test l,list q r,recursive v o: D: rm"
    )
    arguments = parse(execution.argv, options, permute=True)
    paths = [path for path in arguments.operands if is_path(path)]
    if arguments.has("t", "l"):
        return [touch(execution, path, "metadata") for path in paths]
    if arguments.has("c"):
        return [touch(execution, path, "read") for path in paths]
    keeps = arguments.has("k") or (
        execution.program in ("zstd", "unzstd") and not arguments.has("rm")
    )
    # `-o` makes a copy under a name of its own.
    mode = ("metadata" if arguments.value("o") else "use") if keeps else "move"
    extension = _EXTENSIONS.get(execution.program, ".gz")
    found = []
    for path in paths:
        text = path.text
        place = arguments.value("o") or path
        if text is not None and place is path:
            place = known(
                text.removesuffix(extension) if text.endswith(extension) else text + extension,
                path.start,
                path.end,
            )
        found.append(touch(execution, path, mode, destination=place))
        found.append(touch(execution, place, "write", source=path))
    return found


_EXTENSIONS = {
    "bunzip2": ".bz2",
    "bzip2": ".bz2",
    "lzma": ".lzma",
    "unxz": ".xz",
    "unzstd": ".zst",
    "xz": ".xz",
    "zstd": ".zst",
}


def _seven(execution: Execution, _world: World) -> list[FileAccess]:
    words = [word for word in execution.argv[1:] if not lead(word).startswith("-")]
    verb = words[0].text if words else ""
    if len(words) < 2 or not verb:
        return []
    if verb in ("a", "u"):
        deletes = any(lead(word) == "-sdel" for word in execution.argv)
        mode = "delete" if deletes else "use"
        return [
            touch(execution, words[1], "append"),
            *(touch(execution, path, mode, recursive=True) for path in words[2:]),
        ]
    if verb in ("x", "e"):
        place = next((cut(word, 2) for word in execution.argv if lead(word).startswith("-o")), None)
        return [touch(execution, words[1], "use"), *_extracted(execution, words[2:], place, False)]
    return [touch(execution, words[1], "metadata")]


def _cpio(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(
        execution.argv,
        "i,extract o,create p,pass-through F,file: D,directory: H: d m u",
        permute=True,
    )
    if arguments.has("i"):
        return _extracted(execution, [], arguments.value("D"), not arguments.has("u"))
    if arguments.has("p") and arguments.operands:
        target = arguments.operands[0]
        copied = taken(execution, "metadata", target=target)
        return [*copied, touch(execution, target, "write", recursive=True)]
    if arguments.has("o"):
        return taken(execution, "use", directory=arguments.value("D"))
    return []


def _pax(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(execution.argv, "r w f: b: o: p: s: x: a d i k n t u v z", permute=True)
    if not arguments.has("w"):
        return []
    operands = arguments.operands
    if not operands:
        return taken(execution, "use")
    return [touch(execution, path, "use", recursive=True) for path in operands if is_path(path)]


TABLE: dict[str, Entry] = {
    "tar": _tar,
    "gtar": _tar,
    "bsdtar": _tar,
    "zip": _zip,
    "unzip": _unzip,
    "gzip": _gzip,
    "gunzip": _gzip,
    "pigz": _gzip,
    "bzip2": _gzip,
    "bunzip2": _gzip,
    "xz": _gzip,
    "unxz": _gzip,
    "lzma": _gzip,
    "zstd": _gzip,
    "unzstd": _gzip,
    "7z": _seven,
    "7za": _seven,
    "7zz": _seven,
    "cpio": _cpio,
    "pax": _pax,
    "ar": ("output:@write", "skip append use*"),
    "rar": ("", "skip append use*"),
    "unrar": ("", "skip use write"),
    "asar": ("", "skip use write"),
}
