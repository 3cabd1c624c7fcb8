"""Which family judges what, in which stage, and where its texts are.

One line per family, in table order: of two findings at the same place the one whose family
stands first here decides. A family's module is loaded when a call first needs it, its texts only
for a finding. Longer than a module should be: it is one table of programs and families, whose
rows are read together.
"""

from __future__ import annotations

from sys import modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.rule import Rule

#: Stages that rules take part in (specification of the guard, section 2: 4 to 7).
STAGES = ("self", "git", "secrets", "commands", "packs")

_PACKAGE = "cc_safety_net.guard.rules."


class Family:
    """What one family looks at.

    name: module of this package with `check_execution`, `check_access`, `check_code`.
    programs: names (`Execution.program`) whose executions it sees; ("*",) for all. "" stands for
    an unknown program. modes: `FileAccess.mode` values that it sees; ("*",) for all. codes:
    `CodeRun.how` values that it sees; ("*",) for all. ids: rule ids, or their beginnings, whose
    texts are in `<name>_rules` (the longest that fits counts). reading: it has
    `check_reading(context)`, called where the text has functions that pipe or background
    themselves (`Reading.forks`).
    level: none of its rules acts below it, so it is not even loaded there.
    """

    __slots__ = ("codes", "ids", "level", "modes", "name", "programs", "reading", "stage")

    def __init__(
        self,
        name: str,
        stage: str,
        *,
        ids: Sequence[str],
        programs: Sequence[str] = (),
        modes: Sequence[str] = (),
        codes: Sequence[str] = (),
        reading: bool = False,
        level: str = "standard",
    ) -> None:
        self.name = name
        self.stage = stage
        self.ids = tuple(ids)
        self.programs = frozenset(programs)
        self.modes = frozenset(modes)
        self.codes = frozenset(codes)
        self.reading = reading
        self.level = level


ALL = ("*",)

#: `git-reset` and the like are the sub-commands as programs of their own.
_GIT_PROGRAMS = (
    "git",
    "git-branch",
    "git-checkout",
    "git-checkout-index",
    "git-cherry-pick",
    "git-clean",
    "git-am",
    "git-config",
    "git-fetch",
    "git-pull",
    "git-clone",
    "git-filter-branch",
    "git-filter-repo",
    "git-gc",
    "git-merge",
    "git-prune",
    "git-push",
    "git-read-tree",
    "git-rebase",
    "git-reflog",
    "git-reset",
    "git-restore",
    "git-revert",
    "git-rm",
    "git-send-pack",
    "git-stash",
    "git-submodule",
    "git-switch",
    "git-symbolic-ref",
    "git-tag",
    "git-update-ref",
    "git-worktree",
    "bfg",
    "java",
)

_DEVICE_PROGRAMS = (
    "dd",
    "gdd",
    "dcfldd",
    "dc3dd",
    "ddrescue",
    "mkfs",
    "mkfs.bfs",
    "mkfs.btrfs",
    "mkfs.cramfs",
    "mkfs.exfat",
    "mkfs.ext2",
    "mkfs.ext3",
    "mkfs.ext4",
    "mkfs.f2fs",
    "mkfs.fat",
    "mkfs.jfs",
    "mkfs.minix",
    "mkfs.msdos",
    "mkfs.nilfs2",
    "mkfs.ntfs",
    "mkfs.reiserfs",
    "mkfs.udf",
    "mkfs.vfat",
    "mkfs.xfs",
    "mke2fs",
    "mkswap",
    "mkdosfs",
    "mkntfs",
    "mkexfatfs",
    "mkreiserfs",
    "newfs",
    "newfs_apfs",
    "newfs_exfat",
    "newfs_hfs",
    "newfs_msdos",
    "wipefs",
    "blkdiscard",
    "sgdisk",
    "hdparm",
    "nvme",
    "badblocks",
    "cryptsetup",
    "parted",
    "fdisk",
    "sfdisk",
    "cfdisk",
    "gdisk",
    "cgdisk",
    "diskutil",
    "diskpart",
    "gpart",
    "zfs",
    "zpool",
    "lvremove",
    "vgremove",
    "pvremove",
    "lvreduce",
    "btrfs",
    "mdadm",
)
_MACHINE_PROGRAMS = (
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "init",
    "telinit",
    "systemctl",
    "loginctl",
    "kill",
    "pkill",
    "set-netfirewallprofile",
    "stop-process",
    "taskkill",
    "killall",
    "killall5",
    "userdel",
    "deluser",
    "groupdel",
    "delgroup",
    "passwd",
    "usermod",
    "dscl",
    "sysadminctl",
    "net",
    "crontab",
    "iptables",
    "ip6tables",
    "iptables-legacy",
    "iptables-nft",
    "ip6tables-legacy",
    "ip6tables-nft",
    "ebtables",
    "arptables",
    "nft",
    "ufw",
    "pfctl",
    "netsh",
    "apt",
    "apt-get",
    "aptitude",
    "yum",
    "dnf",
    "microdnf",
    "zypper",
    "apk",
    "dpkg",
    "rpm",
    "pacman",
)

