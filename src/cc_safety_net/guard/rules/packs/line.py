"""A command line of a service's tool: sub-commands, options, and whether it only shows."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.interpret.options import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_TRUE = frozenset(("", "true", "client", "server", "1", "yes"))
_TESTING = frozenset(("test", "tests", "testing", "e2e", "ci", "tmp", "temp", "scratch"))
_LOOPBACK = ("localhost", "127.", "[::1]", "0.0.0.0", "::1", "host.docker.internal")  # noqa: S104 - names
_LIVE = frozenset(("prod", "production", "live", "staging"))


class Line:
    """operands: the known texts of words that are no options ("" if unknown), in order.

    options: name -> value ("" for a flag, or where it is unknown). first: the first operand.
    words: the operands as words.
    """

    __slots__ = ("context", "execution", "first", "operands", "options", "words")

    def __init__(self, execution: Execution, context: Context, options: str) -> None:
        self.execution = execution
        self.context = context
        arguments = parse(execution.argv, options, permute=True)
        context.effort.spend(len(execution.argv), "the words of a command")
        self.words = arguments.operands
        self.operands = [word.text or "" for word in arguments.operands]
        self.first = arguments.operands[0] if arguments.operands else None
        self.options = {
            option.name: (option.value.text or "") if option.value is not None else ""
            for option in arguments.options
        }

    def has(self, *names: str) -> bool:
        return any(name in self.options and self.options[name] != "false" for name in names)

    @property
    def only_shows(self) -> bool:
        """Help, or a dry run."""
        if self.has("help") or "help" in self.operands[:1] or "help" in self.operands[-1:]:
            return True
        return any(
            name in self.options and self.options[name].lower() in _TRUE
            for name in ("dry-run", "dryrun", "no-execute", "what-if", "server-dry-run")
        )

    def starts(self, verbs: str) -> bool:
        """The operands begin with the verbs: `volume rm|prune`, `*` for any word."""
        words = verbs.split()
        if len(self.operands) < len(words):
            return False
        return all(
            wanted == "*" or given in wanted.split("|")
            for wanted, given in zip(words, self.operands, strict=False)
        )

    def finding(self, rule: str, **values: str) -> Finding:
        from cc_safety_net.guard.rules.packs.looking import look
        from cc_safety_net.guard.rules.packs.where import asking_there

        execution = self.execution
        values["look"] = asking_there(values.get("look") or look(self, rule), self)
        return Finding(
            rule,
            " ".join("|".join(shown(c) for c in word.choices) for word in execution.argv),
            execution.start,
            execution.end,
            chain=execution.chain,
            values={"program": execution.program, **values},
        )


def acts(context: Context, rule: str, level: str) -> bool:
    """The level is reached at which this form of a rule is denied too."""
    return context.policy is not None and context.policy.acts(rule, level)


def is_disposable(name: str) -> bool:
    """The name says that it is for tests: a word of it is, and none says that it is in use."""
    words = "".join(sign if sign.isalnum() else " " for sign in name.lower()).split()
    return not _TESTING.isdisjoint(words) and _LIVE.isdisjoint(words)


def is_loopback(url: str) -> bool:
    host = url.partition("://")[2] or url
    host = host.partition("/")[0].rpartition("@")[2]
    return bool(host) and (host.startswith(_LOOPBACK) or host.startswith(":"))
