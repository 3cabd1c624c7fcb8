"""Code that runs and can't be read: downloads, unknown text, lists that hold programs."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Unknown, shown
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import CodeRun, Execution
    from cc_safety_net.guard.rules.context import Context

_DOWNLOADERS = frozenset(
    (
        "aria2c",
        "axel",
        "curl",
        "curlie",
        "fetch",
        "http",
        "https",
        "invoke-restmethod",
        "invoke-webrequest",
        "irm",
        "iwr",
        "lwp-download",
        "lwp-request",
        "start-bitstransfer",
        "wget",
        "wget2",
        "xh",
        "xhs",
    )
)
#: Programs of Windows that fetch what they are given the address of.
_BY_ADDRESS = frozenset(("bitsadmin", "certutil", "mshta", "regsvr32"))
#: Programs that print shell code of their own, known to set up a shell.
_GENERATORS = frozenset(
    (
        "brew",
        "conda",
        "dbus-launch",
        "devbox",
        "dircolors",
        "direnv",
        "fnm",
        "jenv",
        "keychain",
        "lesspipe",
        "mise",
        "nodenv",
        "opam",
        "pyenv",
        "rbenv",
        "register-python-argcomplete",
        "ssh-agent",
        "starship",
        "tset",
        "zoxide",
    )
)
#: Programs that do so with this word among their own.
_GENERATOR_WORDS = {
    "nix": ("print-dev-env",),
    "luarocks": ("path",),
    "minikube": ("docker-env", "podman-env"),
    "docker-machine": ("env",),
}
_COMPLETIONS = (
    "completion",
    "completions",
    "--completion",
    "--completions",
    "shell-completion",
    "generate-shell-completion",
    "--generate-shell-completion",
    "init-completion",
)
#: Filters that hand on only lines that they were given.
_PARTS = frozenset(("egrep", "fgrep", "grep", "head", "sort", "tac", "tail", "uniq"))
_SHELLS_OF_LISTS = {"parallel": "parallel.", "xargs": "xargs."}
#: Ways of running text that is a shell's.
_SHELL_WAYS = frozenset(("eval", "source", "shell-string", "shell-input", "script"))
_ORIGINS = 200
#: Words of code that starts a program or deletes; without one a text in it is only a text.
_STARTING = (
    "system",
    "exec",
    "spawn",
    "popen",
    "subprocess",
    "run(",
    "shell",
    "`",
    "qx",
    "%x",
    "Command",
    "getline",
    "cmd(",
    "command",
    "run-program",
    "/sh ",
    ".!",
    "process",
    "run <",
    "executeShell",
)
#: Programs of languages that no module reads.
_UNREAD = frozenset(
    (
        "bb", "clj", "clojure", "crystal", "dc", "ghc", "ghci", "gnuplot", "guile", "maxima",
        "ocaml", "octave", "perl6", "racket", "raku", "rdmd", "sbcl", "scala", "scala-cli", "swift",
    )
)  # fmt: skip
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish"))
#: Long options of xargs and parallel that take the next word.
_VALUED_LONG = frozenset(
    (
        "--arg-file",
        "--delimiter",
        "--jobs",
        "--max-args",
        "--max-procs",
        "--joblog",
        "--results",
        "--timeout",
        "--retries",
        "--colsep",
        "--tmpdir",
        "--delay",
        "--halt",
    )
)
#: Why an item of a list is not known: nobody says what its producer prints.
_LISTED = ("command", "input")
#: Letters of the options of rm.
_FLAGS = frozenset("rRfviId")


def check_code(code: CodeRun, context: Context) -> Iterable[Finding]:
    if code.how == "unparseable":
        return _unparseable(code, context)
    if code.how == "fetched" or _is_fetched(code, context):
        found = _finding("shell.remote-code", code, context)
        return [_with_address(found, context)]
    if code.how == "list":
        return _of_list(code, context)
    if code.how == "awk-command":
        return _unless_on_disk("awk.system-dynamic", code, context)
    if code.how == "inline":
        return _inline(code, context)
    if code.how == "script" or (code.how == "source" and code.path):
        # A file that is only named and could not be read.
        return [_finding("script.opaque", code, context)]
    if (code.how in _SHELL_WAYS or code.how == "code") and not _is_generated(code):
        return _unless_on_disk("shell.dynamic-code", code, context)
    return ()


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """A program whose name is unknown, with the options of a deletion (`$X -rf /etc`)."""
    if execution.program in ("mshta", "regsvr32"):
        return _fetched_and_run(execution)
    if execution.program:
        return _of_file(execution, context)
    family = _listed_by(execution)
    if family:
        part = " ".join(shown(word.choices[0]) for word in execution.argv)
        found = Finding(
            family + ".shell-dynamic",
            part,
            execution.start,
            execution.end,
            chain=execution.chain,
        )
        found.values = {"look": _looks(found.rule, None, execution, context)}
        return [found]
    if not _deletes(execution):
        return ()
    rule = "shell.dynamic-executable"
    finding = Finding(
        rule,
        " ".join(shown(word.choices[0]) for word in execution.argv),
        execution.start,
        execution.end,
        chain=execution.chain,
    )
    if _acts(context, rule, "strict") or _reaches_system(execution, context):
        return [finding]
    return ()


def _listed_by(execution: Execution) -> str:
    """`xargs sudo`: behind a wrapper too, the program is an item of a list that nobody knows."""
    family = next((step for step in execution.chain if step in _SHELLS_OF_LISTS), "")
    pieces = execution.argv[0].choices[0] if family else ()
    listed = any(isinstance(piece, Unknown) and piece.why in _LISTED for piece in pieces)
    return family if listed else ""


def _fetched_and_run(execution: Execution) -> Iterable[Finding]:
    """`mshta https://…`, `regsvr32 /i:https://…` run what is there."""
    if not _downloads(execution):
        return ()
    part = " ".join(shown(word.choices[0]) for word in execution.argv)
    address = next(t for word in execution.argv if "://" in (t := word.text or ""))
    return [
        Finding(
            "shell.remote-code", part, execution.start, execution.end, chain=execution.chain,
            values={"url": quote(address[max(address.lower().find("http"), 0) :])},
        )
    ]  # fmt: skip


#: Rules whose *Instead* shows the unknown text; `script.opaque` acts in few of its calls.
_LOOKED = frozenset(
    (
        "awk.system-dynamic",
        "interpreter.dangerous-command",
        "parallel.command-stream-dynamic",
        "parallel.shell-dynamic",
        "shell.dynamic-code",
        "xargs.shell-dynamic",
    )
)


def _looks(rule: str, code: CodeRun | None, execution: Execution | None, context: Context) -> str:
    if rule not in _LOOKED and not (rule == "script.opaque" and _acts(context, rule, "paranoid")):
        return ""
    from cc_safety_net.guard.rules.unseen import look

    return look(rule, code, execution, context)


def _of_file(execution: Execution, context: Context) -> Iterable[Finding]:
    """`cat l | parallel`, `xargs -I{} sh -c '{}' < l`: the file may hold anything by then."""
    rule = _whole_command(execution)
    if not rule or _is_literal_input(execution):
        return ()
    if execution.script and not _acts(context, rule, "strict"):
        return ()
    part = " ".join(shown(word.choices[0]) for word in execution.argv)
    found = Finding(rule, part, execution.start, execution.end, chain=execution.chain)
    found.values = {"look": _looks(rule, None, execution, context)}
    return [found]


def _is_literal_input(execution: Execution) -> bool:
    """The list stands in the text of the call, or there is none."""
    if any(word.text in (":::", ":::+") for word in execution.argv):
        return True
    if any(redirection.op in ("<<", "<<-", "<<<") for redirection in execution.redirects):
        return True
    if any(redirection.op == "<" for redirection in execution.redirects):
        return False
    if any((word.text or "").startswith(("-a", "--arg-file")) for word in execution.argv):
        return False
    return all(feed.program in ("echo", "printf") for feed in execution.feeds)


def _whole_command(execution: Execution) -> str:
    """The rule for `xargs` and `parallel` if each line of the list is run as a command, else ""."""
    words = [word.text or "" for word in execution.argv[1:]]
    hole = "{}"
    valued = "aELnPsIdr" if execution.program == "xargs" else "jaISNnLXCd"
    at = 0
    while at < len(words) and words[at].startswith("-"):
        word = words[at]
        at += 1
        if word[1:2] == "I":
            hole = word[2:] or (words[at] if at < len(words) else hole)
        if (len(word) == 2 and word[1] in valued and word[1] != "r") or word in _VALUED_LONG:
            at += 1
    template = words[at:]
    if not template:
        return "parallel.command-stream-dynamic" if execution.program == "parallel" else ""
    family = execution.program
    if template == [hole] or template[0] == hole:
        return family + ".shell-dynamic"
    if template[0] == "eval" and hole in template[1:]:
        return family + ".shell-dynamic"
    is_shell = template[0].rpartition("/")[2] in _SHELLS
    # `xargs sh -c`: the first word of the list is the code.
    if is_shell and len(template) == 2 and template[1] in ("-c", "-lc", "-ic", "-ec", "-xc"):
        return family + ".shell-dynamic"
    if is_shell and len(template) > 2:
        code = template[2].strip().strip("\"'").strip()
        if template[1].startswith("-") and "c" in template[1] and code == hole:
            return family + ".shell-dynamic"
    return ""


def _unparseable(code: CodeRun, context: Context) -> Iterator[Finding]:
    text = code.text.text or ""
    yield _finding("shell.unparseable", code, context)
    if text not in _whole_texts(context):
        return
    # Without quotes and brackets the rest is a list of plain commands, or nothing at all.
    plain = "".join(" " if sign in "'\"`(){}$" else sign for sign in text)
    context.effort.spend(16 + len(text) // 4, "text that could not be parsed")
    from cc_safety_net.guard.rules.nested import is_denied

    if plain.strip() and is_denied(plain, context):
        yield _finding("raw-text.dangerous-command", code, context)


def _whole_texts(context: Context) -> set[str]:
    """What nobody can parse, without texts that stand in another: here-documents in others."""
    found: set[str] | None = context.memo.get("unparseable")
    if found is None:
        codes = context.reading.codes
        texts = {code.text.text or "" for code in codes if code.how == "unparseable"}
        found = set()
        for text in sorted(texts, key=len, reverse=True):
            if not any(text in longer for longer in found):
                found.add(text)
        context.memo["unparseable"] = found
    return found


def _of_list(code: CodeRun, context: Context) -> Iterable[Finding]:
    labels = " ".join(code.chain)
    for program, family in _SHELLS_OF_LISTS.items():
        if program in labels or (code.execution is not None and code.execution.program == program):
            whole = program == "parallel" and _is_bare(code)
            rule = family + ("command-stream-dynamic" if whole else "shell-dynamic")
            return _unless_on_disk(rule, code, context)
    return _unless_on_disk("shell.dynamic-code", code, context)


def _is_bare(code: CodeRun) -> bool:
    """`parallel` without a template: each line of the list is a command."""
    execution = code.execution
    if execution is None or execution.program != "parallel":
        return True
    return all((word.text or "-").startswith(("-", ":::")) for word in execution.argv[1:2])


def _inline(code: CodeRun, context: Context) -> Iterable[Finding]:
    program = code.execution.program if code.execution is not None else ""
    text = code.text.text
    if text is not None:
        if program != "dc" and not any(sign in text for sign in _STARTING):
            return ()
        from cc_safety_net.guard.rules.nested import is_denied

        # Words of a list (`["git", "reset"]`) and the text of a call both become a command line.
        plain = "".join(
            " " if sign in "'\",[]" else "\n" if sign in "`(){}$;" else sign for sign in text
        )
        context.effort.spend(len(text), "inline code that could not be read")
        if is_denied(plain, context):
            return [_finding("interpreter.dangerous-command", code, context)]
        if program in _UNREAD:
            # A call there needs no brackets: each text is looked at by itself.
            lines = "".join("\n" if sign in '"<>!()[]{};' else sign for sign in text)
            context.effort.spend(len(text), "inline code that could not be read")
            if is_denied(lines, context):
                return [_finding("interpreter.dangerous-command", code, context)]
        return ()
    # Of other languages an unknown part (`sed "s/a/$B/"`) is data until a known part harms; the
    # lines of a crontab are shell text.
    unknown = any(isinstance(piece, Unknown) for choice in code.text.choices for piece in choice)
    if unknown and program == "crontab" and not _keeps_jobs(code):
        return _unless_on_disk("shell.dynamic-code", code, context)
    return ()


def _unless_on_disk(rule: str, code: CodeRun, context: Context) -> Iterable[Finding]:
    """In a script on disk that the text did not write, unknown text is denied from strict only."""
    script = code.path or (code.execution.script if code.execution is not None else "")
    if script and script not in context.reading.written and not _acts(context, rule, "strict"):
        return ()
    return [_finding(rule, code, context)]


def _acts(context: Context, rule: str, level: str) -> bool:
    return context.policy is not None and context.policy.acts(rule, level)


def _is_fetched(code: CodeRun, context: Context) -> bool:
    if code.how == "inline" and code.text.text is not None:
        # The code is known; what is piped into it is its data (`curl … | python3 -c '…'`).
        return False
    return any(_downloads(origin) for origin in _origins(code, context))


def _downloads(execution: Execution) -> bool:
    if execution.program in _BY_ADDRESS:
        return any("://" in (word.text or "") for word in execution.argv[1:])
    return execution.program in _DOWNLOADERS


def _origins(code: CodeRun, context: Context) -> list[Execution]:
    """The executions that the text comes from, through pipes and substitutions."""
    found: list[Execution] = []
    todo = list(code.origin)
    _add_origins(code.text.choices, todo)
    while todo and len(found) < _ORIGINS:
        execution = todo.pop()
        if any(execution is known for known in found):
            continue
        context.effort.spend(1, "where a text comes from")
        found.append(execution)
        todo.extend(execution.feeds)
        for word in execution.argv[1:]:
            _add_origins(word.choices, todo)
    return found


def _add_origins(choices: Sequence[Sequence[object]], todo: list[Execution]) -> None:
    for choice in choices:
        for piece in choice:
            if isinstance(piece, Unknown):
                todo.extend(piece.origin)


def _is_generated(code: CodeRun) -> bool:
    """All of the text is the output of programs that set up a shell."""
    origins = list(code.origin)
    for choice in code.text.choices:
        for piece in choice:
            if isinstance(piece, Unknown):
                if piece.why not in ("command", "input") or not (piece.origin or code.origin):
                    return False
                origins.extend(piece.origin)
    return bool(origins) and all(_generates(origin) for origin in origins)


def _keeps_jobs(code: CodeRun) -> bool:
    """`(crontab -l; echo '…') | crontab -`: what is not known is what is there already."""
    if code.execution is None or code.execution.program != "crontab":
        return False
    origins = [
        origin
        for choice in code.text.choices
        for piece in choice
        if isinstance(piece, Unknown)
        for origin in piece.origin
    ]
    return bool(origins) and all(_is_part_of_jobs(origin) for origin in origins)


def _is_part_of_jobs(origin: Execution) -> bool:
    """`crontab -l`, or what a filter leaves of it."""
    if origin.program in _PARTS:
        return bool(origin.feeds) and all(_is_part_of_jobs(feed) for feed in origin.feeds)
    return origin.program == "crontab" and any(word.text == "-l" for word in origin.argv)


def _generates(execution: Execution) -> bool:
    words = [(word.text or "").partition("=")[0] for word in execution.argv[1:]]
    if execution.program in _GENERATORS or any(word in words for word in _COMPLETIONS):
        return True
    # `_FLASK_COMPLETE=bash_source flask`: programs made with click.
    for name, value in execution.env.items():
        if name.endswith("_COMPLETE") and (value.text or "").endswith("_source"):
            return True
    return any(word in words for word in _GENERATOR_WORDS.get(execution.program, ()))


def _deletes(execution: Execution) -> bool:
    for word in execution.argv[1:]:
        text = word.text or ""
        if text.startswith("--"):
            if text in ("--recursive", "--force", "--no-preserve-root"):
                return True
        elif text == "-delete" or (
            text.startswith("-") and set(text[1:]) & set("rRf") and set(text[1:]) <= _FLAGS
        ):
            return True
    return False


def _reaches_system(execution: Execution, context: Context) -> bool:
    from cc_safety_net.guard.interpret.facts import FileAccess
    from cc_safety_net.guard.rules.targets import classify

    for word in execution.argv[1:]:
        if (word.text or "").startswith("-"):
            continue
        access = FileAccess(
            word,
            "delete",
            "rm",
            execution.cwds,
            execution.start,
            execution.end,
            recursive=True,
            execution=execution,
            scope=execution.scope,
        )
        if any(target.kind in ("root", "home", "system") for target in classify(access, context)):
            return True
    return False


def _with_address(finding: Finding, context: Context) -> Finding:
    """Names what was to be fetched, so that it can be fetched and read first."""
    text = context.call.command or ""
    at = max(text.find("https://"), text.find("http://"))
    end = at
    while 0 <= end < len(text) and text[end] not in " \t\n\"'`()<>|;":
        end += 1
    address = text[at:end] if at >= 0 and "$" not in text[at:end] else ""
    finding.values = {**finding.values, "url": quote(address or "https://example.org/install.sh")}
    return finding


def _finding(rule: str, code: CodeRun, context: Context) -> Finding:
    part = "|".join(shown(choice) for choice in code.text.choices)
    program = ""
    if code.execution is not None:
        program = code.execution.program
        part = part or " ".join(shown(word.choices[0]) for word in code.execution.argv)
    return Finding(
        rule,
        part,
        code.start,
        code.end,
        chain=code.chain,
        values={
            "program": program,
            "path": code.path,
            "look": _looks(rule, code, None, context),
        },
        target=code.path,
    )
