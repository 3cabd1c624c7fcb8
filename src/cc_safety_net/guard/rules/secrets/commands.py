"""Programs that print secrets: the environment, tokens, keychains, private keys.

Only where the value reaches the agent. Captured into a variable, an argument or a consuming pipe
it is used, and printing such a variable is printing the value.
"""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Unknown
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.rules.secrets import environment
from cc_safety_net.guard.rules.secrets.reach import SHOWN, fate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.rules.context import Context

#: Programs whose words may hold code; what Python shows is already read as `printenv`.
_CODE = frozenset(
    (
        "awk", "bun", "deno", "gawk", "jq", "lua", "mawk", "nawk", "node", "perl", "php", "ruby",
        "Rscript",
    )
)  # fmt: skip
_WHY = {
    "secret.command.host-token": "It prints the token of a login to a code or package host.",
    "secret.command.cloud-token": "It prints a token, a password or a secret of a cloud.",
    "secret.command.kube-secret": "It prints secrets of a cluster.",
    "secret.command.git-credential": "It prints the password that git has for a host.",
    "secret.command.keychain": "It prints an entry of a password store.",
    "secret.command.vault": "It prints a secret of the vault.",
    "secret.command.key-export": "It prints a private key.",
}


def judge(execution: Execution, context: Context) -> Iterator[Finding]:
    """Findings for one execution."""
    found = list(environment.judge(execution, context))
    if not found:
        rule = printed_secret(execution)
        if rule and fate(execution) == SHOWN:
            found.append(_finding(rule, execution, context))
    if not found:
        found += _captured(execution, context)
    if not found and execution.program in _CODE:
        from cc_safety_net.guard.rules.secrets import code

        found += code.of_environment(execution, context)
    return iter(found)


def printed_secret(execution: Execution) -> str:
    """The rule about what this execution prints, "" if it prints no secret."""
    from cc_safety_net.guard.rules.secrets import tokens

    words = [word.text or "" for word in execution.argv[1:]]
    if any(word in ("--help", "-h") for word in words):
        return ""
    return tokens.rule_of(execution.program, words)


def _captured(execution: Execution, context: Context) -> Iterator[Finding]:
    """`x=$(gh auth token); echo $x`, `echo "$(printenv)"`, `cat <<< $API_KEY`."""
    if execution.program in environment.PRINTERS:
        words: tuple[Word, ...] = execution.argv[1:]
    elif execution.stdin is not None and not execution.feeds:
        words = (execution.stdin,)
    else:
        return
    for word in words:
        for choice in word.choices:
            for piece in choice:
                if not isinstance(piece, Unknown):
                    continue
                rule = _rule_of_unknown(piece, context)
                if rule and fate(execution) == SHOWN and _shows(execution):
                    yield _finding(rule, execution, context, name=piece.name)
                    return
    if execution.program in environment.PRINTERS:
        yield from _sourced(execution, context)


def of_written(access: FileAccess, context: Context) -> Iterator[Finding]:
    """`env > e; cat e`: the file holds what an earlier command of the text printed."""
    text = access.path.text
    cwd = access.cwds[0] if access.cwds else None
    execution = access.execution
    if access.names or text is None or execution is None or (cwd is None and text[:1] != "/"):
        return
    word = context.reading.written.get(normalise(join(cwd or "/", text)))
    if word is None or fate(execution) != SHOWN:
        return
    for choice in word.choices:
        for piece in choice:
            rule = _rule_of_unknown(piece, context) if isinstance(piece, Unknown) else ""
            if rule:
                yield _finding(rule, execution, context, name=getattr(piece, "name", ""))
                return


def _shows(execution: Execution) -> bool:
    if execution.program in environment.PRINTERS:
        return True
    from cc_safety_net.guard.interpret.effects.engine import PROGRAMS
    from cc_safety_net.guard.rules.secrets.reach import names_only

    return PROGRAMS.get(execution.program) == "viewers" and not names_only(execution)


def _rule_of_unknown(piece: Unknown, context: Context) -> str:
    if piece.why == "variable" and piece.origin:
        # `${!name}` of a name that came out of a list of all variables.
        listing = any(_lists_names(origin) for origin in piece.origin)
        return environment.DUMP if listing else ""
    if piece.why in ("environment", "variable"):
        return environment.VALUE if environment.is_inherited(piece, context) else ""
    for origin in piece.origin:
        rule = printed_secret(origin)
        if rule:
            return rule
        for found in environment.judge(_uncaptured(origin), context):
            return found.rule
    return ""


def _lists_names(origin: Execution) -> bool:
    """It prints the names of all variables, whatever narrows them afterwards."""
    for execution in (origin, *origin.feeds):
        words = [word.text or "" for word in execution.argv[1:]]
        if execution.program == "compgen" and words and words[0] in ("-e", "-v", "-A"):
            return True
        if execution.program in ("env", "printenv", "set", "export", "declare") and not any(
            word[:1] != "-" for word in words
        ):
            return True
    return False


def _uncaptured(execution: Execution) -> Execution:
    """The execution as if the agent saw its output."""
    from cc_safety_net.guard.interpret.facts import Execution as Fact

    copy = Fact(
        execution.argv,
        execution.program,
        execution.cwds,
        execution.start,
        execution.end,
        chain=execution.chain,
        stdin=execution.stdin,
    )
    copy.fed = None
    return copy


def _sourced(execution: Execution, context: Context) -> Iterator[Finding]:
    """`. ./.env; echo $API_KEY`: a value that stands in a secret file of the same text."""
    values = _sourced_values(context)
    if not values or fate(execution) != SHOWN:
        return
    for word in execution.argv[1:]:
        for choice in word.choices:
            for piece in choice:
                if isinstance(piece, str) and any(value in piece for value in values):
                    yield _finding(environment.VALUE, execution, context)
                    return


def _sourced_values(context: Context) -> list[str]:
    """Values with secret names in the files that the text sources."""
    found: list[str] | None = context.memo.get("secrets.sourced")
    if found is None:
        found = []
        for access in context.reading.accesses:
            if access.via not in (".", "source", "<") or access.mode not in ("use", "execute"):
                continue
            from cc_safety_net.guard.rules.secrets.contents import sniff
            from cc_safety_net.guard.rules.secrets.matching import secrets_of

            for secret in secrets_of(access, context):
                text = sniff(secret.path, context) if secret.path else None
                for line in (text or "").split("\n"):
                    name, _, value = line.strip().removeprefix("export ").partition("=")
                    value = value.strip().strip("\"'")
                    if environment.is_secret_name(name.strip()) and len(value) > _SHORTEST:
                        found.append(value)
        context.memo["secrets.sourced"] = found
    return found


#: Shorter values are found by chance.
_SHORTEST = 5


def _finding(rule: str, execution: Execution, context: Context, *, name: str = "") -> Finding:
    why = _WHY.get(rule, "It prints a value that was taken from a secret.")
    return Finding(
        rule,
        environment.shown(execution, context),
        execution.start,
        execution.end,
        chain=execution.chain,
        values={"name": name or "NAME", "value": f'"${name or "NAME"}"'},
        why=why,
        target=name,
    )
