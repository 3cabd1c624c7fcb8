"""Texts of the rules about disks, partitions and volumes."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "dd.device-write",
        reason="It writes over a disk or partition from its start.",
        instead="lsblk -f",
        do_not="write to it by a redirection, cp or tee.",
        intent="manual_only",
        denied=("dd if=x of=/dev/sda", "sudo dd of=/dev/nvme0n1 if=x bs=4M"),
        allowed=("dd if=/dev/zero of=disk.img bs=1M count=1", "dd if=x of=/dev/null"),
    ),
    Rule(
        "device.write",
        reason="It writes over a disk or partition.",
        instead="lsblk -f",
        do_not="write to it by dd or another program.",
        intent="manual_only",
        denied=("cat x > /dev/sda", "cp x /dev/sda", "cat x | sudo tee /dev/sda"),
        allowed=("cat x > /dev/null", "echo hi > /dev/tty", "cat x > /dev/fd/3"),
    ),
    Rule(
        "mkfs.device",
        reason="It makes a new file system, and what was on the device is gone.",
        instead="lsblk -f",
        do_not="use another formatting program.",
        intent="manual_only",
        denied=("mkfs.ext4 /dev/sda1", "mkswap /dev/sdb1", "mke2fs -t ext4 /dev/sda1"),
        allowed=("mkfs.ext4 disk.img", "mkfs.ext4 --help"),
    ),
    Rule(
        "device.wipe",
        reason="It erases signatures, keys or all blocks of the device.",
        instead="lsblk -f",
        do_not="use another program that erases.",
        intent="manual_only",
        denied=("wipefs -a /dev/sda", "blkdiscard /dev/sda", "sgdisk -Z /dev/sda"),
        allowed=("wipefs /dev/sda", "hdparm -I /dev/sda"),
    ),
    Rule(
        "device.partition",
        reason="It changes the partition table, and partitions with their data may be gone.",
        instead="lsblk -f",
        do_not="use another partitioning program.",
        intent="manual_only",
        denied=("parted /dev/sda mklabel gpt", "fdisk /dev/sda", "diskutil eraseDisk X Y d"),
        allowed=("fdisk -l", "parted -l", "parted /dev/sda print"),
    ),
    Rule(
        "storage.volume-destroy",
        reason="It destroys a volume or snapshot with all that is on it.",
        instead="lsblk -f",
        do_not="use another volume program.",
        intent="manual_only",
        denied=("zfs destroy p/d", "lvremove -f vg/data", "btrfs subvolume delete /mnt/s"),
        allowed=("zfs list", "zfs snapshot p/d@now", "lvs"),
    ),
)
