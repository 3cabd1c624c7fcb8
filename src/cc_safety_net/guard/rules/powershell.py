"""PowerShell and cmd.exe: their deletions under ids of their own, `iex`, disks, the machine."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Unknown, shown
from cc_safety_net.guard.interpret.windows_paths import shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.interpret.facts import CodeRun, Execution, FileAccess
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.targets import Target

_DELETION = "powershell.remove-item-"
#: Rules about deletions under the ids that they have in these shells.
_RENAMED = {
    "rm.git-metadata": _DELETION + "git-metadata",
    "rm.system-path": _DELETION + "system",
    "rm.recursive-force-home-cwd": _DELETION + "recursive-force-home-cwd",
    "rm.recursive-force-cwd-self": _DELETION + "recursive-force-cwd-self",
    "rm.recursive-force-outside-cwd": _DELETION + "recursive-force-outside-cwd",
    "rm.recursive-force-dynamic-target": _DELETION + "recursive-force-dynamic-target",
    "rm.recursive-force-paranoid": _DELETION + "recursive-force-paranoid",
    "file.truncate": "powershell.clear-content",
}
#: Commands of the shells themselves; what another program deletes keeps its rule.
_OWN = frozenset(
    (
        "add-content", "clear-content", "copy", "copy-item", "del", "erase", "move", "move-item",
        "out-file", "rd", "remove-item", "ren", "rename", "rename-item", "rmdir", "robocopy",
        "set-content", "tee-object", "new-item",
    )
)  # fmt: skip
#: Rules of all shells whose suggestion is to look at the thing.
_ONLY_LOOK = frozenset(
    ("rm.file-outside-workspace", "rm.glob-outside-workspace", "rm.home-config",
     "rm.possibly-empty-prefix")
)  # fmt: skip
_DISKS = frozenset(
    (
        "clear-disk", "clear-storagebusdisk", "format-volume", "initialize-disk",
        "remove-partition", "remove-physicaldisk", "remove-storagepool", "remove-virtualdisk",
        "remove-volume", "reset-physicaldisk", "set-disk",
    )
)  # fmt: skip
_COMPUTER = frozenset(
    ("disable-localuser", "remove-aduser", "remove-computer", "remove-localgroup",
     "remove-localuser", "restart-computer", "stop-computer")
)  # fmt: skip
_FETCHES = frozenset(("invoke-restmethod", "invoke-webrequest"))
_QUOTED = frozenset(" '\"`;|&(){}$<>\n")
_RUNS_TEXT = frozenset(("invoke-expression", "invoke-command"))


def of_windows(
    rule: str, access: FileAccess, target: Target, context: Context, why: str
) -> Finding:
    """The finding of a rule about a path that a Windows shell changes."""
    from cc_safety_net.guard.rules.deletion import part_of, values

    execution = access.execution
    assert execution is not None, "the caller has looked"
    own = (
        access.via in _OWN
        or access.via.startswith("[")
        or (access.via in (">", ">>") and rule == "file.truncate")
    )
    name = _renamed(rule, access) if own else rule
    plain = target.shown == target.path
    target.shown = shown_path(target.shown)
    filled = values(target, context)
    if why:
        why = _readable(why, target.path)
    is_cmd = execution.dialect == "cmd"
    quote = '"' if is_cmd else "'"
    filled["look"], filled["copy"] = ("dir", "copy") if is_cmd else ("Get-ChildItem", "Copy-Item")
    if plain and target.path.startswith("/") and target.path[2:3] == ":":
        filled["path"] = f"{quote}{target.shown}{quote}" if " " in target.shown else target.shown
        filled["delete"] = f"{filled['look']} {filled['path']}"
    elif is_cmd and not target.shown.startswith("/"):
        # There a slash begins a switch.
        filled["path"] = _for_cmd(filled["path"])
    if name in _ONLY_LOOK:
        filled["in_words"] = f"{filled['look']} {filled['path']}"
    elif name == "file.permissions-recursive":
        filled["in_words"] = f"icacls {filled['path']}"
    return Finding(
        name,
        part_of(access, target),
        access.start,
        access.end,
        chain=access.chain,
        values=filled,
        why=why,
        target=target.path,
    )


def _for_cmd(path: str) -> str:
    """A relative path, or a variable, as cmd.exe has it."""
    if path[:1] == "$" and path[1:].replace("_", "").isalnum():
        return f"%{path[1:]}%"
    return path.replace("/", "\\")


def _readable(why: str, path: str) -> str:
    return why.replace(path, shown_path(path)) if path[2:3] == ":" else why


def _renamed(rule: str, access: FileAccess) -> str:
    if rule == "rm.recursive-force-root-or-home":
        wide = "recursive-force-root-or-home" if access.recursive else "root-or-home"
        return _DELETION + wide
    if rule == "rm.recursive-force-dynamic-target" and _is_piped(access):
        return _DELETION + "pipeline-dynamic-target"
    return _RENAMED.get(rule, rule)


def _is_piped(access: FileAccess) -> bool:
    """The paths come through the pipe, as objects or as lines."""
    execution = access.execution
    if execution is not None and execution.feeds:
        return True
    return any(
        isinstance(piece, Unknown) and piece.why in ("command", "input")
        for choice in access.path.choices
        for piece in choice
    )


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Cmdlets that format disks or stop the machine."""
    if execution.scope.kind == "fresh" or execution.dialect == "posix":
        return ()
    program = execution.program
    words = [(word.text or "").lower() for word in execution.argv[1:]]
    if any(_is_preview(word) for word in words):
        return ()
    del context
    if program in _DISKS and (program != "set-disk" or "-isoffline" in words):
        return [finding("powershell.disk", execution)]
    if program == "disable-computerrestore":
        return [finding("cmd.shadow-copies", execution)]
    if program in _COMPUTER:
        return [finding("powershell.computer", execution)]
    if program == "remove-item" and any(_is_hive(word) for word in words):
        return [finding("cmd.registry-delete", execution)]
    return ()


