"""Which paths does an execution read, write, delete, look at? One table, by the program's name.

Redirections and assignments count too. A program that no table knows takes the paths among its
words for its own use.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import LOCAL, FileAccess, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.facts import Execution, Redirection, Scope, Word
    from cc_safety_net.guard.world import World

PROGRAMS = {
    ".": "changers", "7z": "archives", "7za": "archives", "7zz": "archives", "[": "viewers",
    "ack": "viewers", "ag": "viewers", "age": "network", "apply_patch": "patched",
    "applypatch": "patched", "ar": "archives", "aria2c": "network", "asar": "archives",
    "autossh": "network", "awk": "viewers", "aws": "network", "b2sum": "viewers",
    "base32": "viewers", "base64": "viewers", "basenc": "viewers", "bat": "viewers",
    "batcat": "viewers", "bfs": "viewers", "bsdtar": "archives", "bunzip2": "archives",
    "bzcat": "viewers", "bzip2": "archives", "cat": "viewers", "chattr": "changers",
    "chflags": "changers", "chgrp": "changers", "chmod": "changers", "chown": "changers",
    "cksum": "viewers", "cmp": "viewers", "code": "viewers", "colordiff": "viewers",
    "column": "viewers", "comm": "viewers", "convert": "writers", "cp": "transfers",
    "cpio": "archives", "croc": "network", "csplit": "writers", "curl": "network",
    "cursor": "viewers", "cut": "viewers", "dd": "viewers", "del": "changers",
    "del-cli": "changers", "delta": "viewers", "diff": "viewers", "diff3": "viewers",
    "difft": "viewers", "ditto": "transfers", "docker": "network", "docker-compose": "network",
    "dos2unix": "changers", "du": "viewers", "ed": "viewers", "egrep": "viewers",
    "emacs": "viewers", "emacsclient": "viewers", "exa": "viewers", "ex": "viewers",
    "expand": "viewers", "eza": "viewers", "fallocate": "changers", "fd": "changers",
    "fdfind": "changers", "ffmpeg": "writers", "ftp": "listed", "lftp": "listed", "pax": "archives",
    "fgrep": "viewers", "file": "viewers", "find": "viewers", "fmt": "viewers", "fold": "viewers",
    "gist": "viewers", "glow": "viewers", "look": "viewers", "mdcat": "viewers",
    "nvimdiff": "viewers", "ptx": "viewers", "pv": "viewers",
    "tsort": "viewers", "vimdiff": "viewers", "fx": "viewers", "gawk": "viewers",
    "gchmod": "changers", "gcp": "transfers",
    "gedit": "viewers", "getfacl": "viewers", "gfind": "viewers", "gh": "network",
    "ginstall": "transfers", "gio": "changers", "git": "git", "gln": "transfers",
    "gmv": "transfers", "gpg": "network", "gpg2": "network", "grep": "viewers", "grm": "changers",
    "gron": "viewers", "gsed": "viewers", "gshred": "changers", "gsutil": "network",
    "gtar": "archives", "gunzip": "archives", "gzcat": "viewers", "gzip": "archives",
    "hd": "viewers", "head": "viewers", "hexdump": "viewers", "hexyl": "viewers", "http": "network",
    "https": "network", "iconv": "viewers", "install": "transfers", "join": "viewers",
    "jq": "viewers", "kate": "viewers", "kubectl": "network", "less": "viewers",
    "link": "transfers", "ll": "viewers", "ln": "transfers", "logrotate": "writers",
    "ls": "viewers", "lsattr": "viewers", "lzma": "archives", "magick": "writers",
    "mail": "viewers", "mapfile": "viewers", "mawk": "viewers", "mc": "listed", "md5": "viewers",
    "md5sum": "viewers", "micro": "viewers", "mkdir": "changers", "mkfifo": "changers",
    "mkfs": "changers", "mknod": "changers", "more": "viewers", "mosh": "network",
    "most": "viewers", "mount": "writers", "mutt": "viewers", "mv": "transfers",
    "mysqldump": "writers", "namei": "viewers", "nano": "viewers", "nawk": "viewers",
    "nc": "network", "nerdctl": "network", "nl": "viewers", "nvim": "viewers", "objcopy": "writers",
    "oc": "network", "od": "viewers", "open": "viewers", "openssl": "network",
    "original-awk": "viewers", "pandoc": "viewers",
    "paste": "viewers", "pastebinit": "network", "patch": "patched", "pathchk": "viewers",
    "pbcopy": "viewers", "pdftotext": "writers", "pg_dump": "writers", "pg_dumpall": "writers",
    "perl": "changers", "pico": "viewers", "pigz": "archives", "pip": "writers", "pip3": "writers",
    "podman": "network", "pr": "viewers", "prettier": "changers", "pt": "viewers",
    "python": "writers", "qrencode": "viewers", "rar": "archives", "rclone": "listed",
    "sfdisk": "writers",
    "readlink": "viewers", "realpath": "viewers", "rename": "transfers", "rev": "viewers",
    "rg": "viewers", "rgrep": "viewers", "rimraf": "changers", "rm": "changers",
    "rmdir": "changers", "rmtrash": "changers", "rsync": "transfers", "ruby": "changers",
    "s3cmd": "network", "scp": "transfers", "script": "writers", "sdelete": "changers",
    "sdiff": "viewers", "sed": "viewers", "setfacl": "changers", "sftp": "listed",
    "sha1sum": "viewers", "sha224sum": "viewers", "sha256sum": "viewers", "sha384sum": "viewers",
    "sha512sum": "viewers", "shasum": "viewers", "shred": "changers",
    "shuf": "viewers", "socat": "writers",
    "sops": "network", "sort": "viewers", "source": "changers", "sox": "writers",
    "split": "viewers", "sponge": "changers", "sqlite3": "viewers", "srm": "changers",
    "ssh": "network", "ssh-add": "network", "ssh-copy-id": "network", "ssh-keygen": "network",
    "ssh-keyscan": "network", "stat": "viewers", "strings": "viewers", "subl": "viewers",
    "sum": "viewers", "tac": "viewers", "tail": "viewers", "tar": "archives", "tcpdump": "writers",
    "tee": "changers", "telnet": "network", "test": "viewers", "touch": "changers", "tr": "viewers",
    "transfer": "network", "trash": "changers", "trash-cli": "changers", "trash-put": "changers",
    "tree": "viewers", "tshark": "writers", "truncate": "changers", "ug": "viewers",
    "ugrep": "viewers", "unexpand": "viewers", "uniq": "viewers", "unix2dos": "changers",
    "unlink": "changers", "unrar": "archives", "unsquashfs": "writers", "unxz": "archives",
    "unzip": "archives", "unzstd": "archives", "uuencode": "viewers", "vi": "viewers",
    "view": "viewers", "vim": "viewers", "wc": "viewers", "wget": "network", "wipe": "changers",
    "wkhtmltopdf": "writers", "wormhole": "network", "xattr": "changers", "xclip": "viewers",
    "xdg-open": "viewers", "xh": "network", "xmllint": "viewers", "xxd": "viewers",
    "xz": "archives", "xzcat": "viewers", "yq": "viewers", "yt-dlp": "writers", "zcat": "viewers",
    "zgrep": "viewers", "zip": "archives", "zless": "viewers", "zstd": "archives",
    "zstdcat": "viewers",
    # Programs of Windows.
    "attrib": "windows", "bitsadmin": "windows", "cacls": "windows", "certutil": "windows",
    "comp": "windows", "fc": "windows", "findstr": "windows", "fsutil": "windows",
    "icacls": "windows", "robocopy": "windows", "takeown": "windows", "xcopy": "windows",
}  # fmt: skip

#: Programs without any file of their own: their words are text.
TEXT_ONLY = frozenset(
    (
        "", ":", "[[", "alias", "basename", "bg", "break", "cal", "cd", "clear", "continue", "date",
        "declare", "dirname", "disown", "echo", "eval", "exit", "export", "expr", "false", "fc",
        "fg", "getopts", "hash", "help", "hostname", "id", "jobs", "kill", "killall", "let",
        "local", "logger", "logout", "mktemp", "notify-send", "pgrep", "pkill", "popd", "printenv",
        "printf", "ps", "pushd", "pwd", "read", "readonly", "return", "say", "seq", "set", "shift",
        "shopt", "sleep", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "uname",
        "unset", "uptime", "wait", "which", "whoami", "yes",
    )
)  # fmt: skip
#: The modules of PROGRAMS that were loaded.
_MODULES: dict[str, Any] = {}
#: Programs that print nothing, so that `>` behind them empties a file.
_SILENT = frozenset(("", ":", "true", "false", "wait", "unset", "cd"))


def effects(execution: Execution, world: World) -> list[FileAccess]:
    """The paths that `execution` touches, in the order of its text as far as it matters."""
    program = execution.program
    found: list[FileAccess] = []
    group = PROGRAMS.get(program)
    if group is None and program and program[-1].isdigit():
        unversioned = program.rstrip("0123456789.-")
        group = PROGRAMS.get(unversioned)
        program = unversioned if group is not None else program
    if group is not None:
        module = _MODULES.get(group)
        if module is None:
            name = "cc_safety_net.guard.interpret.effects." + group
            module = _MODULES[group] = __import__(name, fromlist=("TABLE",))
        from cc_safety_net.guard.interpret.effects.forms import apply

        found += apply(module.TABLE[program], execution, world)
        if group == "viewers" and found and module.names_only(execution):
            for access in found:
                access.names = access.names or access.mode == "read"
    elif program not in TEXT_ONLY and len(execution.argv) > 1:
        from cc_safety_net.guard.interpret.effects.unknown import uses

        found += uses(execution)
    if execution.env:
        _by_assignment(execution, found)
    if execution.redirects:
        found += redirect_accesses(execution.redirects, execution)
    windows = execution.dialect != "posix"
    for access in found:
        if windows or _has_drive(access.path):
            from cc_safety_net.guard.interpret.windows_paths import convert

            convert(access, execution.dialect)
    return found


def _has_drive(word: Word) -> bool:
    """`C:/x` or `C:\\x`, which is a path of Windows in every shell."""
    for choice in word.choices:
        first = choice[0] if choice else ""
        if isinstance(first, str) and first[1:2] == ":" and first[2:3] in ("/", "\\"):
            return first[0].isalpha()
    return False


def _by_assignment(execution: Execution, found: list[FileAccess]) -> None:
    """`KUBECONFIG=~/.kube/config kubectl …`: the program takes the file."""
    from cc_safety_net.guard.interpret.effects.forms import looks_like_path, touch

    for name, word in execution.env.items():
        if name != "PATH" and looks_like_path(word):
            found.append(touch(execution, word, "use", via=name))


def redirect_accesses(
    redirects: Sequence[Redirection],
    execution: Execution | None = None,
    *,
    cwds: Sequence[str | None] = (),
    chain: Sequence[str] = (),
    scope: Scope = LOCAL,
    silent: bool = False,
) -> list[FileAccess]:
    """What redirections open. Without an execution (a compound command, a bare `> f`) the caller
    says where, and with `silent` that nothing can be written into the file."""
    found: list[FileAccess] = []
    shown, names = True, False
    if execution is not None:
        cwds, chain, scope = execution.cwds, execution.chain, execution.scope
        silent = _prints_nothing(execution)
        shown, names = _shows_input(execution)
    for redirect in redirects:
        mode = _mode(redirect, silent)
        if mode == "read" and not shown:
            mode = "use"
        for each in mode.split():
            target = redirect.target
            found.append(
                FileAccess(
                    target,
                    each,
                    redirect.op,
                    cwds,
                    target.start,
                    target.end,
                    execution=execution,
                    chain=chain,
                    scope=scope,
                    names=names and each == "read",
                )
            )
    return found


#: Groups of programs that show, send or convert what they read.
_SHOWING = frozenset(("archives", "viewers"))
_SHOWING_TOO = frozenset(
    (
        "",
        ":",
        "age",
        "curl",
        "exec",
        "gpg",
        "http",
        "https",
        "nc",
        "openssl",
        "pastebinit",
        "perl",
        "ruby",
        "ssh",
        "tee",
        "wget",
    )
)


def _shows_input(execution: Execution) -> tuple[bool, bool]:
    """What is on standard input comes out again; only its names do."""
    program = execution.program
    group = PROGRAMS.get(program, "")
    if group == "viewers":
        from cc_safety_net.guard.interpret.effects.viewers import names_only

        return True, names_only(execution)
    return group in _SHOWING or program in _SHOWING_TOO, False


def _mode(redirect: Redirection, silent: bool) -> str:
    """Mode or modes of one redirection, "" if it opens no file."""
    op = redirect.op
    if op in (">", ">|"):
        return "truncate" if silent and redirect.fd in (None, 1) else "write"
    if op == "&>":
        return "truncate" if silent else "write"
    if op in (">>", "&>>"):
        return "append"
    if op == "<":
        return "read"
    if op == "<>":
        return "read append"
    if op == ">&" and not _is_descriptor(redirect.target):
        return "write"
    return ""


def _is_descriptor(word: Word) -> bool:
    text = literal(word.choices[0]) if word.choices else None
    return text is None or text == "-" or text.rstrip("-").isdigit()


def _prints_nothing(execution: Execution) -> bool:
    """The program's standard output is empty for sure."""
    program = execution.program
    words = [word.text for word in execution.argv[1:]]
    if program in _SILENT:
        return True
    if program == "cat":
        return bool(words) and all(text == "/dev/null" for text in words)
    if program == "echo":
        return words in (["-n"], ["-n", ""], ["-ne", ""])
    if program == "printf":
        return words in ([""], ["%s"], ["%s", ""])
    return False
