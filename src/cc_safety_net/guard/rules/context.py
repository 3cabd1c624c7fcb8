"""What a rule may know besides the facts: where the call runs and what the policy allows."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.interpret.facts import Reading
    from cc_safety_net.guard.limits import Effort
    from cc_safety_net.guard.place import Place
    from cc_safety_net.guard.policy.settings import Policy
    from cc_safety_net.guard.world import World


class Context:
    """Handed to every rule function.

    allow_paths: absolute paths of the policy in which deletion counts as inside.
    worktree_mode: `workflow.worktree_mode` of the policy.
    policy: all other settings (`deny_paths`, `secret_allow_paths`, `proves_loss`, `form_only`);
    None in tests means the defaults. Whether a rule acts at the level is not a rule's question.
    memo: what a rule module has looked up once for this call, by a key of its own.
    """

    __slots__ = (
        "allow_paths",
        "call",
        "effort",
        "memo",
        "place",
        "policy",
        "reading",
        "worktree_mode",
        "world",
    )

    def __init__(
        self,
        call: ToolCall,
        place: Place,
        world: World,
        reading: Reading,
        effort: Effort,
        *,
        allow_paths: Sequence[str] = (),
        worktree_mode: bool = False,
        policy: Policy | None = None,
    ) -> None:
        self.call = call
        self.place = place
        self.world = world
        self.reading = reading
        self.effort = effort
        self.allow_paths = tuple(allow_paths)
        self.worktree_mode = worktree_mode
        self.policy = policy
        self.memo: dict[str, Any] = {}