#: Accesses that change what is there.
_CHANGES = ("delete", "move", "write", "append", "truncate", "permissions", "link")

#: Programs that wait for typed input when they are called bare.
_CONSOLES = (
    "bash",
    "dash",
    "fish",
    "irb",
    "ipython",
    "ksh",
    "lua",
    "mariadb",
    "mongosh",
    "mysql",
    "node",
    "perl",
    "psql",
    "python",
    "python3",
    "redis-cli",
    "ruby",
    "sh",
    "sqlite3",
    "zsh",
)

#: Our own program, the agents', and those by which either is called, removed or ended.
_GUARD_PROGRAMS = (
    "agy",
    "amp",
    "antigravity",
    "bash",
    "brew",
    "bun",
    "cc-safety-net",
    "ccsn",
    "claude",
    "claude-code",
    "codex",
    "conda",
    "copilot",
    "cursor-agent",
    "dash",
    "deno",
    "devin",
    "gemini",
    "gemini-cli",
    "grok",
    "hermes",
    "kill",
    "killall",
    "kimi",
    "kimi-code",
    "mamba",
    "micromamba",
    "node",
    "npm",
    "openclaw",
    "opencode",
    "opencode-ai",
    "pdm",
    "pi",
    "pi-coding-agent",
    "pip",
    "pip3",
    "pip3.11",
    "pip3.12",
    "pip3.13",
    "pip3.14",
    "pipenv",
    "pipx",
    "pixi",
    "pkill",
    "pnpm",
    "poetry",
    "pypy",
    "pypy3",
    "python",
    "python3",
    "python3.10",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
    "rye",
    "sh",
    "uv",
    "yarn",
    "zsh",
)

#: What they do is decided by an option, or by the verb in front (the rule on unknown words).
_STRUCTURED_PROGRAMS = (
    "aws", "az", "chgrp", "chmod", "chown", "dd", "docker", "gcloud", "gh", "git", "grm", "helm",
    "kubectl", "oc", "podman", "pulumi", "rm", "rsync", "shred", "systemctl", "terraform", "tofu",
    "truncate", "zfs",
)  # fmt: skip

