"""The running machine: power, processes, accounts, firewall, essential packages, fork bombs."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.rules.command_line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_ALL_PROCESSES = frozenset(("", ".", ".*", "^", "$", "^.*$", "^.*", ".*$", ".+", "*", "[a-z]*"))


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Findings for one program that acts on the machine as a whole."""
    check = _CHECKS.get(execution.program)
    if check is None:
        return ()
    context.effort.spend(1, "programs that act on the machine")
    line = Line(execution)
    if line.asks_for_help():
        return ()
    rule = check(line, execution)
    if not rule:
        return ()
    return (
        Finding(
            rule,
            " ".join(shown(word.choices[0]) for word in execution.argv),
            execution.start,
            execution.end,
            chain=execution.chain,
        ),
    )


def check_reading(context: Context) -> Iterable[Finding]:
    """Functions that start themselves twice, in a pipe or in the background."""
    return [
        Finding("system.fork-bomb", name, start, end, target=name)
        for name, start, end in context.reading.forks
    ]


def _shutdown(line: Line, execution: Execution) -> str:
    if execution.dialect != "posix":
        # Of Windows: /a takes a planned one back, /l logs off; without a word it shows help.
        asks = {"a", "l", "?", "help"}
        switches = {text.lstrip("-/").lower() for text in line.texts}
        return _POWER if switches and not switches & asks else ""
    # -c takes a planned one back, -k only warns.
    return "" if line.has("c", "k", "show") else _POWER


def _reboot(line: Line, _execution: Execution) -> str:
    return "" if line.has("w", "wtmp-only") else _POWER


def _init(line: Line, _execution: Execution) -> str:
    return _POWER if line.verb() in ("0", "6") else ""


def _systemctl(line: Line, _execution: Execution) -> str:
    verbs = line.operand_texts()
    if verbs[:1] and verbs[0] in ("poweroff", "reboot", "halt", "kexec", "soft-reboot"):
        return _POWER
    targets = ("poweroff.target", "reboot.target", "halt.target", "kexec.target")
    isolates = len(verbs) > 1 and verbs[0] in ("isolate", "start") and verbs[1] in targets
    return _POWER if isolates else ""


def _kill(line: Line, execution: Execution) -> str:
    texts = line.texts
    signal = ""
    at = 0
    while at < len(texts):
        text = texts[at]
        if text in ("-l", "-L", "--list", "--table"):
            return ""
        if text in ("-s", "-n", "--signal"):
            signal = texts[at + 1] if at + 1 < len(texts) else ""
            at += 2
            continue
        if text == "--":
            at += 1
            break
        if not signal and len(text) > 1 and text[0] == "-":
            signal = text[1:]
            at += 1
            continue
        break
    if signal == "0":
        return ""
    victims = texts[at:]
    boxed = execution.scope.kind in ("box", "fresh")
    if "-1" in victims or ("1" in victims and not boxed):
        return _KILL
    return ""


_PKILL_VALUES = frozenset("uUGgPstF")


def _pkill(line: Line, _execution: Execution) -> str:
    """Without a pattern all processes of a user go; a terminal, parent or file narrows it."""
    by_user = False
    operands: list[str] = []
    at = 0
    while at < len(line.texts):
        text = line.texts[at]
        known = line.words[at].text is not None
        at += 1
        if not text.startswith("-") or text == "-":
            operands.append(text if known else "?")
            continue
        name = text[2:].partition("=")[0] if text.startswith("--") else text[1:2]
        if name in ("P", "t", "g", "s", "F", "parent", "terminal", "pgroup", "session", "pidfile"):
            return ""
        if name in ("v", "inverse"):
            return _KILL
        if name in ("u", "U", "G", "euid", "uid", "group"):
            by_user = True
        takes = name in _PKILL_VALUES and len(text) == 2
        if takes or (text in ("--euid", "--uid", "--group", "--signal")):
            at += 1
    if operands:
        return _KILL if any(text in _ALL_PROCESSES for text in operands) else ""
    return _KILL if by_user else ""


