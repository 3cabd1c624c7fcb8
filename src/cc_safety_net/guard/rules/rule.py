"""The form of a rule: its texts, its place in the policy, and its examples.

A family is two modules: `<family>.py` finds (loaded when a program of it is called), and
`<family>_rules.py` holds `RULES`, loaded only for a denial, the documentation and the tests.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Intents (specification of the guard, section 8): what the agent should do next.
INTENTS = ("hard_stop", "use_alternative", "scope_down", "manual_only", "stop_and_explain")
#: Lowest level at which a rule acts.
LEVELS = ("standard", "strict", "paranoid")


class Rule:
    """One rule.

    id: stable, `family.thing-and-case`. reason: one sentence. instead: what is permitted, a
    command where one exists, else "" (only for hard_stop and manual_only). do_not: the workaround
    it closes. All three may hold `{name}` holes, filled from `Finding.values`; `{part}` is the
    offending part. intent: one of INTENTS. level: one of LEVELS. off: "C" catastrophic, "N" never
    off, "Y" may be switched off. pack: name of the pack it belongs to, "" for none.
    denied, allowed: at least two commands each, run by the tests in the workspace of
    `tests/guard/worlds.py`; an example that is no command is `(tool, arguments)`.
    listed: it acts only where the policy sets it to `deny` or `ask`, at any level.
    """

    __slots__ = (
        "allowed",
        "denied",
        "do_not",
        "id",
        "instead",
        "intent",
        "level",
        "listed",
        "off",
        "pack",
        "reason",
    )

    def __init__(
        self,
        id: str,  # noqa: A002 - the word of the specification
        *,
        reason: str,
        instead: str,
        do_not: str,
        intent: str,
        denied: Sequence[str | tuple[str, dict[str, object]]],
        allowed: Sequence[str | tuple[str, dict[str, object]]],
        level: str = "standard",
        off: str = "Y",
        pack: str = "",
        listed: bool = False,
    ) -> None:
        self.id = id
        self.reason = reason
        self.instead = instead
        self.do_not = do_not
        self.intent = intent
        self.denied = denied
        self.allowed = allowed
        self.level = level
        self.off = off
        self.pack = pack
        self.listed = listed
