"""Files of tmux: each line is a command of tmux."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.options import split_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost


def read(code: str, host: CodeHost) -> None:
    """Hands each line on as `tmux WORDS…`."""
    for line in code.replace("\\\n", " ").split("\n"):
        host.effort.spend(1, "a file of tmux")
        text = line.strip()
        if text and text[0] not in "#%":
            words = [Word(host.pieces(word)) for word in split_text(text)]
            host.run([known("tmux"), *words], "tmux source-file")