def _taskkill(line: Line, _execution: Execution) -> str:
    """`taskkill /im *` without a filter."""
    texts = [text.lower() for text in line.texts]
    images = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in _IMAGES]
    filtered = "/fi" in texts or "-fi" in texts
    return _KILL if "*" in images and not filtered else ""


_IMAGES = frozenset(("/im", "-im"))


def _stop_process(line: Line, execution: Execution) -> str:
    """`Stop-Process -Name *`, `Get-Process | Stop-Process`."""
    texts = [text.lower() for text in line.texts]
    if any(text.startswith("-wh") or text == "-wi" for text in texts):
        return ""
    if "*" in [shown(word.choices[0]) for word in line.words]:
        return _KILL
    fed = execution.feeds[-1] if execution.feeds else None
    everything = fed is not None and fed.program == "get-process" and len(fed.argv) == 1
    return _KILL if everything else ""


def _firewall_profile(line: Line, _execution: Execution) -> str:
    texts = [text.lower().lstrip("$") for text in line.texts]
    off = any(text.startswith("-e") for text in texts) and "false" in texts
    return _FIREWALL if off else ""


def _killall(line: Line, _execution: Execution) -> str:
    operands = line.operand_texts()
    by_user = line.has("u", "user")
    if by_user and len(operands) <= 1:
        return _KILL
    by_pattern = line.has("r", "regexp", "m")
    return _KILL if by_pattern and any(text in _ALL_PROCESSES for text in operands) else ""


def _kills_all(_line: Line, _execution: Execution) -> str:
    return _KILL


def _account(line: Line, _execution: Execution) -> str:
    return _ACCOUNT if line.operands else ""


def _passwd(line: Line, _execution: Execution) -> str:
    return _ACCOUNT if line.has("d", "delete", "l", "lock") else ""


def _usermod(line: Line, _execution: Execution) -> str:
    return _ACCOUNT if line.has("L", "lock") else ""


def _dscl(line: Line, _execution: Execution) -> str:
    texts = [text.lstrip("-").lower() for text in line.texts]
    deletes = "delete" in texts
    account = any(text.startswith(("/users/", "/groups/")) for text in texts)
    return _ACCOUNT if deletes and account else ""


def _sysadminctl(line: Line, _execution: Execution) -> str:
    return _ACCOUNT if "-deleteUser" in line.texts else ""


def _net(line: Line, _execution: Execution) -> str:
    texts = [text.lower() for text in line.texts]
    named = texts[:1] and texts[0] in ("user", "localgroup", "group")
    return _ACCOUNT if named and "/delete" in texts else ""


def _crontab(line: Line, _execution: Execution) -> str:
    return "system.crontab-remove" if line.has("r") else ""


def _iptables(line: Line, _execution: Execution) -> str:
    return _FIREWALL if line.has("F", "flush", "X", "delete-chain") else ""


def _nft(line: Line, _execution: Execution) -> str:
    verbs = line.operand_texts()
    if verbs[:1] in (["flush"], ["destroy"]):
        return _FIREWALL
    return _FIREWALL if verbs[:2] in (["delete", "table"], ["delete", "chain"]) else ""


def _ufw(line: Line, _execution: Execution) -> str:
    if line.has("dry-run"):
        return ""
    return _FIREWALL if line.verb() in ("disable", "reset") else ""


def _pfctl(line: Line, _execution: Execution) -> str:
    return _FIREWALL if line.has("F", "d") and not line.has("n") else ""


def _netsh(line: Line, _execution: Execution) -> str:
    texts = [text.lower() for text in line.texts]
    if "advfirewall" not in texts and "firewall" not in texts:
        return ""
    return _FIREWALL if "reset" in texts or "off" in texts or "disable" in texts else ""


_POWER = "system.power"
_KILL = "system.kill-all"
_ACCOUNT = "system.account-delete"
_FIREWALL = "system.firewall-flush"
_PACKAGE = "system.essential-package"

