"""What `git config` stores, for a git that runs later in the same text."""

from __future__ import annotations

from cc_safety_net.guard.interpret.contents import content_at
from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import parse
from cc_safety_net.guard.interpret.values import EMPTY, concat, text_choice
from cc_safety_net.guard.interpret.wrappers.git import GLOBAL_OPTIONS, configuration_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.interpret.machine import Machine

_OPTIONS = (
    "global system local worktree add replace-all f,file: type: t: default: comment: value:"
    " append bool int path all fixed-value"
    " get@query get-all@query get-regexp@query get-urlmatch@query l,list@query e,edit@query"
    " unset@query unset-all@query rename-section@query remove-section@query get-color@query"
    " get-colorbool@query"
)
#: Sub-commands of `git config` that store nothing.
_READING = frozenset(("edit", "get", "list", "remove-section", "rename-section", "unset"))
_FILES = 256


def remember(m: Machine, execution: Execution) -> None:
    """Add the setting to what its file is known to hold."""
    arguments = parse(execution.argv, GLOBAL_OPTIONS)
    operands = arguments.operands
    if not operands or operands[0].text != "config":
        return
    own = parse(operands, _OPTIONS, permute=True)
    words = own.operands
    removed = own.has("unset", "unset-all") or (words and words[0].text == "unset")
    if removed and words and (words[-1].text or "").startswith("alias."):
        # An alias that is empty is none.
        words = [known("set"), words[-1], known("")]
    elif any(option.role == "query" for option in own.options):
        return
    if words and words[0].text in _READING:
        return
    if words and words[0].text == "set":
        words = words[1:]
    if len(words) < 2 or len(m.files) >= _FILES:
        return
    entry = _entry(words[0], words[1])
    scope = next((s for s in ("global", "system", "worktree") if own.has(s)), "")
    path = configuration_file(execution, m.world, arguments, scope, own.value("f"))
    if entry and path:
        m.files[path] = concat(content_at(m, path) or EMPTY, text_choice(entry))


def _entry(key: Word, value: Word) -> str:
    """The setting as a file holds it, "" if it is not known."""
    name, text = key.text, value.text
    if name is None or text is None or "." not in name:
        return ""
    section, _, name = name.rpartition(".")
    section, dot, sub = section.partition(".")
    head = f'{section} "{sub}"' if dot else section
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'\n[{head}]\n\t{name} = "{quoted}"\n'