def _is_preview(word: str) -> bool:
    return (len(word) > 2 and word == "-wi") or (len(word) > 4 and "-whatif".startswith(word))


def _is_hive(word: str) -> bool:
    """A hive of the registry, or a key directly below one that the system needs."""
    lower = word.strip("'").replace("/", "\\").removeprefix("registry::").rstrip("\\*")
    if lower.startswith("\\\\"):
        lower = lower[2:].partition("\\")[2]  # of another machine
    hive, _, rest = lower.partition("\\")
    if hive.rstrip(":") not in _HIVES:
        return False
    if hive.rstrip(":") in _USERS:
        rest = rest.partition("\\")[2]
    rest = rest.replace("wow6432node\\", "")
    first = rest.partition("\\")[0]
    return "\\" not in rest or first in ("system", "sam", "security") or rest in _BRANCHES


_USERS = frozenset(("hku", "hkey_users"))
#: Keys that hold what Windows, or every program on it, is set to.
_BRANCHES = frozenset(
    (
        "software\\classes", "software\\clients", "software\\microsoft",
        "software\\microsoft\\windows", "software\\microsoft\\windows\\currentversion",
        "software\\microsoft\\windows nt", "software\\microsoft\\windows nt\\currentversion",
        "software\\microsoft\\windows nt\\currentversion\\winlogon", "software\\policies",
        "software\\wow6432node",
    )
)  # fmt: skip
_HIVES = frozenset(
    ("hklm", "hkcu", "hkcr", "hku", "hkcc", "hkey_local_machine", "hkey_current_user",
     "hkey_classes_root", "hkey_users", "hkey_current_config")
)  # fmt: skip


def check_code(code: CodeRun, context: Context) -> Iterable[Finding]:
    """`iex` of unknown text or of a download, and encoded text that nobody can decode."""
    del context
    execution = code.execution
    if code.how == "encoded":
        part = shown(code.text.choices[0]) if code.text.choices else "?"
        return [Finding("powershell.encoded-opaque", part, code.start, code.end, chain=code.chain)]
    if execution is None or execution.program not in _RUNS_TEXT:
        return ()
    return [
        Finding(
            "powershell.expression",
            " ".join(shown(word.choices[0]) for word in execution.argv if word.choices),
            code.start,
            code.end,
            chain=code.chain,
            values={"fetch": _instead_of_running(code)},
        )
    ]


def _instead_of_running(code: CodeRun) -> str:
    """A command that saves what would be fetched, or shows what would be run."""
    for origin in code.origin:
        if origin.program in _FETCHES:
            words = [word.text for word in origin.argv[1:] if word.text]
            address = next((word for word in words if not word.startswith("-")), "")
            if address and not set(address) & _QUOTED:
                return f"Invoke-WebRequest {address} -OutFile script.ps1"
    for choice in code.text.choices[:1]:
        text = shown(choice)
        if text.startswith("$") and text[1:].replace("_", "").isalnum():
            return f"Write-Output {text}"
    return "Get-Help Invoke-Expression"


def finding(rule: str, execution: Execution, why: str = "") -> Finding:
    part = " ".join(shown(word.choices[0]) for word in execution.argv[:40] if word.choices)
    return Finding(
        rule, part, execution.start, execution.end, chain=execution.chain, why=why,
        values={"program": shown(execution.argv[0].choices[0])},
    )  # fmt: skip