#: Interpreters that take code on the command line.
_INTERPRETERS = (
    "Rscript",
    "bun",
    "deno",
    "lua",
    "node",
    "perl",
    "php",
    "python",
    "python2",
    "python3",
    "ruby",
)
#: Tools of services.
_DATABASE_PROGRAMS = (
    "alembic",
    "artisan",
    "clickhouse-client",
    "beeline",
    "bq",
    "cargo",
    "cockroach",
    "console",
    "cqlsh",
    "database-driver",
    "dbmate",
    "diesel",
    "django",
    "django-admin",
    "dotnet",
    "dotnet-ef",
    "drizzle-kit",
    "dropdb",
    "drush",
    "duckdb",
    "etcdctl",
    "flyway",
    "heroku",
    "hive",
    "influx",
    "knex",
    "liquibase",
    "manage.py",
    "mariadb",
    "mix",
    "mongo",
    "mongorestore",
    "mongosh",
    "mycli",
    "mysql",
    "mysqladmin",
    "mysqlsh",
    "pg_restore",
    "pgcli",
    "php",
    "prisma",
    "psql",
    "python",
    "python3",
    "rails",
    "rake",
    "redis-cli",
    "sequelize",
    "sequelize-cli",
    "snowsql",
    "sqlcmd",
    "sqlite",
    "sqlite3",
    "sqlx",
    "supabase",
    "trino",
    "typeorm",
    "usql",
    "valkey-cli",
    "wp",
    "wrangler",
)
_CONTAINER_PROGRAMS = (
    "colima",
    "docker",
    "docker-compose",
    "limactl",
    "multipass",
    "nerdctl",
    "podman",
    "podman-compose",
    "vagrant",
    "virsh",
)
_CLUSTER_PROGRAMS = (
    "argocd",
    "flux",
    "helm",
    "helmfile",
    "k",
    "kubecolor",
    "kubectl",
    "microk8s.kubectl",
    "oc",
    "velero",
)
_STACK_PROGRAMS = (
    "cdk",
    "cdktf",
    "pulumi",
    "sam",
    "serverless",
    "sls",
    "sst",
    "terraform",
    "terragrunt",
    "tofu",
)
_CLOUD_PROGRAMS = (
    "aws",
    "az",
    "bq",
    "doctl",
    "firebase",
    "fly",
    "flyctl",
    "gcloud",
    "gsutil",
    "hcloud",
    "heroku",
    "linode-cli",
    "mc",
    "netlify",
    "oci",
    "railway",
    "rclone",
    "s3cmd",
    "supabase",
    "vercel",
    "wrangler",
)
_HTTP_PROGRAMS = (
    "curl",
    "http",
    "https",
    "wget",
    "xh",
    "xhs",
)
_FORGE_PROGRAMS = (
    "bun",
    "cargo",
    "flit",
    "gem",
    "gh",
    "glab",
    "hatch",
    "lerna",
    "npm",
    "pnpm",
    "poetry",
    "twine",
    "uv",
    "vsce",
    "yarn",
)
#: Programs that print secrets: their own, or those of the environment.
_SECRET_PROGRAMS = (
    "awk", "aws", "az", "bao", "base64", "bun", "bw", "cat", "chamber", "declare", "deno",
    "doppler", "echo", "env", "export", "fly", "flyctl", "gawk", "gcloud", "genv", "gh", "git",
    "git-credential-cache", "git-credential-libsecret", "git-credential-manager",
    "git-credential-osxkeychain", "git-credential-store", "glab", "gopass", "gpg", "gpg2", "head",
    "heroku", "hexdump", "hf", "infisical", "jq", "k", "keepassxc-cli", "keyring", "kubectl",
    "kwallet-query", "lpass", "lua", "mawk", "nawk", "netsh", "node", "npm", "oc", "od", "op",
    "openssl", "pass", "perl", "php", "pnpm", "print", "printenv", "printf", "python", "python2",
    "python3", "rbw", "readonly", "rev", "Rscript", "ruby", "say", "secret-tool", "security", "set",
    "tac", "tail", "typeset", "vault", "xxd", "yarn",
)  # fmt: skip

_WINDOWS_CMDLETS = (
    "clear-disk",
    "clear-storagebusdisk",
    "disable-computerrestore",
    "disable-localuser",
    "format-volume",
    "initialize-disk",
    "remove-aduser",
    "remove-computer",
    "remove-item",
    "remove-localgroup",
    "remove-localuser",
    "remove-partition",
    "remove-physicaldisk",
    "remove-storagepool",
    "remove-virtualdisk",
    "remove-volume",
    "reset-physicaldisk",
    "restart-computer",
    "set-disk",
    "stop-computer",
)
_WINDOWS_PROGRAMS = (
    "bcdedit",
    "bootrec",
    "cipher",
    "diskpart",
    "diskshadow",
    "format",
    "fsutil",
    "manage-bde",
    "reagentc",
    "reg",
    "vssadmin",
    "wbadmin",
    "wmic",
)

