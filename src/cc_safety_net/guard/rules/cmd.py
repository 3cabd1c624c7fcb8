"""Programs of Windows that format disks, delete snapshots, hives of the registry, boot entries."""

from __future__ import annotations

from cc_safety_net.guard.rules.powershell import _is_hive, finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Findings for one program; the table says which words of it destroy."""
    del context
    check = _CHECKS.get(execution.program)
    if check is None:
        return ()
    if execution.program == "diskpart" and execution.dialect == "posix":
        return ()  # `device.partition` judges it there
    words = [(word.text or "").lower().replace("//", "/") for word in execution.argv[1:]]
    if any(word in ("/?", "-?", "/help", "--help") for word in words):
        return ()
    rule = check(words)
    return [finding(rule, execution)] if rule else ()


def _format(words: list[str]) -> str:
    drive = any(len(word) in (2, 3) and word[1:2] == ":" for word in words)
    return "cmd.disk" if drive or any(word.startswith("\\\\?\\volume") for word in words) else ""


def _cipher(words: list[str]) -> str:
    return "cmd.disk" if any(word.startswith("/w") for word in words) else ""


def _vssadmin(words: list[str]) -> str:
    if words[:1] == ["delete"] and words[1:2] in (["shadows"], ["shadowstorage"]):
        return "cmd.shadow-copies"
    return "cmd.shadow-copies" if words[:2] == ["resize", "shadowstorage"] else ""


def _wmic(words: list[str]) -> str:
    if "shadowcopy" in words and "delete" in words:
        return "cmd.shadow-copies"
    if words[:1] == ["os"] and {"reboot", "shutdown", "win32shutdown"} & set(words):
        return "system.power"
    if words[:1] == ["useraccount"] and "delete" in words:
        return "system.account-delete"
    return ""


def _wbadmin(words: list[str]) -> str:
    return "cmd.shadow-copies" if words[:1] == ["delete"] else ""


def _diskshadow(words: list[str]) -> str:
    return "cmd.shadow-copies" if words[:2] == ["delete", "shadows"] else ""


def _reg(words: list[str]) -> str:
    if words[:1] != ["delete"] or len(words) < 2 or "/v" in words:
        return ""
    return "cmd.registry-delete" if _is_hive(words[1]) else ""


def _bcdedit(words: list[str]) -> str:
    deleting = {"/delete", "/deletevalue", "-delete", "/import", "/createstore"}
    if deleting & set(words):
        return "cmd.boot"
    # Without recovery a machine that does not start stays that way.
    line = " ".join(words)
    return "cmd.boot" if any(setting in line for setting in _NO_RECOVERY) else ""


def _reagentc(words: list[str]) -> str:
    return "cmd.boot" if "/disable" in words else ""


def _bootrec(words: list[str]) -> str:
    return "cmd.boot" if any(word.startswith("/fix") for word in words) else ""


def _manage_bde(words: list[str]) -> str:
    return "cmd.disk" if "-forcerecovery" in words else ""


def _fsutil(words: list[str]) -> str:
    if words[:2] == ["volume", "dismount"] or words[:2] == ["usn", "deletejournal"]:
        return "cmd.disk"
    return ""


def _diskpart(_words: list[str]) -> str:
    return "cmd.disk"


_NO_RECOVERY = (
    "recoveryenabled no", "recoveryenabled off", "recoveryenabled 0",
    "bootstatuspolicy ignoreallfailures",
)  # fmt: skip
_CHECKS = {
    "format": _format,
    "cipher": _cipher,
    "vssadmin": _vssadmin,
    "wmic": _wmic,
    "wbadmin": _wbadmin,
    "diskshadow": _diskshadow,
    "reg": _reg,
    "bcdedit": _bcdedit,
    "bootrec": _bootrec,
    "reagentc": _reagentc,
    "manage-bde": _manage_bde,
    "fsutil": _fsutil,
    "diskpart": _diskpart,
}
