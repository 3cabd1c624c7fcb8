"""Disks, partitions and volumes: what writes to them, formats, wipes or destroys them."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import literal, prefix, shown
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.rules.command_line import Line
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.world import World

_DD = frozenset(("dd", "gdd", "dcfldd", "dc3dd", "ddrescue"))
_WRITING = frozenset(("write", "append", "truncate"))
_MKFS = frozenset(
    ("mke2fs", "mkswap", "newfs", "mkdosfs", "mkntfs", "mkexfatfs", "mkreiserfs", "mkfs")
)


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """A write to a block device by any program."""
    if access.mode not in _WRITING or _is_ordinary(access, context):
        return ()
    from cc_safety_net.guard.rules.block_devices import device_in

    execution = access.execution
    if execution is not None and _is_covered(execution.program):
        return ()
    world = context.world if access.scope.kind == "local" else None
    device = device_in(access.path, access.cwds, world)
    if not device:
        return ()
    part = access.via if execution is None else _text(execution)
    return (_finding("device.write", part, device, access.start, access.end, access.chain),)


def _is_ordinary(access: FileAccess, context: Context) -> bool:
    """A known path that is no device, which is all that most writes are."""
    for choice in access.path.choices:
        text = literal(choice)
        if text is None or text.startswith("/dev/") or access.scope.kind != "local":
            return False
        for cwd in access.cwds:
            path = join(cwd or "/", text)
            if cwd is None or context.world.kind(path) == "device":
                return False
    return True


def _is_covered(program: str) -> bool:
    """A rule about the program itself speaks of its device."""
    return program in _DD or program in _MKFS or program.startswith(("mkfs.", "newfs_"))


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Findings for one program that works on devices or volumes."""
    from cc_safety_net.guard.rules.command_line import Line

    world = context.world if execution.scope.kind == "local" else None
    program = execution.program
    if program in _DD:
        return _dd(execution, world)
    if program in _MKFS or program.startswith(("mkfs.", "newfs_")):
        return _mkfs(execution, world)
    check = _CHECKS.get(program)
    if check is None:
        return ()
    line = Line(execution)
    if line.asks_for_help():
        return ()
    rule = check(line)
    if not rule:
        return ()
    device = ""
    if rule in ("device.wipe", "device.partition") and program not in _NAMED:
        device = _device(line.operands, execution, world)
        if not device:
            return ()
    return (
        _finding(rule, _text(execution), device, execution.start, execution.end, execution.chain),
    )


def _dd(execution: Execution, world: World | None) -> Iterable[Finding]:
    from cc_safety_net.guard.rules.block_devices import device_in

    for word in execution.argv[1:]:
        if prefix(word.choices[0]).startswith("of=") or execution.program == "ddrescue":
            device = device_in(_after(word, "of="), execution.cwds, world)
            source = execution.program == "ddrescue" and word is not execution.argv[2]
            if device and not source:
                return (
                    _finding(
                        "dd.device-write",
                        _text(execution),
                        device,
                        execution.start,
                        execution.end,
                        execution.chain,
                    ),
                )
    return ()


def _after(word: Word, lead: str) -> Word:
    from cc_safety_net.guard.interpret.facts import Word as NewWord

    choices = []
    for choice in word.choices:
        first = choice[0] if choice else ""
        if isinstance(first, str) and first.startswith(lead):
            rest = first[len(lead) :]
            choices.append(((rest,) if rest else ()) + choice[1:])
        else:
            choices.append(choice)
    return NewWord(choices, word.start, word.end)


def _mkfs(execution: Execution, world: World | None) -> Iterable[Finding]:
    from cc_safety_net.guard.rules.command_line import Line

    line = Line(execution)
    program = execution.program
    dry = program == "mke2fs" or program.startswith("mkfs.ext")
    if line.asks_for_help() or (dry and line.has("n")):
        return ()
    device = _device(line.words, execution, world)
    if not device:
        return ()
    return (
        _finding(
            "mkfs.device",
            _text(execution),
            device,
            execution.start,
            execution.end,
            execution.chain,
        ),
    )


def _device(words: Iterable[Word], execution: Execution, world: World | None) -> str:
    from cc_safety_net.guard.rules.block_devices import device_in

    for word in words:
        device = device_in(word, execution.cwds, world)
        if device:
            return device
    return ""


def _text(execution: Execution) -> str:
    return " ".join(shown(word.choices[0]) for word in execution.argv)


def _finding(
    rule: str, part: str, device: str, start: int, end: int, chain: Iterable[str]
) -> Finding:
    why = f"{device} is a block device; what is on it would be lost." if device else ""
    return Finding(
        rule,
        part,
        start,
        end,
        chain=tuple(chain),
        values={"device": device or "/dev/sda"},
        why=why,
        target=device,
    )


# --- one function a program: the rule that it breaks, or "" --------------------------------------