FAMILIES: tuple[Family, ...] = (
    Family("guard", "", ids=("guard.",)),
    # The guard itself.
    Family(
        "self_protection.paths",
        "self",
        ids=(
            "self.policy",
            "self.state",
            "self.audit-log",
            "self.runtime",
            "self.project-policy",
            "self.hook-file",
        ),
        programs=("mkdir", "mount", "script", "sqlite3", "ssh-keygen", "touch"),
        modes=_CHANGES,
        codes=("inline",),
    ),
    Family(
        "self_protection.commands",
        "self",
        ids=(
            "self.command",
            "self.agent-plugin",
            "self.agent-hooks-off",
            "self.package",
            "self.process",
        ),
        programs=_GUARD_PROGRAMS,
    ),
    Family(
        "git_metadata",
        "git",
        ids=("rm.git-metadata", "rm.nested-repository", "git.metadata-write", "git.hooks-write"),
        modes=_CHANGES,
    ),
    Family(
        "secrets",
        "secrets",
        ids=("secret.",),
        programs=_SECRET_PROGRAMS,
        modes=ALL,
        codes=("inline",),
    ),
    # Deletion and files.
    Family(
        "deletion",
        "commands",
        ids=("rm.", "xargs.rm-", "parallel.rm-"),
        modes=("delete", "move"),
    ),
    Family(
        "find",
        "commands",
        ids=("find.",),
        programs=("find", "gfind", "bfs"),
        modes=("delete", "move"),
    ),
    Family("rsync", "commands", ids=("rsync.",), programs=("rsync", "rclone", "robocopy")),
    Family("files", "commands", ids=("file.", "shred."), modes=_CHANGES),
    Family("remote", "commands", ids=("remote.",), modes=("delete",)),
    # Windows shells; what they delete is found by the families above.
    Family(
        "powershell",
        "commands",
        ids=("powershell.",),
        programs=_WINDOWS_CMDLETS,
        codes=("encoded", "eval", "shell-string"),
    ),
    Family("cmd", "commands", ids=("cmd.",), programs=_WINDOWS_PROGRAMS),
    # Devices and the machine.
    Family(
        "devices",
        "commands",
        ids=("dd.", "device.", "mkfs.", "storage."),
        programs=_DEVICE_PROGRAMS,
        modes=("write", "append", "truncate"),
    ),
    Family("machine", "commands", ids=("system.",), programs=_MACHINE_PROGRAMS, reading=True),
    # Git: `git` finds; the others hold the texts, a module per subject.
    Family("git", "commands", ids=(), programs=_GIT_PROGRAMS),
    Family(
        "git.discard",
        "",
        ids=(
            "git.reset-",
            "git.restore-",
            "git.clean-",
            "git.rm-",
            "git.checkout-index-",
            "git.read-tree-",
        ),
    ),
    Family("git.checkout", "", ids=("git.checkout-", "git.switch-")),
    Family(
        "git.branches",
        "",
        ids=(
            "git.branch-",
            "git.ref-force",
            "git.tag-",
            "git.worktree-",
            "git.submodule-",
            "git.update-ref-",
        ),
    ),
    Family("git.push", "", ids=("git.push-",)),
    Family(
        "git.history",
        "",
        ids=(
            "git.stash-",
            "git.reflog-",
            "git.gc-",
            "git.history-",
            "git.rebase-",
            "git.merge-",
            "git.sequence-",
        ),
    ),
    Family(
        "git.config",
        "",
        ids=("git.hooks-path", "git.alias-", "git.config-command", "git.ssh-env"),
    ),
    Family(
        "shell_code",
        "commands",
        ids=("shell.", "raw-text.", "xargs.", "parallel.", "interpreter.", "awk.", "script."),
        programs=("", "xargs", "parallel", "mshta", "regsvr32"),
        codes=ALL,
    ),
    Family(
        "shell_wrapper", "commands", ids=("shell.unknown-wrapper",), programs=ALL, level="strict"
    ),
    Family(
        "shell_structure",
        "commands",
        ids=("shell.dynamic-structure",),
        programs=_STRUCTURED_PROGRAMS,
        level="strict",
    ),
    Family("shell_interactive", "commands", ids=("shell.interactive",), programs=_CONSOLES),
    Family(
        "one_liner",
        "commands",
        ids=("interpreter.one-liner-paranoid",),
        programs=_INTERPRETERS,
        level="paranoid",
    ),
    # Packs: services that people can switch off as a whole.
    Family("packs.database", "packs", ids=("database.",), programs=_DATABASE_PROGRAMS),
    Family("packs.docker", "packs", ids=("docker.",), programs=_CONTAINER_PROGRAMS),
    Family("packs.kubernetes", "packs", ids=("kubernetes.",), programs=_CLUSTER_PROGRAMS),
    Family("packs.terraform", "packs", ids=("terraform.",), programs=_STACK_PROGRAMS),
    Family("packs.cloud", "packs", ids=("cloud.",), programs=_CLOUD_PROGRAMS),
    Family(
        "packs.http", "packs", ids=("cloud.http-delete",), programs=_HTTP_PROGRAMS, level="strict"
    ),
    Family("packs.publish", "packs", ids=("publish.",), programs=_FORGE_PROGRAMS),
)


