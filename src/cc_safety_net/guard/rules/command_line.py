"""A command line split without a table: option letters and names, operands, the verb.

Good for programs whose options with values don't matter to the rule.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Word


class Line:
    """words: all after the program; texts: their known texts ("" if unknown).

    options: letters of clusters and names of long options, without dashes and values. Behind
    `--` all are operands.
    """

    __slots__ = ("operands", "options", "program", "texts", "words")

    def __init__(self, execution: Execution) -> None:
        self.program = execution.program
        self.words: Sequence[Word] = execution.argv[1:]
        self.texts = [word.text or "" for word in self.words]
        self.options: set[str] = set()
        self.operands: list[Word] = []
        ended = False
        for word, text in zip(self.words, self.texts, strict=True):
            if ended or len(text) < 2 or text[0] != "-":
                self.operands.append(word)
            elif text == "--":
                ended = True
            elif text.startswith("--"):
                self.options.add(text[2:].partition("=")[0])
            else:
                self.options.update(text[1:])

    def has(self, *names: str) -> bool:
        """One of these options; a long one also by an unambiguous beginning of three letters."""
        for name in names:
            if name in self.options:
                return True
            if len(name) > 1 and any(
                len(given) > 2 and name.startswith(given) for given in self.options
            ):
                return True
        return False

    def asks_for_help(self) -> bool:
        return "help" in self.options or "version" in self.options

    def operand_texts(self) -> list[str]:
        return [word.text or "" for word in self.operands]

    def verb(self) -> str:
        """The first operand."""
        return (self.operands[0].text or "") if self.operands else ""
