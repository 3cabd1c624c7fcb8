"""What keeps lost work findable: the stash, the reflog, unreachable objects, states in progress."""

from __future__ import annotations

from cc_safety_net.guard.rules.git.exemptions import succeeded_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context
    from cc_safety_net.guard.rules.git.invocation import Invocation
    from cc_safety_net.guard.rules.git.options import Argument

_ABORTS = {"rebase": "git.rebase-abort", "merge": "git.merge-abort"}
#: Ages in words that leave yesterday's work findable.
_LONG = ("day", "week", "month", "year", "fortnight")
_NEVER = frozenset(("never", "false", "no", "off"))
_EXPIRY_KEYS = ("gc.reflogexpire", "gc.reflogexpireunreachable")


def stash(call: Invocation) -> Iterator[Finding]:
    words = call.options.operands
    action = words[0].text if words else "push"
    if action == "clear":
        yield call.finding("git.stash-clear")
    elif action == "drop":
        entry = _entry(words[1] if len(words) > 1 else None)
        if entry is None or not _applied(call, entry):
            yield call.finding("git.stash-drop", entry=entry or "stash@{0}")


def _entry(word: Argument | None) -> str | None:
    """The entry's name in one spelling; None if it is unknown."""
    if word is None:
        return "stash@{0}"
    text = word.text
    if text is None:
        return None
    text = text.removeprefix("refs/")
    if text == "stash":
        return "stash@{0}"
    return f"stash@{{{text}}}" if text.isdigit() else text


def _applied(call: Invocation, entry: str) -> bool:
    """`git stash apply` of the same entry has succeeded, and the list did not change since."""
    for before in succeeded_before(call):
        if before.command != "stash":
            continue
        words = before.options.operands
        action = words[0].text if words else "push"
        if action in ("list", "show"):
            continue
        return action == "apply" and _entry(words[1] if len(words) > 1 else None) == entry
    return False


def reflog(call: Invocation) -> Iterator[Finding]:
    options = call.options
    action = options.operands[0].text if options.operands else ""
    if options.on("dry-run"):
        return
    if action == "delete":
        yield call.finding("git.reflog-delete")
    elif action == "expire":
        ages = [*options.values("expire", "expire-unreachable"), *_configured(call, _EXPIRY_KEYS)]
        if any(_is_short(age) for age in ages):
            yield call.finding("git.reflog-expire")


def collect(call: Invocation) -> Iterator[Finding]:
    options = call.options
    ages = [*options.values("prune")]
    if not options.last("prune") and not any(name == "prune" for name, _, _ in options.given):
        ages.extend(_configured(call, ("gc.pruneexpire",)))
    if any(_is_short(age) for age in ages):
        yield call.finding("git.gc-prune")
    if any(_is_short(age) for age in _configured(call, _EXPIRY_KEYS)):
        yield call.finding("git.reflog-expire")


def prune(call: Invocation) -> Iterator[Finding]:
    options = call.options
    age = options.value("expire")
    if not options.on("dry-run") and (age is None or _is_short(age)):
        yield call.finding("git.gc-prune")


def _configured(call: Invocation, keys: tuple[str, ...]) -> Iterator[Argument]:
    for key, value in call.config:
        if key in keys and value is not None:
            yield value


def _is_short(age: Argument) -> bool:
    """The age reaches into today: `now`, `all`, minutes or hours; not days, nor a date."""
    text = (age.text or "never").lower().replace(".", " ").replace("_", " ").strip()
    if text in _NEVER or text == "yesterday":
        return False
    if any(unit in text for unit in _LONG):
        return text.split()[0] in ("0", "zero")
    # A date or a time stamp has four digits in a row.
    return not any(text[at : at + 4].isdigit() for at in range(len(text) - 3))


def rewrite(call: Invocation) -> Iterator[Finding]:
    options = call.options
    if not options.on("dry-run", "analyze") and (call.words or call.command == "filter-branch"):
        yield call.finding("git.history-rewrite")


def abort(call: Invocation) -> Iterator[Finding]:
    if call.options.on("abort"):
        yield call.finding(_ABORTS.get(call.command or "", "git.sequence-abort"))


def check_bfg(execution: Execution, context: Context) -> Iterable[Finding]:
    """The BFG rewrites history as `filter-repo` does: `bfg …`, `java -jar bfg.jar …`."""
    from cc_safety_net.guard.decision import Finding

    words = [word.text or "" for word in execution.argv[1:]]
    if execution.program == "java":
        if "-jar" not in words[:-1]:
            return ()
        at = words.index("-jar") + 1
        jar = words[at].rpartition("/")[2].lower()
        if not (jar.startswith("bfg") and jar.endswith(".jar")):
            return ()
        words = words[at + 1 :]
    context.effort.spend(len(words), "the words of bfg")
    if not words or "--help" in words or "--version" in words:
        return ()
    part = " ".join(word.text or "?" for word in execution.argv)
    return [
        Finding(
            "git.history-rewrite",
            part,
            execution.start,
            execution.end,
            chain=execution.chain,
            values={"git": "git", "command": "bfg"},
        )
    ]
