"""Disks and volumes, and the running machine."""

from __future__ import annotations

import pytest
from tests.guard.rules.facts_of import context, execution

from cc_safety_net.guard.interpret.facts import FileAccess, Reading, known
from cc_safety_net.guard.rules import devices, machine


def rules(text: str) -> list[str]:
    run = execution(text)
    reading = Reading()
    asked = context(reading)
    return [f.rule for m in (devices, machine) for f in m.check_execution(run, asked)]


DENIED = [
    ("dd if=/dev/zero of=/dev/sda", "dd.device-write"),
    ("dd of=/dev/nvme0n1 if=image.iso status=progress", "dd.device-write"),
    ("dd if=x of=/dev/$DISK", "dd.device-write"),
    ("dd if=x of=/dev/disk/by-id/usb-1", "dd.device-write"),
    ("mkfs.ext4 -F /dev/sdb1", "mkfs.device"),
    ("mke2fs /dev/sda1", "mkfs.device"),
    ("mkfs -t ext4 /dev/sda1", "mkfs.device"),
    ("mkswap /dev/sda2", "mkfs.device"),
    ("wipefs -a /dev/sdb", "device.wipe"),
    ("wipefs --all /dev/sdb", "device.wipe"),
    ("blkdiscard -f /dev/nvme0n1", "device.wipe"),
    ("sgdisk --zap-all /dev/sda", "device.wipe"),
    ("nvme format /dev/nvme0n1", "device.wipe"),
    ("badblocks -wsv /dev/sda", "device.wipe"),
    ("cryptsetup luksFormat /dev/sda2", "device.wipe"),
    ("parted -s /dev/sda mklabel gpt", "device.partition"),
    ("fdisk /dev/sda", "device.partition"),
    ("sfdisk /dev/sda", "device.partition"),
    ("diskutil eraseDisk APFS Blank /dev/disk2", "device.partition"),
    ("diskutil apfs deleteContainer disk1", "device.partition"),
    ("zfs destroy -r p/d", "storage.volume-destroy"),
    ("zfs rollback -r p/d@s", "storage.volume-destroy"),
    ("lvremove -f vg0/data", "storage.volume-destroy"),
    ("btrfs subvolume delete /mnt/s", "storage.volume-destroy"),
    ("mdadm --zero-superblock /dev/sda1", "storage.volume-destroy"),
    ("reboot", "system.power"),
    ("shutdown -h now", "system.power"),
    ("systemctl poweroff", "system.power"),
    ("init 6", "system.power"),
    ("kill -9 -1", "system.kill-all"),
    ("kill -- -1", "system.kill-all"),
    ("kill -KILL 1", "system.kill-all"),
    ("kill -s KILL -1", "system.kill-all"),
    ("pkill -u dev", "system.kill-all"),
    ("pkill -9 -f .", "system.kill-all"),
    ("killall -u dev", "system.kill-all"),
    ("userdel -r bob", "system.account-delete"),
    ("passwd -l root", "system.account-delete"),
    ("crontab -r", "system.crontab-remove"),
    ("iptables -F", "system.firewall-flush"),
    ("iptables -t nat -F", "system.firewall-flush"),
    ("ufw reset", "system.firewall-flush"),
    ("apt-get purge libc6", "system.essential-package"),
    ("apt-get remove --allow-remove-essential x", "system.essential-package"),
    ("dpkg -P --force-all bash", "system.essential-package"),
    ("apk del musl", "system.essential-package"),
]


@pytest.mark.parametrize(("text", "rule"), DENIED, ids=[t for t, _ in DENIED])
def test_program_is_denied(text: str, rule: str) -> None:
    assert rules(text) == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "dd if=big.log bs=1 skip=101800 count=9500",
        "dd if=/dev/zero of=./blob.bin bs=1M count=10",
        "dd if=/dev/sdb of=/tmp/usb.img bs=4M",
        "dd if=x of=/dev/null",
        "dd if=x of=/dev/stdout",
        "dd if=x of=$OUT",
        "mkfs.ext4 -q disk.img",
        "mkfs.ext4 --help",
        "wipefs /dev/sdb",
        "wipefs -a disk.img",
        "fdisk -l /dev/sda",
        "parted /dev/sda print",
        "parted disk.img mklabel gpt",
        "sgdisk -p /dev/sda",
        "hdparm -I /dev/sda",
        "diskutil list",
        "zfs list",
        "zfs destroy -n p/d",
        "cryptsetup luksOpen /dev/sda2 x",
        "shutdown -c",
        "systemctl status nginx",
        "systemctl restart nginx",
        "kill -9 4242",
        "kill -1 4242",
        "kill -0 1",
        "kill $PID",
        "kill -l",
        "pkill -u me -f vite",
        "pkill -f vite",
        "pkill -P 4242",
        "killall node",
        "passwd -S bob",
        "crontab -l",
        "crontab jobs.txt",
        "iptables -L -n",
        "ufw status",
        "apt-get remove tree",
        "apt-get install bash",
        "apt-get -s remove bash",
        "dpkg -l bash",
        "rpm -qa",
        "dnf install sudo",
        "pip uninstall base",
    ],
)
def test_program_is_allowed(text: str) -> None:
    assert rules(text) == []


@pytest.mark.parametrize(
    ("path", "denied"),
    [
        ("/dev/sda", True),
        ("/dev/sdb", True),
        ("/dev/mapper/vg-root", True),
        ("/dev/disk2", True),
        ("/dev/null", False),
        ("/dev/tty", False),
        ("/dev/fd/3", False),
        ("/dev/shm/x", False),
        ("/dev/sda-notes", False),
        ("sda", False),
    ],
)
def test_writes_to_devices_by_any_program(path: str, denied: bool) -> None:
    run = execution("cp x y")
    access = FileAccess(known(path), "write", "cp", run.cwds, execution=run)

    found = [f.rule for f in devices.check_access(access, context(Reading()))]

    assert found == (["device.write"] if denied else [])


def test_fork_bombs_are_named() -> None:
    reading = Reading()
    reading.forks.append((":", 0, 13))

    assert [f.rule for f in machine.check_reading(context(reading))] == ["system.fork-bomb"]


def test_another_machine_has_no_devices_of_ours_but_names_count() -> None:
    from cc_safety_net.guard.interpret.facts import Scope

    run = execution("dd if=x of=/dev/sdz", scope=Scope("remote", "h"))

    found = [f.rule for f in devices.check_execution(run, context(Reading()))]

    assert found == ["dd.device-write"]
