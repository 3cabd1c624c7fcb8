"""Texts of the rules about emptying, overwriting and re-permissioning files."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "shred.target",
        reason="Shredding overwrites the content, so that nothing can bring it back.",
        instead="{delete}",
        do_not="overwrite it with dd or truncate instead.",
        intent="use_alternative",
        denied=("shred -u x", "srm -r src", "wipe -f notes.txt"),
        allowed=("shred --help", "shred -u /tmp/x"),
    ),
    Rule(
        "file.truncate",
        reason="This would empty a file that holds something.",
        instead="cp {path} {path}.bak",
        do_not="empty it by another program.",
        intent="use_alternative",
        denied=("> src/app.ts", "truncate -s 0 src/app.ts", "cp /dev/null src/app.ts"),
        allowed=("> app.log", "echo new > src/app.ts", ": > new.txt"),
    ),
    Rule(
        "file.move-to-null",
        reason="What is moved to the null device is gone, or the device is replaced by it.",
        instead="mv {path} {path}.old",
        do_not="copy the null device over it instead.",
        intent="use_alternative",
        denied=("mv src /dev/null", "mv -f x /dev/null"),
        allowed=("mv src old", "cat x > /dev/null"),
    ),
    Rule(
        "file.system-overwrite",
        reason="This file decides who may log in, what is started, or what all programs run.",
        instead="ls -la {path}",
        do_not="use tee, an editor or an interpreter for it.",
        intent="manual_only",
        denied=(
            "echo x > /etc/passwd",
            "echo x | sudo tee -a /etc/sudoers",
            "cp x /usr/bin/env",
        ),
        allowed=("cp a.conf /etc/nginx/conf.d/", "cp x /usr/local/bin/x", "cat /etc/fstab"),
    ),
    Rule(
        "file.permissions-recursive",
        reason="Changed permissions or owners of a whole system or home can't be put back.",
        instead="chmod -R u+w {workspace}",
        do_not="do it in smaller steps, or with find -exec.",
        intent="hard_stop",
        denied=("chmod -R 777 /", "chown -R nobody /", "chmod -R 000 ~", "chmod 666 /etc/passwd"),
        allowed=("chmod -R u+w .", "chmod +x scripts/build.sh", "chown -R dev node_modules"),
    ),
)
