"""What git starts: `rebase --exec`, `bisect run`, `submodule foreach`, filters, stored aliases,
hooks. Commands in `-c` settings are judged by the rules on git's configuration."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.options import Arguments, cut, joined, lead, parse, split_text
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerArgv, InnerFile, InnerText
from cc_safety_net.guard.limits import SNIFF_BYTES
from cc_safety_net.guard.paths import join, normalise, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

GLOBAL_OPTIONS = (
    "C:@dir c: git-dir: work-tree: namespace: super-prefix: config-env: attr-source: exec-path?"
    " list-cmds: p,paginate P,no-pager version@query v@query h@query help@query html-path@query"
    " man-path@query info-path@query"
)
_FILTERS = (
    "setup:@text env-filter:@text tree-filter:@text index-filter:@text parent-filter:@text"
    " msg-filter:@text commit-filter:@text tag-name-filter:@text subdirectory-filter: original:"
    " d: state-branch: f,force prune-empty"
)
#: Sub-command -> options whose values are commands.
_VALUED = {
    "rebase": (
        "exec,x:@text onto: s,strategy: X,strategy-option: empty: C: whitespace: S? i,interactive"
        " r,rebase-merges? autosquash"
    ),
    "filter-branch": _FILTERS,
    "difftool": "extcmd,x:@text tool,t: y,no-prompt d,dir-diff",
    "clone": (
        "upload-pack,u:@text b,branch: o,origin: depth: reference: template: separate-git-dir:"
        " c,config: j,jobs: filter: bundle-uri: shallow-since: shallow-exclude: server-option:"
    ),
    "fetch": "upload-pack:@text depth: j,jobs: refmap: negotiation-tip: filter: o,server-option:",
    "pull": "upload-pack:@text depth: s,strategy: X,strategy-option: j,jobs:",
    "ls-remote": "upload-pack:@text exec:@text sort: o,server-option:",
    "push": "receive-pack:@text exec:@text repo: o,push-option:",
    "archive": "exec:@text remote: format: prefix: o,output: add-file:",
    "grep": "open-files-in-pager,O?@text e: f: A: B: C: m,max-count: max-depth: threads:",
    "send-email": "sendmail-cmd:@text to: cc: bcc: from: subject: smtp-server: to-cmd:@text"
    " cc-cmd:@text",
    "web--browse": "b,browser: c,config: t,tool:",
}
#: Sub-command -> hooks that it runs, unless an option of the second list is given.
_HOOKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "commit": (
        ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"),
        ("n", "no-verify"),
    ),
    "merge": (
        ("pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge"),
        ("no-verify",),
    ),
    "pull": (("post-merge",), ()),
    "push": (("pre-push",), ("no-verify",)),
    "rebase": (("pre-rebase", "post-rewrite"), ("no-verify",)),
    "checkout": (("post-checkout",), ()),
    "switch": (("post-checkout",), ()),
    "am": (("applypatch-msg", "pre-applypatch", "post-applypatch"), ("n", "no-verify")),
    "gc": (("pre-auto-gc",), ()),
}
#: Sub-commands of git's own; any other word may be an alias.
COMMANDS = frozenset(
    (
        "add", "am", "annotate", "apply", "archive", "bisect", "blame", "branch", "bugreport",
        "bundle", "cat-file", "check-attr", "check-ignore", "check-mailmap", "check-ref-format",
        "checkout", "checkout-index", "cherry", "cherry-pick", "citool", "clean", "clone",
        "column", "commit", "commit-graph", "commit-tree", "config", "count-objects",
        "credential", "credential-cache", "credential-store", "daemon", "describe", "diagnose",
        "diff", "diff-files", "diff-index", "diff-tree", "difftool", "fast-export",
        "fast-import", "fetch", "fetch-pack", "filter-branch", "fmt-merge-msg", "for-each-ref",
        "for-each-repo", "format-patch", "fsck", "fsmonitor--daemon", "gc", "get-tar-commit-id",
        "grep", "gui", "hash-object", "help", "hook", "http-backend", "imap-send", "index-pack",
        "init", "init-db", "instaweb", "interpret-trailers", "log", "ls-files", "ls-remote",
        "ls-tree", "mailinfo", "mailsplit", "maintenance", "merge", "merge-base", "merge-file",
        "merge-index", "merge-one-file", "merge-tree", "mergetool", "mktag", "mktree",
        "multi-pack-index", "mv", "name-rev", "notes", "pack-objects", "pack-redundant",
        "pack-refs", "patch-id", "prune", "prune-packed", "pull", "push", "quiltimport",
        "range-diff", "read-tree", "rebase", "receive-pack", "reflog", "refs", "remote",
        "repack", "replace", "replay", "request-pull", "rerere", "reset", "restore", "rev-list",
        "rev-parse", "revert", "rm", "send-email", "send-pack", "shortlog", "show",
        "show-branch", "show-index", "show-ref", "sparse-checkout", "stage", "stash", "status",
        "stripspace", "submodule", "switch", "symbolic-ref", "tag", "unpack-file",
        "unpack-objects", "update-index", "update-ref", "update-server-info", "upload-archive",
        "upload-pack", "var", "verify-commit", "verify-pack", "verify-tag", "version",
        "web--browse", "whatchanged", "worktree", "write-tree",
    )
)  # fmt: skip
_INCLUDES = 4
#: No path of a system is longer.
_LONGEST = 4096


def _git(execution: Execution, world: World) -> list[Inner]:
    words = execution.argv
    arguments = parse(words, GLOBAL_OPTIONS)
    if any(option.role == "query" for option in arguments.options) or not arguments.operands:
        return []
    command = arguments.operands[0].text
    if command is None:
        return []
    rest = arguments.operands
    local = execution.scope.kind == "local"
    if command not in COMMANDS:
        return _alias(execution, world, arguments, command) if local else []
    found: list[Inner] = []
    if local:
        found += _hooks(execution, world, arguments, command)
    if command == "bisect":
        if len(rest) > 2 and rest[1].text == "run":
            found.append(InnerArgv("git bisect run", rest[2:]))
    elif command == "submodule":
        found += _foreach(rest)
    elif command == "for-each-repo":
        inner = parse(rest, "config: keep-going").operands
        if inner:
            found.append(InnerArgv("git for-each-repo", (known("git"), *inner)))
    elif command in _VALUED:
        for option in parse(rest, _VALUED[command], permute=True).options:
            if option.role and option.value is not None:
                found.append(InnerText(f"git {command} --{option.name}", option.value))
    if command == "grep" and any(word.text == "--no-index" for word in rest):
        # What lies below the directory, without a look at what is ignored.
        left = ("--no-index", "--untracked")
        words = tuple(word for word in rest[1:] if word.text not in left)
        if not any(word.text == "--exclude-standard" for word in rest):
            found.append(InnerArgv("git grep", (known("grep"), known("-r"), *words)))
    found += _transports(command, rest)
    directory = _directory(arguments)
    for each in found:
        each.directory = each.directory or directory
    return found


def _foreach(words: Sequence[Word]) -> list[Inner]:
    """`submodule foreach`: one word is a text for a shell, several are a command."""
    operands = parse(words, "q,quiet").operands
    if len(operands) < 2 or operands[0].text != "foreach":
        return []
    inner = parse(operands, "recursive q,quiet").operands
    if not inner:
        return []
    label = "git submodule foreach"
    return [InnerText(label, inner[0]) if len(inner) == 1 else InnerArgv(label, inner)]


def _transports(command: str, words: Sequence[Word]) -> list[Inner]:
    """`ext::command` as a remote's address."""
    if command not in ("clone", "fetch", "pull", "push", "ls-remote"):
        return []
    found: list[Inner] = []
    for word in words:
        if not lead(word).startswith("ext::"):
            continue
        text = cut(word, 5)
        if text.text is not None and "% " in text.text:
            # `% ` is a blank within a word.
            text = known(text.text.replace("% ", "\\ "), word.start, word.end)
        found.append(InnerText("git ext::", text))
    return found