_ESSENTIAL = frozenset(
    (
        "libc6",
        "libc-bin",
        "glibc",
        "musl",
        "bash",
        "dash",
        "sudo",
        "systemd",
        "systemd-sysv",
        "sysvinit-core",
        "openrc",
        "init",
        "coreutils",
        "util-linux",
        "busybox",
        "login",
        "passwd",
        "shadow",
        "mount",
        "dpkg",
        "apt",
        "rpm",
        "dnf",
        "yum",
        "pacman",
        "apk-tools",
        "alpine-base",
        "base",
        "base-files",
        "filesystem",
        "linux",
        "linux-lts",
        "linux-generic",
        "kernel",
        "kernel-core",
        "kernel-default",
        "libpam-modules",
        "pam",
        "e2fsprogs",
        "initramfs-tools",
        "grub-pc",
        "grub2",
    )
)
_KERNELS = ("linux-image", "kernel-core-", "kernel-6", "kernel-5", "grub-efi")
_REMOVING = frozenset(("remove", "purge", "erase", "autoremove", "rm", "del", "uninstall"))
_MANAGERS = frozenset(("apt", "apt-get", "aptitude", "yum", "dnf", "microdnf", "zypper", "apk"))


def _package(line: Line, _execution: Execution) -> str:
    if line.has("dry-run", "simulate", "just-print", "download-only", "assumeno", "print"):
        return ""
    program = line.program
    names = [text.partition(":")[0].partition("=")[0] for text in line.operand_texts()]
    if program in _MANAGERS:
        if "s" in line.options and program in ("apt", "apt-get", "aptitude", "apk"):
            return ""
        removes = names[:1] and names[0] in _REMOVING
        # `apt-get install x-` removes x as well.
        ends = [name[:-1] for name in names[1:] if name.endswith("-")]
        if removes and line.has("allow-remove-essential"):
            return _PACKAGE
        victims = names[1:] if removes else ends
    elif program in ("dpkg", "rpm"):
        removes = line.has("r", "P", "purge", "remove") if program == "dpkg" else line.has("e")
        if removes and any(
            text in ("--force-remove-essential", "--force-all") for text in line.texts
        ):
            return _PACKAGE
        victims = names if removes or line.has("erase") else []
    else:
        victims = names if any(text.startswith("-R") for text in line.texts) else []
    return _PACKAGE if any(_is_essential(name) for name in victims) else ""


def _is_essential(name: str) -> bool:
    return name in _ESSENTIAL or name.startswith(_KERNELS)


_CHECKS: dict[str, Callable[[Line, Execution], str]] = {
    "shutdown": _shutdown,
    "reboot": _reboot,
    "halt": _reboot,
    "poweroff": _reboot,
    "init": _init,
    "telinit": _init,
    "systemctl": _systemctl,
    "loginctl": _systemctl,
    "kill": _kill,
    "pkill": _pkill,
    "set-netfirewallprofile": _firewall_profile,
    "stop-process": _stop_process,
    "taskkill": _taskkill,
    "killall": _killall,
    "killall5": _kills_all,
    "userdel": _account,
    "deluser": _account,
    "groupdel": _account,
    "delgroup": _account,
    "passwd": _passwd,
    "usermod": _usermod,
    "dscl": _dscl,
    "sysadminctl": _sysadminctl,
    "net": _net,
    "crontab": _crontab,
    "iptables": _iptables,
    "ip6tables": _iptables,
    "iptables-legacy": _iptables,
    "iptables-nft": _iptables,
    "ip6tables-legacy": _iptables,
    "ip6tables-nft": _iptables,
    "ebtables": _iptables,
    "arptables": _iptables,
    "nft": _nft,
    "ufw": _ufw,
    "pfctl": _pfctl,
    "netsh": _netsh,
    "apt": _package,
    "apt-get": _package,
    "aptitude": _package,
    "yum": _package,
    "dnf": _package,
    "microdnf": _package,
    "zypper": _package,
    "apk": _package,
    "dpkg": _package,
    "rpm": _package,
    "pacman": _package,
}
