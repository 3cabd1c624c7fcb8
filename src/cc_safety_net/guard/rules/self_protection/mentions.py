"""Code in a language that nobody reads: it names one of our paths beside a word that changes.

The last fence. Code that is read comes as accesses to files, and is judged by those.
"""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.rules.self_protection.protected import protected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.interpret.facts import CodeRun
    from cc_safety_net.guard.rules.context import Context

#: Beginnings and parts of names of functions that change files, in any language.
_STARTS = ("rm", "del", "mv", "cp", "save")
_PARTS = (
    "write", "unlink", "delete", "remove", "rename", "truncate", "append", "chmod", "chown",
    "link", "copy", "move", "mkdir", "touch", "put_contents", "trash", "replace", "system",
    "spawn", "exec", "popen",
)  # fmt: skip
#: Modes in which a file is opened to be changed; commands of sed and editors that write.
_MODES = frozenset(("w", "w+", "wb", "a", "a+", "ab", "r+", "x", "W", "wq", "saveas", ">", ">>"))
_ENDS = frozenset("\"'`()[]{}<>,;|&= \t\n\r")
_LONGEST = 4_096


def findings(code: CodeRun, text: str, context: Context) -> Iterator[Finding]:
    """At most one finding for a piece of code."""
    context.effort.spend(len(text) // 16 + 1, "code in another language")
    words = list(_words(text))
    if not _changes(words, text):
        return
    ours = protected(context)
    cwds = code.execution.cwds if code.execution is not None else (context.place.directory,)
    home = context.world.home
    for word in words:
        if "/" not in word or len(word) > _LONGEST:
            continue
        path = home + word[1:] if word.startswith("~/") else word
        for cwd in cwds:
            if cwd is None and not path.startswith("/"):
                continue
            guarded = ours.match(normalise(join(cwd or "/", path)))
            if guarded is not None:
                yield Finding(
                    guarded.rule,
                    text,
                    code.start,
                    code.end,
                    chain=code.chain,
                    values={"path": word, "agent": guarded.agent},
                    why=f"The code names {word} and may change it.",
                    target=guarded.path,
                )
                return


def _words(text: str) -> Iterator[str]:
    start = 0
    for at, character in enumerate(text):
        if character in _ENDS:
            if at > start:
                yield text[start:at]
            if character == ">":
                yield ">"
            start = at + 1
    if start < len(text):
        yield text[start:]
    # A name with blanks stands in quotes.
    for mark in "\"'":
        yield from text.split(mark)[1::2]
    # What sed's `w` takes is the rest of its line.
    for line in text.splitlines():
        yield "/" + line.partition("/")[2]


def _changes(words: list[str], text: str) -> bool:
    for word in words:
        if word in _MODES or word.rstrip("!") in _MODES:
            return True
        if "/" in word:
            continue
        name = word.rpartition(".")[2].rpartition(":")[2].lower()
        if name.startswith(_STARTS) or any(part in name for part in _PARTS):
            return True
    return "/w " in text
