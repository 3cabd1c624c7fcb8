"""Inline code: the environment in it, and secret files that its literals name."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.rules.secrets import environment
from cc_safety_net.guard.rules.secrets.reach import SHOWN, fate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import CodeRun, Execution
    from cc_safety_net.guard.rules.context import Context

#: How code reaches the environment: (text before a name, text behind it).
_READS = (
    ("process.env.", ""),
    ("process.env[", "]"),
    ("import.meta.env.", ""),
    ("Bun.env.", ""),
    ("os.environ[", "]"),
    ("os.environ.get(", ")"),
    ("os.getenv(", ")"),
    ("environ[", "]"),
    ("environ.get(", ")"),
    ("getenv(", ")"),
    ("ENV[", "]"),
    ("ENV.fetch(", ")"),
    ("$ENV{", "}"),
    ("ENVIRON[", "]"),
    ("Deno.env.get(", ")"),
    ("$ENV.", ""),
    ("env.", ""),
)
_WHOLE = (
    "process.env",
    "os.environ",
    "ENV.to_h",
    "ENV.inspect",
    "%ENV",
    "Deno.env.toObject()",
    "getenv()",
    "$ENV",
)
#: Loops that hand over names with their values; loops over the names; a value by such a name.
_PAIRS = (
    "each %ENV", "ENV.each {", "ENV.each{", "ENV.each do", "ENV.each_pair", "ENV.map", "ENV.sort",
    "ENV.to_a", "ENV.values", "ENV.select", "values %ENV",
)  # fmt: skip
_LOOPS = (
    "keys %ENV", "in process.env", "Object.keys(process.env)", "ENV.keys", "ENV.each_key",
    "in os.environ", "in ENVIRON", "Object.keys(Bun.env)", "in Bun.env",
)  # fmt: skip
_BY_NAME = ("$ENV{", "process.env[", "ENV[", "os.environ[", "ENVIRON[", "Bun.env[", "ENV.fetch(")
_PRINTS = (
    "print", "console.", "puts", "echo", "write", "p ENV", "inspect", "say", "dump", "stdout",
    "pp ",
)  # fmt: skip
#: Text in front of a value, or behind it, that leaves only whether it is there.
_ASKS_BEFORE = ("!", "bool(", "Boolean(", "len(", "typeof ", " in ", "defined ", "length(", "not ")
_ASKS_BEHIND = (
    "?", ".length", " is ", " == ", " != ", "===", "!==", " !==", " ===", " and ", ".nil", ".empty",
    " ?", ".size", ")?", ") ?", ") is ", ") ===", "] is", "]?", "] ?", "].length",
)  # fmt: skip
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_OPENS = (
    "open(",
    "read",
    "load(",
    "slurp",
    "file_get_contents",
    "cat ",
    "Path(",
    "parse(",
    ".file(",
)


def of_environment(execution: Execution, context: Context) -> Iterator[Finding]:
    """The environment, whole or a secret of it, printed by code on the command line."""
    if fate(execution) != SHOWN:
        return
    for text, prints in _texts(execution):
        if "env" not in text.lower():
            continue
        context.effort.spend(1 + len(text) // 64, "inline code")
        if not prints and not any(word in text for word in _PRINTS):
            continue
        if _dumps(text, execution):
            yield _finding(environment.DUMP, execution, context, "every variable")
            return
        name = _secret_name(text, execution)
        if name:
            yield _finding(environment.VALUE, execution, context, name)
            return


def _texts(execution: Execution) -> Iterator[tuple[str, bool]]:
    """(code, it prints its result by itself)."""
    program = execution.program
    words = [word.text for word in execution.argv]
    if program in ("jq", "awk", "gawk", "mawk", "nawk"):
        for text in words[1:]:
            if text is not None and text[:1] != "-":
                yield text, program == "jq"
        return
    if program == "deno" and words[1:2] == ["eval"]:
        yield words[-1] or "", "-p" in words
        return
    for index in range(1, len(words) - 1):
        option = words[index]
        text = words[index + 1]
        if option is None or text is None or option[:1] != "-":
            continue
        letters = option.lstrip("-")
        if letters in ("eval", "print", "execute") or (
            option[:2] != "--" and letters[-1:] in "cepErR"
        ):
            yield text, letters in ("p", "pe", "print") and program in ("node", "bun")
    if (execution.stdin is not None and execution.stdin.text and len(words) == 1) or "-" in words[
        1:
    ]:
        text = execution.stdin.text if execution.stdin is not None else None
        if text:
            yield text, False


def _dumps(text: str, execution: Execution) -> bool:
    if execution.program == "jq":
        return text.strip() in ("env", "$ENV", ".env=env") or text.strip().startswith(
            ("env|", "env |")
        )
    if _walks(text):
        return True
    for whole in _WHOLE:
        at = text.find(whole)
        while at >= 0:
            end = at + len(whole)
            following = text[end : end + 1]
            before = text[:at].rstrip("( ")
            asked = before.endswith((" in", "len", "keys", "sorted", "list", "set"))
            if following not in (".", "[", "{", "_") and not following.isalnum() and not asked:
                if not _is_taken_apart(before, text[end:]):
                    return True
            elif text[end:].startswith((".items()", ".values()", ".copy()")):
                return True
            at = text.find(whole, end)
    return False


def _walks(text: str) -> bool:
    """A loop over the names that also takes each value: `print $ENV{$_} for keys %ENV`."""
    if any(loop in text for loop in _PAIRS):
        return True
    if not any(loop in text for loop in _LOOPS):
        return False
    for start in _BY_NAME:
        at = text.find(start)
        while at >= 0:
            sign = text[at + len(start) : at + len(start) + 1]
            if sign == "$" or (sign.isalpha() and start != "$ENV{") or sign == "_":
                return True
            at = text.find(start, at + 1)
    return False


def _is_taken_apart(before: str, behind: str) -> bool:
    """`Object.keys(process.env)`, `{...process.env, X: 1}`, `env=os.environ`."""
    if before.endswith(("Object.keys", "...", "=", "for k in", "for key in", "for name in", "Set")):
        return True
    if before.endswith(("env:", "environment:", "=>")):
        return True
    return behind.lstrip().startswith(("=", "|"))


def _secret_name(text: str, execution: Execution) -> str:
    for start, end in _READS:
        if start == "env." and execution.program != "jq":
            continue
        at = text.find(start)
        while at >= 0:
            behind = at + len(start)
            stop = behind
            while stop < len(text) and (text[stop] in _NAME or (end and text[stop] in "\"'")):
                stop += 1
            name = text[behind:stop].strip("\"'")
            rest = text[stop:]
            whole = start[0] not in "eg" or not text[:at].endswith((".", "_"))
            if whole and environment.is_secret_name(name) and not _only_asks(text[:at], rest):
                return name
            at = text.find(start, stop or behind)
    return ""


def _only_asks(before: str, behind: str) -> bool:
    if before.endswith(_ASKS_BEFORE):
        return True
    return behind.startswith(_ASKS_BEHIND)


def _finding(rule: str, execution: Execution, context: Context, name: str) -> Finding:
    what = (
        "every variable of the environment" if rule == environment.DUMP else f"the value of {name}"
    )
    return Finding(
        rule,
        environment.shown(execution, context),
        execution.start,
        execution.end,
        chain=execution.chain,
        values={"name": name, "value": f'"${name}"'},
        why=f"The code prints {what}.",
        target=name,
    )


# --- literals ------------------------------------------------------------------------------------


def judge(code: CodeRun, context: Context) -> Iterator[Finding]:
    """Secret files that the literals of opaque code name, where it opens files."""
    from cc_safety_net.guard.rules.secrets.matching import of_text
    from cc_safety_net.guard.rules.secrets.uses import denied_reading

    text = code.text.text
    if code.how != "inline" or text is None or not any(word in text for word in _OPENS):
        return
    context.effort.spend(1 + len(text) // 16, "inline code")
    cwd = code.execution.cwds[0] if code.execution is not None else context.place.directory
    for quoted in literals(text):
        for candidate in (quoted, _decoded(quoted)):
            secret = of_text(candidate, cwd, context) if candidate else None
            if secret is not None and denied_reading(secret, context):
                yield Finding(
                    secret.rule,
                    candidate,
                    code.start,
                    code.end,
                    chain=code.chain,
                    values={"path": candidate, "name": candidate},
                    why=f"The code opens {candidate}, which holds secrets.",
                    target=secret.path,
                )
                return


def literals(text: str) -> Iterator[str]:
    """Short quoted texts, in order."""
    at = 0
    while at < len(text):
        sign = text[at]
        if sign not in "\"'`":
            at += 1
            continue
        close = text.find(sign, at + 1)
        if close < 0:
            return
        if 1 < close - at < 512 and "\n" not in text[at:close]:
            yield text[at + 1 : close]
        at = close + 1


def _decoded(text: str) -> str:
    """What a base64 literal says, "" if it is none."""
    if len(text) < 6 or len(text) % 4 or not text.rstrip("=").isalnum():
        return ""
    from binascii import Error, a2b_base64

    try:
        found = a2b_base64(text).decode()
    except (Error, ValueError):
        return ""
    return found if found.isprintable() else ""