def find(stage: str, context: Context) -> list[Finding]:
    """All findings of a stage: the earliest place in the text first, then table order."""
    reading = context.reading
    programs = frozenset([execution.program for execution in reading.executions])
    versioned = [name for name in programs if name[-1:].isdigit()]
    if versioned:
        programs = programs.union(map(_unversioned, versioned))
    modes = frozenset([access.mode for access in reading.accesses])
    codes = frozenset([code.how for code in reading.codes])
    found: list[Finding] = []
    for family in FAMILIES:
        if family.stage != stage or not _acts(family, context):
            continue
        if _concerns(family.programs, programs):
            _run(family, "check_execution", reading.executions, "program", context, found)
        if _concerns(family.modes, modes):
            _run(family, "check_access", reading.accesses, "mode", context, found)
        if _concerns(family.codes, codes):
            _run(family, "check_code", reading.codes, "how", context, found)
        if family.reading and reading.forks:
            found.extend(load(family.name).check_reading(context))
    found.sort(key=_place)
    return found


def rule(rule_id: str) -> Rule:
    """The rule with this id; KeyError if no family knows it."""
    for candidate in load(texts_of(rule_id)).RULES:
        if candidate.id == rule_id:
            return candidate  # type: ignore[no-any-return] # modules are loaded by name
    raise KeyError(rule_id)


def texts_of(rule_id: str) -> str:
    """Name of the module that holds the texts of a rule; KeyError if no family knows it."""
    best = ""
    name = ""
    for family in FAMILIES:
        for start in family.ids:
            if len(start) > len(best) and rule_id.startswith(start):
                best = start
                name = family.name
    if not name:
        raise KeyError(rule_id)
    return name + "_rules"


def load(name: str) -> Any:
    """A module of this package, imported at its first use."""
    full = _PACKAGE + name
    module = modules.get(full)
    if module is None:
        __import__(full)
        module = modules[full]
    return module


def _acts(family: Family, context: Context) -> bool:
    if family.level == "standard":
        return True
    return context.policy is not None and context.policy.acts(family.ids[0], family.level)


def _concerns(wanted: frozenset[str], present: frozenset[str]) -> bool:
    if not wanted or not present:
        return False
    return "*" in wanted or not wanted.isdisjoint(present)


def _run(
    family: Family,
    function: str,
    facts: Iterable[Any],
    attribute: str,
    context: Context,
    found: list[Finding],
) -> None:
    wanted = {"program": family.programs, "mode": family.modes, "how": family.codes}[attribute]
    everything = "*" in wanted
    check: Callable[[Any, Context], Iterable[Finding]] = getattr(load(family.name), function)
    for fact in facts:
        name = getattr(fact, attribute)
        if everything or name in wanted or (name[-1:].isdigit() and _unversioned(name) in wanted):
            context.effort.spend(1, f"the rules of {family.name}")
            found.extend(check(fact, context))


def _unversioned(program: str) -> str:
    """`python3.9` is python, `php8.2` is php."""
    return program.rstrip("0123456789.")


def _place(finding: Finding) -> int:
    return finding.start
