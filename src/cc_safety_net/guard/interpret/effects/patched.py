"""Programs that apply a patch: the files that its text names are changed, moved or deleted.

`apply_patch` is a program only in name: an agent takes its text for a call of its patch tool.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, touch
from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import parse
from cc_safety_net.guard.limits import SNIFF_BYTES
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.tools.patches import read_patch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.world import World

_PATCH = (
    "p,strip: d,directory: i,input: o,output: r,reject-file: B,prefix: V,version-control: z,suffix:"
    " D,ifdef: F,fuzz: g,get: R,reverse f,force E b s u c e n N l t dry-run@query help@query"
)


def _patch(execution: Execution, world: World) -> list[FileAccess]:
    """`patch [FILE [PATCH]]`: a named file, else those that the patch names."""
    arguments = parse(execution.argv, _PATCH, permute=True)
    if any(option.role == "query" for option in arguments.options):
        return []
    directory = arguments.value("d")
    operands = arguments.operands
    given = operands[1] if len(operands) > 1 else arguments.value("i")
    found = []
    if given is not None:
        found.append(touch(execution, given, "use"))
    output = arguments.value("o")
    if output is not None or operands:
        target = output if output is not None else operands[0]
        return [*found, touch(execution, target, "write", directory=directory)]
    texts = list(_texts(execution, given, world))
    for text in texts:
        found += changes(execution, text, directory)
    if directory is not None and not texts:
        # What it names is not known, only where that lies.
        found.append(touch(execution, directory, "write", recursive=True))
    return found


def _apply_patch(execution: Execution, world: World) -> list[FileAccess]:
    """The text stands on standard input or is the one word."""
    words = [word.text for word in execution.argv[1:] if word.text]
    texts = [text for text in words if "\n" in text] or list(_texts(execution, None, world))
    return [access for text in texts for access in changes(execution, text, None)]


def applied(
    execution: Execution, files: Sequence[Word], directory: Word | None, world: World
) -> list[FileAccess]:
    """What `git apply FILES` changes."""
    texts = [text for file in files for text in _texts(execution, file, world)]
    if not files:
        texts = list(_texts(execution, None, world))
    return [access for text in texts for access in changes(execution, text, directory)]


def changes(execution: Execution, text: str, directory: Word | None) -> list[FileAccess]:
    """The files that a patch names."""
    found = []
    for change in read_patch(text):
        path = known(change.path, execution.start, execution.end)
        if change.mode == "move":
            target = known(change.target, execution.start, execution.end)
            found.append(touch(execution, path, "move", directory=directory, destination=target))
            path = target
        mode = "delete" if change.mode == "delete" else "write"
        if is_path(path):
            found.append(touch(execution, path, mode, directory=directory))
    return found


def _texts(execution: Execution, file: Word | None, world: World) -> Iterator[str]:
    """What is known of a patch: a file on disk, or standard input."""
    if file is None:
        if execution.stdin is not None:
            yield from execution.stdin.texts or ()
        return
    for text in file.texts or ():
        for cwd in execution.cwds:
            if cwd is not None or text.startswith("/"):
                content = world.text(normalise(join(cwd or "/", text)), SNIFF_BYTES)
                if content is not None:
                    yield content


TABLE: dict[str, Entry] = {
    "patch": _patch,
    "apply_patch": _apply_patch,
    "applypatch": _apply_patch,
}
