"""Inner forms written as one line of text, for tables of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.guard.interpret.words import execution, text
from tests.guard.worlds import workspace

from cc_safety_net.guard.interpret.wrappers import inner as forms
from cc_safety_net.guard.interpret.wrappers.engine import unwrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.world import World


def _words(words: Sequence[Word]) -> str:
    return " ".join(text(word) or "''" for word in words)


def shape(inner: forms.Inner) -> str:
    """`label: kind …`, then directory, environment and scope where they are given."""
    out = f"{inner.label}: "
    if isinstance(inner, forms.InnerArgv):
        out += f"argv {_words(inner.argv)}" + (" …" if inner.lists else "")
    elif isinstance(inner, forms.InnerText):
        kind = "text" if inner.dialect == "posix" else inner.dialect
        out += f"{kind} {text(inner.text)}"
        out += f" ({_words(inner.positionals)})" if inner.positionals else ""
        out += " same shell" if inner.same_shell else ""
    elif isinstance(inner, forms.InnerStdin):
        out += f"stdin {inner.language if inner.dialect == 'posix' else inner.dialect}"
        out += f" ({_words(inner.positionals)})" if inner.positionals else ""
    elif isinstance(inner, forms.InnerCode):
        out += f"code {inner.language} {text(inner.text)}"
    elif isinstance(inner, forms.InnerFile):
        out += f"file {inner.kind} {text(inner.path)}"
        out += f" target {text(inner.target)}" if inner.target is not None else ""
        out += f" ({_words(inner.positionals)})" if inner.positionals else ""
        out += " same shell" if inner.same_shell else ""
    if inner.directory is not None:
        out += f" in {text(inner.directory)}"
    for name, value in inner.env.items():
        out += f" {name}={text(value)}"
    if inner.clear_env:
        out += " cleared"
    if inner.scope is not None:
        mounts = " ".join(f"{inside}={host}" for inside, host in inner.scope.mounts)
        out += f" @{inner.scope.kind} {inner.scope.host} {mounts}".rstrip()
    return out


def shapes(command: str | Execution, world: World | None = None) -> list[str]:
    """What a command line hands on."""
    made = execution(command) if isinstance(command, str) else command
    return [shape(inner) for inner in unwrap(made, world or workspace())]
