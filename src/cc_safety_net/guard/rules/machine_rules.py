"""Texts of the rules about the running machine."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "system.power",
        reason="It stops or restarts the machine, with all that runs on it.",
        instead="uptime",
        do_not="use another command that stops the machine.",
        intent="manual_only",
        denied=("sudo reboot", "shutdown -h now", "systemctl poweroff", "init 6"),
        allowed=("shutdown -c", "systemctl status nginx"),
    ),
    Rule(
        "system.kill-all",
        reason="It ends every process of the machine or of the person.",
        instead="ps aux",
        do_not="end the processes one after the other by a loop.",
        intent="hard_stop",
        denied=("kill -9 -1", "pkill -u dev", "killall -u dev", "pkill -9 ."),
        allowed=("kill -9 4242", "pkill -u me -f vite", "lsof -ti :3000 | xargs kill -9"),
    ),
    Rule(
        "system.fork-bomb",
        reason="The function starts itself again and again until the machine stands still.",
        instead="",
        do_not="write it in another form or language.",
        intent="hard_stop",
        denied=(":(){ :|:& };:", "f() { f | f & }; f"),
        allowed=("f() { echo a | cat; }; f", "g() { sleep 1 & wait; }; g"),
    ),
    Rule(
        "system.account-delete",
        reason="It deletes or locks an account.",
        instead="id",
        do_not="edit the account files instead.",
        intent="manual_only",
        denied=("userdel -r bob", "sudo passwd -l root", "groupdel staff"),
        allowed=("id bob", "passwd -S bob"),
    ),
    Rule(
        "system.crontab-remove",
        reason="It removes all of the person's scheduled jobs.",
        instead="crontab -l",
        do_not="install an empty file instead.",
        intent="use_alternative",
        denied=("crontab -r", "crontab -u dev -r"),
        allowed=("crontab -l", "crontab -l > jobs.txt"),
    ),
    Rule(
        "system.firewall-flush",
        reason="It takes the rules of the firewall away, or turns it off.",
        instead="ss -ltn",
        do_not="stop its service or delete the rules one by one.",
        intent="manual_only",
        denied=("iptables -F", "nft flush ruleset", "ufw disable"),
        allowed=("iptables -L", "ufw status"),
    ),
    Rule(
        "system.essential-package",
        reason="Without this package the machine does not start or work any more.",
        instead="",
        do_not="force it, and do not delete its files.",
        intent="manual_only",
        denied=("apt-get purge libc6", "sudo apt remove sudo", "dpkg -P --force-all bash"),
        allowed=("apt-get remove tree", "apt-get -s remove bash", "apt-get install bash"),
    ),
)