def _directory(arguments: Arguments) -> Word | None:
    """Several `-C` lead on from one another."""
    parts: list[Word] = []
    for option in arguments.options:
        if option.name == "C" and option.value is not None:
            if lead(option.value).startswith("/"):
                parts = []
            parts.append(option.value)
    return joined(parts, "/") if parts else None


# --- the repository ------------------------------------------------------------------------------


def _git_directory(execution: Execution, world: World, arguments: Arguments) -> tuple[str, str]:
    """(git directory, top of the work tree) of the call; ("", "") if there is none."""
    for cwd in execution.cwds:
        if cwd is None:
            continue
        directory = _directory(arguments)
        start = cwd
        if directory is not None:
            if directory.text is None:
                continue
            start = normalise(join(cwd, directory.text))
        given = arguments.value("git-dir") or execution.env.get("GIT_DIR")
        if given is not None:
            if given.text is None:
                continue
            return normalise(join(start, given.text)), start
        at = start if len(start) <= _LONGEST else "/"
        while True:
            candidate = join(at, ".git")
            kind = world.kind(candidate)
            if kind == "directory":
                return candidate, at
            if kind == "file":
                text = world.text(candidate, SNIFF_BYTES) or ""
                if text.startswith("gitdir:"):
                    return normalise(join(at, text[7:].strip())), at
            if at == "/":
                break
            at = parent(at)
    return "", ""


