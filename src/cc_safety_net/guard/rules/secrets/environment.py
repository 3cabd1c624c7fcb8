"""The environment: printed as a whole, or one variable that holds a secret."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Unknown
from cc_safety_net.guard.rules.secrets.reach import NAMES, SHOWN, USED, fate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.rules.context import Context

DUMP = "secret.command.environment-dump"
VALUE = "secret.command.environment-value"

#: Words of a name that make its value a secret, and what may follow them at the end.
_SECRET = frozenset(
    (
        "TOKEN", "SECRET", "PASS", "PASSWORD", "PASSWD", "APIKEY", "CREDENTIAL", "CREDENTIALS",
    )
)  # fmt: skip
_BEFORE_KEY = frozenset(
    ("API", "ACCESS", "SECRET", "PRIVATE", "SIGNING", "ENCRYPTION", "MASTER", "ACCOUNT")
)
_HARMLESS_ENDS = frozenset(("PATH", "FILE", "DIR", "NAME", "ID", "URL"))
#: Words that stand in secret names, whatever this machine has.
_OPEN_WORDS = frozenset(
    (
        "API", "ACCESS", "ANTHROPIC", "AUTH", "AWS", "AZURE", "CRED", "GITHUB", "GITLAB", "KEY",
        "OPENAI", "PRIVATE", "STRIPE", "TOKEN", "SECRET", "PASS", "PASSWORD", "PASSWD",
    )
)  # fmt: skip
#: Builtins and programs that print their words.
PRINTERS = frozenset(("echo", "printf", "print", "say", "figlet", "cowsay"))
_DECLARING = frozenset(("export", "declare", "typeset", "readonly"))
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def is_secret_name(name: str) -> bool:
    words = name.upper().replace("-", "_").split("_")
    if words[-1] in _HARMLESS_ENDS:
        return False
    for index, word in enumerate(words):
        if word in _SECRET or word.endswith("PASSWORD"):
            return True
        if word == "KEY" and index and words[index - 1] in _BEFORE_KEY:
            return True
    return False


def judge(execution: Execution, context: Context) -> Iterator[Finding]:
    """Findings for a program that prints the environment, or a variable of it."""
    program = execution.program
    if program in PRINTERS:
        name = _printed_name(execution.argv[1:], context)
        if name and fate(execution) == SHOWN:
            yield _value(execution, name, context)
        return
    words = [word.text for word in execution.argv[1:]]
    if program == "printenv":
        names = [word for word in words if word and word[0] != "-"]
        if not names:
            yield from _dumped(execution, context)
        for name in names:
            if is_secret_name(name) and fate(execution) == SHOWN:
                yield _value(execution, name, context)
                return
    elif program in ("env", "genv"):
        if _lists_environment(words):
            yield from _dumped(execution, context)
    elif program == "set":
        if not words:
            yield from _dumped(execution, context)
    elif program in _DECLARING:
        yield from _declared(execution, words, context)


def _declared(execution: Execution, words: list[str | None], context: Context) -> Iterator[Finding]:
    flags = [word for word in words if word is None or word[:1] in ("-", "+")]
    names = [word for word in words if word is not None and word[:1] not in ("-", "+")]
    if len(flags) + len(names) < len(words) or None in flags:
        return
    letters = "".join(flag or "" for flag in flags).replace("-", "")
    if not names:
        if execution.program != "readonly" and not letters.strip("px"):
            yield from _dumped(execution, context)
    elif "p" in letters:
        for name in names:
            if is_secret_name(name) and fate(execution) == SHOWN:
                yield _value(execution, name, context)
                return


def _lists_environment(words: list[str | None]) -> bool:
    """`env` without a command; `-i` lists what is given alone."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in ("-u", "--unset", "-C", "--chdir"):
            skip = True
        elif (
            word in ("-i", "-", "--ignore-environment", "--help", "--version")
            or word is None
            or (word[:1] != "-" and "=" not in word)
            or word.startswith(("-S", "--split-string", "-i"))
        ):
            return False
    return True


def _dumped(execution: Execution, context: Context) -> Iterator[Finding]:
    if execution.bare and not any(is_secret_name(name) for name in execution.env):
        return
    reached = fate(execution)
    if reached in (USED, NAMES):
        return
    reader = execution.fed
    while reader is not None:
        if _searches_plainly(reader, context):
            return
        reader = reader.fed
    yield Finding(
        DUMP,
        shown(execution, context),
        execution.start,
        execution.end,
        chain=execution.chain,
        why="It prints every variable of the environment, those with tokens and passwords too.",
    )


def _searches_plainly(execution: Execution, context: Context) -> bool:
    """A grep for plain words that are in the name of no secret."""
    from cc_safety_net.guard.rules.secrets.searching import search_of

    search = search_of(execution)
    if search is None or search.inverted or not search.patterns:
        return False
    for pattern in search.patterns:
        for sign in "|()^$=\\\n":
            pattern = pattern.replace(sign, " ")  # noqa: PLW2901 - the same pattern, in words
        words = pattern.split()
        if not words or not all(_is_harmless_word(word, context) for word in words):
            return False
    return True


def _is_harmless_word(word: str, context: Context) -> bool:
    if not _WORD.issuperset(word):
        return False
    word = word.upper()
    if any(word in secret or secret in word for secret in _OPEN_WORDS):
        return False
    return not any(
        word in name.upper() for name in context.world.environment if is_secret_name(name)
    )


def _value(execution: Execution, name: str, context: Context) -> Finding:
    return Finding(
        VALUE,
        shown(execution, context),
        execution.start,
        execution.end,
        chain=execution.chain,
        values={"name": name, "value": f'"${name}"'},
        why=f"It prints the value of {name}, which is a secret by its name.",
        target=name,
    )


def _printed_name(words: tuple[Word, ...], context: Context) -> str:
    """The secret variable of the environment among the words, "" if there is none."""
    for word in words:
        for choice in word.choices:
            for piece in choice:
                if isinstance(piece, Unknown) and is_inherited(piece, context):
                    return piece.name
    return ""


def is_inherited(piece: Unknown, context: Context) -> bool:
    if piece.why == "variable":
        # An edited value (`${X:0:4}`) of a variable that the text does not assign.
        if piece.name in context.reading.reassigned:
            return False
    elif piece.why != "environment":
        return False
    return is_secret_name(piece.name)


def shown(execution: Execution, context: Context) -> str:
    """The execution as written, for the refusal."""
    call = context.call.command or ""
    text = call[execution.start : execution.end]
    if text and not execution.chain:
        return text
    return " ".join(word.text or "…" for word in execution.argv)
