"""Programs that copy, move, link or synchronise: each source with the place where it ends up."""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import below, is_path, touch
from cc_safety_net.guard.interpret.effects.listed import taken
from cc_safety_net.guard.interpret.facts import Unknown, Word, known, literal
from cc_safety_net.guard.interpret.options import parse
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Pieces
    from cc_safety_net.guard.interpret.options import Arguments
    from cc_safety_net.guard.world import World

_CP = (
    "t,target-directory: T,no-target-directory r,recursive,R a,archive n,no-clobber u,update?"
    " S,suffix: b backup? p preserve? no-preserve: reflink? sparse: x,one-file-system P L H d"
    " l,link s,symbolic-link attributes-only f,force i,interactive v,verbose parents"
    " remove-destination"
    " c context? help@query version@query"
)
_MV = (
    "t,target-directory: T,no-target-directory n,no-clobber u,update? S,suffix: b backup? f,force"
    " i,interactive v,verbose strip-trailing-slashes Z exchange help@query version@query"
)
_LN = (
    "t,target-directory: T,no-target-directory s,symbolic f,force n,no-dereference S,suffix: b"
    " backup?"
    " r,relative i,interactive v,verbose L P d F h help@query version@query"
)
_INSTALL = (
    "t,target-directory: T,no-target-directory d,directory m,mode: o,owner: g,group: S,suffix: b"
    " backup? s,strip strip-program: p,preserve-timestamps C,compare D v,verbose help@query"
)
_RSYNC = (
    "e,rsh: rsync-path: f,filter: exclude: include: exclude-from:@use include-from:@use"
    " files-from:@use T,temp-dir: compare-dest: copy-dest: link-dest: backup-dir: suffix:"
    " log-file:@write password-file:@use port: bwlimit: timeout: B,block-size: M,remote-option:"
    " chmod: chown: usermap: groupmap: max-size: min-size: partial-dir: out-format: a,archive"
    " r,recursive n,dry-run v z P u x H A X delete delete-before delete-during,del delete-delay"
    " delete-after delete-excluded remove-source-files ignore-existing existing"
)
_SCP = "S: c: D: F:@use i:@use J: l: P: o: X: r p q v C 3 4 6 A B O R T"


class _Transfer:
    """Sources, and where they go: into a directory, or to a name of their own."""

    __slots__ = ("directory", "recursive", "sources", "target")

    def __init__(
        self, sources: Sequence[Word], target: Word | None, directory: bool, recursive: bool
    ) -> None:
        self.sources = sources
        self.target = target
        self.directory = directory
        self.recursive = recursive


def _read(execution: Execution, world: World, options: str) -> tuple[Arguments, _Transfer] | None:
    arguments = parse(execution.argv, options, permute=True)
    if any(option.role == "query" for option in arguments.options):
        return None
    operands = list(arguments.operands)
    recursive = arguments.has("r", "a")
    target = arguments.value("t")
    if target is not None:
        return arguments, _Transfer(operands, target, True, recursive)
    if len(operands) < 2:
        return arguments, _Transfer(operands, None, False, recursive)
    target = operands.pop()
    directory = len(operands) > 1 or not arguments.has("T")
    if len(operands) == 1 and directory:
        directory = _is_directory(target, execution, world)
    return arguments, _Transfer(operands, target, directory, recursive)


def _is_directory(word: Word, execution: Execution, world: World) -> bool:
    """A single target is a directory if it says so or is there; an unknown one counts as none."""
    text = word.text
    if text is None:
        last = word.choices[0][-1]
        return isinstance(last, str) and last.endswith("/")
    if text in (".", "..") or text.endswith(("/", "/.", "/..")):
        return True
    return any(
        world.is_directory(normalise(join(directory, text)))
        for directory in execution.cwds
        if directory is not None
    )


def landing(source: Word, target: Word, directory: bool) -> Word:
    """Where one source ends up: `target`, or its own name below it."""
    if not directory:
        return target
    text, place = source.text, target.text
    if text and place and not text.endswith(("/", ".")):
        name = text.rpartition("/")[2]
        return known(f"{place.rstrip('/')}/{name}", target.start, target.end)
    names: list[Pieces] = []
    for choice in source.choices:
        last = _last_component(choice)
        if last is not None:
            names.append(last)
    last_word = Word(names, source.start, source.end) if names else known("")
    if last_word.text in ("", ".", ".."):
        return target  # `cp -r src/. dst`: what is in it lands in the directory itself
    result = below(_slashless(target), last_word)
    return Word(result.choices, target.start, target.end)


