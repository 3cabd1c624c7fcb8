"""Texts of the rules about PowerShell, and about what cmd.exe deletes."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

_PS = "PowerShell"


def _ps(command: str) -> tuple[str, dict[str, object]]:
    return _PS, {"command": command}


def _cmd(command: str) -> tuple[str, dict[str, object]]:
    return "cmd", {"command": command}


RULES: tuple[Rule, ...] = (
    Rule(
        "powershell.remove-item-root-or-home",
        reason="This would delete in the root of a drive or a home directory.",
        instead="{look} {path}",
        do_not="split the deletion up, and do not use cmd, robocopy or .NET for it.",
        intent="hard_stop",
        off="C",
        denied=(_ps(r"Remove-Item C:\*"), _ps("Remove-Item $HOME -Force"), _cmd(r"del /q C:\*")),
        allowed=(_ps(r"Remove-Item build\*"), _cmd(r"del /q build\*")),
    ),
    Rule(
        "powershell.remove-item-recursive-force-root-or-home",
        reason="This would delete the root of a drive or a home directory.",
        instead="{look} {path}",
        do_not="split the deletion up, and do not use cmd, robocopy or .NET for it.",
        intent="hard_stop",
        off="C",
        denied=(
            _cmd(r"rd /s /q C:\ "),
            _ps("Remove-Item -Recurse -Force ~"),
            _cmd(r"del /s /q C:\*"),
            _ps(r"[IO.Directory]::Delete('C:\Users\dev', $true)"),
        ),
        allowed=(_cmd("rd /s /q build"), _ps("Remove-Item build -Recurse -Force")),
    ),
    Rule(
        "powershell.remove-item-git-metadata",
        reason="This is git's own data: history, branches and settings would be gone.",
        instead="git status --short",
        do_not="move it away or delete it by another program.",
        intent="hard_stop",
        off="C",
        denied=(_ps("ri .git -r -fo"), _cmd("rd /s /q .git"), _ps("ri $PWD -r -fo")),
        allowed=(_ps(r"ri .git\index.lock"), _ps("ri build -r -fo")),
    ),
    Rule(
        "powershell.remove-item-system",
        reason="This belongs to the operating system or to the programs installed on it.",
        instead="{look} {path}",
        do_not="use an elevated shell, another program or a script for it.",
        intent="manual_only",
        denied=(_cmd(r"del C:\Windows\x.dll"), _ps(r"ri 'C:\Program Files\x' -r -fo")),
        allowed=(_cmd(r"del /q x.dll"), _ps(r"ri C:\Windows\Temp\x -r")),
    ),
    Rule(
        "powershell.remove-item-recursive-force-home-cwd",
        reason="The directory is the home, so a relative name there is the person's own folder.",
        instead="{look} {path}",
        do_not="spell the same folder as an absolute path.",
        intent="scope_down",
        denied=(_ps("cd ~; ri docs -r -fo"), _cmd("cd /d %USERPROFILE% & rd /s /q docs")),
        allowed=(_ps("cd src; ri generated -r -fo"), _ps("cd ~; ri ~/proj/build -r -fo")),
    ),
    Rule(
        "powershell.remove-item-recursive-force-cwd-self",
        reason="This would empty or delete the workspace itself.",
        instead="git status --short --ignored",
        do_not="delete the entries one after the other until nothing is left.",
        intent="scope_down",
        denied=(_ps("ri * -r -fo"), _cmd("del /s /q *")),
        allowed=(_ps("ri dist -r -fo"), _cmd(r"del /s /q dist\*")),
    ),
    Rule(
        "powershell.remove-item-recursive-force-outside-cwd",
        reason="This would delete a directory outside the workspace.",
        instead="{look} {path}",
        do_not="reach it by cd, a link, a move or another program.",
        intent="scope_down",
        denied=(
            _ps(r"ri ..\other -r -fo"),
            _cmd(r"rd /s /q D:\work"),
            _ps(r"gci C:\Users\dev\Documents | ri -r -fo"),
        ),
        allowed=(_ps("ri build -r -fo"), _ps(r"cd src; ri ..\dist -r -fo")),
    ),
    Rule(
        "powershell.remove-item-recursive-force-dynamic-target",
        reason="What would be deleted is not known before it runs.",
        instead="{look} {path}",
        do_not="hide the value in a script or another variable.",
        intent="scope_down",
        level="strict",
        denied=(_ps("ri $target -r -fo"), _ps("Remove-Item -Recurse -Path $p")),
        allowed=(_ps("$d = 'build'; ri $d -r -fo"), _ps("ri build -r -fo")),
    ),
    Rule(
        "powershell.remove-item-pipeline-dynamic-target",
        reason="A deletion takes its targets from a pipeline whose objects are not known.",
        instead="{look} {path}",
        do_not="feed the list to a loop instead.",
        intent="scope_down",
        level="strict",
        denied=(_ps("gci $x | ri -r -fo"), _ps("Get-Content list.txt | Remove-Item -Recurse")),
        allowed=(_ps("gci build | ri -r"), _ps("'build', 'dist' | Remove-Item -Recurse")),
    ),
    Rule(
        "powershell.remove-item-recursive-force-paranoid",
        reason="At this level nothing in the workspace is deleted recursively.",
        instead="{look} {path}",
        do_not="delete the directory by another program.",
        intent="scope_down",
        level="paranoid",
        denied=(_ps("ri build -r -fo"), _cmd("rd /s /q build")),
        allowed=(_ps(r"ri $env:TEMP\x -r -fo"), _ps("Remove-Item notes.txt")),
    ),
    Rule(
        "powershell.clear-content",
        reason="This would empty a file that holds something.",
        instead="{copy} {path} {path}.bak",
        do_not="delete the file and make it anew, or write an empty text into it.",
        intent="use_alternative",
        denied=(_ps(r"clc src\app.ts"), _ps(r"Set-Content src\app.ts ''")),
        allowed=(_ps("clc app.log"), _ps(r"Set-Content src\app.ts 'export {}'")),
    ),
    Rule(
        "powershell.disk",
        reason="This formats or wipes a disk, or removes a partition.",
        instead="Get-Disk",
        do_not="use diskpart, format or another tool for it.",
        intent="manual_only",
        denied=(
            _ps("Clear-Disk 0"),
            _ps("Format-Volume -DriveLetter D"),
            _ps("Remove-Partition -DiskNumber 1 -PartitionNumber 2"),
        ),
        allowed=(_ps("Get-Disk"), _ps("Clear-Disk 0 -WhatIf")),
    ),
    Rule(
        "powershell.computer",
        reason="This stops or restarts the machine, or removes an account of it.",
        instead="Get-Process",
        do_not="use shutdown, net user or another tool for it.",
        intent="manual_only",
        denied=(_ps("Restart-Computer"), _ps("Stop-Computer -Force"), _ps("Remove-LocalUser bob")),
        allowed=(_ps("Get-Process"), _ps("Restart-Computer -WhatIf")),
    ),
    Rule(
        "powershell.encoded-opaque",
        reason="The encoded command can't be decoded, so nobody knows what it runs.",
        instead="pwsh -Command 'Get-Date'",
        do_not="encode, compress or split the text.",
        intent="stop_and_explain",
        denied=(_ps("pwsh -enc '???'"), "pwsh -EncodedCommand $X"),
        allowed=(
            _ps("pwsh -enc RwBlAHQALQBEAGEAdABlAA=="),
            "pwsh -EncodedCommand RwBlAHQALQBEAGEAdABlAA==",
        ),
    ),
    Rule(
        "powershell.expression",
        reason="Text that is not known here would be run as a command.",
        instead="{fetch}",
        do_not="save the text and run the file unread instead.",
        intent="manual_only",
        denied=(
            _ps("irm u | iex"),
            _ps("iex $code"),
            _ps("iex (New-Object Net.WebClient).DownloadString('u')"),
        ),
        allowed=(_ps("iex 'Get-Date'"), _ps("irm u -OutFile x.ps1")),
    ),
)
