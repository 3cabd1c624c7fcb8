"""Which other commands does an execution start? One table, found by the program's name.

The name decides by its basename, so `/usr/bin/env` and `./env` are env. The tables lie in modules
by group so that an everyday call loads none or one of them.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.interpret.wrappers.inner import Inner
    from cc_safety_net.guard.world import World

PROGRAMS = {
    "bb": "consoles", "clj": "consoles", "clojure": "consoles", "crystal": "consoles",
    "dc": "consoles", "ghci": "consoles", "gnuplot": "consoles", "guile": "consoles",
    "maxima": "consoles", "ocaml": "consoles", "octave": "consoles", "perl6": "consoles",
    "racket": "consoles", "raku": "consoles", "rdmd": "consoles", "sbcl": "consoles",
    "scala-cli": "consoles", "swift": "consoles",
    "accelerate": "file_runners", "ava": "file_runners", "celery": "file_runners",
    "eslint": "file_runners", "flask": "file_runners", "forever": "file_runners",
    "grunt": "file_runners", "gulp": "file_runners", "gunicorn": "file_runners",
    "hypercorn": "file_runners", "jasmine": "file_runners", "jest": "file_runners",
    "kernprof": "file_runners", "mocha": "file_runners", "mpiexec": "file_runners",
    "mpirun": "file_runners", "phpunit": "file_runners", "pip": "file_runners",
    "playwright": "file_runners", "pm2": "file_runners", "prove": "file_runners",
    "py-spy": "file_runners", "pytest": "file_runners", "rackup": "file_runners",
    "rollup": "file_runners", "rspec": "file_runners", "streamlit": "file_runners",
    "tap": "file_runners", "torchrun": "file_runners", "uvicorn": "file_runners",
    "vite": "file_runners", "vitest": "file_runners", "watchmedo": "file_runners",
    "webpack": "file_runners",
    "fab": "project_runners", "go-task": "project_runners", "inv": "project_runners",
    "invoke": "project_runners", "lerna": "project_runners", "nox": "project_runners",
    "nr": "project_runners", "nx": "project_runners", "poe": "project_runners",
    "rake": "project_runners", "rushx": "project_runners", "task": "project_runners",
    "tox": "project_runners", "turbo": "project_runners", "vlt": "project_runners",
    "wsrun": "project_runners",
    "babel-node": "consoles", "esbuild-runner": "consoles", "esr": "consoles", "evim": "consoles",
    "gview": "consoles", "gvimdiff": "consoles", "java": "consoles", "jiti": "consoles",
    "nvimdiff": "consoles",
    "qjs": "consoles", "rview": "consoles", "rvim": "consoles", "sucrase-node": "consoles",
    "swc-node": "consoles", "vimdiff": "consoles", "vite-node": "consoles", "zx": "consoles",
    "-": "prefixes", ".": "shells", "R": "consoles", "Rscript": "consoles", "adb": "remote",
    "alacritty": "carriers", "ansible": "carriers", "arch": "prefixes", "artisan": "consoles",
    "asdf": "runners", "ash": "shells", "at": "shells", "autossh": "remote", "awk": "consoles",
    "aws": "remote", "aws-vault": "runners", "az": "remote", "bash": "shells", "batch": "shells",
    "bfs": "searches", "bmake": "script_runners", "bsdtar": "carriers", "builtin": "prefixes",
    "bun": "script_runners", "bundle": "runners", "bundler": "runners", "bunx": "runners",
    "busybox": "prefixes", "bwrap": "prefixes", "caffeinate": "prefixes", "catchsegv": "prefixes",
    "cgexec": "prefixes", "chamber": "runners", "chpst": "prefixes", "chronic": "prefixes",
    "chroot": "prefixes", "chrt": "prefixes", "clickhouse-client": "consoles", "cmd": "shells",
    "cockroach": "consoles", "colima": "remote", "command": "prefixes",
    "composer": "script_runners",
    "concurrently": "script_runners", "conda": "runners", "coproc": "prefixes",
    "corepack": "runners", "coverage": "consoles",
    "cpio": "carriers", "cpulimit": "prefixes", "crontab": "shells", "csh": "shells",
    "dash": "shells",
    "dbus-launch": "prefixes", "dbus-run-session": "prefixes", "deno": "script_runners",
    "devcontainer": "remote", "devpod": "remote", "direnv": "runners", "distrobox": "remote",
    "distrobox-enter": "remote", "doas": "prefixes", "docker": "remote",
    "docker-compose": "remote", "doppler": "runners", "dotenv": "runners", "dotenvx": "runners",
    "dtruss": "prefixes", "duckdb": "consoles", "dumb-init": "prefixes", "eatmydata": "prefixes",
    "ed": "consoles", "elixir": "consoles", "elvish": "shells", "emacs": "consoles",
    "emacsclient": "consoles", "entr": "prefixes", "env": "prefixes",
    "env_parallel": "parallel", "envdir": "prefixes",
    "envuidgid": "prefixes", "erl": "consoles", "eval": "shells", "ex": "consoles",
    "exec": "prefixes", "expect": "shells", "fakechroot": "prefixes", "fakeroot": "prefixes",
    "faketime": "prefixes", "fd": "searches", "fdfind": "searches", "find": "searches",
    "firejail": "prefixes", "fish": "shells", "flock": "prefixes", "fly": "remote",
    "flyctl": "remote", "fnm": "runners", "ftp": "consoles", "fzf": "carriers",
    "gawk": "consoles", "gcloud": "remote", "gdb": "consoles", "gfind": "searches",
    "ghc": "consoles", "git": "git", "git-": "git", "gmake": "script_runners",
    "gnome-terminal": "carriers", "go": "consoles", "gosu": "prefixes", "groovy": "consoles",
    "gsed": "consoles", "gtar": "carriers", "gtime": "prefixes", "gtimeout": "prefixes",
    "guix": "runners", "gvim": "consoles", "gxargs": "item_lists", "hatch": "project_runners",
    "heroku": "remote", "hyperfine": "prefixes", "iex": "consoles", "ifne": "prefixes",
    "incus": "remote", "infisical": "runners", "ionice": "prefixes", "ipython": "consoles",
    "irb": "consoles", "jruby": "consoles", "jshell": "consoles", "julia": "consoles",
    "just": "script_runners", "k0s": "prefixes", "k3s": "prefixes", "lvm": "prefixes",
    "microk8s": "prefixes", "sail": "remote", "kak": "consoles", "kitty": "carriers",
    "konsole": "carriers", "ksh": "shells", "ksh93": "shells", "kubectl": "remote",
    "less": "carriers",
    "lftp": "consoles", "lima": "remote", "limactl": "remote", "linux32": "prefixes",
    "linux64": "prefixes", "lldb": "consoles", "logrotate": "carriers", "ltrace": "prefixes",
    "lua": "consoles", "luajit": "consoles", "lxc": "remote", "lxc-attach": "remote",
    "machinectl": "remote", "make": "script_runners", "mamba": "runners", "man": "carriers",
    "mariadb": "consoles", "mawk": "consoles", "micromamba": "runners", "mise": "project_runners",
    "mksh": "shells", "mongo": "consoles", "mongosh": "consoles", "mosh": "remote",
    "multipass": "remote", "mutt": "carriers", "mycli": "consoles", "mysql": "consoles",
    "nawk": "consoles", "nc": "carriers", "ncat": "carriers", "nerdctl": "remote",
    "nice": "prefixes", "nix": "runners", "nix-shell": "runners", "nocorrect": "prefixes",
    "node": "consoles", "nodejs": "consoles", "nodemon": "runners", "nodenv": "runners",
    "noglob": "prefixes", "nohup": "prefixes", "npm": "script_runners",
    "npm-run-all": "script_runners", "npx": "runners",
    "nsenter": "prefixes", "nu": "shells", "numactl": "prefixes", "nvim": "consoles",
    "nvm": "runners", "oc": "remote", "oil": "shells", "op": "runners", "orb": "remote",
    "original-awk": "consoles", "osascript": "shells", "osh": "shells", "parallel": "parallel",
    "pdm": "project_runners", "perf": "prefixes", "perl": "consoles", "pgcli": "consoles",
    "php": "consoles", "pipenv": "runners", "pipx": "runners", "pixi": "project_runners",
    "pkexec": "prefixes", "pnpm": "script_runners", "pnpx": "runners", "podman": "remote",
    "podman-compose": "remote", "poetry": "runners", "powershell": "shells",
    "prlimit": "prefixes", "proot": "prefixes", "proxychains": "prefixes",
    "proxychains4": "prefixes", "psql": "consoles", "pssh": "carriers", "pwsh": "shells",
    "py": "consoles", "pyenv": "runners", "pypy": "consoles", "python": "consoles",
    "rails": "consoles",
    "railway": "remote", "rbash": "shells", "rbenv": "runners", "redis-cli": "consoles",
    "repeat": "prefixes",
    "rg": "carriers", "rlwrap": "prefixes", "rscript": "consoles", "rsh": "remote",
    "rsync": "carriers", "rtx": "runners", "ruby": "consoles",
    "run-p": "script_runners", "run-s": "script_runners", "runcon": "prefixes",
    "runuser": "prefixes", "rye": "project_runners", "s6-setuidgid": "prefixes",
    "sandbox-exec": "prefixes", "scala": "consoles", "schedtool": "prefixes", "scp": "carriers",
    "screen": "carriers", "script": "shells", "sed": "consoles", "sem": "parallel",
    "setarch": "prefixes",
    "setlock": "prefixes", "setpriv": "prefixes", "setsid": "prefixes", "setuidgid": "prefixes",
    "sftp": "consoles", "sg": "prefixes", "sh": "shells", "slogin": "remote", "socat": "carriers",
    "softlimit": "prefixes", "sort": "carriers", "source": "shells", "split": "carriers",
    "sqlcmd": "consoles", "sqlite": "consoles", "sqlite3": "consoles", "ssh": "remote",
    "ssh-agent": "prefixes", "sshpass": "remote", "start-stop-daemon": "prefixes",
    "stdbuf": "prefixes", "strace": "prefixes", "su": "prefixes", "su-exec": "prefixes",
    "sudo": "prefixes", "systemd-inhibit": "prefixes", "systemd-run": "prefixes",
    "tar": "carriers", "taskset": "prefixes", "tclsh": "consoles", "tcsh": "shells",
    "time": "prefixes", "timeout": "prefixes", "tini": "prefixes", "tmux": "carriers",
    "toolbox": "remote", "torify": "prefixes", "torsocks": "prefixes", "toybox": "prefixes",
    "trap": "shells", "trickle": "prefixes", "ts-node": "consoles", "tsx": "consoles",
    "unbuffer": "prefixes", "unshare": "prefixes", "usql": "consoles", "uv": "runners",
    "uvx": "runners", "vagrant": "remote", "valgrind": "prefixes", "valkey-cli": "consoles",
    "vi": "consoles", "view": "consoles", "vim": "consoles", "volta": "runners",
    "watch": "prefixes", "watchexec": "runners", "winpty": "prefixes", "wish": "consoles",
    "with-contenv": "prefixes", "wsl": "remote", "xargs": "item_lists", "xonsh": "shells",
    "xterm": "carriers", "xvfb-run": "prefixes", "yarn": "script_runners",
    "yarnpkg": "script_runners",
    "yash": "shells", "ysh": "shells", "zargs": "item_lists", "zellij": "carriers",
    "zip": "carriers", "zsh": "shells",
    # Programs of Windows.
    "forfiles": "windows", "psexec": "windows", "psexec64": "windows", "runas": "windows",
    "schtasks": "windows", "wmic": "windows",
}  # fmt: skip

#: Variables whose value is a command for a shell.
COMMAND_VARIABLES = frozenset(
    (
        "EDITOR",
        "GIT_ASKPASS",
        "GIT_EDITOR",
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "GIT_SEQUENCE_EDITOR",
        "GIT_SSH_COMMAND",
        "LESSOPEN",
        "MANPAGER",
        "PAGER",
        "PROMPT_COMMAND",
        "RSYNC_RSH",
        "SUDO_ASKPASS",
        "SUDO_EDITOR",
        "SYSTEMD_EDITOR",
        "SYSTEMD_PAGER",
        "VISUAL",
    )
)
#: Variables whose value is a file that a shell runs first, and the shells that do.
STARTUP_VARIABLES = {
    "BASH_ENV": ("bash", "sh"),
    "ENV": ("sh", "dash", "ash", "ksh", "mksh", "bash"),
}
#: Variables whose value these shells expand, commands in it too.
_EXPANDED = frozenset(("BASH_ENV", "ENV", "PS0", "PS1", "PS2", "PS4"))
_SHELLS = frozenset(("bash", "sh", "dash", "ash", "ksh", "mksh", "zsh"))
#: Programs that node runs.
_NODE_PROGRAMS = frozenset(
    (
        "eslint", "jest", "mocha", "next", "node", "nodejs", "npm", "npx", "pnpm", "ts-node",
        "tsc", "tsx", "vite", "vitest", "webpack", "yarn",
    )
)  # fmt: skip
#: Kinds of files that run by their extension.
_KINDS = {".bat": "cmd", ".cmd": "cmd", ".ps1": "powershell"}
#: The modules of PROGRAMS that were loaded.
_MODULES: dict[str, Any] = {}
#: Folders of a search path that are looked at.
_FOLDERS = 4
#: Programs that lie here are the system's: they are not read.
_SYSTEM = ("/bin/", "/sbin/", "/usr/", "/opt/", "/nix/", "/snap/", "/Library/", "/System/")


def unwrap(
    execution: Execution, world: World, transparent: Collection[str] = ()
) -> Sequence[Inner]:
    """The commands that `execution` starts. `transparent`: wrappers that the policy declares."""
    program = execution.program
    found: list[Inner] = []
    if execution.env:
        _from_environment(execution, found)
    group, entry = entry_of(execution)
    if callable(entry):
        found += entry(execution, world)
    elif entry is not None:
        from cc_safety_net.guard.interpret.wrappers.forms import apply

        found += apply(entry, execution.argv, 1, program, execution, world)
    elif program in transparent:
        from cc_safety_net.guard.interpret.wrappers.forms import apply

        found += apply(("", "tail assign"), execution.argv, 1, program, execution, world)
    if len(execution.argv[0].choices) == 1 or not group:
        _as_file(execution, world, found)
    if "PATH" in execution.env:
        _on_path(execution, found)
    if execution.scope.kind != "local" and found:
        return _on_this_machine(execution, found)
    return found


def entry_of(execution: Execution) -> tuple[str, Entry | None]:
    """The group and the entry of the execution's program; ("", None) if it is no wrapper.

    `python3.11` is python; `git-reset` is git.
    """
    program = execution.program
    group = PROGRAMS.get(program)
    if group is None and program:
        if program[-1].isdigit():
            program = program.rstrip("0123456789.").rstrip("-")
            group = PROGRAMS.get(program)
        elif program.startswith("git-"):
            program = "git-"
            group = "git"
    if group is None:
        return "", None
    module = _MODULES.get(group)
    if module is None:
        name = "cc_safety_net.guard.interpret.wrappers." + group
        module = _MODULES[group] = __import__(name, fromlist=("TABLE",))
    entry: Entry = module.TABLE[program]
    return group, entry


def _on_this_machine(execution: Execution, found: list[Inner]) -> list[Inner]:
    """Elsewhere only files below a mount are ours to be read."""
    from cc_safety_net.guard.interpret.facts import known
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

    kept: list[Inner] = []
    for inner in found:
        if isinstance(inner, InnerFile):
            path = mounted_path(execution, inner.path.text)
            if not path:
                continue
            inner.path = known(path, inner.path.start, inner.path.end)
        kept.append(inner)
    return kept


def mounted_path(execution: Execution, path: str | None) -> str:
    """The path of this machine that a path in a box leads to; "" if it leads to none."""
    from cc_safety_net.guard.paths import is_inside, join, normalise

    cwd = execution.cwds[0] if execution.cwds else None
    if path is None or (not path.startswith("/") and cwd is None):
        return ""
    whole = normalise(join(cwd or "/", path))
    best, place = "", ""
    for inside, host in execution.scope.mounts:
        root = normalise(inside)
        if is_inside(whole, root) and len(root) > len(best):
            best, place = root, host
    if not place:
        return ""
    return normalise(place + "/" + whole[len(best.rstrip("/")) :])


def _as_file(execution: Execution, world: World, found: list[Inner]) -> None:
    """A program named by a path is a file that is run, unless it is an installed tool."""
    word = execution.argv[0]
    for choice in word.choices:
        path = literal(choice)
        if path is not None and execution.dialect != "posix":
            from cc_safety_net.guard.interpret.windows_paths import posix_pieces

            path = literal(posix_pieces(choice))
        if path is None and _is_found(choice):
            from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

            file = Word((choice,), word.start, word.end)
            found.append(InnerFile("script", "executable", file, positionals=execution.argv[1:]))
            continue
        if path is None or "/" not in path or path.endswith("/"):
            continue
        if _is_installed(path, execution, world):
            continue
        from cc_safety_net.guard.interpret.facts import known
        from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

        inner = InnerFile(
            f"script {path}",
            _KINDS.get(path[-4:].lower(), "executable"),
            known(path, word.start, word.end),
            positionals=execution.argv[1:],
        )
        found.append(inner)


def _is_found(choice: Pieces) -> bool:
    """A program that a search has found (`find . -name x -exec {} ;`)."""
    return any(isinstance(piece, Unknown) and piece.why == "find" for piece in choice)


def _on_path(execution: Execution, found: list[Inner]) -> None:
    """A program by its name alone, where the text itself puts folders on the search path."""
    name = execution.argv[0].text
    if not name or "/" in name:
        return
    from cc_safety_net.guard.interpret.facts import known, prefix
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile
    from cc_safety_net.guard.paths import join

    for choice in execution.env["PATH"].choices:
        head = prefix(choice)
        folders = head.split(":") if literal(choice) is not None else head.split(":")[:-1]
        for folder in folders[:_FOLDERS]:
            if not folder.startswith(_SYSTEM) and "venv/bin" not in folder:
                path = join(folder or ".", name)
                inner = InnerFile(f"script {path}", "executable", known(path))
                inner.positionals = execution.argv[1:]
                found.append(inner)


def _is_installed(path: str, execution: Execution, world: World) -> bool:
    """A tool that a package manager put there: the system's, a version manager's, a link in
    `node_modules/.bin`, a virtual environment's. What an agent writes there itself is no link."""
    if path.startswith(_SYSTEM) or "venv/bin/" in path:
        return True
    cwds = [cwd for cwd in execution.cwds if cwd is not None]
    if path.startswith("/"):
        return "/bin/" in path and not any(path.startswith(cwd + "/") for cwd in cwds)
    if "node_modules/" not in path:
        return False
    return any(world.link(cwd + "/" + path.removeprefix("./")) is not None for cwd in cwds)


