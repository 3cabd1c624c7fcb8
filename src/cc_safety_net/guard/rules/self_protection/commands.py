"""Commands against the guard: its own that change things, the agents' that switch it off.

Here stands what an everyday `npm test` has to pay: do its words mention us, or an agent? The rest
is in `calls`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

OWN = frozenset(("cc-safety-net", "ccsn"))
AGENTS = frozenset(
    (
        "agy", "amp", "antigravity", "claude", "claude-code", "codex", "copilot", "cursor-agent",
        "devin", "gemini", "gemini-cli", "grok", "hermes", "kimi", "kimi-code", "openclaw",
        "opencode", "opencode-ai", "pi", "pi-coding-agent",
    )
)  # fmt: skip
_NAMES = ("safety-net", "safety_net", "ccsn", "safetynet", "cc-marketplace", "safety.net")
#: Removal of all that a package manager holds.
_ALL = ("uninstall-all", "--all")
_KILLERS = frozenset(("kill", "pkill", "killall"))


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Findings for one program with its words."""
    program = execution.program
    if program not in OWN and program not in AGENTS and not _mentions(execution, context):
        return ()
    # Few calls come here.
    from cc_safety_net.guard.rules.self_protection.calls import findings

    return findings(execution, context)


def _mentions(execution: Execution, context: Context) -> bool:
    for word in execution.argv:
        for choice in word.choices:
            for piece in choice:
                if not isinstance(piece, str):
                    continue
                text = piece.lower()
                if text in _ALL or any(name in text for name in _NAMES):
                    return True
                if text.startswith(context.world.data):
                    return True
    # `kill $(pgrep -f …)`, `pgrep … | xargs kill`: the name stands in another command.
    return execution.program in _KILLERS