def _wipefs(line: Line) -> str:
    if line.has("n", "no-act"):
        return ""
    return "device.wipe" if line.has("a", "all", "o", "offset") else ""


def _always_wipes(_line: Line) -> str:
    return "device.wipe"


def _sgdisk(line: Line) -> str:
    if line.has("P", "pretend"):
        return ""
    if line.has("Z", "zap-all", "z", "zap", "o", "clear"):
        return "device.wipe"
    changing = ("n", "new", "d", "delete", "t", "typecode", "G", "R", "replicate", "l", "N", "g")
    return "device.partition" if line.has(*changing, "load-backup", "largest-new") else ""


def _hdparm(line: Line) -> str:
    names = (
        "security-erase",
        "security-erase-enhanced",
        "trim-sector-ranges",
        "write-sector",
        "make-bad-sector",
        "dco-restore",
        "repair-sector",
    )
    return "device.wipe" if line.has(*names) else ""


def _nvme(line: Line) -> str:
    return "device.wipe" if line.verb() in ("format", "sanitize", "delete-ns", "write") else ""


def _badblocks(line: Line) -> str:
    return "device.wipe" if line.has("w") else ""


def _cryptsetup(line: Line) -> str:
    return "device.wipe" if line.verb() in ("luksFormat", "luksErase", "erase") else ""


def _parted(line: Line) -> str:
    verbs = ("mklabel", "mktable", "mkpart", "mkpartfs", "rm", "resizepart", "rescue", "move")
    return "device.partition" if any(text in verbs for text in line.texts) else ""


def _fdisk(line: Line) -> str:
    asks: tuple[str, ...] = (
        "l",
        "list",
        "s",
        "getsz",
        "x",
        "d",
        "dump",
        "J",
        "json",
        "V",
        "verify",
        "show-size",
    )
    if line.program == "fdisk":
        asks = ("l", "list", "s", "getsz")
    return "" if line.has(*asks) else "device.partition"


def _gdisk(line: Line) -> str:
    return "" if line.has("l") else "device.partition"


def _diskutil(line: Line) -> str:
    verbs = [text.lower() for text in line.texts]
    changing = ("partitiondisk", "reformat", "zerodisk", "randomdisk", "secureerase")
    if any(verb.startswith("erase") or verb in changing for verb in verbs[:2]):
        return "device.partition"
    if verbs[:1] and verbs[0] in ("apfs", "corestorage", "cs", "appleraid", "ar"):
        destroys = verbs[1:2] and verbs[1].startswith(("delete", "erase"))
        return "device.partition" if destroys else ""
    return ""


def _diskpart(line: Line) -> str:
    return "" if "/?" in line.texts else "device.partition"


def _gpart(line: Line) -> str:
    verbs = ("destroy", "create", "delete", "add", "resize")
    return "device.partition" if line.verb() in verbs else ""


def _zfs(line: Line) -> str:
    if line.has("n"):
        return ""
    verb = line.verb()
    if verb == "destroy" or (verb == "rollback" and line.has("r", "R")):
        return _VOLUME
    return ""


def _zpool(line: Line) -> str:
    return _VOLUME if line.verb() in ("destroy", "labelclear") else ""


def _lvm(line: Line) -> str:
    return "" if line.has("t", "test") else _VOLUME


def _btrfs(line: Line) -> str:
    verbs = line.operand_texts()
    return _VOLUME if verbs[:1] in (["subvolume"], ["sub"], ["su"]) and _deletes(verbs) else ""


def _deletes(verbs: list[str]) -> bool:
    return len(verbs) > 1 and len(verbs[1]) > 2 and "delete".startswith(verbs[1])


def _mdadm(line: Line) -> str:
    return _VOLUME if line.has("zero-superblock") else ""


_VOLUME = "storage.volume-destroy"

_CHECKS: dict[str, Callable[[Line], str]] = {
    "wipefs": _wipefs,
    "blkdiscard": _always_wipes,
    "sgdisk": _sgdisk,
    "hdparm": _hdparm,
    "nvme": _nvme,
    "badblocks": _badblocks,
    "cryptsetup": _cryptsetup,
    "parted": _parted,
    "fdisk": _fdisk,
    "sfdisk": _fdisk,
    "cfdisk": _diskpart,
    "gdisk": _gdisk,
    "cgdisk": _diskpart,
    "diskutil": _diskutil,
    "diskpart": _diskpart,
    "gpart": _gpart,
    "zfs": _zfs,
    "zpool": _zpool,
    "lvremove": _lvm,
    "vgremove": _lvm,
    "pvremove": _lvm,
    "lvreduce": _lvm,
    "btrfs": _btrfs,
    "mdadm": _mdadm,
}
#: Programs that name disks in their own way (`disk2`, `ada0`), or none.
_NAMED = frozenset(("diskutil", "diskpart", "gpart"))
