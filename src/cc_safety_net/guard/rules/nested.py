"""Whether shell text that stands in a setting, or in what nobody can parse, would be denied."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.rules.context import Context

_STAGES = ("self", "git", "secrets", "commands", "packs")


def is_denied(text: str, context: Context, directory: str | None = None) -> bool:
    """Some rule that acts at every level objects to the text as a call of its own."""
    from cc_safety_net.guard.interpret.reader import read_shell
    from cc_safety_net.guard.place import Place
    from cc_safety_net.guard.rules.catalogue import find, rule
    from cc_safety_net.guard.rules.context import Context as NestedContext

    place = Place(
        directory or context.place.directory,
        context.place.roots,
        context.place.home,
        context.place.temps,
    )
    reading = read_shell(text, "posix", place, context.world, context.effort)
    # What nobody can parse is judged once, not over and over.
    reading.codes = [code for code in reading.codes if code.how != "unparseable"]
    nested = NestedContext(
        context.call,
        place,
        context.world,
        reading,
        context.effort,
        allow_paths=context.allow_paths,
        worktree_mode=context.worktree_mode,
        policy=context.policy,
    )
    return any(
        rule(finding.rule).level == "standard"
        for stage in _STAGES
        for finding in find(stage, nested)
    )