def _slashless(word: Word) -> Word:
    text = word.text
    if text is not None and len(text) > 1 and text.endswith("/"):
        return known(text.rstrip("/") or "/", word.start, word.end)
    if text is None and all(_ends_in_slash(choice) for choice in word.choices):
        return Word([_cut_slash(choice) for choice in word.choices], word.start, word.end)
    return word


def _ends_in_slash(pieces: Pieces) -> bool:
    last = pieces[-1] if pieces else ""
    return isinstance(last, str) and last.endswith("/") and pieces != ("/",)


def _cut_slash(pieces: Pieces) -> Pieces:
    last = str(pieces[-1])[:-1]
    return (*pieces[:-1], last) if last else pieces[:-1]


def _last_component(pieces: Pieces) -> Pieces | None:
    text = literal(pieces)
    if text is not None:
        stripped = text.rstrip("/")
        return (stripped.rpartition("/")[2],) if stripped else ()
    for index in range(len(pieces) - 1, -1, -1):
        piece = pieces[index]
        if isinstance(piece, str) and "/" in piece:
            rest = piece.rpartition("/")[2]
            return (rest, *pieces[index + 1 :]) if rest else pieces[index + 1 :]
    return pieces


def may_be_directory(word: Word, execution: Execution, world: World) -> bool:
    """A source is a directory that is there; a pattern or an unknown may be one."""
    text = word.text
    if text is None:
        return True
    return any(
        world.is_directory(normalise(join(directory, text)))
        for directory in execution.cwds
        if directory is not None
    )


def _copy(execution: Execution, world: World) -> list[FileAccess]:
    read = _read(execution, world, _CP)
    if read is None:
        return []
    arguments, transfer = read
    if transfer.target is None:
        return []
    keeps = arguments.has("n") or (arguments.value("u") or known("")).text == "none"
    mode = "link" if arguments.has("l", "s") else "write"
    found = []
    for source in transfer.sources:
        place = landing(source, transfer.target, transfer.directory)
        found.append(
            touch(execution, source, "metadata", recursive=transfer.recursive, destination=place)
        )
        kind = "truncate" if source.text == "/dev/null" else mode
        found.append(
            touch(execution, place, kind, recursive=transfer.recursive, source=source, keeps=keeps)
        )
    return found


def _move(execution: Execution, world: World) -> list[FileAccess]:
    read = _read(execution, world, _MV)
    if read is None:
        return []
    arguments, transfer = read
    if transfer.target is None:
        return []
    keeps = arguments.has("n")
    found = []
    for source in transfer.sources:
        place = landing(source, transfer.target, transfer.directory)
        recursive = may_be_directory(source, execution, world)
        found.append(touch(execution, source, "move", recursive=recursive, destination=place))
        found.append(
            touch(execution, place, "write", recursive=recursive, source=source, keeps=keeps)
        )
    return found


def _link(execution: Execution, world: World) -> list[FileAccess]:
    """The link is made; what it points to gets a second name. `-f` replaces what is there."""
    read = _read(execution, world, _LN)
    if read is None:
        return []
    arguments, transfer = read
    target, directory = transfer.target, transfer.directory
    if target is None:
        target, directory = known("."), True
    if directory and arguments.has("n", "h") and not (target.text or "/").endswith("/"):
        directory = len(transfer.sources) > 1 or arguments.has("t")
    found = []
    for source in transfer.sources:
        place = landing(source, target, directory)
        aim = source
        if arguments.has("s") and not arguments.has("r"):
            aim = _seen_from(place, source)
        found.append(touch(execution, aim, "metadata", destination=place))
        found.append(touch(execution, place, "link", source=aim, keeps=not arguments.has("f")))
    return found


def _seen_from(place: Word, source: Word) -> Word:
    """A relative symbolic link is read from the directory that holds the link."""
    text = place.text
    if text is None or "/" not in text:
        return source
    return below(known(text.rpartition("/")[0] or "/"), source)


