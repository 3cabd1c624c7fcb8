"""Which paths are block devices: disks, partitions, volumes, and memory."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, prefix
from cc_safety_net.guard.paths import is_inside, join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Word
    from cc_safety_net.guard.world import World

#: Beginnings of names below `/dev` that a digit or a letter follows.
_LETTERED = ("sd", "hd", "vd", "xvd", "ubd")
_NUMBERED = (
    "nvme",
    "mmcblk",
    "disk",
    "rdisk",
    "dm-",
    "md",
    "loop",
    "sr",
    "scd",
    "nbd",
    "zd",
    "ram",
    "zram",
    "drbd",
    "bcache",
    "ada",
    "da",
    "nda",
    "vtbd",
    "pmem",
    "rbd",
    "sg",
    "physicaldrive",
    "harddisk",
    "tape",
)
_WHOLE = frozenset(("mem", "kmem", "port", "cdrom", "dvd"))
_FOLDERS = (
    "/dev/mapper",
    "/dev/disk",
    "/dev/block",
    "/dev/md",
    "/dev/zvol",
    "/dev/bcache",
    "/dev/volume",
)
#: Character devices and pseudo files that anything may be written to.
_HARMLESS = (
    "null",
    "zero",
    "full",
    "random",
    "urandom",
    "arandom",
    "tty",
    "pts",
    "pty",
    "fd",
    "stdin",
    "stdout",
    "stderr",
    "console",
    "ptmx",
    "shm",
    "tcp",
    "udp",
    "log",
    "kmsg",
    "snd",
    "dri",
    "input",
    "usb",
    "video",
    "audio",
    "dsp",
    "clipboard",
    "mqueue",
    "hugepages",
    "net",
    "uinput",
    "rtc",
    "watchdog",
    "i2c",
    "spi",
    "gpio",
    "serial",
    "cu.",
    "lp",
    "hidraw",
    "kvm",
    "fuse",
)


def device_in(word: Word, cwds: Sequence[str | None], world: World | None) -> str:
    """A block device among the values of a word, "" if there is none.

    world: None for another machine, where only the name tells.
    """
    for choice in word.choices:
        lead = prefix(choice)
        if lead.startswith(("\\\\", "//")):
            from cc_safety_net.guard.interpret.windows_paths import posix_pieces

            choice = posix_pieces(choice)  # noqa: PLW2901 - the same path
            lead = prefix(choice)
        for cwd in cwds or (None,):
            if not lead.startswith("/") and cwd is None:
                continue
            path = normalise(join(cwd or "/", lead))
            if len(choice) == 1:
                if is_block_device(path, world):
                    return path
            elif lead.startswith("/dev/") and _may_be_device(lead, choice[-1]):
                return lead + "…"
    return ""


def _may_be_device(lead: str, last: object) -> bool:
    """`/dev/$DISK`, `/dev/sd*`: what is known lies among devices and is no harmless one."""
    rest = lead[len("/dev/") :]
    if not rest:
        return isinstance(last, Unknown)
    return not rest.startswith(_HARMLESS)


def is_block_device(path: str, world: World | None) -> bool:
    """By the disk where it is this machine's, and by name."""
    if not path.startswith("/dev/"):
        return world is not None and world.kind(path) == "device"
    if world is not None:
        resolved = world.resolve(path)
        if world.kind(resolved) == "device":
            return True
    return _is_block_name(path)


def _is_block_name(path: str) -> bool:
    if any(is_inside(path, folder) and path != folder for folder in _FOLDERS):
        return path != "/dev/mapper/control"
    name = path[len("/dev/") :]
    if name in _WHOLE:
        return True
    if name.startswith(_LETTERED):
        rest = name[3:] if name.startswith(("xvd", "ubd")) else name[2:]
        return rest[:1].isalpha() and rest.rstrip("0123456789").isalpha() and len(rest) < 8
    return any(
        name.startswith(start) and name[len(start) : len(start) + 1].isdigit()
        for start in _NUMBERED
    )
