"""Commands that run only where a file is absent: `[ -f X ] || cp T X`.

Whether the file is there when the command runs nobody can know before. That it is not there if
the command runs at all, its own text says.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import FileAccess
    from cc_safety_net.guard.rules.context import Context

_TESTS = frozenset(("-e", "-f", "-s"))
_LOOKED_AT = 400


def only_if_absent(access: FileAccess, context: Context) -> bool:
    """The command of this access stands behind a test that its path is not there."""
    path = access.path.text
    execution = access.execution
    if path is None or execution is None or execution.chain or execution.script:
        return False
    command = context.call.command
    start = execution.start
    if not command or not command.startswith(execution.argv[0].text or "\0", start):
        return False
    before = command[max(0, start - _LOOKED_AT) : start].rstrip()
    if before.endswith("||"):
        test, joined = _last(before[:-2])
        return joined != "&&" and _tested(test, path) == "present"
    if before.endswith("&&"):
        test, joined = _last(before[:-2])
        return joined != "||" and _tested(test, path) == "absent"
    if before.endswith("then"):
        condition = before[:-4].rstrip().removesuffix(";")
        test, _ = _last(condition)
        words = test.split()
        return words[:1] == ["if"] and _tested(test.strip()[2:], path) == "absent"
    return False


def _last(text: str) -> tuple[str, str]:
    """The last command of a text, and what joins it to the one before."""
    plain = text.rstrip()
    at = max(plain.rfind(sign) for sign in (";", "&", "|", "\n", "(", "{"))
    joined = plain[at - 1 : at + 1] if at > 0 and plain[at] in "&|" else plain[at : at + 1]
    return plain[at + 1 :], joined


def _tested(test: str, path: str) -> str:
    """What a test says if it succeeds: that the path is `present`, or `absent`, else ""."""
    words = [word.strip("'\"") for word in test.split()]
    turned = False
    if words[:1] == ["!"]:
        turned = True
        del words[0]
    if words[:1] == ["test"]:
        del words[0]
    elif (words[:1], words[-1:]) in ((["["], ["]"]), (["[["], ["]]"])):
        words = words[1:-1]
    else:
        return ""
    if words[:1] == ["!"]:
        turned = not turned
        del words[0]
    if len(words) != 2 or words[0] not in _TESTS or words[1] != path:
        return ""
    return "absent" if turned else "present"