def _common(git: str, world: World) -> str:
    """The directory that holds configuration and hooks (that of the main work tree)."""
    text = world.text(join(git, "commondir"), SNIFF_BYTES)
    return normalise(join(git, text.strip())) if text else git


def configuration_file(
    execution: Execution, world: World, arguments: Arguments, scope: str, file: Word | None
) -> str:
    """The file that `git config` writes to; "" if it is not known.

    scope: `global`, `system`, `worktree` or "". file: the value of `--file`.
    """
    if file is not None or scope == "system":
        cwd = execution.cwds[0] if execution.cwds else None
        text = "/etc/gitconfig" if file is None else file.text
        if text is None or (cwd is None and not text.startswith("/")):
            return ""
        return normalise(join(cwd or "/", text))
    if scope == "global":
        given = execution.env.get("GIT_CONFIG_GLOBAL")
        return (given.text or "") if given is not None else join(world.home, ".gitconfig")
    git, _ = _git_directory(execution, world, arguments)
    if not git:
        return ""
    if scope == "worktree":
        return join(git, "config.worktree")
    return join(_common(git, world), "config")


def _configuration(git: str, execution: Execution, world: World) -> Iterator[tuple[str, str]]:
    """Settings as (key, value), the strongest first."""
    paths = []
    if git:
        common = _common(git, world)
        paths += [join(git, "config.worktree"), join(common, "config")]
    given = execution.env.get("GIT_CONFIG_GLOBAL")
    if given is not None and given.text:
        paths.append(given.text)
    home = world.home
    configuration = world.environment.get("XDG_CONFIG_HOME") or join(home, ".config")
    paths += [join(home, ".gitconfig"), join(configuration, "git/config"), "/etc/gitconfig"]
    included = 0
    while paths:
        path = paths.pop(0)
        text = world.text(path, SNIFF_BYTES)
        if text is None:
            continue
        settings = list(settings_of(text))
        for key, value in settings:
            if key == "include.path" or (key.startswith("includeif.") and key.endswith(".path")):
                included += 1
                if included <= _INCLUDES:
                    target = value.replace("~/", home + "/", 1) if value[:2] == "~/" else value
                    paths.insert(0, normalise(join(parent(path), target)))
        yield from reversed(settings)


