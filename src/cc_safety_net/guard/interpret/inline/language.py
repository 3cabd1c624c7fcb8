"""How the languages that the common tokeniser reads differ."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cc_safety_net.guard.interpret.inline.calls import Action


class Language:
    """How a language writes what matters here.

    comments: what begins a comment to the end of the line; blocks: pairs around longer ones.
    quotes: sign -> `plain` (a backslash escapes itself and the quote), `escaped`, `full` (with
    interpolation), `shell` (a command), `raw`. holes: how interpolation looks: `js` `ruby` `perl`
    `php` `julia` `groovy`. features: `regex`, `percent` (Ruby), `quoting` (Perl), `heredocs`,
    `sigils` (names may begin with $ @ %), `lines` (a newline ends a statement), `bare` (arguments
    without brackets), `ends` (blocks end with `end`), `long` (Lua's `[[…]]`).
    joins: operators that put texts after one another. functions: words that define one.
    effects: dotted name -> action. methods: name -> action, whatever the object is.
    compute: results of calls; names: what stands for another name; start: called by itself.
    takes_in: functions that run another file of the program: where they look (`here`, `beside` the
    code, `search` in the folders of a path), then what is added to the name.
    source: what of a file is code.
    """

    __slots__ = (
        "blocks",
        "comments",
        "compute",
        "effects",
        "features",
        "functions",
        "holes",
        "joins",
        "methods",
        "name",
        "names",
        "quotes",
        "source",
        "start",
        "takes_in",
    )

    def __init__(
        self,
        name: str,
        *,
        quotes: Mapping[str, str],
        effects: Mapping[str, Action],
        comments: Sequence[str] = ("//",),
        blocks: Sequence[tuple[str, str]] = (("/*", "*/"),),
        holes: str = "",
        features: frozenset[str] = frozenset(),
        joins: Sequence[str] = ("+",),
        functions: Sequence[str] = ("function",),
        methods: Mapping[str, Action] | None = None,
        compute: Callable[[str, Any, Any], Any] | None = None,
        names: Mapping[str, str] | None = None,
        start: Sequence[str] = (),
        takes_in: Mapping[str, tuple[str, ...]] | None = None,
        source: Callable[[str], str] | None = None,
    ) -> None:
        self.name = name
        self.quotes = quotes
        self.effects = effects
        self.comments = tuple(comments)
        self.blocks = tuple(blocks)
        self.holes = holes
        self.features = features
        self.joins = frozenset(joins)
        self.functions = frozenset(functions)
        self.methods = methods or {}
        self.compute = compute
        self.names = names or {}
        self.start = tuple(start)
        self.takes_in = takes_in or {}
        self.source = source
