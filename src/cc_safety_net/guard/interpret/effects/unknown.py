"""Programs that no table knows: they take the paths among their words for their own use.

What an option like `-o` names they write.

The words of a wrapper's inner command are the inner command's; only its own options count.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, looks_like_path, touch
from cc_safety_net.guard.interpret.effects.writers import attached, is_output
from cc_safety_net.guard.interpret.options import cut, lead, parse
from cc_safety_net.guard.interpret.wrappers.engine import entry_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word

#: Roles of wrapper options whose values are no files that the wrapper takes.
_TEXTS = ("also", "code", "dir", "env", "file", "mode", "query", "split", "startup", "text")
#: Groups of wrappers whose operands, too, are read by the inner command alone.
_INNER = frozenset(("git", "prefixes", "searches"))


def uses(execution: Execution) -> list[FileAccess]:
    """What has the form of a path, as operand or as the value of an option."""
    group, entry = entry_of(execution)
    if isinstance(entry, tuple):
        return _of_options(execution, *entry)
    if group in ("item_lists", "parallel"):
        # `xargs -a FILE` takes its lines as words, like `xargs < FILE`.
        from cc_safety_net.guard.interpret.wrappers.item_lists import list_files

        return [touch(execution, path, "read") for path in list_files(execution)]
    if group in _INNER:
        return []
    found: list[FileAccess] = []
    program = execution.program
    named = ""
    for word in execution.argv[1:]:
        text = lead(word)
        path: Word | None = word
        mode = "write" if named and is_output(named, program) else "use"
        named = ""
        if text.startswith("-") or (text[:1].isalpha() and "=" in text):
            name, equals, _ = text.partition("=")
            if equals:
                path = cut(word, len(name) + 1)
                mode = "write" if is_output(name, program) else "use"
            else:
                named = text
                path, mode = attached(word), "write"
        if path is not None and looks_like_path(path) and is_path(path):
            found.append(touch(execution, path, mode))
    return found


def _of_options(execution: Execution, options: str, operands: str) -> list[FileAccess]:
    """A wrapper of the table: values of options, and the arguments of a script."""
    arguments = parse(execution.argv, options, permute="permute" in operands)
    paths = [
        (option.value, "write" if is_output(option.name, "") else "use")
        for option in arguments.options
        if option.value is not None and option.role.partition("=")[0] not in _TEXTS
    ]
    if operands.startswith("script"):
        paths += [(word, "use") for word in arguments.operands]
    elif operands.startswith("program"):
        paths += [(word, "use") for word in arguments.operands[1:]]
    return [touch(execution, path, mode) for path, mode in paths if looks_like_path(path)]