def settings_of(text: str) -> Iterator[tuple[str, str]]:
    """A git configuration file as (section.subsection.name, value), names in lower case."""
    section = ""
    lines = iter(text.split("\n"))
    for raw in lines:
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[":
            head, _, rest = line[1:].partition("]")
            name, _, sub = head.partition(" ")
            sub = sub.strip().strip('"')
            section = f"{name.strip().lower()}.{sub}" if sub else name.strip().lower()
            line = rest.strip()
            if not line or line[0] in "#;":
                continue
        while line.endswith("\\") and not line.endswith("\\\\"):
            line = line[:-1] + next(lines, "").strip()
        name, equals, value = line.partition("=")
        if section:
            yield f"{section}.{name.strip().lower()}", _value(value) if equals else "true"


def _value(text: str) -> str:
    """Quotes, escapes and a comment behind the value are taken away."""
    out: list[str] = []
    quoted = False
    text = text.strip()
    index = 0
    while index < len(text):
        char = text[index]
        index += 1
        if char == "\\" and index < len(text):
            out.append({"n": "\n", "t": "\t", "b": "\b"}.get(text[index], text[index]))
            index += 1
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
    return "".join(out).rstrip()


# --- aliases and hooks ---------------------------------------------------------------------------


def _alias(execution: Execution, world: World, arguments: Arguments, command: str) -> list[Inner]:
    """A stored alias: `!text` is for a shell at the top of the work tree, else words of git."""
    for option in arguments.options:
        if option.name == "c" and option.value is not None:
            key = lead(option.value).partition("=")[0]
            if key.lower() == f"alias.{command}".lower():
                return []  # git.alias-config judges it
    git, top = _git_directory(execution, world, arguments)
    wanted = f"alias.{command}".lower()
    for key, value in _configuration(git, execution, world):
        if key.lower() != wanted and key.lower() != f"alias.{command}.command".lower():
            continue
        label = f"git alias {command}"
        rest = arguments.operands[1:]
        start, end = execution.start, execution.end
        if value.startswith("!"):
            text = known(value[1:] + ' "$@"' if rest else value[1:], start, end)
            inner: Inner = InnerText(label, text, positionals=(known(command), *rest))
            inner.directory = known(top) if top else _directory(arguments)
            return [inner]
        head = execution.argv[: arguments.rest]
        words = [known(word, start, end) for word in split_text(value)]
        return [InnerArgv(label, (*head, *words, *rest))]
    return []


def _hooks(execution: Execution, world: World, arguments: Arguments, command: str) -> list[Inner]:
    """Hooks that are there are run at the top of the work tree."""
    hooks, without = _HOOKS.get(command, ((), ()))
    if not hooks:
        return []
    given = parse(arguments.operands, "m: F: C: c: t: author: date: b: B: o:", permute=True)
    if any(name in without for name in (option.name for option in given.options)):
        return []
    git, top = _git_directory(execution, world, arguments)
    if not git:
        return []
    folder = join(_common(git, world), "hooks")
    for key, value in _configuration(git, execution, world):
        if key == "core.hookspath":
            path = world.home + value[1:] if value.startswith("~/") else value
            folder = normalise(join(top, path))
            break
    names = world.names(folder)
    if not names:
        return []
    found: list[Inner] = []
    for hook in hooks:
        if hook in names:
            file = known(join(folder, hook), execution.start, execution.end)
            inner = InnerFile(f"git hook {hook}", "executable", file)
            inner.directory = known(top)
            inner.stdin = False
            found.append(inner)
    return found


def _dashed(execution: Execution, world: World) -> list[Inner]:
    """`git-reset --hard` is `git reset --hard`."""
    del world
    first = execution.argv[0]
    name = execution.program.partition("-")[2]
    if name not in COMMANDS:
        return []
    words = (known("git", first.start, first.end), known(name, first.start, first.end))
    return [InnerArgv(execution.program, (*words, *execution.argv[1:]))]


TABLE: dict[str, Entry] = {"git": _git, "git-": _dashed}