def _install(execution: Execution, world: World) -> list[FileAccess]:
    read = _read(execution, world, _INSTALL)
    if read is None:
        return []
    arguments, transfer = read
    if arguments.has("d"):
        every = [*transfer.sources, *([transfer.target] if transfer.target is not None else [])]
        return [touch(execution, path, "metadata") for path in every]
    if transfer.target is None:
        return []
    found = []
    for source in transfer.sources:
        place = landing(source, transfer.target, transfer.directory)
        found.append(touch(execution, source, "metadata", destination=place))
        kind = "truncate" if source.text == "/dev/null" else "write"
        found.append(touch(execution, place, kind, source=source))
    return found


def is_remote(word: Word) -> bool:
    """`host:path`, `user@host:path`, `rsync://…`: not on this machine."""
    text = word.choices[0][0] if word.choices[0] else ""
    if not isinstance(text, str):
        return False
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head and bool(head)


def _rsync(execution: Execution, world: World) -> list[FileAccess]:
    """What lies in `source/` lands in the target, `source` itself below it."""
    arguments = parse(execution.argv, _RSYNC, permute=True)
    if arguments.has("n"):
        return []
    operands = list(arguments.operands)
    found = [
        touch(execution, option.value, option.role)
        for option in arguments.options
        if option.role and option.value is not None
    ]
    if len(operands) < 2:
        return found
    target = operands.pop()
    recursive = arguments.has("a", "r")
    if any(word.text in ("--files-from=-", "--files-from=/dev/stdin") for word in execution.argv):
        found += taken(
            execution,
            "read" if is_remote(target) else "metadata",
            directory=operands[0],
            target=target,
        )
        operands = []
    deletes = any(option.name.startswith("delete") for option in arguments.options)
    for source in operands:
        inside = (source.text or "/").endswith("/")
        place = target
        if not inside and not is_remote(target):
            # One file takes the name of a target that is no directory.
            directory = (
                len(operands) > 1
                or _is_directory(target, execution, world)
                or may_be_directory(source, execution, world)
            )
            place = landing(source, target, directory)
        if not is_remote(source):
            moves = arguments.has("remove-source-files")
            if is_remote(target):  # it is sent
                sent = touch(execution, source, "read", recursive=recursive, destination=place)
                found.append(sent)
            if moves or not is_remote(target):
                mode = "move" if moves else "metadata"
                there = None if is_remote(target) else place
                found.append(touch(execution, source, mode, recursive=recursive, destination=there))
        if not is_remote(target):
            keeps = arguments.has("ignore-existing")
            found.append(
                touch(execution, place, "write", recursive=recursive, source=source, keeps=keeps)
            )
            if deletes:
                found.append(touch(execution, place, "delete", recursive=True, source=source))
    return found


def _scp(execution: Execution, world: World) -> list[FileAccess]:
    """A local file to a host is sent; one from a host is written."""
    arguments = parse(execution.argv, _SCP)
    found = [
        touch(execution, option.value, option.role)
        for option in arguments.options
        if option.role and option.value is not None
    ]
    operands = list(arguments.operands)
    if len(operands) < 2:
        return found
    target = operands.pop()
    recursive = arguments.has("r")
    directory = len(operands) > 1 or _is_directory(target, execution, world)
    for source in operands:
        if not is_remote(source) and is_path(source):
            found.append(touch(execution, source, "read", recursive=recursive, destination=target))
        if not is_remote(target):
            name = source
            if is_remote(source) and source.text is not None:
                name = known(source.text.partition(":")[2], source.start, source.end)
            place = landing(name, target, directory)
            found.append(touch(execution, place, "write", recursive=recursive, source=source))
    return found


def _rename(execution: Execution, _world: World) -> list[FileAccess]:
    """`rename EXPR FILES`: the new names are not worked out."""
    arguments = parse(execution.argv, "e: E: f n,no-act@query v,verbose h@query V@query")
    if any(option.role == "query" for option in arguments.options):
        return []
    operands = arguments.operands
    unknown = Word(((Unknown("argument", may_be_empty=False),),))
    return [touch(execution, path, "move", destination=unknown) for path in operands[1:]]


TABLE: dict[str, Entry] = {
    "cp": _copy,
    "gcp": _copy,
    "mv": _move,
    "gmv": _move,
    "ln": _link,
    "gln": _link,
    "link": ("", "metadata link"),
    "install": _install,
    "ginstall": _install,
    "rsync": _rsync,
    "scp": _scp,
    "rename": _rename,
    "ditto": ("", "metadata* write"),
}
