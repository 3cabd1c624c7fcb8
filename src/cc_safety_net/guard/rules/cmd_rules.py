"""Texts of the rules about disks, snapshots, the registry and the boot menu of Windows."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule


def _cmd(command: str) -> tuple[str, dict[str, object]]:
    return "cmd", {"command": command}


RULES: tuple[Rule, ...] = (
    Rule(
        "cmd.disk",
        reason="This formats a drive, changes its partitions or overwrites what was deleted.",
        instead="vol C:",
        do_not="use PowerShell or another tool for it.",
        intent="manual_only",
        denied=(_cmd("format D: /q /y"), _cmd("cipher /w:C:"), _cmd("cmd /c format D: /fs:ntfs")),
        allowed=(_cmd("cipher /c"), _cmd("format /?")),
    ),
    Rule(
        "cmd.shadow-copies",
        reason="This deletes the snapshots from which lost files can be brought back.",
        instead="vssadmin list shadows",
        do_not="use wmic, PowerShell or a scheduled task for it.",
        intent="manual_only",
        denied=(_cmd("vssadmin delete shadows /all"), _cmd("wmic shadowcopy delete")),
        allowed=(_cmd("vssadmin list shadows"), _cmd("wmic os get caption")),
    ),
    Rule(
        "cmd.registry-delete",
        reason="This deletes a hive or a main branch of the registry.",
        instead="reg query HKCU",
        do_not="delete the keys one after the other, by PowerShell or a .reg file.",
        intent="manual_only",
        denied=(
            _cmd(r"reg delete HKLM\SOFTWARE /f"),
            _cmd(r"reg delete HKCU\Software /f"),
            ("PowerShell", {"command": r"Remove-Item HKLM:\SYSTEM -Recurse"}),
        ),
        allowed=(
            _cmd(r"reg query HKCU\Software /s"),
            _cmd(r"reg delete HKCU\Software\MyApp\Cache /f"),
        ),
    ),
    Rule(
        "cmd.boot",
        reason="This changes what the machine starts.",
        instead="bcdedit /enum",
        do_not="use bootrec or another tool for it.",
        intent="manual_only",
        denied=(_cmd("bcdedit /delete {current} /f"), _cmd("bcdedit /deletevalue safeboot")),
        allowed=(_cmd("bcdedit /enum"), _cmd("bcdedit /?")),
    ),
)
