"""SQL text: which of its statements destroy data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DROPPED = frozenset(("DATABASE", "SCHEMA", "TABLE", "KEYSPACE"))
#: What keeps a statement from reaching every row.
_BOUNDS = frozenset(("WHERE", "LIMIT", "USING"))


def losses(text: str) -> Iterator[tuple[str, str]]:
    """(`drop` or `truncate`, name of the object) of each statement that destroys data."""
    for words in _statements(text):
        upper = [word.upper() for word in words]
        first = upper[0]
        if first == "DROP" and len(upper) > 1:
            at = 2 if upper[1] in ("TEMPORARY", "FOREIGN") and len(upper) > 2 else 1
            if upper[at] in _DROPPED and upper[1] != "TEMPORARY":
                yield "drop", _name(words, at + 1)
        elif (
            first == "ALTER"
            and "DROP" in upper
            and upper[upper.index("DROP") + 1 :][:1] == ["COLUMN"]
        ):
            yield "drop", _name(words, 2)
        elif first == "TRUNCATE":
            yield "truncate", _name(words, 2 if upper[1:2] == ["TABLE"] else 1)
        elif (_BOUNDS.isdisjoint(upper) or _reaches_all(upper)) and (
            (first == "DELETE" and "FROM" in upper) or (first == "UPDATE" and "SET" in upper)
        ):
            yield "truncate", _name(words, 2 if first == "DELETE" else 1)


def _reaches_all(upper: list[str]) -> bool:
    """`WHERE true`, `WHERE 1 = 1`: a condition that every row meets."""
    if "WHERE" not in upper or "LIMIT" in upper:
        return False
    condition = "".join(upper[upper.index("WHERE") + 1 :])
    left, equals, right = condition.partition("=")
    constant = left.isdigit() or (left[:1] == "'" and left[-1:] == "'")
    return condition in ("TRUE", "1", "NOTFALSE") or (bool(equals) and constant and left == right)


def _name(words: list[str], at: int) -> str:
    while at < len(words) and words[at].upper() in ("IF", "EXISTS", "ONLY", "CONCURRENTLY"):
        at += 1
    return words[at].strip("\"`[]'") if at < len(words) else ""


def _statements(text: str) -> Iterator[list[str]]:
    """Words of each statement, comments left out, strings as one word."""
    words: list[str] = []
    word: list[str] = []
    at = 0
    while at <= len(text):
        sign = text[at] if at < len(text) else ";"
        at += 1
        if sign in "'\"`":
            end = text.find(sign, at)
            end = len(text) if end < 0 else end
            word.append(sign + text[at:end] + sign)
            at = end + 1
        elif (sign == "-" and text[at : at + 1] == "-") or (sign == "#" and not word):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif sign == "/" and text[at : at + 1] == "*":
            end = text.find("*/", at)
            at = len(text) if end < 0 else end + 2
        elif sign.isspace() or sign in "(),;":
            if word:
                words.append("".join(word))
                word = []
            if sign == ";":
                if words:
                    yield words
                words = []
        else:
            word.append(sign)