def _from_environment(execution: Execution, found: list[Inner]) -> None:
    from cc_safety_net.guard.interpret.facts import known
    from cc_safety_net.guard.interpret.wrappers.inner import InnerCode, InnerFile, InnerText

    for name, value in execution.env.items():
        if name in COMMAND_VARIABLES:
            text = (value.text or "").lstrip("|- ")  # LESSOPEN marks its form by them
            # The value of an unknown one is the person's own editor or pager; what the variable
            # starts inherits it, and does not start it again.
            if text and name not in execution.chain:
                found.append(InnerText(name, known(text, value.start, value.end)))
        elif name == "LUA_INIT" and execution.program.startswith("lua"):
            text = value.text or ""
            at = known(text[1:], value.start, value.end)
            found.append(
                InnerFile(name, "lua", at)
                if text.startswith("@")
                else InnerCode(name, "lua", value)
            )
        elif name == "NODE_OPTIONS" and execution.program in _NODE_PROGRAMS:
            _preloaded(value, found)
        elif name in _EXPANDED and execution.program in _SHELLS:
            _expanded(name, value, found)
        if name in STARTUP_VARIABLES and execution.program in STARTUP_VARIABLES[name]:
            found.append(InnerFile(name, "shell", value))
        elif name == "PYTHONSTARTUP" and execution.program.startswith("python"):
            found.append(InnerFile(name, "python", value))


def _expanded(name: str, value: Word, found: list[Inner]) -> None:
    """A shell expands its prompts, and the names of the files that it reads first."""
    from cc_safety_net.guard.interpret.facts import known
    from cc_safety_net.guard.interpret.wrappers.inner import InnerText

    text = value.text or ""
    if "$(" in text or "`" in text:
        quoted = text.replace('"', '\\"') if "$(" not in text else text
        found.append(InnerText(name, known(f': "{quoted}"', value.start, value.end)))


def _preloaded(value: Word, found: list[Inner]) -> None:
    """Files that node loads first by its options in the environment."""
    from cc_safety_net.guard.interpret.facts import known
    from cc_safety_net.guard.interpret.options import parse, split_text
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

    words = [known(text, value.start, value.end) for text in split_text(value.text or "")]
    options = parse(words, "r,require: import: loader,experimental-loader:", start=0).options
    found.extend(
        InnerFile("NODE_OPTIONS", "javascript", option.value)
        for option in options
        if option.value is not None
    )
