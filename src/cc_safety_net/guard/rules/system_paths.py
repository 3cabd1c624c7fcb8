"""Well-known places of operating systems: their directories, account files, temp roots, caches."""

from __future__ import annotations

#: First components of a path that belong to the system.
SYSTEM_TOPS = frozenset(
    (
        "bin",
        "boot",
        "dev",
        "etc",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "opt",
        "proc",
        "root",
        "run",
        "sbin",
        "srv",
        "sys",
        "usr",
        "var",
        "System",
        "Library",
        "Applications",
        "Windows",
        "Program Files",
        "Program Files (x86)",
        "ProgramData",
    )
)
#: What lies below these of `/private` is the system's too (macOS).
PRIVATE_TOPS = frozenset(("etc", "var", "tmp"))
#: System directories on the second level, for an unknown in front that may be empty.
SYSTEM_DIRECTORIES = frozenset(
    (
        "/usr/bin",
        "/usr/sbin",
        "/usr/lib",
        "/usr/lib32",
        "/usr/lib64",
        "/usr/libexec",
        "/usr/local",
        "/usr/share",
        "/usr/include",
        "/usr/src",
        "/var/lib",
        "/var/log",
        "/var/spool",
        "/var/www",
        "/var/db",
        "/etc/ssl",
        "/etc/ssh",
        "/etc/systemd",
        "/etc/pam.d",
        "/System/Library",
    )
)
#: Folders that hold the homes of people.
HOME_PARENTS = ("/home", "/Users", "/export/home", "/var/home")
#: Entries of HOME_PARENTS that are no home.
NO_HOMES = frozenset(("/Users/Shared", "/home/lost+found", "/home/linuxbrew"))

TEMP_ROOTS = (
    "/tmp",  # noqa: S108 - names to compare with, nothing is made there
    "/var/tmp",  # noqa: S108
    "/dev/shm",  # noqa: S108 - a name to compare with, nothing is made there
    "/private/tmp",
    "/private/var/tmp",
)
#: Caches that a program makes anew, relative to the home.
HOME_CACHES = (
    ".cache",
    "Library/Caches",
    "Library/Developer/Xcode/DerivedData",
    ".npm",
    ".pnpm-store",
    ".local/share/pnpm/store",
    "Library/pnpm/store",
    ".yarn/berry/cache",
    ".yarn/cache",
    ".yarn-cache",
    ".bun/install/cache",
    ".cargo/registry",
    ".cargo/git",
    "go/pkg/mod",
    ".m2/repository",
    ".gradle/caches",
    ".nuget/packages",
    ".pub-cache",
    ".composer/cache",
    ".local/share/NuGet",
    "AppData/Local/Temp",
    "AppData/Local/npm-cache",
    "AppData/Local/pip/cache",
    "AppData/Local/pnpm/store",
    "AppData/Local/Yarn/Cache",
    "AppData/Local/NuGet/v3-cache",
    "AppData/Local/go-build",
    "AppData/Local/uv/cache",
)
SYSTEM_CACHES = ("/var/cache", "/var/lib/apt/lists")

#: Directories that a build or a package manager makes anew, wherever they lie.
REBUILDABLE = frozenset(
    (
        "node_modules",
        "bower_components",
        "__pycache__",
        ".pytest_cache",
        ".mypy_cache",
        ".ruff_cache",
        ".tox",
        ".nox",
        ".next",
        ".nuxt",
        ".svelte-kit",
        ".turbo",
        ".parcel-cache",
    )
)
#: A directory that holds one of these is rebuildable.
REBUILDABLE_MARKS = ("CACHEDIR.TAG", "pyvenv.cfg")
#: Directories named like output or dependencies: clones that lie in them were fetched.
OUTPUT_NAMES = frozenset(
    (
        "build",
        ".build",
        "dist",
        "out",
        "target",
        "deps",
        "_deps",
        "vendor",
        "node_modules",
        ".venv",
        "venv",
        ".terraform",
        "Pods",
    )
)

#: Files that decide who may log in, what may become root, and what is mounted at the start.
ACCOUNT_FILES = frozenset(
    (
        "/etc/passwd",
        "/etc/passwd-",
        "/etc/shadow",
        "/etc/shadow-",
        "/etc/group",
        "/etc/group-",
        "/etc/gshadow",
        "/etc/gshadow-",
        "/etc/subuid",
        "/etc/subgid",
        "/etc/master.passwd",
        "/etc/spwd.db",
        "/etc/pwd.db",
        "/etc/sudoers",
        "/etc/doas.conf",
    )
)
ESSENTIAL_FILES = frozenset(
    (
        "/etc/fstab",
        "/etc/crypttab",
        "/etc/pam.conf",
        "/etc/ld.so.preload",
        "/etc/ld.so.conf",
        "/etc/ld.so.cache",
        "/etc/default/grub",
        "/etc/inittab",
        "/etc/lilo.conf",
        "/proc/sysrq-trigger",
        "/proc/sys/kernel/sysrq",
    )
)
#: Directories whose content is as essential as the files above.
ESSENTIAL_DIRECTORIES = (
    "/boot",
    "/etc/sudoers.d",
    "/etc/pam.d",
    "/etc/ld.so.conf.d",
    "/etc/grub.d",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/System",
    "/efi",
)
#: Places below ESSENTIAL_DIRECTORIES where people put their own.
NO_ESSENTIAL = ("/usr/lib/systemd/user", "/lib/systemd/user", "/usr/lib/node_modules")
