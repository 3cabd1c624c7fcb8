"""Where a call runs: its directory, its workspace roots, the home, the temp roots."""

from __future__ import annotations

from cc_safety_net.guard.paths import is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Place:
    """Where a call runs.

    directory: execution directory, absolute and normalised. roots: workspace roots in order, the
    first is the config directory; empty if there is no workspace. home: the person's home.
    temps: temp roots, normalised and resolved forms.
    """

    __slots__ = ("directory", "home", "roots", "temps")

    def __init__(
        self, directory: str, roots: Sequence[str], home: str, temps: Sequence[str]
    ) -> None:
        self.directory = directory
        self.roots = tuple(roots)
        self.home = home
        self.temps = tuple(temps)

    def root_of(self, path: str) -> str:
        """The innermost root that holds `path`, "" if none does."""
        best = ""
        for root in self.roots:
            if len(root) > len(best) and is_inside(path, root):
                best = root
        return best
